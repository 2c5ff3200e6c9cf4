#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "api/files.h"
#include "apps/cli/backend.h"
#include "apps/cli/campaign_file.h"
#include "apps/cli/commands.h"
#include "apps/cli/crossval_judge.h"
#include "apps/cli/crossval_site.h"
#include "apps/cli/detector_options.h"
#include "apps/cli/exit_code.h"
#include "apps/cli/hardware_options.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "core/plural.h"
#include "parser/parse.h"
#include "report/json/crossval_json.h"
#include "report/logs/campaign_log.h"
#include "report/results/crossval.h"
#include "report/results/words.h"
#include "report/text/crossval_text.h"
#include "runner/cuda/isolated.h"
#include "runner/cuda/reconstruct.h"
#include "runner/sim/simulate.h"

namespace ambit::cli {
namespace {

/// Of a detector inside the kernel, in the log.
constexpr std::size_t kKeptRaces = 16;

using Programs = std::vector<std::shared_ptr<const Program>>;

struct CrossvalCommand {
  std::vector<std::string> paths;
  std::vector<std::string> models = {"ptx"};
  api::DetectorSelection detectors;
  api::Backend backend = api::Backend::Cuda;
  api::HardwareOptions hardware;
  sim::Options simulator;
  std::uint64_t seed = 1;
  std::uint64_t record = 100000;
  std::string log;   ///< the campaign's file; empty: none
  std::string html;  ///< a folder; empty: none
  bool json = false;
};

class Campaigner {
 public:
  Campaigner(const CrossvalCommand& command, const std::atomic<bool>& interrupted)
      : command_(command), interrupted_(interrupted), judge_(interrupted) {}

  int run() {
    for (const auto& step : {&Campaigner::prepare, &Campaigner::read_tests, &Campaigner::resume}) {
      if (const std::string error = (this->*step)(); !error.empty()) return fail(error);
    }
    progress_.emplace(is_terminal(2) ? Progress::Mode::Live : Progress::Mode::Silent, left_.size());
    const std::string error = command_.backend == api::Backend::Cuda ? run_on_gpu() : simulate_all();
    progress_->clear();
    return error.empty() ? print() : fail(error);
  }

 private:
  static int fail(const std::string& error) {
    std::cerr << error;
    return kBadInput;
  }

  std::string prepare() {
    if (command_.hardware.run.tune_seconds > 0) {
      Diagnostic error = api::path_error("--tune", "a campaign does not look for parameters");
      error.hint = "ambit run TEST --backend cuda --tune SECONDS";
      return error.render();
    }
    auto campaign = api::prepare_campaign(command_.hardware, command_.seed);
    if (!campaign.ok()) return render(campaign.errors());
    campaign_ = std::move(campaign).value();
    campaign_.options.record = command_.record;
    return judge_.prepare(command_.models, command_.detectors);
  }

  /// All tests, of every shard: together they say which campaign this is. What is no test is told of at once.
  std::string read_tests() {
    const auto files = api::collect_files(command_.paths);
    if (!files.ok()) return render(files.errors());
    for (const std::string& file : files.value()) {
      const auto source = api::read_input(file, interrupt_flag());
      const auto programs = source.ok() ? parser::parse_programs(source.value()) : Result<Programs>(source.errors());
      if (!programs.ok()) {
        std::cerr << render(programs.errors());
        has_bad_tests_ = true;
        continue;
      }
      for (const auto& program : programs.value()) corpus_.push_back({file, program});
    }
    if (has_bad_tests_ && !command_.log.empty()) {
      return api::path_error(command_.log,
                             "no test was run: without the others the results would be of another campaign")
          .render();
    }
    header_.corpus = report::corpus_hash(corpus_);
    header_.tests = corpus_.size();
    header_.shard = command_.hardware.shard;
    header_.shards = command_.hardware.shards;
    header_.settings = settings();
    return {};
  }

