// Rewrites structs of device code: fields, member functions, member types and static constants.

#include <fmt/format.h>

#include <utility>

#include "parser/cuda/launch/device_code.h"

namespace ambit::parser::cuda {

/// Adds the struct's `using` names, enumerators and static constants to `names`.
void DeviceCode::add_member_names(const Unit& members, Substitution& names) {
  Substitution numbers;  // the earlier constants of the struct; later constants may use them
  for (const Declaration& member : members.declarations()) {
    const Context context{&numbers, {}, 0, &names};
    if (member.is_template || names.contains(member.name)) continue;
    if (member.kind == Declaration::Kind::Alias) {
      if (!has_word(member.tokens, "*") && !has_word(member.tokens, "(")) {
        names[member.name] = put_in(member.tokens, context);
      }
      continue;
    }
    Tokens value;
    if (member.kind == Declaration::Kind::Enumerator) {
      value = member.tokens;
    } else if (!member.is_function && has_word(member.tokens, "static") &&
               (has_word(member.tokens, "const") || has_word(member.tokens, "constexpr"))) {
      value = initializer_of(member.tokens, member.name_index);
    }
    if (value.empty()) continue;
    Token name = member.tokens.front();
    name.span = member.span;
    if (const auto known = silent_constant(put_in(value, context))) {
      names[member.name] = typed_constant(*known, member, name, context);
      numbers[member.name] = {number_token(*known, name)};
    }
  }
}

/// Returns the tokens that replace a static constant of type T: `((T)value)`. For an enumerator, returns only the
/// number, because an enumerator's type is int.
Tokens DeviceCode::typed_constant(std::int64_t value, const Declaration& member, const Token& place,
                                  const Context& context) const {
  const Token number = number_token(value, place);
  if (member.kind == Declaration::Kind::Enumerator) return {number};
  const auto mark = [&](std::string_view text) {
    Token made = place;
    made.kind = TokenKind::Punctuator;
    made.text = text;
    return made;
  };
  Tokens type;
  for (const Token& token : put_in(slice(member.tokens, 0, member.name_index), context)) {
    if (!token.is_any({"static", "const", "constexpr", "inline", "__device__"})) type.push_back(token);
  }
  Tokens made = {mark("("), mark("(")};
  made.insert(made.end(), type.begin(), type.end());
  made.push_back(mark(")"));
  made.push_back(number);
  made.push_back(mark(")"));
  return made;
}

/// Returns the tokens that replace `S::name`, a type or static constant of the struct S. Returns nothing if S has no
/// such type or constant.
std::optional<Tokens> DeviceCode::member_of_struct(const std::string& name, SourceSpan span) {
  const std::size_t colon = name.rfind("::");
  if (colon == std::string::npos) return std::nullopt;
  for (const std::size_t i : unit_.find(name.substr(0, colon))) {
    const Declaration& structure = unit_.declarations()[i];
    if (structure.kind != Declaration::Kind::Struct || structure.is_template) continue;
    const Unit members(structure.tokens, reporter_);
    Substitution names;
    add_member_names(members, names);
    const auto found = names.find(name.substr(colon + 2));
    if (found == names.end()) return std::nullopt;
    Tokens put = found->second;
    for (Token& token : put) token.span = span;
    return put;
  }
  return std::nullopt;
}

void DeviceCode::emit_struct(const Needed& needed, const Declaration& declaration, Pieces& pieces) {
  if (!declaration.tokens.empty() && (declaration.tokens.front().is("union") || declaration.tokens.front().is(":"))) {
    const bool is_union = declaration.tokens.front().is("union");
    reporter_.error(
        declaration.span,
        is_union ? fmt::format("'{}' is a union: in Ambit's reader memory cells cannot overlap", declaration.name)
                 : fmt::format("'{}' has a base struct, which Ambit's reader does not support", declaration.name),
        std::string(kCompilerHint));
    return;
  }
  Tokens body;
  for (std::size_t i = 0; i < declaration.tokens.size(); ++i) {
    const Token& token = declaration.tokens[i];
    const bool access = token.is_any({"public", "private", "protected"});
    if (access && i + 1 < declaration.tokens.size() && declaration.tokens[i + 1].is(":")) {
      ++i;
    } else {
      body.push_back(token);
    }
  }
  pieces.push_back({"struct", declaration.span, Piece::Kind::Plain, true});
  pieces.push_back({needed.name, declaration.span, Piece::Kind::TypeName, true});
  pieces.push_back({"{", declaration.span, Piece::Kind::Plain, true});
  StructNote note{needed.name, needed.arguments,   std::make_unique<Tokens>(std::move(body)),
                  nullptr,     needed.declaration, {}};
  note.members = std::make_unique<Unit>(*note.body, reporter_);
  std::set<std::size_t> groups;
  const Unit& members = *note.members;
  note.arguments = needed.arguments;
  add_member_names(members, note.arguments);
  for (const Declaration& member : members.declarations()) {
    if (member.kind == Declaration::Kind::Alias || member.kind == Declaration::Kind::Enumerator) continue;
    if (note.arguments.contains(member.name) && has_word(member.tokens, "static")) continue;
    if (member.is_function) {
      const bool empty = member.tokens.size() >= 2 && member.tokens[member.tokens.size() - 2].is("{");
      const bool defaulted = has_word(member.tokens, "default") || has_word(member.tokens, "delete");
      if (member.name == declaration.name && !empty && !defaulted && member.kind == Declaration::Kind::Device) {
        reporter_.error(member.span, "Ambit's reader does not read constructors",
                        fmt::format("give the fields initial values; {}", kCompilerHint));
      }
      continue;
    }
    if (!groups.insert(member.group).second) continue;
    if (has_word(member.tokens, "static") || member.kind != Declaration::Kind::Constant || member.is_template) {
      reporter_.error(
          member.span,
          fmt::format("Ambit's reader does not read '{}' in a struct: expected fields and functions", member.name),
          fmt::format("declare it outside the struct; {}", kCompilerHint));
      continue;
    }
    rewrite(member.tokens, Context{&note.arguments, needed.name, 0, nullptr, declaration.space}, pieces);
  }
  pieces.push_back({"}", declaration.span, Piece::Kind::Plain, true});
  pieces.push_back({";", declaration.span, Piece::Kind::Plain, true});
  structs_.push_back(std::move(note));
}

/// Emits the member functions whose names occur in the emitted code.
bool DeviceCode::emit_members(std::map<std::size_t, Pieces>& by_place) {
  bool added = false;
  for (StructNote& note : structs_) {
    const std::vector<Declaration>& members = note.members->declarations();
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Declaration& member = members[i];
      const bool wanted = member.is_function && member.kind == Declaration::Kind::Device && member.name_index > 0 &&
                          mentioned_.contains(member.name);
      if (!wanted || member.is_template || !note.emitted.insert(i).second) continue;
      emit_function(member, note.name + "::" + member.name, note.arguments, note.name,
                    by_place[note.declaration * 2 + 1]);
      added = true;
    }
  }
  return added;
}

}  // namespace ambit::parser::cuda
