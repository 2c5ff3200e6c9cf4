#include "model/explain/repair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

#include "model/explain/carry_over.h"
#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"
#include "model/explain/repair_search.h"
#include "tests/support/parsed.h"

namespace ambit::explain {
namespace {

using test::model_of;
using test::program_of;
using test::shipped_model;

events::EventGraph graph_of(const std::shared_ptr<const Program>& program) {
  auto graph = events::build(program, {});
  EXPECT_TRUE(graph.ok());
  return std::move(graph).value();
}

Result<OutcomeExplanation> explained_outcome(const std::shared_ptr<const Program>& program,
                                             const std::shared_ptr<const rules::Rules>& model) {
  verdict::Checker checker;
  Context context;
  return explain_outcome(checker, program, model, {}, context);
}

RaceExplanation explained_race(const std::string& text, const std::shared_ptr<const rules::Rules>& model) {
  verdict::Checker checker;
  Context context;
  return explain_race(checker, program_of(text), model, {}, {}, context).value();
}

const char* const kUnfencedMessage = R"(CUDA message
{ global int x = 0, f = 0; }
P0 @ block 0 {
  x = 1;
  store(f, 1, relaxed, block);
}
P1 @ block 1 {
  while (load(f, relaxed, device) == 0) {}
  int r1 = x;
}
exists (P1:r1 == 0)
)";

const Site& site_at(const std::vector<Site>& sites, std::uint32_t line) {
  for (const Site& site : sites) {
    if (site.span.line == line) return site;
  }
  ADD_FAILURE() << "no site at line " << line;
  return sites.front();
}

Edit edit(Edit::Kind kind, const Site& site, Scope scope = Scope::Device) {
  Edit result;
  result.kind = kind;
  result.site = site;
  result.scope = scope;
  return result;
}

TEST(Repair, FindsEachPlaceOnce) {
  const auto sites = find_sites(graph_of(program_of(kUnfencedMessage)));
  // The four sites are x = 1, f = 1, the last iteration of the poll, and r1 = x.
  EXPECT_EQ(sites.size(), 4U);
}

TEST(Repair, AThreadsCopiesOfALineAreOnePlace) {
  const auto sites = find_sites(graph_of(program_of(R"(CUDA copies
{ global int x = 0; }
__global__ void kernel(int *y) {
  y[threadIdx.x] = 1;
  atomicAdd(&y[2], 1);
}
launch kernel<<<1, 2>>>(data[3]);
)")));
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_EQ(sites[0].instances.size(), 2U);
  EXPECT_EQ(sites[0].locations.size(), 2U);
}

TEST(Repair, AFenceBeforeAnAccessLeavesLoopsAsTheyAre) {
  const auto program = program_of(kUnfencedMessage);
  const auto sites = find_sites(graph_of(program));
  const RepairedProgram repaired = apply(*program, {{edit(Edit::Kind::AddFence, site_at(sites, 9))}, 0});
  const events::EventGraph graph = graph_of(repaired.program);
  // The change adds one event, between the poll and the read. The poll is still a spin loop.
  EXPECT_EQ(graph.size(), graph_of(program).size() + 1);
  EXPECT_EQ(graph.spin_loops.size(), 1U);
  std::string kinds;
  for (const events::Event& event : graph.events) {
    if (event.thread == 1) kinds += event.kind == events::EventKind::Fence ? 'F' : event.is_read() ? 'R' : '?';
  }
  EXPECT_EQ(kinds, "RFR");
}

TEST(Repair, InstructionsKeepTheirNumbers) {
  const auto program = program_of(kUnfencedMessage);
  const auto sites = find_sites(graph_of(program));
  const RepairedProgram repaired = apply(*program, {{edit(Edit::Kind::AddFence, site_at(sites, 5))}, 0});
  const auto& thread = repaired.original[0];
  ASSERT_EQ(thread.size(), program->threads[0].code.size() + 1);
  EXPECT_EQ(std::count(thread.begin(), thread.end(), std::nullopt), 1);
  std::size_t next = 0;
  for (const auto& original : thread) {
    if (!original) continue;
    EXPECT_EQ(*original, next++);
  }
}

TEST(Repair, WidensAndStrengthens) {
  const auto program = program_of(kUnfencedMessage);
  const auto sites = find_sites(graph_of(program));
  Edit stronger = edit(Edit::Kind::Strengthen, site_at(sites, 5));
  stronger.order = Order::Release;
  const RepairedProgram repaired = apply(*program, {{edit(Edit::Kind::SetScope, site_at(sites, 5)), stronger}, 0});
  const auto& [thread, index] = site_at(sites, 5).instances.front();
  const auto& store = std::get<Store>(repaired.program->threads[thread].code[index].operation);
  EXPECT_EQ(store.access.scope, Scope::Device);
  EXPECT_EQ(store.access.order, Order::Release);
}

TEST(CarryOver, TakesAnExecutionAlongUnlessTheModelForbidsItThere) {
  const auto program = program_of(kUnfencedMessage);
  const auto rules = shipped_model("hrf-relaxed");
  const auto explained = explained_outcome(program, rules);
  ASSERT_TRUE(explained.ok() && explained.value().witness);
  const events::EventGraph& graph = *explained.value().graph;
  const auto sites = find_sites(graph);
  // A release fence alone does not forbid the stale read. Three changes together forbid it: a release fence, an acquire
  // fence, and a wider scope of the flag.
  const Edit release = edit(Edit::Kind::AddFence, site_at(sites, 5));
  const Edit acquire = edit(Edit::Kind::AddFence, site_at(sites, 9));
  const Edit wide = edit(Edit::Kind::SetScope, site_at(sites, 5));
  Context context;
  const auto carried = [&](const Repair& repair) {
    return carry_over(graph, *explained.value().witness, apply(*program, repair), *rules, context).has_value();
  };
  EXPECT_TRUE(carried({{release}, 0}));
  EXPECT_TRUE(carried({{release, acquire}, 0}));
  EXPECT_FALSE(carried({{release, acquire, wide}, 0}));
}

TEST(OutcomeExplanation, NamesTheSmallestSetOfAxioms) {
  const auto program = program_of(R"(CUDA coherence
{ global int x = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); int r0 = load(x, relaxed, device); }
exists (P0:r0 == 0)
)");
  // The axiom `coherence` forbids the outcome; so does the axiom `again`. The explanation names only `coherence`.
  const auto model = model_of(R"("a model"
acyclic rf | data as values
acyclic po & loc | rf | co | fr as coherence
irreflexive po; fr as again
)");
  const auto explained = explained_outcome(program, model);
  ASSERT_TRUE(explained.ok());
  EXPECT_EQ(explained.value().possibility, events::Possibility::Impossible);
  ASSERT_EQ(explained.value().violations.size(), 1U);
  EXPECT_EQ(explained.value().violations[0].axiom, 1U);
  EXPECT_FALSE(explained.value().violations[0].others_hold);  // `again` breaks too
  EXPECT_FALSE(explained.value().violations[0].chain.empty());
}

TEST(OutcomeExplanation, TwoAxiomsWhereNeitherIsEnough) {
  const auto program = program_of(R"(CUDA two-ways
{ global int x = 0; }
P0 @ block 0 { int r0 = atomicAdd(&x, 1); }
P1 @ block 1 { int r1 = atomicAdd(&x, 1); }
exists (x == 1)
)");
  // In a lost update, the write of one update comes between the read and the write of the other update, or before the
  // write that the other update read. Each of these two orders violates another axiom.
  const auto model = model_of(R"("a model"
acyclic po & loc | co | rf as line
empty rmw & (fr; co) as atomicity
)");
  const auto explained = explained_outcome(program, model);
  ASSERT_TRUE(explained.ok());
  ASSERT_EQ(explained.value().violations.size(), 1U);
  EXPECT_EQ(model->axioms[explained.value().violations[0].axiom].name, "atomicity");
}

// Two reads of 0 need a weak model. A single read of 0 is possible in any model: the threads run one after the other.
// If an execution without weak behaviour exists, the explanation must show it.
TEST(OutcomeExplanation, NeedsNothingWeakWhereAnInterleavingShowsIt) {
  const std::string code = R"(CUDA store-buffering
{ global int x = 0, y = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); int r0 = load(y, relaxed, device); }
P1 @ block 1 { store(y, 1, relaxed, device); int r1 = load(x, relaxed, device); }
)";
  const auto explained = [&](const std::string& condition) {
    return explained_outcome(program_of(code + condition), shipped_model("ptx")).value();
  };
  EXPECT_FALSE(explained("exists (P0:r0 == 0 && P1:r1 == 0)\n").weak_cycle.empty());
  for (const char* condition : {"exists (P0:r0 == 0)\n", "exists (P1:r1 == 0)\n"}) {
    const OutcomeExplanation explanation = explained(condition);
    EXPECT_EQ(explanation.possibility, events::Possibility::Possible);
    EXPECT_TRUE(explanation.weak_cycle.empty()) << condition;
    EXPECT_TRUE(explanation.repairs.empty()) << condition;
  }
}

