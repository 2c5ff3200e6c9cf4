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
    Register,   ///< is in `reg`
    Alias,      ///< another name of the value `alias`, never assigned
    Reference,  ///< another name of `place`; cuda::atomic_ref variables are references too
    Array,      ///< consists of `elements`
    Struct,     ///< consists of `elements`, one for each field
  };
  std::string_view name = {};
  Type type = {};
  Kind kind = Kind::Register;
  RegisterId reg = 0;
  std::optional<Value> known = {};  ///< Register: its value here, if it is known
  /// Register of an integer type: `known` is an address that code keeps as a number (Type::is_shared_address); the
  /// number of its type in the table, from 1 on.
  std::uint32_t kept = 0;
  Expr alias = {};
  Place place = {};
  std::vector<Variable*> elements = {};
  Operand initial = {};                         ///< Struct: of a parameter
  std::optional<LocalPointer> local = {};       ///< Alias: a pointer to a variable
  std::shared_ptr<const Closure> closure = {};  ///< Alias: a lambda
  bool is_addressed = false;                    ///< a pointer may change it, so its value is never known
  std::size_t array_length = 0;                 ///< Alias: of a __shared__ array, in elements
  bool never_written = false;
  bool erroneous = false;  ///< the error in its declaration has been reported
};

/// A lambda and its captures.
struct Closure {
  const LambdaNode* lambda = nullptr;
  std::optional<Place> self = {};  ///< the struct of the enclosing member function
  /// The place of the lambda: it sees the earlier variables of this scope and of the enclosing scopes.
  std::size_t scope = 0;
  std::size_t variables = 0;
  std::vector<Variable> copies = {};  ///< captured by value
};

/// The variables of a thread: the visible names, and the known values at the current point of the code.
class VariableTable {
  struct Names {
    bool is_function = false;
    std::string prefix;
    std::map<std::string_view, std::size_t> by_name = {};
    const Closure* closure = nullptr;  ///< lambda: the place whose variables it sees besides its own
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

  /// Opens a scope: names added to it are visible during the lifetime of the result.
  auto open_block() { return open({.prefix = scopes_.back().prefix}); }
  /// Opens the scope of a function, which hides the caller's variables. `prefix`: for the names of its registers.
  auto open_function(std::string prefix) { return open({.is_function = true, .prefix = std::move(prefix)}); }
  /// Like the function above, but for a lambda, which sees the variables of its place.
  auto open_lambda(std::string prefix, const Closure& closure) {
    return open({.is_function = true, .prefix = std::move(prefix), .closure = &closure});
  }
  /// Notes the current place as the lambda's.
  void enclose(Closure& closure) const {
    closure.scope = scopes_.size() - 1;
    closure.variables = variables_.size();
  }
  /// Restores the variables and their known values at the end of the result's lifetime.
  auto checkpoint() {
    return AtExit([this, known = known_values()] { return_to(known); });
  }

  /// Adds a variable to the innermost scope. Error: its name is already there.
  Variable& add(Variable variable, SourceSpan span);
  Variable& add_register(std::string_view name, const Type& type, SourceSpan span = {});
  /// Adds `array` with `length` elements, scalars in registers or structs.
  Variable& add_array(Variable array, std::size_t length, MemoryTable& memory, SourceSpan span);
  /// Adds a variable of a struct type. `name` may be empty: then no code can name it.
  Variable& add_struct(std::string_view name, const Type& type, MemoryTable& memory, SourceSpan span);
  /// Adds a parameter whose value or place is given. One of kind Register starts with the value `alias`.
  void add_parameter(Variable parameter, MemoryTable& memory);

  Variable* find(std::string_view name);
  /// Returns the visible names.
  std::vector<std::string_view> names() const;

  /// Assigns a value. Error: the value does not convert to the variable's type.
  void assign(Variable& variable, Operand value, SourceSpan span);
  Operand read(const Variable& variable, SourceSpan span);

  /// Keeps the register reserved after its variable is no longer visible, because an operation still writes it.
  void keep_register(RegisterId reg) { kept_registers_.insert(reg); }

  KnownValues known_values() const;
  void restore(const KnownValues& values);
  /// Keeps only the values that are the same in `other`.
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
  std::deque<Variable> variables_;  // stable addresses
  std::vector<Names> scopes_;
  std::map<std::string, RegisterId> named_registers_;
  std::vector<Type> kept_;  ///< Variable::kept
  std::set<RegisterId> kept_registers_;
};

}  // namespace ambit::parser::litmus
