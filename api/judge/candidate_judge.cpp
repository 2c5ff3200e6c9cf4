#include "api/judge/candidate_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "api/compiled_source.h"
#include "api/exec/program_run.h"
#include "api/files.h"
#include "api/judge/file_judge.h"
#include "api/judge/result_comparison.h"
#include "api/judge/task_inputs.h"
#include "api/program_compiler.h"
#include "base/plural.h"
#include "parser/cat/model_store.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using report::Judged;
using report::JudgedVerdict;
using report::KernelFault;
using report::KernelResults;
using report::KernelScore;
using report::KernelVerdict;
using suite::TaskArray;
using virtual_gpu::ScheduleKind;
using Direction = TaskArray::Direction;

/// Time limit for the models. If a model has no answer by then, it rarely finds an answer later.
constexpr std::chrono::seconds kModelTime{5};
/// The virtual GPU does not support bulk copies, which CUDA's headers use for sm_90 and later.
constexpr const char* kArchitecture = "sm_80";

/// Returns an error as one line, with its place and hint.
std::string line_of(const Diagnostic& error) {
  std::string line;
  if (error.file != nullptr) line = error.file->path + ": ";
  if (error.file != nullptr && error.span.line != 0) {
    line = fmt::format("{}:{}:{}: ", error.file->path, error.span.line, error.span.column);
  }
  line += error.message;
  if (!error.hint.empty()) line += fmt::format(" (hint: {})", error.hint);
  return line;
}

/// Joins the lines of a text.
std::string in_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == '\n' || c == ' ';
    if (is_blank && (line.empty() || line.back() == ' ')) continue;
    if (c == '\n') line += "; ";
    if (c != '\n') line += c;
  }
  return line;
}

/// Returns the schedule for input `input`. All inputs together use every kind of schedule.
ScheduleKind schedule_of(std::uint64_t input) {
  if (input == 0) return ScheduleKind::RoundRobin;
  return input % 2 == 1 ? ScheduleKind::Random : ScheduleKind::Pct;
}

KernelFault fault_of(const Judged& judged) {
  return {judged.verdict,
          in_one_line(judged.reason),
          judged.places,
          judged.location,
          judged.tool.value_or(report::JudgingTool::Exec),
          judged.model};
}

/// In the fault's places, replaces the path of the file by the file's name.
void shorten(KernelFault& fault, const std::string& path, const std::string& name) {
  for (report::JudgedPlace& place : fault.places) {
    if (place.file == path) place.file = name;
  }
  for (std::size_t at = fault.reason.find(path); at != std::string::npos; at = fault.reason.find(path, at + 1)) {
    fault.reason.replace(at, path.size(), name);
  }
}

bool is_same_shape(const parser::LaunchedArray& a, const parser::LaunchedArray& b) {
  return a.bytes == b.bytes && a.numbers == b.numbers && a.length == b.length;
}

}  // namespace

void CandidateJudge::fail(KernelVerdict verdict, std::string reason) {
  score_.verdict = verdict;
  score_.reason = std::move(reason);
  is_decided_ = true;
}

KernelScore CandidateJudge::judge_reference() {
  is_reference_ = true;
  judge(task_.reference);
  const bool has_results = expected_.runs.size() == task_.file.inputs;
  if (has_results && !write_expected(expected_file_, expected_)) {
    fail(KernelVerdict::Unknown, "the reference's results cannot be written to a temporary file; is the disk full?");
  }
  return std::move(score_);
}

KernelScore CandidateJudge::judge_candidate(const std::string& file) {
  if (auto expected = read_expected(expected_file_)) {
    expected_ = std::move(*expected);
    judge(file);
  } else {
    score_.file = file;
    fail(KernelVerdict::Unknown, "the reference has no results");
  }
  return std::move(score_);
}

