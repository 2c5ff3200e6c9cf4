#include "report/logs/outcome_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/trimmed.h"

namespace ambit::report {
namespace {

/// Maximum length of a line in bytes.
constexpr std::size_t kLongestLine = std::size_t{1} << 16U;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t length =
        static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_space) - text.begin());
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return words;
}

std::optional<std::uint64_t> number(std::string_view text, int base = 10) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Normalises a name: "[x]" and "x" become the same cell name, and "P1:r0" and "1:r0" the same register name.
std::string canonical_name(std::string_view name) {
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') name = trimmed(name.substr(1, name.size() - 2));
  const std::size_t colon = name.find(':');
  if (colon != name.npos && name.front() == 'P' && is_digits(name.substr(1, colon - 1))) name.remove_prefix(1);
  return std::string(name);
}

/// Normalises a number: 0x10, 016 and 16 are equal. Leaves other text unchanged.
std::string canonical_value(std::string_view value) {
  const bool negative = value.starts_with('-');
  const std::string_view digits = negative ? value.substr(1) : value;
  const bool is_hexadecimal = digits.starts_with("0x");
  const auto parsed = is_hexadecimal ? number(digits.substr(2), 16) : number(digits);
  if (!parsed) return std::string(value);
  return fmt::format("{}{}", negative && *parsed != 0 ? "-" : "", *parsed);
}

constexpr std::array<std::string_view, 7> kResults = {"Ok", "No", "Undef", "Undefined", "Succeeded", "Failed", "??"};

class LogReader {
 public:
  LogReader(std::istream& in, const std::string& path) : in_(in) { log_.path = path; }

  Result<OutcomeLog> read() {
    while (!error_ && next_line()) {
      switch (at_) {
        case At::Between: between(); break;
        case At::Head: head(); break;
        case At::States: state_line(); break;
      }
    }
    if (!error_ && at_ != At::Between) {
      fail(fmt::format("the log ends within the test '{}', which begins in line {}", test_.name, test_.line),
           "was the run that printed it stopped?", text_.size() + 1);
    }
    if (!error_ && is_open_) finish();
    if (!error_ && log_.tests.empty()) {
      error_ = Diagnostic{file_of({}, 0), {}, "there is no test in this log: no line 'Test NAME Allowed'", ""};
    }
    if (error_) return *std::move(error_);
    return std::move(log_);
  }

 private:
  enum class At { Between, Head, States };

  bool next_line() {
    std::string text;
    std::streambuf& buffer = *in_.rdbuf();
    for (int c = buffer.sbumpc();; c = buffer.sbumpc()) {
      if (c == std::char_traits<char>::eof()) {
        if (text.empty()) return false;  // keeps the last line, which an error message may quote
        break;
      }
      if (c == '\n') break;
      text += static_cast<char>(c);
      if (text.size() > kLongestLine || c == '\0') {
        text_.clear();
        error_ = Diagnostic{file_of({}, 0), {}, fmt::format("line {} is not the text of a log", line_ + 1), ""};
        return false;
      }
    }
    ++line_;
    text_ = std::move(text);
    if (text_.ends_with('\r')) text_.pop_back();
    return true;
  }

  /// Returns a source for an error message. The source has only the line `line`, because the rest of the file is not in
  /// memory.
  SourceFilePtr file_of(std::string_view text, std::uint32_t line) const {
    std::string lines(line == 0 ? 0 : line - 1, '\n');
    return std::make_shared<const SourceFile>(SourceFile{log_.path, lines.append(text)});
  }
  void fail(std::string message, std::string hint = {}, std::size_t column = 1, std::size_t length = 1) {
    if (error_) return;
    const SourceSpan span{line_, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(length)};
    error_ = Diagnostic{file_of(text_, line_), span, std::move(message), std::move(hint)};
  }
  void fail_at(std::string_view part, std::string message, std::string hint = {}) {
    fail(std::move(message), std::move(hint), static_cast<std::size_t>(part.data() - text_.data()) + 1,
         std::max<std::size_t>(1, part.size()));
  }

  // ---- lines ----

  /// Parses `Test NAME` or `Test NAME Allowed`. Returns false for other text that begins with the word Test.
  bool begins_test() {
    if (!text_.starts_with("Test ")) return false;
    const std::vector<std::string_view> words = words_of(text_);
    if (words.size() < 2 || words.size() > 3) return false;
    if (words.size() == 3 && words[2] != "Allowed" && words[2] != "Forbidden" && words[2] != "Required") {
      fail_at(words[2], "expected Allowed, Forbidden or Required");
      return true;
    }
    if (is_open_) finish();
    test_ = {};
    test_.name = words[1];
    test_.line = line_;
    is_open_ = true;
    at_ = At::Head;
    return true;
  }

