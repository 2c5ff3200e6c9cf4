#include "cli/crossval.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "cli/backend.h"
#include "cli/crossval_judge.h"
#include "cli/exit_code.h"
#include "cli/files.h"
#include "cli/hardware_options.h"
#include "cli/in_gpu_findings.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/site.h"
#include "parser/parse.h"
#include "report/campaign_log.h"
#include "report/crossval.h"
#include "runner/cuda/isolated.h"
#include "runner/cuda/reconstruct.h"
#include "runner/sim/simulate.h"

namespace ambit::cli {
namespace {

/// Of a detector inside the kernel, in the log.
constexpr std::size_t kKeptRaces = 16;

struct CrossvalCommand {
  std::vector<std::string> paths;
  std::vector<std::string> models = {"ptx"};
  DetectorSelection detectors;
  Backend backend = Backend::Cuda;
  HardwareOptions hardware;
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
    if (const auto wrong = misplaced_in_gpu(command_.hardware, command_.backend)) return fail(wrong->render());
    for (const auto& step : {&Campaigner::prepare, &Campaigner::read_tests, &Campaigner::resume}) {
      if (const std::string error = (this->*step)(); !error.empty()) return fail(error);
    }
    Progress progress(is_terminal(2) ? Progress::Mode::Live : Progress::Mode::Silent, left_.size());
    const std::string error = command_.backend == Backend::Cuda ? run_on_gpu(progress) : simulate_all(progress);
    progress.clear();
    return error.empty() ? print() : fail(error);
  }

 private:
  static int fail(const std::string& error) {
    std::cerr << error;
    return kBadInput;
  }

  std::string prepare() {
    const auto stress = starting_stress(command_.hardware);
    if (!stress.ok()) return render(stress.errors());
    campaign_.options = command_.hardware.run;
    campaign_.options.stress = stress.value();
    campaign_.options.alternate = command_.hardware.profile.empty();
    campaign_.options.by_device = command_.hardware.profile.empty();
    campaign_.options.seed = command_.seed;
    campaign_.options.record = command_.record;
    campaign_.device = command_.hardware.device;
    campaign_.timeout_seconds = command_.hardware.timeout_seconds;
    campaign_.checks_machine_code = command_.hardware.check_code;
    if (command_.hardware.use_cache) campaign_.cache_folder = cuda::KernelCache::default_folder();
    return judge_.prepare(command_.models, command_.detectors);
  }

