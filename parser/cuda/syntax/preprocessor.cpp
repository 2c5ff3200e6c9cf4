#include "parser/cuda/syntax/preprocessor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "parser/cuda/syntax/constant.h"
#include "parser/cuda/syntax/lexer.h"

namespace ambit::parser::cuda {
namespace {

constexpr std::array<std::string_view, 13> kDirectives = {"define", "undef",   "if",      "ifdef", "ifndef",
                                                          "elif",   "elifdef", "else",    "endif", "include",
                                                          "pragma", "error",   "elifndef"};

class Preprocessor {
 public:
  Preprocessor(const Tokens& tokens, Macros& macros, Reporter& reporter)
      : tokens_(tokens), macros_(macros), reporter_(reporter) {}

  Preprocessed run() {
    while (at_ < tokens_.size()) {
      const Token& token = tokens_[at_];
      if (token.is_annotation) {
        keep_annotation(token);
        ++at_;
      } else if (token.starts_line && token.is("#")) {
        flush();
        directive();
      } else {
        if (active()) pending_.push_back(token);
        ++at_;
      }
    }
    flush();
    for (const Branch& branch : branches_) reporter_.error(branch.span, "this #if is not closed: expected #endif");
    join_texts(result_.annotations);
    return std::move(result_);
  }

 private:
  struct Branch {
    SourceSpan span;
    bool outer_active = false;
    bool active = false;
    bool taken = false;  ///< whether a branch has been taken
    bool has_else = false;
  };

  bool active() const { return branches_.empty() || branches_.back().active; }

  void keep_annotation(const Token& token) {
    if (!active()) return;
    if (token.kind == TokenKind::NearAnnotation) {
      reporter_.error(token.span, fmt::format("Ambit ignores the comment '{} ...'", token.text),
                      "did you mean 'ambit:'?");
    } else {
      pending_annotations_.push_back(token);
    }
  }

  void flush() {
    Tokens code = macros_.expand(pending_);
    std::move(code.begin(), code.end(), std::back_inserter(result_.code));
    pending_.clear();
    flush_annotations();
  }

  void flush_annotations() {
    std::size_t begin = 0;
    const auto expandable = [&](const Token& token) { return token.is_any({"launch", "exists", "forall", "filter"}); };
    const auto fixed = [&](const Token& token) { return token.is_any({"expect", "label", "detect"}); };
    for (std::size_t i = 0; i <= pending_annotations_.size(); ++i) {
      const bool at_end = i == pending_annotations_.size();
      const bool expand = !at_end && expandable(pending_annotations_[i]);
      if (!at_end && !expand && !fixed(pending_annotations_[i])) continue;
      const Tokens part = slice(pending_annotations_, begin, i);
      const Tokens read = expands_annotation_ ? macros_.expand(part) : part;
      result_.annotations.insert(result_.annotations.end(), read.begin(), read.end());
      begin = i;
      if (!at_end) expands_annotation_ = expand;
    }
    pending_annotations_.clear();
  }

  /// Joins adjacent quoted texts, such as "a" "b", into one text, as C++ does, because a reason may span several
  /// comment lines.
  static void join_texts(Tokens& tokens) {
    Tokens joined;
    for (Token& token : tokens) {
      const bool follows = !joined.empty() && joined.back().kind == TokenKind::Text && token.kind == TokenKind::Text;
      if (!follows) {
        joined.push_back(std::move(token));
        continue;
      }
      joined.back().text.pop_back();
      joined.back().text += token.text.substr(1);
    }
    tokens = std::move(joined);
  }

  /// Reads the tokens after the '#' of a directive, to the end of the line.
  Tokens take_line() {
    Tokens line;
    for (++at_; at_ < tokens_.size() && !tokens_[at_].starts_line; ++at_) {
      if (tokens_[at_].is_annotation) {
        keep_annotation(tokens_[at_]);
      } else {
        line.push_back(tokens_[at_]);
      }
    }
    return line;
  }

  void directive() {
    const SourceSpan hash = tokens_[at_].span;
    Tokens line = take_line();
    if (line.empty()) return;
    const Token name = line.front();
    line.erase(line.begin());
    if (name.is_any({"if", "ifdef", "ifndef"})) {
      begin_branch(name, line);
    } else if (name.is_any({"elif", "else", "elifdef", "elifndef"})) {
      next_branch(name, line);
    } else if (name.is("endif")) {
      if (branches_.empty()) {
        reporter_.error(name.span, "#endif without #if");
      } else {
        branches_.pop_back();
      }
    } else if (active()) {
      action(name, line, hash);
    }
  }

  void action(const Token& name, const Tokens& line, SourceSpan hash) {
    if (name.is("define")) {
      macros_.define(line, hash);
    } else if (name.is("undef")) {
      if (line.size() == 1 && line.front().is_name()) {
        macros_.undefine(line.front().text);
      } else {
        reporter_.error(name.span, "expected the name of a macro after #undef");
      }
    } else if (name.is("error")) {
      std::string text;
      for (const Token& token : line) text += (token.spaced && !text.empty() ? " " : "") + token.text;
      reporter_.error(name.span, fmt::format("#error {}", text), "select another variant with -D NAME=VALUE");
    } else if (name.is("pragma")) {
      const bool parallel = line.size() > 1 && (line[0].is("omp") || line[0].is("acc")) && !line[1].is("simd");
      if (parallel) result_.parallel.push_back(name.span);
    } else if (!name.is("include") && !name.is("line") && !name.is("warning") && !name.is("ident")) {
      const std::string_view near = nearest_name(name.text, {kDirectives.begin(), kDirectives.end()});
      reporter_.error(name.span, fmt::format("unknown directive '#{}'", name.text),
                      near.empty() ? "" : fmt::format("did you mean '#{}'?", near));
    }
  }

