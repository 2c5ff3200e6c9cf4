#include "api/check/smaller_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "parser/parse.h"

namespace ambit::api {
namespace {

using testing::HasSubstr;

const std::atomic<bool> kKeepsRunning{false};

/// Returns the question about the races of a kernel under ptx.
ExplainQuestion race_question(const std::string& text, const std::string& launch) {
  const auto source = std::make_shared<const SourceFile>(SourceFile{"sum.cu", text});
  parser::ProgramOptions options;
  options.launch = launch;
  const auto program = parser::parse_program(source, options);
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : render(program.errors()));
  parser::ModelStore store;
  return {program.value(), store.load("ptx", {}).value(), true};
}

ExplainQuestion smaller(const ExplainQuestion& question, const std::string& launch) {
  CheckingOptions options;
  options.launch = launch;
  verdict::Checker checker;
  return smaller_question(question, options, checker, kKeepsRunning);
}

std::string sum_with(const std::string& after_step) {
  return "__global__ void sum(float* s) {\n"
         "  for (int k = blockDim.x / 2; k > 0; k /= 2) {\n"
         "    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];\n    " +
         after_step + "\n  }\n}\n";
}

TEST(SmallerQuestion, KeepsTheStatementsOfTheRace) {
  const std::string launch = "sum<<<1, 64>>>(s[64])";
  const ExplainQuestion found = smaller(race_question(sum_with(""), launch), launch);
  EXPECT_EQ(found.launch, "sum<<<1, 4>>>(s[64])");
  ASSERT_EQ(found.program->remarks.size(), 1U);
  EXPECT_THAT(found.program->remarks.front().message, HasSubstr("sum<<<1, 4>>>(s[64]): the same statements race"));
}

TEST(SmallerQuestion, KeepsTheAnswerThatThereIsNoRace) {
  const std::string launch = "sum<<<1, 64>>>(s[64])";
  const ExplainQuestion found = smaller(race_question(sum_with("__syncthreads();"), launch), launch);
  EXPECT_EQ(found.launch, "sum<<<1, 4>>>(s[64])");
  EXPECT_THAT(found.program->remarks.front().message, HasSubstr("has no race either"));
}

// Thread 40 races with thread 0: launches with at most 40 threads in a block have no race.
TEST(SmallerQuestion, SkipsLaunchesWithoutTheRace) {
  const std::string launch = "k<<<1, 128>>>(s[128])";
  const std::string text =
      "__global__ void k(int* s) {\n"
      "  s[threadIdx.x] = 1;\n"
      "  if (threadIdx.x == 40) s[0] = 2;\n"
      "}\n";
  const ExplainQuestion found = smaller(race_question(text, launch), launch);
  EXPECT_EQ(found.launch, "k<<<1, 64>>>(s[128])");
}

// The race needs the last of 128 threads, so every smaller launch lacks it.
TEST(SmallerQuestion, KeepsTheLaunchIfNoSmallerLaunchHasTheRace) {
  const std::string launch = "k<<<1, 128>>>(s[128])";
  const std::string text =
      "__global__ void k(int* s) {\n"
      "  s[threadIdx.x] = 1;\n"
      "  if (threadIdx.x == 127) s[0] = 2;\n"
      "}\n";
  const ExplainQuestion question = race_question(text, launch);
  const ExplainQuestion found = smaller(question, launch);
  EXPECT_EQ(found.program, question.program);
  EXPECT_EQ(found.launch, "");
}

// Each launch has two races. The smaller launch meets them in another order.
TEST(SmallerQuestion, KeepsTheRaceThatComesFirst) {
  const std::string launch = "k<<<2, 64>>>(d[1])";
  const std::string text =
      "__global__ void k(int* d) {\n"
      "  __shared__ int s[64];\n"
      "  s[threadIdx.x] = 1;\n"
      "  int v = s[(threadIdx.x + 1) % 64];\n"
      "  if (threadIdx.x == 0) d[0] = d[0] + v;\n"
      "}\n";
  const ExplainQuestion found = smaller(race_question(text, launch), launch);
  ASSERT_TRUE(found.first_race);
  EXPECT_EQ(found.first_race->first.line, 3U);
  EXPECT_EQ(found.first_race->second.line, 4U);
  verdict::Checker checker;
  Context context;
  const auto explained = explain_question(found, checker, {}, {}, context);
  ASSERT_TRUE(explained.ok());
  EXPECT_THAT(explained.value().accesses(), testing::UnorderedElementsAre(testing::Field(&SourceSpan::line, 3U),
                                                                          testing::Field(&SourceSpan::line, 4U)));
}

TEST(SmallerQuestion, KeepsSmallLaunches) {
  const std::string launch = "sum<<<1, 8>>>(s[8])";
  const ExplainQuestion question = race_question(sum_with(""), launch);
  EXPECT_EQ(smaller(question, launch).program, question.program);
}

}  // namespace
}  // namespace ambit::api
