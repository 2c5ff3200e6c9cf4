#include "tests/support/programs.h"

#include "base/assert.h"

namespace ambit::eval::testing {

ProgramBuilder::ProgramBuilder(const std::vector<std::string>& locations) : program_(std::make_shared<Program>()) {
  program_->name = "test";
  program_->source = std::make_shared<SourceFile>();
  for (const std::string& name : locations) {
    const auto id = static_cast<std::uint32_t>(program_->locations.size());
    MemoryObject object;
    object.name = name;
    object.first = id;
    program_->objects.push_back(object);
    Location location;
    location.name = name;
    location.object = id;
    program_->locations.push_back(location);
  }
}

ProgramBuilder& ProgramBuilder::alias(const std::string& name, const std::string& of) {
  for (ObjectId id = 0; id < program_->objects.size(); ++id) {
    if (program_->objects[id].name != of) continue;
    MemoryObject object = program_->objects[id];
    object.name = name;
    object.alias_of = id;
    program_->objects.push_back(object);
    return *this;
  }
  AMBIT_ASSERT(false);
  return *this;
}

ProgramBuilder& ProgramBuilder::thread(int block) {
  const int number = static_cast<int>(program_->threads.size());
  Thread thread;
  thread.name = "P" + std::to_string(number);
  thread.place.block = block < 0 ? number : block;
  thread.place.cluster = thread.place.block;
  thread.place.warp = number;
  program_->threads.push_back(thread);
  return *this;
}

RegisterId ProgramBuilder::reg(const std::string& name) {
  auto& registers = program_->threads.back().registers;
  for (RegisterId r = 0; r < registers.size(); ++r) {
    if (registers[r].name == name) return r;
  }
  registers.push_back({name, kInt});
  return static_cast<RegisterId>(registers.size() - 1);
}

MemoryAccess ProgramBuilder::access(const std::string& location, Order order, Scope scope) const {
  for (ObjectId id = 0; id < program_->objects.size(); ++id) {
    const MemoryObject& candidate = program_->objects[id];
    if (candidate.name != location) continue;
    MemoryAccess result;
    result.address = Expr::make_constant(make_address(id, 0), kLongLong);
    result.type = candidate.type;
    result.order = order;
    result.scope = scope;
    result.is_atomic = order != Order::Weak;
    return result;
  }
  AMBIT_ASSERT(false);
  return {};
}

ProgramBuilder& ProgramBuilder::statement(Operation operation) {
  program_->threads.back().code.push_back({std::move(operation), {}});
  return *this;
}

ProgramBuilder& ProgramBuilder::store(const std::string& location, Value value, Order order, Scope scope) {
  return statement(Store{access(location, order, scope), Expr::make_constant(value), LockRole::None});
}

ProgramBuilder& ProgramBuilder::store_register(const std::string& location, const std::string& name, Value plus) {
  Expr value = Expr::make(Op::Add, kInt, {Expr::make_register(reg(name)), Expr::make_constant(plus)});
  return statement(Store{access(location, Order::Weak, Scope::System), std::move(value), LockRole::None});
}

ProgramBuilder& ProgramBuilder::load(const std::string& name, const std::string& location, Order order, Scope scope) {
  return statement(Load{reg(name), access(location, order, scope)});
}

ProgramBuilder& ProgramBuilder::rmw(const std::string& name, RmwOp op, const std::string& location, Value operand,
                                    Value compare) {
  Rmw result;
  result.target = reg(name);
  result.op = op;
  result.access = access(location, Order::Relaxed, Scope::Device);
  result.operand = Expr::make_constant(operand);
  result.compare = Expr::make_constant(compare);
  return statement(result);
}

ProgramBuilder& ProgramBuilder::fence(Order order, Scope scope) { return statement(Fence{order, scope}); }

ProgramBuilder& ProgramBuilder::if_equal(const std::string& name, Value value, std::size_t count) {
  Expr differs = Expr::make(Op::NotEqual, kInt, {Expr::make_register(reg(name)), Expr::make_constant(value)});
  return statement(Branch{std::move(differs), program_->threads.back().code.size() + 1 + count});
}

ProgramBuilder& ProgramBuilder::spin_until(const std::string& location, Value value) {
  const std::size_t start = program_->threads.back().code.size();
  load("%spin", location, Order::Relaxed);
  Expr differs = Expr::make(Op::NotEqual, kInt, {Expr::make_register(reg("%spin")), Expr::make_constant(value)});
  return statement(Branch{std::move(differs), start});
}

ProgramBuilder& ProgramBuilder::assume_equal(const std::string& name, Value value) {
  return statement(Assume{Expr::make(Op::Equal, kInt, {Expr::make_register(reg(name)), Expr::make_constant(value)})});
}

std::shared_ptr<Program> ProgramBuilder::program() const {
  auto result = std::make_shared<Program>(*program_);
  for (std::uint32_t t = 0; t < result->threads.size(); ++t) {
    for (RegisterId r = 0; r < result->threads[t].registers.size(); ++r) {
      if (result->threads[t].registers[r].name.starts_with("%")) continue;
      Observable observable;
      observable.kind = Observable::Kind::Register;
      observable.thread = t;
      observable.reg = r;
      observable.type = kInt;
      observable.name = result->threads[t].name + ":" + result->threads[t].registers[r].name;
      result->observables.push_back(observable);
    }
  }
  for (LocationId l = 0; l < result->locations.size(); ++l) {
    Observable observable;
    observable.location = l;
    observable.type = kInt;
    observable.name = result->locations[l].name;
    result->observables.push_back(observable);
  }
  return result;
}

events::EventGraph ProgramBuilder::graph(const events::GraphOptions& options) const {
  return events::build(program(), options).value();
}

Expr equal_all(const Program& program, const std::vector<std::pair<std::string, Value>>& wanted) {
  Expr result = Expr::make_constant(1);
  for (const auto& [name, value] : wanted) {
    for (std::uint32_t i = 0; i < program.observables.size(); ++i) {
      if (program.observables[i].name != name) continue;
      Expr equal = Expr::make(Op::Equal, kInt, {Expr::make_register(i), Expr::make_constant(value)});
      result = Expr::make(Op::LogicalAnd, kInt, {std::move(result), std::move(equal)});
    }
  }
  return result;
}

}  // namespace ambit::eval::testing
