#include "model/repair/call_text.h"

#include <cctype>

#include "base/trimmed.h"

namespace ambit::repair {

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

namespace {

/// Returns the position of the opening parenthesis that matches the last character, or npos.
std::size_t opening(std::string_view text) {
  int open = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')' || text[at] == ']') ++open;
    if ((text[at] == '(' || text[at] == '[') && --open == 0) return at;
  }
  return std::string_view::npos;
}

}  // namespace

CallText call_in(std::string_view text) {
  if (text.empty() || text.back() != ')') return {};
  const std::size_t open = opening(text);
  if (open == std::string_view::npos || open == 0 || !is_word_character(text[open - 1])) return {};
  CallText call;
  call.callee = text.substr(0, open);
  call.close = text.size() - 1;
  const std::string_view inside = text.substr(open + 1, call.close - open - 1);
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= inside.size(); ++at) {
    if (at == inside.size() || (inside[at] == ',' && depth == 0)) {
      const std::string_view argument = trimmed(inside.substr(begin, at - begin));
      if (!argument.empty()) call.arguments.push_back(argument);
      begin = at + 1;
    } else if (inside[at] == '(' || inside[at] == '[' || inside[at] == '{') {
      ++depth;
    } else if (inside[at] == ')' || inside[at] == ']' || inside[at] == '}') {
      --depth;
    }
  }
  return call;
}

}  // namespace ambit::repair