// Two seq_cst fences forbid a stale read in message passing with plain accesses (docs/detectors/order.md). One fence is
// not enough, because only the order of the two fences makes the first write visible.
TEST(OutcomeExplanation, FencesCanForbidAnOutcomeOfPlainAccesses) {
  const auto program = program_of(R"(CUDA plain-mp
{ global int x = 0, flag = 0; }
P0 @ block 0 {
  x = 1;
  flag = 1;
}
P1 @ block 1 {
  int r0 = flag;
  int r1 = x;
}
exists (P1:r0 == 1 && P1:r1 == 0)
)");
  const OutcomeExplanation explanation = explained_outcome(program, shipped_model("ptx")).value();
  EXPECT_EQ(explanation.possibility, events::Possibility::Possible);
  ASSERT_FALSE(explanation.repairs.empty());
  const std::vector<Edit>& edits = explanation.repairs.front().edits;
  ASSERT_EQ(edits.size(), 2U);
  for (const Edit& one : edits) EXPECT_EQ(one.kind, Edit::Kind::AddFence);
  EXPECT_EQ(edits[0].site.span.line + edits[1].site.span.line,
            5U + 9U);  // before the write of flag, before the read of x
}

/// Returns one candidate for each weight in `weights`. In addition, seven candidates of weight 20 count as omitted.
CandidateRepairs numbered(const std::vector<int>& weights) {
  CandidateRepairs candidates;
  for (const int weight : weights) candidates.repairs.push_back({{Edit{}}, weight});
  candidates.left_out = 7;
  candidates.weight_left_out = 20;
  return candidates;
}

