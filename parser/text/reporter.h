#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/source.h"

namespace ambit::parser {

/// Collects the errors of one file. Keeps equal errors at the same place once. Equal errors are frequent, because a
/// kernel is lowered for each thread.
class Reporter {
 public:
  explicit Reporter(SourceFilePtr file) : file_(std::move(file)) {}

  void error(SourceSpan span, std::string message, std::string hint = {});
  /// Reports a syntax error. Later errors in the line of a syntax error are not reported, because they may be
  /// consequences of the syntax error.
  void syntax_error(SourceSpan span, std::string message, std::string hint = {});
  /// Adds a remark about correct text.
  void remark(SourceSpan span, std::string message, std::string hint = {});
  /// Records that an error prevented the declaration of `name`. Later errors at places that contain the name are not
  /// reported, because the first error causes them. Precondition: the first error has been reported.
  void taint(std::string_view name) { tainted_.emplace(name); }
  /// Calls a function for the place and the hint of each reported error; the function may change the hint.
  void edit_hints(const std::function<void(const SourceSpan& span, std::string& hint)>& edit) {
    for (Diagnostic& one : diagnostics_) edit(one.span, one.hint);
  }
  Diagnostics take_remarks() { return std::move(remarks_); }
  /// Adds a second text, the value of a command-line option. The lines of the second text are numbered from
  /// `first_line`.
  void add_file(SourceFilePtr file, std::uint32_t first_line) {
    second_ = std::move(file);
    second_first_line_ = first_line;
  }
  bool has_errors() const { return !diagnostics_.empty(); }
  /// Returns the number of errors, including consequences that were not reported.
  std::size_t count() const { return diagnostics_.size() + consequences_; }
  const SourceFilePtr& file() const { return file_; }
  Diagnostics take() { return std::move(diagnostics_); }

 private:
  bool is_consequence(SourceSpan span) const;
  void add(SourceSpan span, std::string message, std::string hint);

  SourceFilePtr file_;
  SourceFilePtr second_;
  std::uint32_t second_first_line_ = 0;
  Diagnostics diagnostics_;
  Diagnostics remarks_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> seen_;
  std::set<std::string, std::less<>> tainted_;
  std::set<std::uint32_t> damaged_lines_;
  std::size_t consequences_ = 0;
};

}  // namespace ambit::parser
