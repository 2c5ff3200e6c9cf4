#include "report/logs/outcome_log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "report/logs/log_compare.h"

namespace ambit::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using Kind = TestComparison::Kind;

Result<OutcomeLog> read(const std::string& text, const std::string& path = "a.log") {
  std::istringstream in(text);
  return read_log(in, path);
}

OutcomeLog log_of(const std::string& text, const std::string& path = "a.log") {
  Result<OutcomeLog> log = read(text, path);
  EXPECT_TRUE(log.ok()) << render(log.errors());
  return log.ok() ? std::move(log).value() : OutcomeLog{};
}

std::string error_of(const std::string& text) {
  const Result<OutcomeLog> log = read(text);
  return log.ok() ? std::string("no error") : render(log.errors());
}

constexpr const char* kModel = R"(Test SB Allowed
States 3
0:r0=0; 1:r1=1;
0:r0=1; 1:r1=0;
0:r0=1; 1:r1=1;
No
Witnesses
Positive: 0 Negative: 3
Condition exists (0:r0=0 /\ 1:r1=0)
Observation SB Never 0 3
Time SB 0.00
Hash=aa

)";

// A test in the output of litmus7. In this format, other text precedes the test, and each state has a count. A star
// marks a state that satisfies the condition. A comma separates the numbers of witnesses.
constexpr const char* kMachine = R"(%%%%%%%%%%%
% Results for SB.litmus %
PTX SB
exists (0:r0=0 /\ 1:r1=0)
Generated assembler
	##START _litmus_P0

Test SB Allowed
Histogram (4 states)
96    *>1:r1=0; 0:r0=0;
499878:>1:r1=0; 0:r0=1;
499862:>1:r1=1; 0:r0=0;
164   :>1:r1=1; 0:r0=1;
Ok

Witnesses
Positive: 96, Negative: 999904
Condition exists (0:r0=0 /\ 1:r1=0) is validated
Hash=aa
Observation SB Sometimes 96 999904
Time SB 0.11
)";

TEST(OutcomeLog, ReadsTheLogOfAModel) {
  const OutcomeLog log = log_of(kModel);
  ASSERT_THAT(log.tests, SizeIs(1));
  const LoggedTest& test = log.tests.at("SB");
  EXPECT_FALSE(test.is_histogram);
  EXPECT_EQ(test.hash, "aa");
  EXPECT_THAT(test.states, SizeIs(3));
  EXPECT_TRUE(test.states.contains("0:r0=1; 1:r1=0;"));
}

TEST(OutcomeLog, ReadsTheLogOfAMachine) {
  const OutcomeLog log = log_of(kMachine);
  const LoggedTest& test = log.tests.at("SB");
  EXPECT_TRUE(test.is_histogram);
  EXPECT_THAT(test.states, SizeIs(4));
  EXPECT_EQ(test.states.at("0:r0=0; 1:r1=0;"), 96U);
  EXPECT_EQ(test.states.at("0:r0=1; 1:r1=0;"), 499878U);
}

TEST(OutcomeLog, OneStateHasOneForm) {
  const OutcomeLog log =
      log_of("Test T Allowed\nStates 2\nP1:r0=0x10; [x]=-1; data[1]=y;\n 1:r0 = 17 ; x=-0; data[1]=y;\nOk\n");
  EXPECT_TRUE(log.tests.at("T").states.contains("1:r0=16; data[1]=y; x=-1;"));
  EXPECT_TRUE(log.tests.at("T").states.contains("1:r0=17; data[1]=y; x=0;"));
}

TEST(OutcomeLog, LineEndsOfWindowsAndNoLastLineEnd) {
  const OutcomeLog log = log_of("Test T Required\r\nStates 1\r\n0:r0=1;\r\nOk\r\nHash=ab");
  EXPECT_TRUE(log.tests.at("T").states.contains("0:r0=1;"));
  EXPECT_EQ(log.tests.at("T").hash, "ab");
}

TEST(OutcomeLog, TwoTestsOfOneNameAreNotTwoModels) {
  const auto errors = [](const std::string& hash) {
    return error_of("Test T\nStates 1\nx=1;\nOk\nHash=aa\n\nTest T\nStates 1\nx=2;\nOk\nHash=" + hash + "\n\n");
  };
  EXPECT_THAT(errors("bb"), HasSubstr("the test 'T' differs from the test of this name in line 1"));
  EXPECT_THAT(errors("aa"), HasSubstr("compare two models as two logs"));
}

TEST(OutcomeLog, AHashMayLack) { EXPECT_EQ(log_of("Test T\nStates 1\nx=1;\nOk\n").tests.at("T").hash, ""); }

