#include "runner/cuda/emit/emit_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "runner/cuda/emit/jump_targets.h"
#include "runner/cuda/emit/warpgroups.h"

namespace ambit::cuda {
GroupText::GroupText(const Thread& thread) : thread_(thread), warps_(warps_of(thread)) {
  for (std::size_t i = 0; i < thread_.code.size(); ++i) {
    const Who who = who_executes(thread_.code[i]);
    const bool goes_on = !steps_.empty() &&
                         ((who == Who::Leader && steps_.back().who == Who::Leader) ||
                          (is_of_warpgroup(thread_.code[i]) && thread_.code[i].machine == thread_.code[i - 1].machine));
    if (!goes_on) steps_.push_back({.first = i, .who = who});
  }
  cut_at_targets();
}

GroupText::Who GroupText::who_executes(const Instruction& instruction) {
  if (is_of_warpgroup(instruction)) return Who::All;
  const auto* barrier = std::get_if<Barrier>(&instruction.operation);
  if (barrier == nullptr || barrier->kind == BarrierKind::Warp) return Who::Leader;
  return barrier->kind == BarrierKind::Block ? Who::FirstWarp : Who::All;
}

std::size_t GroupText::step_of(std::size_t instruction) const {
  const auto next = std::ranges::upper_bound(steps_, instruction, {}, &Step::first);
  return static_cast<std::size_t>(next - steps_.begin()) - 1;
}

/// Starts a step at each target of a jump from another step. Repeats the search until no new step starts, because a new
/// step can separate a jump from its target.
void GroupText::cut_at_targets() {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t i = 0; i < thread_.code.size(); ++i) {
      const std::size_t* target = jump_target(thread_.code[i].operation);
      if (target == nullptr || *target >= thread_.code.size() || step_of(i) == step_of(*target)) continue;
      const std::size_t at = step_of(*target);
      if (steps_[at].first != *target) {
        steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(at) + 1, {.first = *target});
        is_changed = true;
      }
      steps_[step_of(*target)].is_target = true;
    }
  }
}

std::string GroupText::before(std::size_t instruction) {
  const std::size_t step = step_of(instruction);
  if (steps_[step].first != instruction) return {};
  const std::string closed = end();
  open_ = step + 1;
  return closed + open(steps_[step]);
}

std::string GroupText::end() {
  const std::size_t last = std::exchange(open_, 0);
  return last == 0 ? std::string() : close(steps_[last - 1]);
}

std::string GroupText::open(const Step& step) const {
  std::string text;
  if (step.is_target) text += fmt::format("S{}:;\n", step.first);
  if (step.who == Who::Leader) return text + "  if (is_leader) {\n";
  if (step.who == Who::FirstWarp && warps_ > 1) return text + "  if (is_first_warp) {\n";
  return text;
}

std::string GroupText::close(const Step& step) const {
  if (step.who == Who::All) {
    // The warps need not meet at a barrier of the cluster, because this barrier itself waits for all warps. The warps
    // need not meet before a product: a test cannot tell whether a warp begins a product late or the product is slow.
    return completes_products(thread_.code[step.first]) ? meet() : std::string();
  }
  std::string text;
  if (!step.exits.empty()) text += fmt::format("N{}:;\n", step.first);
  if (step.who == Who::Leader || warps_ > 1) text += "  }\n";
  for (std::size_t i = 0; i < step.exits.size(); ++i) {
    text += fmt::format("  if (group_goes<{}>(next == {})) {{\n    next = 0;\n    goto {};\n  }}\n", warps_, i + 1,
                        step.exits[i]);
  }
  return step.exits.empty() ? text + meet() : text;
}

std::string GroupText::meet() const { return fmt::format("  meet_group<{}>();\n", warps_); }

std::string GroupText::jump(std::size_t from, std::size_t target, const std::string& label) {
  Step& step = steps_[step_of(from)];
  const bool is_inside = target < thread_.code.size() && step_of(target) == step_of(from);
  if (is_inside) return fmt::format("goto {};", label);
  const std::string to = target < thread_.code.size() ? fmt::format("S{}", target) : label;
  auto exit = std::ranges::find(step.exits, to);
  if (exit == step.exits.end()) exit = step.exits.insert(exit, to);
  return fmt::format("{{ next = {}; goto N{}; }}", exit - step.exits.begin() + 1, step.first);
}

std::string GroupText::barrier(const Barrier& barrier, const std::string& text) const {
  if (barrier.kind == BarrierKind::Cluster || (barrier.kind == BarrierKind::Block && warps_ == 1)) return text;
  return fmt::format("  if ({}) {{\n{}  }}\n", barrier.kind == BarrierKind::Block ? "is_first_warp" : "is_leader",
                     text);
}

std::string GroupText::declarations() const {
  const std::uint32_t lanes = warps_ * 32;
  std::string text = fmt::format("  const bool is_leader = threadIdx.x % {} == 0;\n", lanes);
  const bool meets = std::ranges::any_of(steps_, [](const Step& step) { return step.who == Who::FirstWarp; });
  if (meets && warps_ > 1) text += fmt::format("  const bool is_first_warp = threadIdx.x % {} < 32;\n", lanes);
  const bool exits = std::ranges::any_of(steps_, [](const Step& step) { return !step.exits.empty(); });
  if (exits) text += "  unsigned next = 0;  // where the leader goes\n";
  return text + accumulators_text(thread_);
}

std::string GroupText::results(const std::string& results) const {
  const std::string of_leader = "  if (is_leader) {\n" + results + "  }\n";
  if (warps_ == 1) return of_leader;
  // The assembler accepts the wait only if a fence precedes the wait on all paths. Otherwise, the assembler serialises
  // all products.
  std::string text =
      "  asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");\n"
      "  asm volatile(\"wgmma.commit_group.sync.aligned;\" ::: \"memory\");\n"
      "  asm volatile(\"wgmma.wait_group.sync.aligned 0;\" ::: \"memory\");\n";
  for (std::size_t i = 0; i < products_of(thread_).size(); ++i)
    text += fmt::format("  keep_product(at, product{});\n", i);
  return text + of_leader;
}

}  // namespace ambit::cuda
