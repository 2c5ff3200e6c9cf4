#include "api/check/launch_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>

#include "base/trimmed.h"
#include "parser/kernel_text.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

/// Numbers of blocks or threads in three dimensions.
using Sizes = std::array<std::uint64_t, 3>;

std::uint64_t product(const Sizes& sizes) { return sizes[0] * sizes[1] * sizes[2]; }

/// Splits a text at each comma outside brackets.
std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    parts.emplace_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

/// Reads `4`, `dim3(4, 2)` or `(4, 2, 1)`. Returns nothing if a size is not a number.
std::optional<Sizes> read_sizes(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("dim3")) text = trimmed(text.substr(4));
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  const std::vector<std::string> parts = split_at_commas(text);
  if (parts.size() > 3) return std::nullopt;
  Sizes sizes = {1, 1, 1};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), sizes[i]);
    if (error != std::errc() || end != part.data() + part.size() || sizes[i] == 0) return std::nullopt;
  }
  return sizes;
}

std::string text_of(const Sizes& sizes) {
  if (sizes[1] == 1 && sizes[2] == 1) return fmt::format("{}", sizes[0]);
  return fmt::format("dim3({}, {}, {})", sizes[0], sizes[1], sizes[2]);
}

Sizes at_most(const Sizes& sizes, const Sizes& most) {
  return {std::min(sizes[0], most[0]), std::min(sizes[1], most[1]), std::min(sizes[2], most[2])};
}

/// Returns the launches in comments such as `// ambit: launch k<<<...>>>(...);`, without the semicolon.
std::vector<std::string> launches_of_comments(std::string_view text) {
  constexpr std::string_view kBegin = "ambit:";
  constexpr std::string_view kLaunch = "launch ";
  std::vector<std::string> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with("//")) continue;
    line = trimmed(line.substr(2));
    if (!line.starts_with(kBegin)) continue;
    for (std::size_t at = line.find(kLaunch); at != line.npos; at = line.find(kLaunch, at)) {
      at += kLaunch.size();
      const std::size_t stop = std::min(line.find(';', at), line.size());
      found.emplace_back(trimmed(line.substr(at, stop - at)));
    }
  }
  return found;
}

/// Converts an argument of a launch in host code into an argument of `--launch`. For an array, writes a declaration
/// with the array's length in the program.
std::string argument_text(const parser::KernelText& kernels, const std::string& argument, const Program& program) {
  const auto array = std::ranges::find(kernels.arrays, argument, &parser::KernelText::Array::name);
  const auto object = std::ranges::find(program.objects, argument, &MemoryObject::name);
  if (array == kernels.arrays.end() || object == program.objects.end()) return argument;
  std::string_view text = trimmed(array->declaration);
  for (const std::string_view word : {"__device__", "global"}) {
    if (text.starts_with(word)) text = trimmed(text.substr(word.size()));
  }
  if (text.ends_with(';')) text = trimmed(text.substr(0, text.size() - 1));
  const std::size_t open = text.find('[');
  if (open == text.npos) return argument;
  const std::size_t contents = text.find('=', open);
  return fmt::format("{}[{}]{}", trimmed(text.substr(0, open)), object->length,
                     contents == text.npos ? "" : fmt::format(" {}", text.substr(contents)));
}

std::string launch_of_host_code(const SourceFilePtr& source, const Program& program) {
  const auto kernels = parser::kernel_text(source);
  if (!kernels || kernels->launches.size() != 1) return {};
  const parser::KernelText::Launch& launch = kernels->launches.front();
  std::vector<std::string> arguments;
  for (const std::string& argument : launch.arguments) arguments.push_back(argument_text(*kernels, argument, program));
  const std::string bytes = launch.bytes.empty() ? "" : ", " + launch.bytes;
  return fmt::format("{}<<<{}, {}{}>>>({})", launch.kernel, launch.grid, launch.block, bytes,
                     fmt::join(arguments, ", "));
}

}  // namespace

bool has_kernels(const SourceFile& source) {
  const parser::Language language = parser::language_of(source);
  return language == parser::Language::CudaSource || language == parser::Language::CompiledModule;
}

std::string launch_text(const SourceFilePtr& source, const CheckingOptions& options, const Program* program) {
  if (!options.launch.empty()) return options.launch;
  const std::vector<std::string> written = launches_of_comments(source->text);
  if (written.size() > 1) return {};
  if (written.empty()) return program == nullptr ? std::string() : launch_of_host_code(source, *program);
  const std::string& launch = written.front();
  // --launch cannot express a launch on another GPU than GPU 0.
  return launch.find(" on gpu ") == std::string::npos ? launch : std::string();
}

std::vector<std::string> smaller_launches(const std::string& launch) {
  const std::size_t begin = launch.find("<<<");
  const std::size_t end = launch.find(">>>");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  std::vector<std::string> parts = split_at_commas(std::string_view(launch).substr(begin + 3, end - begin - 3));
  if (parts.size() < 2) return {};
  const std::optional<Sizes> blocks = read_sizes(parts[0]);
  const std::optional<Sizes> threads = read_sizes(parts[1]);
  if (!blocks || !threads) return {};
  const Sizes two_blocks = product(*blocks) == 1 ? *blocks : at_most(*blocks, {2, 1, 1});
  const std::vector<std::pair<Sizes, Sizes>> choices = {{two_blocks, at_most(*threads, {4, 1, 1})},
                                                        {two_blocks, at_most(*threads, {4, 2, 2})},
                                                        {two_blocks, at_most(*threads, {32, 1, 1})},
                                                        {{1, 1, 1}, at_most(*threads, {64, 1, 1})},
                                                        {{1, 1, 1}, *threads},
                                                        {two_blocks, *threads}};
  std::vector<std::string> found;
  for (const auto& [grid, block] : choices) {
    if (grid == *blocks && block == *threads) continue;
    parts[0] = text_of(grid);
    parts[1] = text_of(block);
    std::string text =
        fmt::format("{}<<<{}>>>{}", launch.substr(0, begin), fmt::join(parts, ", "), launch.substr(end + 3));
    if (std::ranges::find(found, text) == found.end()) found.push_back(std::move(text));
  }
  return found;
}

}  // namespace ambit::api
