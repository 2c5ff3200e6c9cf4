#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parser/cuda/syntax/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// The macros that are defined at a place of a file, and their expansion [cpp.replace].
class Macros {
 public:
  struct Macro {
    Tokens body;
    bool is_function = false;
    bool is_variadic = false;
    std::vector<std::string> parameters;
  };

  explicit Macros(Reporter& reporter) : reporter_(reporter) {}

  /// Defines a macro from `line`, the tokens after #define. Errors: the name is missing, or the parameter list is
  /// malformed.
  void define(const Tokens& line, SourceSpan directive);
  /// Defines a macro of the command line (-D NAME=VALUE) or of the compiler.
  void define(std::string name, Tokens body) { macros_[std::move(name)] = {std::move(body), false, false, {}}; }
  void undefine(const std::string& name) { macros_.erase(name); }
  bool is_defined(const std::string& name) const { return macros_.contains(name); }

  /// Expands all macros. Expanded tokens have the place of the macro's use; arguments keep their own places. Errors:
  /// the number of arguments is wrong; ## cannot join two words; the result has more than kMaxTokens tokens.
  Tokens expand(const Tokens& tokens);

 private:
  /// The largest number of tokens that expansions may create in one file. A long token counts as several tokens.
  static constexpr std::size_t kMaxTokens = 200'000;

  struct Call {
    std::vector<Tokens> arguments;
    std::set<std::string> hidden;  ///< macros that are hidden at the closing bracket
  };
  using Input = std::vector<Token>;  // the tokens to read, in reverse order: the next token is at the back

  std::optional<Call> read_call(const Macro& macro, const Token& name, Input& input);
  bool fit_arguments(const Macro& macro, const Token& name, std::vector<Tokens>& arguments);
  Tokens substitute(const Macro& macro, const Token& use, const std::vector<Tokens>& arguments);
  void join(Tokens& left, Tokens right, const Token& use);
  const Tokens* argument(const Macro& macro, const std::vector<Tokens>& arguments, const Token& token) const;
  bool spend(const Token& use, const Tokens& made);

  Reporter& reporter_;
  std::map<std::string, Macro> macros_;
  std::size_t made_ = 0;
  int depth_ = 0;
};

}  // namespace ambit::parser::cuda
