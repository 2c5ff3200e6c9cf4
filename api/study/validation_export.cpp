#include "api/study/validation_export.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "api/files.h"
#include "detector/external/answer.h"
#include "parser/parse.h"
#include "report/json/json.h"
#include "trace/binary_trace.h"
#include "trace/compression.h"

namespace ambit::api {
namespace {

/// Converts a detector's title into a file name: "gwcp-overlap=either" for "gwcp(overlap=either)".
std::string file_name_of(const std::string& title) {
  std::string name;
  for (const char c : title) {
    if (c == '(') {
      name += '-';
    } else if (c != ')') {
      name += c == '/' ? '_' : c;
    }
  }
  return name + ".jsonl";
}

Diagnostic same_test_names(const std::string& name) {
  Diagnostic error = path_error("--export", fmt::format("two tests have the name '{}'", name));
  error.hint = "an answer identifies its run by the test's name: export the suites one by one, or rename a test";
  return error;
}

std::optional<Diagnostic> shared_name(const report::Validation& validation) {
  std::set<std::string> names;
  for (const report::ValidationTest& test : validation.tests) {
    if (test.is_usable() && !names.insert(test.name).second) return same_test_names(test.name);
  }
  return std::nullopt;
}

/// Returns whether an earlier export wrote the file, which then begins with the title of its format.
bool is_exported(const std::filesystem::path& file) {
  std::string line;
  std::ifstream in(file, std::ios::binary);
  return file.extension() == ".jsonl" && std::getline(in, line) && line.starts_with(R"({"results":)");
}

/// Removes the files of an earlier export from the folder.
std::optional<Diagnostic> remove_earlier(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> earlier = {folder / "runs.zst", folder / "runs.txt"};
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "answers", error)) {
    if (entry.is_regular_file(error) && is_exported(entry.path())) earlier.push_back(entry.path());
  }
  for (const fs::path& file : earlier) {
    fs::remove(file, error);
    if (error) return path_error(file.string(), "cannot be removed: " + error.message());
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> exported_run(const external::RunName& name, const Trace& trace) {
  external::RunStreamWriter writer(external::StreamForm::Text);
  writer.begin_run(name, trace.tables);
  if (const auto written = writer.events(trace.tables, trace.events); !written.ok()) return written.errors();
  if (const auto ended = writer.end_run(trace.tables); !ended.ok()) return ended.errors();
  return std::move(writer.bytes());
}

std::string exported_answers(const external::RunName& name, const Trace& trace, const detector::Detector& detector) {
  if (detector.failure()) return {};
  std::string lines;
  for (const RaceReport& race : detector.races()) lines += external::race_line(race, trace.tables);
  for (const std::string& remark : detector.remarks()) lines += external::remark_line(remark);
  if (detector.is_open()) lines += external::gave_up_line("it did not examine the whole run");
  return lines + external::end_line(name.test, name.number, trace.events.size());
}

std::optional<Diagnostic> check_export(const std::vector<std::string>& files, const std::atomic<bool>& interrupted) {
  std::set<std::string> names;
  for (const std::string& file : files) {
    if (file == "-") continue;
    const auto source = read_input(file, interrupted);
    if (!source.ok()) continue;
    const auto programs = parser::parse_programs(source.value());
    if (!programs.ok()) continue;
    for (const auto& program : programs.value()) {
      if (!names.insert(program->name).second) return same_test_names(program->name);
    }
  }
  return std::nullopt;
}

std::optional<Diagnostic> export_validation(const std::string& folder, const report::Validation& validation,
                                            const std::vector<ChosenDetector>& detectors, std::string_view version) {
  namespace fs = std::filesystem;
  if (auto error = shared_name(validation)) return error;
  std::error_code error;
  fs::create_directories(fs::path(folder) / "answers", error);
  if (auto wrong = remove_earlier(folder)) return wrong;
  external::RunStreamWriter head(external::StreamForm::Text);
  head.begin_stream({});
  std::string runs = head.bytes();
  for (const report::ValidationTest& test : validation.tests) runs += test.exported_runs;
  const bool packs = trace::has_compression();
  const std::string runs_file = packs ? "runs.zst" : "runs.txt";
  if (auto wrong = write_file((fs::path(folder) / runs_file).string(), packs ? trace::compressed(runs) : runs)) {
    return wrong;
  }
  if (auto wrong = write_file((fs::path(folder) / "truth.json").string(),
                              report::validation_truth_json(validation, version, runs_file))) {
    return wrong;
  }
  for (std::size_t i = 0; i < detectors.size(); ++i) {
    if (detectors[i].looks_at_programs()) continue;
    std::string lines = external::title_line(detectors[i].title(), to_string(detectors[i].description->claims));
    for (const report::ValidationTest& test : validation.tests) {
      if (i < test.exported_answers.size()) lines += test.exported_answers[i];
    }
    const fs::path file = fs::path(folder) / "answers" / file_name_of(detectors[i].title());
    if (auto wrong = write_file(file.string(), lines)) return wrong;
  }
  return std::nullopt;
}

}  // namespace ambit::api