TEST(RepairSearch, ReportsUntriedChangesThatCouldBeSmaller) {
  Context context;
  const CandidateRepairs candidates = numbered({10, 20, 30});
  const auto mended_at = [&](int weight) {
    return search_repairs(
               candidates, [&](const Repair& repair) { return Mended{repair.weight == weight}; }, context)
        .untried;
  };
  EXPECT_EQ(mended_at(10), 0U);  // no omitted candidate has a weight below 10
  EXPECT_EQ(mended_at(30), 7U);
  EXPECT_EQ(mended_at(40), 7U);  // no change helps
}

TEST(RepairSearch, ReportsChangesThatTheLimitsSkipped) {
  const std::atomic<bool> cancelled = true;
  Context context;
  context.set_cancellation(&cancelled);
  const FoundRepairs found = search_repairs(
      numbered({10, 20}), [](const Repair&) { return Mended{true}; }, context);
  EXPECT_TRUE(found.repairs.empty());
  EXPECT_EQ(found.untried, 2U + 7U);
}

// The first change of weight 10 helps, and then the time is over. The search has not tried the second change of
// weight 10. Heavier changes do not count as untried, because after a change helps, the search tries no heavier
// change.
TEST(RepairSearch, HeavierChangesThanThoseFoundAreNotMissed) {
  std::atomic<bool> cancelled = false;
  Context context;
  context.set_cancellation(&cancelled);
  const auto mends = [&](const Repair&) {
    cancelled = true;
    return Mended{true};
  };
  const FoundRepairs found = search_repairs(numbered({10, 10, 20, 30}), mends, context);
  EXPECT_EQ(found.repairs.size(), 1U);
  EXPECT_EQ(found.untried, 1U);
}

// If the result of a change is unknown, the change is not reported as a smallest change. The reported changes may then
// not be the smallest, because the unknown change might be lighter.
TEST(RepairSearch, CountsUnknownResults) {
  Context context;
  const auto only_heavier = [](const Repair& repair) {
    return Mended{repair.weight == 10 ? std::nullopt : std::optional(repair.weight == 20)};
  };
  const FoundRepairs found = search_repairs(numbered({10, 10, 20, 30}), only_heavier, context);
  ASSERT_EQ(found.repairs.size(), 1U);
  EXPECT_EQ(found.repairs[0].weight, 20);
  EXPECT_EQ(found.undecided, 2U);
  EXPECT_EQ(found.untried, 0U);
}

