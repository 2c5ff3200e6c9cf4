#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "parser/cuda/device_code.h"
#include "parser/cuda/host_function.h"
#include "parser/cuda/host_type.h"
#include "parser/cuda/host_uses.h"
#include "parser/cuda/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// What helps where the host code does not say what is launched.
inline constexpr std::string_view kLaunchForm =
    "give the launch: --launch 'kernel<<<2, 33>>>(data[1])', or // ambit: launch ...;";

Token made_token(TokenKind kind, std::string text, SourceSpan span);

/// The values that the variables of a host function have at its launch, where they are constant.
class HostValues {
 public:
  /// `end`: index of the launch; what stands behind it does not matter.
  HostValues(const HostFunction& function, const HostUses& uses, std::size_t end, DeviceCode& device,
             Reporter& reporter)
      : function_(function), uses_(uses), end_(end), device_(device), reporter_(reporter) {}

  /// `tokens`, which stand at index `at` of the function, with the values of host variables put in. Errors: one that is
  /// not constant.
  Tokens substitute(const Tokens& tokens, std::size_t at, int depth = 0);
  /// The number of bytes that `tokens` at index `at` stand for; nothing when that is no number. Errors: as above.
  std::optional<std::int64_t> bytes(const Tokens& tokens, std::size_t at);
  /// The values that a variable or an array is initialised with and still has at the launch; nothing when it may have
  /// others.
  std::optional<Tokens> contents(std::size_t declared);
  /// The scalar or pointer type that these words name in this file; nothing when it is none.
  std::optional<HostType> type(const Tokens& words);
  /// Something was reported.
  bool failed() const { return failed_; }

 private:
  Tokens with_sizes(const Tokens& tokens);
  std::optional<Tokens> size_of_variable(const Tokens& tokens, std::size_t at, int depth);
  const std::optional<Tokens>& constant_value(std::size_t declared);
  std::optional<Tokens> initial_value(std::size_t declared) const;
  std::optional<Tokens> listed_values(std::size_t index) const;
  std::size_t put_size(const Tokens& tokens, std::size_t i, std::size_t at, int depth, Tokens& result);
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
  bool failed_ = false;
};

}  // namespace ambit::parser::cuda
