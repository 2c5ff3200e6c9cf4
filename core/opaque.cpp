#include "core/opaque.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/overloaded.h"
#include "core/idle_branches.h"

namespace ambit {
namespace {

/// Adds up the constants of a sum. Returns false if another part of the sum may be an address.
bool add_constants(const Expr& expr, Value sign, Value& sum) {
  if (expr.op == Op::Const) {
    sum += sign * expr.constant;
    return true;
  }
  if (expr.result_type().bits <= 32) return true;
  if (expr.op == Op::Cast) return expr.arguments[0].result_type().bits <= 32;
  if (expr.op == Op::Multiply || expr.op == Op::BitAnd) return true;  // the index of a field (place_lowering.cpp)
  if (expr.op != Op::Add && expr.op != Op::Subtract) return false;
  return add_constants(expr.arguments[0], sign, sum) &&
         add_constants(expr.arguments[1], expr.op == Op::Add ? sign : -sign, sum);
}

class OpaqueFlow {
 public:
  OpaqueFlow(Program& program, bool explore_branches) : program_(program), explore_branches_(explore_branches) {
    for (const MemoryObject& object : program.objects) typed_.push_back(object.is_opaque);
    opaque_ = typed_;
  }

  void follow() {
    do {
      changed_ = false;
      for (Thread& thread : program_.threads) {
        for (const Instruction& instruction : thread.code) pass_on(thread, instruction.operation);
      }
    } while (changed_);
    for (std::size_t i = 0; i < opaque_.size(); ++i) program_.objects[i].is_opaque = opaque_[i];
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) find_uses(t);
    find_uses_of_observables();
    sort_uses();
  }

 private:
  static bool is_opaque(const Thread& thread, const Expr& expr) {
    if (expr.op == Op::Register) return thread.registers[expr.reg].is_opaque;
    return std::any_of(expr.arguments.begin(), expr.arguments.end(),
                       [&](const Expr& argument) { return is_opaque(thread, argument); });
  }

  /// Returns the object into which the address points, if the expression is a sum of constants and indices. Because an
  /// index is never an address, the sum has only one object.
  std::optional<ObjectId> object_of_address(const Expr& address) const {
    const std::optional<Value> constants = constant_part(address);
    if (!constants) return std::nullopt;
    const Value object = object_of(*constants);
    if (object < 0 || object >= static_cast<Value>(opaque_.size())) return std::nullopt;
    return static_cast<ObjectId>(object);
  }

  /// The language's type system separates memory of opaque types from other memory. An access of an opaque type reaches
  /// only memory of opaque types. An access of another type never reaches such memory.
  bool reaches_opaque(const MemoryAccess& access) const {
    if (access.is_opaque) return true;
    if (const std::optional<ObjectId> object = object_of_address(access.address)) return opaque_[*object];
    for (std::size_t i = 0; i < opaque_.size(); ++i) {
      if (opaque_[i] && !typed_[i] && program_.objects[i].type == access.type) return true;
    }
    return false;
  }

  void store_opaque(const MemoryAccess& access) {
    if (access.is_opaque) return;
    const std::optional<ObjectId> only = object_of_address(access.address);
    for (ObjectId i = 0; i < opaque_.size(); ++i) {
      const bool may_be = only ? i == *only : !typed_[i] && program_.objects[i].type == access.type;
      if (!may_be || opaque_[i]) continue;
      opaque_[i] = true;
      changed_ = true;
    }
  }

  void set(Thread& thread, RegisterId target, bool is_opaque) {
    if (!is_opaque || thread.registers[target].is_opaque) return;
    thread.registers[target].is_opaque = true;
    changed_ = true;
  }

  void pass_on(Thread& thread, const Operation& operation) {
    std::visit(Overloaded{[&](const Assign& assign) { set(thread, assign.target, is_opaque(thread, assign.value)); },
                          [&](const Load& load) { set(thread, load.target, reaches_opaque(load.access)); },
                          [&](const Store& store) {
                            if (is_opaque(thread, store.value)) store_opaque(store.access);
                          },
                          [&](const Rmw& rmw) {
                            if (is_opaque(thread, rmw.operand)) store_opaque(rmw.access);
                            if (rmw.target) set(thread, *rmw.target, reaches_opaque(rmw.access));
                          },
                          [&](const Barrier& barrier) {
                            if (barrier.exchange) pass_on(thread, barrier, *barrier.exchange);
                          },
                          [](const OneOf<Fence, ProxyFence, Branch, Jump, Assume, Assert, AsyncStep, TransactionBegin,
                                         TransactionEnd> auto&) {}},
               operation);
  }

  void pass_on(Thread& thread, const Barrier& barrier, const ValueExchange& exchange) {
    bool& gives_opaque = gives_opaque_[{barrier.kind, barrier.mask, exchange.function}];
    const bool is_given = is_opaque(thread, exchange.value) || is_opaque(thread, exchange.source);
    changed_ = changed_ || (is_given && !gives_opaque);
    gives_opaque = gives_opaque || is_given;
    set(thread, exchange.target, gives_opaque);
  }

  void find_uses(std::uint32_t number) {
    Thread& thread = program_.threads[number];
    drop_idle_branches(number);
    for (Instruction& instruction : thread.code) {
      if (MemoryAccess* access = access_of(instruction.operation)) access->is_opaque = reaches_opaque(*access);
      find_use(thread, instruction);
    }
  }

