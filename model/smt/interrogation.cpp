#include "model/smt/interrogation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <utility>

#include "model/smt/known_answers.h"

namespace ambit::smt {

using events::kNoEvent;
using events::Possibility;

namespace {

/// If a problem has more clauses, the first query may use up the time limit. So a short search for races comes first.
constexpr std::size_t kLarge = 100000;

}  // namespace

Interrogation::Interrogation(const events::EventGraph& graph, const rules::Rules& rules,
                             const events::Questions& questions, Context& context, SatSolver& solver, Problem& problem,
                             std::vector<Lit> given)
    : graph_(graph),
      rules_(rules),
      questions_(questions),
      context_(context),
      solver_(solver),
      problem_(problem),
      given_(std::move(given)),
      found_(problem.flagged.size(), false),
      groups_(graph, problem.flagged) {
  answers_.flags.resize(rules.flags.size());
  answers_.incidents.resize(graph.incidents.size());
}

void Interrogation::take(const events::Answers& known) {
  const auto take = [](events::Witnessed& answer, const events::Witnessed& other) {
    if (other.witness) answer = other;
  };
  take(answers_.any, known.any);
  if (questions_.proposition) take(answers_.holds, known.holds);
  if (questions_.proposition) take(answers_.fails, known.fails);
  for (std::size_t i = 0; questions_.incidents && i < known.incidents.size(); ++i) {
    take(answers_.incidents[i], known.incidents[i]);
  }
  const KnownFlags flags(known);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Problem::FlaggedLiteral& pair = problem_.flagged[i];
    const auto witness = flags.witness(pair.flag, pair.first, pair.second);
    if (!witness) continue;
    found_[i] = true;
    groups_.show(i);
    answers_.flags[pair.flag].possibility = Possibility::Possible;
    answers_.flags[pair.flag].pairs.push_back({pair.first, pair.second, witness});
  }
}

events::Answers Interrogation::run() {
  try {
    answer_all();
  } catch (const Stopped& stopped) {
    stop(stopped);
    finish_flags();
  }
  return std::move(answers_);
}

void Interrogation::stop(const Stopped& stopped) {
  answers_.unknown = stopped.reason;
  answers_.unknown_detail = "not all queries reached the solver in time";
}

void Interrogation::answer_all() {
  if (questions_.outcomes) observable_groups_ = independent_observables();
  const bool shows_race = std::ranges::find(found_, true) != found_.end();
  if (questions_.flags && !shows_race && problem_.literals().clause_count() > kLarge) glance_at_flags();
  query_update_orders();
  query_proposition();
  if (questions_.holds_only) {
    if (answers_.holds.possibility != Possibility::Possible) settle_bound();
    return;
  }
  settle({"any", "whether the model allows an execution"}, answers_.any, kTrue);
  for (std::size_t i = 0; questions_.incidents && i < problem_.incidents.size(); ++i) {
    settle({fmt::format("incident-{}", i + 1), fmt::format("incident {} of {}", i + 1, problem_.incidents.size())},
           answers_.incidents[i], problem_.incidents[i], Range::Ended);
  }
  if (questions_.flags) query_flags();
  if (questions_.outcomes) query_outcomes();
  settle_bound();
}

void Interrogation::settle_bound() {
  settle({"bound", "whether a loop can run past the bound"}, answers_.bound, problem_.bound, Range::All);
}

std::vector<Lit> Interrogation::reasons() {
  std::vector<Lit> found = plain_reasons_ ? *plain_reasons_ : solver_.used_assumptions(assumptions_);
  std::erase_if(found, [&](Lit l) { return std::ranges::find(given_, l) == given_.end(); });
  return found;
}

void Interrogation::query_update_orders() {
  const std::vector<Lit> lemmas = std::exchange(problem_.lemmas, {});
  for (std::size_t i = 0; i < lemmas.size(); ++i) {
    const Lit lemma = lemmas[i];
    const Answer result = check({fmt::format("update-order-{}", i + 1),
                                 fmt::format("order of atomic updates, part {} of {}", i + 1, lemmas.size())},
                                -lemma, Range::All);
    if (result != Answer::Unsatisfiable) return;  // the model does not make the updates atomic
    std::vector<Lit> proven = {lemma};
    for (const Lit l : given_.empty() ? std::vector<Lit>() : reasons()) proven.push_back(-l);
    problem_.literals().require(proven);
  }
}

