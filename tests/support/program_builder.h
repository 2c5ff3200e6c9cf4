#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/assert.h"
#include "core/program.h"

/// Builds core programs by hand, for unit tests that must not depend on the parser. Message passing:
///
///   ProgramBuilder p;
///   const Expr x = p.global("x"), flag = p.global("flag");
///   ThreadBuilder& p0 = p.thread("P0", {.block = 0});
///   p0.store(x, 1).fence(Order::SeqCst, Scope::Device).exchange(flag, 1);
///   ThreadBuilder& p1 = p.thread("P1", {.block = 1});
///   const RegisterId r0 = p1.load(flag, relaxed(Scope::Device));
///   p1.fence(Order::SeqCst, Scope::Device);
///   const RegisterId r1 = p1.load(x);
///   p.exists(p.observe(p1, r0) == 1 && p.observe(p1, r1) == 0);
///   std::shared_ptr<const Program> program = p.build();
///
/// Every instruction has its own span: the line is the thread number + 1, the column is the instruction number + 1.
namespace ambit::test {

/// How an access synchronises; plain by default.
struct AccessMode {
  Order order = Order::Weak;
  Scope scope = Scope::System;
  bool is_atomic = false;
  bool is_volatile = false;
  Proxy proxy = Proxy::Generic;
};
inline AccessMode weak() { return {}; }
inline AccessMode by(Proxy proxy) { return {.proxy = proxy}; }
inline AccessMode volatile_access() { return {Order::Relaxed, Scope::System, false, true}; }
inline AccessMode atomic(Order order, Scope scope) { return {order, scope, true, false}; }
inline AccessMode relaxed(Scope scope = Scope::Device) { return atomic(Order::Relaxed, scope); }
inline AccessMode acquire(Scope scope = Scope::Device) { return atomic(Order::Acquire, scope); }
inline AccessMode release(Scope scope = Scope::Device) { return atomic(Order::Release, scope); }
inline AccessMode seq_cst(Scope scope = Scope::Device) { return atomic(Order::SeqCst, scope); }

inline Expr binary(Op op, Expr a, Expr b, ScalarType type = kInt) {
  std::vector<Expr> arguments;
  arguments.push_back(std::move(a));
  arguments.push_back(std::move(b));
  return Expr::make(op, type, std::move(arguments));
}
inline Expr constant(Value value, ScalarType type = kInt) { return Expr::make_constant(value, type); }

// Operators for expressions of type int. The directive `using namespace ambit::test` makes them available.
inline Expr operator==(Expr a, Value b) { return binary(Op::Equal, std::move(a), constant(b)); }
inline Expr operator!=(Expr a, Value b) { return binary(Op::NotEqual, std::move(a), constant(b)); }
inline Expr operator<(Expr a, Value b) { return binary(Op::Less, std::move(a), constant(b)); }
inline Expr operator+(Expr a, Expr b) { return binary(Op::Add, std::move(a), std::move(b)); }
inline Expr operator+(Expr a, Value b) { return binary(Op::Add, std::move(a), constant(b)); }
inline Expr operator&&(Expr a, Expr b) { return binary(Op::LogicalAnd, std::move(a), std::move(b)); }
inline Expr operator||(Expr a, Expr b) { return binary(Op::LogicalOr, std::move(a), std::move(b)); }
inline Expr logical_not(Expr a) {
  std::vector<Expr> arguments;
  arguments.push_back(std::move(a));
  return Expr::make(Op::LogicalNot, kInt, std::move(arguments));
}

/// Returns the address of element `index` (an int expression) of the array whose first element is at `base`.
inline Expr element(Expr base, Expr index) {
  return binary(Op::Add, std::move(base), Expr::make_cast(std::move(index), kLongLong), kLongLong);
}

/// A position in a thread's code. A forward jump may use the label before place() sets the label's position.
using Label = std::size_t;

class ThreadBuilder {
 public:
  ThreadBuilder(std::uint32_t number, std::string name, ThreadPlace place) : number_(number) {
    thread_.name = std::move(name);
    thread_.place = place;
    thread_.span = {number + 1, 1, 1};
  }

  std::uint32_t number() const { return number_; }

  RegisterId declare(const std::string& name, ScalarType type = kInt) {
    thread_.registers.push_back({name, type});
    return static_cast<RegisterId>(thread_.registers.size() - 1);
  }
  /// Returns the value of a register.
  Expr value(RegisterId r) const { return Expr::make_register(r, thread_.registers[r].type); }

  ThreadBuilder& assign(RegisterId target, Expr value) { return add(Assign{target, std::move(value)}); }
  ThreadBuilder& assign(RegisterId target, Value value) {
    return assign(target, constant(value, thread_.registers[target].type));
  }

  ThreadBuilder& load_into(RegisterId target, Expr address, AccessMode mode = {}, ScalarType type = kInt) {
    return add(Load{target, access(std::move(address), mode, type)});
  }
  /// Adds a load into a new register. New registers are named "r0", "r1", ...
  RegisterId load(Expr address, AccessMode mode = {}, ScalarType type = kInt) {
    const RegisterId target = fresh(type);
    load_into(target, std::move(address), mode, type);
    return target;
  }

