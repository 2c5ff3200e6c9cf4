#include "runner/cuda/emit/instruction_names.h"

#include <fmt/format.h>

#include "core/ptx_mapping.h"

namespace ambit::cuda {

std::string atomic_operation(const Rmw& rmw) {
  const ScalarType type = rmw.access.type;
  const std::string bits = fmt::format("b{}", type.bits);
  const std::string plain = fmt::format("u{}", type.bits);
  switch (rmw.op) {
    case RmwOp::Add:
    case RmwOp::Subtract: return "add." + plain;
    case RmwOp::Exchange: return "exch." + bits;
    case RmwOp::Min: return "min." + ptx_type(type);
    case RmwOp::Max: return "max." + ptx_type(type);
    case RmwOp::IncrementWrap: return "inc." + plain;
    case RmwOp::DecrementWrap: return "dec." + plain;
    case RmwOp::And: return "and." + bits;
    case RmwOp::Or: return "or." + bits;
    case RmwOp::Xor: return "xor." + bits;
    case RmwOp::Update: return {};
    case RmwOp::CompareExchange: return "cas." + bits;
  }
  return {};
}

std::string missing_atomic(const Rmw& rmw) {
  const unsigned bits = rmw.access.type.bits;
  const bool is_cas = rmw.op == RmwOp::CompareExchange;
  const bool only_moves = is_cas || rmw.op == RmwOp::Exchange;
  if ((bits < 32 && !(is_cas && bits == 16)) || (bits > 64 && !only_moves)) {
    return fmt::format("hardware has no atomic '{}' on {} bits", to_string(rmw.op), bits);
  }
  const bool wraps = rmw.op == RmwOp::IncrementWrap || rmw.op == RmwOp::DecrementWrap;
  if (wraps && bits != 32) return fmt::format("hardware has no atomic '{}' on 64 bits", to_string(rmw.op));
  if (rmw.is_reduction && only_moves) {
    return fmt::format("PTX has no 'red' with '{}'", to_string(rmw.op));
  }
  return {};
}

}  // namespace ambit::cuda
