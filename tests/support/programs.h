#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/program.h"
#include "model/events/event_graph.h"
#include "model/events/execution.h"

namespace ambit::eval::testing {

/// Builds programs by hand, with one call for each statement, so that these tests do not depend on the parser.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(const std::vector<std::string>& locations);

  /// Declares another name of a location.
  ProgramBuilder& alias(const std::string& name, const std::string& of);
  /// Starts a new thread. The next statements belong to this thread. By default, the thread is alone in its block.
  ProgramBuilder& thread(int block = -1);
  /// Adds the statement location := value or location := register + value.
  ProgramBuilder& store(const std::string& location, Value value, Order order = Order::Weak,
                        Scope scope = Scope::System);
  ProgramBuilder& store_register(const std::string& location, const std::string& reg, Value plus = 0);
  ProgramBuilder& load(const std::string& reg, const std::string& location, Order order = Order::Weak,
                       Scope scope = Scope::System);
  ProgramBuilder& rmw(const std::string& reg, RmwOp op, const std::string& location, Value operand, Value compare = 0);
  ProgramBuilder& fence(Order order = Order::SeqCst, Scope scope = Scope::Device);
  /// Executes the next `count` statements only if reg == value.
  ProgramBuilder& if_equal(const std::string& reg, Value value, std::size_t count);
  /// while (location != value) {}
  ProgramBuilder& spin_until(const std::string& location, Value value);
  ProgramBuilder& assume_equal(const std::string& reg, Value value);
  ProgramBuilder& statement(Operation operation);

  /// Returns the program. Every register and every location is observed.
  std::shared_ptr<Program> program() const;
  events::EventGraph graph(const events::GraphOptions& options = {}) const;

  RegisterId reg(const std::string& name);

 private:
  MemoryAccess access(const std::string& location, Order order, Scope scope) const;

  std::shared_ptr<Program> program_;
};

/// Returns an expression that is 1 iff all named observables have the given values: {{"P1:r0", 1}, {"x", 2}}.
Expr equal_all(const Program& program, const std::vector<std::pair<std::string, Value>>& wanted);

}  // namespace ambit::eval::testing
