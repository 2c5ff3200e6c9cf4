#pragma once

#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/source.h"

namespace ambit::parser::litmus {

/// Collects the errors of one file. An error that is reported again at the same place (a kernel is lowered once a
/// thread) counts once.
class Reporter {
 public:
  explicit Reporter(SourceFilePtr file) : file_(std::move(file)) {}

  void error(SourceSpan span, std::string message, std::string hint = {}) {
    if (!seen_.emplace(span.line, span.column, message).second) return;
    diagnostics_.push_back({file_, span, std::move(message), std::move(hint)});
  }
  bool has_errors() const { return !diagnostics_.empty(); }
  std::size_t count() const { return diagnostics_.size(); }
  const SourceFilePtr& file() const { return file_; }
  Diagnostics take() { return std::move(diagnostics_); }

 private:
  SourceFilePtr file_;
  Diagnostics diagnostics_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> seen_;
};

}  // namespace ambit::parser::litmus
