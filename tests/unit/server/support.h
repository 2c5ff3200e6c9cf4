#pragma once

#include <functional>
#include <string>

namespace ambit::server {

/// A test of so many threads that write one location and read it twice; the condition names what each read.
std::string manifold(int threads);

/// Waits for it, two minutes at most: beside other work a copy that answers takes long (niceness 10).
bool comes_true(const std::function<bool()>& condition);

}  // namespace ambit::server
