#include "parser/cuda/syntax/macros.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "base/plural.h"
#include "parser/cuda/syntax/lexer.h"

namespace ambit::parser::cuda {
namespace {

Token text_token(const Tokens& tokens, const Token& use) {
  std::string text;
  for (const Token& token : tokens) {
    if (token.spaced && !text.empty()) text += ' ';
    for (const char c : token.text) {
      if ((c == '"' || c == '\\') && token.kind == TokenKind::Text) text += '\\';
      text += c;
    }
  }
  Token made;
  made.kind = TokenKind::Text;
  made.text = "\"" + text + "\"";
  made.span = use.span;
  made.spaced = true;
  return made;
}

using Hidden = std::shared_ptr<const std::set<std::string>>;

void hide(Tokens& tokens, const Hidden& names) {
  Hidden before;  // adjacent tokens that hide the same macros share one set
  Hidden joined;
  for (Token& token : tokens) {
    if (token.hidden == nullptr) {
      token.hidden = names;
      continue;
    }
    if (token.hidden != before) {
      auto made = std::make_shared<std::set<std::string>>(*names);
      made->insert(token.hidden->begin(), token.hidden->end());
      before = token.hidden;
      joined = std::move(made);
    }
    token.hidden = joined;
  }
}

}  // namespace

void Macros::define(const Tokens& line, SourceSpan directive) {
  if (line.empty() || !line.front().is_name()) {
    reporter_.error(line.empty() ? directive : line.front().span, "expected the name of a macro after #define");
    return;
  }
  Macro macro;
  std::size_t body = 1;
  macro.is_function = line.size() > 1 && line[1].is("(") && !line[1].spaced;
  if (macro.is_function) {
    const std::size_t end = skip_group(line, 1);
    body = end;
    bool good = line[end - 1].is(")");
    for (const Tokens& parameter : good ? split_at_commas(slice(line, 2, end - 1)) : std::vector<Tokens>{}) {
      const bool named_rest =
          parameter.size() == 2 && parameter[0].is_name() && parameter[1].is("...");  // the GNU extension `name...`
      const bool one = parameter.size() == 1 && (parameter[0].is_name() || parameter[0].is("..."));
      good = good && (one || named_rest) && !macro.is_variadic;
      if (!good) break;
      macro.is_variadic = parameter.back().is("...");
      macro.parameters.push_back(parameter[0].is("...") ? "__VA_ARGS__" : parameter[0].text);
    }
    if (!good) {
      reporter_.error(line[1].span,
                      fmt::format("the parameters of the macro '{}' are not a list of names", line[0].text));
      return;
    }
  }
  macro.body = slice(line, body, line.size());
  macros_[line.front().text] = std::move(macro);
}

bool Macros::spend(const Token& use, const Tokens& made) {
  constexpr std::size_t kLetters = 16;  // this number of characters counts as one more token
  if (made_ > kMaxTokens) return false;
  ++made_;
  for (const Token& token : made) made_ += 1 + token.text.size() / kLetters;
  if (made_ <= kMaxTokens) return true;
  reporter_.error(use.span, fmt::format("macros expand to more than {} words in this file", kMaxTokens));
  return false;
}

const Tokens* Macros::argument(const Macro& macro, const std::vector<Tokens>& arguments, const Token& token) const {
  if (!token.is_name()) return nullptr;
  const auto found = std::find(macro.parameters.begin(), macro.parameters.end(), token.text);
  return found == macro.parameters.end() ? nullptr
                                         : &arguments[static_cast<std::size_t>(found - macro.parameters.begin())];
}

/// Reads the arguments after the name of a function-like macro. If no '(' follows the name, reads no token and returns
/// nothing.
std::optional<Macros::Call> Macros::read_call(const Macro& macro, const Token& name, Input& input) {
  if (input.empty() || !input.back().is("(")) return std::nullopt;
  Call call;
  Tokens inside;
  std::size_t depth = 0;
  for (std::size_t i = input.size(); i-- > 0;) {
    Token& token = input[i];
    if (token.is("(")) ++depth;
    const bool last = token.is(")") && --depth == 0;
    if (!last) {
      if (i + 1 != input.size()) inside.push_back(token);
      continue;
    }
    if (token.hidden) call.hidden = *token.hidden;
    input.resize(i);
    call.arguments = split_at_commas(inside);
    if (!fit_arguments(macro, name, call.arguments)) return std::nullopt;
    return call;
  }
  reporter_.error(name.span, fmt::format("the arguments of the macro '{}' are not closed: expected ')'", name.text));
  return std::nullopt;
}

bool Macros::fit_arguments(const Macro& macro, const Token& name, std::vector<Tokens>& arguments) {
  const std::size_t wanted = macro.parameters.size();
  if (arguments.empty() && wanted > 0) arguments.emplace_back();
  if (macro.is_variadic) {
    if (arguments.size() + 1 == wanted) arguments.emplace_back();
    while (arguments.size() > wanted) {
      Tokens& joined = arguments[wanted - 1];
      Token comma;
      comma.kind = TokenKind::Punctuator;
      comma.text = ",";
      comma.span = name.span;
      joined.push_back(std::move(comma));
      joined.insert(joined.end(), arguments[wanted].begin(), arguments[wanted].end());
      arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(wanted));
    }
  }
  if (arguments.size() == wanted) return true;
  reporter_.error(name.span, fmt::format("the macro '{}' takes {}, found {}", name.text, plural(wanted, "argument"),
                                         arguments.size()));
  return false;
}

