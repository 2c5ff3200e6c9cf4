#pragma once

#include "core/program.h"
#include "runner/standalone/flow_tree.h"

namespace ambit::standalone {

/// Returns whether the leader of a warpgroup executes the node alone. The leader executes a node alone if the node has
/// no part that all lanes must execute (wgmma, barriers), and no jump out of the node.
bool is_of_leader(const Thread& thread, const FlowNode& node);

/// Returns whether the thread can end before its last instruction.
bool returns_early(const Flow& flow);

}  // namespace ambit::standalone
