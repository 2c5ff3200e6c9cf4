// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace AMBIT_NAMESPACE {

/// One error in the caller's input: its place, the message, and a hint on how to fix it.
struct AMBIT_API Problem {
  std::string file;     ///< the file name that the caller gave; empty if the error is not in a text
  unsigned line = 0;    ///< line of the error, 1-based; 0 if unknown
  unsigned column = 0;  ///< column of the error, 1-based, in characters; 0 if unknown
  std::string message;
  std::string hint;  ///< empty if there is no hint
  /// The complete error as Ambit prints it: `file:line:col: error: ...`, the source line, a caret, and the hint.
  std::string text;
};

/// An error that the caller caused: a malformed test, an unknown model, an unreadable file. The function what() returns
/// the text of all problems.
class AMBIT_API Error : public std::runtime_error {
 public:
  explicit Error(std::vector<Problem> problems);
  /// Returns one or more problems, ordered by place.
  const std::vector<Problem>& problems() const noexcept { return problems_; }

 private:
  std::vector<Problem> problems_;
};

}  // namespace AMBIT_NAMESPACE
