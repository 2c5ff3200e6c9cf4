#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scope.h"

namespace ambit::parser {

/// acquire, memory_order_acquire, cuda::memory_order_acquire, cuda::std::memory_order::acquire ... Weak is no order of
/// an operation; consume is refused as everywhere.
std::optional<Order> read_order(std::string_view word);
/// device, thread_scope_device, cuda::thread_scope_device.
std::optional<Scope> read_scope(std::string_view word);

/// "did you mean 'acquire'?" where a candidate is one edit away from `word`, else nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

/// "its registers are r0, r1"; nothing when there are none or too many to list.
std::string one_of(std::string_view what, const std::vector<std::string_view>& names);

inline constexpr std::string_view kOrderList = "relaxed, acquire, release, acq_rel, seq_cst";
inline constexpr std::string_view kScopeList = "thread, block, cluster, device, system";
const std::vector<std::string_view>& order_names();
const std::vector<std::string_view>& scope_names();

}  // namespace ambit::parser
