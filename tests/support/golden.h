#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/files.h"

namespace ambit::test {

/// Expects `found` to equal the text of the golden file, or `absent` if the golden file does not exist. If the variable
/// AMBIT_WRITE_GOLDENS is set (`./dev goldens`), writes the golden file, or removes it if `found` is `absent`.
inline void expect_golden(const std::filesystem::path& golden, const std::string& found,
                          const std::string& absent = "") {
  if (std::getenv("AMBIT_WRITE_GOLDENS") == nullptr) {
    EXPECT_EQ(std::filesystem::exists(golden) ? contents(golden) : absent, found) << golden;
  } else if (found == absent) {
    std::filesystem::remove(golden);
  } else {
    std::ofstream(golden, std::ios::binary) << found;
  }
}

/// Returns `text` with "_" for every character that the name of a test case must not contain.
inline std::string case_name(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

}  // namespace ambit::test
