#include "parser/cuda/launch/launch_example.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

namespace ambit::parser::cuda {
namespace {

constexpr int kExampleBlocks = 2;
constexpr int kExampleThreads = 32;      // The number of threads in a block.
constexpr int kExampleSide = 8;          // The width and height of a two-dimensional block; its launch has one block.
constexpr int kExampleElements = 64;     // The number of threads in the launch, in one or two dimensions.
constexpr int kExampleElementBytes = 8;  // The size of an element of dynamic shared memory.

/// Returns whether the body uses threadIdx.y or blockIdx.y.
bool has_two_dimensions(const Tokens& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].is_any({"threadIdx", "blockIdx"}) && tokens[i + 1].is(".") && tokens[i + 2].is("y")) return true;
  }
  return false;
}

bool has_dynamic_shared_memory(const Tokens& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].is("extern") && tokens[i + 1].is("__shared__")) return true;
  }
  return false;
}

/// Returns whether a parameter with this name is probably an array size: n, N, size, width, num_items, elementCount.
bool is_size_name(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  static constexpr std::array<std::string_view, 7> kShort = {"n", "m", "k", "nx", "ny", "rows", "cols"};
  static constexpr std::array<std::string_view, 6> kParts = {"size", "count", "len", "num", "width", "height"};
  return std::ranges::find(kShort, name) != kShort.end() ||
         std::ranges::any_of(kParts, [&](std::string_view part) { return name.find(part) != std::string::npos; }) ||
         name.ends_with("_n");
}

std::string spelled_tokens(const Tokens& tokens) {
  std::string text;
  for (const Token& token : tokens) text += (text.empty() || !token.spaced ? "" : " ") + token.text;
  return text;
}

/// Returns the example's arguments for the kernel's template parameters: "<int, 32>".
std::string template_arguments(const Declaration& kernel, int threads) {
  std::vector<std::string> arguments;
  for (const Declaration::Parameter& one : kernel.parameters) {
    arguments.push_back(!one.fallback.empty() ? spelled_tokens(one.fallback)
                        : one.is_type         ? std::string("int")
                                              : std::to_string(threads));
  }
  return arguments.empty() ? "" : fmt::format("<{}>", fmt::join(arguments, ", "));
}

/// Returns the element type to which the kernel casts a pointer first: "float" for `(const float *)p` and
/// `static_cast<float *>(p)`. Returns "int" if there is no cast. Also returns "int" if the type depends on a template
/// parameter.
std::string cast_type(const Declaration& kernel, std::string_view pointer) {
  const Tokens& tokens = kernel.tokens;
  for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is("*")) continue;
    const bool is_c_cast = tokens[i + 1].is(")") && i + 2 < tokens.size() && tokens[i + 2].is(pointer);
    const bool is_named_cast =
        tokens[i + 1].is(">") && i + 3 < tokens.size() && tokens[i + 2].is("(") && tokens[i + 3].is(pointer);
    if (!is_c_cast && !is_named_cast) continue;
    std::size_t begin = i;
    while (begin > 0 && !tokens[begin - 1].is_any({"(", "<", ",", ";", "{", "}", "="})) --begin;
    Tokens type;
    for (const Token& token : slice(tokens, begin, i)) {
      if (!token.is_any({"const", "volatile", "__restrict__"})) type.push_back(token);
    }
    const bool is_generic = std::ranges::any_of(type, [&](const Token& token) {
      return std::ranges::any_of(kernel.parameters, [&](const auto& one) { return one.name == token.text; });
    });
    const bool is_void = type.size() == 1 && type.front().is("void");
    const bool is_pointer = std::ranges::any_of(type, [](const Token& token) { return token.is("*"); });
    if (!type.empty() && !is_void && !is_pointer) return is_generic ? "int" : spelled_tokens(type);
  }
  return "int";
}