// If a test observes nothing, it has one state, which is an empty line in the log. If a model allows nothing, the test
// has no states.
TEST(OutcomeLog, EmptyStates) {
  EXPECT_THAT(log_of("Test T Allowed\nStates 1\n\nOk\n").tests.at("T").states, ElementsAre(Pair(LogState(), 1)));
  EXPECT_THAT(log_of("Test T Allowed\nStates 0\nNo\n").tests.at("T").states, IsEmpty());
}

TEST(OutcomeLog, RunsOfAMachineAreAddedUp) {
  const std::string run = "Test T Allowed\nHistogram (1 states)\n5:>x=1;\nOk\n\n";
  const std::string other = "Test T Allowed\nHistogram (2 states)\n2:>x=1;\n1:>x=2;\nOk\nHash=1\n";
  const OutcomeLog log = log_of(run + other);
  EXPECT_THAT(log.tests.at("T").states, ElementsAre(Pair("x=1;", 7), Pair("x=2;", 1)));
  EXPECT_THAT(log.warnings, IsEmpty());
}

TEST(OutcomeLog, TwoAnswersOfAModelAreAnError) {
  const std::string one = "Test T Allowed\nStates 1\nx=1;\nOk\n\n";
  EXPECT_THAT(log_of(one + one).tests, SizeIs(1));
  EXPECT_THAT(error_of(one + "Test T Allowed\nStates 1\nx=2;\nOk\n"),
              HasSubstr("a.log:6:1: error: the test 'T' has other states here than in line 1"));
}

TEST(OutcomeLog, ALogThatWasCutOffIsAnError) {
  // Cut the log at each position before the line with the answer.
  const std::string whole = kModel;
  for (std::size_t length = 0; length <= whole.find("No\n"); ++length) {
    EXPECT_FALSE(read(whole.substr(0, length)).ok()) << whole.substr(0, length);
  }
  // The log ends after some states, before the states, or inside a state.
  EXPECT_THAT(error_of("Test T Allowed\nStates 2\nx=1;\n"),
              HasSubstr("a.log:3:5: error: the log ends within the test 'T'"));
  EXPECT_THAT(error_of("Test T Allowed\n"), HasSubstr("a.log:1:15: error: the log ends within the test 'T'"));
  EXPECT_THAT(error_of("Test T Allowed\nStates 2\n0:r0=1; 1:r"), HasSubstr("a.log:3:9: error: this is not a state"));
  EXPECT_THAT(error_of("Test T Allowed\nTest U Allowed\n"),
              HasSubstr("a.log:2:1: error: the test 'U' begins before 'T'"));
  EXPECT_THAT(error_of("Test T Allowed\nStates 2\nx=1;\nTest U Allowed\n"),
              HasSubstr("a.log:4:1: error: a test begins"));
  EXPECT_THAT(error_of("Test T Allowed\nStates 2\nx=1;\nOk\n"),
              HasSubstr("a.log:4:1: error: the test 'T' announces 2 states, but has 1"));
}

TEST(OutcomeLog, OtherTextIsAnError) {
  EXPECT_THAT(error_of(""), HasSubstr("there is no test in this log"));
  EXPECT_THAT(error_of("hello\nTest of nothing at all\n"), HasSubstr("there is no test in this log"));
  EXPECT_THAT(error_of(std::string("ab\0c", 4)), HasSubstr("line 1 is not the text of a log"));
  EXPECT_THAT(error_of("Test T Alowed\n"), HasSubstr("a.log:1:8: error: expected Allowed, Forbidden or Required"));
  EXPECT_THAT(error_of("Test T Allowed\nStates many\n"), HasSubstr("a.log:2:8: error: expected the number of states"));
}

TEST(OutcomeLog, NothingIsGuessed) {
  EXPECT_THAT(error_of("Test T Allowed\nStates 2\nx=1; y=2;\n[y]=0x2; x=1;\nOk\n"),
              HasSubstr("a.log:4:1: error: duplicate state of the test 'T'"));
  EXPECT_THAT(error_of("Test T Allowed\nStates 1\n0:r0=1; P0:r0=2;\nOk\n"),
              HasSubstr("a.log:3:9: error: '0:r0' has the value 1 in this state already"));
  for (const std::string count : {"18446744073709551616:>", "-5:>", "0:>", "*>", ":>", "many *>"}) {
    EXPECT_THAT(error_of("Test T Allowed\nHistogram (1 states)\n" + count + "x=1;\nOk\n"),
                HasSubstr("a.log:3:1: error: expected how often the state was seen"))
        << count;
  }
}

