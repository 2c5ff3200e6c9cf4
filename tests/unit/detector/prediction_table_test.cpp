#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/support/replay.h"
#include "trace/text_trace.h"

// Small traces, on which the detectors' reports differ. The expectations follow from the definitions (definitions 5.3,
// 4.4). A comment at each trace explains the expectations.
namespace ambit::detector {
namespace {

/// Each element is "first second": the sites of both accesses. A site is a number in the last column of the trace.
using RaceSet = std::set<std::string>;

RaceSet races(const std::string& text, const std::string& detector, const std::map<std::string, std::string>& options) {
  trace::TextTraceReader reader(std::make_unique<std::istringstream>(text), "t.trace");
  const auto made = test::shown(reader, detector, options);
  RaceSet found;
  for (const RaceReport& race : made->races()) {
    const auto& sites = reader.tables().sites();
    found.insert(sites[race.first.site] + " " + sites[race.second.site]);
  }
  return found;
}

struct PredictionRow {
  std::string name;
  std::string trace;
  std::map<std::string, RaceSet> expected;  ///< for each column
};

struct Column {
  std::string name;
  std::string detector;
  std::map<std::string, std::string> options;
};

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"predict", "predict", {}},
      {"predict either", "predict", {{"overlap", "either"}}},
      {"syncp", "syncp", {}},
      {"gwcp", "gwcp", {}},
      {"gwcp literal", "gwcp", {{"barrier", "literal"}}},
      {"gwcp either", "gwcp", {{"overlap", "either"}}},
      {"gwcp exact", "gwcp", {{"overlap", "exact"}}},
      {"wcp", "wcp", {}},
      {"barracuda", "barracuda", {}},
  };
  return all;
}

/// Returns expectations. The detectors in the columns `without` report nothing, and all other detectors report `all`.
std::map<std::string, RaceSet> all_but(const RaceSet& all, const std::set<std::string>& without) {
  std::map<std::string, RaceSet> expected;
  for (const Column& column : columns()) expected[column.name] = without.contains(column.name) ? RaceSet{} : all;
  return expected;
}

std::string in_one_block(const std::string& events) {
  return "ambit-trace 1\nlaunch grid=1,1,1 block=3,1,1 warp=1\n" + events;
}

/// Rows about the order of critical sections.
std::vector<PredictionRow> section_rows() {
  const std::set<std::string> causal = {"gwcp", "gwcp literal", "gwcp either", "gwcp exact", "wcp"};
  std::set<std::string> causal_and_hb = causal;
  causal_and_hb.insert("barracuda");
  return {
      // Rule (i) orders T0's release and all earlier events of T0 before T1's write. But a reordering may contain T1's
      // section and omit T0's section. A reordering keeps the order only of sections that it contains.
      {"E1 early conflict",
       in_one_block("b0t0 w x 1\nb0t0 acq l.gpu\nb0t0 w x 3\nb0t0 rel l.gpu\n"
                    "b0t1 acq l.gpu\nb0t1 w x 6\nb0t1 rel l.gpu\n"),
       all_but({"1 6"}, causal_and_hb)},
      // Rule (i) orders the sections of m. This order and the happens-before edge of l together order 1 before 12. But
      // after T1's section of m, T2 can run, without any event of T0.
      {"E2 composition with happens-before",
       in_one_block("b0t0 w x 1\nb0t0 acq l.gpu\nb0t0 rel l.gpu\n"
                    "b0t1 acq l.gpu\nb0t1 acq m.gpu\nb0t1 w y 6\nb0t1 rel m.gpu\nb0t1 rel l.gpu\n"
                    "b0t2 acq m.gpu\nb0t2 w y 10\nb0t2 rel m.gpu\nb0t2 w x 12\n"),
       all_but({"1 12"}, causal_and_hb)},
      // T1's section has no conflict with T0's section, so no rule orders the two sections. In the run, T0's section
      // came first. The accesses can be adjacent only if T1's section comes first: T1 has then left its section, and T0
      // is still inside its own section.
      {"E3 sections the other way round",
       in_one_block("b0t0 acq l.gpu\nb0t0 w x 2\nb0t0 rel l.gpu\n"
                    "b0t1 acq l.gpu\nb0t1 rel l.gpu\nb0t1 w x 6\n"),
       all_but({"2 6"}, {"syncp", "barracuda"})},
      // In happens-before, the lock orders T0's section before T1's section, and the barrier orders T1's section before
      // 7. If barriers are hard edges, the barrier orders T1's section before 7, but nothing orders T0's section before
      // T1's section. If barriers follow the text of the paper, all events that happen before an arrival precede (<)
      // the events after the barrier. T0's write happens before T1's arrival.
      {"B1 barrier after a lock",
       "ambit-trace 1\nlaunch grid=2,1,1 block=2,1,1 warp=1\n"
       "b0t0 w x 1\nb0t0 acq l.gpu\nb0t0 rel l.gpu\n"
       "b1t0 acq l.gpu\nb1t0 rel l.gpu\nb1t0 bar 0 mask=all\nb1t1 bar 0 mask=all\nb1t1 w x 7\n",
       all_but({"1 7"}, {"gwcp literal", "barracuda"})},
  };
}