void CandidateJudge::judge(const std::string& file) {
  score_.file = file;
  path_ = (fs::path(task_.folder) / file).lexically_normal().string();
  const bool can_run = compile() && read_launch() && has_arrays_of_reference();
  if (limit_begins_) limit_begins_();
  end_ = Clock::now() + time_limit(task_.file.timeout_seconds);
  if (can_run) run_all();
  add_run_faults();
  if (score_.faults.empty()) ask_models();
  decide();
}

bool CandidateJudge::compile() {
  auto source = read_input(path_, interrupted_);
  if (!source.ok()) return fail(KernelVerdict::Unknown, line_of(source.errors().front())), false;
  text_.file = path_;
  text_.source = std::make_shared<const SourceFile>(SourceFile{score_.file, source.value()->text});
  if (!path_.ends_with(".cu")) {
    text_.ptx = source.value();
    return true;
  }
  const bool runs_nvcc = options_.reading.ptx.empty();
  if (runs_nvcc && !find_nvcc().ok()) {
    fail(KernelVerdict::Unknown, "cannot run: nvcc is not installed (hint: install nvcc, or give the PTX with --ptx)");
    return false;
  }
  const std::string& architecture = options_.reading.architecture;
  const auto ptx = compiled_source({.file = path_,
                                    .ptx = runs_nvcc ? "" : (fs::path(options_.reading.ptx) / task_.below).string(),
                                    .defines = options_.defines,
                                    .architecture = architecture.empty() ? kArchitecture : architecture},
                                   interrupted_);
  if (!ptx.ok()) {
    const Diagnostic& error = ptx.errors().front();
    const bool is_rejected = error.message.find(kCompilerRejects) != std::string::npos;
    if (is_rejected) score_.compiles = false;
    fail(is_rejected ? KernelVerdict::DoesNotCompile : KernelVerdict::Unknown, line_of(error));
    return false;
  }
  if (runs_nvcc) score_.compiles = true;
  text_.ptx = ptx.value();
  return true;
}

bool CandidateJudge::read_launch() {
  std::string text = task_.launch_of(score_.file);
  const auto kernels = kernel_names(text_.ptx);
  if (!kernels.ok()) {
    const bool is_ptx = path_.ends_with(".ptx");
    fail(is_ptx ? KernelVerdict::DoesNotCompile : KernelVerdict::Unknown,
         "the PTX cannot be read: " + line_of(kernels.errors().front()));
    return false;
  }
  auto launch = read_kernel_launch(text_.ptx, text);
  const std::size_t sizes = std::min(text.find("<<<"), text.size());
  if (!launch.ok() && kernels.value().size() == 1) {
    const std::string other = kernels.value().front() + text.substr(sizes);
    if (auto again = read_kernel_launch(text_.ptx, other); again.ok()) {
      launch = std::move(again);
      score_.remarks.push_back(
          fmt::format("the file's only kernel runs, although its name differs: {}", kernels.value().front()));
      text = other;
    }
  }
  if (!launch.ok()) {
    const bool is_own = task_.file.launches.contains(score_.file);
    const Diagnostic& error = launch.errors().front();
    fail(KernelVerdict::CannotLaunch,
         line_of(task_.file.error_at(is_own ? "/launches/" + score_.file : "/launch", error.message, error.hint)));
    return false;
  }
  launch_ = std::move(launch.value());
  score_.launch = text;
  text_.launch = text;
  if (const Diagnostics errors = check_arrays(task_.file, launch_.launch); !errors.empty()) {
    fail(KernelVerdict::CannotLaunch, line_of(errors.front()));
    return false;
  }
  return true;
}

bool CandidateJudge::has_arrays_of_reference() {
  if (is_reference_) {
    expected_.arrays = launch_.launch.arrays;
    return true;
  }
  for (const parser::LaunchedArray& array : launch_.launch.arrays) {
    const auto known = std::ranges::find(expected_.arrays, array.name, &parser::LaunchedArray::name);
    if (known != expected_.arrays.end() && is_same_shape(*known, array)) continue;
    fail(KernelVerdict::CannotLaunch,
         line_of(task_.file.error_at(
             "/launches/" + score_.file,
             fmt::format("'{}' has another type or length in the reference's launch", array.name))));
    return false;
  }
  return true;
}

