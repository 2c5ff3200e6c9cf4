#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/check/site.h"
#include "api/hardware/campaign_file.h"
#include "api/hardware/crossval_judge.h"
#include "api/hardware/hardware.h"
#include "api/hardware/run.h"
#include "report/logs/campaign_log.h"
#include "report/results/crossval.h"
#include "runner/cuda/worker/exploration.h"
#include "runner/sim/simulator_options.h"

namespace ambit::api {

/// A campaign of cross-validation (docs/reference/cli/detect.md, `ambit crossval`).
struct CrossvalRequest {
  std::vector<std::string> paths;  ///< files and folders
  std::vector<std::string> models = {"ptx"};
  DetectorSelection detectors;
  Backend backend = Backend::Cuda;
  HardwareOptions hardware;
  sim::Options simulator;
  std::uint64_t seed = 1;
  /// Time budget in seconds for all tests together; 0 for no budget. The campaign spends the budget on tests for which
  /// a model allows an outcome that no run has shown.
  double budget = 0;
  std::uint64_t record = 100000;  ///< number of runs to record for each test
  std::string log;                ///< the campaign's log file; empty for no log
  std::string version;            ///< version of Ambit, for the log
};

/// Callbacks of a campaign.
struct CrossvalEvents {
  std::function<void(std::size_t done, std::size_t all, const std::string& test)> on_progress;
  std::function<void(const std::string& text)> on_note;  ///< receives each message for the user immediately
};

/// Runs tests on a GPU or on the simulator, and compares models, detectors and runs. With a log, continues after the
/// last result in the log.
class Crossval {
 public:
  /// The referenced objects must outlive this object. If `interrupted` becomes true, the campaign ends, and rows() has
  /// only finished tests.
  Crossval(const CrossvalRequest& request, CrossvalEvents events, const std::atomic<bool>& interrupted)
      : request_(request), events_(std::move(events)), interrupted_(interrupted), judge_(interrupted) {}

  /// Runs the campaign. Returns the text of an error, or an empty text.
  std::string run();

  /// Returns a row for each test. Tests with a forbidden outcome come first.
  std::vector<report::CrossRow> rows() const;
  /// Returns whether any of the files could not be read as a test.
  bool has_bad_tests() const { return has_bad_tests_; }
  /// Returns a message if the log lacks results, or an empty text.
  std::string missing_results() const;
  /// Returns the tests of all shards. The index is the test's number.
  const std::vector<report::CorpusTest>& corpus() const { return corpus_; }
  const CrossvalJudge& judge() const { return judge_; }

 private:
  // The steps of run(). Each step returns an error text; empty on success.

  std::string prepare();
  std::string read_tests();
  std::string resume();
  std::string read_log();
  std::string run_on_gpu();
  std::string run_with_budget();
  std::string simulate_all();

  std::vector<std::pair<std::string, std::string>> settings() const;
  Diagnostics misfits(const report::CampaignLog& log) const;
  Diagnostic cannot_write() const;
  report::CrossRow row_of(std::uint64_t test) const;
  report::CrossRow row_of(std::uint64_t test, const cuda::TestEnd& end, const std::vector<ModelAnswer>& answers) const;
  void keep(report::CrossRow row);
  void on_end(std::uint64_t test, const cuda::TestEnd& end);
  cuda::Exploration exploration();
  void add_trial(std::uint64_t test, const cuda::TestEnd& end, double seconds);
  void keep_part(std::uint64_t test);
  void give_up_traces(report::CrossRow& row, const std::string& error) const;
  void replay_recordings(report::CrossRow& row, const std::shared_ptr<const Program>& program,
                         const cuda::RunReport& report) const;
  void simulate(std::uint64_t test);
  void show_progress(std::size_t done) const;
  void note(const std::string& text) const;

  /// The results of a test's trials in a campaign with a budget.
  struct Part {
    std::vector<ModelAnswer> answers;       ///< answers of the models
    std::set<std::vector<Value>> outcomes;  ///< outcomes that recorded results contain
    std::uint64_t next = 0;                 ///< number of the next part to record
    std::uint64_t trials = 0;               ///< number of trials since the last recorded part
    cuda::RunReport report;
    double seconds = 0;
  };

  const CrossvalRequest& request_;
  CrossvalEvents events_;
  const std::atomic<bool>& interrupted_;
  CrossvalJudge judge_;
  cuda::Campaign campaign_;
  std::vector<report::CorpusTest> corpus_;  ///< tests of all shards
  std::vector<std::uint64_t> left_;         ///< numbers of the tests to run
  report::CampaignHeader header_;
  std::string device_;
  std::vector<report::CrossRow> rows_;
  CampaignFile file_;
  std::map<std::uint64_t, Part> parts_;  ///< for each test number, the results so far
  double spent_ = 0;                     ///< seconds of the budget that earlier calls of run() spent
  double in_trials_ = 0;                 ///< seconds that trials took in this call of run()
  bool has_bad_tests_ = false;
  bool has_reported_file_error_ = false;  ///< set after the first result that could not be written
};

/// Adds a page for each row of a campaign. Returns the pages' file names.
std::vector<std::string> add_pages(Site& site, const std::vector<report::CrossRow>& rows, const Crossval& campaign);

}  // namespace ambit::api