/// Rows about scopes and barriers.
std::vector<PredictionRow> scope_rows() {
  return {
      // Two blocks use a lock: one with block scope, and one with device scope. The device scope includes both threads
      // but the block scope does not, so the scopes do not include each other's threads. A detector that ignores scopes
      // treats the two locks as one lock.
      {"M1 scopes of a lock",
       "ambit-trace 1\nlaunch grid=2,1,1 block=1,1,1 warp=1\n"
       "b0t0 acq l.cta\nb0t0 w x 2\nb0t0 rel l.cta\nb1t0 acq l.gpu\nb1t0 w x 5\nb1t0 rel l.gpu\n",
       all_but({"2 5"}, {"predict either", "gwcp either", "wcp"})},
      // The paper's figure 3: rule (i) orders T0's release before T1's write of y, which follows T1's write of x.
      {"figure 3",
       in_one_block("b0t0 w x 1\nb0t0 acq l.gpu\nb0t0 w y 3\nb0t0 rel l.gpu\n"
                    "b0t1 acq l.gpu\nb0t1 w x 6\nb0t1 w y 7\nb0t1 rel l.gpu\n"),
       all_but({"1 6"}, {"barracuda"})},
      // The paper's figure 5. T1 and T2 share a block. T3 is in another block, where no lock of block scope reaches T3.
      // Only a detector without scopes orders 1 before 14, by the chain l, y, m.
      {"figure 5",
       "ambit-trace 1\nlaunch grid=2,1,1 block=2,1,1 warp=1\n"
       "b0t0 w x 1\nb0t0 acq l.cta\nb0t0 w y 3\nb0t0 rel l.cta\n"
       "b0t1 acq l.cta\nb0t1 w y 6\nb0t1 rel l.cta\nb0t1 acq m.cta\nb0t1 w z 9\nb0t1 rel m.cta\n"
       "b1t0 acq m.cta\nb1t0 r y2 12\nb1t0 rel m.cta\nb1t0 w x 14\n",
       all_but({"1 14"}, {"wcp"})},
      // One thread takes the lock for its block, so the lock also protects events of other threads between the two
      // barriers. In happens-before, the chain write, barrier, release, acquire, barrier, write orders 3 before 11.
      // With barriers as in the paper's text, it does, too. With hard edges for these barriers, no rule would apply:
      // rule (i) considers only accesses of the thread that holds the lock. So at a barrier where a thread holds a
      // lock, the detectors follow the paper's text.
      {"leader's lock",
       "ambit-trace 1\nlaunch grid=2,1,1 block=2,1,1 warp=1\n"
       "b0t0 acq l.gpu\nb0t0 bar 0 mask=all\nb0t1 bar 0 mask=all\nb0t1 w x 3\nb0t1 bar 0 mask=all\n"
       "b0t0 bar 0 mask=all\nb0t0 rel l.gpu\n"
       "b1t0 acq l.gpu\nb1t0 bar 0 mask=all\nb1t1 bar 0 mask=all\nb1t1 w x 11\nb1t1 bar 0 mask=all\n"
       "b1t0 bar 0 mask=all\nb1t0 rel l.gpu\n",
       all_but({}, {})},
      // Like the previous row, but with flags instead of barriers: the thread that holds the lock sets a flag for its
      // block and waits for an answer.
      {"leader's lock and flags",
       "ambit-trace 1\nlaunch grid=2,1,1 block=2,1,1 warp=1\n"
       "b0t0 acq l.gpu\nb0t0 w.release.gpu f=1\nb0t1 r.acquire.gpu f=1\nb0t1 w x 3\nb0t1 w.release.gpu g=1\n"
       "b0t0 r.acquire.gpu g=1\nb0t0 rel l.gpu\n"
       "b1t0 acq l.gpu\nb1t0 w.release.gpu f2=1\nb1t1 r.acquire.gpu f2=1\nb1t1 w x 10\nb1t1 w.release.gpu g2=1\n"
       "b1t0 r.acquire.gpu g2=1\nb1t0 rel l.gpu\n",
       all_but({}, {})},
  };
}

