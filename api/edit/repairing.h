#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/edit/repair_goal.h"
#include "api/edit/repair_request.h"
#include "model/repair/cost_table.h"
#include "model/repair/level_search.h"
#include "model/repair/repair_report.h"
#include "model/repair/slots.h"

namespace ambit::api {

/// The request's question about one test, and the model's answers about the unchanged program.
struct Settled {
  SourceFilePtr source;
  std::shared_ptr<const Program> program;
  RepairJudge::Query query = RepairJudge::Query::Race;
  ModelAnswers now;
  repair::CostTable costs;
};

/// Searches for the changes of one test that reach one goal (fix_test(), relax_test()). Call set_question() first.
class Repairing {
 public:
  Repairing(const RepairRequest& request, parser::RulesPtr rules, const std::atomic<bool>& interrupted)
      : request_(request), interrupted_(interrupted), judge_(request.question, std::move(rules), interrupted) {}

  RepairJudge& judge() { return judge_; }
  void set_question(Settled settled) { settled_ = std::move(settled); }
  repair::RepairReport fix();
  repair::RepairReport relax();
  /// Checks the proposals of a report about a smaller launch of the test's kernel under the test's own launch. Keeps
  /// only the proposals that reach the goal. If the answers are unknown, changes the report's state to Unknown; the
  /// reason names the changes. `launch`: the smaller launch.
  void confirm(repair::RepairReport& report, const std::string& launch);

 private:
  repair::RepairReport begun(repair::RepairReport::Direction direction) const;
  std::shared_ptr<const events::EventGraph> graph_of(const std::shared_ptr<const Program>& program);
  repair::SlotOptions slot_options(const events::EventGraph& graph) const;
  repair::Trial attempt(const std::vector<repair::Slot>& slots, const repair::Levels& levels);
  void keep_harmless_barriers(std::vector<repair::Slot>& slots);
  std::optional<bool> keeps_outcomes(const std::vector<repair::Slot>& slots, const repair::Levels& levels);
  std::shared_ptr<const Program> program_of(const std::string& text) const;
  repair::Trial trial_of(const ModelAnswers& answers) const;
  std::optional<std::string> text_of(const std::vector<repair::Slot>& slots, const repair::Levels& levels) const;
  ModelAnswers answers_about(const std::string& text, verdict::Engine engine, repair::Trial& trial);
  repair::Proposal proposal(const std::vector<repair::Slot>& slots, const repair::Levels& levels);
  repair::LevelSearch search(const std::vector<repair::Slot>& slots, std::size_t most);
  std::pair<std::string, std::optional<UnknownReason>> why_unknown(const repair::LevelSearch& search) const;
  void conclude(repair::RepairReport& report, const std::vector<repair::Slot>& slots,
                const repair::LevelSearch& search);
  void find_kept(const events::EventGraph& graph);
  repair::Trial kept_by(const std::shared_ptr<const Program>& program, const std::vector<repair::Slot>& slots,
                        const repair::Levels& levels);
  std::string lost_by(const std::vector<repair::Slot>& slots, const repair::Levels& levels, ModelAnswers& answers);
  void explain_kept(repair::RepairReport& report, const std::vector<repair::Slot>& slots, const repair::Levels& levels);

  const RepairRequest& request_;
  const std::atomic<bool>& interrupted_;
  RepairJudge judge_;
  Settled settled_;
  /// The reason why the first unanswered changed program has no answer.
  struct Undecided {
    std::string unknown;
    std::optional<UnknownReason> reason;
  } undecided_;
  bool keeps_verdicts_ = false;  ///< set by relax().
  /// Used by relax for a test without a condition: the outcomes of the source; absent if unknown.
  std::optional<NamedOutcomes> kept_outcomes_;
  bool keeps_end_ = false;  ///< set by relax if all spin loops of the source end under a fair scheduler
  /// The outcomes of the source under `sc`. The outer optional is empty until a changed program changes data. The inner
  /// optional is empty if the outcomes are unknown.
  std::optional<std::optional<NamedOutcomes>> reference_;
};

}  // namespace ambit::api
