#include "report/text/explain_steps.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"
#include "tests/support/parsed.h"

// Tests each step of an explanation: the rule of the model, and the two source lines. The expectations follow from the
// models' definitions (docs/reference/models.md) and from the line numbers of the programs below.
namespace ambit::explain {
namespace {

/// A relation of the model, and the lines of two events that this relation connects in the chain.
struct Rule {
  std::string name;
  std::uint32_t from;
  std::uint32_t to;
  bool operator==(const Rule&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Rule& rule) {
  return out << rule.name << " " << rule.from << " " << rule.to;
}

void add_rules(const events::EventGraph& graph, const Chain& chain, std::vector<Rule>& rules) {
  for (const Link& link : chain) {
    if (link.kind == Link::Kind::Named && !link.name.empty()) {
      rules.push_back({link.name, graph.events[link.from].span.line, graph.events[link.to].span.line});
    }
    add_rules(graph, link.parts, rules);
  }
}

struct Explained {
  std::vector<Rule> rules;
  std::vector<std::string> lines;
};

Explained explained(const events::EventGraph& graph, const events::Execution& execution, const Chain& chain) {
  Explained result;
  add_rules(graph, chain, result.rules);
  result.lines = report::StepWords(graph, execution, false).outline(chain);
  return result;
}

/// Explains why the condition of the program cannot hold. Fails if the explanation names no violated axiom, or several.
Explained forbidden(const std::string& program, const std::shared_ptr<const rules::Rules>& model) {
  verdict::Checker checker;
  Context context;
  const auto found = explain_outcome(checker, test::program_of(program), model, {}, context);
  EXPECT_TRUE(found.ok());
  const OutcomeExplanation& explanation = found.value();
  EXPECT_EQ(explanation.violations.size(), 1U);
  if (explanation.violations.empty()) return {};
  const Violation& violation = explanation.violations.front();
  return explained(*explanation.graph, violation.execution, violation.chain);
}

/// Explains why the two accesses of `location` do not race. The two accesses are the only conflicting pair.
Explained ordered(const std::string& program, const std::shared_ptr<const rules::Rules>& model) {
  verdict::Checker checker;
  Context context;
  const auto found = explain_race(checker, test::program_of(program), model, {}, {}, context);
  EXPECT_TRUE(found.ok());
  const RaceExplanation& explanation = found.value();
  for (const OrderedPair& pair : explanation.ordered) {
    if (!pair.chain.empty()) return explained(*explanation.graph, pair.execution, pair.chain);
  }
  ADD_FAILURE() << "no pair of accesses that the model orders";
  return {};
}

/// Checks that the chain contains the rule. If the rule is missing, lists the rules of the chain.
testing::AssertionResult has(const std::vector<Rule>& rules, const Rule& rule) {
  if (std::find(rules.begin(), rules.end(), rule) != rules.end()) return testing::AssertionSuccess();
  testing::AssertionResult result = testing::AssertionFailure() << "no " << rule << " in";
  for (const Rule& found : rules) result << " " << found << ";";
  return result;
}

bool has_name(const std::vector<Rule>& rules, const std::string& name) {
  return std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.name == name; });
}

// Message passing by relaxed atomics and two fences: x at line 4, fence 5, flag 6; flag 9, fence 10, x 11.
// 11.
const char* const kFences = R"(CUDA fences
{ global int x = 0, f = 0; }
P0 @ block 0 {
  x = 1;
  fence(acq_rel, device);
  store(f, 1, relaxed, device);
}
P1 @ block 1 {
  int r0 = load(f, relaxed, device);
  fence(acq_rel, device);
  int r1 = x;
}
exists (P1:r0 == 1 && P1:r1 == 0)
)";

// Message passing with a release store at line 5 and an acquire load at line 8.
const char* const kReleaseAcquire = R"(CUDA release-acquire
{ global int x = 0, f = 0; }
P0 @ block 0 {
  x = 1;
  store(f, 1, release, device);
}
P1 @ block 1 {
  int r0 = load(f, acquire, device);
  int r1 = -1;
  if (r0 == 1) r1 = x;
}
exists (P1:r0 == 1 && P1:r1 == 0)
)";