/// Rows without locks.
std::vector<PredictionRow> flag_rows() {
  return {
      // The trace has no flag and no lock, so every detector reports the race.
      {"plain race", in_one_block("b0t0 w x 1\nb0t1 r x 2\n"), all_but({"1 2"}, {})},
      // Message passing through a flag, with fences on both sides. No detector reports a race.
      {"fenced flag",
       in_one_block("b0t0 w x=1 1\nb0t0 fence.sc.gpu\nb0t0 w.relaxed.gpu f=1 3\n"
                    "b0t1 r.relaxed.gpu f=1 4\nb0t1 fence.sc.gpu\nb0t1 r x=1 6\n"),
       all_but({}, {})},
      // The second fence is missing. No reordering makes 1 and 5 adjacent, because the flag's write must come first.
      // But in happens-before no synchronisation orders the pair, so predict reports the pair as unordered. If predict
      // uses another definition of overlap than happens-before, predict does not report the pair.
      {"flag without an acquire",
       in_one_block(
           "b0t0 w x=1 1\nb0t0 fence.sc.gpu\nb0t0 w.relaxed.gpu f=1 3\nb0t1 r.relaxed.gpu f=1 4\nb0t1 r x=1 5\n"),
       all_but({"1 5"}, {"syncp", "predict either"})},
  };
}

