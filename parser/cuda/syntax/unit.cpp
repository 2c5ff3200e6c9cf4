#include "parser/cuda/syntax/unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ambit::parser::cuda {
namespace {

constexpr std::array<std::string_view, 6> kDeviceWords = {"__global__",   "__device__",  "__shared__",
                                                          "__constant__", "__managed__", "__grid_constant__"};
constexpr std::array<std::string_view, 6> kWithArguments = {"__launch_bounds__", "__align__",        "alignas",
                                                            "__attribute__",     "__cluster_dims__", "__maxnreg__"};
constexpr std::array<std::string_view, 6> kAlone = {"noexcept",          "__inline__", "__inline",
                                                    "__grid_constant__", "__restrict", "mutable"};

template <std::size_t N>
bool is_name_of(const Token& token, const std::array<std::string_view, N>& words) {
  return token.is_name() && std::find(words.begin(), words.end(), token.text) != words.end();
}

/// The properties of a declaration that follow from the words before its first declarator.
struct Shape {
  bool is_device = false;
  bool is_kernel = false;
  bool is_constexpr = false;
  bool is_function = false;
  bool is_definition = false;
  std::vector<std::size_t> names;  ///< indices of the declared names
};

/// Reads the words before the first declarator, then the name of each declarator.
Shape shape_of(const Tokens& tokens) {
  Shape shape;
  std::optional<std::size_t> name;
  bool in_declarator = true;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::size_t past = skip_attribute(tokens, i);
    if (past != i) {
      i = past - 1;
      continue;
    }
    const Token& token = tokens[i];
    shape.is_device |= is_name_of(token, kDeviceWords);
    shape.is_kernel |= token.is("__global__");
    shape.is_constexpr |= token.is("constexpr");
    if (!in_declarator) {
      if (token.opens()) i = skip_group(tokens, i) - 1;
      if (token.is(",")) in_declarator = true;
    } else if (token.is_name()) {
      name = i;
    } else if (token.is("<") && name) {
      i = skip_angles(tokens, i) - 1;
    } else if (token.is("(") && name && shape.names.empty()) {
      shape.names.push_back(*name);
      shape.is_function = true;
      shape.is_definition = tokens.back().is("}");
      break;
    } else if (name && token.is_any({"=", "[", "{", ",", ";"})) {
      shape.names.push_back(*name);
      in_declarator = token.is(",");
      if (token.is("[") || token.is("{")) i = skip_group(tokens, i) - 1;
    }
  }
  return shape;
}

}  // namespace

Tokens initializer_of(const Tokens& tokens, std::size_t name_index) {
  const std::size_t at = name_index + 1;
  if (at >= tokens.size()) return {};
  if (tokens[at].is("(") || tokens[at].is("{")) return slice(tokens, at + 1, skip_group(tokens, at) - 1);
  if (!tokens[at].is("=")) return {};
  std::size_t end = at + 1;
  while (end < tokens.size() && !tokens[end].is(",") && !tokens[end].is(";")) {
    const bool opens = tokens[end].opens();
    end = opens ? skip_group(tokens, end) : end + 1;
  }
  return slice(tokens, at + 1, end);
}

std::size_t skip_attribute(const Tokens& tokens, std::size_t at) {
  const Token& token = tokens[at];
  const bool has_next = at + 1 < tokens.size();
  if (is_name_of(token, kAlone)) return at + 1;
  if (is_name_of(token, kWithArguments) && has_next && tokens[at + 1].is("(")) return skip_group(tokens, at + 1);
  if (token.is("[") && has_next && tokens[at + 1].is("[") && !tokens[at + 1].spaced) return skip_group(tokens, at);
  if (token.is("extern") && has_next && tokens[at + 1].kind == TokenKind::Text) return at + 2;
  return at;
}

Unit::Unit(const Tokens& code, Reporter& reporter) : tokens_(code), reporter_(reporter) {
  read_until(tokens_.size());
  qualify_shared_names();
}

