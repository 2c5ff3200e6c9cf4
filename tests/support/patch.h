#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace ambit::test {

/// Applies a patch to a text, like `patch`. A hunk whose context does not match fails the test.
inline std::string patched(const std::string& text, const std::string& difference) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  std::string result;
  std::size_t next = 0;  // index of the next old line
  char last_kind = ' ';
  std::istringstream input(difference);
  for (std::string line; std::getline(input, line);) {
    if (line.starts_with("---") || line.starts_with("+++") || line.empty()) continue;
    if (line.starts_with("@@ -")) {
      const std::size_t first = std::stoul(line.substr(4));
      const bool is_empty = line.substr(0, line.find(" +")).ends_with(",0");
      for (const std::size_t begin = first - (is_empty ? 0 : 1); next < begin; ++next) result += lines.at(next);
    } else if (line.starts_with("\\")) {
      if (last_kind != '-') result.pop_back();  // the previous line has no line end
    } else if (line[0] == '+') {
      last_kind = '+';
      result += line.substr(1) + "\n";
    } else {
      last_kind = line[0];
      const std::string old = next < lines.size() ? lines[next] : "";
      EXPECT_EQ(old.substr(0, old.find('\n')), line.substr(1)) << "line " << next + 1;
      if (line[0] == ' ') result += line.substr(1) + "\n";
      ++next;
    }
  }
  for (; next < lines.size(); ++next) result += lines[next];
  return result;
}

}  // namespace ambit::test