  /// What the results depend on, besides the seed and the device: those may differ between the parts of a campaign.
  std::vector<std::pair<std::string, std::string>> settings() const {
    std::vector<std::pair<std::string, std::string>> all = {
        {"version", AMBIT_VERSION},
        {"models", fmt::format("{}", fmt::join(command_.models, ","))},
        {"detectors", fmt::format("{}", fmt::join(judge_.detector_titles(), ","))},
        {"record", fmt::format("{}", command_.record)}};
    if (command_.backend == api::Backend::Sim) {
      all.insert(all.end(), {{"backend", "sim"},
                             {"runs", fmt::format("{}", command_.simulator.runs)},
                             {"memory", std::string(to_string(command_.simulator.memory))},
                             {report::kRulesSetting, judge_.rules_hash()}});
      return all;
    }
    const cuda::RunOptions& run = campaign_.options;
    all.insert(all.end(), {{"backend", "cuda"},
                           {"seconds", fmt::format("{}", run.seconds)},
                           {"rounds", fmt::format("{}", run.rounds)},
                           {"max-loops", fmt::format("{}", run.max_steps)},
                           {"vary", run.vary ? "yes" : "no"},
                           {"parameters", (run.by_device ? "by device, " : "") + api::stress_options(run.stress)}});
    if (!run.in_gpu.empty()) all.emplace_back("in-gpu", fmt::format("{}", fmt::join(run.in_gpu, ",")));
    all.emplace_back(report::kRulesSetting, judge_.rules_hash());
    return all;
  }

  /// Goes on from the campaign's file: what is left of this shard's tests under this seed.
  std::string resume() {
    if (!command_.log.empty()) {
      if (std::string error = read_log(); !error.empty()) return error;
    }
    std::set<std::uint64_t> done;
    for (const report::CrossRow& row : rows_) {
      if (row.seed == command_.seed) done.insert(row.number);
    }
    for (std::uint64_t test = header_.shard - 1; test < corpus_.size(); test += header_.shards) {
      if (!done.contains(test)) left_.push_back(test);
    }
    if (header_.shard > corpus_.size() && !corpus_.empty()) {
      std::cerr << fmt::format("shard {} of {} is empty: {} in all\n", header_.shard, header_.shards,
                               plural(corpus_.size(), "test"));
    }
    return {};
  }

  std::string read_log() {
    const auto source = file_.open(command_.log);
    if (!source.ok()) return render(source.errors());
    const std::string& text = source.value()->text;
    const std::string header = report::campaign_json(header_);
    // New, or killed before its first line was whole: nothing was finished.
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
    if (log.value().is_cut) std::cerr << command_.log << ": the last line was cut off and is left out\n";
    if (!text.ends_with('\n')) {
      const std::size_t whole = text.rfind('\n') + 1;  // 0 where there is none
      file_.cut(whole);
      if (!log.value().is_cut && !file_.append(text.substr(whole))) return cannot_write().render();
    }
    rows_ = std::move(merged.value().rows);
    for (report::CrossRow& row : rows_) row.label = label_of(*corpus_[row.number].program);
    return {};
  }

  /// What keeps a log from being one of this command line.
  Diagnostics misfits(const report::CampaignLog& log) const {
    const report::CampaignHeader& there = log.header;
    Diagnostics wrong = report::differences(header_, "this command line", there, log.source);
    if (there.shard != header_.shard || there.shards != header_.shards) {
      wrong.push_back({log.source,
                       {1, 1, 1},
                       fmt::format("the file of shard {}/{}, and this is shard {}/{}", there.shard, there.shards,
                                   header_.shard, header_.shards),
                       "ambit merge puts the shards together"});
    }
    for (std::size_t i = 0; wrong.empty() && i < log.rows.size(); ++i) {
      const report::CrossRow& row = log.rows[i];
      const report::CorpusTest& test = corpus_[row.number];
      std::string why = judge_.misfit(row, command_.hardware.run.in_gpu);
      if (row.file != test.file || row.test != test.program->name) {
        why = fmt::format("test number {} is '{}' of {}", row.number, test.program->name, test.file);
      }
      if (!why.empty()) wrong.push_back({log.source, {log.lines[i], 1, 1}, "no result of this campaign: " + why, ""});
    }
    return wrong;
  }

