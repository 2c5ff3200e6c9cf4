#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "parser/cuda/launch/device_code.h"
#include "parser/cuda/launch/host_function.h"
#include "parser/cuda/launch/host_uses.h"
#include "parser/cuda/syntax/host_type.h"
#include "parser/cuda/syntax/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// Hint for host code in which a size, an argument or the contents of memory are not constant.
inline constexpr std::string_view kLaunchForm =
    "give the launch: --launch 'kernel<<<2, 32>>>(data[64])', or // ambit: launch ...;";

Token made_token(TokenKind kind, std::string text, SourceSpan span);

/// The constant values that the variables of a host function have at the launch.
class HostValues {
 public:
  /// `end` is the index of the launch; later code is ignored.
  HostValues(const HostFunction& function, const HostUses& uses, std::size_t end, DeviceCode& device,
             Reporter& reporter)
      : function_(function), uses_(uses), end_(end), device_(device), reporter_(reporter) {}

  /// Replaces host variables by their values in `tokens`, which begin at index `at` of the function. Error: a variable
  /// is not constant.
  Tokens substitute(const Tokens& tokens, std::size_t at, int depth = 0);
  /// Like substitute(), but reports no errors. Returns an empty list if a variable is not constant.
  Tokens known(const Tokens& tokens, std::size_t at);
  /// Evaluates a size in bytes: the expression `tokens` at index `at`. Returns nothing if the value is not constant.
  /// Reports the errors of substitute().
  std::optional<std::int64_t> bytes(const Tokens& tokens, std::size_t at);
  /// Returns the initial values of a variable or array; nothing if the values at the launch may differ.
  std::optional<Tokens> contents(std::size_t declared);
  /// Returns the scalar or pointer type that `words` name; nothing for other types. `words` may name an alias of the
  /// file.
  std::optional<HostType> type(const Tokens& words);
  /// Returns whether an error was reported.
  bool failed() const { return failed_; }

 private:
  Tokens with_sizes(const Tokens& tokens);
  std::optional<Tokens> size_of_variable(const Tokens& tokens, std::size_t at, int depth);
  const std::optional<Tokens>& constant_value(std::size_t declared);
  std::optional<Tokens> initial_value(std::size_t declared) const;
  std::optional<Tokens> listed_values(std::size_t index) const;
  std::size_t put_size(const Tokens& tokens, std::size_t i, std::size_t at, int depth, Tokens& result);
  std::optional<Tokens> size_of_vector(const Tokens& tokens, std::size_t i, std::size_t at);
  std::optional<Tokens> value_of(const Token& use, std::size_t declared, int depth);
  std::optional<Tokens> converted(std::size_t declared, Tokens value);
  std::optional<std::size_t> change(std::size_t declared) const;
  void report(const Token& use, std::size_t declared);

  const HostFunction& function_;
  const HostUses& uses_;
  std::size_t end_;
  DeviceCode& device_;
  Reporter& reporter_;
  std::map<std::size_t, std::optional<Tokens>> constants_;
  std::size_t substitutions_ = 0;
  bool is_silent_ = false;
  bool failed_ = false;
};

}  // namespace ambit::parser::cuda
