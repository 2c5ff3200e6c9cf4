#include "runner/tools/adapter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>

#include "runner/tools/adapter_text.h"

namespace ambit::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kForm = "docs/guide/tools.md has a template";

constexpr std::array<std::string_view, 3> kPlaceholders = {"source", "program", "runs"};

/// Returns the line and column of a byte, counted from 1.
SourceSpan place_of(const std::string& text, std::size_t byte) {
  const std::size_t end = std::min(byte, text.size());
  const std::size_t line_begin = text.rfind('\n', end == 0 ? 0 : end - 1);
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  const std::size_t column = line_begin == std::string::npos || line_begin >= end ? end + 1 : end - line_begin;
  return {static_cast<std::uint32_t>(lines + 1), static_cast<std::uint32_t>(column), 1};
}

/// Reads the fields of an adapter, and records errors.
class AdapterReader {
 public:
  AdapterReader(SourceFilePtr source, const Json& json) : source_(std::move(source)), json_(json) {}

  Result<Adapter> read() {
    Adapter adapter;
    adapter.text = source_->text;
    adapter.tool = text("tool", true);
    adapter.about = text("about", false);
    adapter.compile = command("compile", false);
    adapter.run = command("run", true);
    adapter.race = expressions("race", true);
    adapter.ended = expressions("ended", false);
    adapter.statuses = statuses();
    for (const auto& [name, value] : json_.items()) {
      const bool is_known = std::find(known_.begin(), known_.end(), name) != known_.end();
      if (!is_known) fail(name, fmt::format("unknown field '{}'", name));
    }
    if (!errors_.empty()) return std::move(errors_);
    return adapter;
  }

 private:
  void fail(const std::string& field, std::string message, std::string hint = std::string(kForm)) {
    const std::size_t at = source_->text.find("\"" + field + "\"");
    const SourceSpan span = at == std::string::npos ? SourceSpan{1, 1, 1} : place_of(source_->text, at);
    errors_.push_back({source_, span, std::move(message), std::move(hint)});
  }

  /// Returns the field, or null.
  const Json* field(const std::string& name, bool is_required) {
    known_.push_back(name);
    const auto found = json_.find(name);
    if (found != json_.end()) return &*found;
    if (is_required) fail(name, fmt::format("the field '{}' is missing", name));
    return nullptr;
  }

  std::string text(const std::string& name, bool is_required) {
    const Json* found = field(name, is_required);
    if (found == nullptr) return {};
    if (!found->is_string() || found->get<std::string>().empty()) {
      fail(name, fmt::format("'{}': expected a text", name));
      return {};
    }
    return found->get<std::string>();
  }

  std::vector<std::string> words(const std::string& name, bool is_required) {
    const Json* found = field(name, is_required);
    if (found == nullptr) return {};
    const bool is_list = found->is_array() && !found->empty() &&
                         std::all_of(found->begin(), found->end(), [](const Json& one) { return one.is_string(); });
    if (!is_list) {
      fail(name, fmt::format("'{}': expected a list of texts", name));
      return {};
    }
    return found->get<std::vector<std::string>>();
  }

  /// Reads a list of words with placeholders. `${NAME}` is a shell variable.
  std::vector<std::string> command(const std::string& name, bool is_required) {
    static const std::regex kPlaceholder(R"((^|[^$])\{([A-Za-z_]+)\})");
    std::vector<std::string> found = words(name, is_required);
    for (const std::string& one : found) {
      for (std::sregex_iterator at(one.begin(), one.end(), kPlaceholder), end; at != end; ++at) {
        const std::string word = (*at)[2];
        if (std::ranges::find(kPlaceholders, word) != kPlaceholders.end()) continue;
        const std::string_view nearest = nearest_name(word, {kPlaceholders.begin(), kPlaceholders.end()});
        fail(name, fmt::format("'{}': unknown placeholder {{{}}}", name, word),
             !nearest.empty()
                 ? fmt::format("did you mean {{{}}}?", nearest)
                 : "the placeholders are {source}, {program} and {runs}; other braces need a blank inside");
      }
    }
    return found;
  }

  std::vector<std::string> expressions(const std::string& name, bool is_required) {
    std::vector<std::string> found = words(name, is_required);
    for (const std::string& one : found) {
      try {
        static_cast<void>(std::regex(one));
      } catch (const std::regex_error&) {
        fail(name, fmt::format("'{}': not a regular expression: {}", name, one));
      }
    }
    return found;
  }

  std::vector<int> statuses() {
    const Json* found = field("statuses", false);
    if (found == nullptr) return {0};
    const bool is_list =
        found->is_array() && !found->empty() && std::all_of(found->begin(), found->end(), [](const Json& one) {
          return one.is_number_unsigned() && one.get<std::uint64_t>() < 256;
        });
    if (!is_list) {
      fail("statuses", "'statuses': expected a list of exit statuses, 0 to 255");
      return {};
    }
    return found->get<std::vector<int>>();
  }

  SourceFilePtr source_;
  const Json& json_;
  std::vector<std::string> known_;
  Diagnostics errors_;
};

}  // namespace

const std::vector<std::string_view>& shipped_adapters() {
  static const std::vector<std::string_view> kNames = {"racecheck", "synccheck"};
  return kNames;
}

Result<Adapter> read_adapter(const SourceFilePtr& source) {
  Json json;
  try {
    json = Json::parse(source->text);
  } catch (const nlohmann::json::parse_error& error) {
    return Diagnostic{source, place_of(source->text, error.byte == 0 ? 0 : error.byte - 1),
                      "an adapter is a JSON object, and this is not JSON", std::string(kForm)};
  }
  if (!json.is_object()) return Diagnostic{source, {1, 1, 1}, "an adapter is a JSON object", std::string(kForm)};
  return AdapterReader(source, json).read();
}

Result<Adapter> shipped_adapter(const std::string& name) {
  const std::string text = adapter_text(name + ".json");
  if (text.empty()) {
    const std::string_view nearest = nearest_name(name, shipped_adapters());
    const std::string hint =
        nearest.empty()
            ? fmt::format("shipped adapters: {}; write NAME.json for other tools (docs/guide/tools.md)",
                          fmt::join(shipped_adapters(), ", "))
            : fmt::format("did you mean '{}'?", nearest);
    return Diagnostic{std::make_shared<const SourceFile>(SourceFile{"--tool", name}),
                      {},
                      fmt::format("unknown tool '{}'", name),
                      hint};
  }
  return read_adapter(std::make_shared<const SourceFile>(SourceFile{name + ".json", text}));
}

}  // namespace ambit::tools
