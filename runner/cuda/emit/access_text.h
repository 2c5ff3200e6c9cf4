#pragma once

#include <string>

#include "core/expr.h"

namespace ambit::cuda {

/// Operands of a memory instruction of inline assembly. C++ passes 16 bytes as two values of 64 bits; additional
/// instructions pack these values into registers of 128 bits and unpack the registers.
struct AccessText {
  std::string operands;
  std::string constraints;  ///< " : outputs : inputs"
  std::string before = {};
  std::string after = {};
};

/// The names of the variables that receive the value of a read.
struct ReadNames {
  std::string value;
  std::string upper = {};  ///< upper half of a value of 16 bytes; `value` is then the lower half
};

// `type` is the type of the cell; addresses and values are C++ expressions.

AccessText load_text(ScalarType type, const ReadNames& result, const std::string& pointer);
/// Returns the operands of a store or of `red`.
AccessText store_text(ScalarType type, const std::string& pointer, const std::string& value);
/// Returns the operands of an `atom` instruction that has an address and one more operand.
AccessText atomic_text(ScalarType type, const ReadNames& result, const std::string& pointer, const std::string& value);
AccessText compare_exchange_text(ScalarType type, const ReadNames& result, const std::string& pointer,
                                 const std::string& compare, const std::string& value);

}  // namespace ambit::cuda
