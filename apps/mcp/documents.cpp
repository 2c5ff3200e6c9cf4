#include "apps/mcp/documents.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "base/trimmed.h"

namespace ambit::mcp {
namespace {

/// Maximum number of bytes that an answer contains from one section.
constexpr std::size_t kLongestText = 3000;
/// A word in the heading counts as much as this number of words in the text.
constexpr double kWeightOfHeading = 3;

std::string lower(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return made;
}

/// Splits a text into words. A word has letters, digits, `_`, and (not at its ends) `-` and `.`.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : lower(text)) {
    const bool is_part = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
    if (is_part) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  for (std::string& word : words) {
    const std::size_t begin = std::min(word.find_first_not_of("-."), word.size());
    word = word.substr(begin, word.find_last_not_of("-.") + 1 - begin);
  }
  std::erase_if(words, [](const std::string& word) { return word.empty(); });
  return words;
}

/// A section with its words, for the ranking.
struct Section {
  FoundSection shown;
  std::set<std::string> heading_words;
  std::vector<std::string> words;  ///< sorted
};

void add(const DocumentPage& page, const std::string& title, const std::string& heading, std::string_view text,
         std::vector<Section>& sections) {
  const std::string full = heading.empty() || heading == title ? title : title + " > " + heading;
  Section section{{std::string(page.path), full, std::string(trimmed(text))}, {}, words_of(text)};
  for (std::string& word : words_of(full)) section.heading_words.insert(std::move(word));
  std::ranges::sort(section.words);
  sections.push_back(std::move(section));
}

/// Adds the sections of a page. Lines that begin with `#` in blocks of code are not headings.
void add_page(const DocumentPage& page, std::vector<Section>& sections) {
  std::string title(page.path);
  std::string heading;
  bool is_code = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < page.text.size();) {
    const std::size_t end = std::min(page.text.find('\n', at), page.text.size());
    const std::string_view line = page.text.substr(at, end - at);
    if (line.starts_with("```")) is_code = !is_code;
    if (!is_code && line.starts_with('#')) {
      if (at > begin) add(page, title, heading, page.text.substr(begin, at - begin), sections);
      heading = trimmed(line.substr(std::min(line.find_first_not_of('#'), line.size())));
      if (line.starts_with("# ")) title = heading;
      begin = end + 1;
    }
    at = end + 1;
  }
  if (begin < page.text.size()) add(page, title, heading, page.text.substr(begin), sections);
}

const std::vector<Section>& all_sections() {
  static const std::vector<Section> sections = [] {
    std::vector<Section> made;
    for (const DocumentPage& page : documents()) add_page(page, made);
    return made;
  }();
  return sections;
}

std::size_t count(const Section& section, const std::string& word) {
  const auto [first, last] = std::ranges::equal_range(section.words, word);
  return static_cast<std::size_t>(last - first);
}

/// Returns the score of a section. Each word of the query adds its rarity, times a factor that grows slowly with the
/// number of occurrences, relative to the section's length.
double score(const Section& section, const std::vector<std::pair<std::string, double>>& query) {
  double sum = 0;
  for (const auto& [word, rarity] : query) {
    const double in_text = static_cast<double>(count(section, word));
    const double in_heading = section.heading_words.contains(word) ? kWeightOfHeading : 0;
    const double length = 1 + static_cast<double>(section.words.size()) / 400;
    sum += rarity * (in_heading + 2 * in_text / (in_text + length));
  }
  return sum;
}

}  // namespace

std::vector<FoundSection> search_documents(std::string_view query, std::size_t most) {
  const std::vector<Section>& sections = all_sections();
  std::vector<std::pair<std::string, double>> weighted;
  for (const std::string& word : words_of(query)) {
    const auto having = std::ranges::count_if(sections, [&](const Section& section) {
      return section.heading_words.contains(word) || std::ranges::binary_search(section.words, word);
    });
    if (having > 0)
      weighted.emplace_back(word, std::log(1 + static_cast<double>(sections.size()) / static_cast<double>(having)));
  }
  std::vector<std::pair<double, const Section*>> ranked;
  for (const Section& section : sections) {
    const double points = score(section, weighted);
    if (points > 0) ranked.emplace_back(points, &section);
  }
  std::ranges::stable_sort(ranked, std::greater<>(), [](const auto& one) { return one.first; });
  std::vector<FoundSection> found;
  for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) {
    found.push_back(ranked[i].second->shown);
    std::string& text = found.back().text;
    if (text.size() > kLongestText) text.resize(text.rfind('\n', kLongestText));
  }
  return found;
}

}  // namespace ambit::mcp