// PTX ISA 8.8: a fence and a later write form a release pattern; a read and a later fence form an acquire pattern.
// 8.9.4: synchronisation orders the first operation of a release pattern before the last operation of an acquire
// pattern.
TEST(Steps, PtxFencesAreHalvesOfPatterns) {
  const Explained found = forbidden(kFences, test::shipped_model("ptx"));
  EXPECT_TRUE(has(found.rules, {"release-pattern", 5, 6}));
  EXPECT_TRUE(has(found.rules, {"observation", 6, 9}));
  EXPECT_TRUE(has(found.rules, {"acquire-pattern", 9, 10}));
  EXPECT_TRUE(has(found.rules, {"sw", 5, 10}));
  EXPECT_TRUE(has(found.rules, {"causality", 4, 11}));
}

TEST(Steps, PtxReleaseAndAcquireArePatternsByThemselves) {
  const Explained found = forbidden(kReleaseAcquire, test::shipped_model("ptx"));
  EXPECT_TRUE(has(found.rules, {"release-pattern", 5, 5}));
  EXPECT_TRUE(has(found.rules, {"acquire-pattern", 8, 8}));
  EXPECT_TRUE(has(found.rules, {"sw", 5, 8}));
  EXPECT_EQ(found.lines,
            (std::vector<std::string>{
                "P1's read of x = 0 (line 10) sees an older value than P0's write of x = 1 (line 4) (from-read)",
                "P0's write of x = 1 (line 4) comes before P1's read of x = 0 (line 10) in causality order:",
                "  P0's write of x = 1 (line 4) comes before P0's release write of f = 1 (line 5) in program order",
                "  P0's release write of f = 1 (line 5, device scope) synchronizes with P1's acquire read of f = 1 "
                "(line 8, device scope), and the scope of each includes the other's thread: the release write at line "
                "5 is a release pattern, and the acquire read at line 8 takes its value from the release write at line "
                "5 and is an acquire pattern",
                "  P1's acquire read of f = 1 (line 8) comes before P1's read of x = 0 (line 10) in program order"}));
}

// A fence.sc is also a release fence and an acquire fence. Two explanations are possible: synchronisation through P1's
// read, or an order of the two fences. Ambit prefers synchronisation, because an execution may choose the order of the
// fences.
TEST(Steps, ReadsArePreferredToChosenOrders) {
  std::string program = kFences;
  for (std::size_t at; (at = program.find("acq_rel")) != std::string::npos;) program.replace(at, 7, "seq_cst");
  const Explained found = forbidden(program, test::shipped_model("ptx"));
  EXPECT_TRUE(has(found.rules, {"sw", 5, 10}));
  EXPECT_FALSE(has_name(found.rules, "fence-sc"));
}

// In store buffering, no thread reads from the other thread, so only the Fence-SC order of lines 5 and 10 can forbid
// the outcome.
TEST(Steps, TheFenceScOrderIsNamedWhereItAloneOrders) {
  const Explained found = forbidden(R"(CUDA store-buffering
{ global int a = 0, b = 0; }
P0 @ block 0 {
  store(a, 1, relaxed, device);
  fence(seq_cst, device);
  int r0 = load(b, relaxed, device);
}
P1 @ block 1 {
  store(b, 1, relaxed, device);
  fence(seq_cst, device);
  int r1 = load(a, relaxed, device);
}
exists (P0:r0 == 0 && P1:r1 == 0)
)",
                                    test::shipped_model("ptx"));
  EXPECT_TRUE(bool(has(found.rules, {"fence-sc", 5, 10})) || bool(has(found.rules, {"fence-sc", 10, 5})));
  EXPECT_FALSE(has_name(found.rules, "sw"));
}

// libcu++: a fence that precedes an atomic write releases, and a fence that follows an atomic read acquires.
TEST(Steps, CudaFencesReleaseAndAcquire) {
  const Explained found = forbidden(kFences, test::shipped_model("cuda-cpp"));
  EXPECT_TRUE(has(found.rules, {"release-side", 5, 6}));
  EXPECT_TRUE(has(found.rules, {"acquire-side", 9, 10}));
  EXPECT_TRUE(has(found.rules, {"sw", 5, 10}));
  EXPECT_TRUE(has(found.rules, {"hb", 4, 11}));
}

// hrf-indirect with rlx=sync: every atomic write is a release and every atomic read an acquire. Fences have no effect.
TEST(Steps, HrfAtomicsSynchronizeAtTheirScope) {
  const Explained found = ordered(kReleaseAcquire, test::shipped_model("hrf-indirect"));
  EXPECT_TRUE(has(found.rules, {"release", 5, 5}));
  EXPECT_TRUE(has(found.rules, {"acquire", 8, 8}));
  EXPECT_TRUE(has(found.rules, {"so-gpu", 5, 8}));
  EXPECT_FALSE(has_name(found.rules, "so-cta"));
}

