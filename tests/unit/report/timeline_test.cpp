#include "report/draw/trace_timeline.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "trace/text_trace.h"

namespace ambit::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<TraceReader> reader_of(const std::string& body, const std::string& launch) {
  const std::string text = "ambit-trace 1\nlaunch " + launch + "\n" + body;
  return std::make_unique<trace::TextTraceReader>(std::make_unique<std::istringstream>(text), "t.trace");
}

struct Read {
  Timeline timeline;
  std::string error;
};

/// Runs gwcp on the trace `body`, and makes a timeline with the given options.
Read timeline_of(const std::string& body, const TimelineOptions& options = {},
                 const std::string& launch = "grid=4,1,1 block=64,1,1 warp=32") {
  const auto first = reader_of(body, launch);
  std::vector<std::unique_ptr<detector::Detector>> detectors;
  detectors.push_back(std::move(detector::make_detector("gwcp", {}, first->tables()).value()));
  const auto replayed = detector::replay(*first, detectors);
  if (!replayed.ok()) return {{}, render(replayed.errors())};
  const auto second = reader_of(body, launch);
  auto read = read_timeline(*second, replayed.value().events, detectors.front()->races(), options);
  if (!read.ok()) return {{}, render(read.errors())};
  return {std::move(read).value(), ""};
}

std::vector<std::uint64_t> numbers(const Timeline& timeline) {
  std::vector<std::uint64_t> list;
  for (const TimelineRow& row : timeline.rows) {
    if (!row.barrier) list.push_back(row.number);
  }
  return list;
}

std::uint64_t counted(const Timeline& timeline) {
  std::uint64_t events = timeline.skipped_after + timeline.other_events;
  for (const TimelineRow& row : timeline.rows) events += row.skipped + (row.barrier ? 0 : 1);
  return events;
}

const std::string kLocked =
    "b0t0 rmw.relaxed.gpu.cas l:0->1  k.cu:1\n"
    "b0t0 fence.sc.gpu                k.cu:2\n"
    "b0t0 w x=1                       k.cu:3\n"
    "b0t0 fence.sc.gpu                k.cu:4\n"
    "b0t0 rmw.relaxed.gpu.exch l:1->0 k.cu:5\n"
    "b1t0 w x=2                       k.cu:9\n";