std::vector<PredictionRow> rows() {
  std::vector<PredictionRow> all = section_rows();
  for (const auto& more : {scope_rows(), flag_rows()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(PredictionTable, EachDetectorFindsItsRaces) {
  for (const PredictionRow& row : rows()) {
    for (const Column& column : columns()) {
      EXPECT_EQ(races(row.trace, column.detector, column.options), row.expected.at(column.name))
          << row.name << " by " << column.name;
    }
  }
}

RaceReport only_race(const std::string& text, const std::string& detector,
                     const std::map<std::string, std::string>& options = {}) {
  trace::TextTraceReader reader(std::make_unique<std::istringstream>(text), "t.trace");
  const auto races = test::shown(reader, detector, options)->races();
  EXPECT_EQ(races.size(), 1U);
  return races.empty() ? RaceReport{} : races[0];
}

std::string row(const std::string& name) {
  for (const PredictionRow& each : rows()) {
    if (each.name == name) return each.trace;
  }
  return "";
}

TEST(PredictionTable, WitnessesAndSentences) {
  // In this witness, T1 runs its whole section, and T0 is still at its first event.
  const RaceReport early = only_race(row("E1 early conflict"), "predict");
  EXPECT_EQ(early.witness, (std::vector<std::uint64_t>{4}));
  EXPECT_EQ(early.sentence, "b0t0 writes x (1), b0t1 writes x (6): both are next if b0t1 takes l before b0t0 does");
  // In this witness, T1 first runs its section, and then T0 acquires the lock.
  const RaceReport reversed = only_race(row("E3 sections the other way round"), "predict");
  EXPECT_EQ(reversed.witness, (std::vector<std::uint64_t>{3, 4, 0}));
  EXPECT_EQ(reversed.sentence, "b0t0 writes x (2), b0t1 writes x (6): both are next if b0t1 takes l before b0t0 does");
  // In this witness, T1 runs its section and arrives at the barrier, then T2 arrives. T0 has run no event. So the
  // witness does not change the order of any sections.
  const RaceReport held_up = only_race(row("B1 barrier after a lock"), "syncp");
  EXPECT_EQ(held_up.witness, (std::vector<std::uint64_t>{3, 4, 5, 6}));
  const RaceReport apart = only_race(row("flag without an acquire"), "predict");
  EXPECT_FALSE(apart.witness.has_value());
  EXPECT_NE(apart.sentence.find("; no reordering of this run brings them together, but nothing synchronises them"),
            std::string::npos);
  EXPECT_EQ(races(row("flag without an acquire"), "predict", {{"unordered", "no"}}), RaceSet{});
}

TEST(PredictionTable, ReadsByValue) {
  // T1 read the value 1 that T0 wrote, but T2 had written 1 earlier. Suppose that a read in a reordering needs only the
  // same value, not the same write. Then T1 need not wait for T0, and T0 can be at its write of y.
  const std::string text = in_one_block(
      "b0t2 w.relaxed.gpu f=1 1\nb0t0 w y=1 2\nb0t0 w.relaxed.gpu f=1 3\nb0t1 r.relaxed.gpu f=1 4\nb0t1 w y=2 5\n");
  EXPECT_EQ(races(text, "predict", {{"unordered", "no"}}), RaceSet{});
  EXPECT_EQ(races(text, "predict", {{"unordered", "no"}, {"rf", "value"}}), RaceSet{"2 5"});
}

TEST(PredictionTable, OmissionsAreReported) {
  std::string text = in_one_block("");
  for (int i = 0; i < 150; ++i) text += "b0t0 w y\n";
  text += "b0t0 w x 1\nb0t1 w x 2\n";
  trace::TextTraceReader reader(std::make_unique<std::istringstream>(text), "t.trace");
  const auto detector = test::shown(reader, "syncp", {{"limit", "100"}});
  EXPECT_TRUE(detector->races().empty());
  EXPECT_EQ(
      detector->remarks(),
      std::vector<std::string>{"only the first 100 of 152 events were searched; nothing is known about the rest"});
}

/// The locks are words in memory. The detector infers the critical sections, and reorderings may change the order of
/// the compare-exchanges.
TEST(PredictionTable, InferredLocks) {
  const std::string head = "ambit-trace 1\nlaunch grid=2,1,1 block=1,1,1 warp=1\n";
  const auto section = [](const std::string& thread, const std::string& body) {
    return thread + " rmw.relaxed.gpu.cas l:0->1\n" + thread + " fence.sc.gpu\n" + body + thread + " fence.sc.gpu\n" +
           thread + " rmw.relaxed.gpu.exch l:1->0\n";
  };
  // Like E3, but b1t0 first fails to take the lock. A failed attempt does not exclude other orders of the sections.
  const std::string reversed =
      head + "b0t0 rmw.relaxed.gpu.cas l:0->1\nb0t0 fence.sc.gpu\nb0t0 w x 2\n" + "b1t0 rmw.relaxed.gpu.cas l:1!\n" +
      "b0t0 fence.sc.gpu\nb0t0 rmw.relaxed.gpu.exch l:1->0\n" + section("b1t0", "") + "b1t0 w x 6\n";
  EXPECT_EQ(races(reversed, "predict", {}), RaceSet{"2 6"});
  EXPECT_EQ(races(reversed, "syncp", {}), RaceSet{});
  EXPECT_EQ(races(reversed, "barracuda", {}), RaceSet{});
  // Each of the two accesses is in a section of the same lock.
  const std::string both = head + section("b0t0", "b0t0 w x 2\n") + section("b1t0", "b1t0 w x 6\n");
  EXPECT_EQ(races(both, "predict", {}), RaceSet{});
  // b0t0 releases the lock word without acquiring it first, so the word is a flag and not a lock. Reorderings keep the
  // order of accesses to a flag.
  const std::string flag = head + "init l=1\nb0t0 w x 1\nb0t0 fence.sc.gpu\nb0t0 rmw.relaxed.gpu.exch l:1->0\n" +
                           section("b1t0", "b1t0 w x 6\n");
  EXPECT_EQ(races(flag, "predict", {}), RaceSet{});
}

}  // namespace
}  // namespace ambit::detector