  void begin_branch(const Token& name, const Tokens& line) {
    Branch branch;
    branch.span = name.span;
    branch.outer_active = active();
    branch.active = branch.outer_active && holds(name, line);
    branch.taken = branch.active;
    branches_.push_back(branch);
  }

  void next_branch(const Token& name, const Tokens& line) {
    if (branches_.empty() || branches_.back().has_else) {
      reporter_.error(name.span, branches_.empty() ? fmt::format("#{} without #if", name.text)
                                                   : fmt::format("#{} after #else", name.text));
      return;
    }
    Branch& branch = branches_.back();
    branch.has_else = name.is("else");
    branch.active = branch.outer_active && !branch.taken && (branch.has_else || holds(name, line));
    branch.taken |= branch.active;
  }

  bool holds(const Token& name, const Tokens& line) {
    if (!name.is("if") && !name.is("elif")) {
      if (line.empty() || !line.front().is_name()) {
        reporter_.error(name.span, fmt::format("expected the name of a macro after #{}", name.text));
        return false;
      }
      return has_macro(line.front()) == !name.text.ends_with("ndef");
    }
    const Tokens condition = macros_.expand(without_defined(line));
    for (const Token& token : condition) has_macro(token);
    const auto value_of = [](const Token& token) -> std::optional<std::int64_t> { return token.is("true") ? 1 : 0; };
    const Token* wrong = nullptr;
    const std::optional<std::int64_t> value = evaluate(condition, value_of, &wrong);
    if (!value) {
      reporter_.error(wrong == nullptr ? name.span : wrong->span,
                      fmt::format("the condition of #{} is not an integer expression", name.text));
    }
    return value.value_or(0) != 0;
  }

  /// Returns whether a macro is defined. Reports an error for a version macro of nvcc without -D, because the macro's
  /// value is unknown.
  bool has_macro(const Token& name) {
    static constexpr std::array<std::string_view, 5> kVersions = {
        "CUDART_VERSION", "CUDA_VERSION", "__CUDACC_VER_MAJOR__", "__CUDACC_VER_MINOR__", "__CUDACC_VER_BUILD__"};
    if (macros_.is_defined(name.text)) return true;
    const bool version = std::find(kVersions.begin(), kVersions.end(), name.text) != kVersions.end();
    if (version && name.is_name()) {
      reporter_.error(name.span, fmt::format("the value of '{}' is not known", name.text),
                      fmt::format("give the value with -D {}=VALUE", name.text));
    }
    return false;
  }

  /// Replaces `defined X`, `defined(X)` and __has_include(...) by 1 or 0, before macro expansion.
  Tokens without_defined(const Tokens& line) {
    Tokens result;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool is_defined = line[i].is("defined");
      if (!is_defined && !line[i].is("__has_include")) {
        result.push_back(line[i]);
        continue;
      }
      Token number = line[i];
      number.kind = TokenKind::Number;
      number.text = "0";
      const bool bracket = i + 1 < line.size() && line[i + 1].is("(");
      const std::size_t at = i + (bracket ? 2 : 1);
      if (is_defined && (at >= line.size() || !line[at].is_name())) {
        reporter_.error(line[i].span, "expected the name of a macro after 'defined'");
      } else if (is_defined) {
        number.text = has_macro(line[at]) ? "1" : "0";
      }
      i = bracket ? skip_group(line, i + 1) - 1 : std::min(at, line.size() - 1);
      result.push_back(std::move(number));
    }
    return result;
  }

  const Tokens& tokens_;
  Macros& macros_;
  Reporter& reporter_;
  Preprocessed result_;
  Tokens pending_;
  Tokens pending_annotations_;
  std::vector<Branch> branches_;
  std::size_t at_ = 0;
  bool expands_annotation_ = false;
};

}  // namespace

Preprocessed preprocess(const Tokens& tokens, Macros& macros, Reporter& reporter) {
  return Preprocessor(tokens, macros, reporter).run();
}

void define_initial_macros(Macros& macros, const std::vector<std::string>& defines, Reporter& reporter) {
  const auto define = [&](const std::string& name, const std::string& value) {
    macros.define(name, read_tokens(value, 0, reporter));
  };
  for (const char* name : {"__AMBIT__", "__CUDACC__", "__NVCC__"}) define(name, "1");
  // Macros that kernels/stm/ambit_atomic.h defines. Ambit reads no headers, so it defines the macros here.
  for (const char* name : {"AMBIT_ATOMIC", "AMBIT_ATOMIC_SCOPE"}) define(name, "atomic");
  define("AMBIT_ABORT", "abort");
  define("__CUDA_ARCH__", "900");
  define("__cplusplus", "202002L");
  for (const std::string& text : defines) {
    const std::size_t equals = text.find('=');
    define(text.substr(0, equals), equals == std::string::npos ? "1" : text.substr(equals + 1));
  }
}

}  // namespace ambit::parser::cuda
