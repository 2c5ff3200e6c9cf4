#include "cli/crossval.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "cli/detector_options.h"
#include "cli/exit_code.h"
#include "cli/files.h"
#include "cli/hardware_options.h"
#include "cli/interrupt.h"
#include "cli/model_store.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "detector/detector.h"
#include "parser/parse.h"
#include "report/crossval.h"
#include "report/words.h"
#include "runner/cuda/isolated.h"
#include "runner/cuda/reconstruct.h"

namespace ambit::cli {
namespace {

constexpr std::chrono::seconds kModelTimeout{60};

struct CrossvalCommand {
  std::vector<std::string> paths;
  std::vector<std::string> models = {"ptx"};
  DetectorSelection detectors;
  HardwareOptions hardware;
  std::uint64_t seed = 1;
  std::uint64_t record = 100000;
  std::string log;   ///< the campaign's file; empty: none
  std::string html;  ///< empty: none
  bool json = false;
};

class Campaigner {
 public:
  Campaigner(const CrossvalCommand& command, const std::atomic<bool>& interrupted)
      : command_(command), interrupted_(interrupted) {}

  int run() {
    if (const std::string error = prepare(); !error.empty()) return fail(error);
    if (const std::string error = resume(); !error.empty()) return fail(error);
    Progress progress(is_terminal(2) ? Progress::Mode::Live : Progress::Mode::Silent, campaign_.tests.size());
    cuda::CampaignEvents events;
    events.on_device = [this](const cuda::DeviceInfo& device) { device_ = device; };
    events.on_progress = [&](std::size_t test, const cuda::RunReport& /*report*/) {
      progress.show(test, campaign_.tests[test]->name);
    };
    events.on_end = [this](std::size_t test, const cuda::TestEnd& end) { on_end(test, end); };
    Context context;
    context.set_cancellation(&interrupted_);
    const auto ran = cuda::run_campaign(campaign_, events, context);
    progress.clear();
    if (!ran.ok()) return fail(render(ran.errors()));
    return print();
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
    campaign_.options.seed = command_.seed;
    campaign_.options.record = command_.record;
    campaign_.device = command_.hardware.device;
    campaign_.timeout_seconds = command_.hardware.timeout_seconds;
    if (command_.hardware.use_cache) campaign_.cache_folder = cuda::KernelCache::default_folder();
    const auto models = store_.load_all(command_.models);
    if (!models.ok()) return render(models.errors());
    models_ = models.value();
    const auto detectors = chosen_detectors(command_.detectors);
    if (!detectors.ok()) return render(detectors.errors());
    for (const ChosenDetector& one : detectors.value()) {
      if (!one.needs_program) detectors_.push_back(one);
    }
    return {};
  }

  /// Reads the tests, less those that the campaign's file has already.
  std::string resume() {
    if (!command_.log.empty() && std::filesystem::exists(command_.log)) {
      const auto source = parser::read_source(command_.log);
      if (!source.ok()) return render(source.errors());
      auto rows = report::read_crossval(source.value());
      if (!rows.ok()) return render(rows.errors());
      rows_ = std::move(rows).value();
      rewrite();
    }
    std::set<std::pair<std::string, std::string>> done;
    for (const report::CrossRow& row : rows_) done.insert({row.file, row.test});
    const auto files = collect_files(command_.paths);
    if (!files.ok()) return render(files.errors());
    std::size_t found = 0;
    for (const std::string& file : files.value()) {
      const auto source = read_input(file);
      if (!source.ok()) return render(source.errors());
      const auto programs = parser::parse_programs(source.value());
      if (!programs.ok()) return render(programs.errors());
      for (const auto& program : programs.value()) {
        const bool is_mine = found++ % command_.hardware.shards == command_.hardware.shard - 1;
        if (!is_mine || done.contains({file, program->name})) continue;
        campaign_.tests.push_back(program);
        files_.push_back(file);
      }
    }
    return {};
  }

  /// A line that was cut off when the campaign was interrupted goes.
  void rewrite() const {
    std::ofstream out(command_.log, std::ios::trunc);
    for (const report::CrossRow& row : rows_) out << report::crossval_json(row) << "\n";
  }

  void on_end(std::size_t test, const cuda::TestEnd& end) {
    if (end.kind == cuda::TestEnd::Kind::Interrupted) return;  // it is run when the campaign goes on
    const Program& program = *campaign_.tests[test];
    report::CrossRow row;
    row.file = files_[test];
    row.test = program.name;
    row.device = device_.name;
    if (!program.labels.empty()) row.label = program.labels.front().race ? "race" : "norace";
    if (end.kind != cuda::TestEnd::Kind::Finished) row.error = end.message;
    row.runs = end.report.histogram.runs();
    row.outcomes = end.report.histogram.outcomes.size();
    row.recorded = end.report.recorded;
    for (const RulesPtr& rules : models_) add_model(row, campaign_.tests[test], rules, end.report.histogram);
    if (row.error.empty()) detect(row, campaign_.tests[test], end.report);
    if (!command_.log.empty())
      std::ofstream(command_.log, std::ios::app) << report::crossval_json(row) << "\n" << std::flush;
    rows_.push_back(std::move(row));
  }

