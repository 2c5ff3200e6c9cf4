#pragma once

#include "core/program.h"
#include "runner/standalone/flow_tree.h"

namespace ambit::standalone {

/// Whether the leader of a warpgroup executes the node alone: it has nothing that all lanes execute (wgmma, barriers),
/// and no jump leaves it.
bool is_of_leader(const Thread& thread, const FlowNode& node);

/// Whether the thread can end before its last instruction.
bool returns_early(const Flow& flow);

}  // namespace ambit::standalone
