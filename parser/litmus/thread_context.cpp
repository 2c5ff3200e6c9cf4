#include "parser/litmus/thread_context.h"
#include "base/plural.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::parser::litmus {

std::nullopt_t ThreadContext::error(SourceSpan span, std::string message, std::string hint) {
  // If a function contains an error, each inlining of the function reports the error again. The cost of an error limits
  // the number of reports.
  constexpr std::uint64_t kCost = 100;
  assembly.work_left -= std::min(assembly.work_left, kCost);
  assembly.reporter.error(span, std::move(message), std::move(hint));
  return std::nullopt;
}

bool ThreadContext::spend(SourceSpan span) {
  if (assembly.work_left > 0) {
    --assembly.work_left;
    return true;
  }
  // If another error exists, this error is not reported, because repeated reports may have used up the work.
  if (!std::exchange(is_out_of_work, true) && !assembly.reporter.has_errors()) {
    error(span, "the test is too large: its threads have more than a million statements and operations after inlining",
          "launch fewer threads, or call fewer functions");
  }
  return false;
}

bool ThreadContext::expect_count(const Call& call, std::size_t least, std::size_t most, std::string_view form) {
  const std::size_t count = call.arguments.size();
  if (count >= least && count <= most) return true;
  const std::string wanted = least == most ? plural(least, "argument") : fmt::format("{} to {} arguments", least, most);
  error(call.node.span, fmt::format("'{}' takes {}, not {}", call.name, wanted, count),
        form.empty() ? "" : fmt::format("write {}", form));
  return false;
}

Operand ThreadContext::convert(Operand operand, const Type& target, SourceSpan span) {
  return litmus::convert(std::move(operand), target, span, assembly.reporter);
}

bool ThreadContext::reports_division_by_zero(Op op, const Expr& divisor, SourceSpan span) {
  const bool divides = op == Op::Divide || op == Op::Remainder;
  if (!divides || !divisor.is_constant() || divisor.constant != 0 || !values_matter()) return false;
  if (setting.kernel && code.is_guarded()) {
    code.emit(Assert{Expr::make_constant(0), "division by zero"}, span);
    return false;
  }
  error(span, "division by zero");
  return true;
}

std::string ThreadContext::in_thread() const {
  return setting.kernel ? fmt::format(" (in thread {})", setting.name) : "";
}

}  // namespace ambit::parser::litmus
