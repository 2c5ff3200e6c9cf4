#include "api/validation_export.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <system_error>

#include "api/files.h"
#include "detector/external/answer.h"
#include "report/json/json.h"
#include "trace/binary_trace.h"
#include "trace/compression.h"

namespace ambit::api {
namespace {

/// A detector's title as a file name: "gwcp(overlap=either)" is "gwcp-overlap=either".
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

std::optional<Diagnostic> shared_name(const report::Validation& validation) {
  std::set<std::string> names;
  for (const report::ValidationTest& test : validation.tests) {
    if (!test.is_usable() || names.insert(test.name).second) continue;
    Diagnostic error = path_error("--export", fmt::format("two tests have the name '{}'", test.name));
    error.hint = "answers name the test of a run: export the suites one by one, or rename a test";
    return error;
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
  if (detector.is_open()) lines += external::gave_up_line("it did not look at the whole run");
  return lines + external::end_line(name.test, name.number, trace.events.size());
}

std::optional<Diagnostic> export_validation(const std::string& folder, const report::Validation& validation,
                                            const std::vector<ChosenDetector>& detectors, std::string_view version) {
  namespace fs = std::filesystem;
  if (auto error = shared_name(validation)) return error;
  std::error_code error;
  fs::create_directories(fs::path(folder) / "answers", error);
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
