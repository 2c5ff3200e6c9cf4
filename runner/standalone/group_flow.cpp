#include "runner/standalone/group_flow.h"

#include <algorithm>
#include <variant>

#include "runner/cuda/emit/warpgroups.h"

namespace ambit::standalone {
namespace {

using Kind = FlowNode::Kind;

bool is_of_all_lanes(const Instruction& instruction) {
  const auto* barrier = std::get_if<Barrier>(&instruction.operation);
  return cuda::is_of_warpgroup(instruction) || (barrier != nullptr && barrier->kind != BarrierKind::Warp);
}

/// Returns whether the leader can execute the node alone. `in_loop` means that a break or continue does not leave the
/// node.
bool stays_with_leader(const Thread& thread, const FlowNode& node, bool in_loop) {
  const auto stays = [&](const Flow& flow, bool loop) {
    return std::ranges::all_of(flow, [&](const FlowNode& one) { return stays_with_leader(thread, one, loop); });
  };
  switch (node.kind) {
    case Kind::Plain: return !is_of_all_lanes(thread.code[node.instruction]);
    case Kind::If:
    case Kind::IfJumps: return stays(node.then, in_loop) && stays(node.otherwise, in_loop);
    case Kind::Forever:
    case Kind::RepeatWhile:
    case Kind::Once: return stays(node.then, true);
    case Kind::Break:
    case Kind::Continue: return in_loop;
    case Kind::Return: return false;
  }
  return false;
}

}  // namespace

bool is_of_leader(const Thread& thread, const FlowNode& node) { return stays_with_leader(thread, node, false); }

bool returns_early(const Flow& flow) {
  return std::ranges::any_of(flow, [](const FlowNode& node) {
    return node.kind == Kind::Return || returns_early(node.then) || returns_early(node.otherwise);
  });
}

}  // namespace ambit::standalone
