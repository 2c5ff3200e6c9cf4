#include "runner/sim/transaction_locks.h"

#include <utility>
#include <vector>

#include "core/trace.h"

namespace ambit::sim {
namespace {

Expr add_lock(Program& program) {
  const auto object = static_cast<ObjectId>(program.objects.size());
  const auto location = static_cast<LocationId>(program.locations.size());
  MemoryObject word;
  word.name = kTransactionLock;
  word.type = kInt;
  word.first = location;
  program.objects.push_back(word);
  program.locations.push_back({.name = word.name, .object = object, .index = 0, .type = kInt});
  return Expr::make_constant(make_address(object, 0), kLongLong);
}

/// Rewrites the code of one thread.
class Rewriter {
 public:
  Rewriter(Thread& thread, const Expr& lock) : thread_(thread), lock_(lock) {}

  /// The place of a transaction that can abort, where there is one.
  std::optional<SourceSpan> run() {
    const std::vector<Instruction> old = std::exchange(thread_.code, {});
    for (const Instruction& instruction : old) {
      positions_.push_back(thread_.code.size());
      if (const auto* begin = std::get_if<TransactionBegin>(&instruction.operation)) {
        scope_ = begin->scope;
        acquire(instruction.span);
      } else if (const auto* end = std::get_if<TransactionEnd>(&instruction.operation)) {
        if (end->aborted) return instruction.span;
        release(instruction.span);
      } else {
        jumps_.push_back(thread_.code.size());
        thread_.code.push_back(instruction);
      }
    }
    positions_.push_back(thread_.code.size());
    for (const std::size_t at : jumps_) move_target(thread_.code[at].operation);
    return std::nullopt;
  }

 private:
  MemoryAccess access() const {
    MemoryAccess access;
    access.address = lock_;
    access.type = kInt;
    access.order = Order::Relaxed;
    access.scope = scope_;
    access.is_atomic = true;
    return access;
  }

  void acquire(SourceSpan span) {
    const auto old = static_cast<RegisterId>(thread_.registers.size());
    thread_.registers.push_back({"%transaction", kInt, false});
    const std::size_t head = thread_.code.size();
    Rmw swap;
    swap.target = old;
    swap.op = RmwOp::CompareExchange;
    swap.access = access();
    swap.operand = Expr::make_constant(1, kInt);
    swap.compare = Expr::make_constant(0, kInt);
    swap.lock = LockRole::Acquire;
    thread_.code.push_back({std::move(swap), span});
    thread_.code.push_back({Branch{Expr::make_register(old, kInt), head, false}, span});
    thread_.code.push_back({Fence{Order::SeqCst, scope_}, span});
  }

  void release(SourceSpan span) {
    thread_.code.push_back({Fence{Order::SeqCst, scope_}, span});
    Rmw exchange;
    exchange.op = RmwOp::Exchange;
    exchange.access = access();
    exchange.operand = Expr::make_constant(0, kInt);
    exchange.lock = LockRole::Release;
    thread_.code.push_back({std::move(exchange), span});
  }

  void move_target(Operation& operation) const {
    if (auto* branch = std::get_if<Branch>(&operation)) branch->target = positions_[branch->target];
    if (auto* jump = std::get_if<Jump>(&operation)) jump->target = positions_[jump->target];
  }

  Thread& thread_;
  const Expr& lock_;
  Scope scope_ = Scope::Device;
  std::vector<std::size_t> positions_;  ///< of the old instructions, and of the end
  std::vector<std::size_t> jumps_;      ///< instructions that were there before
};

}  // namespace

Result<std::shared_ptr<const Program>> with_locks_for_transactions(std::shared_ptr<const Program> program) {
  if (!program->first_transaction()) return program;
  auto result = std::make_shared<Program>(*program);
  const Expr lock = add_lock(*result);
  for (Thread& thread : result->threads) {
    if (const std::optional<SourceSpan> place = Rewriter(thread, lock).run()) {
      return Diagnostic{
          program->source, *place, "the memory of a GPU has no transactions that can abort",
          "the memory of a GPU takes critical sections for transactions; with --memory sc traces have aborts"};
    }
  }
  return std::shared_ptr<const Program>(std::move(result));
}

Result<std::shared_ptr<const Program>> program_for_traces(std::shared_ptr<const Program> program,
                                                          const Options& options) {
  const bool has_transactions = options.memory == MemoryKind::Sc && options.warps == WarpKind::Independent;
  if (has_transactions) return program;
  return with_locks_for_transactions(std::move(program));
}

}  // namespace ambit::sim
