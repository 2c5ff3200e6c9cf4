#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/eval/enumerate.h"
#include "parser/parse.h"

// The traces of definitions.md 5.3, with the verdicts given there. A verdict in definitions.md is about one trace, but
// a model checks all executions of a program. So each test adds an axiom to the shipped model; the axiom allows only
// the trace in definitions.md.
namespace ambit {
namespace {

enum class Race { None, Some, NoTrace };

std::ostream& operator<<(std::ostream& out, Race race) {
  return out << (race == Race::None ? "no race" : race == Race::Some ? "race" : "no such trace");
}

/// Returns whether `model` flags the program in a trace that satisfies the axiom `pin`; "" allows all traces.
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

/// An axiom: the lock passes from the critical section that writes data to another section.
constexpr const char* kWriterFirst = "~empty [W \\ lock-word]; section-of-release^-1; handover as pin";

constexpr const char* kEarlyConflict = R"({ global int x = 0, l = 0; }
P0 @ block 0 { x = 1; lock(l, device); x = 2; unlock(l, device); }
P1 @ block 1 { lock(l, device); x = 3; unlock(l, device); }
filter (x == 3))";

/// E1: the race is predictable, but in WCP the accesses are ordered by rule (i) and program order.
TEST(Predictive, EarlyConflictIsMissedInItsTrace) {
  EXPECT_EQ(race(kEarlyConflict, "gwcp"), Race::None);
  EXPECT_EQ(race(kEarlyConflict, "scoped-hb"), Race::None);
  const std::string any_trace = std::string(kEarlyConflict).substr(0, std::string(kEarlyConflict).find("filter"));
  EXPECT_EQ(race(any_trace, "gwcp"), Race::Some) << "gwcp finds the race in traces with the other order";
  EXPECT_EQ(race(any_trace, "scoped-hb"), Race::Some);
}

/// E2: the order of rule (i) composes with happens-before edges from outside of the sections.
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

/// E3: the critical sections do not conflict, so other runs can have the sections in the other order.
TEST(Predictive, AnAccidentalHandOverHidesNothingFromGwcp) {
  constexpr const char* program = R"({ global int x = 0, l = 0; }
P0 @ block 0 { lock(l, device); x = 1; unlock(l, device); }
P1 @ block 1 { lock(l, device); unlock(l, device); x = 2; })";
  EXPECT_EQ(race(program, "gwcp", kWriterFirst), Race::Some);
  EXPECT_EQ(race(program, "scoped-hb", kWriterFirst), Race::None);
}

/// The shape of Fig. 3 of the GWCP paper: rule (i) orders the release of one section before the conflicting access of
/// the other section, but not before earlier accesses of the other section.
TEST(Predictive, RuleOneOrdersOnlyFromTheConflictOn) {
  constexpr const char* program = R"({ global int x = 0, y = 0, l = 0; }
P0 @ block 0 { x = 1; lock(l, device); y = 1; unlock(l, device); }
P1 @ block 1 { lock(l, device); x = 2; y = 2; unlock(l, device); }
filter (y == 2))";
  EXPECT_EQ(race(program, "gwcp"), Race::Some);
  EXPECT_EQ(race(program, "scoped-hb"), Race::None);
}

/// B1: two interpretations of barriers (definitions 4.4, choice 4).
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

/// M1 (definitions 4.4, choice 1): a block lock, and a device lock of another block.
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

/// Rule (ii) orders two sections of one lock that share no data, because other locks order events inside them.
TEST(Predictive, RuleTwoLiftsOrderFromInnerSections) {
  // By rule (i), P0.rel(m) < P2.y and P2.rel(n) < P1.z, so P0.rel(m) < P1.z. Both are in sections on l, so
  // P0.rel(l) < P1.rel(l). P0.x comes between P0.rel(m) and P0.rel(l), and P1.x comes after P1.rel(l), so P0.x precedes
  // P1.x. Without rule (ii), nothing would order P0.x before P1.x.
  constexpr const char* program = R"({ global int x = 0, y = 0, z = 0, l = 0, m = 0, n = 0; }
P0 @ block 0 { lock(l, device); lock(m, device); y = 1; unlock(m, device); x = 1; unlock(l, device); }
P1 @ block 1 { lock(l, device); lock(n, device); z = 2; unlock(n, device); unlock(l, device); x = 2; }
P2 @ block 2 { lock(m, device); y = 2; unlock(m, device); lock(n, device); z = 1; unlock(n, device); }
filter (y == 2 && z == 2))";
  EXPECT_EQ(race(program, "gwcp"), Race::None);
}

/// Definitions 4.4, choice 13: flags synchronise only by release and acquire patterns.
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