TEST(Timeline, AShortTraceIsDrawnWhole) {
  const Timeline timeline = timeline_of(kLocked).timeline;
  EXPECT_THAT(numbers(timeline), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(timeline.other_threads, 0U);
  EXPECT_EQ(timeline.skipped_after, 0U);
}

// The critical section begins at the fence that follows the compare-exchange, and ends at the exchange.
TEST(Timeline, ACriticalSectionLastsWhileTheLockIsHeld) {
  const Timeline timeline = timeline_of(kLocked).timeline;
  ASSERT_EQ(timeline.sections.size(), 1U);
  EXPECT_EQ(timeline.sections[0].begin, 1U);
  EXPECT_EQ(timeline.sections[0].end, 4U);
  EXPECT_EQ(timeline.sections[0].scope, Scope::Device);
  const std::string dot = timeline_dot(timeline);
  EXPECT_THAT(dot, HasSubstr("<l.gpu>"));
  EXPECT_THAT(dot, HasSubstr("a critical section"));
}

TEST(Timeline, ASectionThatIsOpenAtTheEndHasNoEnd) {
  const Timeline timeline = timeline_of("b0t0 acq l.gpu k.cu:1\nb0t0 w x=1 k.cu:2\n").timeline;
  ASSERT_EQ(timeline.sections.size(), 1U);
  EXPECT_EQ(timeline.sections[0].begin, 0U);
  EXPECT_FALSE(timeline.sections[0].end);
}

TEST(Timeline, ARaceIsJoinedAndExplained) {
  const Timeline timeline = timeline_of(kLocked).timeline;
  ASSERT_EQ(timeline.races.size(), 1U);
  const std::string dot = timeline_dot(timeline);
  EXPECT_THAT(dot, HasSubstr("<race>"));
  EXPECT_THAT(dot, HasSubstr("style=dashed"));
  EXPECT_THAT(dot, HasSubstr("race on x: "));
  EXPECT_THAT(dot, HasSubstr("line 3"));
  EXPECT_THAT(dot, HasSubstr("Lines are those of k.cu."));
  EXPECT_THAT(timeline_text(timeline), HasSubstr("b0t0 writes x (k.cu:3), b1t0 writes x (k.cu:9)"));
}

// A fence, a flag and another fence order the data. The picture has one line, from the first fence to the second. There
// is no line from an earlier read-modify-write that polls the flag.
TEST(Timeline, AFlagIsALineBetweenTheFences) {
  const Timeline timeline = timeline_of(
                                "b0t0 w x=1\n"
                                "b0t0 fence.sc.gpu\n"
                                "b0t0 w.relaxed.gpu f=1\n"
                                "b1t0 rmw.relaxed.gpu.add f:1->1\n"
                                "b1t0 fence.sc.gpu\n"
                                "b1t0 r x=1\n")
                                .timeline;
  EXPECT_TRUE(timeline.races.empty());
  EXPECT_THAT(timeline.edges, ElementsAre(std::pair<std::uint64_t, std::uint64_t>(1, 4)));
}

// Threads 0 and 1 of block 0 meet at the barrier of block 0. No thread of block 1 arrives.
TEST(Timeline, ABarrierIsARowBeforeTheNextEvent) {
  const Timeline timeline =
      timeline_of("b0t0 bar 0\nb1t0 w y=1\nb0t1 bar 0\nb0t0 w x=1\n", {}, "grid=2,1,1 block=2,1,1 warp=32").timeline;
  ASSERT_EQ(timeline.rows.size(), 5U);
  ASSERT_TRUE(timeline.rows[3].barrier);
  EXPECT_EQ(timeline.rows[3].number, 3U);
  EXPECT_THAT(timeline_dot(timeline), HasSubstr("barrier of block 0: 2 threads meet"));
}

// Returns a trace of three threads. The first two threads have 200 events each, and one race with each other. The third
// thread has 100 events, which are between the two accesses of the race.
std::string long_trace() {
  std::string body = "b0t0 w x=1\n";
  for (int i = 0; i < 199; ++i) body += fmt::format("b0t0 w a[{}]=1\n", i);
  for (int i = 0; i < 100; ++i) body += fmt::format("b2t0 w c[{}]=1\n", i);
  for (int i = 0; i < 199; ++i) body += fmt::format("b1t0 w b[{}]=1\n", i);
  return body + "b1t0 w x=2\n";
}

TEST(Timeline, ALongTraceIsDrawnAroundItsRace) {
  const Timeline timeline = timeline_of(long_trace()).timeline;
  ASSERT_EQ(timeline.races.size(), 1U);
  const std::vector<std::uint64_t> shown = numbers(timeline);
  EXPECT_LT(shown.size(), kShortTrace);
  EXPECT_EQ(shown.front(), 0U);
  EXPECT_EQ(shown.back(), 499U);
  EXPECT_EQ(timeline.other_threads, 1U);
  EXPECT_EQ(timeline.other_events, 100U);
  EXPECT_EQ(counted(timeline), 500U);  // the picture counts every event that it omits
  const std::string dot = timeline_dot(timeline);
  EXPECT_THAT(dot, HasSubstr("events left out"));
  EXPECT_THAT(dot, HasSubstr("100 events of 1 other thread are not drawn."));
}

TEST(Timeline, AWindowIsDrawnAsRequested) {
  TimelineOptions options;
  options.events = {198, 201};
  const Timeline timeline = timeline_of(long_trace(), options).timeline;
  EXPECT_THAT(numbers(timeline), ElementsAre(198, 199, 200, 201));
  EXPECT_EQ(timeline.rows.front().skipped, 198U);
  EXPECT_EQ(timeline.skipped_after, 298U);
  EXPECT_EQ(counted(timeline), 500U);
}

TEST(Timeline, AWindowOfTooManyEventsIsCutAndSaysSo) {
  TimelineOptions options;
  options.events = {0, 499};
  const Timeline timeline = timeline_of(long_trace(), options).timeline;
  EXPECT_EQ(timeline.rows.size(), kMostRows);
  EXPECT_EQ(counted(timeline), 500U);
}

TEST(Timeline, ThreadsAreDrawnAsRequested) {
  TimelineOptions options;
  options.threads = {"b1t0", "b2t0"};
  options.events = {299, 301};
  const Timeline timeline = timeline_of(long_trace(), options).timeline;
  EXPECT_THAT(numbers(timeline), ElementsAre(299, 300, 301));
  options.threads = {"b9t9"};
  EXPECT_THAT(timeline_of(long_trace(), options).error, HasSubstr("the trace has no thread 'b9t9'"));
}

// 40 threads have one event each. The picture has space for at most kMostThreads of these threads.
TEST(Timeline, ThreadsThatDoNotFitAreCounted) {
  std::string body;
  for (int i = 0; i < 40; ++i) body += fmt::format("b0t{} w a[{}]=1\n", i, i);
  const Timeline timeline = timeline_of(body).timeline;
  EXPECT_EQ(timeline.rows.size(), kMostThreads);
  EXPECT_EQ(timeline.other_threads, 40U - kMostThreads);
  EXPECT_EQ(counted(timeline), 40U);
}

// In each thread, the events before the fence have time 1, and the events after the fence have time 2. Through the
// flag, b1t0 has received b0t0's time 1.
TEST(Timeline, ClocksHaveTheTimesOfOtherThreads) {
  TimelineOptions options;
  options.clocks = true;
  const Timeline timeline = timeline_of(
                                "b0t0 w x=1\n"
                                "b0t0 fence.sc.gpu\n"
                                "b0t0 w.relaxed.gpu f=1\n"
                                "b1t0 r.relaxed.gpu f=1\n"
                                "b1t0 fence.sc.gpu\n",
                                options)
                                .timeline;
  ASSERT_EQ(timeline.rows.size(), 5U);
  EXPECT_THAT(timeline.rows[1].clock, ElementsAre(2, 0));
  EXPECT_THAT(timeline.rows[4].clock, ElementsAre(1, 2));
  EXPECT_THAT(timeline_dot(timeline), HasSubstr("(1 2)"));
  EXPECT_THAT(timeline_dot(timeline), HasSubstr("vector clock after the event: b0t0 b1t0"));
}

TEST(Timeline, NamesAreNotMarkup) {
  const Timeline timeline = timeline_of("b0t0 w <b%3E\"x\" <i>:1\nb1t0 r <b%3E\"x\" <i>:2\n").timeline;
  const std::string dot = timeline_dot(timeline);
  EXPECT_THAT(dot, Not(HasSubstr("<b>\"x\"")));
  EXPECT_THAT(dot, HasSubstr("&lt;b&gt;&quot;x&quot;"));
  EXPECT_THAT(dot, Not(HasSubstr("<i>")));
}

TEST(Timeline, AnEmptyTraceSaysSo) {
  EXPECT_THAT(timeline_dot(timeline_of("").timeline), HasSubstr("There is no event to draw."));
}

}  // namespace
}  // namespace ambit::report