// The largest possible count is 2^64 - 1.
TEST(OutcomeLog, CountsDoNotWrap) {
  const std::string most = "18446744073709551615:>x=1;\n";
  EXPECT_EQ(log_of("Test T\nHistogram (1 states)\n" + most + "Ok\n").tests.at("T").states.at("x=1;"),
            18446744073709551615U);
  EXPECT_THAT(error_of("Test T\nHistogram (2 states)\n" + most + "1:>x=2;\nOk\n"),
              HasSubstr("a.log:1:1: error: the counts of the test 'T' add up to 2^64 or more"));
  EXPECT_THAT(error_of("Test T\nHistogram (1 states)\n" + most + "Ok\nTest T\nHistogram (1 states)\n1:>x=1;\nOk\n"),
              HasSubstr("a.log:5:1: error: the counts of the test 'T'"));
}

TEST(OutcomeLog, ReadsWhatIsUndecided) {
  const OutcomeLog log = log_of("Test A Allowed\nStates 1\nx=1;\nOk\nUndecided B under ptx: Unknown (bound): a loop\n");
  ASSERT_THAT(log.tests, SizeIs(2));
  EXPECT_FALSE(log.tests.at("A").is_undecided);
  EXPECT_TRUE(log.tests.at("B").is_undecided);
  EXPECT_THAT(error_of("Undecided about it all\n"), HasSubstr("there is no test in this log"));
  EXPECT_THAT(error_of("Undecided T under sc: why\nTest T\nStates 1\nx=1;\nOk\n"),
              HasSubstr("a.log:2:1: error: the test 'T' has other states here than in line 1"));
}

TEST(CompareLogs, TheSameStatesInAnotherOrderAreTheSame) {
  const OutcomeLog a = log_of(kModel);
  const OutcomeLog b =
      log_of("Test SB Allowed\nStates 3\n1:r1=1; 0:r0=1;\n1:r1=0; 0:r0=1;\n1:r1=1; 0:r0=0;\nNo\n", "b.log");
  const LogComparison comparison = compare_logs(a, b);
  EXPECT_TRUE(comparison.all_same());
  EXPECT_EQ(comparison.tests.front().common, 3U);
  EXPECT_THAT(comparison.tests.front().warnings, IsEmpty());
}

// If a machine shows an outcome that the model forbids, the comparison says `not allowed`. If a machine does not show
// an allowed outcome, this contradicts nothing.
TEST(CompareLogs, MachinesAgainstModels) {
  const LogComparison refuted = compare_logs(log_of(kMachine), log_of(kModel, "b.log"));
  EXPECT_EQ(refuted.tests.front().kind, Kind::NotAllowed);
  EXPECT_THAT(refuted.tests.front().only_first, ElementsAre(Pair("0:r0=0; 1:r1=0;", 96)));
  EXPECT_THAT(comparison_text(refuted, {}, false),
              HasSubstr("  seen in a.log, but not allowed by b.log\n    0:r0=0; 1:r1=0;  96 times\n"));
  const OutcomeLog quiet = log_of("Test SB Allowed\nHistogram (1 states)\n9:>0:r0=1; 1:r1=1;\nNo\n", "hw.log");
  const LogComparison unseen = compare_logs(log_of(kModel), quiet);
  EXPECT_EQ(unseen.tests.front().kind, Kind::Unseen);
  EXPECT_THAT(unseen.tests.front().only_first, SizeIs(2));
  EXPECT_FALSE(unseen.all_same());
}

TEST(CompareLogs, TheWorstComesFirst) {
  const std::string same = "Test A Allowed\nStates 1\nx=1;\nOk\n";
  const OutcomeLog a = log_of(same + "Test B Allowed\nStates 1\nx=1;\nOk\nTest C Allowed\nStates 1\nx=1;\nOk\n");
  const OutcomeLog b = log_of(same + "Test B Allowed\nHistogram (1 states)\n3:>x=2;\nOk\n", "b.log");
  const LogComparison comparison = compare_logs(a, b);
  ASSERT_THAT(comparison.tests, SizeIs(3));
  EXPECT_EQ(comparison.tests[0].name, "B");
  EXPECT_EQ(comparison.tests[0].kind, Kind::NotAllowed);
  EXPECT_EQ(comparison.tests[1].name, "C");
  EXPECT_EQ(comparison.tests[1].kind, Kind::Missing);
  EXPECT_EQ(comparison.tests[2].kind, Kind::Same);
}

TEST(CompareLogs, DifferentHashesAreAWarningIfOthersAgree) {
  const std::string same = "Test S Allowed\nStates 1\nx=1;\nOk\nHash=7\n\n";
  const OutcomeLog a = log_of(same + "Test T Allowed\nStates 1\nx=1;\nOk\nHash=1\n");
  const OutcomeLog b = log_of(same + "Test T Allowed\nStates 1\nx=1;\nOk\nHash=2\n", "b.log");
  const LogComparison comparison = compare_logs(a, b);
  EXPECT_EQ(comparison.tests[1].kind, Kind::Same);
  EXPECT_THAT(comparison.tests[0].warnings, IsEmpty());
  EXPECT_THAT(comparison.tests[1].warnings, ElementsAre(HasSubstr("hashes differ")));
  EXPECT_THAT(comparison.notes, IsEmpty());
}

