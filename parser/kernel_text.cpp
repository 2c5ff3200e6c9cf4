#include "parser/kernel_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "base/trimmed.h"
#include "parser/cuda/cuda_program.h"
#include "parser/parse.h"
#include "parser/text/file_syntax.h"
#include "parser/text/header.h"

namespace ambit::parser {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Returns the end of the text in parentheses or braces that begins at `at`.
std::size_t closing(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += text[at] == '(' || text[at] == '{' || text[at] == '[' ? 1 : 0;
    depth -= text[at] == ')' || text[at] == '}' || text[at] == ']' ? 1 : 0;
    if (depth == 0) break;
  }
  return at;
}

/// Returns the parts between commas outside of parentheses.
std::vector<std::string> parts(std::string_view text) {
  std::vector<std::string> found;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '{' || text[i] == '[')) i = closing(text, i);
    if (i < text.size() && text[i] != ',') continue;
    const std::string_view part = trimmed(text.substr(begin, i - begin));
    if (!part.empty()) found.emplace_back(part);
    begin = i + 1;
  }
  return found;
}

/// Returns the beginning of the next `launch K<<<`, or npos.
std::size_t find_launch(std::string_view text, std::size_t from) {
  constexpr std::string_view kWord = "launch";
  for (std::size_t at = text.find(kWord, from); at != std::string_view::npos; at = text.find(kWord, at + 1)) {
    const bool is_begin = at == 0 || !is_word(text[at - 1]);
    const std::size_t open = text.find("<<<", at);
    const std::size_t end = text.find(';', at);
    if (is_begin && open != std::string_view::npos && open < end && !is_word(text[at + kWord.size()])) return at;
  }
  return std::string_view::npos;
}

std::optional<KernelText::Launch> read_launch(std::string_view text) {
  const std::size_t open = text.find("<<<");
  const std::size_t close = text.find(">>>");
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  const std::size_t begin = text.find('(', close);
  if (begin == std::string_view::npos) return std::nullopt;
  KernelText::Launch launch;
  launch.kernel = trimmed(text.substr(6, open - 6));
  const std::vector<std::string> sizes = parts(text.substr(open + 3, close - open - 3));
  if (sizes.size() < 2) return std::nullopt;
  launch.grid = sizes[0];
  launch.block = sizes[1];
  if (sizes.size() > 2) launch.bytes = sizes[2];
  launch.arguments = parts(text.substr(begin + 1, closing(text, begin) - begin - 1));
  return launch;
}

bool follows(std::string_view text, std::size_t launch) { return trimmed(text.substr(0, launch)).ends_with("then"); }

/// Returns a number in C++ syntax; nothing if the expression is not a literal.
std::optional<std::string> literal(const ExprNode& node) {
  if (node.kind == ExprKind::Floating) return std::string(node.name);
  if (node.kind == ExprKind::Integer) return std::to_string(node.value);
  if (node.kind != ExprKind::Unary || node.unary != UnaryOp::Negate) return std::nullopt;
  const auto number = literal(node.children.front());
  return number ? std::optional("-" + *number) : std::nullopt;
}

/// Returns the initializer of an array, for example " = {1, 2}", or " = {1, 2...}" if the last value repeats. Returns
/// nothing if a value is not a literal.
std::optional<std::string> contents_text(const Declarator& array) {
  std::string values;
  for (const ExprNode& node : array.values) {
    const auto number = literal(node);
    if (!number) return std::nullopt;
    values += (values.empty() ? "" : ", ") + *number;
  }
  if (array.initializer == Declarator::Initializer::None) return "";
  return fmt::format(" = {{{}{}}}", values, array.repeats_last ? ", ..." : "");
}

/// Returns the array that a launch argument creates; nothing if the argument does not create an array. In C++, the
/// argument becomes the array's name. `text` is the text of the argument.
std::optional<KernelText::Array> array_of(const LaunchArgumentNode& node, const Declarator& parameter,
                                          std::string_view text) {
  Type type = parameter.type;
  const auto contents = contents_text(node.array);
  if (!type.is_pointer || !contents) return std::nullopt;
  type.is_pointer = false;
  type.is_volatile = false;
  const Word& name = node.array.name.text.empty() ? parameter.name : node.array.name;
  std::string declared;
  if (!node.array.length) {
    declared = fmt::format("{}[{}]", name.text, node.array.values.size());
  } else {
    const std::size_t open = text.find('[');
    const std::string_view length = text.substr(open, closing(text, open) + 1 - open);
    declared =
        node.type.empty() ? std::string(text.substr(0, open + length.size())) : fmt::format("{}{}", name.text, length);
  }
  return KernelText::Array{std::string(name.text),
                           fmt::format("__device__ {} {}{};", to_string(type), declared, *contents)};
}

