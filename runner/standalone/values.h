#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::standalone {

/// Returns the names of a thread's registers as C++ identifiers, indexed by RegisterId.
std::vector<std::string> identifiers(const Thread& thread);

/// Writes the values of a thread as C++ expressions that resemble the source. Arithmetic follows C++, and there are
/// casts only between different types.
class ValueWriter {
 public:
  /// The arguments must outlive this object.
  ValueWriter(const Program& program, const Thread& thread, const std::vector<std::string>& names)
      : program_(program), thread_(thread), names_(names) {}

  /// Returns the expression in its own type. Returns nothing if the expression has an operator that C++ lacks, or
  /// contains an address.
  std::optional<std::string> value(const Expr& expr) const;
  /// Returns a C++ condition that is true if the value is not 0. If `negated` is true, the condition is true if the
  /// value is 0.
  std::optional<std::string> condition(const Expr& expr, bool negated) const;
  /// Returns the memory cell at an address: "x", "data[r0 + 1]". Returns nothing if the object is not known.
  std::optional<std::string> cell(const Expr& address) const;
  /// Returns the object that contains an address. Returns nothing in the same cases as cell().
  std::optional<ObjectId> object(const Expr& address) const;

 private:
  std::optional<std::string> operand(const Expr& expr, std::size_t i) const;
  std::optional<std::string> binary(const Expr& expr) const;
  /// Returns a quotient or a remainder. Division by 0 gives -1, as in tests.
  static std::string division(const Expr& expr, const std::string& a, const std::string& b);

  const Program& program_;
  const Thread& thread_;
  const std::vector<std::string>& names_;
};

/// Returns the name of an object's variable without the block: "s" for "b0:s".
std::string variable_name(const MemoryObject& object);

}  // namespace ambit::standalone
