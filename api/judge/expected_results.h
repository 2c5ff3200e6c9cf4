#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parser/module_launch.h"

namespace ambit::api {

/// The results of a reference kernel.
struct ExpectedResults {
  using Bytes = std::vector<std::uint8_t>;

  std::vector<parser::LaunchedArray> arrays;  ///< the arrays of the reference's launch, without their contents
  std::vector<std::vector<Bytes>> runs;       ///< for each random input, the contents of each array after the launch
};

/// Writes results to a temporary file. Returns false on an error.
bool write_expected(const std::string& path, const ExpectedResults& results);
/// Reads results that this program wrote. Returns nothing if the file is missing or incomplete.
std::optional<ExpectedResults> read_expected(const std::string& path);

}  // namespace ambit::api
