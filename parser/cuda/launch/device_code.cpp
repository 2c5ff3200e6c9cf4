#include "parser/cuda/launch/device_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/plural.h"
#include "parser/cuda/library/library_names.h"
#include "parser/cuda/syntax/constant.h"
#include "parser/cuda/syntax/host_type.h"

namespace ambit::parser::cuda {

Token number_token(std::int64_t value, const Token& use) {
  Token made = use;
  made.kind = TokenKind::Number;
  made.text = value < 0 ? fmt::format("(-{})", 0 - static_cast<std::uint64_t>(value)) : std::to_string(value);
  return made;
}

namespace {

constexpr std::size_t kMaxNeeded = 2000;

bool is_elaboration(const Token& token) { return token.is_any({"struct", "class", "union", "enum", "typename"}); }

/// Returns whether the litmus language has a name of std:: or cuda::std:: without the namespace.
bool is_plain_in_std(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kNames = {"int8_t",  "int16_t",  "int32_t",  "int64_t",
                                                              "uint8_t", "uint16_t", "uint32_t", "uint64_t",
                                                              "size_t",  "min",      "max",      "nullptr_t"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string joined_by(const std::vector<std::string>& parts, std::string_view between) {
  std::string whole;
  for (const std::string& part : parts) whole += (whole.empty() ? "" : std::string(between)) + part;
  return whole;
}

Piece piece_of(const Token& token) {
  Piece piece{token.text, token.span, Piece::Kind::Plain, true};
  if (token.kind == TokenKind::Number) std::erase(piece.text, '\'');
  if (token.kind == TokenKind::Character) {
    if (const std::optional<std::int64_t> value = literal_value(token)) piece.text = std::to_string(*value);
  }
  return piece;
}

}  // namespace

Pieces DeviceCode::copy(const Tokens& tokens) {
  Pieces pieces;
  for (const Token& token : tokens) {
    Piece piece = piece_of(token);
    const bool comment = !pieces.empty() && pieces.back().text == "(" && token.text.starts_with('*');
    piece.spaced = token.spaced || comment;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

Pieces DeviceCode::rewrite(const Tokens& tokens, const Substitution& arguments, const std::string& structure) {
  Pieces pieces;
  rewrite(tokens, Context{&arguments, structure, 0}, pieces);
  return pieces;
}

void DeviceCode::rewrite(const Tokens& tokens, const Context& context, Pieces& pieces) {
  for (std::size_t i = 0; i < tokens.size();) {
    const Token& token = tokens[i];
    const bool has_next = i + 1 < tokens.size();
    if (token.is("__cluster_dims__") && has_next && tokens[i + 1].is("(")) {
      i = cluster_size(tokens, i, context, pieces);
    } else if (const std::size_t past = skip_attribute(tokens, i); past != i) {
      i = past;
    } else if (std::optional<Rewritten> assembly = rewrite_assembly(tokens, i)) {
      rewrite(assembly->tokens, context, pieces);
      i = assembly->past;
    } else if (token.is("static_assert") && has_next && tokens[i + 1].is("(")) {
      i = skip_group(tokens, i + 1);
    } else if (token.is("if") && has_next && tokens[i + 1].is("constexpr")) {
      i = constant_branch(tokens, i, context, pieces);
    } else if (is_elaboration(token) && has_next && tokens[i + 1].is_name()) {
      ++i;
    } else if (token.is_name() || (token.is("::") && has_next && tokens[i + 1].is_name())) {
      i = name(tokens, i, context, pieces);
    } else {
      pieces.push_back(piece_of(token));
      ++i;
    }
  }
}

/// Reads __cluster_dims__(x, y, z) and emits x. Error: y or z is not 1.
std::size_t DeviceCode::cluster_size(const Tokens& tokens, std::size_t at, const Context& context, Pieces& pieces) {
  const std::size_t past = skip_group(tokens, at + 1);
  const std::vector<Tokens> sizes = split_at_commas(slice(tokens, at + 2, past - 1));
  std::vector<std::int64_t> values;
  for (const Tokens& size : sizes) values.push_back(constant(put_in(size, context), "size of the cluster").value_or(1));
  if (values.empty() || std::any_of(values.begin() + 1, values.end(), [](std::int64_t value) { return value != 1; })) {
    reporter_.error(tokens[at].span, "Ambit reads clusters along x only", "write __cluster_dims__(2)");
    return past;
  }
  const SourceSpan span = tokens[at].span;
  for (const std::string& text :
       {std::string("__cluster_dims__"), std::string("("), std::to_string(values.front()), std::string(")")}) {
    pieces.push_back({text, span, Piece::Kind::Plain, true});
  }
  return past;
}

/// Resolves a qualified name: removes the file's namespaces and replaces the aliases of `namespace cg = ...`.
std::string DeviceCode::resolve(const Tokens& tokens, std::size_t& at, const Context& context) const {
  std::vector<std::string> parts;
  if (tokens[at].is("::")) ++at;
  parts.push_back(tokens[at++].text);
  while (at + 1 < tokens.size() && tokens[at].is("::") && tokens[at + 1].is_name()) {
    parts.push_back(tokens[at + 1].text);
    at += 2;
  }
  if (std::optional<std::string> found = unit_.in_namespaces(joined_by(parts, "::"), context.space)) return *found;
  while (parts.size() > 1 && unit_.has_namespace(parts.front())) parts.erase(parts.begin());
  if (parts.size() == 1) return unit_.imported(parts.front());
  if (const std::string* alias = unit_.namespace_alias(parts.front())) parts.front() = *alias;
  if (parts.front() == "ptx" && unit_.has_opened("cuda")) parts.front() = "cuda::ptx";
  std::string whole = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) whole += "::" + parts[i];
  static constexpr std::array<std::string_view, 3> kGroupTypes = {
      "cooperative_groups::grid_group", "cooperative_groups::thread_block", "cooperative_groups::cluster_group"};
  if (std::find(kGroupTypes.begin(), kGroupTypes.end(), whole) != kGroupTypes.end()) return "auto";
  const bool in_std = whole.starts_with("std::") || whole.starts_with("cuda::std::");
  return in_std && is_plain_in_std(parts.back()) ? parts.back() : whole;
}

std::size_t DeviceCode::name(const Tokens& tokens, std::size_t at, const Context& context, Pieces& pieces) {
  const Token& first = tokens[at];
  const bool is_member = at > 0 && (tokens[at - 1].is(".") || tokens[at - 1].is("->"));
  std::size_t past = at;
  const std::string resolved = resolve(tokens, past, context);
  mentioned_.insert(resolved);
  Piece piece = piece_of(first);
  piece.text = resolved;
  if (past - 1 > at && tokens[past - 1].span.line == first.span.line) {
    piece.span.length = tokens[past - 1].span.column + tokens[past - 1].span.length - first.span.column;
  }
  if (is_member) {
    pieces.push_back(std::move(piece));
    return past;
  }
  if (const std::optional<Rewritten> library = rewrite_library_name(tokens, at, past, resolved)) {
    mentioned_.insert("consumer_wait_prior");
    rewrite(library->tokens, context, pieces);
    return library->past;
  }
  if (resolved == "cuda::make_pipeline") {
    need("__pipeline_thread", "__pipeline_thread", {});
    need("__pipeline_block", "__pipeline_block", {});
  }
  if (const auto bound = context.arguments->find(resolved); bound != context.arguments->end()) {
    Tokens put = bound->second;
    for (Token& token : put) token.span = piece.span;
    static const Substitution kNone;
    rewrite(put, Context{&kNone, {}, context.depth + 1, nullptr, context.space}, pieces);
    return past;
  }
  const std::vector<std::size_t> found = unit_.find(resolved);
  if (found.empty()) {
    if (const std::optional<Tokens> member = member_of_struct(resolved, piece.span)) {
      rewrite(*member, Context{context.arguments, {}, context.depth + 1, context.locals, context.space}, pieces);
      return past;
    }
    const bool is_half = is_floating_word(resolved) && resolved.find("half") != std::string::npos;
    if (is_half && !resolved.starts_with("__") && !has_variable_named(resolved)) piece.text = "__" + resolved;
    if (resolved == "nv_bfloat16") piece.text = "__nv_bfloat16";
    pieces.push_back(std::move(piece));
    return past;
  }
  const Declaration& declaration = unit_.declarations()[found.front()];
  if (const std::optional<std::size_t> made = template_use(tokens, past, resolved, context, pieces)) return *made;
  if (declaration.kind == Declaration::Kind::Alias) {
    alias(declaration, resolved, piece.span, context, pieces);
    return past;
  }
  need(resolved, resolved, {});
  if (declaration.kind == Declaration::Kind::Struct) piece.kind = Piece::Kind::TypeName;
  const bool is_qualified = resolved.find("::") != std::string::npos;
  if (declaration.kind == Declaration::Kind::Enumerator || (is_qualified && piece.kind == Piece::Kind::Plain)) {
    piece.kind = Piece::Kind::Name;
  }
  pieces.push_back(std::move(piece));
  return past;
}

std::optional<std::int64_t> DeviceCode::constant(const Tokens& tokens, std::string_view what) {
  const Token* wrong = nullptr;
  const auto value_of = [&](const Token& token) { return value_of_name(token, 0); };
  const std::optional<std::int64_t> value = evaluate(tokens, value_of, &wrong);
  if (!value && !tokens.empty()) {
    reporter_.error((wrong != nullptr ? *wrong : tokens.front()).span, fmt::format("the {} is not a constant", what));
  }
  return value;
}

std::optional<std::int64_t> DeviceCode::known_constant(const Tokens& tokens) {
  return evaluate_typed(tokens, [&](const Token& token) { return value_of_name(token, 0); });
}

std::optional<std::int64_t> DeviceCode::value_of_name(const Token& token, int depth) {
  if (token.is("true") || token.is("false")) return token.is("true") ? 1 : 0;
  const std::vector<std::size_t> found = unit_.find(token.text);
  if (found.empty() || depth > kMaxAliasDepth) return std::nullopt;
  const Declaration& declaration = unit_.declarations()[found.front()];
  Tokens value = declaration.tokens;
  if (declaration.kind == Declaration::Kind::Constant) {
    if (!has_word(value, "const") && !has_word(value, "constexpr")) return std::nullopt;
    value = initializer_of(value, declaration.name_index);
  } else if (declaration.kind != Declaration::Kind::Enumerator) {
    return std::nullopt;
  }
  return evaluate(value, [&](const Token& inner) { return value_of_name(inner, depth + 1); });
}

std::optional<Pieces> DeviceCode::kernel_parameter(const std::string& kernel, std::size_t index) {
  const auto found = std::find_if(needed_.begin(), needed_.end(), [&](const Needed& n) { return n.name == kernel; });
  if (found == needed_.end()) return std::nullopt;
  const Needed& needed = *found;
  const Declaration& declaration = unit_.declarations()[needed.declaration];
  const std::size_t open = declaration.name_index + 1;
  if (open >= declaration.tokens.size() || !declaration.tokens[open].is("(")) return std::nullopt;
  const std::vector<Tokens> parameters = split_at_commas(
      slice(declaration.tokens, open + 1, skip_group(declaration.tokens, open) - 1), Angles::AreBrackets);
  if (index >= parameters.size()) return std::nullopt;
  return rewrite(parameters[index], needed.arguments, {});
}

/// Records the functions of this name that are not templates. Overload resolution needs all functions of a name.
void DeviceCode::need_others(const std::string& name) {
  for (const std::size_t i : unit_.find(name)) {
    const Declaration& one = unit_.declarations()[i];
    if (!one.is_template && one.is_function && one.is_definition) need(name, name, {}, &one);
  }
}

/// Records every declaration of `base`, or only the declaration `only`, under the name `name`. Returns false if `base`
/// has no declaration.
bool DeviceCode::need(const std::string& name, const std::string& base, const Substitution& arguments,
                      const Declaration* only) {
  std::vector<std::size_t> found = unit_.find(base);
  const std::vector<Declaration>& all = unit_.declarations();
  std::erase_if(found, [&](std::size_t i) {
    return all[i].kind == Declaration::Kind::Host || (only != nullptr && &all[i] != only);
  });
  const bool defined = std::any_of(found.begin(), found.end(), [&](std::size_t i) { return all[i].is_definition; });
  for (const std::size_t index : found) {
    const Declaration& declaration = all[index];
    if (declaration.is_function && defined && !declaration.is_definition) continue;
    const bool elsewhere = has_word(declaration.tokens, "extern") && !has_word(declaration.tokens, "__shared__") &&
                           !declaration.is_function && found.size() > 1;
    if (elsewhere) continue;
    if (declaration.kind == Declaration::Kind::Constant) {
      Token token;
      token.kind = TokenKind::Name;
      token.text = base;
      if (!value_of_name(token, 0) && !is_floating_constant(declaration)) continue;
    }
    const bool shared = declaration.kind == Declaration::Kind::Device && !declaration.is_function;
    const std::string key = shared ? fmt::format("@{}", declaration.group) : fmt::format("{}@{}", name, index);
    if (!noted_.insert(key).second) continue;
    if (needed_.size() >= kMaxNeeded) {
      reporter_.error(
          declaration.span,
          fmt::format("the launch needs more than {} declarations, including '{}'", kMaxNeeded, declaration.name),
          "if a template instantiates itself with new arguments, the instantiation never ends");
      return true;
    }
    needed_.push_back({index, name, arguments});
  }
  return !found.empty();
}

void DeviceCode::emit(const Needed& needed, Pieces& pieces) {
  const Declaration& declaration = unit_.declarations()[needed.declaration];
  if (declaration.kind == Declaration::Kind::Struct) return emit_struct(needed, declaration, pieces);
  if (declaration.kind == Declaration::Kind::Enumerator || declaration.kind == Declaration::Kind::Constant) {
    return emit_constant(declaration, pieces);
  }
  if (!declaration.is_function) {
    rewrite(declaration.tokens, Context{&needed.arguments, {}, 0, nullptr, declaration.space}, pieces);
    return;
  }
  emit_function(declaration, needed.name, needed.arguments, {}, pieces);
}

void DeviceCode::emit_function(const Declaration& declaration, const std::string& name, const Substitution& arguments,
                               const std::string& structure, Pieces& pieces) {
  const Tokens& tokens = declaration.tokens;
  const std::string& space = declaration.space;
  const Context context{&arguments, structure, 0, nullptr, space};
  const std::size_t open = declaration.name_index + 1;
  const std::size_t close = skip_group(tokens, open);
  Tokens before = slice(tokens, 0, declaration.name_index);
  const bool is_device = has_word(before, "__device__") || has_word(before, "__global__");
  if (!is_device) pieces.push_back({"__device__", declaration.span, Piece::Kind::Plain, true});  // a constexpr function
  rewrite(before, context, pieces);
  pieces.push_back({name, declaration.span, Piece::Kind::Name, true});
  if (has_word(before, "__global__")) check_tensor_maps(slice(tokens, open + 1, close - 1), context);
  rewrite(slice(tokens, open, close), context, pieces);
  if (stubs_ != nullptr && declaration.is_kernel) {
    pieces.push_back({stubs_->body(name), declaration.span, Piece::Kind::Plain, true});
    return;
  }
  std::size_t body = close;  // skips const, noexcept, override
  while (body < tokens.size() && tokens[body].is_any({"const", "override", "final"})) {
    ++body;
  }
  Substitution named = arguments;
  Substitution locals;
  const Tokens code = without_local_names(slice(tokens, body, tokens.size()), context, named, locals);
  rewrite(code, Context{&named, structure, 0, &locals, space}, pieces);
}

/// Checks that tensor maps passed by value are const __grid_constant__. Without these qualifiers, nvcc makes a
/// local copy of the tensor map. A tensor copy cannot use the local copy (CUDA Programming Guide, "Tensor Memory
/// Access").
void DeviceCode::check_tensor_maps(const Tokens& parameters, const Context& context) {
  for (const Tokens& parameter : split_at_commas(parameters, Angles::AreBrackets)) {
    if (parameter.empty() || has_word(parameter, "*") || has_word(parameter, "&") || has_word(parameter, "[")) continue;
    Pieces pieces;
    rewrite(parameter, context, pieces);
    const auto map = std::ranges::find(pieces, "CUtensorMap", &Piece::text);
    const bool is_map = map != pieces.end() && std::ranges::find(pieces, "(", &Piece::text) == pieces.end();
    if (!is_map || (has_word(parameter, "__grid_constant__") && has_word(parameter, "const"))) continue;
    reporter_.error(map->span, "a tensor map that the kernel takes by value must be const __grid_constant__",
                    fmt::format("write const __grid_constant__ CUtensorMap {}", parameter.back().text));
  }
}

/// Returns whether the declaration is a constant of a floating-point type. Ambit does not compute the values of such
/// constants.
bool DeviceCode::is_floating_constant(const Declaration& declaration) {
  const Tokens type = slice(declaration.tokens, 0, declaration.name_index);
  if (!has_word(type, "const") && !has_word(type, "constexpr")) return false;
  if (has_word(type, "*") || initializer_of(declaration.tokens, declaration.name_index).empty()) return false;
  // The type of a malformed declaration may name the declaration itself: const x x = 1.
  if (!types_in_question_.insert(&declaration).second) return false;
  const Pieces pieces = rewrite(type, {}, {});
  types_in_question_.erase(&declaration);
  return std::any_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return is_floating_word(piece.text); });
}

/// Returns whether the file declares a variable with the name of a type, as in `int half = n / 2;`.
bool DeviceCode::has_variable_named(std::string_view name) const {
  static constexpr std::array<std::string_view, 10> kBeforeTypes = {
      "const",  "volatile",   "static",     "constexpr",    "return",
      "inline", "__device__", "__shared__", "__constant__", "typename"};
  for (const Declaration& declaration : unit_.declarations()) {
    for (std::size_t i = 1; i < declaration.tokens.size(); ++i) {
      const Token& before = declaration.tokens[i - 1];
      if (!declaration.tokens[i].is(name) || !before.is_name()) continue;
      if (std::find(kBeforeTypes.begin(), kBeforeTypes.end(), before.text) == kBeforeTypes.end()) return true;
    }
  }
  return false;
}

/// Emits constexpr TYPE NAME = VALUE;
void DeviceCode::emit_constant(const Declaration& declaration, Pieces& pieces) {
  if (declaration.kind == Declaration::Kind::Constant) {
    std::size_t type_end =
        declaration.name_index;  // if several names share a declaration, the type ends before the first name
    for (const Declaration& other : unit_.declarations()) {
      if (other.group == declaration.group) type_end = std::min(type_end, other.name_index);
    }
    rewrite(slice(declaration.tokens, 0, type_end), pieces);
    pieces.push_back({declaration.name, declaration.span, Piece::Kind::Name, true});
  }
  Token name;
  name.kind = TokenKind::Name;
  name.text = declaration.name;
  name.span = declaration.span;
  const std::optional<std::int64_t> value = value_of_name(name, 0);
  if (declaration.kind == Declaration::Kind::Enumerator) {
    if (!value) {
      reporter_.error(declaration.span, fmt::format("the value of '{}' is not a constant", declaration.name));
      return;
    }
    const bool wide = *value > 0x7fffffff || *value < -0x7fffffffLL - 1;
    pieces.push_back({wide ? "constexpr long long" : "constexpr int", declaration.span, Piece::Kind::Plain, true});
    pieces.push_back({declaration.name, declaration.span, Piece::Kind::Name, true});
  }
  pieces.push_back({"=", declaration.span, Piece::Kind::Plain, true});
  pieces.push_back(piece_of(number_token(value.value_or(0), name)));
  pieces.push_back({";", declaration.span, Piece::Kind::Plain, true});
}

void DeviceCode::rewrite(const Tokens& tokens, Pieces& pieces) {
  static const Substitution kNone;
  rewrite(tokens, Context{&kNone, {}, 0}, pieces);
}

Pieces DeviceCode::finish() {
  // Maps a declaration's position in the file to the declaration's text. The functions of a struct follow the struct.
  std::map<std::size_t, Pieces> by_place;
  std::size_t done = 0;
  do {
    for (; done < needed_.size(); ++done) {
      const Needed& needed = needed_[done];
      Pieces made;
      emit(needed, made);
      Pieces& place = by_place[needed.declaration * 2];
      place.insert(place.end(), made.begin(), made.end());
    }
  } while (emit_members(by_place) || done < needed_.size());
  Pieces all;
  for (auto& [place, pieces] : by_place) all.insert(all.end(), pieces.begin(), pieces.end());
  return all;
}

}  // namespace ambit::parser::cuda
