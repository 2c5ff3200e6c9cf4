#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::standalone {

/// The names of a thread's registers as C++ identifiers, by RegisterId.
std::vector<std::string> identifiers(const Thread& thread);

/// Writes the values of a thread as C++ expressions in which a reader finds the source again: arithmetic as in C++,
/// casts only where types differ.
class ValueWriter {
 public:
  /// The arguments must outlive this.
  ValueWriter(const Program& program, const Thread& thread, const std::vector<std::string>& names)
      : program_(program), thread_(thread), names_(names) {}

  /// An expression of its type. Nothing: it has an operator that C++ does not have, or an address.
  std::optional<std::string> value(const Expr& expr) const;
  /// A C++ condition: true if the value is not 0, or (`negated`) if it is.
  std::optional<std::string> condition(const Expr& expr, bool negated) const;
  /// The memory cell at an address: "x", "data[r0 + 1]". Nothing: the address may be in any object.
  std::optional<std::string> cell(const Expr& address) const;
  /// The object of an address; nothing as for cell().
  std::optional<ObjectId> object(const Expr& address) const;

 private:
  std::optional<std::string> operand(const Expr& expr, std::size_t i) const;
  std::optional<std::string> binary(const Expr& expr) const;
  /// A quotient or a remainder; by 0 it is -1, as in tests.
  static std::string division(const Expr& expr, const std::string& a, const std::string& b);

  const Program& program_;
  const Thread& thread_;
  const std::vector<std::string>& names_;
};

/// The variable of an object without the block in front: "s" for "b0:s".
std::string variable_name(const MemoryObject& object);

}  // namespace ambit::standalone
