// Rewrites templates and type aliases of device code.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plural.h"
#include "parser/cuda/launch/device_code.h"

namespace ambit::parser::cuda {
namespace {

constexpr std::size_t kMaxAliases = 20'000;  // maximum number of uses of aliases and templates, including nested uses

std::string joined(const Tokens& tokens) {
  std::string text;
  for (const Token& token : tokens) text += (text.empty() ? "" : " ") + token.text;
  return text;
}

/// Returns a token for a template parameter that is a type and that the call's arguments determine (Type::variable).
Token variable_token(const std::string& name, const Token& use) {
  Token made = use;
  made.kind = TokenKind::Name;
  made.text = "$" + name;
  return made;
}
bool is_variable(const Token& token) { return token.is_name() && token.text.starts_with('$'); }

Tokens parameters_of(const Declaration& function) {
  const std::size_t open = function.name_index + 1;
  if (open >= function.tokens.size() || !function.tokens[open].is("(")) return {};
  return slice(function.tokens, open + 1, skip_group(function.tokens, open) - 1);
}

/// Returns whether a call determines a template parameter. The template parameter must be a type that occurs in a
/// function parameter.
bool is_deduced(const Declaration& declaration, const Declaration::Parameter& parameter) {
  return declaration.is_function && !declaration.is_kernel && parameter.is_type &&
         has_word(parameters_of(declaration), parameter.name);
}

}  // namespace

/// Emits the type that an alias names. The emitted type has the place at which the code uses the alias.
void DeviceCode::alias(const Declaration& declaration, const std::string& name, SourceSpan span, const Context& context,
                       Pieces& pieces) {
  // An alias template may occur in its own arguments: A<A<int>>.
  const bool is_inside =
      !declaration.is_template && std::ranges::find(open_aliases_, &declaration) != open_aliases_.end();
  if (is_inside || context.depth > kMaxAliasDepth || ++aliases_used_ > kMaxAliases) {
    return reporter_.error(span, fmt::format("the type alias '{}' refers to itself", name));
  }
  if (has_word(declaration.tokens, "*") || has_word(declaration.tokens, "(")) {
    return reporter_.error(span,
                           fmt::format("'{}' is an alias of a pointer or function type, which is not supported", name),
                           "write the type instead of the alias");
  }
  Tokens put = declaration.tokens;
  for (Token& token : put) token.span = span;
  open_aliases_.push_back(&declaration);
  rewrite(put, Context{context.arguments, context.structure, context.depth + 1, context.locals, context.space}, pieces);
  open_aliases_.pop_back();
}

/// Rewrites `f<int, 4>` as a single name and records the template instance.
std::size_t DeviceCode::instance(const Tokens& tokens, std::size_t at, const std::string& name,
                                 const Declaration& declaration, const Context& context, Pieces& pieces) {
  const std::size_t past = skip_angles(tokens, at);
  const Token& use = tokens[at - 1];
  if (context.depth > kMaxAliasDepth || ++aliases_used_ > kMaxAliases) {
    reporter_.error(use.span, fmt::format("templates are nested deeper than {}", kMaxAliasDepth));
    return past;
  }
  if (!tokens[past - 1].text.ends_with('>')) {
    reporter_.error(tokens[at].span,
                    fmt::format("the arguments of the template '{}' are not closed: expected '>'", name));
    return past;
  }
  std::string suffix;
  const std::optional<Substitution> bound =
      bind(declaration, split_at_commas(slice(tokens, at + 1, past - 1), Angles::AreBrackets), use, context, suffix);
  if (!bound) return past;
  if (declaration.kind == Declaration::Kind::Alias) {
    Tokens put = declaration.tokens;
    for (Token& token : put) token.span = use.span;
    rewrite(put, Context{&*bound, {}, context.depth + 1, nullptr, declaration.space}, pieces);
    return past;
  }
  const std::string whole = fmt::format("{}<{}>", name, suffix);
  need(whole, name, *bound, &declaration);
  const bool is_struct = declaration.kind == Declaration::Kind::Struct;
  pieces.push_back({whole, use.span, is_struct ? Piece::Kind::TypeName : Piece::Kind::Name, true});
  return past;
}

Tokens DeviceCode::put_in(const Tokens& tokens, const Context& context) const {
  Tokens result;
  for (const Token& token : tokens) {
    const Tokens* bound = nullptr;
    for (const Substitution* known : {context.arguments, context.locals}) {
      if (bound != nullptr || known == nullptr || !token.is_name()) continue;
      const auto found = known->find(token.text);
      if (found != known->end()) bound = &found->second;
    }
    if (bound == nullptr) {
      result.push_back(token);
    } else {
      result.insert(result.end(), bound->begin(), bound->end());
    }
  }
  return result;
}

std::optional<DeviceCode::Substitution> DeviceCode::bind(const Declaration& declaration,
                                                         const std::vector<Tokens>& arguments, const Token& use,
                                                         const Context& context, std::string& suffix) {
  Substitution bound;
  const std::vector<Declaration::Parameter>& parameters = declaration.parameters;
  if (arguments.size() > parameters.size()) {
    reporter_.error(use.span, fmt::format("the template '{}' takes {}, found {}", declaration.name,
                                          plural(parameters.size(), "argument"), arguments.size()));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool given = i < arguments.size();
    Tokens put = given                                    ? put_in(arguments[i], context)
                 : is_deduced(declaration, parameters[i]) ? Tokens{variable_token(parameters[i].name, use)}
                                                          : put_in(parameters[i].fallback, Context{&bound, {}, 0});
    if (put.empty() || (given && std::ranges::any_of(put, is_variable))) {
      reporter_.error(use.span,
                      put.empty()
                          ? fmt::format("Ambit's reader does not deduce the argument for '{}' of the template '{}'",
                                        parameters[i].name, declaration.name)
                          : fmt::format("Ambit's reader does not know the argument for '{}' of the template '{}'",
                                        parameters[i].name, declaration.name),
                      fmt::format("write it in angle brackets after '{}'", declaration.name));
      return std::nullopt;
    }
    if (!parameters[i].is_type) {
      const std::optional<std::int64_t> value = constant(put, "template argument");
      if (!value) return std::nullopt;
      put = {number_token(*value, put.front())};
    }
    suffix += (suffix.empty() ? "" : ", ") + joined(put);
    bound[parameters[i].name] = std::move(put);
  }
  return bound;
}

/// Reads a use of a template: `f<int, 4>`, or `f` if the call determines all template arguments. The template's name
/// ends before `past`. Returns nothing for names that are not templates.
std::optional<std::size_t> DeviceCode::template_use(const Tokens& tokens, std::size_t past, const std::string& name,
                                                    const Context& context, Pieces& pieces) {
  std::vector<const Declaration*> templates;
  for (const std::size_t i : unit_.find(name)) {
    const Declaration& one = unit_.declarations()[i];
    if (one.is_template && (one.is_definition || !one.is_function)) templates.push_back(&one);
  }
  if (templates.empty()) {
    const Declaration& first = unit_.declarations()[unit_.find(name).front()];
    if (!first.is_template) return std::nullopt;
    templates.push_back(&first);
  }
  const Token& use = tokens[past - 1];
  if (past < tokens.size() && tokens[past].is("<")) {
    const std::size_t count =
        split_at_commas(slice(tokens, past + 1, skip_angles(tokens, past) - 1), Angles::AreBrackets).size();
    const auto fits = [&](const Declaration* one) {
      const std::vector<Declaration::Parameter>& parameters = one->parameters;
      return count <= parameters.size() && std::all_of(parameters.begin() + static_cast<std::ptrdiff_t>(count),
                                                       parameters.end(), [&](const Declaration::Parameter& parameter) {
                                                         return !parameter.fallback.empty() ||
                                                                is_deduced(*one, parameter);
                                                       });
    };
    const auto first = std::ranges::find_if(templates, fits);
    if (first != templates.end() && std::find_if(first + 1, templates.end(), fits) != templates.end()) {
      reporter_.error(use.span, fmt::format("several templates '{}' fit this use", name), std::string(kCompilerHint));
      return skip_angles(tokens, past);
    }
    return instance(tokens, past, name, first != templates.end() ? **first : *templates.front(), context, pieces);
  }
  return deduced_use(use, past, name, templates, context, pieces);
}

std::size_t DeviceCode::deduced_use(const Token& use, std::size_t past, const std::string& name,
                                    const std::vector<const Declaration*>& templates, const Context& context,
                                    Pieces& pieces) {
  pieces.push_back({name, use.span, Piece::Kind::Name, true});
  for (const Declaration* one : templates) {
    const bool is_known = one->is_function && !one->is_kernel &&
                          std::ranges::all_of(one->parameters, [&](const Declaration::Parameter& parameter) {
                            return !parameter.fallback.empty() || is_deduced(*one, parameter);
                          });
    if (!is_known && templates.size() == 1) {
      reporter_.error(
          use.span, fmt::format("Ambit's reader needs the arguments of the template '{}' here", name),
          fmt::format("for example {}<{}>", name, one->parameters.empty() || one->parameters[0].is_type ? "int" : "4"));
      return past;
    }
    std::string suffix;
    const std::optional<Substitution> bound = is_known ? bind(*one, {}, use, context, suffix) : std::nullopt;
    if (bound) need(name, name, *bound, one);
  }
  need_others(name);
  return past;
}

}  // namespace ambit::parser::cuda