/// Qualifies names that several namespaces declare, for example a::f and b::f.
void Unit::qualify_shared_names() {
  std::map<std::string, std::set<std::string>> spaces;
  for (const Declaration& one : declarations_) spaces[one.name].insert(one.space);
  for (const auto& [name, of_name] : spaces) {
    if (of_name.size() > 1) shared_names_.insert(name);
  }
  if (shared_names_.empty()) return;
  by_name_.clear();
  for (std::size_t i = 0; i < declarations_.size(); ++i) {
    Declaration& one = declarations_[i];
    if (shared_names_.contains(one.name) && !one.space.empty()) one.name = fmt::format("{}::{}", one.space, one.name);
    by_name_.emplace(one.name, i);
  }
}

std::optional<std::string> Unit::in_namespaces(const std::string& name, const std::string& space) const {
  const std::size_t colon = name.rfind("::");
  if (!shared_names_.contains(colon == std::string::npos ? name : name.substr(colon + 2))) return std::nullopt;
  if (const auto found = imports_.find(name); found != imports_.end() && by_name_.contains(found->second)) {
    return found->second;
  }
  std::vector<std::string> around = {space};
  while (!around.back().empty()) {
    const std::size_t end = around.back().rfind("::");
    around.push_back(end == std::string::npos ? "" : around.back().substr(0, end));
  }
  around.insert(around.end(), opened_.begin(), opened_.end());
  for (const std::string& outer : around) {
    std::string whole = outer.empty() ? name : fmt::format("{}::{}", outer, name);
    if (by_name_.contains(whole)) return whole;
  }
  return std::nullopt;
}

std::vector<std::size_t> Unit::find(std::string_view name) const {
  std::vector<std::size_t> found;
  const auto [begin, end] = by_name_.equal_range(name);
  for (auto it = begin; it != end; ++it) found.push_back(it->second);
  return found;
}

const std::string* Unit::namespace_alias(const std::string& name) const {
  const auto found = aliases_.find(name);
  return found == aliases_.end() ? nullptr : &found->second;
}

std::string Unit::imported(const std::string& name) const {
  if (const auto found = imports_.find(name); found != imports_.end()) return found->second;
  static const std::map<std::string, std::string> kMembers = {{"atomic", "cuda"},
                                                              {"atomic_ref", "cuda"},
                                                              {"barrier", "cuda"},
                                                              {"pipeline", "cuda"},
                                                              {"pipeline_shared_state", "cuda"},
                                                              {"make_pipeline", "cuda"},
                                                              {"aligned_size_t", "cuda"},
                                                              {"this_thread_block", "cooperative_groups"},
                                                              {"this_grid", "cooperative_groups"},
                                                              {"this_cluster", "cooperative_groups"}};
  const auto member = kMembers.find(name);
  if (member == kMembers.end()) return name;
  for (const std::string& space : {member->second, member->second + "::std"}) {
    if (opened_.contains(space)) return fmt::format("{}::{}", space, name);
  }
  return name;
}

bool Unit::is_at(std::string_view text, std::size_t ahead) const {
  return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].is(text);
}

void Unit::add(Declaration declaration) {
  if (declaration.group == Declaration::kNoGroup) declaration.group = at_;
  declaration.is_template = in_template_;
  declaration.space = space_;
  declaration.parameters = template_parameters_;
  by_name_.emplace(declaration.name, declarations_.size());
  declarations_.push_back(std::move(declaration));
}

void Unit::read_until(std::size_t end) {
  while (at_ < end) {
    if (is_at(";")) {
      ++at_;
    } else {
      template_parameters_.clear();
      in_template_ = false;
      read_one(end);
    }
  }
}

