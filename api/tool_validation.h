#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/source.h"
#include "report/results/tool_scores.h"
#include "runner/tools/tool_run.h"

namespace ambit::api {

/// A campaign of an external race detector on the programs of a suite.
struct ToolRequest {
  std::vector<std::string> paths;  ///< tests, or folders of tests
  std::string tool;                ///< a shipped adapter, or a file NAME.json
  tools::ToolOptions options;
  std::string log;          ///< results are appended, and a campaign resumes from them; empty: none
  std::uint32_t shard = 1;  ///< of `shards`
  std::uint32_t shards = 1;
  unsigned threads = 1;
  /// Called about twenty times a second: the number of finished tests, the number of tests, the next test.
  std::function<void(std::size_t done, std::size_t all, const std::string& next)> waiting = {};
};

/// Compiles the program of each test and runs it under the tool. A test that cannot be read fails the whole campaign. A
/// test that CUDA C++ cannot express, or on which the tool fails, has a row that says so. Errors: of the adapter, the
/// files, the log (also one of another campaign), of the folder for temporary files.
Result<report::ToolTable> validate_with_tool(const ToolRequest& request, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
