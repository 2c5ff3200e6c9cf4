#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "parser/cuda_token.h"
#include "parser/litmus_reporter.h"

namespace ambit::parser::cuda {

/// What helps where the host code does not say what is launched.
inline constexpr std::string_view kLaunchForm =
    "give the launch: --launch 'kernel<<<2, 33>>>(data[1])', or // ambit: launch ...;";

Token made_token(TokenKind kind, std::string text, SourceSpan span);
/// += and its like.
bool is_compound_assignment(const Token& token);

/// The variables of a host function, and which of them are constant, as far as its words tell.
class HostValues {
 public:
  /// `end`: index of the launch; what stands behind it does not matter.
  HostValues(const Tokens& code, std::size_t end, litmus::Reporter& reporter)
      : code_(code), end_(end), reporter_(reporter) {}

  /// Index of the name where the function declares a variable before the launch.
  std::optional<std::size_t> variable(std::string_view name) const;
  /// `tokens` with the values of host variables put in. Errors: one that is not constant.
  Tokens substitute(const Tokens& tokens, int depth = 0);
  /// A host variable that occurs in copies only from its declaration to the launch.
  bool unchanged(std::size_t declared, const std::string& name) const;
  /// Something was reported.
  bool failed() const { return failed_; }

 private:
  std::optional<Tokens> size_of_variable(const Tokens& tokens, int depth);
  Tokens type_of(std::size_t declared) const;
  std::size_t statement_begin(std::size_t at) const;
  bool only_type_before(std::size_t at) const;
  bool in_declaration(std::size_t at) const;
  std::optional<Tokens> constant_value(std::size_t declared) const;

  const Tokens& code_;
  std::size_t end_;
  litmus::Reporter& reporter_;
  std::size_t substitutions_ = 0;
  bool failed_ = false;
};

}  // namespace ambit::parser::cuda