void Unit::read_one(std::size_t end) {
  while (is_at("template")) read_template();
  if (at_ >= end) return;
  if (is_at("inline") && is_at("namespace", 1)) ++at_;
  if (is_at("namespace")) return read_namespace();
  if (is_at("using")) return read_using(end);
  if (is_at("typedef")) return read_typedef(end);
  if (is_at("static_assert") || is_at("_Static_assert")) {
    at_ = statement_end(at_, end);
    return;
  }
  if (is_at("extern") && at_ + 1 < end && tokens_[at_ + 1].kind == TokenKind::Text) {
    at_ += 2;
    if (!is_at("{")) return read_one(end);
    const std::size_t close = skip_group(tokens_, at_++);
    read_until(close - 1);
    at_ = close;
    return;
  }
  if (is_at("enum")) return read_enum(end);
  if ((is_at("struct") || is_at("class") || is_at("union")) && read_struct(end)) return;
  read_declaration(end);
}

void Unit::read_namespace() {
  ++at_;
  std::string name;
  while (at_ < tokens_.size() && (tokens_[at_].is_name() || is_at("::"))) name += tokens_[at_++].text;
  if (is_at("=")) {
    ++at_;
    std::string target;
    while (at_ < tokens_.size() && !is_at(";")) target += tokens_[at_++].text;
    aliases_[name] = target;
    return;
  }
  if (!is_at("{")) return;
  for (std::size_t begin = 0; begin < name.size();) {  // a::b opens both
    const std::size_t colon = std::min(name.find("::", begin), name.size());
    namespaces_.insert(name.substr(begin, colon - begin));
    begin = colon + 2;
  }
  const std::size_t close = skip_group(tokens_, at_);
  ++at_;
  const std::string outer = space_;
  if (!name.empty()) space_ += (outer.empty() ? "" : "::") + name;
  read_until(close - 1);
  space_ = outer;
  at_ = close;
}

void Unit::read_using(std::size_t end) {
  const std::size_t past = statement_end(at_, end);
  const SourceSpan span = tokens_[at_].span;
  if (is_at("namespace", 1)) {
    std::string name;
    for (std::size_t i = at_ + 2; i + 1 < past; ++i) name += tokens_[i].text;
    const std::string* alias = namespace_alias(name);
    opened_.insert(alias != nullptr ? *alias : name);
  } else if (is_at("=", 2)) {
    Declaration alias;
    alias.kind = Declaration::Kind::Alias;
    alias.name = tokens_[at_ + 1].text;
    alias.tokens = slice(tokens_, at_ + 3, past - 1);
    alias.span = span;
    add(std::move(alias));
  } else {
    std::string name;
    for (std::size_t i = at_ + 1; i + 1 < past; ++i) name += tokens_[i].text;
    const std::size_t colon = name.rfind("::");
    if (colon != std::string::npos) imports_[name.substr(colon + 2)] = name;
  }
  at_ = past;
}

void Unit::read_typedef(std::size_t end) {
  const std::size_t past = statement_end(at_, end);
  ++at_;
  if (is_at("struct") || is_at("class") || is_at("union") || is_at("enum")) {
    const bool is_enum = is_at("enum");
    const std::size_t open = static_cast<std::size_t>(std::find_if(tokens_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                                   tokens_.begin() + static_cast<std::ptrdiff_t>(past),
                                                                   [](const Token& t) { return t.is("{"); }) -
                                                      tokens_.begin());
    if (open < past && tokens_[past - 2].is_name()) {
      const std::size_t close = skip_group(tokens_, open);
      Declaration made;
      made.span = tokens_[at_].span;
      made.name = tokens_[past - 2].text;
      if (is_enum) {
        add_enumerators(slice(tokens_, open + 1, close - 1), made.name, false);
      } else {
        made.kind = Declaration::Kind::Struct;
        made.tokens = slice(tokens_, open + 1, close - 1);
        if (is_at("union")) made.tokens.insert(made.tokens.begin(), tokens_[at_]);
        add(std::move(made));
      }
      at_ = past;
      return;
    }
  }
  if (past >= at_ + 3 && tokens_[past - 2].is_name()) {
    Declaration alias;
    alias.kind = Declaration::Kind::Alias;
    alias.name = tokens_[past - 2].text;
    alias.tokens = slice(tokens_, at_, past - 2);
    alias.span = tokens_[past - 2].span;
    const bool itself = alias.tokens.size() == 2 && alias.tokens.back().text == alias.name;  // typedef struct S S;
    if (!itself) add(std::move(alias));
  }
  at_ = past;
}