/// Joins the last token of `left` and the first token of `right` (`left ## right`).
void Macros::join(Tokens& left, Tokens right, const Token& use) {
  if (right.empty()) return;
  if (!left.empty()) {
    const std::string text = left.back().text + right.front().text;
    const Tokens joined = read_tokens(text, use.span.line, reporter_);
    if (joined.size() != 1 || joined.front().text.size() != text.size()) {
      reporter_.error(use.span, fmt::format("## joins '{}' and '{}', which do not form one token", left.back().text,
                                            right.front().text));
    }
    left.back().kind = joined.empty() ? TokenKind::Other : joined.front().kind;
    left.back().text = text;
    right.erase(right.begin());
  }
  std::move(right.begin(), right.end(), std::back_inserter(left));
}

/// Replaces the parameters in the macro's body by the arguments. `#x` makes a string from the argument; `a ## b` joins
/// two tokens. Removes the comma of `, ## __VA_ARGS__` if the call has no variadic arguments.
Tokens Macros::substitute(const Macro& macro, const Token& use, const std::vector<Tokens>& arguments) {
  Tokens result;
  Tokens operand;  // the last operand; it may be the left operand of ##
  const auto place = [&](Token token) {
    token.span = use.span;
    token.starts_line = false;
    token.is_annotation = use.is_annotation;
    return token;
  };
  const auto at = [&](std::size_t i) { return i < macro.body.size() ? &macro.body[i] : nullptr; };
  // `spend` reports a result that exceeds the limit. The loop then ends, because the complete result can be very long:
  // a body of 40 parameters repeats a long argument 40 times.
  for (std::size_t i = 0; i < macro.body.size() && made_ + result.size() <= kMaxTokens; ++i) {
    const Token& token = macro.body[i];
    const Token* next = at(i + 1);
    const bool joins = token.is("##") && next != nullptr && i > 0;
    if (joins) ++i;
    const Token& written = macro.body[i];
    const Token* after = at(i + 1);
    const Tokens* bound = argument(macro, arguments, written);
    const Tokens* quoted =
        written.is("#") && macro.is_function && after != nullptr ? argument(macro, arguments, *after) : nullptr;
    Tokens put = {place(written)};
    if (quoted != nullptr) {
      put = {text_token(*quoted, use)};
      ++i;
    } else if (bound != nullptr) {
      put = joins || (after != nullptr && after->is("##")) ? *bound : expand(*bound);
      if (!put.empty()) put.front().spaced = true;
    }
    if (joins) {
      const bool rest = operand.size() == 1 && operand[0].is(",") && bound != nullptr && macro.is_variadic &&
                        written.text == macro.parameters.back();
      if (rest && put.empty()) {
        operand.clear();
      } else if (rest) {
        std::move(put.begin(), put.end(), std::back_inserter(operand));
      } else {
        join(operand, std::move(put), use);
      }
      continue;
    }
    std::move(operand.begin(), operand.end(), std::back_inserter(result));
    operand = std::move(put);
  }
  std::move(operand.begin(), operand.end(), std::back_inserter(result));
  return result;
}

Tokens Macros::expand(const Tokens& tokens) {
  constexpr int kMaxDepth = 100;
  Tokens result;
  if (depth_ >= kMaxDepth) {
    if (!tokens.empty()) {
      reporter_.error(tokens.front().span, fmt::format("macro arguments are nested deeper than {}", kMaxDepth));
    }
    return result;
  }
  ++depth_;
  Input input(tokens.rbegin(), tokens.rend());
  while (!input.empty() && made_ <= kMaxTokens) {
    Token token = std::move(input.back());
    input.pop_back();
    const auto found = token.is_name() ? macros_.find(token.text) : macros_.end();
    if (found == macros_.end() || (token.hidden && token.hidden->contains(token.text))) {
      result.push_back(std::move(token));
      continue;
    }
    const Macro& macro = found->second;
    std::set<std::string> hidden = {token.text};
    std::vector<Tokens> arguments;
    if (macro.is_function) {
      std::optional<Call> call = read_call(macro, token, input);
      if (!call) {
        result.push_back(std::move(token));
        continue;
      }
      arguments = std::move(call->arguments);
      if (token.hidden) {  // [cpp.rescan], Prosser's algorithm: intersects the hide sets of the name and of ')'
        std::set_intersection(token.hidden->begin(), token.hidden->end(), call->hidden.begin(), call->hidden.end(),
                              std::inserter(hidden, hidden.end()));
      }
    } else if (token.hidden) {
      hidden.insert(token.hidden->begin(), token.hidden->end());
    }
    Tokens made = substitute(macro, token, arguments);
    if (!spend(token, made)) break;
    if (!made.empty()) made.front().spaced = true;
    hide(made, std::make_shared<const std::set<std::string>>(std::move(hidden)));
    if (!input.empty()) input.back().spaced = true;
    std::move(made.rbegin(), made.rend(), std::back_inserter(input));
  }
  --depth_;
  return result;
}

}  // namespace ambit::parser::cuda
