#include "parser/cuda_host_function.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace ambit::parser::cuda {
namespace {

constexpr int kMaxDepth = 200;  // of statements in statements

bool opens(const Token& token) {
  return token.kind == TokenKind::Punctuator && (token.is("(") || token.is("[") || token.is("{"));
}
bool closes(const Token& token) {
  return token.kind == TokenKind::Punctuator && (token.is(")") || token.is("]") || token.is("}"));
}

}  // namespace

HostFunction::HostFunction(const Tokens& code) : code_(code) {
  pair_brackets();
  index_names();
  if (!code_.empty() && code_.back().is("}")) {
    const std::size_t body = partner_.back();
    for (std::size_t i = 0; i < body && parameters_ == kNone; ++i) {
      if (code_[i].is("(") && i > 0 && code_[i - 1].is_name()) parameters_ = i;
    }
    statements(body + 1, code_.size() - 1, 0);
  }
  nest_regions();
  for (const auto& [name, all] : places_) {
    for (const std::size_t place : all) {
      if (declares(place)) declarations_[name].push_back(place);
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
    if (closes(token) && !open.empty()) {
      partner_[i] = open.back();
      partner_[open.back()] = i;
      open.pop_back();
      begin.pop_back();
    }
    around_[i] = open.empty() ? kNone : open.back();
    statement_[i] = begin.back();
    if (opens(token)) {
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

/// Finds the innermost region of each token; regions lie in each other or apart.
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

// ---- statements

std::size_t HostFunction::add(Region::Kind kind, std::size_t begin, std::size_t end) {
  regions_.push_back({kind, begin, end, kNone});
  return regions_.size() - 1;
}

void HostFunction::statements(std::size_t begin, std::size_t end, int depth) {
  while (begin < end) begin = std::max(statement(begin, end, depth), begin + 1);
}

/// A statement that is a region of its own.
std::size_t HostFunction::part(Region::Kind kind, std::size_t begin, std::size_t end, int depth) {
  const std::size_t region = add(kind, begin, end);
  return regions_[region].end = statement(begin, end, depth + 1);
}

/// Index behind the statement at `begin`.
std::size_t HostFunction::statement(std::size_t begin, std::size_t end, int depth) {
  if (begin >= end) return end;
  if (depth > kMaxDepth) {
    add(Region::Kind::Body, begin, end);
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
  if (token.is("for") || token.is("while") || token.is("switch")) return loop_statement(begin, end, depth);
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
  while (stop < end && !code_[stop].is(";")) stop = opens(code_[stop]) ? partner_[stop] + 1 : stop + 1;
  expression(begin, std::min(stop, end), depth);
  return std::min(stop + 1, end);
}

std::size_t HostFunction::if_statement(std::size_t begin, std::size_t end, int depth) {
  std::size_t open = begin + 1;
  while (open < end && !code_[open].is("(") && !code_[open].is("{") && !code_[open].is(";")) ++open;
  const std::size_t region = add(Region::Kind::Scope, begin, end);
  if (open >= end || !code_[open].is("(")) return regions_[region].end = statement(open, end, depth + 1);
  expression(open + 1, partner_[open], depth);
  std::size_t behind = part(Region::Kind::Conditional, partner_[open] + 1, end, depth);
  if (behind < end && code_[behind].is("else")) behind = part(Region::Kind::Conditional, behind + 1, end, depth);
  return regions_[region].end = behind;
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

/// A macro's do { } while (0) runs once; with a break in it perhaps not to its end.
std::size_t HostFunction::do_statement(std::size_t begin, std::size_t end, int depth) {
  const std::size_t region = add(Region::Kind::Loop, begin, end);
  const std::size_t behind = statement(begin + 1, end, depth + 1);
  const std::size_t open = behind + 1;
  if (open >= end || !code_[behind].is("while") || !code_[open].is("(")) return regions_[region].end = behind;
  const std::size_t close = partner_[open];
  if (close == open + 2 && (code_[open + 1].is("0") || code_[open + 1].is("false"))) {
    regions_[region].kind = leaves(begin, behind) ? Region::Kind::Conditional : Region::Kind::Scope;
  }
  return regions_[region].end = std::min(close + (at(close + 1).is(";") ? 2 : 1), end);
}

bool HostFunction::leaves(std::size_t begin, std::size_t end) const {
  return std::any_of(code_.begin() + static_cast<std::ptrdiff_t>(begin),
                     code_.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Token& token) { return token.is("break") || token.is("continue"); });
}

std::size_t HostFunction::try_statement(std::size_t begin, std::size_t end, int depth) {
  std::size_t behind = part(Region::Kind::Conditional, begin + 1, end, depth);
  while (behind + 1 < end && code_[behind].is("catch") && code_[behind + 1].is("(")) {
    behind = part(Region::Kind::Conditional, partner_[behind + 1] + 1, end, depth);
  }
  return behind;
}

/// The operands that may not be evaluated, and the bodies of lambdas.
void HostFunction::expression(std::size_t begin, std::size_t end, int depth) {
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = code_[i];
    if (token.is("&&") || token.is("||") || token.is("?")) {
      const std::size_t open = around_[i];
      const std::size_t close = open == kNone || open < begin ? end : partner_[open];
      add(Region::Kind::Operand, i, std::min(close, end));
    } else if (token.is("{")) {
      const bool once = i > 0 && code_[i - 1].is("(");  // ({ ... }), as macros have it
      add(once ? Region::Kind::Scope : Region::Kind::Body, i, partner_[i] + 1);
      if (depth < kMaxDepth) statements(i + 1, partner_[i], depth + 1);
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

std::string_view HostFunction::repeated(std::size_t index) const {
  for (std::size_t r = region_of_[index]; r != kNone; r = regions_[r].parent) {
    switch (regions_[r].kind) {
      case Region::Kind::Loop: return "stands in a loop: there may be several";
      case Region::Kind::Switch: return "stands in a switch: what runs before it is not known";
      case Region::Kind::Body: return "stands in a lambda or a local class: when it runs, and how often, is not known";
      case Region::Kind::Scope:
      case Region::Kind::Conditional:
      case Region::Kind::Operand: break;
    }
  }
  for (const std::size_t jump : places("goto")) {
    const Token& target = at(jump + 1);
    const auto label = labels_.find(target.text);
    const bool known = target.is_name() && label != labels_.end();
    if (!known || label->second < index)
      return "may be reached by a goto: what runs before it, and how often, is not known";
  }
  return {};
}

// ---- names

const std::vector<std::size_t>& HostFunction::places(std::string_view name) const {
  static const std::vector<std::size_t> kNowhere;
  const auto found = places_.find(name);
  return found == places_.end() ? kNowhere : found->second;
}

std::optional<std::size_t> HostFunction::declaration(std::string_view name, std::size_t index) const {
  const auto found = declarations_.find(name);
  if (found == declarations_.end()) return std::nullopt;
  const std::vector<std::size_t>& all = found->second;
  for (auto it = std::upper_bound(all.begin(), all.end(), index); it != all.begin();) {
    const std::size_t region = region_of_[*--it];
    if (region == kNone || regions_[region].holds(index)) return *it;
  }
  return std::nullopt;
}

/// `T name`, `T *name`, `T a, name` before what may follow a declarator.
bool HostFunction::declares(std::size_t index) const {
  static const std::set<std::string, std::less<>> kNoTypes = {"return", "else",   "case", "goto",
                                                              "throw",  "delete", "new",  "sizeof"};
  if (index == 0) return false;
  const Token& after = at(index + 1);
  const bool parameter = after.is(")") && parameters_ != kNone && around_[index] == parameters_;
  const bool ends =
      parameter || after.is("=") || after.is(";") || after.is(",") || after.is("(") || after.is("{") || after.is("[");
  if (!ends) return false;
  const Token& before = code_[index - 1];
  if (before.is_name()) return !kNoTypes.contains(before.text);
  const std::size_t begin = statement_[index];
  if (before.is("*") || before.is(">")) {
    // `T * name`, not `n = a * name`; a parameter's type stands behind a comma.
    std::size_t i = index - 1;
    while (i > begin &&
           (code_[i].is_name() || code_[i].is("*") || code_[i].is("::") || code_[i].is("<") || code_[i].is(">"))) {
      --i;
    }
    const bool only_type = i == begin ? code_[i].is_name() : code_[i].is(",") && around_[index] == parameters_;
    if (only_type) return true;
  }
  std::size_t star = index - 1;
  while (star > 0 && code_[star].is("*")) --star;
  return code_[star].is(",") && begin + 1 < index && code_[begin].is_name() &&
         (code_[begin + 1].is_name() || code_[begin + 1].is("*"));
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
    const bool declarator = next.is("=") || next.is(",") || next.is("(") || next.is("[") || next.is("{");
    if (code_[i].is("*") || (code_[i].is_name() && declarator)) break;
    if (!code_[i].is("const") && !code_[i].is("static") && !code_[i].is("constexpr")) type.push_back(code_[i]);
  }
  for (std::size_t i = declared; i > 0 && code_[i - 1].is("*"); --i) type.push_back(code_[i - 1]);
  return type;
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