void Unit::read_template() {
  in_template_ = true;
  const std::size_t past = is_at("<", 1) ? skip_angles(tokens_, at_ + 1) : at_ + 1;
  for (const Tokens& part : split_at_commas(slice(tokens_, at_ + 2, std::max(past, at_ + 3) - 1))) {
    Declaration::Parameter parameter;
    const auto equals = std::find_if(part.begin(), part.end(), [](const Token& token) { return token.is("="); });
    parameter.is_type = !part.empty() && (part.front().is("typename") || part.front().is("class"));
    if (equals != part.begin() && (equals - 1)->is_name()) parameter.name = (equals - 1)->text;
    if (equals != part.end()) parameter.fallback = {equals + 1, part.end()};
    template_parameters_.push_back(std::move(parameter));
  }
  at_ = past;
}

void Unit::add_enumerators(const Tokens& body, const std::string& scope, bool scoped) {
  const Token* previous = nullptr;
  for (const Tokens& part : split_at_commas(body)) {
    if (part.empty() || !part.front().is_name()) continue;
    Declaration made;
    made.kind = Declaration::Kind::Enumerator;
    made.span = part.front().span;
    made.name = scope.empty() ? part.front().text : scope + "::" + part.front().text;
    if (part.size() > 2 && part[1].is("=")) {
      made.tokens = slice(part, 2, part.size());
    } else if (previous != nullptr) {  // the value is the value of the previous enumerator plus one
      Token before = *previous;
      if (!scope.empty()) before.text = scope + "::" + before.text;
      Token plus = before;
      plus.kind = TokenKind::Punctuator;
      plus.text = "+";
      Token one = before;
      one.kind = TokenKind::Number;
      one.text = "1";
      made.tokens = {before, plus, one};
    } else {
      Token zero = part.front();
      zero.kind = TokenKind::Number;
      zero.text = "0";
      made.tokens = {zero};
    }
    previous = &part.front();
    Declaration plain = made;
    plain.name = part.front().text;
    add(std::move(made));
    if (!scoped && !scope.empty()) add(std::move(plain));
  }
  if (scope.empty()) return;
  Declaration type;
  type.kind = Declaration::Kind::Alias;
  type.name = scope;
  Token integer;
  integer.kind = TokenKind::Name;
  integer.text = "int";
  type.tokens = {integer};
  add(std::move(type));
}

void Unit::read_enum(std::size_t end) {
  const std::size_t past = statement_end(at_, end);
  std::size_t i = at_ + 1;
  const bool scoped = i < past && (tokens_[i].is("class") || tokens_[i].is("struct"));
  if (scoped) ++i;
  const std::string name = i < past && tokens_[i].is_name() ? tokens_[i++].text : "";
  Tokens underlying;
  if (i < past && tokens_[i].is(":")) {
    for (++i; i < past && !tokens_[i].is("{") && !tokens_[i].is(";"); ++i) underlying.push_back(tokens_[i]);
  }
  if (i < past && tokens_[i].is("{")) {
    add_enumerators(slice(tokens_, i + 1, skip_group(tokens_, i) - 1), name, scoped);
    if (!underlying.empty() && !name.empty()) declarations_.back().tokens = std::move(underlying);
  }
  at_ = past;
}

