#include "detector/external/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "detector/external/answered_run.h"

namespace ambit::external {
namespace {

using ::testing::HasSubstr;

template <typename Kind>
Kind read(std::string_view line) {
  const auto answer = read_answer(line);
  if (const auto* wrong = std::get_if<std::string>(&answer)) ADD_FAILURE() << *wrong;
  return std::get<Kind>(std::get<Answer>(answer));
}

std::string wrong(std::string_view line) {
  const auto answer = read_answer(line);
  const auto* error = std::get_if<std::string>(&answer);
  return error == nullptr ? "" : *error;
}

TEST(Answer, ARaceNamesEventsOrPlaces) {
  const auto race = read<AnsweredRace>(R"({"race": [4, {"thread": "b0t1", "place": "a.cu:3", "write": true}],
      "kind": "missing fence", "why": "so", "count": 3, "location": "x", "new field": 1})");
  EXPECT_EQ(race.first.event, 4U);
  EXPECT_FALSE(race.second.event);
  EXPECT_EQ(race.second.thread, "b0t1");
  EXPECT_EQ(race.second.place, "a.cu:3");
  EXPECT_TRUE(race.second.is_write);
  EXPECT_EQ(race.kind, RaceKind::MissingFence);
  EXPECT_EQ(race.why, "so");
  EXPECT_EQ(race.count, 3U);
  EXPECT_EQ(race.location, "x");
  EXPECT_EQ(read<AnsweredRace>(R"({"race": ["a.cu:1", {}]})").first.place, "a.cu:1");
}

TEST(Answer, OtherLines) {
  EXPECT_EQ(read<GaveUp>(R"({"gave_up": "full"})").reason, "full");
  EXPECT_EQ(read<Remark>(R"({"remark": "3 conflicts"})").text, "3 conflicts");
  const auto end = read<EndOfRun>(R"({"end": 7, "test": "MP", "events": 12})");
  EXPECT_EQ(end.run, 7U);
  EXPECT_EQ(end.test, "MP");
  EXPECT_EQ(end.events, 12U);
  EXPECT_FALSE(read<EndOfRun>(R"({"end": 7})").test);
}

TEST(Answer, ErrorsAreReported) {
  EXPECT_EQ(wrong("hello"), "expected a JSON object, found 'hello'");
  EXPECT_EQ(wrong(""), "expected a JSON object, found ''");
  EXPECT_EQ(wrong("[1]"), "expected a JSON object, found '[1]'");
  EXPECT_EQ(wrong("{\"x\": \"\x1b[31m\""), "expected a JSON object, found '{\"x\": \"?[31m\"'");
  EXPECT_THAT(wrong("{}"), HasSubstr("expected one of \"race\", \"gave_up\", \"remark\", \"end\": '{}'"));
  EXPECT_THAT(wrong(R"({"race": [1]})"), HasSubstr("\"race\" must be an array of two accesses"));
  EXPECT_THAT(wrong(R"({"race": [1, -2]})"), HasSubstr("a side of a race must be the number of an event"));
  EXPECT_THAT(wrong(R"({"race": [1, 2], "kind": "odd"})"), HasSubstr("unknown kind 'odd' of a race; kinds: no sync"));
  EXPECT_THAT(wrong(R"({"race": [1, 2], "why": 3})"), HasSubstr("\"why\" must be a string"));
  EXPECT_THAT(wrong(R"({"race": [1, 2], "end": 0})"), HasSubstr("expected only one of \"race\", \"gave_up\""));
  EXPECT_THAT(wrong(R"({"end": "x"})"), HasSubstr("\"end\" must be a number, 0 or more"));
  EXPECT_LT(wrong(std::string(100'000, 'x')).size(), 200U);
}

/// In this run, b0t0 writes x and then runs a fence; b1t0 reads x.
class AnswersAboutARun : public testing::Test {
 protected:
  AnswersAboutARun() : run_(tables_) {
    tables_.launch.grid = {2, 1, 1};
    for (std::uint32_t block : {0U, 1U}) tables_.thread(0, block, 0);
    tables_.location("x");
    tables_.site("a.cu:1");
    TraceEvent event;
    event.op = TraceOp::Write;
    event.object = event.site = 0;
    run_.add(event);
    event.op = TraceOp::Fence;
    run_.add(event);
    event.op = TraceOp::Read;
    event.thread = 1;
    run_.add(event);
  }
  std::string take(std::string_view line) { return run_.take(read<AnsweredRace>(line)); }

  TraceTables tables_;
  AnsweredRun run_;
};

TEST_F(AnswersAboutARun, EventsBecomeAccesses) {
  EXPECT_EQ(take(R"({"race": [2, 0], "why": "no fence"})"), "");
  ASSERT_EQ(run_.races().size(), 1U);
  const RaceReport race = run_.races()[0];
  EXPECT_EQ(race.first.event, 0U);  // the earlier event
  EXPECT_TRUE(race.first.is_write);
  EXPECT_EQ(race.second.thread, 1U);
  EXPECT_EQ(race.location, 0U);
  EXPECT_EQ(race.level, RaceLevel::Device);
  EXPECT_EQ(race.sentence, "b0t0 writes x (a.cu:1), b1t0 reads x (a.cu:1): no fence");
  // Writes the race as a line, and parses the line. The result must be the same race.
  EXPECT_EQ(take(race_line(race, tables_)), "");
  EXPECT_EQ(run_.races()[1].sentence, race.sentence);
  EXPECT_TRUE(is_same_race(run_.races()[1], race));
}

TEST_F(AnswersAboutARun, UnkeptPartsOfARaceAreOmitted) {
  EXPECT_EQ(take(R"({"race": [{"place": "a.cu:1", "write": true}, {"thread": "b1t0"}], "location": "x"})"), "");
  EXPECT_EQ(run_.races()[0].sentence, "a thread writes x (a.cu:1), b1t0 reads x");
  EXPECT_EQ(take(R"({"race": [{}, {}]})"), "");
  EXPECT_EQ(run_.races()[1].sentence, "some access, some access");
}

TEST_F(AnswersAboutARun, LiesAreFound) {
  EXPECT_EQ(take(R"({"race": [0, 3]})"), "a race names event 3, but the run has 3 events");
  EXPECT_EQ(take(R"({"race": [0, 1]})"), "a race names event 1, which is not an access of memory");
  EXPECT_EQ(take(R"({"race": [0, 0]})"), "a race names events 0 and 0, which belong to one thread");
  EXPECT_EQ(take(R"({"race": ["b.cu:9", 0]})"), "a race names the place 'b.cu:9', which no event of the run has");
  EXPECT_EQ(take(R"({"race": [{"thread": "b9t9"}, 0]})"), "a race names thread 'b9t9', which has no event in the run");
  EXPECT_EQ(take(R"({"race": [0, 2], "location": "y"})"),
            "a race names the location 'y', which no event of the run accesses");
  EXPECT_EQ(take(R"({"race": [0, 2], "witness": [7]})"),
            "a witness names an event that does not exist; the run has 3 events");
  EXPECT_EQ(take(R"({"race": [0, 2], "witness": [2]})"),
            "a witness contains event 2, one of the two accesses, which must come after it");
  EXPECT_TRUE(run_.races().empty());
}

TEST_F(AnswersAboutARun, EventsThatCannotRaceAreRejected) {
  tables_.location("y");
  TraceEvent event;
  event.op = TraceOp::Read;
  event.object = event.site = 0;
  run_.add(event);  // 3: b0t0 reads x
  event.op = TraceOp::Write;
  event.object = 1;
  run_.add(event);  // 4: b0t0 writes y
  EXPECT_EQ(take(R"({"race": [3, 2]})"), "a race names events 3 and 2, which are both reads");
  EXPECT_EQ(take(R"({"race": [4, 2]})"), "a race names events 4 and 2, which access different locations");
  EXPECT_TRUE(run_.races().empty());
  EXPECT_EQ(take(R"({"race": [4, 2], "location": "x"})"), "") << "a detector that watches both as one";
}

}  // namespace
}  // namespace ambit::external