// Under sequential consistency, program order is enough, so the explanation must not mention synchronisation.
TEST(Steps, SequentialConsistencyOrdersByProgramOrderAlone) {
  const Explained found = forbidden(kReleaseAcquire, test::shipped_model("sc"));
  EXPECT_EQ(found.lines,
            (std::vector<std::string>{
                "P0's write of x = 1 (line 4) comes before P0's release write of f = 1 (line 5) in program order",
                "P1's acquire read of f = 1 (line 8) takes its value from P0's release write of f = 1 (line 5)",
                "P1's acquire read of f = 1 (line 8) comes before P1's read of x = 0 (line 10) in program order",
                "P1's read of x = 0 (line 10) sees an older value than P0's write of x = 1 (line 4)"}));
}

// Two threads of block 0 meet at a barrier. One thread arrives in line 5, and the other thread in line 9.
TEST(Steps, ABarrierIsNamed) {
  const char* const program = R"(CUDA barrier
{ global int x = 0; }
P0 @ block 0 warp 0 {
  x = 1;
  __syncthreads();
}
P1 @ block 0 warp 1 {
  int r0 = 0;
  __syncthreads();
  r0 = x;
}
exists (P1:r0 == 0)
)";
  EXPECT_TRUE(has(ordered(program, test::shipped_model("cuda-cpp")).rules, {"across", 4, 10}));
  const Explained ptx = ordered(program, test::shipped_model("ptx"));
  ASSERT_EQ(ptx.lines.size(), 3U);
  EXPECT_EQ(ptx.lines[1], "P0's barrier (line 5) and P1's barrier (line 9) meet at one barrier");
}

// If the model gives no phrase for a definition, the explanation uses the definition's name.
TEST(Steps, ADefinitionWithoutAPhraseAppearsByItsName) {
  const auto plain = test::model_of(R"("plain"
let sw = [W & REL]; rf; [R & ACQ]
let hb = (po | sw)+
irreflexive hb; (rf | co | fr) as line
)");
  const Explained found = forbidden(kReleaseAcquire, plain);
  EXPECT_EQ(found.lines,
            (std::vector<std::string>{
                "hb: from P0's write of x = 1 (line 4) to P1's read of x = 0 (line 10)",
                "  P0's write of x = 1 (line 4) comes before P0's release write of f = 1 (line 5) in program order",
                "  P1's acquire read of f = 1 (line 8) takes its value from P0's release write of f = 1 (line 5) (sw)",
                "  P1's acquire read of f = 1 (line 8) comes before P1's read of x = 0 (line 10) in program order",
                "P1's read of x = 0 (line 10) sees an older value than P0's write of x = 1 (line 4)"}));
}

// If a relation requires a property, and the model has a phrase for it, the explanation mentions the property.
TEST(Steps, PhrasesOfAModelMakeTheSentences) {
  const auto spoken = test::model_of(R"("spoken"
let near = same-gpu "both are on one gpu"
let sw = [W & REL]; (rf & near); [R & ACQ] "$2 has heard of $1"
let hb = (po | sw)+ "$1 is earlier than $2"
irreflexive hb; (rf | co | fr) as line
)");
  const Explained found = forbidden(kReleaseAcquire, spoken);
  ASSERT_EQ(found.lines.size(), 5U);
  EXPECT_EQ(found.lines[0], "P0's write of x = 1 (line 4) is earlier than P1's read of x = 0 (line 10):");
  EXPECT_EQ(found.lines[2],
            "  P1's acquire read of f = 1 (line 8, device scope) has heard of P0's release write of f = 1 (line 5, "
            "device scope), and both are on one gpu: the acquire read at line 8 takes its value from the release write "
            "at line 5");
}

TEST(Steps, ARuleIsExplainedOnlyOnce) {
  verdict::Checker checker;
  Context context;
  const auto found =
      explain_race(checker, test::program_of(kReleaseAcquire), test::shipped_model("ptx"), {}, {}, context);
  const RaceExplanation& explanation = found.value();
  ASSERT_FALSE(explanation.ordered.empty());
  const OrderedPair& pair = explanation.ordered.front();
  report::ShownRules shown_rules;
  const report::StepWords words(*explanation.graph, pair.execution, false, &shown_rules);
  EXPECT_EQ(words.outline(pair.chain)[1].find("as above"), std::string::npos);
  EXPECT_NE(words.outline(pair.chain)[1].find("as above"), std::string::npos);
}

}  // namespace
}  // namespace ambit::explain
