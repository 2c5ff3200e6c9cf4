#include "model/explain/derivation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <string>

#include "model/explain/race_rules.h"
#include "model/verdict/verdict.h"
#include "tests/support/parsed.h"

namespace ambit::explain {
namespace {

using test::model_of;
using test::program_of;

/// Returns a verdict with an execution in which the condition holds.
verdict::Verdict checked(const std::string& program, const std::string& model) {
  verdict::Checker checker;
  Context context;
  verdict::CheckOptions options;
  options.engine = verdict::Engine::Explicit;
  auto verdict = checker.check(program_of(program), model_of(model), options, context);
  EXPECT_TRUE(verdict.ok() && verdict.value().answers.holds.witness);
  return std::move(verdict).value();
}

rules::TermId term_named(const rules::Rules& rules, const std::string& name) {
  for (const rules::Definition& definition : rules.definitions) {
    if (definition.name == name) return definition.term;
  }
  ADD_FAILURE() << "no definition " << name;
  return 0;
}

std::string text_of(const Chain& chain) {
  std::string text;
  for (const Link& link : chain) {
    text += (text.empty() ? "" : " ") + link.name + (link.is_reversed ? "^-1" : "");
  }
  return text;
}

// In kMessage, events 0 and 1 are the initial writes, events 2 and 3 belong to P0, and events 4 and 5 belong to P1.
const char* const kMessage = R"(CUDA message
{ global int x = 0, f = 0; }
P0 @ block 0 { x = 1; store(f, 1, release, device); }
P1 @ block 1 { int r0 = load(f, acquire, device); int r1 = x; }
exists (P1:r0 == 1 && P1:r1 == 1)
)";

TEST(Derivation, FollowsTheDefinitionDownToBaseRelations) {
  const auto verdict = checked(kMessage, R"("a model"
let handed = [REL]; rf; [ACQ]
let hb = (po | handed)+
acyclic hb as line
)");
  Context context;
  Derivation derivation(*verdict.graph, *verdict.rules, *verdict.answers.holds.witness, context);
  const Chain chain = derivation.why(term_named(*verdict.rules, "hb"), 2, 5);
  // The chain has one step, hb, which has three parts. They are program order from x = 1 to f = 1, synchronisation from
  // f = 1 to the read of f, and program order to the read of x.
  ASSERT_EQ(text_of(chain), "hb");
  EXPECT_EQ(text_of(chain.front().parts), "po handed po");
  EXPECT_EQ(text_of(flatten(chain)), "po rf po");
  EXPECT_EQ(chain.front().from, 2U);
  EXPECT_EQ(chain.front().to, 5U);
  EXPECT_EQ(flatten(chain)[1].from, 3U);
  EXPECT_EQ(flatten(chain)[1].to, 4U);
}

TEST(Derivation, StopsWhenTheUserCancels) {
  const auto verdict = checked(kMessage, R"("a model"
let hb = (po | rf)+
acyclic hb as line
)");
  const std::atomic<bool> cancelled = true;
  Context context;
  context.set_cancellation(&cancelled);
  Derivation derivation(*verdict.graph, *verdict.rules, *verdict.answers.holds.witness, context);
  EXPECT_THROW(derivation.value(term_named(*verdict.rules, "hb")), Stopped);
  EXPECT_THROW(derivation.why(term_named(*verdict.rules, "hb"), 2, 5), Stopped);
}

TEST(Derivation, TakesTheShortestWay) {
  const auto verdict = checked(kMessage, R"("a model"
let hb = (po | rf)+
acyclic hb as line
)");
  Context context;
  Derivation derivation(*verdict.graph, *verdict.rules, *verdict.answers.holds.witness, context);
  // P1 reads x = 1 from P0. The derivation has one step of rf, not three steps through the flag.
  EXPECT_EQ(text_of(flatten(derivation.why(term_named(*verdict.rules, "hb"), 2, 5))), "rf");
  EXPECT_EQ(derivation.length(term_named(*verdict.rules, "hb"), 2, 5), 1);
}

TEST(Derivation, UnfoldsFixedPointsWithoutCycles) {
  const auto verdict = checked(kMessage, R"("a model"
let rec far = po | rf | far; far
acyclic far as line
)");
  Context context;
  Derivation derivation(*verdict.graph, *verdict.rules, *verdict.answers.holds.witness, context);
  const rules::Fixpoint& far = verdict.rules->fixpoints.front();
  // The first round of the fixed point finds two pairs. From these, the second round derives that x = 1 precedes the
  // read of the flag.
  EXPECT_EQ(text_of(flatten(derivation.why(far.variable, 2, 4))), "po rf");
}

TEST(Derivation, WalksInversesBackwards) {
  const auto verdict = checked(kMessage, R"("a model"
let back = (po; rf)^-1
acyclic po as line
flag ~empty back as backwards
)");
  Context context;
  Derivation derivation(*verdict.graph, *verdict.rules, *verdict.answers.holds.witness, context);
  const Chain chain = flatten(derivation.why(term_named(*verdict.rules, "back"), 4, 2));
  EXPECT_EQ(text_of(chain), "rf^-1 po^-1");
  EXPECT_EQ(chain.front().from, 4U);
  EXPECT_EQ(chain.back().to, 2U);
}

TEST(Derivation, PassesOverConditions) {
  const auto verdict = checked(kMessage, R"("a model"
let near = same-gpu & rf & ext
acyclic po as line
flag ~empty near as near
)");
  Context context;
  Derivation derivation(*verdict.graph, *verdict.rules, *verdict.answers.holds.witness, context);
  // By its definition, the term applies only to events of different threads on one GPU. This requirement is not a step
  // of the derivation.
  EXPECT_EQ(text_of(flatten(derivation.why(term_named(*verdict.rules, "near"), 3, 4))), "rf");
}

TEST(Derivation, WritesACycleFromItsBeginningToItsBeginning) {
  const auto verdict = checked(R"(CUDA stale
{ global int x = 0, f = 0; }
P0 @ block 0 { x = 1; f = 1; }
P1 @ block 1 { int r0 = f; int r1 = x; }
exists (P1:r0 == 1 && P1:r1 == 0)
)",
                               R"("a model"
let steps = po | rf | fr
acyclic po & loc | rf as weak
flag ~acyclic steps as circle
)");
  Context context;
  Derivation derivation(*verdict.graph, *verdict.rules, *verdict.answers.holds.witness, context);
  const Chain cycle = derivation.cycle(term_named(*verdict.rules, "steps"));
  ASSERT_EQ(cycle.size(), 4U);
  EXPECT_EQ(cycle.front().from, cycle.back().to);
  std::multiset<std::string> names;
  for (const Link& link : flatten(cycle)) names.insert(link.name);
  EXPECT_EQ(names, (std::multiset<std::string>{"fr", "po", "po", "rf"}));
}

TEST(RaceRule, IsTakenApartIntoConflictAndExceptions) {
  const auto model = model_of(R"("a model"
let clash = loc & ext & (W * M | M * W)
let hb = (po | rf)+
let both = A * A & same-gpu
acyclic hb as line
flag ~empty clash \ both \ (hb | hb^-1) as data-race
flag ~empty rf as odd-race
)");
  const RaceRule rule = race_rule(*model, model->flags[0]);
  EXPECT_TRUE(rule.is_difference);
  EXPECT_EQ(rule.conflict, term_named(*model, "clash"));
  ASSERT_EQ(rule.exceptions.size(), 2U);  // hb and the inverse of hb count as one exception
  for (const RaceRule::Exception& exception : rule.exceptions) {
    EXPECT_EQ(exception.is_condition, exception.term == term_named(*model, "both"));
  }
  EXPECT_FALSE(race_rule(*model, model->flags[1]).is_difference);
}

}  // namespace
}  // namespace ambit::explain
