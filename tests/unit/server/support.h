#pragma once

#include <functional>
#include <string>

namespace ambit::server {

/// A test of so many threads that write one location and read it twice; the condition names what each read.
std::string manifold(int threads);

/// Waits for it, half a minute at most.
bool comes_true(const std::function<bool()>& condition);

}  // namespace ambit::server
