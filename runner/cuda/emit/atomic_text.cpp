#include "runner/cuda/emit/atomic_text.h"

#include <fmt/format.h>

#include "runner/cuda/emit/emit_names.h"

namespace ambit::cuda {

std::string failed_text(const Rmw& rmw, const std::string& result, const std::string& compare) {
  if (rmw.op != RmwOp::CompareExchange) return "false";
  return fmt::format("({0}){1} != ({0})({2})", type_name(rmw.access.type), result, compare);
}

std::string quiet_text(const Rmw& rmw, const std::string& result, const std::string& operand,
                       const std::string& compare) {
  const std::string type = type_name(rmw.access.type);
  switch (rmw.op) {
    case RmwOp::CompareExchange: return failed_text(rmw, result, compare);
    case RmwOp::Exchange: return fmt::format("({0}){1} == ({0})({2})", type, result, operand);
    case RmwOp::Add:
    case RmwOp::Subtract:
    case RmwOp::Or: return fmt::format("({})({}) == 0", type, operand);
    default: return "false";
  }
}

}  // namespace ambit::cuda