void Interrogation::query_proposition() {
  if (!questions_.proposition || !graph_.program->condition.proposition) return;
  settle({"holds", "whether the condition can hold"}, answers_.holds, problem_.holds);
  if (!questions_.holds_only) {
    settle({"fails", "whether the condition can fail"}, answers_.fails, -problem_.holds);
  }
  if (answers_.holds.possibility == Possibility::Impossible && answers_.fails.possibility == Possibility::Impossible) {
    answers_.any.possibility = Possibility::Impossible;
  }
}

void Interrogation::settle(const Query& query, events::Witnessed& answer, Lit question, Range range) {
  if (stopped() || answer.possibility != Possibility::Unknown) return;
  const bool covered_by_any = range == Range::Complete || (range == Range::Ended && problem_.unstuck == kTrue);
  if (covered_by_any && answers_.any.possibility == Possibility::Impossible) {
    answer.possibility = Possibility::Impossible;
    return;
  }
  const Answer result = check(query, question, range);
  if (result == Answer::Unsatisfiable) {
    answer.possibility = Possibility::Impossible;
    const bool counts = &answer == &answers_.holds || &answer == &answers_.bound;
    if (counts && !given_.empty()) std::ranges::copy(reasons(), std::back_inserter(used_));
  }
  if (result != Answer::Satisfiable) return;
  if (range != Range::All) {
    record_model();
    note(answer);
  } else if (questions_.holds_only) {
    problem_.read_model();
    witness_.reset();
    note(answer);
  } else {
    answer.possibility = Possibility::Possible;  // no witness is recorded, because no caller uses this prefix
  }
}

void Interrogation::note(events::Witnessed& answer) {
  if (answer.witness) return;
  answer.possibility = Possibility::Possible;
  answer.witness = *witness();
}

const std::shared_ptr<const events::Execution>& Interrogation::witness() {
  if (!witness_) witness_ = std::make_shared<const events::Execution>(problem_.witness());
  return witness_;
}

void Interrogation::record_model() {
  problem_.read_model();
  witness_.reset();
  const bool is_complete = problem_.is_true(problem_.unstuck);
  if (is_complete) note(answers_.any);
  if (is_complete && questions_.proposition && graph_.program->condition.proposition) {
    note(problem_.is_true(problem_.holds) ? answers_.holds : answers_.fails);
  }
  for (std::size_t i = 0; i < problem_.incidents.size(); ++i) {
    if (problem_.is_true(problem_.incidents[i])) note(answers_.incidents[i]);
  }
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Problem::FlaggedLiteral& candidate = problem_.flagged[i];
    if (found_[i] || !problem_.is_true(candidate.literal)) continue;
    found_[i] = true;
    groups_.show(i);
    events::FlagAnswer& answer = answers_.flags[candidate.flag];
    answer.possibility = Possibility::Possible;
    if (candidate.first != kNoEvent) answer.pairs.push_back({candidate.first, candidate.second, witness()});
  }
}

std::vector<std::size_t> Interrogation::open_pairs() const {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Problem::FlaggedLiteral& candidate = problem_.flagged[i];
    if (found_[i] || problem_.literals().simplified(candidate.literal) == kFalse) continue;
    // A pair needs no query if the answer for the opposite pair is known.
    const auto mirrored = [&](const events::FlaggedPair& pair) {
      return pair.first == candidate.second && pair.second == candidate.first && pair.first < pair.second;
    };
    if (std::ranges::none_of(answers_.flags[candidate.flag].pairs, mirrored)) open.push_back(i);
  }
  return open;
}

void Interrogation::glance_at_flags() {
  Literals& literals = problem_.literals();
  std::vector<Lit> flagged;
  for (const std::size_t i : open_pairs()) flagged.push_back(problem_.flagged[i].literal);
  const Lit some = literals.any_of(flagged);
  std::vector<Lit> wanted = {problem_.complete, some};
  std::erase_if(wanted, [&](Lit l) { return literals.simplified(l) == kTrue; });
  if (std::ranges::any_of(wanted, [&](Lit l) { return literals.simplified(l) == kFalse; })) return;
  for (const Lit l : wanted) literals.prepare(l);
  context_.begin("some race");
  if (solver_.glance(wanted) == Answer::Satisfiable) record_model();
}

