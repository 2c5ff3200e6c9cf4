#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scope.h"

namespace ambit::parser {

/// Reads a memory order: acquire, memory_order_acquire, cuda::memory_order_acquire, cuda::std::memory_order::acquire
/// and so on. Returns nothing for `weak`, which is not an order of atomic operations, and for `consume`, which Ambit
/// does not support.
std::optional<Order> read_order(std::string_view word);
/// Reads a scope: device, thread_scope_device, cuda::thread_scope_device and so on, or PTX's word (cta, gpu, sys),
/// which has no prefix.
std::optional<Scope> read_scope(std::string_view word);

/// Returns "did you mean 'acquire'?" if a candidate is similar to `word`, otherwise `fallback`.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates,
                         std::string fallback = {});

/// Returns a hint such as "its registers are r0, r1"; an empty string if `names` is empty or too long for a hint.
std::string one_of(std::string_view what, const std::vector<std::string_view>& names);

inline constexpr std::string_view kOrderList = "relaxed, acquire, release, acq_rel, seq_cst";
inline constexpr std::string_view kScopeList = "thread, block (or cta), cluster, device (gpu), system (sys)";
const std::vector<std::string_view>& order_names();
const std::vector<std::string_view>& scope_names();

}  // namespace ambit::parser
