#include "api/judge/task_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include "api/judge/array_numbers.h"

namespace ambit::api {
namespace {

using parser::LaunchedArray;
using suite::Fill;
using suite::TaskArray;
using Direction = TaskArray::Direction;

/// If all arrays together have more elements, they are too large for the models.
constexpr std::uint64_t kMostElements = 1024;

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators. OOPSLA 2014, figure 18). The C++
/// standard does not specify the algorithms of its distributions, so this class implements its own distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27U) * 0x94d049bb133111ebULL;
    return z ^ z >> 31U;
  }
  /// Returns a number from 0 up to, but not including, 1.
  double real() { return std::ldexp(static_cast<double>(next() >> 11U), -53); }
  /// Returns an integer from 0 to `most`.
  std::uint64_t integer(std::uint64_t most) { return most == ~std::uint64_t{0} ? next() : next() % (most + 1); }

 private:
  std::uint64_t state_;
};

bool is_filled(const TaskArray& array) {
  return array.direction == Direction::In || array.direction == Direction::InOut;
}

std::vector<std::uint8_t> contents_of_launch(const LaunchedArray& array) {
  std::vector<std::uint8_t> bytes(array.length * array.bytes);
  for (std::uint64_t i = 0; i < array.length; ++i) {
    const bool is_given = i < array.contents.size();
    if (!is_given && (!array.repeats || array.contents.empty())) break;
    const std::uint64_t bits = is_given ? array.contents[i] : array.contents.back();
    for (std::uint32_t byte = 0; byte < std::min(array.bytes, 8U); ++byte) {
      bytes[i * array.bytes + byte] = static_cast<std::uint8_t>(bits >> 8U * byte);
    }
  }
  return bytes;
}

std::vector<std::uint8_t> filled(const LaunchedArray& array, const Fill& fill, Random random) {
  if (fill.kind == Fill::Kind::OfLaunch) return contents_of_launch(array);
  const ArrayNumbers numbers(array);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(array.length * array.bytes);
  if (fill.kind == Fill::Kind::Permutation) {
    std::vector<std::uint64_t> order(array.length);
    for (std::uint64_t i = 0; i < array.length; ++i) {
      const std::uint64_t other = random.integer(i);  // Fisher and Yates
      order[i] = order[other];
      order[other] = i;
    }
    for (const std::uint64_t one : order) numbers.append(static_cast<double>(one), bytes);
    return bytes;
  }
  const double range = fill.high - fill.low;
  for (std::uint64_t i = 0; i < array.length; ++i) {
    const bool is_uniform = fill.kind == Fill::Kind::Uniform;
    const double step =
        is_uniform ? range * random.real() : static_cast<double>(random.integer(static_cast<std::uint64_t>(range)));
    numbers.append(fill.low + step, bytes);
  }
  return bytes;
}

std::optional<std::string> wrong_fill(const LaunchedArray& array, const Fill& fill) {
  const ArrayNumbers numbers(array);
  if (fill.kind == Fill::Kind::OfLaunch) return std::nullopt;
  if (fill.kind == Fill::Kind::Uniform && !numbers.is_floating()) {
    return "\"uniform\" fills only floating-point arrays; write \"integers\"";
  }
  const bool is_permutation = fill.kind == Fill::Kind::Permutation;
  const double low = is_permutation ? 0 : fill.low;
  const double high = is_permutation ? static_cast<double>(array.length - 1) : fill.high;
  if (numbers.holds(low) && numbers.holds(high)) return std::nullopt;
  return fmt::format("the elements of '{}' cannot hold the numbers from {} to {}", array.name, low, high);
}

/// Returns the position after `NAME[...]` in the text of a launch, if the text has this declaration.
std::optional<std::size_t> end_of_declaration(const std::string& text, const std::string& name) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t open = text.find_first_not_of(' ', at + name.size());
    if (open == std::string::npos || text[open] != '[' || (at > 0 && is_word(text[at - 1]))) continue;
    const std::size_t close = text.find(']', open);
    return close == std::string::npos ? std::nullopt : std::optional(close + 1);
  }
  return std::nullopt;
}

}  // namespace

Diagnostics check_arrays(const suite::TaskFile& task, const parser::ModuleLaunch& launch) {
  Diagnostics errors;
  for (const LaunchedArray& array : launch.arrays) {
    const auto described = task.arrays.find(array.name);
    if (described == task.arrays.end()) {
      errors.push_back(task.error_at("/arrays",
                                     array.name.empty()
                                         ? fmt::format("the array of argument {} has no name", array.argument + 1)
                                         : fmt::format("the array '{}' of the launch is missing here", array.name),
                                     "give each array of the launch a name and a direction"));
      continue;
    }
    const std::string path = "/arrays/" + array.name;
    const TaskArray& wanted = described->second;
    if (array.numbers == LaunchedArray::Numbers::Unknown && wanted.direction != Direction::Scratch) {
      errors.push_back(task.error_at(path, fmt::format("the launch gives no number type for '{}'", array.name),
                                     fmt::format("write the type in the launch: float {}[...]", array.name)));
      continue;
    }
    if (const auto wrong = wrong_fill(array, wanted.fill)) errors.push_back(task.error_at(path + "/fill", *wrong));
    if (!is_filled(wanted) && !array.contents.empty()) {
      errors.push_back(task.error_at(path, "an array with contents in the launch needs direction \"in\" or \"inout\""));
    }
  }
  for (const auto& [name, array] : task.arrays) {
    if (std::ranges::find(launch.arrays, name, &LaunchedArray::name) == launch.arrays.end()) {
      errors.push_back(task.error_at("/arrays/" + name, fmt::format("the launch has no array '{}'", name)));
    }
  }
  return errors;
}

std::vector<ArrayInput> inputs_of(const suite::TaskFile& task, const parser::ModuleLaunch& launch,
                                  std::uint64_t input) {
  std::vector<ArrayInput> inputs;
  for (const LaunchedArray& array : launch.arrays) {
    const TaskArray& wanted = task.arrays.at(array.name);
    if (!is_filled(wanted)) {
      inputs.push_back({ArrayInput::Kind::Unwritten, {}});
      continue;
    }
    // The seed depends on the array's name, so that a candidate's launch may order the arguments differently.
    std::uint64_t seed = Random(task.seed).next() + input;
    for (const char c : array.name) seed = Random(seed ^ static_cast<unsigned char>(c)).next();
    inputs.push_back({ArrayInput::Kind::Given, filled(array, wanted.fill, Random(seed))});
  }
  return inputs;
}

std::string launch_with_contents(const suite::TaskFile& task, const std::string& text,
                                 const parser::ModuleLaunch& launch, const std::vector<ArrayInput>& inputs) {
  std::string made = text;
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < launch.arrays.size(); ++i) {
    const LaunchedArray& array = launch.arrays[i];
    elements += array.length;
    const ArrayNumbers numbers(array);
    if (task.arrays.at(array.name).fill.kind == Fill::Kind::OfLaunch || numbers.is_floating()) continue;
    const auto end = end_of_declaration(made, array.name);
    if (!end || elements > kMostElements) return {};
    std::vector<std::string> values;
    for (std::uint64_t j = 0; j < array.length; ++j) values.push_back(numbers.text(inputs[i].bytes, j));
    made.insert(*end, fmt::format(" = {{{}}}", fmt::join(values, ", ")));
  }
  return elements > kMostElements ? std::string() : made;
}

}  // namespace ambit::api