  void add_model(report::CrossRow& row, const std::shared_ptr<const Program>& program, const RulesPtr& rules,
                 const Histogram& histogram) {
    verdict::CheckOptions options;
    options.questions = {false, !rules->flags.empty(), false, true, false};
    Context context;
    context.set_timeout(kModelTimeout);
    context.set_cancellation(&interrupted_);
    report::CrossModel model;
    model.model = verdict::model_name(*rules);
    const auto verdict = checker_.check(program, rules, options, context);
    if (!verdict.ok()) {
      row.error = render(verdict.errors());
      return;
    }
    const auto& outcomes = verdict.value().answers.outcomes;
    model.allowed = outcomes.size();
    model.is_complete = !verdict.value().unknown;
    if (!rules->flags.empty() && verdict.value().race != events::Possibility::Unknown) {
      model.race = verdict.value().race == events::Possibility::Possible;
    }
    for (const auto& [outcome, count] : histogram.outcomes) {
      if (std::binary_search(outcomes.begin(), outcomes.end(), outcome)) {
        ++model.seen;
      } else if (model.is_complete) {
        model.forbidden.push_back(
            fmt::format("{} ({} of {} runs)", report::outcome_text(*program, outcome), count, row.runs));
      }
    }
    row.models.push_back(std::move(model));
  }

  /// Replays what was recorded to every detector.
  void detect(report::CrossRow& row, const std::shared_ptr<const Program>& program,
              const cuda::RunReport& report) const {
    for (const ChosenDetector& one : detectors_) row.detectors.push_back({one.title, 0});
    auto reconstructor = cuda::Reconstructor::create(program);
    if (!reconstructor.ok()) {
      row.error = render(reconstructor.errors());
      return;
    }
    for (const auto& [recording, count] : report.recordings) {
      const std::optional<Trace> trace = reconstructor.value()->trace_of(recording);
      if (!trace) {
        row.weak += count;
        continue;
      }
      ++row.traces;
      std::vector<std::unique_ptr<detector::Detector>> detectors;
      for (const ChosenDetector& one : detectors_) {
        auto made = detector::make_detector(one.name, one.options, trace->tables);
        AMBIT_ASSERT(made.ok());  // chosen_detectors has seen to it
        detectors.push_back(std::move(made).value());
      }
      MemoryTraceReader reader(*trace);
      if (!detector::replay(reader, detectors).ok()) continue;
      for (std::size_t i = 0; i < detectors.size(); ++i) row.detectors[i].racy += detectors[i]->races().empty() ? 0 : 1;
    }
  }

  int print() {
    const auto order = [](const report::CrossRow& row) {
      return std::make_tuple(!row.has_forbidden(), row.file, row.test);
    };
    std::sort(rows_.begin(), rows_.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
    if (command_.json) {
      for (const report::CrossRow& row : rows_) std::cout << report::crossval_json(row) << "\n";
    } else {
      report::Style style;
      style.color = wants_color();
      std::cout << report::crossval_text(rows_, style);
    }
    std::cout.flush();
    if (!command_.html.empty()) {
      std::ofstream out(command_.html);
      out << report::crossval_html(rows_);
      out.close();
      if (!out) return fail(path_error(command_.html, "cannot write the file").render());
    }
    if (interrupted_) {
      std::cerr << "interrupted: with --log FILE the next call goes on from here\n";
      return kUnknown;
    }
    return std::any_of(rows_.begin(), rows_.end(), [](const auto& row) { return row.has_forbidden(); }) ? kFailed : kOk;
  }

  const CrossvalCommand& command_;
  const std::atomic<bool>& interrupted_;
  cuda::Campaign campaign_;
  std::vector<std::string> files_;  ///< by test
  cuda::DeviceInfo device_;
  ModelStore store_;
  std::vector<RulesPtr> models_;
  std::vector<ChosenDetector> detectors_;
  verdict::Checker checker_;
  std::vector<report::CrossRow> rows_;
};

}  // namespace

void add_crossval(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("crossval", "Set models, detectors and a GPU side by side");
  const auto options = std::make_shared<CrossvalCommand>();
  command->add_option("FILES", options->paths, "Tests, or folders of tests")->required()->option_text("FILES|DIRS");
  command
      ->add_option_function<std::string>(
          "-m,--model", [options](const std::string& text) { options->models = split_models(text); },
          "The models to ask (default ptx)")
      ->type_name("MODEL[,MODEL]");
  add_detector_options(*command, options->detectors);
  command->add_option("--seed", options->seed, "Of random choices")->capture_default_str();
  command->add_option("--record", options->record, "Runs to record of each test")
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--log", options->log, "Append each result to this file; go on where it ends")->type_name("FILE");
  command->add_option("--html", options->html, "Write a page")->type_name("FILE");
  command->add_flag("--json", options->json, "Print a line of JSON for each test");
  add_hardware_options(*command, options->hardware);
  command->callback([options, &exit_code] { exit_code = Campaigner(*options, catch_interrupts()).run(); });
}

}  // namespace ambit::cli