  /// Parses `Undecided NAME under MODEL: why`. A log has this line in place of a test with an incomplete answer.
  bool is_undecided_test() {
    if (!text_.starts_with("Undecided ")) return false;
    const std::vector<std::string_view> words = words_of(text_);
    if (words.size() < 4 || words[2] != "under") return false;
    if (is_open_) finish();
    test_ = {};
    test_.name = words[1];
    test_.line = line_;
    test_.is_undecided = true;
    finish();
    return true;
  }

  void between() {
    if (begins_test() || is_undecided_test() || !is_open_) return;
    const std::string_view text = trimmed(text_);
    if (!text.starts_with("Hash") && !text.starts_with("hash")) return;
    const std::size_t equals = text.find('=');
    if (equals != text.npos && trimmed(text.substr(4, equals - 4)).empty())
      test_.hash = trimmed(text.substr(equals + 1));
  }

  /// Reads the lines of a test up to `States N` or `Histogram (N states)`. Before these, litmus7 prints further lines.
  void head() {
    const std::vector<std::string_view> words = words_of(text_);
    if (words.empty()) return;
    const std::string_view key = words.front();
    if (key.starts_with("Fatal")) {  // the run of this test failed, so the test has no outcomes
      is_open_ = false;
      at_ = At::Between;
      return;
    }
    if (key == "Test" && words.size() <= 3 && text_.starts_with("Test ")) {
      return fail(fmt::format("the test '{}' begins before '{}' (line {}) has listed its states", words[1], test_.name,
                              test_.line),
                  "was the run that printed it stopped?");
    }
    if (key != "States" && key != "Histogram") return;
    test_.is_histogram = key == "Histogram";
    announced_.reset();
    if (words.size() > 1) {
      std::string_view count = words[1];
      if (count.starts_with('(')) count.remove_prefix(1);
      announced_ = number(count);
      if (!announced_) return fail_at(words[1], "expected the number of states");
    }
    found_ = 0;
    at_ = At::States;
  }

  bool ends_states(std::string_view text) {
    const bool is_cut = text.starts_with("Loop");
    if (is_cut) text = trimmed(text.substr(4));
    const auto is_result = [&](std::string_view result) {
      return text.starts_with(result) && (text.size() == result.size() || is_space(text[result.size()]));
    };
    if (std::none_of(kResults.begin(), kResults.end(), is_result)) return false;
    test_.is_cut = is_cut;
    return true;
  }

  void state_line() {
    const std::string_view text = trimmed(text_);
    if (ends_states(text)) return end_states();
    if (text.starts_with("Test ")) {
      return fail(
          fmt::format("a test begins within the states of '{}', which begins in line {}", test_.name, test_.line),
          "was the run that printed it stopped?");
    }
    if (text.empty()) return;
    std::string_view rest = text;
    const std::uint64_t count = occurrences(rest);
    std::optional<LogState> state = error_ ? std::nullopt : read_state(rest);
    if (!state) return;
    ++found_;
    if (!test_.states.emplace(*std::move(state), count).second) {
      fail_at(rest, fmt::format("duplicate state of the test '{}'", test_.name));
    }
  }

  /// Parses the count before a state: "96    *>" or "499 :>". In the output of litmus7, a star marks states that
  /// satisfy the condition.
  std::uint64_t occurrences(std::string_view& text) {
    const std::size_t end = text.find('>');
    if (end == text.npos || end == 0 || (text[end - 1] != ':' && text[end - 1] != '*')) return 1;
    const std::uint64_t count = number(trimmed(text.substr(0, end - 1))).value_or(0);
    if (count == 0) {
      fail_at(text.substr(0, end + 1), "expected how often the state was seen: a whole number from 1 to 2^64 - 1");
    }
    text.remove_prefix(end + 1);
    return count;
  }

  std::optional<LogState> read_state(std::string_view text) {
    std::map<std::string, std::string> state;
    for (text = trimmed(text); !text.empty() && text.front() != '#'; text = trimmed(text)) {
      const std::size_t end = text.find(';');
      const std::string_view part = trimmed(text.substr(0, std::min(end, text.size())));
      const std::size_t equals = part.find('=');
      const bool is_fault = part.find('(') != part.npos && equals == part.npos;
      const bool is_binding = equals != part.npos && equals > 0 && equals + 1 < part.size();
      if (end == text.npos || (!is_fault && !is_binding)) {
        fail_at(part.empty() ? text : part, fmt::format("this is not a state of the test '{}'", test_.name),
                "a state is written 0:r0=1; x=2;");
        return std::nullopt;
      }
      if (is_fault) {
        state.emplace(std::string(part), "");
      } else {
        const std::string value = canonical_value(trimmed(part.substr(equals + 1)));
        const auto [known, fresh] = state.emplace(canonical_name(trimmed(part.substr(0, equals))), value);
        if (!fresh && known->second != value) {
          fail_at(part, fmt::format("'{}' has the value {} in this state already", known->first, known->second));
          return std::nullopt;
        }
      }
      text.remove_prefix(end + 1);
    }
    return state_of(state);
  }

