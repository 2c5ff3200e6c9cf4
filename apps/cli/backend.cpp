#include "apps/cli/backend.h"

#include <string>

namespace ambit::cli {

void add_backend_option(Command command, api::Backend& backend) {
  const bool is_cuda = backend == api::Backend::Cuda;
  command
      .choice(
          "--backend", {"sim", "cuda"},
          [&backend](const std::string& name) { backend = name == "cuda" ? api::Backend::Cuda : api::Backend::Sim; },
          "sim: the built-in simulator; cuda: a GPU")
      .show_default(is_cuda ? "cuda" : "sim");
}

void require_options_of(Command command, api::Backend backend) {
  const bool is_cuda = backend == api::Backend::Cuda;
  for (const Option option : command.options()) {
    const std::string group = option.group();
    const bool is_misplaced = is_cuda ? group == kOnSimulator : group == kOnGpu || group == kStressOnGpu;
    if (!option.is_given() || !is_misplaced) continue;
    throw UsageError(option.name(), is_cuda ? "has no effect on a GPU; it applies to --backend sim"
                                            : "has no effect on the simulator; it applies to --backend cuda");
  }
}

void add_memory_option(Command command, sim::Options& options) {
  command
      .choice(
          "--memory", {"sc", "gpu"},
          [&options](const std::string& name) { options.memory = *sim::memory_from_string(name); },
          "sc: one memory; gpu: store buffers and caches")
      .show_default("gpu")
      .group(kOnSimulator);
}

void add_warps_options(Command command, sim::Options& options, const std::string& group) {
  Option warps = command.choice(
      "--warps", {"independent", "lockstep"},
      [&options](const std::string& name) { options.warps = *sim::warps_from_string(name); },
      "How the lanes of a warp advance");
  warps.show_default("independent");
  Option conflicts = command.choice(
      "--conflicts", {"lazy", "eager"},
      [&options](const std::string& name) {
        options.conflicts = name == "eager" ? sim::ConflictKind::Eager : sim::ConflictKind::Lazy;
      },
      "When transactions detect conflicts");
  conflicts.show_default("lazy");
  if (group.empty()) return;
  warps.group(group);
  conflicts.group(group);
}

}  // namespace ambit::cli