void Interrogation::query_flags() {
  for (unsigned round = 1; !stopped(); ++round) {
    std::vector<Lit> queried;
    std::vector<std::size_t> unchecked;
    for (const std::size_t i : open_pairs()) {
      const bool is_queried = questions_.every_pair || !groups_.is_shown(i);
      if (is_queried) queried.push_back(problem_.flagged[i].literal);
      if (!is_queried) unchecked.push_back(i);
    }
    const Query query{fmt::format("flags-{}", round),
                      fmt::format("race query {} of at most {}", round, round - 1 + queried.size())};
    const bool has_more =
        !queried.empty() && check(query, problem_.literals().any_of(queried), Range::Ended) == Answer::Satisfiable;
    if (has_more) {
      record_model();
      continue;
    }
    for (const std::size_t i : unchecked) {
      const Problem::FlaggedLiteral& candidate = problem_.flagged[i];
      const auto [first, second] = std::minmax(candidate.first, candidate.second);
      answers_.flags[candidate.flag].unchecked.emplace_back(first, second);
    }
    break;
  }
  finish_flags();
}

void Interrogation::finish_flags() {
  for (events::FlagAnswer& answer : answers_.flags) {
    if (!stopped() && answer.possibility == Possibility::Unknown) answer.possibility = Possibility::Impossible;
    std::ranges::sort(answer.pairs, {}, [](const auto& pair) { return std::pair(pair.first, pair.second); });
    std::ranges::sort(answer.unchecked);
    const auto twice = std::ranges::unique(answer.unchecked);
    answer.unchecked.erase(twice.begin(), twice.end());
    const std::vector<events::FlaggedPair>& all = answer.pairs;
    std::set<std::pair<events::EventId, events::EventId>> known;
    for (const auto& pair : all) known.emplace(pair.first, pair.second);
    std::erase_if(answer.pairs, [&](const events::FlaggedPair& pair) {
      return pair.second < pair.first && known.contains({pair.second, pair.first});
    });
    std::erase_if(answer.unchecked, [&](const auto& pair) {
      return known.contains(pair) || known.contains({pair.second, pair.first});
    });
  }
}

SatSolver::Answer Interrogation::check(const Query& query, Lit question, Range range) {
  Literals& literals = problem_.literals();
  plain_reasons_.emplace();
  if (literals.is_contradictory()) return Answer::Unsatisfiable;
  assumptions_.clear();
  std::vector<Lit> wanted = given_;
  if (range != Range::All) wanted.push_back(problem_.complete);
  if (range == Range::Complete) wanted.push_back(problem_.unstuck);
  wanted.push_back(question);
  for (const Lit given : wanted) {
    const Lit l = literals.simplified(given);
    if (l == kTrue) continue;
    if (l == kFalse) {
      plain_reasons_->push_back(given);
      return Answer::Unsatisfiable;
    }
    literals.prepare(l);
    assumptions_.push_back(l);
  }
  plain_reasons_.reset();
  context_.begin(query.words);
  const auto start = std::chrono::steady_clock::now();
  const Answer result = solver_.check(assumptions_);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  ++query_count_;
  context_.statistics.add("smt.queries", 1);
  context_.statistics.add("smt.milliseconds", taken.count());
  if (!context_.dump_directory.empty()) dump(query.name, assumptions_);
  if (result == Answer::Unknown) {
    answers_.unknown = solver_.unknown_reason();
    answers_.unknown_detail = fmt::format("the solver was stopped at this question: {}", query.words);
  }
  return result;
}

void Interrogation::dump(const std::string& name, std::span<const Lit> assumptions) {
  std::string model = rules_.name;
  std::ranges::replace(model, '/', '_');
  std::string test = graph_.program->name;
  std::ranges::replace(test, '/', '_');
  std::ofstream file(fmt::format("{}/{}-{}-{:02}-{}.smt2", context_.dump_directory, test, model, query_count_, name));
  file << solver_.to_smt2(assumptions);
  file.close();
  if (!file) context_.statistics.add("smt.queries_not_written", 1);
}

}  // namespace ambit::smt