void CandidateJudge::run_all() {
  for (std::uint64_t input = 0; input < task_.file.inputs; ++input) {
    if (!run(input)) return;
  }
}

bool CandidateJudge::run(std::uint64_t input) {
  LaunchRunOptions options;
  options.watch.detectors = program_detectors("barracuda,gwcp", {}).value();
  options.watch.schedule.kind = schedule_of(input);
  options.watch.schedule.seed = task_.file.seed + input;
  if (input > 0)
    options.watch.schedule.expected_accesses = std::max<std::uint64_t>(found_.warp_instructions / input, 1);
  options.watch.report_file = (fs::path(folder_) / fmt::format("report-{}-{}", score_.file, input)).string();
  options.watch.device_memory = options_.memory_bytes;
  options.inputs = inputs_of(task_.file, launch_.launch, input);
  options.output = KernelOutput::Dropped;
  options.reads_arrays = true;
  Context context;
  context.set_cancellation(&interrupted_);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
  context.set_timeout(std::max(left, std::chrono::milliseconds(1)));
  auto done = run_launch(launch_, options, context);
  if (!done.ok()) {
    fail(KernelVerdict::Unknown, "the virtual GPU cannot run the kernel: " + line_of(done.errors().front()));
    return false;
  }
  done.value().report.set_seed(options.watch.schedule.seed);
  if (input == 0) {
    found_ = done.value().report;
  } else {
    found_.merge(done.value().report);
  }
  has_timed_out_ = done.value().report.has_cut_launch();
  if (!done.value().has_completed) return false;
  ++score_.results.runs;
  compare(options.inputs, done.value(), input);
  return true;
}

void CandidateJudge::compare(const std::vector<ArrayInput>& inputs, const LaunchRun& done, std::uint64_t input) {
  const auto& arrays = launch_.launch.arrays;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const TaskArray& wanted = task_.file.arrays.at(arrays[i].name);
    if (wanted.direction == Direction::In) {
      compare_array(arrays[i], {0, 0}, inputs[i].bytes, done.arrays[i], input + 1, score_.results);
    } else if (wanted.direction != Direction::Scratch && !is_reference_) {
      const auto known = std::ranges::find(expected_.arrays, arrays[i].name, &parser::LaunchedArray::name);
      const auto index = static_cast<std::size_t>(known - expected_.arrays.begin());
      compare_array(arrays[i], wanted.tolerance, expected_.runs[input][index], done.arrays[i], input + 1,
                    score_.results);
    }
  }
  if (is_reference_) expected_.runs.push_back(done.arrays);
}

void CandidateJudge::add_run_faults() {
  std::error_code ignored;
  found_.shorten_paths(fs::weakly_canonical(task_.folder, ignored).string());
  SourceLines lines;
  if (text_.source != nullptr) lines.add(text_.source);
  const auto add = [&](Judged judged) {
    judged.tool = report::JudgingTool::Exec;
    if (score_.fault(judged.verdict) == nullptr) score_.faults.push_back(fault_of(judged));
  };
  Judged race;
  if (add_race(found_, text_, lines, race)) add(std::move(race));
  for (const ProgramFinding& finding : found_.findings) {
    Judged fault;
    if (add_finding(finding, text_, lines, fault)) {
      add(std::move(fault));
    } else if (!finding.is_cut) {
      score_.remarks.push_back(fmt::format("{}: {} ({})", finding.kind, finding.message, finding.site.text()));
    }
  }
  if (score_.results.runs > 0 || !score_.faults.empty()) {
    score_.coverage = report::Coverage{report::Coverage::Kind::Sampled, std::max<std::uint64_t>(found_.runs, 1)};
  }
}