bool add_arrays(const FileNode& file, KernelText& kernels, KernelText::Launch& launch) {
  const std::size_t number = kernels.launches.size();
  const auto function = std::find_if(file.functions.begin(), file.functions.end(),
                                     [&](const FunctionNode& one) { return one.name.text == launch.kernel; });
  if (function == file.functions.end() || function->parameters.size() != launch.arguments.size()) return false;
  if (number >= file.launches.size() || file.launches[number].arguments.size() != launch.arguments.size()) return false;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const LaunchArgumentNode& node = file.launches[number].arguments[i];
    if (node.kind == LaunchArgumentNode::Kind::Fields) return false;
    if (!node.is_array()) continue;
    auto array = array_of(node, function->parameters[i], launch.arguments[i]);
    if (!array) return false;
    launch.arguments[i] = array->name;
    kernels.arrays.push_back(*std::move(array));
  }
  return true;
}

/// Returns a size in C++ syntax: `dim3(2, 2)` for `(2, 2)`.
std::string size_text(const std::string& size) {
  return size.starts_with("(") && size.find(',') != std::string::npos ? "dim3" + size : size;
}

bool add_launches(std::string_view text, const FileNode& file, KernelText& kernels) {
  for (std::size_t at = find_launch(text, 0); at != std::string_view::npos; at = find_launch(text, at + 1)) {
    auto launch = read_launch(text.substr(at, text.find(';', at) - at));
    if (!launch || !add_arrays(file, kernels, *launch)) return false;
    launch->follows = follows(text, at);
    launch->grid = size_text(launch->grid);
    launch->block = size_text(launch->block);
    kernels.launches.push_back(std::move(*launch));
  }
  return !kernels.launches.empty();
}

/// Adds the global variables of the file, except for the arrays that the host allocates.
void add_variables(const FileNode& file, KernelText& kernels) {
  for (const Declaration& declaration : file.memory) {
    if (!declaration.storage.is_device || declaration.storage.is_constant_memory) continue;
    for (const Declarator& one : declaration.declarators) {
      const bool is_array = std::any_of(kernels.arrays.begin(), kernels.arrays.end(),
                                        [&](const KernelText::Array& array) { return array.name == one.name.text; });
      if (!is_array) kernels.variables.emplace_back(one.name.text);
    }
  }
}

bool has_shared_variables(const FileNode& file) {
  return std::any_of(file.memory.begin(), file.memory.end(),
                     [](const Declaration& declaration) { return declaration.storage.is_shared; });
}

/// Adds the declarations before the first launch, except for tensor maps: "__device__ int d [ 4 ] ;", "{ global int d [
/// 4 ] ; }".
void add_allocations(std::string_view text, KernelText& kernels) {
  constexpr std::string_view kGlobal = "global ";
  const std::size_t end = std::min(find_launch(text, 0), text.size());
  for (std::size_t begin = 0; begin < end;) {
    const std::size_t semicolon = text.find(';', begin);
    if (semicolon == std::string_view::npos || semicolon >= end) break;
    std::string_view declaration = text.substr(begin, semicolon + 1 - begin);
    begin = semicolon + 1;
    declaration.remove_prefix(std::min(declaration.find_first_not_of(" \t\n{}"), declaration.size()));
    declaration = trimmed(declaration);
    if (declaration.starts_with("tensormap ")) continue;
    std::string_view name = trimmed(declaration.substr(0, declaration.find('[')));
    std::size_t first = name.size();
    while (first > 0 && is_word(name[first - 1])) --first;
    const bool is_in_block = declaration.starts_with(kGlobal);
    kernels.arrays.push_back(
        {std::string(name.substr(first)),
         is_in_block ? fmt::format("__device__ {}", declaration.substr(kGlobal.size())) : std::string(declaration)});
  }
}