  ThreadBuilder& store(Expr address, Expr value, AccessMode mode = {}, LockRole lock = LockRole::None,
                       ScalarType type = kInt) {
    return add(Store{access(std::move(address), mode, type), std::move(value), lock});
  }
  ThreadBuilder& store(Expr address, Value value, AccessMode mode = {}, LockRole lock = LockRole::None,
                       ScalarType type = kInt) {
    return store(std::move(address), constant(value, type), mode, lock, type);
  }

  ThreadBuilder& rmw(std::optional<RegisterId> target, RmwOp op, Expr address, Expr operand,
                     AccessMode mode = relaxed(), LockRole lock = LockRole::None) {
    return add(Rmw{target, op, access(std::move(address), mode, kInt), std::move(operand), {}, false, lock});
  }
  ThreadBuilder& exchange(Expr address, Value operand, AccessMode mode = relaxed(), LockRole lock = LockRole::None) {
    return rmw(std::nullopt, RmwOp::Exchange, std::move(address), constant(operand), mode, lock);
  }
  /// Adds an RMW that puts the old value into a new register. Returns this register.
  RegisterId fetch(RmwOp op, Expr address, Value operand, AccessMode mode = relaxed()) {
    const RegisterId target = fresh(kInt);
    rmw(target, op, std::move(address), constant(operand), mode);
    return target;
  }
  ThreadBuilder& cas_into(RegisterId target, Expr address, Value compare, Value desired, AccessMode mode = relaxed(),
                          LockRole lock = LockRole::None) {
    return add(Rmw{target, RmwOp::CompareExchange, access(std::move(address), mode, kInt), constant(desired),
                   constant(compare), false, lock});
  }
  RegisterId cas(Expr address, Value compare, Value desired, AccessMode mode = relaxed()) {
    const RegisterId target = fresh(kInt);
    cas_into(target, std::move(address), compare, desired, mode);
    return target;
  }

  ThreadBuilder& fence(Order order = Order::SeqCst, Scope scope = Scope::Device) { return add(Fence{order, scope}); }
  ThreadBuilder& proxy_fence(Proxy proxy) { return add(ProxyFence{proxy, false}); }
  ThreadBuilder& alias_fence() { return add(ProxyFence{Proxy::Generic, true}); }
  ThreadBuilder& barrier(std::uint32_t id = 0) {
    Barrier barrier;
    barrier.id = id;
    return add(barrier);
  }
  ThreadBuilder& begin_transaction(Scope scope = Scope::Device) { return add(TransactionBegin{scope}); }
  ThreadBuilder& end_transaction(std::optional<Expr> aborted = std::nullopt) {
    return add(TransactionEnd{std::move(aborted)});
  }
  ThreadBuilder& assume(Expr condition) { return add(Assume{std::move(condition)}); }
  ThreadBuilder& check(Expr condition) { return add(Assert{std::move(condition)}); }

  /// Returns a new label at the next instruction, for backward jumps.
  Label here() {
    labels_.push_back(thread_.code.size());
    return labels_.size() - 1;
  }
  /// Returns a new label, whose position place() sets later.
  Label later() {
    labels_.push_back(0);
    return labels_.size() - 1;
  }
  ThreadBuilder& place(Label label) {
    labels_[label] = thread_.code.size();
    return *this;
  }
  ThreadBuilder& branch(Expr condition, Label target) { return add(Branch{std::move(condition), target}); }
  ThreadBuilder& jump(Label target) { return add(Jump{target}); }

  /// Adds `do r = rmw(...) while (r != wanted)`; returns the register r.
  RegisterId spin_rmw(RmwOp op, Expr address, Value operand, Value wanted, AccessMode mode = relaxed()) {
    const RegisterId r = fresh(kInt);
    const Label top = here();
    rmw(r, op, std::move(address), constant(operand), mode);
    branch(value(r) != wanted, top);
    return r;
  }
  /// Adds `do r = load(...) while (r != wanted)`; returns the register r.
  RegisterId spin_load(Expr address, Value wanted, AccessMode mode = relaxed()) {
    const RegisterId r = fresh(kInt);
    const Label top = here();
    load_into(r, std::move(address), mode);
    branch(value(r) != wanted, top);
    return r;
  }
  /// Adds `while (CAS(address, 0, 1) != 0) {}` and returns the register of the CAS.
  RegisterId spin_cas(Expr address, AccessMode mode = relaxed(), LockRole lock = LockRole::None) {
    const RegisterId r = fresh(kInt);
    const Label top = here();
    cas_into(r, std::move(address), 0, 1, mode, lock);
    branch(value(r) != 0, top);
    return r;
  }

