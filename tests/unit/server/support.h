#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ambit::server {

/// A test of so many threads that write one location and read it twice; the condition names what each read.
std::string manifold(int threads);

/// Processes that a process has started and not yet waited for.
std::vector<pid_t> children_of(pid_t process);
/// The process of which answers are copies (ForkServer): of this test's children the one that runs the program; -1:
/// none.
pid_t the_worker();

/// What a server on this machine answers to these bytes, until it closes the connection.
std::string exchange(int port, const std::string& bytes);

/// Waits for it, half a minute at most.
bool comes_true(const std::function<bool()>& condition);

}  // namespace ambit::server
