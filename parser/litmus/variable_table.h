#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>

#include "parser/litmus/code_builder.h"
#include "parser/litmus/function_table.h"
#include "parser/litmus/operand.h"
#include "parser/text/memory_table.h"
#include "parser/text/reporter.h"

namespace ambit::parser::litmus {

/// A variable of a thread.
struct Variable {
  enum class Kind : std::uint8_t {
    Register,   ///< its value is in `reg`
    Alias,      ///< another name of the value `alias`, never assigned
    Reference,  ///< another name of `place`; also cuda::atomic_ref
    Array,      ///< array that consists of `elements`
    Struct,     ///< struct whose fields are `elements`
  };
  std::string_view name = {};
  Type type = {};
  Kind kind = Kind::Register;
  RegisterId reg = 0;
  std::optional<Value> known = {};  ///< current value of a Register, if known
  /// For a Register of an integer type whose value `known` is an address (Type::is_shared_address): the number of the
  /// address's type in the table, from 1.
  std::uint32_t kept = 0;
  Expr alias = {};
  Place place = {};
  std::vector<Variable*> elements = {};
  Operand initial = {};                         ///< initial value of a Struct that is a parameter
  std::optional<LocalPointer> local = {};       ///< the target of an Alias that points to a variable
  std::shared_ptr<const Closure> closure = {};  ///< the lambda of an Alias
  /// whether a pointer may change the variable, so that its value is never known
  bool is_addressed = false;
  std::size_t array_length = 0;  ///< number of elements of an Alias for a __shared__ array
  bool never_written = false;
  bool erroneous = false;  ///< the error in its declaration has been reported
};

/// A lambda and its captures.
struct Closure {
  const LambdaNode* lambda = nullptr;
  std::optional<Place> self = {};  ///< the struct of the enclosing member function
  /// The scope that contains the lambda. The lambda sees the variables that the scope has so far, and the variables of
  /// the enclosing scopes.
  std::size_t scope = 0;
  std::size_t variables = 0;
  std::vector<Variable> copies = {};  ///< copies of the variables that are captured by value
};

/// The variables of a thread: the visible names, and the known values at the current point of the code.
class VariableTable {
  struct Names {
    bool is_function = false;
    std::string prefix;
    std::map<std::string_view, std::size_t> by_name = {};
    const Closure* closure = nullptr;  ///< set for a lambda: the place whose variables are visible, too
  };
  auto open(Names names) {
    scopes_.push_back(std::move(names));
    return AtExit([this] { scopes_.pop_back(); });
  }

 public:
  struct Known {
    std::optional<Value> value;
    std::uint32_t kept = 0;
    friend bool operator==(const Known&, const Known&) = default;
  };
  using KnownValues = std::vector<Known>;

  VariableTable(CodeBuilder& code, Reporter& reporter) : code_(code), reporter_(reporter) {}

  /// Opens a scope. Names in it are visible until the result is destroyed.
  auto open_block() { return open({.prefix = scopes_.back().prefix}); }
  /// Opens a function's scope, which hides the caller's variables. `prefix` precedes the names of its registers.
  auto open_function(std::string prefix) { return open({.is_function = true, .prefix = std::move(prefix)}); }
  /// Like open_function(), but for a lambda, which sees the variables at its place.
  auto open_lambda(std::string prefix, const Closure& closure) {
    return open({.is_function = true, .prefix = std::move(prefix), .closure = &closure});
  }
  /// Sets the lambda's place to the current place.
  void enclose(Closure& closure) const {
    closure.scope = scopes_.size() - 1;
    closure.variables = variables_.size();
  }
  /// When the result is destroyed, restores the variables and their known values.
  auto checkpoint() {
    return AtExit([this, known = known_values()] { return_to(known); });
  }

  /// Adds a variable to the innermost scope. Error: the scope has a variable of this name.
  Variable& add(Variable variable, SourceSpan span);
  Variable& add_register(std::string_view name, const Type& type, SourceSpan span = {});
  /// Adds `array` with `length` elements, which are scalars in registers or structs.
  Variable& add_array(Variable array, std::size_t length, MemoryTable& memory, SourceSpan span);
  /// Adds a variable of a struct type. If `name` is empty, code cannot name it.
  Variable& add_struct(std::string_view name, const Type& type, MemoryTable& memory, SourceSpan span);
  /// Adds a parameter whose value or place is given. A parameter of kind Register starts with the value `alias`.
  void add_parameter(Variable parameter, MemoryTable& memory);

  Variable* find(std::string_view name);
  /// Returns the visible names.
  std::vector<std::string_view> names() const;

  /// Assigns a value. Error: the value does not convert to the variable's type.
  void assign(Variable& variable, Operand value, SourceSpan span);
  Operand read(const Variable& variable, SourceSpan span);

  /// Keeps the register reserved after its variable is no longer visible, because an operation still writes the
  /// register.
  void keep_register(RegisterId reg) { kept_registers_.insert(reg); }

  KnownValues known_values() const;
  void restore(const KnownValues& values);
  /// Keeps only the known values that are equal in `other`.
  void merge(const KnownValues& other);
  void forget(const NameSet& names);

 private:
  RegisterId named_register(const std::string& name, const Type& type);
  Variable& make_struct(const std::string& name, const Type& type, MemoryTable& memory);
  Variable& make_array(const std::string& name, const Type& type, std::size_t length, MemoryTable& memory);
  Variable& make_element(const std::string& path, const Type& type, MemoryTable& memory);
  void set_elements(Variable& variable, const std::vector<Operand>& values, std::size_t& next, SourceSpan span);
  void read_elements(const Variable& variable, SourceSpan span, std::vector<Operand>& values);
  static bool holds(const Variable& variable, RegisterId reg);
  bool is_live(RegisterId reg) const;
  void return_to(const KnownValues& known);
  std::uint32_t number_of(const Type& kept);

  CodeBuilder& code_;
  Reporter& reporter_;
  std::deque<Variable> variables_;  // a deque, because addresses must not change
  std::vector<Names> scopes_;
  std::map<std::string, RegisterId> named_registers_;
  std::vector<Type> kept_;  ///< the types that Variable::kept numbers
  std::set<RegisterId> kept_registers_;
};

}  // namespace ambit::parser::litmus
