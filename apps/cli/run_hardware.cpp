#include "apps/cli/run_hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

#include "api/files.h"
#include "apps/cli/hardware_options.h"
#include "apps/cli/in_gpu_findings.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/progress.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "parser/parse.h"
#include "runner/cuda/isolated.h"
#include "runner/cuda/kernel_cache.h"
#include "runner/cuda/stress.h"

namespace ambit::cli {
namespace {

constexpr std::chrono::seconds kModelTimeout{60};
/// Sightings a second below which the parameters of the condition's outcome are shown.
constexpr double kRare = 1e6;

class HardwareRun {
 public:
  using Done = std::function<void(const report::RunResult&)>;

  HardwareRun(const RunCommand& command, const std::atomic<bool>& interrupted, const Done& done)
      : command_(command), interrupted_(interrupted), done_(done) {}

  std::vector<report::RunResult> run(const std::vector<std::string>& files) {
    if (std::string error = prepare(); !error.empty()) {
      report::RunResult failed;
      failed.error = std::move(error);
      finish(std::move(failed));
      return std::move(results_);
    }
    for (const std::string& file : files) read(file);
    if (!command_.hardware.save_profile.empty() && campaign_.tests.size() > 1) {
      report::RunResult failed;
      failed.error =
          api::path_error(command_.hardware.save_profile, "a profile is of one test, and there are several").render();
      finish(std::move(failed));
      return std::move(results_);
    }
    const bool is_live = is_terminal(2) && !command_.quiet;
    progress_.emplace(is_live ? Progress::Mode::Live : Progress::Mode::Silent, campaign_.tests.size());
    cuda::CampaignEvents events;
    events.on_device = [this](const cuda::DeviceInfo& device) { device_ = device; };
    events.on_progress = [this](std::size_t test, const cuda::RunReport& report) { show(test, report); };
    events.on_end = [this](std::size_t test, const cuda::TestEnd& end) { on_end(test, end); };
    Context context;
    context.set_cancellation(&interrupted_);
    const Result<bool> ran = cuda::run_campaign(campaign_, events, context);
    for (std::size_t test = ended_; test < campaign_.tests.size(); ++test) {
      report::RunResult result = result_of(test);
      result.was_run = !ran.ok();
      if (!ran.ok()) result.error = render(ran.errors());
      finish(std::move(result));
      if (!ran.ok()) break;  // one word about a missing driver is enough
    }
    return std::move(results_);
  }

 private:
  std::string prepare() {
    const HardwareOptions& options = command_.hardware;
    const auto stress = starting_stress(options);
    if (!stress.ok()) return render(stress.errors());
    campaign_.options = options.run;
    campaign_.options.stress = stress.value();
    campaign_.options.alternate = options.profile.empty();
    campaign_.options.by_device = options.profile.empty();
    campaign_.options.seed = command_.options.seed;
    campaign_.device = options.device;
    campaign_.timeout_seconds = options.timeout_seconds;
    campaign_.checks_machine_code = options.check_code;
    if (options.use_cache) campaign_.cache_folder = cuda::KernelCache::default_folder();
    const auto models = store_.load_all(command_.models);
    if (!models.ok()) return render(models.errors());
    models_ = models.value();
    return {};
  }

  void read(const std::string& file) {
    const auto fail = [&](const Diagnostics& errors) {
      report::RunResult result;
      result.file = file;
      result.error = render(errors);
      finish(std::move(result));
    };
    const Result<SourceFilePtr> source = api::read_input(file, interrupt_flag());
    if (!source.ok()) return fail(source.errors());
    parser::ProgramOptions options;
    if (!command_.launch.empty()) options.launch = command_.launch;
    options.defines = command_.defines;
    const auto programs = parser::parse_programs(source.value(), options);
    if (!programs.ok()) return fail(programs.errors());
    for (const auto& program : programs.value()) {
      const bool is_mine = found_++ % command_.hardware.shards == command_.hardware.shard - 1;
      if (!is_mine) continue;
      if (command_.hardware.run.tune_seconds > 0 && !program->condition.proposition) {
        fail({api::path_error(file, "--tune looks for the condition's outcome, and the test has no condition")});
        continue;
      }
      campaign_.tests.push_back(program);
      files_.push_back(file == "-" ? "<stdin>" : file);
    }
  }

  report::RunResult result_of(std::size_t test) const {
    report::RunResult result;
    result.file = files_[test];
    result.program = campaign_.tests[test];
    return result;
  }

  void finish(report::RunResult result) {
    if (progress_) progress_->clear();
    done_(result);
    results_.push_back(std::move(result));
  }

  void show(std::size_t test, const cuda::RunReport& report) {
    const double rate = static_cast<double>(report.instances) / std::max(report.kernel_seconds, 1e-9);
    progress_->show(test, fmt::format("{}: {:.2e} runs, {:.2e}/s, {} outcomes", campaign_.tests[test]->name,
                                      static_cast<double>(report.instances), rate, report.histogram.outcomes.size()));
  }