/// Returns the numbers of a list; nothing if an element is not a literal.
std::optional<std::vector<std::int64_t>> literals(const std::vector<ExprNode>& nodes) {
  std::vector<std::int64_t> found;
  for (const ExprNode& node : nodes) {
    if (node.kind != ExprKind::Integer) return std::nullopt;
    found.push_back(node.value);
  }
  return found;
}

bool add_tensor_maps(const FileNode& file, KernelText& kernels) {
  for (const TensorMapNode& node : file.tensor_maps) {
    auto sizes = literals(node.sizes);
    auto box = literals(node.box);
    if (!sizes || !box || (node.index && node.index->kind != ExprKind::Integer)) return false;
    const std::string_view name = node.name.text;
    const bool is_variable = std::ranges::find(kernels.variables, name) != kernels.variables.end() ||
                             std::ranges::find(kernels.arrays, name, &KernelText::Array::name) != kernels.arrays.end();
    kernels.tensor_maps.push_back({node.index ? fmt::format("{}[{}]", name, node.index->value) : std::string(name),
                                   std::string(node.array.text), *std::move(sizes), *std::move(box), is_variable});
  }
  return true;
}

std::optional<KernelText> of_cuda_source(const SourceFilePtr& source) {
  const auto litmus = cuda::litmus_text(source, {});
  if (!litmus) return std::nullopt;
  Reporter reporter(source);
  const TokenOrigins origins(litmus.value().origins, {1, 1, 0});
  const auto file = read_file(litmus.value().text, 0, Part::Body, reporter, &origins);
  if (!file || reporter.has_errors()) return std::nullopt;
  KernelText kernels;
  kernels.code = source->text;
  kernels.has_host_code = true;
  add_allocations(litmus.value().launch, kernels);
  if (!add_launches(litmus.value().launch, *file, kernels)) return std::nullopt;
  add_variables(*file, kernels);
  if (!add_tensor_maps(*file, kernels)) return std::nullopt;
  return kernels;
}

bool begins_tail(std::string_view line) {
  constexpr std::array<std::string_view, 9> kWords = {"launch", "then",   "exists", "~exists", "forall",
                                                      "filter", "expect", "label",  "detect"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return line.starts_with(word) && (line.size() == word.size() || !is_word(line[word.size()]));
  });
}

/// Returns the body of a litmus test as C++ text: items that are not C++ become `// ambit:` comments. In a test, each
/// item that is not C++ begins a line and follows the declarations.
std::string commented(std::string_view body) {
  std::string text;
  bool in_tail = false;
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('\n'), body.size());
    const std::string_view line = body.substr(0, end);
    body.remove_prefix(std::min(end + 1, body.size()));
    in_tail = in_tail || begins_tail(line);
    const std::string_view content = trimmed(line);
    const bool is_comment = content.empty() || content.starts_with("//");
    text += fmt::format("{}{}\n", in_tail && !is_comment ? "// ambit: " : "", line);
  }
  return text;
}

std::optional<KernelText> of_litmus(const SourceFilePtr& source) {
  Reporter reporter(source);
  const auto header = read_header(*source, reporter);
  if (!header) return std::nullopt;
  const auto file = read_file(*source, header->end, Part::Body, reporter);
  if (!file || reporter.has_errors() || !file->threads.empty() || file->launches.empty()) return std::nullopt;
  KernelText kernels;
  const std::string_view body = std::string_view(source->text).substr(header->end);
  if (trimmed(body).starts_with("{")) return std::nullopt;
  kernels.code = commented(body);
  if (has_shared_variables(*file) || !add_launches(body, *file, kernels)) return std::nullopt;
  add_variables(*file, kernels);
  return kernels;
}

}  // namespace

std::optional<KernelText> kernel_text(const SourceFilePtr& source) {
  switch (language_of(*source)) {
    case Language::CudaSource: return of_cuda_source(source);
    case Language::CudaLitmus: return of_litmus(source);
    case Language::PtxLitmus:
    case Language::MixedProxyTest:
    case Language::CompiledModule: break;
  }
  return std::nullopt;
}

}  // namespace ambit::parser
