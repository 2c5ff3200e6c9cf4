#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/eval/enumerate.h"
#include "parser/parse.h"

// Tests the traces of definitions.md 5.3 and the verdicts given there. A verdict in definitions.md is about one trace,
// but a model checks all executions of a program. So each test adds an axiom to the shipped model. This axiom allows
// only the trace in definitions.md.
namespace ambit {
namespace {

enum class Race { None, Some, NoTrace };

std::ostream& operator<<(std::ostream& out, Race race) {
  return out << (race == Race::None ? "no race" : race == Race::Some ? "race" : "no such trace");
}

/// Returns whether `model` flags the program in a trace that satisfies the axiom `pin`; "" allows every trace.
Race race(const std::string& program, const std::string& model, const std::string& pin = "",
          const std::map<std::string, std::string>& options = {}) {
  const auto text = [](const std::string& t) { return std::make_shared<const SourceFile>(SourceFile{"<test>", t}); };
  const auto parsed = parser::parse_program(text("CUDA test\n" + program + "\nexists (x == 0)\nexpect sc : Never\n"));
  const auto rules = parser::parse_model(text("include \"" + model + ".cat\"\n" + pin), options);
  if (!parsed.ok() || !rules.ok()) {
    ADD_FAILURE() << render(parsed.ok() ? rules.errors() : parsed.errors());
    return Race::NoTrace;
  }
  const auto graph = events::build(parsed.value(), {});
  if (!graph.ok()) {
    ADD_FAILURE() << render(graph.errors());
    return Race::NoTrace;
  }
  Context context;
  events::Questions questions;
  const events::Answers answers = eval::enumerate(graph.value(), *rules.value(), questions, context);
  if (answers.any.possibility != events::Possibility::Possible) return Race::NoTrace;
  return answers.flags.at(0).possibility == events::Possibility::Possible ? Race::Some : Race::None;
}

/// This axiom requires that the lock passes from the critical section that writes data to another section.
constexpr const char* kWriterFirst = "~empty [W \\ lock-word]; section-of-release^-1; handover as pin";

constexpr const char* kEarlyConflict = R"({ global int x = 0, l = 0; }
P0 @ block 0 { x = 1; lock(l, device); x = 2; unlock(l, device); }
P1 @ block 1 { lock(l, device); x = 3; unlock(l, device); }
filter (x == 3))";

/// E1: the race is predictable. But in WCP, rule (i) and program order together order the accesses.
TEST(Predictive, EarlyConflictIsMissedInItsTrace) {
  EXPECT_EQ(race(kEarlyConflict, "gwcp"), Race::None);
  EXPECT_EQ(race(kEarlyConflict, "scoped-hb"), Race::None);
  const std::string any_trace = std::string(kEarlyConflict).substr(0, std::string(kEarlyConflict).find("filter"));
  EXPECT_EQ(race(any_trace, "gwcp"), Race::Some) << "gwcp finds the race in traces with the other order";
  EXPECT_EQ(race(any_trace, "scoped-hb"), Race::Some);
}

/// E2: the order of rule (i) composes with happens-before edges that begin or end outside of the sections.
TEST(Predictive, CompositionWithHappensBeforeHides) {
  constexpr const char* program = R"({ global int x = 0, y = 0, l = 0, m = 0; }
P0 @ block 0 { x = 1; lock(l, device); unlock(l, device); }
P1 @ block 1 { lock(l, device); lock(m, device); y = 1; unlock(m, device); unlock(l, device); }
P2 @ block 2 { lock(m, device); y = 2; unlock(m, device); x = 2; }
filter (y == 2))";
  constexpr const char* pin = "~empty handover; section-of-acquire; [LACQ] as pin";  // P0 before P1 on l
  EXPECT_EQ(race(program, "gwcp", pin), Race::None);
  EXPECT_EQ(race(program, "scoped-hb", pin), Race::None);
  EXPECT_EQ(race(program, "gwcp"), Race::Some) << "P1 before P0 on l";
}

/// E3: the critical sections do not conflict, so they can have the other order in another run.
TEST(Predictive, AnAccidentalHandOverHidesNothingFromGwcp) {
  constexpr const char* program = R"({ global int x = 0, l = 0; }
P0 @ block 0 { lock(l, device); x = 1; unlock(l, device); }
P1 @ block 1 { lock(l, device); unlock(l, device); x = 2; })";
  EXPECT_EQ(race(program, "gwcp", kWriterFirst), Race::Some);
  EXPECT_EQ(race(program, "scoped-hb", kWriterFirst), Race::None);
}

/// As in Fig. 3 of the GWCP paper, rule (i) orders the release of one section before the conflicting access of the
/// other section. It does not order the release before earlier accesses of the other section.
TEST(Predictive, RuleOneOrdersOnlyFromTheConflictOn) {
  constexpr const char* program = R"({ global int x = 0, y = 0, l = 0; }
P0 @ block 0 { x = 1; lock(l, device); y = 1; unlock(l, device); }
P1 @ block 1 { lock(l, device); x = 2; y = 2; unlock(l, device); }
filter (y == 2))";
  EXPECT_EQ(race(program, "gwcp"), Race::Some);
  EXPECT_EQ(race(program, "scoped-hb"), Race::None);
}