// The search checks the time before each change, not only before every 256th call.
TEST(RepairSearch, TriesNothingOnceTheTimeIsOver) {
  Context context;
  context.set_timeout(std::chrono::milliseconds(0));
  const FoundRepairs found = search_repairs(
      numbered({10, 20}), [](const Repair&) { return Mended{true}; }, context);
  EXPECT_TRUE(found.repairs.empty());
  EXPECT_EQ(found.untried, 2U + 7U);
}

/// P2's loop does not depend on the other threads, and can run for 70 rounds.
const char* const kLoopElsewhere = R"(CUDA elsewhere
{ global int x = 0, f = 0, z = 0, w = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); store(f, 1, relaxed, device); }
P1 @ block 1 { int r0 = load(f, relaxed, device); int r1 = load(x, relaxed, device); }
P2 @ block 2 { int i = 0; int r = 1; while (i < 70) { r = load(z, relaxed, device); store(w, i, relaxed, device); if (r == 0) break; i = i + 1; } }
P3 @ block 3 { store(z, 1, relaxed, device); }
)";

// Within the bound, fences forbid the outcome. Beyond the bound, it is unknown whether fences help, and whether some
// interleaving shows the outcome.
TEST(OutcomeExplanation, ALoopThatCanGoOnLeavesChangesUndecided) {
  const auto program = program_of(std::string(kLoopElsewhere) + "exists (P1:r0 == 1 && P1:r1 == 0)\n");
  const OutcomeExplanation explained = explained_outcome(program, shipped_model("ptx")).value();
  EXPECT_EQ(explained.possibility, events::Possibility::Possible);
  EXPECT_TRUE(explained.repairs.empty());
  EXPECT_GT(explained.undecided_repairs, 0U);
  EXPECT_EQ(explained.why_undecided, UnknownReason::Bound);
  EXPECT_EQ(explained.interleaving_unknown, UnknownReason::Bound);
}

// Within the bound, fences remove the race on x. Beyond the bound, it is unknown whether they remove the race.
TEST(RaceExplanation, ALoopThatCanGoOnLeavesChangesUndecided) {
  std::string text(kLoopElsewhere);
  text.replace(text.find("store(x, 1, relaxed, device)"), 28, "x = 1");
  text.replace(text.find("int r1 = load(x, relaxed, device)"), 33, "int r1 = 0; if (r0 == 1) r1 = x");
  const RaceExplanation explained = explained_race(text, shipped_model("ptx"));
  ASSERT_EQ(explained.possibility, events::Possibility::Possible);
  ASSERT_FALSE(explained.races.empty());
  EXPECT_TRUE(explained.races[0].repairs.empty());
  EXPECT_GT(explained.races[0].undecided_repairs, 0U);
  EXPECT_EQ(explained.races[0].why_undecided, UnknownReason::Bound);
}

TEST(RaceExplanation, SaysWhatTheListOfOrderedPairsLacks) {
  const std::string code = R"(CUDA ordered
{ global int x = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); }
P1 @ block 1 { int r0 = load(x, relaxed, device); }
)";
  const auto explained = [&](const std::string& more, const std::shared_ptr<const rules::Rules>& model) {
    return explained_race(code + more, model);
  };
  const RaceExplanation plain = explained("", shipped_model("ptx"));
  EXPECT_EQ(plain.possibility, events::Possibility::Impossible);
  EXPECT_TRUE(plain.has_execution);
  EXPECT_TRUE(plain.has_all_ordered);
  EXPECT_EQ(plain.ordered.size(), 1U);
  EXPECT_FALSE(explained("filter (1 == 0)\nexists (x == 1)\n", shipped_model("ptx")).has_execution);
  // The model does not define this flag as conflict \ order, so the explanation cannot list ordered pairs.
  const RaceExplanation other = explained("", model_of("\"a model\"\nflag ~empty rf & co as my-race\n"));
  EXPECT_EQ(other.possibility, events::Possibility::Impossible);
  EXPECT_FALSE(other.has_all_ordered);
  // If the model has no race flag, the answer is Unknown.
  EXPECT_EQ(explained("", shipped_model("sc")).possibility, events::Possibility::Unknown);
}

TEST(OutcomeExplanation, SaysWhenNoValuesLeadThere) {
  const auto program = program_of(R"(CUDA nowhere
{ global int x = 0; }
P0 @ block 0 { x = 1; }
exists (x == 2)
)");
  const auto explained = explained_outcome(program, shipped_model("ptx"));
  ASSERT_TRUE(explained.ok());
  EXPECT_TRUE(explained.value().is_unreachable);
  EXPECT_TRUE(explained.value().violations.empty());
}

}  // namespace
}  // namespace ambit::explain
