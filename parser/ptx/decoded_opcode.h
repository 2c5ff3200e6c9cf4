#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/program.h"
#include "parser/ptx/async_opcode.h"
#include "parser/ptx/test_tree.h"
#include "parser/ptx/type_suffix.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

enum class OpcodeKind : std::uint8_t {
  Load,
  Store,
  Rmw,
  Move,
  Arithmetic,
  Branch,
  Jump,
  Exit,
  Fence,
  ProxyFence,
  BlockBarrier,
  WarpBarrier,
  ClusterArrive,
  ClusterWait,
  MbarrierInit,
  MbarrierArrive,
  MbarrierWait,
  MbarrierInvalidate,
  MbarrierExpect,
  MbarrierComplete,
  MbarrierPending,  ///< mbarrier.pending_count
  Asynchronous,
  GridWait,    ///< griddepcontrol.wait
  GridLaunch,  ///< griddepcontrol.launch_dependents
};

/// The state space that an instruction names.
enum class StateSpace : std::uint8_t { Unsaid, Global, SharedBlock, SharedCluster };

/// The meaning of an opcode with its modifiers.
struct Opcode {
  OpcodeKind kind = OpcodeKind::Load;
  Order order = Order::Weak;
  Scope scope = Scope::System;
  bool is_volatile = false;
  Proxy proxy = Proxy::Generic;
  std::optional<TypeSuffix> type;
  RmwOp rmw = RmwOp::Add;
  bool is_reduction = false;
  bool drops_result = false;    ///< set for red.acq_rel, which Ambit reads as an atom without a result
  Op operation = Op::Add;       ///< operation of Arithmetic, or comparison of a Branch
  bool is_alias_fence = false;  ///< set for an alias fence
  bool arrive_only = false;     ///< set for an arrival at a block barrier that does not wait
  bool has_instance = false;    ///< set for bar.cta, whose operands are an instance and a barrier number
  bool is_relaxed = false;      ///< set for a relaxed arrival at a cluster barrier
  bool by_parity = false;       ///< set for a wait for a phase parity
  /// set for an arrival that first adds expected transaction bytes (.expect_tx)
  bool expects = false;
  /// set for an arrival that makes later phases expect fewer arrivals (arrive_drop)
  bool drops = false;
  bool no_complete = false;                  ///< set for an arrival that must not complete the phase (.noComplete)
  bool is_mbarrier_init_fence = false;       ///< set for fence.mbarrier_init
  StateSpace space = StateSpace::Unsaid;     ///< state space of an access or an mbarrier
  FenceSpace fence_space = FenceSpace::All;  ///< state space of a proxy fence
  ProxyFence::Direction fence_direction = ProxyFence::Direction::Both;
  bool is_shared_only = false;                      ///< set for a fence with .sync_restrict
  std::optional<AsyncOpcode> async = std::nullopt;  ///< set for an asynchronous instruction
  bool is_plain = false;                            ///< set for ld or st without modifiers: `ld r0, r1` is a move
  std::string_view form;                            ///< the syntax of the instruction, for messages
};

/// The dialect of the instructions: the syntax of the PTX ISA, or the syntax of .test files. For example, .test files
/// have `fence.alias`, and write the operation first: `atom.add.relaxed.gpu`.
enum class Dialect : std::uint8_t { Ptx, TestFile };

/// Decodes the opcode of an instruction. Errors: the opcode or a modifier is unknown (with a hint); the operation
/// cannot have this memory order; a weak access has a scope; a strong access has no scope; Ambit does not support the
/// instruction.
std::optional<Opcode> decode(const InstructionNode& node, Dialect dialect, Reporter& reporter);

}  // namespace ambit::parser::ptx