  Diagnostic cannot_write() const {
    return api::path_error(command_.log, fmt::format("cannot write to the file: {}", std::strerror(errno)));
  }

  std::string run_on_gpu() {
    for (const std::uint64_t test : left_) campaign_.tests.push_back(corpus_[test].program);
    cuda::CampaignEvents events;
    events.on_device = [this](const cuda::DeviceInfo& device) { device_ = device.name; };
    events.on_progress = [this](std::size_t test, const cuda::RunReport& /*report*/) {
      progress_->show(test, campaign_.tests[test]->name);
    };
    events.on_end = [this](std::size_t test, const cuda::TestEnd& end) { on_end(left_[test], end); };
    const auto ran = api::run_campaign(campaign_, events, interrupted_);
    return ran.ok() ? "" : render(ran.errors());
  }

  /// "race", "norace"; empty: no suite says anything, or one this and the other that.
  static std::string label_of(const Program& program) {
    if (program.labels.empty()) return {};
    const bool race = program.labels.front().race;
    const bool is_agreed = std::ranges::all_of(program.labels, [&](const auto& label) { return label.race == race; });
    return !is_agreed ? "" : race ? "race" : "norace";
  }

  report::CrossRow row_of(std::uint64_t test) const {
    report::CrossRow row;
    const Program& program = *corpus_[test].program;
    row.number = test;
    row.file = corpus_[test].file;
    row.test = program.name;
    row.device = device_;
    row.seed = command_.seed;
    row.label = label_of(program);
    return row;
  }

  void keep(report::CrossRow row) {
    if (!command_.log.empty() && !file_.append(report::crossval_json(row)) && !told_of_file_) {
      Diagnostic error = cannot_write();
      error.hint = "the campaign goes on, and what is missing is written with the next result, if it can be";
      progress_->clear();
      std::cerr << error.render();
      told_of_file_ = true;
    }
    rows_.push_back(std::move(row));
  }

  void on_end(std::uint64_t test, const cuda::TestEnd& end) {
    if (end.kind == cuda::TestEnd::Kind::Interrupted) return;  // it is run when the campaign goes on
    report::CrossRow row = row_of(test);
    if (end.kind != cuda::TestEnd::Kind::Finished) row.error = end.message;
    row.recorded = end.report.recorded;
    row.in_gpu = api::in_gpu_findings(*corpus_[test].program, end.report);
    for (report::Detections& found : row.in_gpu) report::keep_most_frequent(found, kKeptRaces);
    judge_.ask_models(row, corpus_[test].program, end.report.histogram);
    row.incidents.uncounted = end.report.uncounted;
    row.incidents.unrecorded = end.report.unrecorded;
    row.incidents.notes = end.report.notes;
    if (end.kind == cuda::TestEnd::Kind::Finished) {
      replay_recordings(row, corpus_[test].program, end.report);
    } else {
      row.incidents.unrecorded = row.recorded;
    }
    if (!interrupted_) keep(std::move(row));  // an answer that was cut short is no result
  }

  /// No detector has a verdict on any recorded run.
  void give_up_traces(report::CrossRow& row, const std::string& error) const {
    add_error(row, error);
    row.detectors.clear();
    judge_.begin_traces(row);
    row.traces = row.weak = 0;
    row.incidents.unrecorded = row.recorded;
  }

