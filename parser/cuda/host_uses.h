#pragma once

#include <cstddef>
#include <optional>

#include "parser/cuda/host_function.h"
#include "parser/cuda/unit.h"

namespace ambit::parser::cuda {

/// A name that is an argument of a call, without the casts and brackets around it.
struct HostArgument {
  std::size_t callee = 0;  ///< index of the function's name, before its template arguments
  std::size_t open = 0;    ///< index of the bracket of the arguments
  std::size_t index = 0;   ///< number of the argument, from 0
  bool address = false;    ///< whether the argument is &name
  bool whole = true;       ///< whether the argument is the name itself, not an element or a field
};

/// Classifies the uses of a name in a host function. A use that matches no predicate here may change the variable.
class HostUses {
 public:
  HostUses(const HostFunction& function, const Unit& unit) : function_(function), unit_(unit) {}

  /// Returns whether the name is inside of sizeof, alignof or decltype.
  bool is_unevaluated(std::size_t at) const;
  /// Returns whether the use reads the name's value, an element or a field, and neither changes nor references it. If
  /// `array` is set, the name alone denotes memory, not a value.
  bool is_read(std::size_t at, bool array) const;
  /// Returns whether the statement sets the name, an element or a field to 0. If `array` is set, the name alone does
  /// not count.
  bool stores_zero(std::size_t at, bool array) const;
  /// Returns whether the name is compared with a null pointer or tested as a condition.
  bool is_null_test(std::size_t at) const;
  /// Returns the call that has the name at `at` as an argument.
  std::optional<HostArgument> argument(std::size_t at) const;
  /// Returns whether the callee is `name` or `std::name`.
  bool calls(const HostArgument& argument, std::string_view name) const;
  /// Returns whether this is an argument after the format of printf or a similar function.
  bool is_printed(const HostArgument& argument) const;

 private:
  /// An operand: the tokens begin .. end-1.
  struct Operand {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_name = true;  ///< whether it has no index, field or star
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
