#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/program.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// A type suffix: .b32 says nothing of the sign.
struct TypeSuffix {
  enum class Sign : std::uint8_t { Bits, Signed, Unsigned } sign = Sign::Bits;
  std::uint8_t bits = 32;
  SourceSpan span;
};
/// "b32", "u64" and so on; nothing for what is no integer type of PTX.
std::optional<TypeSuffix> read_type_suffix(const Word& word);

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
};

/// What an opcode with its modifiers says.
struct Opcode {
  OpcodeKind kind = OpcodeKind::Load;
  Order order = Order::Weak;
  Scope scope = Scope::System;
  bool is_volatile = false;
  Proxy proxy = Proxy::Generic;
  std::optional<TypeSuffix> type;
  RmwOp rmw = RmwOp::Add;
  bool is_reduction = false;
  Op operation = Op::Add;       ///< Arithmetic; Branch: the comparison
  bool is_alias_fence = false;  ///< ProxyFence
  bool arrive_only = false;     ///< BlockBarrier
  bool has_instance = false;    ///< bar.cta: the first operand is an instance, then a resource
  bool is_relaxed = false;      ///< ClusterArrive
  bool by_parity = false;       ///< MbarrierWait
  bool is_plain = false;        ///< ld or st alone: `ld r0, r1` is then a move
  std::string_view form;        ///< how the instruction is written, for messages
};

/// PTX as the ISA writes it, or the .test files' form of it: `atom.add.relaxed.gpu` with the operation first,
/// `fence.alias`.
enum class Dialect : std::uint8_t { Ptx, TestFile };

/// Decodes the opcode of an instruction. Errors: an unknown opcode or modifier (with a hint), an order that the
/// operation cannot have, a weak access with a scope, a strong one without, what PTX has and this reader does not.
std::optional<Opcode> decode(const InstructionNode& node, Dialect dialect, Reporter& reporter);

}  // namespace ambit::parser::ptx
