#include "suite/suite_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "suite/json_places.h"

namespace ambit::suite {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHint = "docs/reference/suites.md has a template";

class SuiteReader {
 public:
  SuiteReader(SourceFilePtr source, const Json& json) : source_(std::move(source)), json_(json) {}

  Result<SuiteFile> read() {
    SuiteFile suite;
    suite.text = source_;
    suite.folder = std::filesystem::path(source_->path).parent_path().string();
    suite.name = text("suite");
    suite.source = text("source");
    suite.race = text("race");
    suite.norace = text("norace");
    if (const auto labels = json_.find("labels"); labels != json_.end()) read_labels(*labels, suite);
    constexpr std::array<std::string_view, 5> kFields = {"suite", "source", "race", "norace", "labels"};
    for (const auto& [name, value] : json_.items()) {
      if (std::find(kFields.begin(), kFields.end(), name) == kFields.end()) {
        fail(name, fmt::format("unknown field '{}'", name));
      }
    }
    if (!errors_.empty()) return std::move(errors_);
    return suite;
  }

 private:
  SourceSpan span_of(const std::string& word) const {
    const std::size_t at = source_->text.find("\"" + word + "\"");
    return at == std::string::npos ? SourceSpan{1, 1, 1} : place_of(source_->text, at);
  }
  void fail(const std::string& word, std::string message) {
    errors_.push_back({source_, span_of(word), std::move(message), kHint});
  }

  std::string text(const std::string& name) {
    const auto found = json_.find(name);
    if (found == json_.end()) {
      fail(name, fmt::format("the field '{}' is missing", name));
    } else if (!found->is_string() || found->get<std::string>().empty()) {
      fail(name, fmt::format("'{}': expected a text", name));
    } else {
      return found->get<std::string>();
    }
    return {};
  }

  void read_labels(const Json& labels, SuiteFile& suite) {
    if (!labels.is_object()) return fail("labels", "'labels': expected an object with a label for each test");
    for (const auto& [test, value] : labels.items()) {
      const bool is_word = value.is_string();
      const bool is_object = value.is_object() && value.contains("label") && value["label"].is_string() &&
                             (!value.contains("because") || value["because"].is_string());
      const std::string word = is_word ? value.get<std::string>() : is_object ? value["label"].get<std::string>() : "";
      if (word != "race" && word != "norace") {
        fail(test, fmt::format("'{}': expected \"race\", \"norace\" or {{\"label\": ..., \"because\": ...}}", test));
        continue;
      }
      const std::string because = is_object ? value.value("because", std::string()) : std::string();
      suite.labels[test] = {word == "race", because, span_of(test)};
    }
  }

  SourceFilePtr source_;
  const Json& json_;
  Diagnostics errors_;
};

}  // namespace

Result<SuiteFile> read_suite_file(const SourceFilePtr& source) {
  Json json;
  try {
    json = Json::parse(source->text);
  } catch (const nlohmann::json::parse_error& error) {
    return Diagnostic{source, place_of(source->text, error.byte == 0 ? 0 : error.byte - 1),
                      "a suite file is a JSON object, and this is not JSON", kHint};
  }
  if (!json.is_object()) return Diagnostic{source, {1, 1, 1}, "a suite file is a JSON object", kHint};
  return SuiteReader(source, json).read();
}

}  // namespace ambit::suite