  void on_end(std::size_t test, const cuda::TestEnd& end) {
    ended_ = test + 1;
    report::RunResult result = result_of(test);
    result.histogram = end.report.histogram;
    describe(result, end);
    result.detections = in_gpu_findings(*result.program, end.report);
    switch (end.kind) {
      case cuda::TestEnd::Kind::Finished: break;
      case cuda::TestEnd::Kind::Interrupted: result.is_interrupted = true; break;
      case cuda::TestEnd::Kind::Failed: result.error = end.message + "\n"; break;
      case cuda::TestEnd::Kind::Hang:
        result.why_incomplete = fmt::format("{}; parameters: {}", end.message, stress_options(end.report.current));
        break;
      case cuda::TestEnd::Kind::Crash: result.why_incomplete = end.message; break;
    }
    if (result.error.empty()) result.trouble = ask_models(result);
    add_remarks(result, end.report);
    finish(std::move(result));
  }

  void describe(report::RunResult& result, const cuda::TestEnd& end) const {
    const cuda::RunReport& report = end.report;
    const double rate = static_cast<double>(report.instances) / std::max(report.kernel_seconds, 1e-9);
    result.how = fmt::format("{}, {}{:.2f} s, {:.2e} runs a second", device_.name,
                             report.profile.empty() ? "" : fmt::format("profile {}, ", report.profile),
                             report.kernel_seconds, rate);
    result.settings = {{"backend", "cuda"},
                       {"device", device_.name},
                       {"arch", std::uint64_t{device_.arch}},
                       {"seed", command_.options.seed},
                       {"rounds", report.rounds},
                       {"launches", report.launches},
                       {"kernel_microseconds", static_cast<std::uint64_t>(report.kernel_seconds * 1e6)},
                       {"compile_microseconds", static_cast<std::uint64_t>(report.compile_milliseconds * 1e3)},
                       {"uncounted", report.uncounted},
                       {"profile", report.profile}};
    for (const cuda::StressField& field : cuda::stress_fields()) {
      result.settings.emplace_back(std::string(field.name), std::uint64_t{report.current.*(field.member)});
    }
  }

  /// For what the condition asks about, where it is rare, and for what a model forbids: the parameters that showed it.
  void add_remarks(report::RunResult& result, const cuda::RunReport& report) {
    const auto& proposition = result.program->condition.proposition;
    for (const cuda::Sighting& sighting : report.sightings) {
      const bool is_asked = proposition && evaluate(*proposition, sighting.values) != 0 && sighting.best_rate < kRare;
      const bool is_forbidden = std::any_of(result.models.begin(), result.models.end(), [&](const auto& model) {
        return report::is_forbidden(model, sighting.values);
      });
      if (!is_asked && !is_forbidden) continue;
      std::string values;
      for (std::size_t i = 0; i < sighting.values.size(); ++i) {
        values += fmt::format("{}{}={}", i == 0 ? "" : " ", result.program->observables[i].name, sighting.values[i]);
      }
      result.remarks.push_back(fmt::format("{}: first after {} runs with {} (seed {})", values, sighting.first_instance,
                                           stress_options(sighting.first), sighting.first_seed));
      result.remarks.push_back(fmt::format("{}: most often, {:.1f} times a second, with {}", values, sighting.best_rate,
                                           stress_options(sighting.best)));
    }
    result.remarks.insert(result.remarks.end(), report.notes.begin(), report.notes.end());
    if (report.uncounted > 0) {
      if (result.why_incomplete.empty()) result.why_incomplete = "there were more outcomes than the table has room for";
      result.remarks.push_back(
          fmt::format("{} runs are not in the table, which has no room for more outcomes", report.uncounted));
    }
    if (report.tuned) add_tuned(result, report);
  }

  void add_tuned(report::RunResult& result, const cuda::RunReport& report) const {
    if (report.tuned_rate <= 0) {
      result.remarks.push_back(fmt::format(
          "none of {} sets of parameters showed what the condition asks for: there is no profile", report.trials));
      return;
    }
    result.remarks.push_back(fmt::format("best of {} sets of parameters, {:.2e} a second: {}", report.trials,
                                         report.tuned_rate, stress_options(*report.tuned)));
    const std::string& path = command_.hardware.save_profile;
    if (path.empty()) return;
    std::ofstream out(path);
    out << cuda::profile_text(*report.tuned);
    out.close();
    if (!out) result.trouble += api::path_error(path, "cannot write the file").render();
  }

  std::string ask_models(report::RunResult& result) {
    for (const parser::RulesPtr& rules : models_) {
      verdict::CheckOptions options;
      options.questions = {false, false, false, true, false};
      Context context;
      context.set_timeout(kModelTimeout);
      context.set_cancellation(&interrupted_);
      const auto verdict = checker_.check(result.program, rules, options, context);
      if (!verdict.ok()) return render(verdict.errors());
      const bool is_complete = !verdict.value().unknown.has_value();
      result.models.push_back({verdict::model_name(*rules), verdict.value().answers.outcomes, is_complete});
    }
    return {};
  }

  const RunCommand& command_;
  const std::atomic<bool>& interrupted_;
  const Done& done_;
  cuda::Campaign campaign_;
  std::vector<std::string> files_;  ///< by test
  std::optional<Progress> progress_;
  cuda::DeviceInfo device_;
  std::size_t found_ = 0;  ///< tests of all shards
  std::size_t ended_ = 0;
  parser::ModelStore store_;
  std::vector<parser::RulesPtr> models_;
  verdict::Checker checker_;
  std::vector<report::RunResult> results_;
};

}  // namespace

std::vector<report::RunResult> run_on_hardware(const RunCommand& command, const std::vector<std::string>& files,
                                               const std::atomic<bool>& interrupted,
                                               const std::function<void(const report::RunResult&)>& done) {
  return HardwareRun(command, interrupted, done).run(files);
}

}  // namespace ambit::cli
