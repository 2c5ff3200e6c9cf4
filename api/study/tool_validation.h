#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/source.h"
#include "report/results/tool_scores.h"
#include "runner/tools/tool_run.h"

namespace ambit::api {

/// A campaign that runs an external race detector on the programs of a suite.
struct ToolRequest {
  std::vector<std::string> paths;  ///< tests, or folders of tests
  std::string tool;                ///< name of a shipped adapter, or a file NAME.json
  tools::ToolOptions options;
  std::string log;          ///< file to append results to, and to resume a campaign from; may be empty
  std::uint32_t shard = 1;  ///< number of this shard among `shards`
  std::uint32_t shards = 1;
  unsigned threads = 1;
  /// Called about twenty times a second with the number of finished tests, the number of all tests, and the next test.
  std::function<void(std::size_t done, std::size_t all, const std::string& next)> waiting = {};
};

/// Compiles the program of each test and runs it under the tool. If CUDA C++ cannot express a test, or if the tool
/// fails on the test's program, the test's row gives the reason. An unreadable test ends the whole campaign. Errors:
/// errors in the adapter and in the files; the log is unusable, for example because it belongs to another campaign; the
/// folder for temporary files cannot be made.
Result<report::ToolTable> validate_with_tool(const ToolRequest& request, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
