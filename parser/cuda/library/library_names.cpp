#include "parser/cuda/library/library_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace ambit::parser::cuda {
namespace {

/// The values of cuda::pipeline_role. Each value is greater than every number of threads, so that a role differs from a
/// thread count (LibcuAsyncLowering).
constexpr std::string_view kProducer = "1048576";
constexpr std::string_view kConsumer = "1048577";
/// The name of a function whose calls represent lists of coordinates (LibcuAsyncLowering::coordinates).
constexpr std::string_view kCoordinates = "cuda::ptx::__coordinates";

Token like(const Token& token, TokenKind kind, std::string_view text) {
  Token made = token;
  made.kind = kind;
  made.text = text;
  return made;
}
Token name_like(const Token& token, std::string_view text) { return like(token, TokenKind::Name, text); }
Token mark_like(const Token& token, std::string_view text) { return like(token, TokenKind::Punctuator, text); }

void append(Tokens& to, const Tokens& more) { to.insert(to.end(), more.begin(), more.end()); }

struct Arguments {
  Tokens in_angles;
  Tokens in_brackets;
  std::size_t past_angles = 0;
  std::size_t past = 0;
  bool has_brackets = false;
};

/// Reads the template arguments `<...>` at `at` and the brackets after them.
std::optional<Arguments> read_arguments(const Tokens& tokens, std::size_t at) {
  if (at >= tokens.size() || !tokens[at].is("<")) return std::nullopt;
  Arguments found;
  found.past = found.past_angles = skip_angles(tokens, at);
  if (found.past > tokens.size() || !tokens[found.past - 1].text.ends_with('>')) return std::nullopt;
  found.in_angles = slice(tokens, at + 1, found.past - 1);
  if (found.past >= tokens.size() || (!tokens[found.past].is("(") && !tokens[found.past].is("{"))) return found;
  const std::size_t close = skip_group(tokens, found.past);
  found.in_brackets = slice(tokens, found.past + 1, close - 1);
  found.has_brackets = true;
  found.past = close;
  return found;
}

/// Rewrites F<a>(b) as F(a, b).
Rewritten with_arguments_in_front(const Token& token, std::string_view name, const Arguments& found) {
  Rewritten made{{name_like(token, name), mark_like(token, "(")}, found.past};
  append(made.tokens, found.in_angles);
  if (!found.in_brackets.empty()) made.tokens.push_back(mark_like(token, ","));
  append(made.tokens, found.in_brackets);
  made.tokens.push_back(mark_like(token, ")"));
  return made;
}

bool takes_number_in_angles(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kFunctions = {
      "cuda::aligned_size_t", "cooperative_groups::wait_prior", "cuda::device::experimental::cp_async_bulk_wait_group",
      "cuda::device::experimental::cp_async_bulk_wait_group_read"};
  return std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
}

std::optional<Rewritten> rewrite_type(const Token& token, std::string_view name, const Arguments& found) {
  if (name == "cuda::pipeline") {
    const bool by_thread =
        has_word(found.in_angles, "thread_scope_thread") || has_word(found.in_angles, "cuda::thread_scope_thread");
    return Rewritten{{name_like(token, by_thread ? "__pipeline_thread" : "__pipeline_block")}, found.past_angles};
  }
  if (name != "cuda::pipeline_shared_state") return std::nullopt;
  const std::vector<Tokens> parts = split_at_commas(found.in_angles, Angles::AreBrackets);
  if (parts.size() != 2) return std::nullopt;
  Rewritten made{{name_like(token, "__pipeline_state"), mark_like(token, "<")}, found.past_angles};
  append(made.tokens, parts[1]);
  made.tokens.push_back(mark_like(token, ">"));
  return made;
}

/// Rewrites the braces in cp_async_bulk_tensor(..., {x, y}, ...) as a call of kCoordinates, because an argument in the
/// litmus language cannot be a list.
std::optional<Rewritten> rewrite_coordinates(const Tokens& tokens, std::size_t past, std::string_view name) {
  if (past >= tokens.size() || !tokens[past].is("(")) return std::nullopt;
  const std::size_t close = skip_group(tokens, past);
  Rewritten made{{name_like(tokens[past], name)}, close};
  made.tokens.front().span = tokens[past - 1].span;
  bool has_list = false;
  for (std::size_t i = past; i < close; ++i) {
    if (tokens[i].is("{")) {
      has_list = true;
      made.tokens.push_back(name_like(tokens[i], kCoordinates));
      made.tokens.push_back(mark_like(tokens[i], "("));
    } else {
      made.tokens.push_back(tokens[i].is("}") ? mark_like(tokens[i], ")") : tokens[i]);
    }
  }
  return has_list ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace

std::optional<Rewritten> rewrite_library_name(const Tokens& tokens, std::size_t at, std::size_t past,
                                              std::string_view resolved) {
  const Token& token = tokens[at];
  if (resolved.ends_with("::arrival_token")) return Rewritten{{name_like(token, "uint64_t")}, past};
  if (resolved == "cuda::pipeline_role") return Rewritten{{name_like(token, "int")}, past};
  if (resolved == "cuda::pipeline_role::producer" || resolved == "cuda::pipeline_role::consumer") {
    const std::string_view role = resolved.ends_with("producer") ? kProducer : kConsumer;
    return Rewritten{{like(token, TokenKind::Number, role)}, past};
  }
  if (resolved == "cuda::ptx::cp_async_bulk_tensor" || resolved == "cuda::ptx::cp_reduce_async_bulk_tensor") {
    return rewrite_coordinates(tokens, past, resolved);
  }
  const std::optional<Arguments> found = read_arguments(tokens, past);
  if (!found) return std::nullopt;
  if (std::optional<Rewritten> type = rewrite_type(token, resolved, *found)) return type;
  const bool is_token = resolved == "cuda::barrier" && found->past_angles + 1 < tokens.size() &&
                        tokens[found->past_angles].is("::") && tokens[found->past_angles + 1].is("arrival_token");
  if (is_token) return Rewritten{{name_like(token, "uint64_t")}, found->past_angles + 2};
  if (!found->has_brackets) return std::nullopt;
  if (resolved == "cuda::ptx::n32_t") return Rewritten{found->in_angles, found->past};
  if (takes_number_in_angles(resolved)) return with_arguments_in_front(token, resolved, *found);
  if (resolved != "cuda::pipeline_consumer_wait_prior") return std::nullopt;
  Rewritten made{found->in_brackets, found->past};
  append(made.tokens, {mark_like(token, "."), name_like(token, "consumer_wait_prior"), mark_like(token, "(")});
  append(made.tokens, found->in_angles);
  made.tokens.push_back(mark_like(token, ")"));
  return made;
}

std::optional<Rewritten> rewrite_assembly(const Tokens& tokens, std::size_t at) {
  if (!tokens[at].is_any({"asm", "__asm__"})) return std::nullopt;
  std::size_t open = at + 1;
  while (open < tokens.size() && tokens[open].is_any({"volatile", "__volatile__", "__volatile"})) ++open;
  if (open >= tokens.size() || !tokens[open].is("(")) return std::nullopt;
  const std::size_t close = skip_group(tokens, open);
  std::vector<Tokens> sections(1);  // the sections are template, outputs, inputs, clobbers
  for (std::size_t i = open + 1; i + 1 < close; ++i) {
    if (tokens[i].opens()) {
      const std::size_t past = skip_group(tokens, i);
      append(sections.back(), slice(tokens, i, past));
      i = past - 1;
    } else if (tokens[i].is(":") || tokens[i].is("::")) {
      sections.resize(sections.size() + tokens[i].text.size());
    } else {
      sections.back().push_back(tokens[i]);
    }
  }
  sections.resize(std::max<std::size_t>(sections.size(), 4));
  const Token& token = tokens[at];
  const std::vector<Tokens> outputs = split_at_commas(sections[1]);
  Rewritten made{{name_like(token, "__asm"), mark_like(token, "(")}, close};
  append(made.tokens, sections[0]);
  append(made.tokens, {mark_like(token, ","), like(token, TokenKind::Number, std::to_string(outputs.size()))});
  for (const std::vector<Tokens>& operands : {outputs, split_at_commas(sections[2])}) {
    for (const Tokens& operand : operands) {  // "constraint"(expression)
      made.tokens.push_back(mark_like(token, ","));
      const auto bracket = std::ranges::find_if(operand, [](const Token& t) { return t.is("("); });
      made.tokens.insert(made.tokens.end(), operand.begin(), bracket);
      made.tokens.push_back(mark_like(token, ","));
      made.tokens.insert(made.tokens.end(), bracket, operand.end());
    }
  }
  made.tokens.push_back(mark_like(token, ")"));
  return made;
}

bool is_pipeline_name(const Token& token) {
  return token.is_name() && (token.is("pipeline") || token.is("make_pipeline") || token.is("pipeline_shared_state"));
}

}  // namespace ambit::parser::cuda
