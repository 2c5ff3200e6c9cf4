#include "model/explain/race_repair.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/eval/evaluator.h"
#include "model/explain/carry_over.h"
#include "model/explain/repair_search.h"
#include "model/verdict/bound.h"

namespace ambit::explain {
namespace {

using events::EventId;
using events::Possibility;

class RepairSearch {
 public:
  RepairSearch(verdict::Checker& checker, const RaceSetting& setting, const ExplainedRace& race,
               const verdict::CheckOptions& options, Context& context)
      : checker_(checker), setting_(setting), race_(race), options_(options), context_(context) {
    const events::EventGraph& graph = *setting.graph;
    const events::Event& first = graph.events[race.first];
    const events::Event& second = graph.events[race.second];
    racing_ = {first.thread, first.instruction, second.thread, second.instruction};
    for (const Site& site : find_sites(graph)) {
      if (runs(site, racing_.first_thread, racing_.first)) first_ = site;
      if (runs(site, racing_.second_thread, racing_.second)) second_ = site;
    }
    auto only_races = std::make_shared<rules::Rules>(*setting.rules);
    std::erase_if(only_races->flags, [](const rules::Flag& flag) { return !flag.is_race(); });
    rules_ = std::move(only_races);
  }

  FoundRepairs find() {
    return search_repairs(
        candidate_repairs(*setting_.graph, racing_), [&](const Repair& repair) { return removes(repair); }, context_);
  }

 private:
  static bool runs(const Site& site, std::uint32_t thread, std::size_t index) {
    return std::find(site.instances.begin(), site.instances.end(), std::pair(thread, index)) != site.instances.end();
  }

  Mended removes(const Repair& repair) {
    const RepairedProgram repaired = apply(*setting_.program, repair);
    if (still_happens(repaired)) return {false};
    options_.questions = {.proposition = false, .every_pair = true, .incidents = false};
    Result<verdict::Verdict> checked = checker_.check(repaired.program, rules_, options_, context_);
    if (!checked.ok()) return {};
    const verdict::Verdict& verdict = checked.value();
    for (const events::FlagAnswer& answer : verdict.answers.flags) {
      for (const events::FlaggedPair& pair : answer.pairs) {
        const bool one_pair = repair.edits.front().kind == Edit::Kind::AddBarrier;
        if (is_the_race(*verdict.graph, repaired, pair, one_pair)) return {false};
      }
    }
    const Possibility beyond = verdict::bound_possibility(*verdict.graph, verdict.answers);
    // If some pairs may be missing, the answer is unknown.
    if (verdict.answers.unknown) return {std::nullopt, verdict.answers.unknown};
    if (beyond != Possibility::Impossible) return {std::nullopt, UnknownReason::Bound};
    // A change after which the program always deadlocks, and so has no execution, is not a repair.
    return {verdict.answers.any.possibility == Possibility::Possible};
  }

  /// Returns whether the race remains in the execution that showed the race.
  bool still_happens(const RepairedProgram& repaired) {
    const auto carried = carry_over(*setting_.graph, race_.witness, repaired, *rules_, context_);
    if (!carried) return false;
    const EventId first = carried->counterpart[race_.first];
    const EventId second = carried->counterpart[race_.second];
    const std::vector<events::Relation> flagged =
        eval::evaluate(*carried->graph, *rules_, carried->execution).flag_pairs;
    return std::any_of(flagged.begin(), flagged.end(), [&](const events::Relation& pairs) {
      return pairs.contains(first, second) || pairs.contains(second, first);
    });
  }

  /// Returns whether the pair is the race to repair: the pair must have the two source places of the race. With
  /// `one_pair`, the pair must also have the same threads and instructions, because a barrier is tried for only one
  /// pair of threads.
  bool is_the_race(const events::EventGraph& graph, const RepairedProgram& repaired, const events::FlaggedPair& pair,
                   bool one_pair) const {
    const Site first = one_pair ? Site{{}, {{racing_.first_thread, racing_.first}}, {}} : first_;
    const Site second = one_pair ? Site{{}, {{racing_.second_thread, racing_.second}}, {}} : second_;
    const auto is_at_site = [&](EventId event, const Site& site) {
      const events::Event& e = graph.events[event];
      if (e.thread == events::kNoThread) return false;
      const std::optional<std::size_t> original = repaired.original[e.thread][e.instruction];
      return original && runs(site, e.thread, *original);
    };
    return (is_at_site(pair.first, first) && is_at_site(pair.second, second)) ||
           (is_at_site(pair.first, second) && is_at_site(pair.second, first));
  }

  verdict::Checker& checker_;
  const RaceSetting& setting_;
  const ExplainedRace& race_;
  verdict::CheckOptions options_;
  Context& context_;
  RacingSites racing_;
  Site first_;
  Site second_;
  std::shared_ptr<const rules::Rules> rules_;
};

}  // namespace

FoundRepairs find_repairs(verdict::Checker& checker, const RaceSetting& setting, const ExplainedRace& race,
                          const verdict::CheckOptions& options, Context& context) {
  if (setting.graph->events[race.first].thread == events::kNoThread) return {};
  return RepairSearch(checker, setting, race, options, context).find();
}

}  // namespace ambit::explain