/// Returns the example's argument for a parameter. The array for a `void *` has the type to which the kernel casts the
/// pointer.
std::string argument_for(const Declaration& kernel, const Tokens& parameter, int size) {
  const bool is_array = std::ranges::any_of(parameter, [](const Token& token) { return token.is_any({"*", "["}); });
  const auto name =
      std::find_if(parameter.rbegin(), parameter.rend(), [](const Token& token) { return token.is_name(); });
  if (name == parameter.rend()) return "1";
  if (!is_array) return is_size_name(name->text) ? std::to_string(size) : "1";
  const std::string type = has_word(parameter, "void") ? cast_type(kernel, name->text) + " " : std::string();
  return fmt::format("{}{}[{}]", type, name->text, kExampleElements);
}

/// A launch in host code.
struct LaunchLine {
  std::uint32_t line = 0;
  std::string kernel;
};

std::vector<LaunchLine> launch_lines_of(const Unit& unit) {
  std::vector<LaunchLine> uses;
  for (const Declaration& declaration : unit.declarations()) {
    if (declaration.kind != Declaration::Kind::Host) continue;
    const Tokens& code = declaration.tokens;
    for (std::size_t i = 1; i < code.size(); ++i) {
      if (code[i].is("<<<")) uses.push_back({code[i].span.line, code[kernel_name_before(code, i)].text});
    }
  }
  return uses;
}

/// Returns the kernel with this name; otherwise the first kernel of the file, or null if the file has no kernel.
const Declaration* kernel_named(const Unit& unit, std::string_view name) {
  const Declaration* first = nullptr;
  for (const Declaration& one : unit.declarations()) {
    if (!one.is_kernel) continue;
    if (one.name == name) return &one;
    if (first == nullptr) first = &one;
  }
  return first;
}

}  // namespace

std::size_t kernel_name_before(const Tokens& code, std::size_t open) {
  std::size_t i = open - 1;
  if (code[i].is(">")) {
    std::size_t depth = 0;
    for (; i > 0; --i) {
      if (code[i].is(">")) ++depth;
      if (code[i].is("<") && --depth == 0) break;
    }
    if (i > 0) --i;
  }
  return i;
}

std::string example_launch(const Declaration& kernel) {
  const Tokens& tokens = kernel.tokens;
  const bool is_square = has_two_dimensions(tokens);
  std::size_t open = kernel.name_index;
  while (open < tokens.size() && !tokens[open].is("(")) ++open;
  std::vector<std::string> arguments;
  if (open < tokens.size()) {
    for (const Tokens& parameter : split_at_commas(slice(tokens, open + 1, skip_group(tokens, open) - 1))) {
      const bool is_none = parameter.empty() || (parameter.size() == 1 && parameter[0].is("void"));
      if (!is_none) arguments.push_back(argument_for(kernel, parameter, is_square ? kExampleSide : kExampleElements));
    }
  }
  const std::string sizes = is_square ? fmt::format("1, dim3({0}, {0})", kExampleSide)
                                      : fmt::format("{}, {}", kExampleBlocks, kExampleThreads);
  const std::string shared =
      has_dynamic_shared_memory(tokens) ? fmt::format(", {}", kExampleElements * kExampleElementBytes) : std::string();
  return fmt::format("{}{}<<<{}{}>>>({})", kernel.name,
                     template_arguments(kernel, is_square ? kExampleSide : kExampleThreads), sizes, shared,
                     fmt::join(arguments, ", "));
}

void fill_launch_hints(const Unit& unit, Reporter& reporter) {
  const std::vector<LaunchLine> uses = launch_lines_of(unit);
  reporter.edit_hints([&](const SourceSpan& span, std::string& hint) {
    std::size_t at = hint.find(kExampleLaunch);
    if (at == std::string::npos) return;
    const auto here = std::ranges::find(uses, span.line, &LaunchLine::line);
    const Declaration* kernel = kernel_named(unit, here != uses.end() ? here->kernel
                                                   : uses.empty()     ? ""
                                                                      : uses.front().kernel);
    if (kernel == nullptr) return;
    const std::string example = example_launch(*kernel);
    for (; at != std::string::npos; at = hint.find(kExampleLaunch, at + example.size())) {
      hint.replace(at, kExampleLaunch.size(), example);
    }
  });
}

}  // namespace ambit::parser::cuda
