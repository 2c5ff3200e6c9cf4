#include "runner/cuda/emit/emit_transactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "kernels/parameters.h"
#include "runner/cuda/emit/emit_names.h"

namespace ambit::cuda {
namespace {

std::string_view algorithm(Stm stm) {
  switch (stm) {
    case Stm::Estm: return "Estm";
    case Stm::Pstm: return "Pstm";
    case Stm::Istm: return "Istm";
    case Stm::IstmAsPublished: return "IstmAsPublished";
  }
  return {};
}

/// Returns why an instruction cannot be run in a transaction that begins at `begin`, or an empty text.
std::string objection(const Operation& operation, std::size_t begin, std::size_t at) {
  if (const MemoryAccess* access = access_of(operation); access != nullptr && access->type.bits != 32) {
    return "the memories of kernels/stm support only words of 32 bits";
  }
  if (std::holds_alternative<Fence>(operation)) return "the memories of kernels/stm have no fences in transactions";
  if (const std::size_t* target = jump_target(operation); target != nullptr && *target > begin && *target <= at) {
    return "the logs of kernels/stm have a fixed length, which a loop can exceed";
  }
  return {};
}

}  // namespace

Diagnostics objections_of_stm(const Program& program) {
  Diagnostics errors;
  for (const MemoryObject& object : program.objects) {
    if (object.space == MemorySpace::Global) continue;
    errors.push_back({program.source, object.span, "the memories of kernels/stm support only global memory", ""});
  }
  for (const Thread& thread : program.threads) {
    std::optional<std::size_t> begin;
    for (std::size_t i = 0; i < thread.code.size(); ++i) {
      const Operation& operation = thread.code[i].operation;
      if (std::holds_alternative<TransactionBegin>(operation)) begin = i;
      if (std::holds_alternative<TransactionEnd>(operation)) begin.reset();
      const std::string why = begin ? objection(operation, *begin, i) : std::string();
      if (!why.empty()) {
        errors.push_back({program.source, thread.code[i].span, why, "ambit run --memory sc runs this transaction"});
      }
    }
  }
  return errors;
}

std::uint32_t first_entry(const Program& program) {
  constexpr std::uint32_t kStep = ambit_kernel::kMultipliers;
  return (static_cast<std::uint32_t>(program.locations.size()) + kStep - 1) / kStep * kStep;
}

TransactionText::TransactionText(const Thread& thread, const std::vector<std::string>& names)
    : thread_(thread), names_(names), begin_of_(thread.code.size(), kNoTransaction) {
  std::set<RegisterId> assigned;
  std::size_t begin = kNoTransaction;
  std::size_t accesses = 0;
  for (std::size_t i = 0; i < thread.code.size(); ++i) {
    const Operation& operation = thread.code[i].operation;
    if (std::holds_alternative<TransactionBegin>(operation)) {
      begin = i;
      accesses = 0;
    }
    begin_of_[i] = begin;
    if (std::holds_alternative<TransactionEnd>(operation)) {
      ends_.push_back(i);
      begin = kNoTransaction;
    }
    if (begin == kNoTransaction) continue;
    if (access_of(operation) != nullptr) most_accesses_ = std::max(most_accesses_, ++accesses);
    if (const auto target = assigned_register(operation)) assigned.insert(*target);
  }
  assigned_.assign(assigned.begin(), assigned.end());
}

std::string TransactionText::declarations(Stm stm, std::size_t number) const {
  if (!exist()) return {};
  std::string text = fmt::format("  stm::Transaction<stm::{}, {}> transaction(transactional_memory(at), {});\n",
                                 algorithm(stm), most_accesses_, number + 1);
  for (const RegisterId r : assigned_) {
    text += fmt::format("  {} before_{} = 0;\n", type_name(thread_.registers[r].type), names_[r]);
  }
  return text;
}

std::string TransactionText::begin(std::size_t instruction) const {
  std::string text;
  for (const RegisterId r : assigned_) text += fmt::format("  before_{0} = {0};\n", names_[r]);
  return text + fmt::format("B{}:\n  transaction.begin();\n", instruction);
}

std::string TransactionText::read(const MemoryAccess& access) const {
  return fmt::format("({})transaction.read(word)", type_name(access.type));
}

/// Returns, as a C++ expression, the value that a read-modify-write stores after it has read `old`.
std::string TransactionText::updated(const Rmw& rmw) const {
  Thread extended;
  extended.registers = thread_.registers;
  extended.registers.push_back({"old", rmw.access.type, false});
  std::vector<std::string> names = names_;
  names.emplace_back("old");
  const Expr old = Expr::make_register(static_cast<RegisterId>(names.size() - 1), rmw.access.type);
  return expression(stored_value(rmw, old), extended, names);
}

std::string TransactionText::access(std::size_t instruction, const std::string& pointer) const {
  const Operation& operation = thread_.code[instruction].operation;
  std::string text = fmt::format("  {{\n    const unsigned word = word_of(at, {});\n", pointer);
  const auto cast = [&](RegisterId target) { return type_name(thread_.registers[target].type); };
  if (const auto* load = std::get_if<Load>(&operation)) {
    text += fmt::format("    {} = ({}){};\n", names_[load->target], cast(load->target), read(load->access));
  } else if (const auto* store = std::get_if<Store>(&operation)) {
    text += fmt::format("    transaction.write(word, (unsigned)({}));\n", expression(store->value, thread_, names_));
  } else if (const auto* rmw = std::get_if<Rmw>(&operation)) {
    const std::string type = type_name(rmw->access.type);
    text += fmt::format("    const {} old = {};\n", type, read(rmw->access));
    const bool compares = rmw->op == RmwOp::CompareExchange;
    if (compares) text += fmt::format("    if (old == ({})({}))\n", type, expression(rmw->compare, thread_, names_));
    text += fmt::format("    {}transaction.write(word, (unsigned)({}));\n", compares ? "  " : "", updated(*rmw));
    if (rmw->target) text += fmt::format("    {} = ({})old;\n", names_[*rmw->target], cast(*rmw->target));
  }
  return text + fmt::format("    if (!transaction.active()) goto F{};\n  }}\n", begin_of_[instruction]);
}

std::string TransactionText::end(std::size_t instruction) const {
  const std::size_t begin = begin_of_[instruction];
  std::string text;
  if (const auto& aborted = std::get<TransactionEnd>(thread_.code[instruction].operation).aborted) {
    text += fmt::format("  if ({}) {{\n    transaction.abort();\n    goto E{};\n  }}\n",
                        condition(*aborted, thread_, names_), begin);
  }
  text += fmt::format("F{}:\n  if (!transaction.commit()) {{\n", begin);
  for (const RegisterId r : assigned_) text += fmt::format("    {0} = before_{0};\n", names_[r]);
  text += fmt::format("    if (++steps < at.parameters.max_steps) goto B{};\n", begin);
  text += fmt::format("    flags |= kStepBound;\n    goto L{};\n  }}\nE{}:;\n", thread_.code.size(), begin);
  return text;
}

}  // namespace ambit::cuda