void CandidateJudge::ask_models() {
  const bool has_launch = !launch_.launch.kernel.empty();
  if (is_reference_ || has_timed_out_ || score_.compiles == false || (is_decided_ && has_launch)) return;
  CheckingOptions options = options_;
  if (has_launch) {
    options.launch =
        launch_with_contents(task_.file, text_.launch, launch_.launch, inputs_of(task_.file, launch_.launch, 0));
  } else if (std::ranges::all_of(task_.file.arrays, [](const auto& one) {
               return one.second.fill.kind == suite::Fill::Kind::OfLaunch ||
                      one.second.fill.kind == suite::Fill::Kind::Uniform;
             })) {
    options.launch = task_.launch_of(score_.file);
  }
  const auto now = Clock::now();
  if (options.launch.empty() || now >= end_) return;
  if (!options.reading.ptx.empty()) options.reading.ptx = (fs::path(options.reading.ptx) / task_.below).string();
  parser::ModelStore store;
  auto models = options.models.empty() ? Result<std::vector<parser::RulesPtr>>(std::vector<parser::RulesPtr>())
                                       : store.load_all(options.models);
  if (!models.ok()) return;
  FileJudge judge(options, std::move(models.value()), store, interrupted_, {false, false, false});
  bool is_exact = true;
  for (const Judged& judged : judge.judge(path_, std::min(end_, now + kModelTime))) {
    is_exact = is_exact && (judged.verdict == JudgedVerdict::NoRace || judged.verdict == JudgedVerdict::NoFault);
    if (!report::is_fault(judged.verdict) || score_.fault(judged.verdict) != nullptr) continue;
    score_.faults.push_back(fault_of(judged));
    shorten(score_.faults.back(), path_, score_.file);
  }
  if (is_exact || !score_.faults.empty()) score_.coverage = report::Coverage{};
}

void CandidateJudge::decide() {
  KernelResults& results = score_.results;
  const bool is_whole = results.runs == task_.file.inputs;
  if (is_reference_ && results.first) {
    const std::string& name = results.first->array;
    fail(KernelVerdict::CannotLaunch,
         line_of(task_.file.error_at("/arrays/" + name + "/direction",
                                     fmt::format("the reference changes the array '{}'", name), "write \"inout\"")));
  }
  if (is_reference_) {
    results.first.reset();
    results.differences = 0;
  } else if (results.runs > 0) {
    results.state = results.first ? KernelResults::State::Different
                    : is_whole    ? KernelResults::State::Equal
                                  : KernelResults::State::NotCompared;
  }
  const auto other =
      std::ranges::find_if(score_.faults, [](const KernelFault& fault) { return fault.kind != JudgedVerdict::Race; });
  if (other != score_.faults.end()) return fail(KernelVerdict::Fault, other->reason);
  if (const KernelFault* race = score_.fault(JudgedVerdict::Race)) {
    return fail(KernelVerdict::Race, score_.hides_race() ? "results equal, but " + race->reason : race->reason);
  }
  if (is_decided_) return;
  if (results.first) {
    return fail(
        KernelVerdict::WrongResult,
        fmt::format("{}[{}] is {} instead of {} (input {}); {} in {}", results.first->array, results.first->index,
                    results.first->actual, results.first->expected, results.first->input,
                    plural(results.differences, "element differs", "elements differ"), plural(results.runs, "run")));
  }
  if (has_timed_out_) {
    return fail(KernelVerdict::TimedOut,
                fmt::format("did not end within {} seconds (hint: raise timeout_seconds in task.json)",
                            task_.file.timeout_seconds));
  }
  for (const std::string& error : found_.errors) return fail(KernelVerdict::Unknown, in_one_line(error));
  if (!is_whole) return fail(KernelVerdict::Unknown, "a run ended without a reason");
  const std::string equal = is_reference_ ? "" : "equal results and ";
  const bool is_exact = score_.coverage && score_.coverage->kind == report::Coverage::Kind::Exact;
  fail(KernelVerdict::Correct, fmt::format("{}no fault in {}{}", equal, plural(results.runs, "run"),
                                           is_exact ? "; the models exclude every fault for the first input" : ""));
}

}  // namespace ambit::api
