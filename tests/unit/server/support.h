#pragma once

#include <functional>
#include <string>

namespace ambit::server {

/// Returns a test with this number of threads that write one location and read it twice; the condition names each read.
std::string manifold(int threads);

/// Waits at most two minutes for the condition, because the copies that compute answers are slow beside other work
/// (niceness 10).
bool comes_true(const std::function<bool()>& condition);

}  // namespace ambit::server
