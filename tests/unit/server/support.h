#pragma once

#include <functional>
#include <string>

namespace ambit::server {

/// Returns a test in which `threads` threads each write one location and read it twice. The condition names each read.
std::string manifold(int threads);

/// Waits until the condition is true, but at most two minutes. If the machine has other work, the copies that compute
/// answers are slow (niceness 10).
bool comes_true(const std::function<bool()>& condition);

}  // namespace ambit::server
