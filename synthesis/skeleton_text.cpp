#include <fmt/format.h>

#include "synthesis/skeleton.h"
#include "synthesis/skeleton_walk.h"

namespace ambit::synthesis {
namespace {

std::string access_text(const Act& act, const ActDetail& detail) {
  const char cell = kVariables[act.cell];
  const bool is_atomic = act.access == Act::Access::Atomic;
  switch (act.kind) {
    case Act::Kind::Read:
      if (!is_atomic) return fmt::format("{}", cell);
      return fmt::format("load({}, {}, {})", cell, to_string(act.order), to_string(act.scope));
    case Act::Kind::Write:
      if (!is_atomic) return fmt::format("{} = {};", cell, detail.value);
      return fmt::format("store({}, {}, {}, {});", cell, detail.value, to_string(act.order), to_string(act.scope));
    default: break;
  }
  return fmt::format("fetch_add({}, {}, {}, {})", cell, detail.value, to_string(act.order), to_string(act.scope));
}

std::string statement_text(const Act& act, const ActDetail& detail) {
  switch (act.kind) {
    case Act::Kind::Fence:
      if (act.order == Order::SeqCst && act.scope != Scope::Cluster) {
        return act.scope == Scope::Block    ? "__threadfence_block();"
               : act.scope == Scope::Device ? "__threadfence();"
                                            : "__threadfence_system();";
      }
      return fmt::format("fence({}, {});", to_string(act.order), to_string(act.scope));
    case Act::Kind::Lock: return fmt::format("lock({}, {});", kLocks[act.cell], to_string(act.scope));
    case Act::Kind::Unlock: return fmt::format("unlock({}, {});", kLocks[act.cell], to_string(act.scope));
    case Act::Kind::Barrier: return "__syncthreads();";
    default: break;
  }
  const std::string text = access_text(act, detail);
  if (!detail.target) return detail.guard ? fmt::format("if (r{} != 0) {}", *detail.guard, text) : text;
  if (!detail.guard) return fmt::format("int r{} = {};", *detail.target, text);
  return fmt::format("int r{0} = 0;\n  if (r{1} != 0) r{0} = {2};", *detail.target, *detail.guard, text);
}

std::string memory_text(const Skeleton& skeleton) {
  std::string text;
  bool is_volatile = false;
  for (const SkeletonThread& thread : skeleton.threads) {
    for (const Act& act : thread.acts) is_volatile = is_volatile || act.access == Act::Access::Volatile;
  }
  for (std::size_t i = 0; i < skeleton.variables(); ++i)
    text += fmt::format("{}{} = 0", i == 0 ? "" : ", ", kVariables[i]);
  for (std::size_t i = 0; i < skeleton.locks(); ++i)
    text += fmt::format("{}{} = 0", text.empty() ? "" : ", ", kLocks[i]);
  return text.empty() ? "" : fmt::format("{{ {}global int {}; }}\n\n", is_volatile ? "volatile " : "", text);
}

}  // namespace

std::string litmus_text(const Skeleton& skeleton, std::string_view name, std::string_view description,
                        std::string_view condition) {
  std::string text = fmt::format("CUDA {}\n", name);
  if (!description.empty()) text += fmt::format("\"{}\"\n", description);
  text += "\n" + memory_text(skeleton);
  const std::vector<std::vector<ActDetail>> details = details_of(skeleton);
  for (std::size_t t = 0; t < skeleton.threads.size(); ++t) {
    const SkeletonThread& thread = skeleton.threads[t];
    const std::string gpu = thread.gpu == 0 ? "" : fmt::format("gpu {} ", thread.gpu);
    text += fmt::format("P{} @ {}block {} {{\n", t, gpu, thread.block);
    for (std::size_t i = 0; i < thread.acts.size(); ++i) {
      text += fmt::format("  {}\n", statement_text(thread.acts[i], details[t][i]));
    }
    text += "}\n\n";
  }
  if (!condition.empty()) text += fmt::format("{}\n", condition);
  return text;
}

}  // namespace ambit::synthesis