  /// If some branch depends on an opaque value, replaces each branch whose condition has no effect by a jump.
  void drop_idle_branches(std::uint32_t number) {
    Thread& thread = program_.threads[number];
    const auto is_open = [&](const Instruction& instruction) {
      const auto* branch = std::get_if<Branch>(&instruction.operation);
      return branch != nullptr && is_opaque(thread, branch->condition);
    };
    if (std::ranges::none_of(thread.code, is_open)) return;
    const std::vector<std::optional<std::size_t>> idle = idle_branches(program_, number);
    for (std::size_t i = 0; i < thread.code.size(); ++i) {
      if (idle[i]) thread.code[i].operation = Jump{*idle[i]};
    }
  }

  void find_use(const Thread& thread, Instruction& instruction) {
    using Kind = OpaqueUse::Kind;
    const auto note = [&](Kind kind, bool is_explored = false) {
      program_.opaque_uses.push_back({kind, instruction.span, is_explored});
    };
    if (const MemoryAccess* access = access_of(instruction.operation)) {
      if (is_opaque(thread, access->address)) note(Kind::Address);
    }
    std::visit(Overloaded{[&](Branch& branch) {
                            if (!is_opaque(thread, branch.condition)) return;
                            branch.takes_either_way = explore_branches_;
                            note(Kind::Branch, explore_branches_);
                          },
                          [&](Rmw& rmw) {
                            if (rmw.op != RmwOp::CompareExchange) return;
                            if (!rmw.access.is_opaque && !is_opaque(thread, rmw.compare)) return;
                            rmw.takes_either_way = explore_branches_;
                            note(Kind::Compare, explore_branches_);
                          },
                          [&](const OneOf<Assert, Assume> auto& claim) {
                            if (is_opaque(thread, claim.condition)) note(Kind::Assertion);
                          },
                          [&](const Barrier& barrier) {
                            const bool depends = (barrier.resource && is_opaque(thread, *barrier.resource)) ||
                                                 (barrier.count && is_opaque(thread, *barrier.count));
                            if (depends) note(Kind::Address);
                          },
                          [](const OneOf<Assign, Load, Store, Fence, ProxyFence, Jump, AsyncStep, TransactionBegin,
                                         TransactionEnd> auto&) {}},
               instruction.operation);
  }

  bool is_opaque(const Observable& observable) const {
    if (observable.kind == Observable::Kind::Register) {
      return program_.threads[observable.thread].registers[observable.reg].is_opaque;
    }
    return opaque_[program_.locations[observable.location].object];
  }

  bool observes_opaque(const Expr& expr) const {
    if (expr.op == Op::Register) return is_opaque(program_.observables[expr.reg]);
    return std::any_of(expr.arguments.begin(), expr.arguments.end(),
                       [&](const Expr& argument) { return observes_opaque(argument); });
  }

  void find_uses_of_observables() {
    Condition& condition = program_.condition;
    if (condition.proposition && observes_opaque(*condition.proposition)) {
      program_.opaque_uses.push_back({OpaqueUse::Kind::Condition, condition.span, false});
    }
    if (condition.filter && observes_opaque(*condition.filter)) {
      program_.opaque_uses.push_back({OpaqueUse::Kind::Filter, condition.span, false});
    }
  }

  void sort_uses() {
    const auto key = [](const OpaqueUse& use) { return std::tuple(use.span.line, use.span.column, use.kind); };
    std::vector<OpaqueUse>& uses = program_.opaque_uses;
    std::stable_sort(uses.begin(), uses.end(), [&](const OpaqueUse& a, const OpaqueUse& b) { return key(a) < key(b); });
    const auto last =
        std::unique(uses.begin(), uses.end(), [&](const OpaqueUse& a, const OpaqueUse& b) { return key(a) == key(b); });
    uses.erase(last, uses.end());
  }

  Program& program_;
  bool explore_branches_;
  bool changed_ = false;
  std::vector<bool> typed_;   ///< for each object, whether it has an opaque type
  std::vector<bool> opaque_;  ///< for each object, whether it may hold an opaque value
  /// Maps each pair of a barrier and an exchange function to true if some thread may contribute an opaque value.
  std::map<std::tuple<BarrierKind, std::uint32_t, ValueExchange::Function>, bool> gives_opaque_;
};

}  // namespace

std::optional<Value> constant_part(const Expr& address) {
  Value sum = 0;
  return add_constants(address, 1, sum) ? std::optional(sum) : std::nullopt;
}

bool has_opaque_values(const Program& program) {
  const auto is_opaque = [](const auto& thing) { return thing.is_opaque; };
  return std::any_of(program.objects.begin(), program.objects.end(), is_opaque) ||
         std::any_of(program.threads.begin(), program.threads.end(), [&](const Thread& thread) {
           return std::any_of(thread.registers.begin(), thread.registers.end(), is_opaque);
         });
}

void follow_opaque_values(Program& program, bool explore_branches) {
  if (has_opaque_values(program)) OpaqueFlow(program, explore_branches).follow();
}

Diagnostics opaque_objections(const Program& program) {
  if (program.opaque_uses.empty()) return {};
  const OpaqueUse& use = program.opaque_uses.front();
  return {{program.source, use.span,
           fmt::format("{} depends on a floating-point or other value that Ambit does not follow: the test cannot run",
                       to_string(use.kind)),
           "ambit check can answer: see --opaque-branches"}};
}

void hide_opaque_observables(Program& program) {
  if (program.condition.proposition || program.condition.filter) return;
  std::erase_if(program.observables, [&](const Observable& observable) {
    return observable.kind == Observable::Kind::Register
               ? program.threads[observable.thread].registers[observable.reg].is_opaque
               : program.objects[program.locations[observable.location].object].is_opaque;
  });
}

std::string_view to_string(OpaqueUse::Kind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"this branch",    "this address",  "this compare-and-swap",
                                                      "this assertion", "the condition", "the filter"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace ambit