  /// Adds any instruction. If the instruction jumps, its target is a label.
  ThreadBuilder& add(Operation operation) {
    const auto column = static_cast<std::uint32_t>(thread_.code.size() + 1);
    thread_.code.push_back({std::move(operation), {number_ + 1, column, 1}});
    return *this;
  }

  /// Returns the thread. Replaces each label in a jump by the position of the label.
  Thread finish() const {
    Thread done = thread_;
    for (Instruction& instruction : done.code) {
      if (auto* branch = std::get_if<Branch>(&instruction.operation)) branch->target = labels_[branch->target];
      if (auto* jump = std::get_if<Jump>(&instruction.operation)) jump->target = labels_[jump->target];
    }
    return done;
  }

 private:
  RegisterId fresh(ScalarType type) { return declare("r" + std::to_string(thread_.registers.size()), type); }
  static MemoryAccess access(Expr address, AccessMode mode, ScalarType type) {
    return {std::move(address), type, mode.order, mode.scope, mode.is_atomic, mode.is_volatile, false, mode.proxy};
  }

  std::uint32_t number_;
  Thread thread_;
  std::vector<std::size_t> labels_;
};

class ProgramBuilder {
 public:
  /// Declares a global int and returns its address.
  Expr global(const std::string& name, Value initial = 0) {
    return declare(name, 1, false, MemorySpace::Global, initial);
  }
  /// Declares global ints, in this order, and returns their addresses.
  template <typename... Names>
  std::array<Expr, sizeof...(Names)> globals(const Names&... names) {
    return {global(names)...};
  }
  /// Declares a global int array, all elements `initial`, and returns the address of element 0.
  Expr array(const std::string& name, std::uint32_t length, Value initial = 0) {
    return declare(name, length, true, MemorySpace::Global, initial);
  }
  /// Declares any object and returns the address of its element 0.
  Expr declare(const std::string& name, std::uint32_t length, bool is_array, MemorySpace space, Value initial,
               ScalarType type = kInt, bool is_initialized = true) {
    const auto object = static_cast<ObjectId>(program_.objects.size());
    const auto first = static_cast<LocationId>(program_.locations.size());
    program_.objects.push_back({name, type, space, length, is_array, is_initialized, first, {}});
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::string cell = is_array ? name + "[" + std::to_string(i) + "]" : name;
      program_.locations.push_back({cell, object, i, type, initial});
    }
    return constant(make_address(object, 0), kLongLong);
  }

  /// Declares another name for the object whose element 0 has address `of`. Returns the address of the new name.
  Expr alias(const std::string& name, const Expr& of) {
    const auto object = static_cast<ObjectId>(object_of(of.constant));
    MemoryObject described = program_.objects[object];
    described.name = name;
    described.alias_of = object;
    program_.objects.push_back(std::move(described));
    return constant(make_address(static_cast<ObjectId>(program_.objects.size() - 1), 0), kLongLong);
  }

  /// Adds a thread. The returned reference stays valid. The function does not check places: threads of one block that
  /// are in different warps need different `warp` numbers.
  ThreadBuilder& thread(const std::string& name, ThreadPlace place) {
    threads_.emplace_back(static_cast<std::uint32_t>(threads_.size()), name, place);
    return threads_.back();
  }
  /// Adds a block with this number of launched threads, including threads without events.
  void block(int gpu, int number, std::uint32_t threads) { program_.blocks.push_back({gpu, number, threads}); }

  /// Returns a register's final value, for a condition.
  Expr observe(const ThreadBuilder& thread, RegisterId r) {
    Observable observable;
    observable.kind = Observable::Kind::Register;
    observable.thread = thread.number();
    observable.reg = r;
    observable.name = "t" + std::to_string(thread.number()) + ":r" + std::to_string(r);
    return add(observable);
  }
  /// Returns a location's final value, for a condition.
  Expr observe(const Expr& address) {
    Observable observable;
    const auto location = program_.location_at(address.constant);
    AMBIT_ASSERT(location.has_value());
    observable.location = *location;
    observable.type = program_.locations[*location].type;
    observable.name = program_.locations[*location].name;
    return add(observable);
  }
  void exists(Expr proposition) { condition(Quantifier::Exists, std::move(proposition)); }
  void forall(Expr proposition) { condition(Quantifier::Forall, std::move(proposition)); }
  void filter(Expr filter) { program_.condition.filter = std::move(filter); }

  std::shared_ptr<const Program> build() const {
    Program done = program_;
    done.name = "test";
    for (const ThreadBuilder& thread : threads_) done.threads.push_back(thread.finish());
    return std::make_shared<const Program>(std::move(done));
  }

 private:
  Expr add(const Observable& observable) {
    program_.observables.push_back(observable);
    return Expr::make_register(static_cast<RegisterId>(program_.observables.size() - 1), observable.type);
  }
  void condition(Quantifier quantifier, Expr proposition) {
    program_.condition.quantifier = quantifier;
    program_.condition.proposition = std::move(proposition);
  }

  Program program_;
  std::deque<ThreadBuilder> threads_;
};

}  // namespace ambit::test
