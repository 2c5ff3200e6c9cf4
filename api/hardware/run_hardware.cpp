#include <fmt/format.h>

#include <algorithm>

#include "api/files.h"
#include "api/hardware/run_backends.h"
#include "runner/cuda/stress/stress.h"

namespace ambit::api {
namespace {

/// An outcome of the condition is rare if it occurs fewer times a second than this number. For a rare outcome, the
/// report shows the parameters that produced it.
constexpr double kRare = 1e6;

double runs_per_second(const cuda::RunReport& report) {
  return static_cast<double>(report.instances) / std::max(report.kernel_seconds, 1e-9);
}

class HardwareRun {
 public:
  HardwareRun(const RunRequest& request, const RunEvents& events, const std::atomic<bool>& interrupted,
              const OnResult& done)
      : request_(request), events_(events), interrupted_(interrupted), done_(done), models_(interrupted) {}

  void run(const std::vector<std::string>& files) {
    if (std::string error = prepare(); !error.empty()) return fail("", std::move(error));
    for (const std::string& file : files) read(file);
    if (!request_.hardware.save_profile.empty() && campaign_.tests.size() > 1) {
      return fail(
          "", path_error(request_.hardware.save_profile, "a profile belongs to one test; there are several").render());
    }
    cuda::CampaignEvents events;
    events.on_device = [this](const cuda::DeviceInfo& device) { device_ = device; };
    events.on_progress = [this](std::size_t test, const cuda::RunReport& report) { show(test, report); };
    events.on_end = [this](std::size_t test, const cuda::TestEnd& end) { on_end(test, end); };
    const Result<bool> ran = run_campaign(campaign_, events, interrupted_);
    for (std::size_t test = ended_; test < campaign_.tests.size(); ++test) {
      report::RunResult result = result_of(test);
      result.was_run = !ran.ok();
      if (!ran.ok()) result.error = render(ran.errors());
      done_(std::move(result));
      if (!ran.ok()) break;  // stops, so that a missing driver is reported only once
    }
  }

 private:
  void fail(const std::string& file, std::string error) {
    report::RunResult result;
    result.file = file;
    result.error = std::move(error);
    done_(std::move(result));
  }

  /// Returns the text of an error, or an empty text.
  std::string prepare() {
    auto campaign = prepare_campaign(request_.hardware, request_.simulator.seed);
    if (!campaign.ok()) return render(campaign.errors());
    campaign_ = std::move(campaign).value();
    return models_.load(request_.models);
  }

  void read(const std::string& file) {
    const auto programs = read_tests(file, request_, interrupted_);
    if (!programs.ok()) return fail(file, render(programs.errors()));
    for (const auto& program : programs.value()) {
      if (!request_.hardware.has_test(found_++)) continue;
      if (request_.hardware.run.tune_seconds > 0 && !program->condition.proposition) {
        fail(file, path_error(file, "--tune needs a condition, and the test has none").render());
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

  void show(std::size_t test, const cuda::RunReport& report) {
    if (!events_.on_progress) return;
    const std::string text =
        fmt::format("{}: {:.2e} runs, {:.2e}/s, {} outcomes", campaign_.tests[test]->name,
                    static_cast<double>(report.instances), runs_per_second(report), report.histogram.outcomes.size());
    events_.on_progress(test, campaign_.tests.size(), text);
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
    if (result.error.empty()) result.trouble = models_.add_to(result);
    add_remarks(result, end.report);
    done_(std::move(result));
  }

  void describe(report::RunResult& result, const cuda::TestEnd& end) const {
    const cuda::RunReport& report = end.report;
    result.how = fmt::format("{}, {}{:.2f} s, {:.2e} runs a second", device_.name,
                             report.profile.empty() ? "" : fmt::format("profile {}, ", report.profile),
                             report.kernel_seconds, runs_per_second(report));
    result.settings = {{"backend", "cuda"},
                       {"device", device_.name},
                       {"arch", std::uint64_t{device_.arch}},
                       {"seed", request_.simulator.seed},
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

  /// Adds remarks about a rare outcome of the condition and about forbidden outcomes. A remark names the stress
  /// parameters that produced the outcome.
  void add_remarks(report::RunResult& result, const cuda::RunReport& report) {
    const auto& proposition = result.program->condition.proposition;
    for (const cuda::Sighting& sighting : report.sightings) {
      const bool is_rare_match =
          proposition && evaluate(*proposition, sighting.values) != 0 && sighting.best_rate < kRare;
      const bool is_forbidden = std::any_of(result.models.begin(), result.models.end(), [&](const auto& model) {
        return report::is_forbidden(model, sighting.values);
      });
      if (!is_rare_match && !is_forbidden) continue;
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
      if (result.why_incomplete.empty()) result.why_incomplete = "the table is too small for all outcomes";
      result.remarks.push_back(
          fmt::format("{} runs are not counted: the table is too small for their outcomes", report.uncounted));
    }
    if (report.tuned) add_tuned(result, report);
  }

  void add_tuned(report::RunResult& result, const cuda::RunReport& report) const {
    if (report.tuned_rate <= 0) {
      result.remarks.push_back(fmt::format(
          "none of {} sets of parameters showed the condition's outcome: no profile was made", report.trials));
      return;
    }
    result.remarks.push_back(fmt::format("best of {} sets of parameters, {:.2e} a second: {}", report.trials,
                                         report.tuned_rate, stress_options(*report.tuned)));
    const std::string& path = request_.hardware.save_profile;
    if (path.empty()) return;
    if (const auto error = write_file(path, cuda::profile_text(*report.tuned))) result.trouble += error->render();
  }

  const RunRequest& request_;
  const RunEvents& events_;
  const std::atomic<bool>& interrupted_;
  const OnResult& done_;
  AllowedOutcomes models_;
  cuda::Campaign campaign_;
  std::vector<std::string> files_;  ///< for each test, the path of its file
  cuda::DeviceInfo device_;
  std::size_t found_ = 0;  ///< number of tests in all shards
  std::size_t ended_ = 0;
};

}  // namespace

void run_on_hardware(const RunRequest& request, const std::vector<std::string>& files, const RunEvents& events,
                     const std::atomic<bool>& interrupted, const OnResult& done) {
  HardwareRun(request, events, interrupted, done).run(files);
}

}  // namespace ambit::api
