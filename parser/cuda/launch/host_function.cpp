#include "parser/cuda/launch/host_function.h"

#include <algorithm>
#include <set>

namespace ambit::parser::cuda {
namespace {

constexpr int kMaxNesting = 200;  // depth of nested statements

}  // namespace

HostFunction::HostFunction(const Tokens& code) : code_(code) {
  pair_brackets();
  index_names();
  if (!code_.empty() && code_.back().is("}")) {
    const std::size_t body = partner_.back();
    for (std::size_t i = 0; i < body && parameters_ == kNone; ++i) {
      const bool attribute =
          i > 0 && (code_[i - 1].text.starts_with("__") || code_[i - 1].is("alignas") || code_[i - 1].is("decltype"));
      if (code_[i].is("(") && i > 0 && code_[i - 1].is_name() && !attribute) parameters_ = i;
      if (code_[i].is("(")) i = partner_[i];
    }
    statements(body + 1, code_.size() - 1, 0);
  }
  nest_regions();
  for (const auto& [name, all] : places_) {
    for (const std::size_t place : all) {
      if (declares(place)) declarations_[name].push_back({place, scope_end(place)});
    }
  }
}

const Token& HostFunction::at(std::size_t index) const {
  static const Token kNothing;
  return index < code_.size() ? code_[index] : kNothing;
}

void HostFunction::pair_brackets() {
  partner_.assign(code_.size(), code_.size());
  around_.assign(code_.size(), kNone);
  statement_.assign(code_.size(), 0);
  std::vector<std::size_t> open;
  std::vector<std::size_t> begin = {0};
  for (std::size_t i = 0; i < code_.size(); ++i) {
    const Token& token = code_[i];
    if (token.closes() && !open.empty()) {
      partner_[i] = open.back();
      partner_[open.back()] = i;
      open.pop_back();
      begin.pop_back();
    }
    around_[i] = open.empty() ? kNone : open.back();
    statement_[i] = begin.back();
    if (token.opens()) {
      open.push_back(i);
      begin.push_back(i + 1);
    }
    const Token& after = at(i + 1);
    const bool block = token.is("}") && !after.is(",") && !after.is(";") && !after.is(")") && !after.is(".");
    if (token.is(";") || block) begin.back() = i + 1;
  }
}

void HostFunction::index_names() {
  for (std::size_t i = 0; i < code_.size(); ++i) {
    const bool member = i > 0 && (code_[i - 1].is(".") || code_[i - 1].is("->"));
    if (code_[i].is_name() && !member) places_[code_[i].text].push_back(i);
  }
}

/// Finds the innermost region of each token. Any two regions are nested or disjoint.
void HostFunction::nest_regions() {
  std::stable_sort(regions_.begin(), regions_.end(), [](const Region& a, const Region& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  region_of_.assign(code_.size(), kNone);
  std::size_t current = kNone;
  std::size_t next = 0;
  for (std::size_t i = 0; i < code_.size(); ++i) {
    while (current != kNone && !regions_[current].holds(i)) current = regions_[current].parent;
    for (; next < regions_.size() && regions_[next].begin == i; ++next) {
      regions_[next].parent = current;
      if (regions_[next].holds(i)) current = next;
    }
    region_of_[i] = current;
  }
}

// ---- statements ----

std::size_t HostFunction::add(Region::Kind kind, std::size_t begin, std::size_t end) {
  regions_.push_back({kind, begin, end, kNone});
  return regions_.size() - 1;
}

void HostFunction::statements(std::size_t begin, std::size_t end, int depth) {
  while (begin < end) begin = std::max(statement(begin, end, depth), begin + 1);
}

/// Reads a statement that forms a region.
std::size_t HostFunction::part(Region::Kind kind, std::size_t begin, std::size_t end, int depth) {
  const std::size_t region = add(kind, begin, end);
  return regions_[region].end = statement(begin, end, depth + 1);
}

/// Reads the statement at `begin`; returns the index after the statement.
std::size_t HostFunction::statement(std::size_t begin, std::size_t end, int depth) {
  if (begin >= end) return end;
  if (depth > kMaxNesting) {
    add(Region::Kind::TooDeep, begin, end);
    return end;
  }
  const Token& token = code_[begin];
  if (token.is("{")) {
    const std::size_t close = partner_[begin];
    add(Region::Kind::Scope, begin, close + 1);
    statements(begin + 1, close, depth + 1);
    return close + 1;
  }
  if (token.is("if")) return if_statement(begin, end, depth);
  if (token.is_any({"for", "while", "switch"})) return loop_statement(begin, end, depth);
  if (token.is("do")) return do_statement(begin, end, depth);
  if (token.is("try")) return try_statement(begin, end, depth);
  if (token.is("case") || token.is("default")) {
    std::size_t colon = begin + 1;
    while (colon < end && !code_[colon].is(":") && !code_[colon].is(";")) ++colon;
    return statement(colon + 1, end, depth + 1);
  }
  if (token.is_name() && at(begin + 1).is(":")) {
    labels_.emplace(token.text, begin);
    return statement(begin + 2, end, depth + 1);
  }
  std::size_t stop = begin;
  while (stop < end && !code_[stop].is(";")) stop = code_[stop].opens() ? partner_[stop] + 1 : stop + 1;
  expression(begin, std::min(stop, end), depth);
  return std::min(stop + 1, end);
}

/// Reads an `if` with all its `else if` branches. Each branch is nested in the previous `else`.
std::size_t HostFunction::if_statement(std::size_t begin, std::size_t end, int depth) {
  std::vector<std::size_t> open_regions;
  std::size_t past = begin;
  while (true) {
    open_regions.push_back(add(Region::Kind::Scope, past, end));
    std::size_t open = past + 1;
    while (open < end && !code_[open].is("(") && !code_[open].is("{") && !code_[open].is(";")) ++open;
    if (open >= end || !code_[open].is("(")) {
      past = statement(open, end, depth + 1);
      break;
    }
    expression(open + 1, partner_[open], depth);
    past = part(Region::Kind::Conditional, partner_[open] + 1, end, depth);
    if (past >= end || !code_[past].is("else")) break;
    const bool is_chained = past + 1 < end && code_[past + 1].is("if");
    if (!is_chained) {
      past = part(Region::Kind::Conditional, past + 1, end, depth);
      break;
    }
    open_regions.push_back(add(Region::Kind::Conditional, ++past, end));
  }
  for (const std::size_t region : open_regions) regions_[region].end = past;
  return past;
}

std::size_t HostFunction::loop_statement(std::size_t begin, std::size_t end, int depth) {
  const std::size_t region = add(code_[begin].is("switch") ? Region::Kind::Switch : Region::Kind::Loop, begin, end);
  std::size_t body = begin + 1;
  if (body < end && code_[body].is("(")) {
    expression(body + 1, partner_[body], depth);
    body = partner_[body] + 1;
  }
  return regions_[region].end = statement(body, end, depth + 1);
}

/// Reads a do statement. The body of a macro's `do { } while (0)` runs once, but a break may end this run early.
std::size_t HostFunction::do_statement(std::size_t begin, std::size_t end, int depth) {
  const std::size_t region = add(Region::Kind::Loop, begin, end);
  const std::size_t past = statement(begin + 1, end, depth + 1);
  const std::size_t open = past + 1;
  if (open >= end || !code_[past].is("while") || !code_[open].is("(")) return regions_[region].end = past;
  const std::size_t close = partner_[open];
  if (close == open + 2 && (code_[open + 1].is("0") || code_[open + 1].is("false"))) {
    regions_[region].kind = leaves(begin, past) ? Region::Kind::Conditional : Region::Kind::Scope;
  }
  return regions_[region].end = std::min(close + (at(close + 1).is(";") ? 2 : 1), end);
}

bool HostFunction::leaves(std::size_t begin, std::size_t end) const {
  return std::any_of(code_.begin() + static_cast<std::ptrdiff_t>(begin),
                     code_.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Token& token) { return token.is("break") || token.is("continue"); });
}

std::size_t HostFunction::try_statement(std::size_t begin, std::size_t end, int depth) {
  std::size_t past = part(Region::Kind::Conditional, begin + 1, end, depth);
  while (past + 1 < end && code_[past].is("catch") && code_[past + 1].is("(")) {
    past = part(Region::Kind::Conditional, partner_[past + 1] + 1, end, depth);
  }
  return past;
}

/// Adds regions for operands that may not be evaluated, and for the bodies of lambdas.
void HostFunction::expression(std::size_t begin, std::size_t end, int depth) {
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = code_[i];
    if (token.is_any({"&&", "||", "?"})) {
      const std::size_t open = around_[i];
      const std::size_t close = open == kNone || open < begin ? end : partner_[open];
      add(Region::Kind::Operand, i, std::min(close, end));
    } else if (token.is("{")) {
      const bool once = i > 0 && code_[i - 1].is("(");  // ({ ... }), a form that macros use
      add(once ? Region::Kind::Scope : Region::Kind::Body, i, partner_[i] + 1);
      if (depth >= kMaxNesting) add(Region::Kind::TooDeep, i, partner_[i] + 1);
      if (depth < kMaxNesting) statements(i + 1, partner_[i], depth + 1);
      i = partner_[i];
    }
  }
}

bool HostFunction::runs_before(std::size_t index, std::size_t later, bool operands) const {
  for (std::size_t r = region_of_[index]; r != kNone; r = regions_[r].parent) {
    const Region& region = regions_[r];
    const bool passes = region.kind == Region::Kind::Scope || (operands && region.kind == Region::Kind::Operand);
    if (!passes && !region.holds(later)) return false;
  }
  return index < later;
}

bool HostFunction::statement_runs_before(std::size_t begin, std::size_t later) const {
  std::size_t r = region_of_[begin];
  while (r != kNone && regions_[r].begin == begin) r = regions_[r].parent;
  for (; r != kNone; r = regions_[r].parent) {
    if (regions_[r].kind != Region::Kind::Scope && !regions_[r].holds(later)) return false;
  }
  return begin < later;
}

std::string_view HostFunction::repeated(std::size_t index) const {
  for (std::size_t r = region_of_[index]; r != kNone; r = regions_[r].parent) {
    switch (regions_[r].kind) {
      case Region::Kind::Loop: return "is in a loop and may run several times";
      case Region::Kind::Switch: return "is in a switch: the code that runs before it is not known";
      case Region::Kind::Body: return "is in a lambda or a local class: when and how often it runs is not known";
      case Region::Kind::TooDeep: return "follows statements that are nested too deeply";
      case Region::Kind::Scope:
      case Region::Kind::Conditional:
      case Region::Kind::Operand: break;
    }
  }
  for (const std::size_t jump : places("goto")) {
    const Token& target = at(jump + 1);
    const auto label = labels_.find(target.text);
    const bool known = target.is_name() && label != labels_.end();
    if (!known || label->second < index) return "may be reached by a goto: when and how often it runs is not known";
  }
  return {};
}

// ---- names ----

const std::vector<std::size_t>& HostFunction::places(std::string_view name) const {
  static const std::vector<std::size_t> kNowhere;
  const auto found = places_.find(name);
  return found == places_.end() ? kNowhere : found->second;
}

std::optional<std::size_t> HostFunction::declaration(std::string_view name, std::size_t index) const {
  const auto found = declarations_.find(name);
  if (found == declarations_.end()) return std::nullopt;
  std::optional<std::size_t> last;
  for (const Declared& declared : found->second) {
    if (declared.index > index) break;
    if (index < declared.end) last = declared.index;
  }
  return last;
}

/// Returns whether the `]` at `close` ends the captures of a lambda, and not an index.
bool HostFunction::begins_lambda(std::size_t close) const {
  if (!at(close).is("]")) return false;
  const std::size_t open = partner_[close];
  if (open == 0) return true;
  const Token& before = code_[open - 1];
  return before.is("return") || !(before.is_name() || before.is(")") || before.is("]"));
}

HostFunction::Around HostFunction::around(std::size_t index) const {
  const std::size_t open = around_[index];
  if (open == kNone || open == 0) return Around::Block;
  const Token& before = code_[open - 1];
  if (code_[open].is("[")) {
    const Token& type = before.is("&") || before.is("&&") ? at(open - 2) : before;
    return type.is("auto") ? Around::Bindings : Around::Values;
  }
  if (code_[open].is("{")) {
    const std::size_t begin = statement_[open];
    const std::size_t word = at(begin).is("typedef") ? begin + 1 : begin;
    const bool scoped = at(word + 1).is("class") || at(word + 1).is("struct");
    if (at(word).is("enum")) return scoped ? Around::Values : Around::Enumerators;
    return before.is_any({"=", ",", "return"}) ? Around::Values : Around::Block;
  }
  if (open == parameters_ || before.is("catch") || begins_lambda(open - 1)) return Around::Parameters;
  if (before.is("for")) return Around::For;
  const bool condition = before.is_any({"if", "while", "switch", "constexpr"});
  return condition ? Around::Condition : Around::Values;
}

/// Returns whether a declaration declares the name at `index`: `T name`, `T *name`, `T &name` or `T a, name`. The next
/// token must be one that can follow a declarator.
bool HostFunction::declares(std::size_t index) const {
  static const std::set<std::string, std::less<>> kNoTypes = {
      "return", "else", "case",      "goto",     "throw",    "delete",   "new",
      "sizeof", "do",   "co_return", "co_yield", "co_await", "operator", "namespace"};
  if (index == 0) return false;
  const Around place = around(index);
  const Token& before = code_[index - 1];
  const Token& after = at(index + 1);
  const bool listed = before.is_any({"{", "[", ","});
  if (place == Around::Bindings) return listed;
  if (place == Around::Enumerators) return listed && after.is_any({"=", ",", "}"});
  const bool ends = after.is_any({"=", ";", ",", "(", "{", "["}) || (after.is(")") && place == Around::Parameters) ||
                    (after.is(":") && place == Around::For);
  const Token& first = code_[statement_[index]];
  // `extern` declares a variable of the file, not a local variable
  if (!ends || first.is("extern") || kNoTypes.contains(first.text)) return false;
  if (before.is_name()) return !kNoTypes.contains(before.text);
  if (before.is(")") && at(partner_[index - 1] - 1).is("decltype")) return true;
  return declares_after_type(index, place);
}

/// Returns whether a star belongs to a declaration `T *name`, and not to a product as in `n = a * name`. In arguments
/// and conditions, `a * b` is a product.
bool HostFunction::declares_after_type(std::size_t index, Around place) const {
  const std::size_t begin = statement_[index];
  const Token& after = at(index + 1);
  if (place == Around::Values || (place == Around::Condition && !after.is("="))) return false;
  if (place == Around::For && begin != around_[index] + 1) return false;
  const Token& before = code_[index - 1];
  const bool reference = before.is("&") || before.is("&&");
  const bool assigned = after.is("=") || after.is("{") || (before.is("&") && after.is("("));
  if (reference && place == Around::Block && !assigned) return false;  // a && f(x);
  if (reference || before.is("*") || before.is(">")) {
    std::size_t i = index - 1;
    while (i > begin && (code_[i].is_name() || code_[i].is_any({"*", "::", "<", ">", "&", "&&"}))) {
      --i;
    }
    if (i == begin ? code_[i].is_name() : code_[i].is(",") && place == Around::Parameters) return true;
  }
  std::size_t star = index - 1;
  while (star > 0 && (code_[star].is("*") || code_[star].is("&"))) --star;
  return code_[star].is(",") && begin + 1 < index && begins_declaration(begin);
}

/// Returns true for `T name`, `a::T *name`, `T<int> name`.
bool HostFunction::begins_declaration(std::size_t begin) const {
  std::size_t words = 0;
  std::size_t i = begin;
  while (at(i).is_name() || at(i).is("::") || at(i).is("<")) {
    if (at(i).is_name() && (i == begin || !code_[i - 1].is("::"))) ++words;
    i = at(i).is("<") ? skip_angles(code_, i) : i + 1;
  }
  const bool pointer = at(i).is_any({"*", "&", "&&"});
  return words > 1 || (words == 1 && pointer);
}

/// Returns the index after the scope of a declared name.
std::size_t HostFunction::scope_end(std::size_t declared) const {
  const std::size_t open = around_[declared];
  const bool enumerator = around(declared) == Around::Enumerators;
  // a parameter of a lambda or of a function declaration
  if (!enumerator && open != parameters_ && is_parameter(declared)) {
    std::size_t i = partner_[open] + 1;
    while (i < code_.size() && !code_[i].is("{") && !code_[i].is(";") && !code_[i].closes()) ++i;
    return at(i).is("{") ? partner_[i] : i;
  }
  std::size_t region = region_of_[enumerator ? open - 1 : declared];
  while (region != kNone && regions_[region].kind == Region::Kind::Operand) region = regions_[region].parent;
  return region == kNone ? code_.size() : regions_[region].end;
}

bool HostFunction::is_parameter(std::size_t declared) const {
  const std::size_t open = around_[declared];
  if (open == kNone || !code_[open].is("(")) return false;
  const Token& before = open == 0 ? code_[open] : code_[open - 1];
  return !before.is("for") && !before.is("if") && !before.is("while") && !before.is("switch") &&
         !before.is("constexpr");
}

Tokens HostFunction::type_of(std::size_t declared) const {
  Tokens type;
  for (std::size_t i = statement_[declared]; i < declared; ++i) {
    const Token& next = code_[i + 1];
    const bool declarator = next.is_any({"=", ",", "(", "[", "{"});
    if (code_[i].is("*") || (code_[i].is_name() && declarator)) break;
    if (code_[i].is("[")) i = partner_[i];  // [[maybe_unused]]
    const bool says_nothing = code_[i].is_any({"const", "static", "constexpr", "]", "&", "&&"});
    if (!says_nothing) type.push_back(code_[i]);
  }
  for (std::size_t i = declared; i > 0 && code_[i - 1].is("*"); --i) type.push_back(code_[i - 1]);
  return type;
}

bool HostFunction::is_reference(std::size_t declared) const {
  return code_[declared - 1].is("&") || code_[declared - 1].is("&&");
}

bool HostFunction::is_constant(std::size_t declared) const {
  if (code_[declared - 1].is("*") || is_parameter(declared)) return false;
  for (std::size_t i = statement_[declared]; i < declared && !code_[i].is("=") && !code_[i].is("("); ++i) {
    if (code_[i].is("*")) return false;
    if (code_[i].is("const") || code_[i].is("constexpr")) return true;
  }
  return false;
}

}  // namespace ambit::parser::cuda
