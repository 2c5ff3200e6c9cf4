#pragma once

#include <cstddef>
#include <optional>

#include "parser/cuda/launch/host_function.h"
#include "parser/cuda/syntax/unit.h"

namespace ambit::parser::cuda {

/// An argument of a call that consists of a name, possibly with casts and brackets around the name.
struct HostArgument {
  std::size_t callee = 0;  ///< index of the called function's name
  std::size_t open = 0;    ///< index of the bracket that opens the argument list
  std::size_t index = 0;   ///< number of the argument, from 0
  bool address = false;    ///< whether the argument is &name
  bool whole = true;       ///< whether the argument is the name itself, not an element or a field
};

/// Classifies the uses of a name in a host function. If all predicates return false, the use may change the variable.
class HostUses {
 public:
  HostUses(const HostFunction& function, const Unit& unit) : function_(function), unit_(unit) {}

  /// Returns whether the name is inside of sizeof, alignof or decltype.
  bool is_unevaluated(std::size_t at) const;
  /// Returns whether the use only reads the variable, an element or a field. A read neither changes the variable nor
  /// makes a reference. If `array` is set, a use of the name without an index or field is not a read.
  bool is_read(std::size_t at, bool array) const;
  /// Returns whether the statement sets the variable, an element or a field to 0. If `array` is set, the statement must
  /// set an element or a field.
  bool stores_zero(std::size_t at, bool array) const;
  /// Returns whether the name is compared with a null pointer or tested as a condition.
  bool is_null_test(std::size_t at) const;
  /// Returns the call that has the name at `at` as an argument.
  std::optional<HostArgument> argument(std::size_t at) const;
  /// Returns whether the callee is `name` or `std::name`.
  bool calls(const HostArgument& argument, std::string_view name) const;
  /// Returns whether the argument follows the format argument of printf or a similar function.
  bool is_printed(const HostArgument& argument) const;

 private:
  /// An operand: the tokens begin .. end-1.
  struct Operand {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_name = true;  ///< whether the operand is the name without an index, field or star
  };
  const Token& at(std::size_t index) const { return function_.at(index); }
  Operand operand(std::size_t at) const;
  std::size_t before_casts(std::size_t begin, std::size_t& end) const;
  bool is_operand_end(std::size_t index) const;
  bool is_group(std::size_t open) const;
  bool is_cast(std::size_t close) const;
  bool may_be_cast(std::size_t close) const;
  bool has_reference(std::size_t begin, std::size_t end) const;
  bool is_copied(const Operand& operand) const;
  bool copies_into_declared(std::size_t open) const;
  bool is_part_of_list(const Operand& operand) const;
  bool takes_value(const HostArgument& argument) const;
  bool function_takes_value(const HostArgument& argument) const;
  std::optional<std::size_t> callee(std::size_t open) const;

  const HostFunction& function_;
  const Unit& unit_;
};

}  // namespace ambit::parser::cuda
