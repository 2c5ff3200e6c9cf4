#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/source.h"
#include "suite/task_file.h"

namespace ambit::api {

/// A folder with a task file, a reference and candidates.
struct SuiteTask {
  std::string name;    ///< path relative to the suite; the folder's own name if the suite is one task
  std::string below;   ///< path relative to the suite; empty if the suite is one task
  std::string folder;  ///< path of the folder, beginning with the path that the user gave
  suite::TaskFile file;
  std::string reference;                ///< "reference.cu" or "reference.ptx"
  std::vector<std::string> candidates;  ///< names of the other .cu and .ptx files, sorted

  /// Returns the launch for a file in the task.
  const std::string& launch_of(const std::string& candidate) const;
};

/// Reads the tasks of a suite, sorted by path. A task is a folder that contains task.json: the suite's folder itself or
/// a folder below it. Errors: there is no task or no candidate; errors of suite::read_task_file; a task without a
/// reference or with two references; a launch for a file that the task does not have.
Result<std::vector<SuiteTask>> read_suite(const std::string& folder, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
