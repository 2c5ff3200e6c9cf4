#include "suite/json_places.h"

#include <algorithm>
#include <iterator>

namespace ambit::suite {
namespace {

/// Returns the byte after a string that begins at byte `at`.
std::size_t end_of_string(const std::string& text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

}  // namespace

SourceSpan place_of(const std::string& text, std::size_t byte) {
  const std::size_t end = std::min(byte, text.size());
  const auto before = text.begin() + static_cast<std::ptrdiff_t>(end);
  const auto lines = std::count(text.begin(), before, '\n');
  const auto line_begin = std::find(std::make_reverse_iterator(before), text.rend(), '\n').base();
  return {static_cast<std::uint32_t>(lines + 1), static_cast<std::uint32_t>(before - line_begin + 1), 1};
}

JsonPlaces::JsonPlaces(const std::string& text) : text_(text) {
  std::vector<std::string> open;  // the paths of the objects and lists around the current byte
  std::string field;              // the path of the next value
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '{' || c == '[') open.push_back(field);
    if ((c == '}' || c == ']') && !open.empty()) open.pop_back();
    if (c != '"') continue;
    const std::size_t end = end_of_string(text, at);
    const std::size_t next = text.find_first_not_of(" \t\r\n", end);
    if (next != std::string::npos && text[next] == ':' && !open.empty()) {
      field = open.back() + "/" + text.substr(at + 1, end - at - 2);
      if (!fields_.insert_or_assign(field, at).second) repeated_.push_back(field);
    }
    at = end - 1;
  }
}

SourceSpan JsonPlaces::of(std::string path) const {
  while (!path.empty()) {
    const auto found = fields_.find(path);
    if (found != fields_.end()) return place_of(text_, found->second);
    path.erase(path.rfind('/'));
  }
  return {1, 1, 1};
}

}  // namespace ambit::suite