/// Reads the definition of a struct and the variables after it. Returns false for a declaration such as `struct S x;`.
bool Unit::read_struct(std::size_t end) {
  std::size_t i = at_ + 1;
  while (i < end && skip_attribute(tokens_, i) != i) i = skip_attribute(tokens_, i);
  if (i + 1 >= end || !tokens_[i].is_name()) return false;
  if (tokens_[i + 1].is(";")) {  // a declaration without a definition
    at_ = i + 2;
    return true;
  }
  std::size_t open = i + 1;
  if (tokens_[open].is("final")) ++open;
  if (open >= end) return false;
  const bool derived = tokens_[open].is(":");
  while (derived && open < end && !tokens_[open].is("{") && !tokens_[open].is(";")) ++open;
  if (open >= end || !tokens_[open].is("{")) return false;
  Declaration made;
  made.kind = Declaration::Kind::Struct;
  made.name = tokens_[i].text;
  made.span = tokens_[i].span;
  const std::size_t close = skip_group(tokens_, open);
  made.tokens = slice(tokens_, open + 1, close - 1);
  if (is_at("union") || derived) made.tokens.insert(made.tokens.begin(), derived ? tokens_[i + 1] : tokens_[at_]);
  add(std::move(made));
  const std::size_t past = statement_end(close, end);
  if (past > close + 1) {  // struct S { ... } x;
    Declaration variable;
    variable.tokens = slice(tokens_, close, past);
    variable.tokens.insert(variable.tokens.begin(), tokens_[i]);
    const Shape shape = shape_of(variable.tokens);
    variable.kind = shape.is_device ? Declaration::Kind::Device : Declaration::Kind::Constant;
    if (!shape.names.empty()) {
      variable.group = close;
      variable.name_index = shape.names.front();
      variable.name = variable.tokens[shape.names.front()].text;
      variable.span = variable.tokens[shape.names.front()].span;
      add(std::move(variable));
    }
  }
  at_ = past;
  return true;
}

/// Returns the index after the next ';' outside of brackets.
std::size_t Unit::statement_end(std::size_t begin, std::size_t end) const {
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens_[i].is(";")) return i + 1;
    if (tokens_[i].opens()) i = skip_group(tokens_, i) - 1;
  }
  return end;
}

/// Returns the index after a declaration: after its ';', or after the '}' of a function's body.
std::size_t Unit::declaration_end(std::size_t begin, std::size_t end) const {
  bool function = false;
  bool initialized = false;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    if (token.is(";")) return i + 1;
    if (token.is("=")) initialized = true;
    if (!token.is("(") && !token.is("[") && !token.is("{")) continue;
    const std::size_t past = skip_group(tokens_, i);
    if (token.is("(") && !initialized) function = true;
    const bool body = token.is("{") && function && !initialized;
    // Member initializers of a constructor may also have braces; the last braces are the body.
    if (body && (past >= end || (!tokens_[past].is(",") && !tokens_[past].is("{")))) return past;
    i = past - 1;
  }
  return end;
}

void Unit::read_declaration(std::size_t end) {
  const std::size_t past = std::max(declaration_end(at_, end), at_ + 1);
  const std::size_t group = at_;
  const Tokens tokens = slice(tokens_, at_, past);
  at_ = past;
  const Shape shape = shape_of(tokens);
  if (shape.names.empty() || shared_ > kMaxShared) return;
  shared_ += (shape.names.size() - 1) * tokens.size();
  if (shared_ > kMaxShared) {
    reporter_.error(tokens[shape.names.front()].span, "too many names in one declaration",
                    "declare the names separately");
    return;
  }
  const bool device = shape.is_device || (shape.is_function && shape.is_constexpr);
  for (const std::size_t index : shape.names) {
    Declaration made;
    made.name = tokens[index].text;
    made.span = tokens[index].span;
    made.tokens = tokens;
    made.kind = device              ? Declaration::Kind::Device
                : shape.is_function ? Declaration::Kind::Host
                                    : Declaration::Kind::Constant;
    made.is_kernel = shape.is_kernel;
    made.is_definition = shape.is_definition;
    made.is_function = shape.is_function;
    made.group = group;
    made.name_index = index;
    add(std::move(made));
  }
}

}  // namespace ambit::parser::cuda
