#include "api/hardware/crossval.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "api/files.h"
#include "base/plural.h"
#include "core/asynchronous.h"
#include "parser/parse.h"
#include "report/json/json.h"
#include "report/results/words.h"
#include "runner/cuda/launch/reconstruct.h"
#include "runner/sim/simulate.h"

namespace ambit::api {
namespace {

/// Maximal number of races that the log keeps for each detector inside the kernel.
constexpr std::size_t kKeptRaces = 16;

using Programs = std::vector<std::shared_ptr<const Program>>;

/// Returns "race" or "norace"; empty if no suite labels the test or if the suites disagree.
std::string label_of(const Program& program) {
  if (program.labels.empty()) return {};
  const bool race = program.labels.front().race;
  const bool is_agreed = std::ranges::all_of(program.labels, [&](const auto& label) { return label.race == race; });
  return !is_agreed ? "" : race ? "race" : "norace";
}

}  // namespace

std::string Crossval::run() {
  for (const auto& step : {&Crossval::prepare, &Crossval::read_tests, &Crossval::resume}) {
    if (std::string error = (this->*step)(); !error.empty()) return error;
  }
  if (request_.backend == Backend::Sim) return simulate_all();
  return request_.budget > 0 ? run_with_budget() : run_on_gpu();
}

std::vector<report::CrossRow> Crossval::rows() const {
  std::vector<report::CrossRow> rows = report::combined(rows_);
  const auto order = [](const report::CrossRow& row) {
    return std::make_tuple(!row.has_forbidden(), row.file, row.test);
  };
  std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
  return rows;
}

std::string Crossval::missing_results() const {
  return file_.is_whole() ? "" : path_error(request_.log, "some results could not be written to this file").render();
}

void Crossval::show_progress(std::size_t done) const {
  if (events_.on_progress) events_.on_progress(done, left_.size(), corpus_[left_[done]].program->name);
}

void Crossval::note(const std::string& text) const {
  if (events_.on_note) events_.on_note(text);
}

std::string Crossval::prepare() {
  if (request_.hardware.run.tune_seconds > 0) {
    Diagnostic error = path_error("--tune", "a campaign does not tune parameters");
    error.hint = "tune with: ambit run TEST --backend cuda --tune SECONDS";
    return error.render();
  }
  auto campaign = prepare_campaign(request_.hardware, request_.seed);
  if (!campaign.ok()) return render(campaign.errors());
  campaign_ = std::move(campaign).value();
  campaign_.options.record = request_.record;
  return judge_.prepare(request_.models, request_.detectors);
}

/// Reads the tests of all shards, because the complete set of tests identifies the campaign. Reports unreadable tests
/// immediately.
std::string Crossval::read_tests() {
  const auto files = collect_files(request_.paths);
  if (!files.ok()) return render(files.errors());
  for (const std::string& file : files.value()) {
    const auto source = read_input(file, interrupted_);
    const auto programs = source.ok() ? parser::parse_programs(source.value()) : Result<Programs>(source.errors());
    if (!programs.ok()) {
      note(render(programs.errors()));
      has_bad_tests_ = true;
      continue;
    }
    for (const auto& program : programs.value()) corpus_.push_back({file, program});
  }
  if (has_bad_tests_ && !request_.log.empty()) {
    return path_error(request_.log,
                      "no test ran: a campaign without the unreadable tests would be a different campaign")
        .render();
  }
  header_.corpus = report::corpus_hash(corpus_);
  header_.tests = corpus_.size();
  header_.shard = request_.hardware.shard;
  header_.shards = request_.hardware.shards;
  header_.settings = settings();
  return {};
}

/// Returns the settings that affect the results. Omits seed and device, because the parts of a campaign may have
/// different seeds and devices.
std::vector<std::pair<std::string, std::string>> Crossval::settings() const {
  std::vector<std::pair<std::string, std::string>> all = {
      {"version", request_.version},
      {"models", fmt::format("{}", fmt::join(request_.models, ","))},
      {"detectors", fmt::format("{}", fmt::join(judge_.detector_titles(), ","))},
      {"record", fmt::format("{}", request_.record)}};
  if (request_.backend == Backend::Sim) {
    all.insert(all.end(), {{"backend", "sim"},
                           {"runs", fmt::format("{}", request_.simulator.runs)},
                           {"memory", std::string(to_string(request_.simulator.memory))},
                           {report::kRulesSetting, judge_.rules_hash()}});
    return all;
  }
  const cuda::RunOptions& run = campaign_.options;
  all.insert(all.end(),
             {{"backend", "cuda"},
              request_.budget > 0 ? std::pair<std::string, std::string>("budget", fmt::format("{}", request_.budget))
                                  : std::pair<std::string, std::string>("seconds", fmt::format("{}", run.seconds)),
              {"rounds", fmt::format("{}", run.rounds)},
              {"max-loops", fmt::format("{}", run.max_steps)},
              {"vary", run.vary ? "yes" : "no"},
              {"parameters", (run.by_device ? "by device, " : "") + stress_options(run.stress)}});
  if (run.hardware_mbarriers) all.emplace_back("mbarrier", "hardware");
  if (run.stm) all.emplace_back("stm", to_string(*run.stm));
  if (!run.in_gpu.empty()) all.emplace_back("in-gpu", fmt::format("{}", fmt::join(run.in_gpu, ",")));
  all.emplace_back(report::kRulesSetting, judge_.rules_hash());
  return all;
}

/// Resumes from the log: finds the tests of this shard that have no result under this seed.
std::string Crossval::resume() {
  if (!request_.log.empty()) {
    if (std::string error = read_log(); !error.empty()) return error;
  }
  std::set<std::uint64_t> done;
  for (const report::CrossRow& row : rows_) {
    if (row.seed != request_.seed) continue;
    spent_ += static_cast<double>(row.spent_milliseconds) / 1000;
    if (request_.budget <= 0) done.insert(row.number);
  }
  for (std::uint64_t test = header_.shard - 1; test < corpus_.size(); test += header_.shards) {
    if (!done.contains(test)) left_.push_back(test);
  }
  if (header_.shard > corpus_.size() && !corpus_.empty()) {
    note(fmt::format("shard {} of {} is empty: the campaign has {}\n", header_.shard, header_.shards,
                     plural(corpus_.size(), "test")));
  }
  return {};
}

std::string Crossval::read_log() {
  const auto source = file_.open(request_.log);
  if (!source.ok()) return render(source.errors());
  const std::string& text = source.value()->text;
  const std::string header = report::campaign_json(header_);
  // No test is finished: the file is new, or the campaign was killed before it had written the first line.
  if (header.starts_with(text)) {
    file_.cut(0);
    return file_.append(header) ? "" : cannot_write().render();
  }
  const auto log = report::read_campaign(source.value());
  if (!log.ok()) return render(log.errors());
  const Diagnostics wrong = misfits(log.value());
  if (!wrong.empty()) return render(wrong);
  auto merged = report::merge_campaigns(std::span(&log.value(), 1));
  if (!merged.ok()) return render(merged.errors());
  if (log.value().is_cut) note(request_.log + ": ignored the last line, which is incomplete\n");
  if (!text.ends_with('\n')) {
    const std::size_t whole = text.rfind('\n') + 1;  // length of the complete lines in bytes
    file_.cut(whole);
    if (!log.value().is_cut && !file_.append(text.substr(whole))) return cannot_write().render();
  }
  rows_ = std::move(merged.value().rows);
  for (report::CrossRow& row : rows_) row.label = label_of(*corpus_[row.number].program);
  return {};
}

/// Returns why a log does not belong to this request; empty if it belongs to the request.
Diagnostics Crossval::misfits(const report::CampaignLog& log) const {
  const report::CampaignHeader& there = log.header;
  Diagnostics wrong = report::differences(header_, "this command line", there, log.source);
  if (there.shard != header_.shard || there.shards != header_.shards) {
    wrong.push_back({log.source,
                     {1, 1, 1},
                     fmt::format("the log of shard {}/{}, but this is shard {}/{}", there.shard, there.shards,
                                 header_.shard, header_.shards),
                     "ambit merge combines the logs of shards"});
  }
  for (std::size_t i = 0; wrong.empty() && i < log.rows.size(); ++i) {
    const report::CrossRow& row = log.rows[i];
    const report::CorpusTest& test = corpus_[row.number];
    std::string why = judge_.misfit(row, request_.hardware.run.in_gpu);
    if (row.file != test.file || row.test != test.program->name) {
      why = fmt::format("test number {} is '{}' of {}", row.number, test.program->name, test.file);
    }
    if (!why.empty()) wrong.push_back({log.source, {log.lines[i], 1, 1}, "not a result of this campaign: " + why, ""});
  }
  return wrong;
}

Diagnostic Crossval::cannot_write() const {
  return path_error(request_.log, fmt::format("cannot write to the file: {}", std::strerror(errno)));
}

std::string Crossval::run_on_gpu() {
  for (const std::uint64_t test : left_) campaign_.tests.push_back(corpus_[test].program);
  cuda::CampaignEvents events;
  events.on_device = [this](const cuda::DeviceInfo& device) { device_ = device.name; };
  events.on_progress = [this](std::size_t test, const cuda::RunReport& /*report*/) { show_progress(test); };
  events.on_end = [this](std::size_t test, const cuda::TestEnd& end) { on_end(left_[test], end); };
  const auto ran = run_campaign(campaign_, events, interrupted_);
  return ran.ok() ? "" : render(ran.errors());
}

report::CrossRow Crossval::row_of(std::uint64_t test) const {
  report::CrossRow row;
  const Program& program = *corpus_[test].program;
  row.number = test;
  row.file = corpus_[test].file;
  row.test = program.name;
  row.device = device_;
  row.seed = request_.seed;
  row.label = label_of(program);
  return row;
}

void Crossval::keep(report::CrossRow row) {
  if (!request_.log.empty() && !file_.append(report::crossval_json(row)) && !has_reported_file_error_) {
    Diagnostic error = cannot_write();
    error.hint = "the campaign continues; the missing result is written with the next result if possible";
    note(error.render());
    has_reported_file_error_ = true;
  }
  rows_.push_back(std::move(row));
}

void Crossval::on_end(std::uint64_t test, const cuda::TestEnd& end) {
  if (end.kind == cuda::TestEnd::Kind::Interrupted) return;  // the test runs when the campaign is resumed
  report::CrossRow row = row_of(test, end, judge_.check_models(corpus_[test].program));
  if (!interrupted_) keep(std::move(row));  // after an interrupt, the models' answers may be incomplete
}

/// Makes the row of a test that ran on a GPU.
report::CrossRow Crossval::row_of(std::uint64_t test, const cuda::TestEnd& end,
                                  const std::vector<ModelAnswer>& answers) const {
  report::CrossRow row = row_of(test);
  if (end.kind != cuda::TestEnd::Kind::Finished) row.error = end.message;
  row.recorded = end.report.recorded;
  row.in_gpu = in_gpu_findings(*corpus_[test].program, end.report);
  for (report::Detections& found : row.in_gpu) report::keep_most_frequent(found, kKeptRaces);
  judge_.add_counts(row, *corpus_[test].program, end.report.histogram, answers);
  row.incidents.uncounted = end.report.uncounted;
  row.incidents.unrecorded = end.report.unrecorded;
  row.incidents.notes = end.report.notes;
  if (end.kind == cuda::TestEnd::Kind::Finished) {
    replay_recordings(row, corpus_[test].program, end.report);
  } else {
    row.incidents.unrecorded = row.recorded;
  }
  return row;
}

/// Records for each detector that it has no verdict about the test.
void Crossval::give_up_traces(report::CrossRow& row, const std::string& error) const {
  add_error(row, error);
  row.detectors.clear();
  judge_.begin_traces(row);
  row.traces = row.weak = 0;
  row.incidents.unrecorded = row.recorded;
}

void Crossval::replay_recordings(report::CrossRow& row, const std::shared_ptr<const Program>& program,
                                 const cuda::RunReport& report) const {
  judge_.begin_traces(row);
  if (report.recordings.empty()) return;
  auto reconstructor = cuda::Reconstructor::create(program);
  if (!reconstructor.ok()) return give_up_traces(row, render(reconstructor.errors()));
  std::set<std::vector<TraceEvent>> seen;
  for (const auto& [recording, count] : report.recordings) {
    if (interrupted_) return;
    using Kind = cuda::Reconstruction::Kind;
    const cuda::Reconstruction made = reconstructor.value()->trace_of(recording);
    switch (made.kind) {
      case Kind::Error: return give_up_traces(row, made.error->render());
      case Kind::Weak: row.weak += count; break;
      case Kind::LeftOut: row.recorded -= count; break;
      case Kind::GivenUp: row.incidents.unrecorded += count; break;
      case Kind::Trace:
        if (seen.insert(made.trace->events).second) judge_.replay(row, *made.trace);
        break;
    }
  }
}

std::string Crossval::simulate_all() {
  device_ = report::kSimulator;
  for (std::size_t i = 0; i < left_.size() && !interrupted_; ++i) {
    show_progress(i);
    simulate(left_[i]);
  }
  return {};
}

/// Runs a test on the simulator, and records the first runs for the detectors.
void Crossval::simulate(std::uint64_t test) {
  report::CrossRow row = row_of(test);
  judge_.begin_traces(row);
  std::set<std::vector<TraceEvent>> seen;
  sim::Options options = request_.simulator;
  options.seed = request_.seed;
  Context context;
  context.set_cancellation(&interrupted_);
  const auto& program = corpus_[test].program;
  const auto look_at = [&](const sim::Run& run) {
    if (run.end == sim::RunEnd::Dropped || row.recorded >= request_.record) return true;
    ++row.recorded;
    if (seen.insert(run.trace.events).second) judge_.replay(row, run.trace, run.end == sim::RunEnd::StepBound);
    return true;
  };
  const bool has_traces = !is_asynchronous(*program) && !has_dependent_grids(*program);
  if (!has_traces)
    row.incidents.notes.emplace_back("traces have no events for asynchronous operations: no detector saw a run");
  const auto simulation = sim::simulate(program, options, context, has_traces ? sim::OnRun(look_at) : sim::OnRun());
  if (simulation.ok()) {
    judge_.add_counts(row, *program, simulation.value().histogram, judge_.check_models(program));
  } else {
    add_error(row, render(simulation.errors()));
  }
  if (!interrupted_) keep(std::move(row));
}

}  // namespace ambit::api
