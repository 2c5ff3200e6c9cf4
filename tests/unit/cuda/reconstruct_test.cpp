#include "runner/cuda/launch/reconstruct.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/parsed.h"

namespace ambit::cuda {
namespace {

using ReconstructionKind = Reconstruction::Kind;

std::unique_ptr<Reconstructor> reconstructor(const std::string& text) {
  auto made = Reconstructor::create(test::program_of("CUDA t\n" + text, "t.litmus"));
  if (!made.ok()) ADD_FAILURE() << render(made.errors());
  return std::move(made).value();
}

/// Returns the events as text, such as "P0 W 1 P1 R 0 P0 F": thread, operation, value.
std::string text_of(const std::optional<Trace>& trace) {
  if (!trace) return "no trace";
  std::string text;
  for (const TraceEvent& event : trace->events) {
    if (event.op == TraceOp::Fence) text += trace->tables.threads()[event.thread].name + " F  ";
    if (!event.is_access()) continue;
    text += trace->tables.threads()[event.thread].name + (event.op == TraceOp::Read  ? " R "
                                                          : event.op == TraceOp::Rmw ? " U "
                                                                                     : " W ");
    text += std::to_string(event.value) + "  ";
  }
  return text;
}

const char* const kMessagePassing =
    "{ global int x = 0, y = 0; }\nP0 @ block 0 { store(x, 5, relaxed, device); store(y, 6, relaxed, device); }\n"
    "P1 @ block 1 { int r0 = load(y, relaxed, device); int r1 = load(x, relaxed, device); }\nexists (P1:r1 == 0)\n";

// By the tickets, P1 ran first. But P1 read the values of both writes, so P1 ran last.
TEST(Reconstruct, ValuesCountMoreThanTickets) {
  const auto maker = reconstructor(kMessagePassing);
  EXPECT_EQ(text_of(maker->trace_of({{{{0, 0}, {1, 0}}, {{0, 6}, {1, 5}}}, {1, 1, 0, 0}}).trace),
            "P0 W 5  P0 W 6  P1 R 6  P1 R 5  ");
}

// Two orders explain the values: P1 reads y before both writes, or between the two writes. So the tickets decide.
TEST(Reconstruct, TicketsDecideWhereValuesDoNot) {
  const auto maker = reconstructor(kMessagePassing);
  EXPECT_EQ(text_of(maker->trace_of({{{{0, 0}, {1, 0}}, {{0, 0}, {1, 5}}}, {0, 1, 0, 1}}).trace),
            "P0 W 5  P1 R 0  P0 W 6  P1 R 5  ");
  EXPECT_EQ(text_of(maker->trace_of({{{{0, 0}, {1, 0}}, {{0, 0}, {1, 5}}}, {1, 0, 0, 1}}).trace),
            "P1 R 0  P0 W 5  P0 W 6  P1 R 5  ");
}

// P1 reads the new flag but the old data. No sequence of all accesses explains both values.
TEST(Reconstruct, AWeakRunHasNoTrace) {
  const auto maker = reconstructor(kMessagePassing);
  EXPECT_EQ(maker->trace_of({{{{0, 0}, {1, 0}}, {{0, 6}, {1, 0}}}, {0, 0, 1, 1}}).kind, ReconstructionKind::Weak);
}

// Runs that violate the filter do not belong to the test, as in `ambit validate`.
TEST(Reconstruct, RunsThatTheFilterDropsAreLeftOut) {
  const auto maker = reconstructor(
      "{ global int x = 0; }\nP0 @ block 0 { store(x, 5, relaxed, device); }\n"
      "P1 @ block 1 { int r0 = load(x, relaxed, device); }\nfilter (P1:r0 == 5)\nexists (P1:r0 == 5)\n");
  EXPECT_EQ(maker->trace_of({{{{0, 0}}, {{0, 5}}}, {0, 1}}).kind, ReconstructionKind::Trace);
  EXPECT_EQ(maker->trace_of({{{{0, 0}}, {{0, 0}}}, {1, 0}}).kind, ReconstructionKind::LeftOut);
}

// On the device, a thread ends at a violated assume(); in the simulator, the thread continues.
TEST(Reconstruct, RunsWithoutAnAssumptionAreLeftOut) {
  const auto maker = reconstructor(
      "{ global int x = 0; }\nP0 @ block 0 { store(x, 5, relaxed, device); }\n"
      "P1 @ block 1 { int r0 = load(x, relaxed, device); assume(r0 == 5); store(x, 7, relaxed, device); }\n"
      "exists (P1:r0 == 5)\n");
  EXPECT_EQ(maker->trace_of({{{{0, 0}}, {{0, 0}}}, {1, 0}}).kind, ReconstructionKind::LeftOut);
  EXPECT_EQ(maker->trace_of({{{{0, 0}}, {{0, 5}, {2, 0}}}, {0, 1, 1}}).kind, ReconstructionKind::Trace);
}

// The load of the flag has an older ticket than the store of the flag. The loop counts its iterations, so its state
// never repeats. The reconstruction must still let the loop wait for the store.
TEST(Reconstruct, ASpinThatCountsWaitsForTheStore) {
  const auto maker = reconstructor(
      "{ global int x = 0; }\nP0 @ block 0 { store(x, 5, relaxed, device); store(x, 5, relaxed, device); }\n"
      "P1 @ block 1 { int n = 0; while (load(x, relaxed, device) == 0) { n = n + 1; } }\nexists (x == 5)\n");
  const Reconstruction made = maker->trace_of({{{{0, 0}, {1, 0}}, {{1, 0}, {1, 5}}}, {1, 1, 0, 0}});
  ASSERT_EQ(made.kind, ReconstructionKind::Trace);
  EXPECT_EQ(text_of(made.trace), "P1 R 0  P1 R 0  P0 W 5  P1 R 5  P0 W 5  ");
}

// The tickets suggest a wrong first access. After this access, the search could try millions of orders of the later
// accesses, and all would fail.
TEST(Reconstruct, AWrongChoiceIsNotMadeAgain) {
  const auto stores = [](const std::string& array) {
    std::string text;
    for (int i = 0; i < 12; ++i) text += "store(" + array + "[" + std::to_string(i) + "], 1, relaxed, device); ";
    return text;
  };
  const auto maker =
      reconstructor("{ global int x = 0, a[12], b[12]; }\nP0 @ block 0 { store(x, 1, relaxed, device); " + stores("a") +
                    "}\nP1 @ block 1 { store(x, 2, relaxed, device); " + stores("b") +
                    "int r0 = load(x, relaxed, device); }\nexists (P1:r0 == 1)\n");
  Recording recording{{{}, {}}, {0, 1}};
  for (std::uint32_t i = 0; i < 13; ++i) {
    for (std::uint32_t t = 0; t < 2; ++t) {
      recording.threads[t].push_back({i, 0});
      if (i > 0) recording.order.push_back(t);
    }
  }
  recording.threads[1].push_back({13, 1});
  recording.order.push_back(1);
  const Reconstruction made = maker->trace_of(recording);
  ASSERT_EQ(made.kind, ReconstructionKind::Trace);
  EXPECT_THAT(text_of(made.trace), testing::StartsWith("P1 W 2  P0 W 1  "));
}

// If a spin loop polls repeatedly without success, the recorder stores these polls once, and the trace has one wait.
TEST(Reconstruct, SpinsWait) {
  const auto maker = reconstructor(
      "{ global int x = 0, y = 0; }\nP0 @ block 0 { x = 5; store(y, 6, release, device); }\n"
      "P1 @ block 1 { while (load(y, acquire, device) == 0) {} int r0 = x; }\nforall (P1:r0 == 5)\n");
  EXPECT_EQ(text_of(maker->trace_of({{{{0, 0}, {1, 0}}, {{0, 0}, {0, 6}, {2, 5}}}, {1, 0, 0, 1, 1}}).trace),
            "P1 R 0  P0 W 5  P0 W 6  P1 R 6  P1 R 5  ");
}

// A failed round of a loop can have several accesses or fences. The recorder stores repeated failed rounds once. In
// this log, three rounds failed.
TEST(Reconstruct, RoundsOfASpinAreOneWait) {
  const auto maker = reconstructor(
      "{ global int x = 0, y = 0; }\nP0 @ block 0 { x = 5; store(y, 6, release, device); }\n"
      "P1 @ block 1 { while (load(y, relaxed, device) == 0) { __threadfence(); int r1 = load(y, relaxed, device); } "
      "int r0 = x; }\nforall (P1:r0 == 5)\n");
  const std::vector<RecordedEntry> waits = {{0, 0}, {2, 0}, {3, 0}, {0, 6}, {5, 5}};
  EXPECT_THAT(text_of(maker->trace_of({{{{0, 0}, {1, 0}}, waits}, {1, 1, 1, 0, 0, 1, 1}}).trace),
              testing::EndsWith("P1 F  P1 R 0  P0 W 5  P0 W 6  P1 R 6  P1 R 5  "));
}

// iGUARD and HAccRG check whether the writer runs a fence before the other thread reads.
TEST(Reconstruct, FencesAreOrderedByTheirTickets) {
  const auto maker = reconstructor(
      "{ global int x = 0; }\nP0 @ block 0 { x = 5; __threadfence(); }\nP1 @ block 1 { int r0 = x; }\n"
      "exists (P1:r0 == 5)\n");
  const std::vector<std::vector<RecordedEntry>> threads = {{{0, 0}, {1, 0}}, {{0, 5}}};
  EXPECT_EQ(text_of(maker->trace_of({threads, {0, 0, 1}}).trace), "P0 W 5  P0 F  P1 R 5  ");
  EXPECT_EQ(text_of(maker->trace_of({threads, {0, 1, 0}}).trace), "P0 W 5  P1 R 5  P0 F  ");
}

// P0's update read the value that P1's update wrote, so P1's update comes first.
TEST(Reconstruct, UpdatesSeeWhatTheyFound) {
  const auto maker = reconstructor(
      "{ global int x = 0; }\nP0 @ block 0 { int r0 = atomicAdd(&x, 1); }\nP1 @ block 1 { int r0 = atomicAdd(&x, 1); "
      "}\n"
      "exists (P0:r0 == 1)\n");
  EXPECT_EQ(text_of(maker->trace_of({{{{0, 1}}, {{0, 0}}}, {0, 1}}).trace), "P1 U 1  P0 U 2  ");
}

// The arrival at the barrier and the wait are separate instructions. A trace has one event for both.
TEST(Reconstruct, ARunThatNoTraceCanSayIsAnError) {
  const auto maker = Reconstructor::create(test::program_in("litmus/ptx/barriers/cluster+two-phases.litmus"));
  ASSERT_TRUE(maker.ok());
  const Reconstruction made = maker.value()->trace_of({{{{0, 0}, {5, 2}}, {{2, 0}}}, {0, 1, 0}});
  ASSERT_EQ(made.kind, ReconstructionKind::Error);
  EXPECT_THAT(made.error->message, testing::HasSubstr("a trace cannot represent"));
}

}  // namespace
}  // namespace ambit::cuda
