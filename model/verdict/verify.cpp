#include "model/verdict/verify.h"

#include <fmt/format.h>

#include <string_view>

#include "core/assert.h"
#include "model/eval/evaluator.h"

namespace ambit::verdict {
namespace {

using events::Execution;
using events::Possibility;

class Verifier {
 public:
  Verifier(const Verdict& verdict, const events::Questions& questions)
      : verdict_(verdict), graph_(*verdict.graph), rules_(*verdict.rules), questions_(questions) {}

  void verify() {
    const events::Answers& answers = verdict_.answers;
    well_formed(answers.any, "some execution");
    complete(answers.any, "some execution");
    proposition(answers.holds, true);
    proposition(answers.fails, false);
    for (std::size_t i = 0; i < answers.flags.size(); ++i) flag(i, answers.flags[i]);
    for (std::size_t i = 0; i < answers.incidents.size(); ++i) incident(i, answers.incidents[i]);
  }

 private:
  [[noreturn]] void fail(std::string_view question, std::string_view flaw) const {
    throw InternalError(fmt::format("the {} engine's witness for '{}' of test {} under {} is wrong: {}",
                                    to_string(verdict_.engine), question, graph_.program->name, verdict_.model, flaw));
  }

  void well_formed(const Execution& witness, std::string_view question) const {
    if (const auto flaw = eval::find_flaw(graph_, rules_, witness)) fail(question, *flaw);
  }

  void well_formed(const events::Witnessed& answer, std::string_view question) const {
    if (answer.witness) well_formed(*answer.witness, question);
  }

  /// No thread waits for ever at a barrier, or that does not matter.
  void complete(const events::Witnessed& answer, std::string_view question) {
    if (!answer.witness || questions_.stuck_is_complete) return;
    events::outcome_of(graph_, *answer.witness, nodes_);
    if (nodes_[graph_.stuck] != 0) fail(question, "a thread waits for ever at a barrier");
  }

  void proposition(const events::Witnessed& answer, bool expected) {
    if (!answer.witness) return;
    const std::string_view question = expected ? "the proposition holds" : "the proposition fails";
    well_formed(*answer.witness, question);
    complete(answer, question);
    const auto& proposition = graph_.program->condition.proposition;
    if (!proposition) fail(question, "the program has no proposition");
    const events::Outcome outcome = events::outcome_of(graph_, *answer.witness, nodes_);
    if (events::holds(*proposition, outcome) != expected) fail(question, "it shows the opposite");
  }

  void flag(std::size_t index, const events::FlagAnswer& answer) const {
    const std::string& name = rules_.flags[index].name;
    for (const events::FlaggedPair& pair : answer.pairs) {
      well_formed(pair.witness, name);
      const events::Relation pairs = eval::evaluate(graph_, rules_, pair.witness).flag_pairs[index];
      if (!pairs.contains(pair.first, pair.second) && !pairs.contains(pair.second, pair.first)) {
        fail(name, fmt::format("{} and {} are not related", graph_.describe(pair.first), graph_.describe(pair.second)));
      }
    }
  }

  void incident(std::size_t index, const events::Witnessed& answer) {
    if (!answer.witness) return;
    const events::Incident& incident = graph_.incidents[index];
    well_formed(*answer.witness, incident.message);
    events::outcome_of(graph_, *answer.witness, nodes_);
    if (nodes_[incident.condition] == 0) fail(incident.message, "it does not happen there");
  }

  const Verdict& verdict_;
  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  const events::Questions& questions_;
  std::vector<Value> nodes_;
};

}  // namespace

void verify_witnesses(const Verdict& verdict, const events::Questions& questions) {
  Verifier(verdict, questions).verify();
}

}  // namespace ambit::verdict
