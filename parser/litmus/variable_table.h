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
    Register,   ///< variable whose value is in `reg`
    Alias,      ///< name of the value `alias`; code never assigns it
    Reference,  ///< name of `place`: a reference or a cuda::atomic_ref
    Array,      ///< array that consists of `elements`
    Struct,     ///< struct whose fields are `elements`
  };
  std::string_view name = {};
  Type type = {};
  Kind kind = Kind::Register;
  RegisterId reg = 0;
  std::optional<Value> known = {};  ///< current value of a Register, if known
  /// Set if an integer Register contains an address (Type::is_shared_address): the number of the address's type in
  /// VariableTable::kept_, counted from 1.
  std::uint32_t kept = 0;
  Expr alias = {};
  Place place = {};
  std::vector<Variable*> elements = {};
  Operand initial = {};                         ///< initial value of a Struct that is a parameter
  std::optional<LocalPointer> local = {};       ///< the target of an Alias that points to a variable
  std::shared_ptr<const Closure> closure = {};  ///< the lambda that an Alias names
  /// Whether a pointer may change the variable. If a pointer may change the variable, the value is never known.
  bool is_addressed = false;
  std::size_t array_length = 0;  ///< if an Alias names a __shared__ array, its length
  bool never_written = false;
  bool erroneous = false;  ///< whether the variable's declaration has a reported error
};

/// A lambda and its captures.
struct Closure {
  const LambdaNode* lambda = nullptr;
  std::optional<Place> self = {};  ///< the struct of the enclosing member function
  /// The scope that contains the lambda. The lambda sees a variable if the variable is visible in this scope and is
  /// among the first `variables` entries of the table.
  std::size_t scope = 0;
  std::size_t variables = 0;
  std::vector<Variable> copies = {};  ///< copies of variables that are captured by value
};

/// The variables of a thread: the visible names, and the known values at the current point of the code.
class VariableTable {
  struct Names {
    bool is_function = false;
    std::string prefix;
    std::map<std::string_view, std::size_t> by_name = {};
    const Closure* closure = nullptr;  ///< set for a lambda, in which outer variables are also visible
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

  /// Opens a scope. The scope closes when the returned object is destroyed.
  auto open_block() { return open({.prefix = scopes_.back().prefix}); }
  /// Opens the scope of a function. The scope hides the caller's variables. The names of the function's registers begin
  /// with `prefix`.
  auto open_function(std::string prefix) { return open({.is_function = true, .prefix = std::move(prefix)}); }
  /// Like open_function(), but for a lambda. The variables at the place of the lambda remain visible.
  auto open_lambda(std::string prefix, const Closure& closure) {
    return open({.is_function = true, .prefix = std::move(prefix), .closure = &closure});
  }
  /// Records the current scope as the place of the lambda.
  void enclose(Closure& closure) const {
    closure.scope = scopes_.size() - 1;
    closure.variables = variables_.size();
  }
  /// Returns an object whose destructor restores the current variables and their known values.
  auto checkpoint() {
    return AtExit([this, known = known_values()] { return_to(known); });
  }

  /// Adds a variable to the innermost scope. Error: the scope has a variable of this name.
  Variable& add(Variable variable, SourceSpan span);
  Variable& add_register(std::string_view name, const Type& type, SourceSpan span = {});
  /// Adds `array` with `length` elements. The elements are structs, or scalars in registers.
  Variable& add_array(Variable array, std::size_t length, MemoryTable& memory, SourceSpan span);
  /// Adds a variable of a struct type. If `name` is empty, code cannot name the variable.
  Variable& add_struct(std::string_view name, const Type& type, MemoryTable& memory, SourceSpan span);
  /// Adds a parameter that has a value or place. The initial value of a parameter of kind Register is
  /// `parameter.alias`.
  void add_parameter(Variable parameter, MemoryTable& memory);

  Variable* find(std::string_view name);
  /// Returns the visible names.
  std::vector<std::string_view> names() const;

  /// Assigns a value. Error: the value does not convert to the variable's type.
  void assign(Variable& variable, Operand value, SourceSpan span);
  Operand read(const Variable& variable, SourceSpan span);

  /// Keeps a register reserved after the end of its variable's scope, because an operation still writes the register.
  void keep_register(RegisterId reg) { kept_registers_.insert(reg); }

  KnownValues known_values() const;
  void restore(const KnownValues& values);
  /// Keeps a known value only if `other` has the same value for the variable.
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
  std::vector<Type> kept_;  ///< the types to which Variable::kept refers
  std::set<RegisterId> kept_registers_;
};

}  // namespace ambit::parser::litmus