// Ambit's hashes never equal herd's (docs/reference/logs.md).
TEST(CompareLogs, HashesOfDifferentToolsAreOneNote) {
  const OutcomeLog a =
      log_of("Test S Allowed\nStates 1\nx=1;\nOk\nHash=1\n\nTest T Allowed\nStates 1\nx=1;\nOk\nHash=2\n");
  const OutcomeLog b =
      log_of("Test S Allowed\nStates 1\nx=1;\nOk\nHash=3\n\nTest T Allowed\nStates 1\nx=1;\nOk\nHash=4\n", "b.log");
  const LogComparison comparison = compare_logs(a, b);
  for (const TestComparison& test : comparison.tests) EXPECT_THAT(test.warnings, IsEmpty());
  EXPECT_THAT(comparison.notes, ElementsAre(HasSubstr("no test has the same hash")));
}

// Only one log has y, so the comparison uses only x. Two states of the first log that differ only in y are one state.
TEST(CompareLogs, OnlyCommonCellsAreCompared) {
  const OutcomeLog a = log_of("Test T Allowed\nStates 2\nx=1; y=0;\nx=1; y=1;\nOk\n");
  const OutcomeLog b = log_of("Test T Allowed\nStates 1\nx=1;\nOk\n", "b.log");
  const LogComparison comparison = compare_logs(a, b);
  EXPECT_EQ(comparison.tests.front().kind, Kind::Same);
  EXPECT_EQ(comparison.tests.front().common, 1U);
  EXPECT_THAT(comparison.tests.front().warnings, ElementsAre("only one log shows y: not compared"));
}

// If two logs have no cell in common, the comparison says neither "same" nor "not allowed".
TEST(CompareLogs, WithNothingInCommonNothingIsDecided) {
  const OutcomeLog model = log_of("Test T Allowed\nStates 2\nx=1; y=0;\nx=1; y=1;\nOk\n");
  for (const char* histogram : {"1 *>z=1;", "1 *>"}) {
    const OutcomeLog seen = log_of(fmt::format("Test T Allowed\nHistogram (1 states)\n{}\nOk\n", histogram), "b.log");
    const TestComparison compared = compare_logs(model, seen).tests.front();
    EXPECT_EQ(compared.kind, Kind::Undecided) << histogram;
    EXPECT_TRUE(compared.only_first.empty() && compared.only_second.empty()) << histogram;
    EXPECT_THAT(compared.warnings, ElementsAre("the logs show no register or cell in common")) << histogram;
  }
}

TEST(CompareLogs, ALoopThatWasCutIsAWarning) {
  const OutcomeLog a = log_of("Test T Allowed\nStates 1\nx=1;\nLoop Ok\n");
  EXPECT_THAT(compare_logs(a, a).tests.front().warnings, ElementsAre(HasSubstr("loop")));
}

// A log that was cut off may lack outcomes. Ambit still compares the outcomes that this log contains.
TEST(CompareLogs, ACutLogDeniesNothing) {
  const OutcomeLog cut = log_of("Test T Allowed\nStates 2\nx=1;\nx=2;\nLoop Ok\n");
  const auto kind = [&](const std::string& states) {
    return compare_logs(cut, log_of("Test T Allowed\n" + states + "Ok\n", "b.log")).tests.front().kind;
  };
  EXPECT_EQ(kind("States 2\nx=1;\nx=2;\n"), Kind::Undecided);
  EXPECT_EQ(kind("States 3\nx=1;\nx=2;\nx=3;\n"), Kind::Undecided);
  EXPECT_EQ(kind("States 1\nx=1;\n"), Kind::Different) << "x=2 is allowed by the cut log only";
  EXPECT_EQ(kind("Histogram (1 states)\n5:>x=1;\n"), Kind::Unseen);
  EXPECT_EQ(kind("Histogram (2 states)\n5:>x=1;\n1:>x=3;\n"), Kind::Undecided) << "x=3 may be allowed";
}

TEST(CompareLogs, NoAnswerIsNotTheSame) {
  const OutcomeLog open = log_of("Undecided T under ptx: Unknown (bound): a loop\n");
  const OutcomeLog known = log_of("Test T Allowed\nStates 1\nx=1;\nOk\n", "b.log");
  for (const LogComparison& comparison : {compare_logs(open, open), compare_logs(open, known)}) {
    EXPECT_EQ(comparison.tests.front().kind, Kind::Undecided);
    EXPECT_FALSE(comparison.all_same());
    EXPECT_TRUE(comparison.none_different());
  }
  EXPECT_EQ(comparison_text(compare_logs(open, known), {}, true),
            "undecided    T  no answer in a.log\na.log and b.log: 1 test: 1 undecided\n");
}

}  // namespace
}  // namespace ambit::report
