#include "report/logs/junit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/utf8.h"
#include "report/text/verdict_text.h"

namespace ambit::report {

std::string xml_escape(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD, as in the JSON output
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const std::string_view character = text.substr(i, std::max<std::size_t>(length, 1));
    i += character.size();
    const bool is_no_character = character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";  // U+FFFE, U+FFFF
    if (length == 0 || is_no_character) {
      out += kReplacement;
      continue;
    }
    switch (character.front()) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      case '\t': out += "&#9;"; break;
      default:
        if (static_cast<unsigned char>(character.front()) < 0x20) {
          out += '?';
        } else {
          out += character;
        }
    }
  }
  return out;
}

void JUnit::add_case(const std::string& file, const std::string& name, double milliseconds, Kind kind,
                     const std::string& message, const std::string& text) {
  ++tests_;
  milliseconds_ += milliseconds;
  cases_ += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", xml_escape(file),
                        xml_escape(name), milliseconds / 1000);
  const auto child = [&](std::string_view element) {
    cases_ += fmt::format(">\n      <{} message=\"{}\">{}</{}>\n    </testcase>\n", element, xml_escape(message),
                          xml_escape(text), element);
  };
  switch (kind) {
    case Kind::Passed: cases_ += "/>\n"; break;
    case Kind::Failure:
      ++failures_;
      child("failure");
      break;
    case Kind::Error:
      ++errors_;
      child("error");
      break;
    case Kind::Skipped:
      ++skipped_;
      child("skipped");
      break;
  }
}

void JUnit::add(const TestResult& test) {
  if (!test.was_run) return add_case(test.file, test.name(), 0, Kind::Skipped, "interrupted", "");
  if (!test.error.empty()) add_case(test.file, test.name(), 0, Kind::Error, "no verdict", test.error);
  for (const ModelResult& result : test.results) {
    const std::string name = fmt::format("{} [{}]", test.name(), result.model);
    const std::string reasons = fmt::format("{}", fmt::join(result.judgement.reasons, "; "));
    const auto text = [&] { return verdict_text(test, result, Style{}, Detail::Plain); };
    switch (result.judgement.status) {
      case verdict::Status::Ok: add_case(test.file, name, result.milliseconds, Kind::Passed, "", ""); break;
      case verdict::Status::Fail: add_case(test.file, name, result.milliseconds, Kind::Failure, reasons, text()); break;
      case verdict::Status::Unknown:
        add_case(test.file, name, result.milliseconds, Kind::Error, reasons.empty() ? "unknown" : reasons, text());
        break;
      case verdict::Status::Error:
        add_case(test.file, name, result.milliseconds, Kind::Error, "no verdict", result.error);
        break;
      case verdict::Status::NothingExpected: add_unexpected(test, result, name); break;
    }
  }
}

/// Adds a verdict without an expectation. Such a verdict is not a failure, so the case is "skipped". The text mentions
/// a race if the verdict has one.
void JUnit::add_unexpected(const TestResult& test, const ModelResult& result, const std::string& name) {
  const bool has_race = result.verdict && result.verdict->race == events::Possibility::Possible;
  const std::string message = has_race ? "no expectation: " + words_of(result).race : "no expectation";
  const std::string text = has_race ? verdict_text(test, result, Style{}, Detail::Plain) : "";
  add_case(test.file, name, result.milliseconds, Kind::Skipped, message, text);
}

std::string JUnit::document() const {
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                                         tests_, failures_, errors_, skipped_, milliseconds_ / 1000);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite name=\"ambit check\" {}>\n{}"
      "  </testsuite>\n</testsuites>\n",
      counts, counts, cases_);
}

}  // namespace ambit::report
