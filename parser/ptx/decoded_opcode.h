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
  bool drops_result = false;                 ///< red.acq_rel: an atom without the operand for its result
  Op operation = Op::Add;                    ///< Arithmetic; Branch: the comparison
  bool is_alias_fence = false;               ///< ProxyFence
  bool arrive_only = false;                  ///< BlockBarrier
  bool has_instance = false;                 ///< bar.cta: the first operand is an instance, the second a resource
  bool is_relaxed = false;                   ///< ClusterArrive
  bool by_parity = false;                    ///< MbarrierWait
  bool expects = false;                      ///< MbarrierArrive: expects transactions before (.expect_tx)
  bool drops = false;                        ///< MbarrierArrive: later phases expect fewer arrivals (arrive_drop)
  bool no_complete = false;                  ///< MbarrierArrive: must not end the phase (.noComplete)
  bool is_mbarrier_init_fence = false;       ///< ProxyFence: fence.mbarrier_init
  StateSpace space = StateSpace::Unsaid;     ///< accesses, mbarriers
  FenceSpace fence_space = FenceSpace::All;  ///< ProxyFence
  ProxyFence::Direction fence_direction = ProxyFence::Direction::Both;
  bool is_shared_only = false;                      ///< Fence: sync_restrict
  std::optional<AsyncOpcode> async = std::nullopt;  ///< Asynchronous
  bool is_plain = false;                            ///< ld or st without modifiers: `ld r0, r1` is then a move
  std::string_view form;                            ///< the syntax of the instruction, for messages
};

/// The dialect: PTX as in the ISA, or the form of .test files: `atom.add.relaxed.gpu` with the operation first,
/// `fence.alias`.
enum class Dialect : std::uint8_t { Ptx, TestFile };

/// Decodes the opcode of an instruction. Errors: an unknown opcode or modifier (with a hint); an order that the
/// operation cannot have; a weak access with a scope; a strong access without a scope; unsupported PTX.
std::optional<Opcode> decode(const InstructionNode& node, Dialect dialect, Reporter& reporter);

}  // namespace ambit::parser::ptx
