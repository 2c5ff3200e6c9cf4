#include "parser/cuda/syntax/brackets.h"

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

/// Returns whether the bracket may contain semicolons: a brace, or the bracket of `for (a; b; c)` or `if (a; b)`.
bool may_hold_semicolons(const Tokens& tokens, std::size_t open) {
  if (tokens[open].is("{")) return true;
  return tokens[open].is("(") && open > 0 && tokens[open - 1].is_any({"for", "if", "switch"});
}

/// Returns the index at which the bracket `open` must be closed: before the assignment in `a[i = 1;`, otherwise at the
/// end.
std::size_t place_of_closing(const Tokens& tokens, std::size_t open) {
  if (!tokens[open].is("[")) return tokens.size();
  for (std::size_t at = open + 1; at < tokens.size();) {
    if (tokens[at].is_any({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})) return at;
    at = tokens[at].opens() ? skip_group(tokens, at) : at + 1;
  }
  return tokens.size();
}

/// Maximum number of missing brackets that are added to a statement. More missing brackets are unlikely to be a typing
/// error, and adding them takes quadratic time.
constexpr int kMostMissing = 8;

class Mender {
 public:
  explicit Mender(Reporter& reporter) : reporter_(reporter) {}

  bool add(const Token& token) {
    if (token.kind == TokenKind::Punctuator) {
      if (token.is(";") && !close_statement(token)) return false;
      if (token.closes() && !close(token)) return false;
      if (token.opens()) open_.push_back(whole_.size());
    }
    whole_.push_back(token);
    return true;
  }

  bool finish() { return open_.empty() ? !damaged_declaration_ : not_closed(); }

  Tokens take() { return std::move(whole_); }

 private:
  bool not_closed() {
    const Token& opening = whole_[open_.back()];
    reporter_.error(opening.span, fmt::format("this '{}' is not closed", opening.text));
    return false;
  }

  bool close_statement(const Token& end) {
    for (int missing = 0; !open_.empty() && !may_hold_semicolons(whole_, open_.back()); ++missing) {
      if (missing == kMostMissing) return not_closed();
      const Token opening = whole_[open_.back()];
      const std::size_t place = place_of_closing(whole_, open_.back());
      Token closing = place < whole_.size() ? whole_[place] : end;
      const std::string found = std::exchange(closing.text, closing_of(opening));
      reporter_.syntax_error(closing.span, fmt::format("expected '{}', found '{}'", closing.text, found),
                             still_open(opening));
      whole_.insert(whole_.begin() + static_cast<std::ptrdiff_t>(place), std::move(closing));
      open_.pop_back();
      damaged_declaration_ |= open_.empty();
    }
    return true;
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
  std::vector<std::size_t> open_;     ///< indices in `whole_`
  bool damaged_declaration_ = false;  ///< whether a declaration outside of functions has an unclosed bracket
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
