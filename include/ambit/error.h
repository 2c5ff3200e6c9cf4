// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace AMBIT_NAMESPACE {

/// One error in the caller's input: its place, the message, and a hint on how to fix it.
struct AMBIT_API Problem {
  std::string file;     ///< as the caller named it; empty: the error has no place in a text
  unsigned line = 0;    ///< from 1; 0: unknown
  unsigned column = 0;  ///< from 1, in characters; 0: unknown
  std::string message;
  std::string hint;  ///< empty: none
  std::string text;  ///< all of it as the program prints it: `file:line:col: error: ...`, the line, a caret, the hint
};

/// An error that the caller caused: a malformed test, an unknown model, a file that cannot be read. what() is the text
/// of all problems.
class AMBIT_API Error : public std::runtime_error {
 public:
  explicit Error(std::vector<Problem> problems);
  /// Returns at least one problem, ordered by place.
  const std::vector<Problem>& problems() const noexcept { return problems_; }

 private:
  std::vector<Problem> problems_;
};

}  // namespace AMBIT_NAMESPACE
