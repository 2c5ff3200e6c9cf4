#include "apps/server/page_words.h"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>
#include <utility>

namespace ambit::server {
namespace {

/// Pairs of texts. The first text is a hint in which another module names a command-line option. The page shows the
/// second text instead. If one hint contains another hint, the longer hint must come first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kWords{{
    // Unknown answers and their reasons
    {"raise --timeout, or try the other --engine", "make the test smaller, or ask fewer models"},
    {"raise --timeout", "make the test smaller"},
    {"raise --memory, or try the other --engine", "make the test smaller"},
    {"change the test, or try the other --engine", "change the test"},
    {"try the other --engine", "use fewer or smaller values"},
    {": ambit fix takes more time for changes", ""},
    {"raise --unroll", "make the loop shorter"},
    {"see --opaque-branches", "on the command line"},
    {"--opaque-branches takes such branches both ways", "`ambit check` on the command line can take both ways"},
    {"give it one, or ask --property termination", "give it one, or expect `MODEL under fair : terminates`"},
    {"ask a model that has rules for it: --model ptx", "ask a model that has rules for it: ptx"},
    {"try --property termination", "expect `MODEL under fair : terminates`"},
    {"--property termination checks that", "`expect MODEL under fair : terminates` checks that"},
    // Limits
    {"raise the limit with --max-threads", "use fewer threads"},
    {"or shorter loops (--unroll)", "or shorter loops"},
    {"shorter arrays, or a higher limit (--max-events)", "use shorter arrays"},
    {"fewer threads (ambit judge tries smaller launches, ambit exec runs the launch), shorter loops (--unroll), or a "
     "higher limit (--max-events)",
     "fewer threads, or shorter loops"},
    // The simulator
    {"ambit check --model ptx decides tests with proxies; --memory sc ignores them",
     "Verdicts of the model ptx consider proxies; the memory sc ignores them"},
    {"with --memory sc and --warps independent", "with the memory sc and independent warps"},
    {"--memory sc ignores", "the memory sc ignores"},
    {"use a detector that works on traces: ambit detect --list", "use a detector that works on traces"},
    {"check global memory: ambit detect --list", "check global memory"},
    // Sources
    {"check the CUDA source with --compiled", "`ambit check` on the command line can compile the CUDA source"},
    {" (--uninit)", ""},
}};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// In a hint, replaces --launch by a comment to write in the test, and -D by a line #define.
std::string with_comments(const std::string& text) {
  static const std::regex launch("--launch '([^'\n]*)'(, or (a comment |the comment )?// ambit: launch [^;\n]*;|;)?");
  static const std::regex macro(R"(with -D ([A-Za-z_]\w*)=([A-Z]+))");
  const std::string launched = std::regex_replace(text, launch, "a comment // ambit: launch $1;");
  return std::regex_replace(launched, macro, "with #define $1 $2");
}

/// Removes hints that still name an option of the command line.
void drop_hints(std::string& text) {
  constexpr std::string_view kHint = "hint: ";
  static const std::regex option("(^|[ '`(])--[a-z]");
  for (std::size_t at = text.find(kHint); at != std::string::npos; at = text.find(kHint, at)) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t begin = text.find_last_not_of(' ', at == 0 ? 0 : at - 1);
    const bool is_line = at == 0 || begin == std::string::npos || text[begin] == '\n';
    if (!is_line || !std::regex_search(text.substr(at, end - at), option)) {
      at = end;
      continue;
    }
    const bool has_next = end < text.size();
    const std::size_t from = begin == std::string::npos || at == 0 ? 0 : has_next ? begin + 1 : begin;
    text.erase(from, (has_next ? end + 1 : end) - from);
    at = from;
  }
}

}  // namespace

std::string page_text(std::string text) {
  if (text.find(" -D ") == std::string::npos && text.find("--") == std::string::npos) return text;
  for (const auto& [from, to] : kWords) replace_all(text, from, to);
  text = with_comments(text);
  drop_hints(text);
  return text;
}

void use_page_words(Json& answer) {
  if (answer.is_string()) {
    answer = page_text(answer.get<std::string>());
  } else if (answer.is_structured()) {
    for (Json& part : answer) use_page_words(part);
  }
}

}  // namespace ambit::server
