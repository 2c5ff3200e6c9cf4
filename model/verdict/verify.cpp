#include "model/verdict/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/assert.h"
#include "model/eval/evaluator.h"

namespace ambit::verdict {
namespace {

using events::Execution;

/// Time limit for the check of results that an engine found before it reached a limit. After a signal, Ambit should
/// stop within half a second.
constexpr std::chrono::milliseconds kGrace{200};

/// Returns whether the two executions are equal. The answers may contain several copies of one witness.
bool same(const Execution& a, const Execution& b) {
  const auto fields = [](const Execution& execution) {
    const auto& [executed, values, locations, reads_from, coherence, orders] = execution;
    return std::tie(executed, values, locations, reads_from, coherence, orders);
  };
  return fields(a) == fields(b);
}

class Verifier {
 public:
  Verifier(Verdict& verdict, const rules::Rules& rules, const events::Questions& questions, const Context& context)
      : verdict_(verdict),
        graph_(*verdict.graph),
        rules_(rules),
        questions_(questions),
        context_(context.with_grace(kGrace)) {}

  void verify() {
    events::Answers& answers = verdict_.answers;
    for (std::size_t i = 0; i < answers.flags.size(); ++i) flag(i, answers.flags[i]);
    verify(answers.any, [&] {
      well_formed(*answers.any.witness, "some execution");
      complete(*answers.any.witness, "some execution");
    });
    verify(answers.holds, [&] { proposition(*answers.holds.witness, true); });
    verify(answers.fails, [&] { proposition(*answers.fails.witness, false); });
    for (std::size_t i = 0; i < answers.incidents.size(); ++i) {
      verify(answers.incidents[i], [&] { incident(i, *answers.incidents[i].witness); });
    }
    if (!stopped_ || answers.unknown) return;
    answers.unknown = stopped_->reason;
    answers.unknown_detail = "not all executions found were checked in time";
  }

 private:
  [[noreturn]] void fail(std::string_view question, std::string_view flaw) const {
    throw InternalError(fmt::format("the {} engine's witness for '{}' of test {} under {} is wrong: {}",
                                    to_string(verdict_.engine), question, graph_.program->name, verdict_.model, flaw));
  }

  /// Runs `check`. Returns false if the limits stop `check`.
  template <typename Check>
  bool in_time(Check check) {
    if (stopped_) return false;
    try {
      check();
      return true;
    } catch (const Stopped& stopped) {
      stopped_ = stopped;
      return false;
    }
  }

  template <typename Check>
  void verify(events::Witnessed& answer, Check check) {
    if (!answer.witness || in_time(check)) return;
    answer = {};
  }

  void well_formed(const Execution& witness, std::string_view question) {
    if (std::ranges::any_of(well_formed_, [&](const Execution* known) { return same(*known, witness); })) return;
    if (const auto flaw = eval::find_flaw(graph_, rules_, witness, &context_)) fail(question, *flaw);
    well_formed_.push_back(&witness);
  }

  /// If executions with endless waits are not complete, checks that no thread waits forever at a barrier.
  void complete(const Execution& witness, std::string_view question) {
    if (questions_.stuck_is_complete) return;
    events::outcome_of(graph_, witness, nodes_);
    if (nodes_[graph_.stuck] != 0) fail(question, "a thread waits forever at a barrier");
  }

  void proposition(const Execution& witness, bool expected) {
    const std::string_view question = expected ? "the proposition holds" : "the proposition fails";
    well_formed(witness, question);
    complete(witness, question);
    const auto& proposition = graph_.program->condition.proposition;
    if (!proposition) fail(question, "the program has no proposition");
    const events::Outcome outcome = events::outcome_of(graph_, witness, nodes_);
    if (events::holds(*proposition, outcome) != expected) fail(question, "it shows the opposite");
  }

  void flag(std::size_t index, events::FlagAnswer& answer) {
    if (answer.pairs.empty()) return;
    std::erase_if(answer.pairs,
                  [&](const events::FlaggedPair& pair) { return !in_time([&] { flagged(index, pair); }); });
    if (answer.pairs.empty()) answer = {};
  }

  void flagged(std::size_t index, const events::FlaggedPair& pair) {
    const std::string& name = rules_.flags[index].name;
    if (evaluated_ != pair.witness) {  // consecutive pairs usually share an execution
      evaluation_ = eval::evaluate(graph_, rules_, *pair.witness, &context_);
      evaluated_ = pair.witness;
      const auto flaw = eval::find_flaw(graph_, rules_, *pair.witness, evaluation_, &context_);
      if (flaw) fail(name, *flaw);
      well_formed_.push_back(pair.witness.get());
    }
    const events::Relation& pairs = evaluation_.flag_pairs[index];
    if (!pairs.contains(pair.first, pair.second) && !pairs.contains(pair.second, pair.first)) {
      fail(name, fmt::format("{} and {} are not related", graph_.describe(pair.first), graph_.describe(pair.second)));
    }
  }

  void incident(std::size_t index, const Execution& witness) {
    const events::Incident& incident = graph_.incidents[index];
    well_formed(witness, incident.message);
    events::outcome_of(graph_, witness, nodes_);
    if (nodes_[incident.condition] == 0) fail(incident.message, "it does not happen there");
  }

  Verdict& verdict_;
  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  const events::Questions& questions_;
  Context context_;
  std::optional<Stopped> stopped_;
  std::vector<Value> nodes_;
  /// The checked executions of the answers. One execution can answer several questions.
  std::vector<const Execution*> well_formed_;
  std::shared_ptr<const Execution> evaluated_;  ///< the execution of `evaluation_`
  eval::Evaluation evaluation_;
};

}  // namespace

void verify_witnesses(Verdict& verdict, const rules::Rules& rules, const events::Questions& questions,
                      const Context& context) {
  Verifier(verdict, rules, questions, context).verify();
}

}  // namespace ambit::verdict