  void end_states() {
    // If a test observes no values, its only state is an empty line.
    if (found_ == 0 && announced_.value_or(0) == 1) {
      test_.states[LogState()] += 1;
      found_ = 1;
    }
    if (announced_ && *announced_ != found_) {
      return fail(fmt::format("the test '{}' announces {} states, but has {}", test_.name, *announced_, found_),
                  "a line is missing, or was added");
    }
    at_ = At::Between;
  }

  void fail_at_test(std::string message, std::string hint) {
    error_ = Diagnostic{file_of((test_.is_undecided ? "Undecided " : "Test ") + test_.name, test_.line),
                        {test_.line, 1, 1},
                        std::move(message),
                        std::move(hint)};
  }

  /// Adds the test to the log.
  void finish() {
    is_open_ = false;
    const auto [known, fresh] = log_.tests.emplace(test_.name, test_);
    LoggedTest& other = known->second;
    if (!fresh && !is_repetition(other)) {
      if (!other.hash.empty() && !test_.hash.empty() && other.hash != test_.hash) {
        return fail_at_test(fmt::format("the test '{}' differs from the test of this name in line {}: their "
                                        "hashes differ",
                                        test_.name, other.line),
                            "give the tests different names, or put them into two logs");
      }
      return fail_at_test(fmt::format("the test '{}' has other states here than in line {}", test_.name, other.line),
                          "a log is of one model: compare two models as two logs");
    }
    if (!add_runs(other)) {
      return fail_at_test(fmt::format("the counts of the test '{}' add up to 2^64 or more", test_.name), "");
    }
    if (fresh) return;
    if (!other.hash.empty() && !test_.hash.empty() && other.hash != test_.hash) {
      log_.warnings.push_back(
          fmt::format("{}:{}: the test '{}' has another hash here than in line {}: it was changed between the runs",
                      log_.path, test_.line, test_.name, other.line));
    }
    if (!test_.is_histogram) return;
    for (const auto& [state, count] : test_.states) other.states[state] += count;
  }

  /// If a log repeats a test, a machine may show different states each time; a model must always give the same states.
  bool is_repetition(const LoggedTest& other) const {
    if (other.is_histogram != test_.is_histogram) return false;
    return test_.is_histogram ||
           (other.states == test_.states && other.is_cut == test_.is_cut && other.is_undecided == test_.is_undecided);
  }

  /// Adds the counts of another run of a test on a machine. Returns false if the sum overflows.
  bool add_runs(const LoggedTest& test) {
    std::uint64_t& runs = runs_[test.name];
    for (const auto& [state, count] : test_.states) {
      if (count > std::numeric_limits<std::uint64_t>::max() - runs) return false;
      runs += count;
    }
    return true;
  }

  std::istream& in_;
  OutcomeLog log_;
  std::string text_;
  std::uint32_t line_ = 0;
  std::optional<Diagnostic> error_;

  At at_ = At::Between;
  bool is_open_ = false;  ///< whether further lines of test_ may follow
  LoggedTest test_;
  std::map<std::string, std::uint64_t> runs_;  ///< for each test, the sum of its counts
  std::optional<std::uint64_t> announced_;
  std::uint64_t found_ = 0;
};

}  // namespace

std::map<std::string, std::string> bindings_of(const LogState& state) {
  std::map<std::string, std::string> bindings;
  for (std::string_view text = state; !text.empty();) {
    const std::size_t end = text.find(';');
    const std::string_view part = trimmed(text.substr(0, end));
    const std::size_t equals = part.find('=');
    const bool has_value = equals != part.npos;
    bindings.emplace(part.substr(0, equals), has_value ? part.substr(equals + 1) : std::string_view());
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
  return bindings;
}

LogState state_of(const std::map<std::string, std::string>& bindings) {
  LogState state;
  for (const auto& [name, value] : bindings) {
    if (!state.empty()) state += ' ';
    state += name;
    if (!value.empty()) state.append("=").append(value);
    state += ';';
  }
  return state;
}

Result<OutcomeLog> read_log(std::istream& in, const std::string& path) { return LogReader(in, path).read(); }

}  // namespace ambit::report
