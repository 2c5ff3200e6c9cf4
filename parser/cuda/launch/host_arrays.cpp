#include "parser/cuda/launch/host_arrays.h"

#include <algorithm>
#include <string>

#include "parser/cuda/syntax/unit.h"

namespace ambit::parser::cuda {
namespace {

constexpr std::int64_t kMaxElements = 65536;

}  // namespace

std::optional<Tokens> HostArrays::vector_element(const HostFunction& function, std::size_t declared) {
  const Tokens type = function.type_of(declared);
  std::size_t at = 0;
  while (at < type.size() && (type[at].is("std") || type[at].is("::"))) ++at;
  const bool is_vector = at + 2 < type.size() && type[at].is("vector") && type[at + 1].is("<") && type.back().is(">");
  if (!is_vector) return std::nullopt;
  return slice(type, at + 2, type.size() - 1);
}

/// Returns the tokens in the brackets after the name: `n, 1` for `std::vector<int> h(n, 1)`.
Tokens HostArrays::arguments_of(std::size_t declared) const {
  if (!function_.at(declared + 1).is("(")) return {};
  return slice(function_.code(), declared + 2, function_.partner(declared + 1));
}

/// Returns the value of an expression in which `counter` has the value `value`.
std::optional<std::int64_t> HostArrays::number(Tokens tokens, std::size_t at, const Token* counter,
                                               std::int64_t value) {
  Tokens put;
  for (Token& token : tokens) {
    if (counter == nullptr || !token.is(counter->text)) {
      put.push_back(std::move(token));
      continue;
    }
    put.push_back(made_token(TokenKind::Punctuator, "(", token.span));
    if (value < 0) put.push_back(made_token(TokenKind::Punctuator, "-", token.span));
    put.push_back(made_token(TokenKind::Number, std::to_string(value < 0 ? -value : value), token.span));
    put.push_back(made_token(TokenKind::Punctuator, ")", token.span));
  }
  if (put.empty()) return std::nullopt;
  const Tokens known = values_.known(put, at);
  return known.empty() ? std::nullopt : device_.known_constant(known);
}

std::optional<std::int64_t> HostArrays::length(std::size_t declared) {
  if (vector_element(function_, declared)) {
    const std::vector<Tokens> parts = split_at_commas(arguments_of(declared));
    if (!parts.empty()) return number(parts[0], declared);
    const std::size_t open = declared + (function_.at(declared + 1).is("=") ? 2 : 1);
    if (!function_.at(open).is("{")) return std::nullopt;
    return static_cast<std::int64_t>(
        split_at_commas(slice(function_.code(), open + 1, function_.partner(open))).size());
  }
  if (!function_.at(declared + 1).is("[")) return std::nullopt;
  const std::size_t close = function_.partner(declared + 1);
  if (function_.at(close + 1).is("[")) return std::nullopt;
  return number(slice(function_.code(), declared + 2, close), declared);
}

bool HostArrays::fill_initially(std::size_t declared, Cells& cells) {
  const bool is_vector = vector_element(function_, declared).has_value();
  const std::vector<Tokens> parts = split_at_commas(arguments_of(declared));
  if (is_vector && !parts.empty()) {
    const std::optional<std::int64_t> value = parts.size() == 1 ? 0 : number(parts[1], declared);
    if (parts.size() > 2 || !value) return false;
    std::ranges::fill(cells, value);
    return true;
  }
  const std::size_t before = is_vector ? declared : function_.partner(declared + 1);
  const std::size_t open = before + (function_.at(before + 1).is("=") ? 2 : 1);
  if (!function_.at(open).is("{")) return !is_vector;  // without an initializer, the contents of an array are unknown
  std::ranges::fill(cells, 0);
  const std::vector<Tokens> values = split_at_commas(slice(function_.code(), open + 1, function_.partner(open)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty() && i + 1 == values.size()) break;  // skips the empty part after a trailing comma: {1, 2,}
    if (i >= cells.size()) return false;
    cells[i] = number(values[i], declared);
    if (!cells[i]) return false;
  }
  return true;
}

/// Returns the `for` loop whose body consists only of the statement at `place`.
std::optional<std::size_t> HostArrays::loop_around(std::size_t place) const {
  std::size_t begin = function_.statement_begin(place);
  const Tokens& code = function_.code();
  if (function_.at(begin).is("for")) return begin;  // a body without braces
  const std::size_t open = function_.bracket_around(begin);
  if (open == HostFunction::kNone || open == 0 || !code[open].is("{") || !code[open - 1].is(")")) return std::nullopt;
  const std::size_t head = function_.partner(open - 1);
  if (head == 0 || !code[head - 1].is("for")) return std::nullopt;
  return head - 1;
}

/// Evaluates `for (int i = A; i < B; ++i) h[E] = F;`: stores each value of F in `cells`.
bool HostArrays::store_in_loop(std::size_t place, std::size_t loop, std::size_t at, Cells& cells) {
  const Tokens& code = function_.code();
  const std::size_t open = loop + 1;
  const std::size_t close = function_.partner(open);
  if (!function_.statement_runs_before(loop, at)) return false;
  std::vector<Tokens> parts(1);
  for (std::size_t i = open + 1; i < close; ++i) {
    if (code[i].is(";")) {
      parts.emplace_back();
    } else {
      parts.back().push_back(code[i]);
    }
  }
  if (parts.size() != 3) return false;
  const auto equals = std::ranges::find_if(parts[0], [](const Token& token) { return token.is("="); });
  if (equals == parts[0].end() || equals - parts[0].begin() < 2) return false;
  const Token counter = *(equals - 1);
  const std::optional<std::int64_t> first = number({equals + 1, parts[0].end()}, loop);
  const Tokens& test = parts[1];
  const Tokens& step = parts[2];
  const bool counts_up = step.size() == 2 && ((step[0].is("++") && step[1].is(counter.text)) ||
                                              (step[1].is("++") && step[0].is(counter.text)));
  const bool compares = test.size() > 2 && test[0].is(counter.text) && test[1].is_any({"<", "<=", "!="});
  if (!first || !counts_up || !compares) return false;
  std::optional<std::int64_t> last = number({test.begin() + 2, test.end()}, loop);
  if (!last) return false;
  if (test[1].is("<=")) ++*last;
  // Statements in the loop's body must not change the counter or leave the loop early.
  const std::size_t body = close + 1;
  const std::size_t end = code[body].is("{") ? function_.partner(body) : body;
  for (std::size_t i = body; i < end; ++i) {
    const bool jumps = code[i].is_any({"break", "continue", "return", "goto", "if", "for", "while", "switch"});
    const bool changes = code[i].is(counter.text) &&
                         (code[i + 1].is_any({"=", "++", "--", "+=", "-="}) || code[i - 1].is_any({"++", "--", "&"}));
    if (jumps || changes) return false;
  }
  const std::size_t bracket = place + 1;
  const std::size_t assigned = function_.partner(bracket) + 1;
  if (!function_.at(assigned).is("=")) return false;
  std::size_t stop = assigned + 1;
  while (stop < code.size() && !code[stop].is(";")) stop = code[stop].opens() ? function_.partner(stop) + 1 : stop + 1;
  for (std::int64_t i = *first; i < *last; ++i) {
    if (i - *first > kMaxElements) return false;
    const std::optional<std::int64_t> index = number(slice(code, bracket + 1, assigned - 1), place, &counter, i);
    const std::optional<std::int64_t> value = number(slice(code, assigned + 1, stop), place, &counter, i);
    if (!index || !value || *index < 0 || *index >= static_cast<std::int64_t>(cells.size())) return false;
    cells[static_cast<std::size_t>(*index)] = value;
  }
  return true;
}

bool HostArrays::store(std::size_t place, std::size_t at, Cells& cells) {
  const Tokens& code = function_.code();
  if (!function_.at(place + 1).is("[")) return false;
  if (const std::optional<std::size_t> loop = loop_around(place)) return store_in_loop(place, *loop, at, cells);
  const std::size_t assigned = function_.partner(place + 1) + 1;
  if (function_.statement_begin(place) != place || !function_.at(assigned).is("=")) return false;
  if (!function_.runs_before(place, at, false)) return false;
  std::size_t stop = assigned + 1;
  while (stop < code.size() && !code[stop].is(";")) stop = code[stop].opens() ? function_.partner(stop) + 1 : stop + 1;
  const std::optional<std::int64_t> index = number(slice(code, place + 2, assigned - 1), place);
  const std::optional<std::int64_t> value = number(slice(code, assigned + 1, stop), place);
  if (!index || !value || *index < 0 || *index >= static_cast<std::int64_t>(cells.size())) return false;
  cells[static_cast<std::size_t>(*index)] = value;
  return true;
}

std::optional<Tokens> HostArrays::contents(std::size_t declared, std::size_t at) {
  const std::optional<std::int64_t> count = length(declared);
  if (!count || *count < 1 || *count > kMaxElements || function_.is_parameter(declared) ||
      function_.is_reference(declared)) {
    return std::nullopt;
  }
  Cells cells(static_cast<std::size_t>(*count));
  if (!fill_initially(declared, cells)) return std::nullopt;
  const std::string& name = function_.at(declared).text;
  for (const std::size_t place : function_.places(name)) {
    if (place <= declared || place >= at || function_.declaration(name, place) != declared) continue;
    if (uses_.is_unevaluated(place) || uses_.is_read(place, true)) continue;
    const bool calls_accessor =
        function_.at(place + 1).is(".") && function_.at(place + 2).is_any({"size", "data", "empty"});
    const std::optional<HostArgument> argument = uses_.argument(place);
    const bool copied = argument && argument->index == 1 &&
                        (uses_.calls(*argument, "cudaMemcpy") || uses_.calls(*argument, "cudaMemcpyAsync"));
    if (copied || (calls_accessor && !function_.at(place + 2).is("data"))) continue;
    if (calls_accessor) {  // h.data() is allowed only as the source of a copy
      std::size_t open = function_.bracket_around(place);
      const bool is_source = open != HostFunction::kNone && open > 0 &&
                             function_.at(open - 1).is_any({"cudaMemcpy", "cudaMemcpyAsync"}) &&
                             function_.at(place - 1).is(",") && function_.at(place + 5).is(",");
      if (is_source) continue;
    }
    if (!store(place, at, cells)) return std::nullopt;
  }
  Tokens values;
  const SourceSpan span = function_.at(declared).span;
  for (const std::optional<std::int64_t>& cell : cells) {
    if (!cell) return std::nullopt;
    if (!values.empty()) values.push_back(made_token(TokenKind::Punctuator, ",", span));
    if (*cell < 0) values.push_back(made_token(TokenKind::Punctuator, "-", span));
    values.push_back(made_token(TokenKind::Number, std::to_string(*cell < 0 ? -*cell : *cell), span));
  }
  return values;
}

}  // namespace ambit::parser::cuda
