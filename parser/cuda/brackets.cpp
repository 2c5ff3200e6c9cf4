#include "parser/cuda/brackets.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace ambit::parser::cuda {
namespace {

std::string closing_of(const Token& opening) {
  if (opening.is("(")) return ")";
  return opening.is("[") ? "]" : "}";
}

std::string still_open(const Token& opening) {
  return fmt::format("the '{}' in line {} is still open", opening.text, opening.span.line);
}

/// True for the bracket of `for (a; b; c)` and of `if (a; b)`, and for braces.
bool may_hold_semicolons(const Tokens& tokens, std::size_t open) {
  if (tokens[open].is("{")) return true;
  return tokens[open].is("(") && open > 0 && tokens[open - 1].is_any({"for", "if", "switch"});
}

class Mender {
 public:
  explicit Mender(Reporter& reporter) : reporter_(reporter) {}

  bool add(const Token& token) {
    if (token.kind == TokenKind::Punctuator) {
      if (token.is(";")) close_statement(token);
      if (token.closes() && !close(token)) return false;
      if (token.opens()) open_.push_back(whole_.size());
    }
    whole_.push_back(token);
    return true;
  }

  bool finish() {
    if (open_.empty()) return true;
    const Token& opening = whole_[open_.back()];
    reporter_.error(opening.span, fmt::format("this '{}' is not closed", opening.text));
    return false;
  }

  Tokens take() { return std::move(whole_); }

 private:
  void close_statement(const Token& end) {
    while (!open_.empty() && !may_hold_semicolons(whole_, open_.back())) {
      const Token& opening = whole_[open_.back()];
      const std::string missing = closing_of(opening);
      reporter_.syntax_error(end.span, fmt::format("expected '{}', found ';'", missing), still_open(opening));
      open_.pop_back();
      Token closing = end;
      closing.text = missing;
      whole_.push_back(std::move(closing));
    }
  }

  bool close(const Token& token) {
    if (!open_.empty() && closing_of(whole_[open_.back()]) == token.text) {
      open_.pop_back();
      return true;
    }
    reporter_.error(token.span, fmt::format("unmatched '{}'", token.text),
                    open_.empty() ? "" : still_open(whole_[open_.back()]));
    return false;
  }

  Reporter& reporter_;
  Tokens whole_;
  std::vector<std::size_t> open_;  ///< indices in `whole_`
};

}  // namespace

bool mend_brackets(Tokens& tokens, Reporter& reporter) {
  Mender mender(reporter);
  for (const Token& token : tokens) {
    if (!mender.add(token)) return false;
  }
  if (!mender.finish()) return false;
  tokens = mender.take();
  return true;
}

}  // namespace ambit::parser::cuda
