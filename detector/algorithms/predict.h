#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "base/context.h"
#include "detector/algorithms/reordering.h"
#include "detector/algorithms/run_model.h"
#include "detector/detector.h"
#include "detector/race_log.h"

namespace ambit::detector {

struct PredictOptions {
  RunModelOptions model = {};
  /// Search only reorderings that keep the order of critical sections that exclude each other (sync-preserving races).
  bool keeps_section_order = false;
  /// Also report pairs that happens-before leaves unordered, even if no reordering makes both accesses the next steps.
  /// These reports come last and have no witness. If only the value of a read separates two such accesses, a GPU may
  /// still execute the two accesses at the same time.
  bool adds_unordered = false;
  std::chrono::milliseconds timeout{10000};  ///< limit on the total for all solver questions about a trace
  std::string dump_directory = {};           ///< if not empty, the solver's questions are written to this directory
};

/// Maximal prediction: finds all pairs of conflicting accesses that can both be next after a correct reordering of the
/// trace (definitions 5.1). Searches at the end of the trace. QuickSearch decides most pairs, and Z3 decides the
/// others. The function find_flaw() checks each reordering. A flaw would be a bug in Ambit.
class Predict : public Detector {
 public:
  Predict(const TraceTables& tables, const PredictOptions& options);
  void on(const Observation& observation) override;
  void finish(std::span<const Action> rest, const SyncInference& inference) override;
  std::vector<RaceReport> races() const override { return races_; }
  std::vector<std::string> own_remarks() const override { return remarks_; }
  bool is_unfinished() const override { return !remarks_.empty(); }

 private:
  /// The site of an access. If the site is unknown, the key contains the thread and kind instead, and PairKey also
  /// contains the location.
  using SiteKey = std::tuple<std::uint32_t, std::uint32_t, bool>;
  using PairKey = std::tuple<SiteKey, SiteKey, std::uint32_t>;
  using Verdict = solver::ReorderingAnswer::Verdict;

  static PairKey key_of(const RaceAccess& first, const RaceAccess& second, std::uint32_t location);
  bool is_candidate(const RunModel::Access& first, const RunModel::Access& second) const;
  Verdict decide(std::uint32_t a, std::uint32_t b, StepOrder& order);
  void consider(const RunModel::Access& first, const RunModel::Access& second, const SyncInference& inference);
  std::string how(const RunModel::Access& first, const RunModel::Access& second, const StepOrder& order) const;
  void add_unordered();
  void add_remarks();

  const TraceTables& tables_;
  PredictOptions options_;
  std::unique_ptr<Detector> happens_before_;  ///< null if the option to add unordered pairs is off
  RunModelBuilder builder_;
  RunModel model_;
  std::unique_ptr<QuickSearch> search_;
  Context context_;
  std::unique_ptr<solver::ReorderingSolver> solver_;  ///< created when the solver gets its first question
  RaceLog log_;
  std::set<PairKey> found_;
  std::set<PairKey> undecided_;
  bool lacks_solver_ = false;  ///< true if this program was built without Z3
  std::vector<RaceReport> races_;
  std::vector<std::string> remarks_;
};

/// Makes the reference detector of `ambit validate`. The detector reports the races of maximal prediction, and all
/// other pairs that happens-before leaves unordered.
std::unique_ptr<Detector> make_oracle(const TraceTables& tables);

DetectorDescription predict();
DetectorDescription syncp();

}  // namespace ambit::detector
