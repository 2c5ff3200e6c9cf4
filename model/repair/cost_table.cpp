#include "model/repair/cost_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ambit::repair {
namespace {

struct Word {
  std::string_view text;
  SourceSpan span;
};

std::vector<Word> words_of(std::string_view line, std::uint32_t number) {
  std::vector<Word> words;
  const std::string_view blanks = " \t\r";
  line = line.substr(0, line.find('#'));
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back({line.substr(at, end - at),
                     {number, static_cast<std::uint32_t>(at + 1), static_cast<std::uint32_t>(end - at)}});
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

const CostName* cost_named(std::string_view name) {
  for (const CostName& entry : kCostNames) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::optional<int> cost_in(std::string_view text) {
  constexpr int kMost = 1'000'000;
  if (text == "never") return CostTable::kNever;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > kMost) return std::nullopt;
  return number;
}

}  // namespace

CostTable::CostTable() {
  for (const CostName& entry : kCostNames) costs_[static_cast<std::size_t>(entry.cost)] = entry.usual;
}

Result<CostTable> CostTable::read(const SourceFilePtr& source) {
  CostTable table;
  Diagnostics errors;
  std::set<std::string_view> seen;
  std::vector<std::string_view> names;
  for (const CostName& entry : kCostNames) names.push_back(entry.name);
  const auto fail = [&](SourceSpan span, std::string message, std::string hint) {
    errors.push_back({source, span, std::move(message), std::move(hint)});
  };
  std::uint32_t number = 0;
  for (std::string_view rest = source->text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::vector<Word> words = words_of(rest.substr(0, end), ++number);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (words.empty()) continue;
    const CostName* entry = cost_named(words[0].text);
    if (entry == nullptr) {
      const std::string_view near = nearest_name(words[0].text, names);
      fail(words[0].span, fmt::format("unknown change '{}'", words[0].text),
           near.empty() ? fmt::format("the changes are {}", fmt::join(names, ", "))
                        : fmt::format("did you mean '{}'?", near));
    } else if (!seen.insert(entry->name).second) {
      fail(words[0].span, fmt::format("'{}' has two costs", entry->name), "remove one of the lines");
    } else if (words.size() != 2 || !cost_in(words[1].text)) {
      fail(words.size() < 2 ? words[0].span : words[1].span, fmt::format("expected one cost for '{}'", entry->name),
           "write a number from 1 to 1000000, or never");
    } else {
      table.costs_[static_cast<std::size_t>(entry->cost)] = *cost_in(words[1].text);
    }
  }
  if (!errors.empty()) return errors;
  return table;
}

}  // namespace ambit::repair