  void replay_recordings(report::CrossRow& row, const std::shared_ptr<const Program>& program,
                         const cuda::RunReport& report) const {
    judge_.begin_traces(row);
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

  std::string simulate_all() {
    device_ = "simulator";
    for (std::size_t i = 0; i < left_.size() && !interrupted_; ++i) {
      progress_->show(i, corpus_[left_[i]].program->name);
      simulate(left_[i]);
    }
    return {};
  }

  /// The first runs of the simulator, --record of them, are the recorded ones.
  void simulate(std::uint64_t test) {
    report::CrossRow row = row_of(test);
    judge_.begin_traces(row);
    std::set<std::vector<TraceEvent>> seen;
    sim::Options options = command_.simulator;
    options.seed = command_.seed;
    Context context;
    context.set_cancellation(&interrupted_);
    const auto& program = corpus_[test].program;
    const auto simulation = sim::simulate(program, options, context, [&](const sim::Run& run) {
      if (run.end == sim::RunEnd::Dropped || row.recorded >= command_.record) return true;
      ++row.recorded;
      if (seen.insert(run.trace.events).second) judge_.replay(row, run.trace, run.end == sim::RunEnd::StepBound);
      return true;
    });
    if (simulation.ok()) {
      judge_.ask_models(row, program, simulation.value().histogram);
    } else {
      add_error(row, render(simulation.errors()));
    }
    if (!interrupted_) keep(std::move(row));
  }

  int print() {
    std::vector<report::CrossRow> rows = report::combined(rows_);
    const auto order = [](const report::CrossRow& row) {
      return std::make_tuple(!row.has_forbidden(), row.file, row.test);
    };
    std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
    if (command_.json) {
      for (const report::CrossRow& row : rows) std::cout << report::crossval_json(row) << "\n";
    } else {
      report::Style style;
      style.color = wants_color();
      std::cout << report::crossval_text(rows, style);
    }
    std::cout.flush();
    if (!command_.html.empty() && !write_crossval_site(command_.html, rows, corpus_, judge_, interrupted_)) {
      return kBadInput;
    }
    if (interrupted_) std::cerr << "interrupted: with --log FILE the next call goes on from here\n";
    if (!file_.is_whole()) return fail(api::path_error(command_.log, "results are missing in the file").render());
    if (has_bad_tests_) return kBadInput;
    if (std::ranges::any_of(rows, &report::CrossRow::has_forbidden)) return kFailed;
    return interrupted_ || std::ranges::any_of(rows, &report::CrossRow::is_open) ? kUnknown : kOk;
  }

  const CrossvalCommand& command_;
  const std::atomic<bool>& interrupted_;
  CrossvalJudge judge_;
  cuda::Campaign campaign_;
  std::vector<report::CorpusTest> corpus_;  ///< of all shards
  std::vector<std::uint64_t> left_;         ///< numbers of the tests to run
  report::CampaignHeader header_;
  std::string device_;
  std::vector<report::CrossRow> rows_;
  CampaignFile file_;
  std::optional<Progress> progress_;
  bool has_bad_tests_ = false;
  bool told_of_file_ = false;  ///< that a result could not be written
};

}  // namespace

Action declare_crossval(CLI::App& command) {
  const auto options = std::make_shared<CrossvalCommand>();
  command.add_option("FILES", options->paths, "Tests, or folders of tests")->required()->option_text("FILES|DIRS");
  command
      .add_option_function<std::string>(
          "-m,--model", [options](const std::string& text) { options->models = split_models(text); },
          "The models to ask (default ptx)")
      ->type_name("MODEL[,MODEL]");
  add_detector_options(command, options->detectors);
  add_backend_option(command, options->backend);
  command.add_option("--runs", options->simulator.runs, "Runs of each test")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str()
      ->group(kOnSimulator);
  add_memory_option(command, options->simulator);
  command.add_option("--seed", options->seed, "Of random choices")->capture_default_str();
  command.add_option("--record", options->record, "Runs to record of each test")->capture_default_str()->type_name("N");
  command.add_option("--log", options->log, "Append each result to this file; go on where it ends")->type_name("FILE");
  command.add_option("--html", options->html, "Also write pages into this folder")
      ->type_name("DIR")
      ->check(CLI::Validator(folder_can_be_made, ""));
  command.add_flag("--json", options->json, "Print a line of JSON for each test");
  add_shard_option(command, options->hardware);
  add_hardware_options(command, options->hardware);
  add_in_gpu_option(command, options->hardware);
  return [options, &command] {
    require_options_of(command, options->backend);
    return Campaigner(*options, catch_interrupts()).run();
  };
}

}  // namespace ambit::cli