/// B1: a barrier can be interpreted in two ways (definitions 4.4, choice 4).
TEST(Predictive, BarrierHardFindsWhatLiteralMisses) {
  constexpr const char* program = R"({ global int x = 0, l = 0; }
P0 @ block 0 { x = 1; lock(l, device); unlock(l, device); }
P1 @ block 1 { lock(l, device); unlock(l, device); __syncthreads(); }
P2 @ block 1 { __syncthreads(); x = 2; })";
  constexpr const char* pin = "~empty handover; po; [B] as pin";
  EXPECT_EQ(race(program, "gwcp", pin), Race::Some);
  EXPECT_EQ(race(program, "gwcp", pin, {{"barrier", "literal"}}), Race::None);
  EXPECT_EQ(race(program, "scoped-hb", pin), Race::None);
}

TEST(Predictive, ABarrierOrdersTheEventsOnBothSides) {
  constexpr const char* program = R"({ global int x = 0; }
P0 @ block 0 { x = 1; __syncthreads(); }
P1 @ block 0 { __syncthreads(); x = 2; })";
  EXPECT_EQ(race(program, "gwcp"), Race::None);
  EXPECT_EQ(race(program, "gwcp", "", {{"barrier", "literal"}}), Race::None);
  EXPECT_EQ(race(program, "scoped-hb"), Race::None);
}

/// M1 (definitions 4.4, choice 1): one block takes a lock with block scope, another block takes it with device scope.
TEST(Predictive, OverlapOfLockScopes) {
  constexpr const char* apart = R"({ global int x = 0, l = 0; }
P0 @ block 0 { lock(l, block); x = 1; unlock(l, block); }
P1 @ block 1 { lock(l, device); x = 2; unlock(l, device); })";
  constexpr const char* together = R"({ global int x = 0, l = 0; }
P0 @ block 0 { lock(l, block); x = 1; unlock(l, block); }
P1 @ block 0 { lock(l, device); x = 2; unlock(l, device); })";
  for (const char* model : {"gwcp", "scoped-hb"}) {
    EXPECT_EQ(race(apart, model, "", {{"overlap", "mut"}}), Race::Some) << model;
    EXPECT_EQ(race(apart, model, "", {{"overlap", "either"}}), Race::None) << model;
    EXPECT_EQ(race(apart, model, "", {{"overlap", "exact"}}), Race::Some) << model;
    EXPECT_EQ(race(together, model, "", {{"overlap", "mut"}}), Race::None) << model;
    EXPECT_EQ(race(together, model, "", {{"overlap", "either"}}), Race::None) << model;
    EXPECT_EQ(race(together, model, "", {{"overlap", "exact"}}), Race::Some) << model;
  }
}

/// Rule (ii) orders two sections of one lock. They share no data, but other locks order events inside the sections.
TEST(Predictive, RuleTwoLiftsOrderFromInnerSections) {
  // By rule (i), P0.rel(m) < P2.y and P2.rel(n) < P1.z, so P0.rel(m) < P1.z. Both are in sections of l, so by rule (ii)
  // P0.rel(l) < P1.rel(l). P0.x is between P0.rel(m) and P0.rel(l), and P1.x follows P1.rel(l), so P0.x precedes P1.x.
  // Without rule (ii), nothing would order P0.x before P1.x.
  constexpr const char* program = R"({ global int x = 0, y = 0, z = 0, l = 0, m = 0, n = 0; }
P0 @ block 0 { lock(l, device); lock(m, device); y = 1; unlock(m, device); x = 1; unlock(l, device); }
P1 @ block 1 { lock(l, device); lock(n, device); z = 2; unlock(n, device); unlock(l, device); x = 2; }
P2 @ block 2 { lock(m, device); y = 2; unlock(m, device); lock(n, device); z = 1; unlock(n, device); }
filter (y == 2 && z == 2))";
  EXPECT_EQ(race(program, "gwcp"), Race::None);
}

/// Definitions 4.4, choice 13: a flag synchronises only if it has a release pattern and an acquire pattern.
TEST(Predictive, FlagsNeedBothFences) {
  const auto program = [](const std::string& release, const std::string& acquire) {
    return "{ global int x = 0, f = 0; }\nP0 @ block 0 { x = 1; " + release + " atomicExch(&f, 1); }\n" +
           "P1 @ block 1 { int r0 = atomicAdd(&f, 0); " + acquire + " if (r0 == 1) x = 2; }";
  };
  const std::string fence = "__threadfence();";
  const std::string narrow = "__threadfence_block();";
  for (const char* model : {"gwcp", "scoped-hb"}) {
    EXPECT_EQ(race(program(fence, fence), model), Race::None) << model;
    EXPECT_EQ(race(program(fence, ""), model), Race::Some) << model;
    EXPECT_EQ(race(program("", fence), model), Race::Some) << model;
    EXPECT_EQ(race(program(narrow, fence), model), Race::Some) << model;
  }
}

TEST(Predictive, AtomicsOfMutuallyInclusiveScopesDoNotRace) {
  const auto program = [](const std::string& first, int block) {
    return "{ global int x = 0; }\nP0 @ block 0 { " + first + "(&x, 1); }\nP1 @ block " + std::to_string(block) +
           " { atomicExch(&x, 2); }";
  };
  for (const char* model : {"gwcp", "scoped-hb"}) {
    EXPECT_EQ(race(program("atomicExch", 1), model), Race::None);
    EXPECT_EQ(race(program("atomicExch_block", 0), model), Race::None);
    EXPECT_EQ(race(program("atomicExch_block", 1), model), Race::Some);
  }
}

}  // namespace
}  // namespace ambit
