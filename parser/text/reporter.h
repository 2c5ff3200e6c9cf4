#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/source.h"

namespace ambit::parser {

/// Collects the errors of one file. The same error at the same place counts once: a kernel is lowered once per thread.
class Reporter {
 public:
  explicit Reporter(SourceFilePtr file) : file_(std::move(file)) {}

  void error(SourceSpan span, std::string message, std::string hint = {}) {
    if (!seen_.emplace(span.line, span.column, message).second) return;
    SourceFilePtr file = file_;
    if (second_ != nullptr && span.line >= second_first_line_) {
      file = second_;
      span.line -= second_first_line_ - 1;
    }
    diagnostics_.push_back({std::move(file), span, std::move(message), std::move(hint)});
  }
  /// Lines from `first_line` on belong to another text, an option of the command line.
  void add_file(SourceFilePtr file, std::uint32_t first_line) {
    second_ = std::move(file);
    second_first_line_ = first_line;
  }
  bool has_errors() const { return !diagnostics_.empty(); }
  std::size_t count() const { return diagnostics_.size(); }
  const SourceFilePtr& file() const { return file_; }
  Diagnostics take() { return std::move(diagnostics_); }

 private:
  SourceFilePtr file_;
  SourceFilePtr second_;
  std::uint32_t second_first_line_ = 0;
  Diagnostics diagnostics_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> seen_;
};

}  // namespace ambit::parser
