#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/server/served.h"

namespace ambit::serving {

/// Sends requests that the page never sends. Each kind of request is sent separately.
class Hostile {
 public:
  /// `tests` are the texts that attacks modify.
  Hostile(std::vector<std::string> tests, std::uint64_t seed) : tests_(std::move(tests)), random_(seed) {}

  /// Sends one request. Returns the error in the server's answer; empty if the answer is right.
  std::string attack(int port);
  /// Sends a check that never ends, which the server must stop.
  std::string send_endless(int port);

  /// The names of the kinds of requests, and the number of requests sent of each kind.
  static constexpr std::size_t kKinds = 14;
  static const std::array<std::string_view, kKinds>& names();
  const std::array<std::size_t, kKinds>& counts() const { return counts_; }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  std::string bytes(std::size_t count);
  std::string valid();
  std::string mutated(std::string text);

  std::string deep();
  std::string broken_utf8();
  std::string script();
  std::string endless();
  std::string traversal();
  std::string broken_head();
  std::string broken_body();
  std::string foreign();
  std::string cut(int port, bool reads);
  std::string pipelined(int port);
  std::string slow(int port);

  std::vector<std::string> tests_;
  std::mt19937_64 random_;
  std::array<std::size_t, kKinds> counts_{};
  std::deque<Connection> dripping_;  ///< connections with unfinished requests
};

}  // namespace ambit::serving