  /// All tests, of every shard: together they say which campaign this is.
  std::string read_tests() {
    const auto files = collect_files(command_.paths);
    if (!files.ok()) return render(files.errors());
    for (const std::string& file : files.value()) {
      const auto source = read_input(file);
      if (!source.ok()) return render(source.errors());
      const auto programs = parser::parse_programs(source.value());
      if (!programs.ok()) return render(programs.errors());
      for (const auto& program : programs.value()) corpus_.push_back({file, program});
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
    if (command_.backend == Backend::Sim) {
      all.insert(all.end(), {{"backend", "sim"},
                             {"runs", fmt::format("{}", command_.simulator.runs)},
                             {"memory", std::string(to_string(command_.simulator.memory))}});
      return all;
    }
    const cuda::RunOptions& run = campaign_.options;
    all.insert(all.end(), {{"backend", "cuda"},
                           {"seconds", fmt::format("{}", run.seconds)},
                           {"rounds", fmt::format("{}", run.rounds)},
                           {"max-loops", fmt::format("{}", run.max_steps)},
                           {"vary", run.vary ? "yes" : "no"},
                           {"parameters", (run.by_device ? "by device, " : "") + stress_options(run.stress)}});
    if (!run.in_gpu.empty()) all.emplace_back("in-gpu", fmt::format("{}", fmt::join(run.in_gpu, ",")));
    return all;
  }

  /// Goes on from the campaign's file: what is left of this shard's tests.
  std::string resume() {
    std::set<std::uint64_t> done;
    if (std::string error = read_log(); !error.empty()) return error;
    for (const report::CrossRow& row : rows_) done.insert(row.number);
    for (std::uint64_t test = header_.shard - 1; test < corpus_.size(); test += header_.shards) {
      if (!done.contains(test)) left_.push_back(test);
    }
    return write_log();
  }

  std::string read_log() {
    if (command_.log.empty() || !std::filesystem::exists(command_.log)) return {};
    const auto source = read_results(command_.log);
    if (!source.ok()) return render(source.errors());
    const std::string& text = source.value()->text;
    // Killed before its first line was whole: nothing was finished.
    if (text.find('\n') == std::string::npos && (text.empty() || text.starts_with("{\"campaign\""))) return {};
    auto log = report::read_campaign(source.value());
    if (!log.ok()) return render(log.errors());
    const report::CampaignHeader& there = log.value().header;
    Diagnostics wrong = report::differences(header_, "this command line", there, source.value());
    if (there.shard != header_.shard || there.shards != header_.shards) {
      wrong.push_back({source.value(),
                       {1, 1, 1},
                       fmt::format("the file of shard {}/{}, and this is shard {}/{}", there.shard, there.shards,
                                   header_.shard, header_.shards),
                       "ambit merge puts the shards together"});
    }
    if (!wrong.empty()) return render(wrong);
    if (log.value().is_cut) std::cerr << command_.log << ": the last line was cut off and is left out\n";
    rows_ = std::move(log.value().rows);
    return {};
  }

  /// The file with what is known so far: a line that was cut off goes. Written beside it first, so that nothing is
  /// lost.
  std::string write_log() const {
    if (command_.log.empty()) return {};
    const std::string part = command_.log + ".part";
    std::ofstream out(part);
    out << report::campaign_json(header_) << "\n";
    for (const report::CrossRow& row : rows_) out << report::crossval_json(row) << "\n";
    out.close();
    std::error_code error;
    if (out) std::filesystem::rename(part, command_.log, error);
    return out && !error ? "" : path_error(command_.log, "cannot write the file").render();
  }

  std::string run_on_gpu(Progress& progress) {
    for (const std::uint64_t test : left_) campaign_.tests.push_back(corpus_[test].program);
    cuda::CampaignEvents events;
    events.on_device = [this](const cuda::DeviceInfo& device) { device_ = device.name; };
    events.on_progress = [&](std::size_t test, const cuda::RunReport& /*report*/) {
      progress.show(test, campaign_.tests[test]->name);
    };
    events.on_end = [this](std::size_t test, const cuda::TestEnd& end) { on_end(left_[test], end); };
    Context context;
    context.set_cancellation(&interrupted_);
    const auto ran = cuda::run_campaign(campaign_, events, context);
    return ran.ok() ? "" : render(ran.errors());
  }

  report::CrossRow row_of(std::uint64_t test) const {
    report::CrossRow row;
    const Program& program = *corpus_[test].program;
    row.number = test;
    row.file = corpus_[test].file;
    row.test = program.name;
    row.device = device_;
    row.seed = command_.seed;
    if (!program.labels.empty()) row.label = program.labels.front().race ? "race" : "norace";
    return row;
  }

  void keep(report::CrossRow row) {
    if (!command_.log.empty()) {
      std::ofstream out(command_.log, std::ios::app);
      out << report::crossval_json(row) + "\n";
      out.close();
      if (!out && log_error_.empty()) log_error_ = path_error(command_.log, "cannot write to the file").render();
    }
    rows_.push_back(std::move(row));
  }

  void on_end(std::uint64_t test, const cuda::TestEnd& end) {
    if (end.kind == cuda::TestEnd::Kind::Interrupted) return;  // it is run when the campaign goes on
    report::CrossRow row = row_of(test);
    if (end.kind != cuda::TestEnd::Kind::Finished) row.error = end.message;
    row.recorded = end.report.recorded;
    row.in_gpu = in_gpu_findings(*corpus_[test].program, end.report);
    for (report::Detections& found : row.in_gpu) report::keep_most_frequent(found, kKeptRaces);
    judge_.ask_models(row, corpus_[test].program, end.report.histogram);
    if (row.error.empty()) replay_recordings(row, corpus_[test].program, end.report);
    if (!interrupted_) keep(std::move(row));  // an answer that was cut short is no result
  }

  void replay_recordings(report::CrossRow& row, const std::shared_ptr<const Program>& program,
                         const cuda::RunReport& report) const {
    judge_.begin_traces(row);
    auto reconstructor = cuda::Reconstructor::create(program);
    if (!reconstructor.ok()) {
      row.error = render(reconstructor.errors());
      return;
    }
    for (const auto& [recording, count] : report.recordings) {
      const cuda::Reconstruction made = reconstructor.value()->trace_of(recording);
      if (made.contradiction) {
        row.error = made.contradiction->render();
        return;
      }
      if (!made.trace) {
        row.weak += count;
      } else if (made.is_left_out) {
        row.recorded -= count;
      } else {
        judge_.replay(row, *made.trace);
      }
    }
  }

  std::string simulate_all(Progress& progress) {
    device_ = "simulator";
    for (std::size_t i = 0; i < left_.size() && !interrupted_; ++i) {
      progress.show(i, corpus_[left_[i]].program->name);
      simulate(left_[i]);
    }
    return {};
  }

  /// The first runs of the simulator, --record of them, are the recorded ones.
  void simulate(std::uint64_t test) {
    report::CrossRow row = row_of(test);
    judge_.begin_traces(row);
    std::set<std::string> seen;
    sim::Options options = command_.simulator;
    options.seed = command_.seed;
    Context context;
    context.set_cancellation(&interrupted_);
    const auto& program = corpus_[test].program;
    const auto simulation = sim::simulate(program, options, context, [&](const sim::Run& run) {
      if (run.end == sim::RunEnd::Dropped || row.recorded >= command_.record) return true;
      ++row.recorded;
      if (seen.insert(text_of(run.trace)).second) judge_.replay(row, run.trace);
      return true;
    });
    if (simulation.ok()) {
      judge_.ask_models(row, program, simulation.value().histogram);
    } else {
      row.error = render(simulation.errors());
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
    if (!command_.html.empty() && !write_site(rows)) return kBadInput;
    if (!log_error_.empty()) return fail(log_error_);
    if (interrupted_) {
      std::cerr << "interrupted: with --log FILE the next call goes on from here\n";
      return kUnknown;
    }
    if (std::ranges::any_of(rows, &report::CrossRow::has_forbidden)) return kFailed;
    return std::ranges::any_of(rows, &report::CrossRow::is_open) ? kUnknown : kOk;
  }

  /// Where an outcome was seen that a model forbids, its page says why the model does.
  void explain_forbidden(const report::CrossRow& row, SiteTest& test) const {
    for (const report::CrossOutcome& one : row.histogram) {
      const auto forbids = [&](const parser::RulesPtr& rules) {
        return std::ranges::find(one.forbidden_by, verdict::model_name(*rules)) != one.forbidden_by.end();
      };
      const auto model = std::ranges::find_if(judge_.models(), forbids);
      if (model == judge_.models().end()) continue;
      test.rules = *model;
      test.outcome = one.outcome;
      for (std::size_t at = 0; (at = test.outcome.find(", ", at)) != std::string::npos;) {
        test.outcome.replace(at, 2, " && ");
      }
      return;
    }
  }

  bool write_site(const std::vector<report::CrossRow>& rows) const {
    Site site(command_.html, is_terminal(2) ? Progress::Mode::Live : Progress::Mode::Silent, interrupted_);
    std::vector<std::string> links;
    for (const report::CrossRow& row : rows) {
      SiteTest test{report::page_of(row), corpus_[row.number].program, nullptr, judge_.timeline(row),
                    "A recorded run in which a detector sees a race."};
      test.page.source = test.program->source;
      std::vector<std::optional<bool>> races;
      for (const report::CrossModel& model : row.models) races.push_back(model.race);
      test.rules = model_to_explain(judge_.models(), races,
                                    row.label.empty() ? std::nullopt : std::optional(row.label == "race"));
      explain_forbidden(row, test);
      links.push_back(site.add(std::move(test)));
    }
    if (!site.write_pages()) return false;
    std::vector<std::string> notes = site.notes();
    if (interrupted_)
      notes.push_back(fmt::format("The campaign is not finished: {} tests have a result.", rows.size()));
    return site.write_index(report::index_page(rows, links, notes));
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
  std::string log_error_;  ///< of the first result that could not be written
};

}  // namespace

void add_crossval(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(app, "crossval", "Set models, detectors and a GPU side by side");
  const auto options = std::make_shared<CrossvalCommand>();
  command->add_option("FILES", options->paths, "Tests, or folders of tests")->required()->option_text("FILES|DIRS");
  command
      ->add_option_function<std::string>(
          "-m,--model", [options](const std::string& text) { options->models = split_models(text); },
          "The models to ask (default ptx)")
      ->type_name("MODEL[,MODEL]");
  add_detector_options(*command, options->detectors);
  add_backend_option(*command, options->backend);
  command->add_option("--runs", options->simulator.runs, "Runs of each test on the simulator")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str();
  add_memory_option(*command, options->simulator);
  command->add_option("--seed", options->seed, "Of random choices")->capture_default_str();
  command->add_option("--record", options->record, "Runs to record of each test")
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--log", options->log, "Append each result to this file; go on where it ends")->type_name("FILE");
  command->add_option("--html", options->html, "Also write pages into this folder")
      ->type_name("DIR")
      ->check(CLI::Validator(folder_can_be_made, ""));
  command->add_flag("--json", options->json, "Print a line of JSON for each test");
  add_hardware_options(*command, options->hardware);
  add_in_gpu_option(*command, options->hardware);
  command->callback([options, &exit_code] { exit_code = Campaigner(*options, catch_interrupts()).run(); });
}

}  // namespace ambit::cli
