#pragma once

#include <functional>
#include <string>

namespace ambit::server {

/// Returns a test in which this number of threads write one location and read it twice. The condition names each read.
std::string manifold(int threads);

/// Waits at most two minutes for the condition. The copies that compute answers are slow if the machine has other work
/// (niceness 10).
bool comes_true(const std::function<bool()>& condition);

}  // namespace ambit::server
