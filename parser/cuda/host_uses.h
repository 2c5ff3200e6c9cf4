#pragma once

#include <cstddef>
#include <optional>

#include "parser/cuda/host_function.h"
#include "parser/cuda/unit.h"

namespace ambit::parser::cuda {

/// A name that is an argument of a call, casts and brackets around it taken off.
struct HostArgument {
  std::size_t callee = 0;  ///< index of the function's name, in front of its template arguments
  std::size_t open = 0;    ///< of the bracket of the arguments
  std::size_t index = 0;   ///< the first is 0
  bool address = false;    ///< &name
  bool whole = true;       ///< the name itself, not an element or a field
};

/// What the mentions of a name in a host function do, as far as that is understood: what is not listed here may change
/// the variable.
class HostUses {
 public:
  HostUses(const HostFunction& function, const Unit& unit) : function_(function), unit_(unit) {}

  /// Inside sizeof, alignof or decltype: not evaluated.
  bool is_unevaluated(std::size_t at) const;
  /// The value of the name at `at`, or of an element or field of it, is used, and neither changed nor referred to.
  /// `array`: the name alone is memory, not a value.
  bool is_read(std::size_t at, bool array) const;
  /// A statement that sets the name, an element or a field of it to 0; of an `array` not the name alone.
  bool stores_zero(std::size_t at, bool array) const;
  /// Compared with a null pointer, or tested as a condition.
  bool is_null_test(std::size_t at) const;
  /// The call that the name at `at` is an argument of.
  std::optional<HostArgument> argument(std::size_t at) const;
  /// The callee is `name`, perhaps of std::.
  bool calls(const HostArgument& argument, std::string_view name) const;
  /// printf and its like, behind the format.
  bool is_printed(const HostArgument& argument) const;

 private:
  /// The tokens begin .. end-1.
  struct Operand {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_name = true;  ///< without index, field or star
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
