#include "api/judge/suite_tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "api/files.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTaskFile = "task.json";
constexpr const char* kFolderHint = "docs/reference/judge-suite.md describes the folder of a task";

/// Returns the folders that contain a task file, sorted.
std::vector<fs::path> task_folders(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder / kTaskFile, error)) return {folder};
  std::vector<fs::path> found;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, options, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename() == kTaskFile) found.push_back(at->path().parent_path());
  }
  std::ranges::sort(found);
  return found;
}

/// Adds the names of the reference and of the candidates.
void add_files(SuiteTask& task, Diagnostics& errors) {
  std::error_code error;
  std::vector<std::string> references;
  for (fs::directory_iterator at(task.folder, error), end; !error && at != end; at.increment(error)) {
    const std::string extension = at->path().extension().string();
    if (extension != ".cu" && extension != ".ptx") continue;
    const bool is_reference = at->path().stem() == "reference";
    (is_reference ? references : task.candidates).push_back(at->path().filename().string());
  }
  std::ranges::sort(task.candidates);
  if (references.size() == 1) {
    task.reference = references.front();
  } else {
    errors.push_back(
        task.file.error_at("",
                           references.empty() ? "the folder of this task has no reference"
                                              : "the folder of this task has both reference.cu and reference.ptx",
                           references.empty() ? "add reference.cu or reference.ptx" : "remove one of them"));
  }
  for (const auto& [file, launch] : task.file.launches) {
    if (file == task.reference || std::ranges::find(task.candidates, file) != task.candidates.end()) continue;
    errors.push_back(
        task.file.error_at("/launches/" + file, fmt::format("the folder of this task has no file '{}'", file)));
  }
}

}  // namespace

const std::string& SuiteTask::launch_of(const std::string& candidate) const {
  const auto own = file.launches.find(candidate);
  return own == file.launches.end() ? file.launch : own->second;
}

Result<std::vector<SuiteTask>> read_suite(const std::string& folder, const std::atomic<bool>& interrupted) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    Diagnostic wrong = path_error(folder, "not a folder");
    wrong.hint = "name a folder of tasks, or the folder of one task";
    return wrong;
  }
  std::vector<SuiteTask> tasks;
  Diagnostics errors;
  std::size_t candidates = 0;
  for (const fs::path& path : task_folders(folder)) {
    const auto text = read_results((path / kTaskFile).string(), &interrupted);
    auto file = text.ok() ? suite::read_task_file(text.value()) : Result<suite::TaskFile>(text.errors());
    if (!file.ok()) {
      errors.insert(errors.end(), file.errors().begin(), file.errors().end());
      continue;
    }
    const std::string below = path == fs::path(folder) ? "" : path.lexically_relative(folder).string();
    const std::string own = fs::weakly_canonical(path, error).filename().string();
    SuiteTask task{below.empty() ? own : below, below, path.string(), std::move(file.value()), {}, {}};
    add_files(task, errors);
    candidates += task.candidates.size();
    tasks.push_back(std::move(task));
  }
  if (!errors.empty()) return errors;
  if (tasks.empty() || candidates == 0) {
    Diagnostic none = path_error(
        folder, tasks.empty() ? "no folder contains task.json" : "no task has a candidate: a .cu or .ptx file");
    none.hint = kFolderHint;
    return none;
  }
  return tasks;
}

}  // namespace ambit::api
