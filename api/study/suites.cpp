#include "api/study/suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "api/files.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "suite.json";

/// Adds the suite files that apply to a path on the command line.
void add_suite_files(const std::string& path, std::set<std::string>& found) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    const fs::path beside = fs::path(path).parent_path() / kName;
    if (path != "-" && fs::is_regular_file(beside, ignored)) found.insert(beside.string());
    return;
  }
  for (fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, ignored), end;
       at != end; at.increment(ignored)) {
    if (at->path().filename() == kName && at->is_regular_file(ignored)) found.insert(at->path().string());
  }
}

bool is_below(const std::string& file, const std::string& folder) {
  return folder.empty() || file.starts_with(folder.ends_with('/') ? folder : folder + "/");
}

std::string stem_of(const std::string& file) { return fs::path(file).stem().string(); }

}  // namespace

Result<Suites> Suites::read(const std::vector<std::string>& paths, const std::vector<std::string>& files,
                            const std::atomic<bool>& interrupted) {
  std::set<std::string> names;
  for (const std::string& path : paths) add_suite_files(path, names);
  Suites suites;
  Diagnostics errors;
  const bool has_folders = std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
  });
  for (const std::string& name : names) {
    const auto source = read_input(name, interrupted);
    if (!source) return source.errors();
    auto suite = suite::read_suite_file(source.value());
    if (!suite) {
      errors.insert(errors.end(), suite.errors().begin(), suite.errors().end());
      continue;
    }
    for (const auto& [test, label] : suite.value().labels) {
      const bool is_there = std::any_of(files.begin(), files.end(), [&](const std::string& file) {
        return is_below(file, suite.value().folder) && stem_of(file) == test;
      });
      // If the command line names single files, `files` lacks the suite's other files, so a missing test is no error.
      if (!is_there && has_folders) {
        errors.push_back({source.value(), label.span, fmt::format("the folder has no test '{}'", test),
                          "the name is that of the test's file without its extension"});
      }
    }
    suites.files_.push_back(std::move(suite).value());
  }
  if (!errors.empty()) return errors;
  std::stable_sort(suites.files_.begin(), suites.files_.end(),
                   [](const auto& a, const auto& b) { return a.folder.size() > b.folder.size(); });
  return suites;
}

std::vector<report::SuiteAbout> Suites::about() const {
  std::vector<report::SuiteAbout> about;
  for (const suite::SuiteFile& one : files_) about.push_back({one.name, one.source, one.race, one.norace});
  return about;
}

std::optional<SuiteLabel> Suites::label_of(const std::string& file, const Program& program) const {
  if (!program.labels.empty()) return program.labels.front();
  for (const suite::SuiteFile& suite : files_) {
    if (!is_below(file, suite.folder)) continue;
    const auto found = suite.labels.find(stem_of(file));
    if (found == suite.labels.end()) continue;
    return SuiteLabel{.suite = suite.name,
                      .race = found->second.is_race,
                      .predictable = false,
                      .because = found->second.because,
                      .span = {}};
  }
  return std::nullopt;
}

}  // namespace ambit::api
