#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/check/checking_options.h"
#include "base/source.h"
#include "synthesis/enumeration.h"

namespace ambit::api {

/// Part `index` (from 0) of `count` parts: the programs with 0-based number n where n % count == index.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
  bool holds(std::uint64_t number) const { return number % count == index; }
};
/// Reads a shard such as "2/8". The first of eight shards is "1/8". Returns nothing if the text is not a shard.
std::optional<Shard> read_shard(const std::string& text);

/// Selects programs by exactly one of the members cycle, name, random and bounds.
struct GenerationRequest {
  std::string cycle = {};  ///< cycle for synthesis::read_cycle
  std::string access = "rlx.gpu";
  std::string name = {};     ///< name of one program (synthesis::name_of)
  std::uint64_t random = 0;  ///< number of random programs
  std::uint64_t seed = 1;
  synthesis::Bounds bounds = {};
  std::string alphabet = "plain,relaxed";
  Shard shard = {};
  CheckingOptions checking = {};  ///< models for which each test gets an `expect` line
};

struct GeneratedTest {
  std::string name;
  std::string text;
};

/// Makes the tests and passes each test to `visit`, which returns false to stop. Returns the number of tests. Errors:
/// an invalid cycle, name or alphabet; an unknown model; a model without an answer.
Result<std::uint64_t> generate_tests(const GenerationRequest& request, const std::atomic<bool>& interrupted,
                                     const std::function<bool(const GeneratedTest&)>& visit);

/// Counts the programs within the bounds, without making texts or checking models. Errors: an invalid alphabet.
Result<std::uint64_t> count_programs(const GenerationRequest& request, const std::atomic<bool>& interrupted);

/// Estimates the seconds that one core needs to enumerate all programs within the bounds and to spend `seconds_each` on
/// each program. Errors: an invalid alphabet.
Result<double> estimated_seconds(const synthesis::Bounds& bounds, const std::string& alphabet, double seconds_each);

/// Returns a text such as "about 40 days" if the duration exceeds a day; otherwise nothing. Callers refuse bounds that
/// take over a day.
std::optional<std::string> takes_over_a_day(double seconds);

}  // namespace ambit::api
