#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/judge/array_numbers.h"
#include "api/judge/result_comparison.h"
#include "api/judge/suite_judge.h"
#include "api/judge/task_inputs.h"
#include "report/json/kernel_scores_json.h"

namespace ambit::api {
namespace {

using parser::LaunchedArray;
using report::KernelScore;
using report::KernelScores;
using report::KernelVerdict;
using Bytes = std::vector<std::uint8_t>;

LaunchedArray array_of(LaunchedArray::Numbers numbers, std::uint32_t bytes, std::uint64_t length) {
  LaunchedArray array;
  array.name = "x";
  array.numbers = numbers;
  array.bytes = bytes;
  array.length = length;
  return array;
}
const auto kFloating = LaunchedArray::Numbers::Floating;
const auto kSigned = LaunchedArray::Numbers::Signed;

Bytes bytes_of(const LaunchedArray& array, const std::vector<double>& numbers) {
  Bytes bytes;
  for (const double number : numbers) ArrayNumbers(array).append(number, bytes);
  return bytes;
}

std::uint64_t bits_of(const LaunchedArray& array, double number) {
  const Bytes bytes = bytes_of(array, {number});
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  return bits;
}

// The encodings are those of IEEE 754 (binary16) and of bfloat16, which is the upper half of binary32.
TEST(ArrayNumbers, RoundsToShortFormats) {
  const LaunchedArray half = array_of(kFloating, 2, 1);
  EXPECT_EQ(bits_of(half, 1), 0x3c00U);
  EXPECT_EQ(bits_of(half, -2), 0xc000U);
  EXPECT_EQ(bits_of(half, 65504), 0x7bffU);                       // the largest number
  EXPECT_EQ(bits_of(half, 65520), 0x7c00U);                       // a tie between the largest number and 2^16: infinity
  EXPECT_EQ(bits_of(half, 1 + std::ldexp(1, -11)), 0x3c00U);      // a tie goes to even
  EXPECT_EQ(bits_of(half, 1 + 3 * std::ldexp(1, -11)), 0x3c02U);  // a tie goes to even
  EXPECT_EQ(bits_of(half, std::ldexp(1, -24)), 0x0001U);          // the smallest subnormal number
  EXPECT_EQ(bits_of(half, std::ldexp(1, -14)), 0x0400U);          // the smallest normal number
  EXPECT_EQ(bits_of(half, 0), 0U);
  const LaunchedArray brain = array_of(LaunchedArray::Numbers::BrainFloat, 2, 1);
  EXPECT_EQ(bits_of(brain, 1), 0x3f80U);
  EXPECT_EQ(bits_of(brain, 3.140625), 0x4049U);
}

TEST(ArrayNumbers, ReadsShortFormats) {
  for (const auto numbers : {kFloating, LaunchedArray::Numbers::BrainFloat}) {
    const LaunchedArray array = array_of(numbers, 2, 1);
    for (const double number : {0.0, 1.0, -1.5, 0.15625, 24.0, std::ldexp(1, -14), -std::ldexp(1, 15)}) {
      EXPECT_EQ(ArrayNumbers(array).number(bytes_of(array, {number}), 0), number);
    }
    EXPECT_TRUE(std::isnan(ArrayNumbers(array).number(bytes_of(array, {std::nan("")}), 0)));
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(ArrayNumbers(array).number(bytes_of(array, {-infinity}), 0), -infinity);
  }
}

TEST(ArrayNumbers, WritesIntegers) {
  EXPECT_EQ(ArrayNumbers(array_of(kSigned, 1, 2)).text(Bytes{0xff, 0x7f}, 0), "-1");
  EXPECT_EQ(ArrayNumbers(array_of(LaunchedArray::Numbers::Unsigned, 1, 1)).text(Bytes{0xff}, 0), "255");
  EXPECT_EQ(ArrayNumbers(array_of(kSigned, 8, 1)).text(Bytes(8, 0xff), 0), "-1");
  EXPECT_EQ(ArrayNumbers(array_of(LaunchedArray::Numbers::Unknown, 2, 1)).text(Bytes{0x34, 0x12}, 0), "0x1234");
  EXPECT_TRUE(ArrayNumbers(array_of(kSigned, 1, 1)).holds(-128));
  EXPECT_FALSE(ArrayNumbers(array_of(kSigned, 1, 1)).holds(128));
  EXPECT_FALSE(ArrayNumbers(array_of(LaunchedArray::Numbers::Unsigned, 4, 1)).holds(-1));
}

report::KernelResults compared(const LaunchedArray& array, const std::vector<double>& expected,
                               const std::vector<double>& actual, suite::Tolerance tolerance = {}) {
  report::KernelResults results;
  compare_array(array, tolerance, bytes_of(array, expected), bytes_of(array, actual), 3, results);
  return results;
}

TEST(ResultComparison, IntegersMustBeEqual) {
  const LaunchedArray array = array_of(kSigned, 4, 3);
  const auto results = compared(array, {1, -2, 3}, {1, 2, 4}, {10, 10});
  EXPECT_EQ(results.differences, 2U);
  ASSERT_TRUE(results.first);
  EXPECT_EQ(results.first->index, 1U);
  EXPECT_EQ(results.first->expected, "-2");
  EXPECT_EQ(results.first->actual, "2");
  EXPECT_EQ(results.first->input, 3U);
  EXPECT_EQ(results.largest_absolute_error, 4);
  EXPECT_EQ(results.largest_relative_error, 2);
}

TEST(ResultComparison, FloatingPointNumbersHaveTolerances) {
  const LaunchedArray array = array_of(kFloating, 8, 2);
  EXPECT_EQ(compared(array, {100, 1}, {101, 1}, {0, 0.01}).differences, 0U);
  EXPECT_EQ(compared(array, {100, 1}, {101, 1}, {0, 0.009}).differences, 1U);
  EXPECT_EQ(compared(array, {100, 0}, {100, 0.5}, {0.5, 0}).differences, 0U);
  EXPECT_EQ(compared(array, {1, 1}, {1 + 1.9e-7, 1}).differences, 0U);  // the default of double is 1e-7 + 1e-7
  EXPECT_EQ(compared(array, {1, 1}, {1 + 2.1e-7, 1}).differences, 1U);
}

TEST(ResultComparison, SpecialNumbers) {
  const LaunchedArray array = array_of(kFloating, 4, 1);
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::nan("");
  EXPECT_EQ(compared(array, {nan}, {nan}).differences, 0U);
  EXPECT_EQ(compared(array, {nan}, {1}, {1e9, 1e9}).differences, 1U);
  EXPECT_EQ(compared(array, {1}, {nan}, {1e9, 1e9}).differences, 1U);
  EXPECT_EQ(compared(array, {infinity}, {infinity}).differences, 0U);
  EXPECT_EQ(compared(array, {infinity}, {-infinity}, {1e9, 1e9}).differences, 1U);
  EXPECT_EQ(compared(array, {1}, {infinity}, {1e9, 1e9}).differences, 1U);
  EXPECT_EQ(compared(array, {0.0}, {-0.0}, {0, 0}).differences, 0U);
}

suite::TaskFile task_of(const std::string& fill) {
  const std::string text =
      R"({"launch": "", "arrays": {"x": {"direction": "inout")" + (fill.empty() ? "" : ", \"fill\": " + fill) + "}}}";
  return suite::read_task_file(std::make_shared<const SourceFile>(SourceFile{"task.json", text})).value();
}

std::vector<double> filled(const std::string& fill, const LaunchedArray& array, std::uint64_t input = 0) {
  parser::ModuleLaunch launch;
  launch.arrays = {array};
  const auto inputs = inputs_of(task_of(fill), launch, input);
  std::vector<double> numbers;
  for (std::uint64_t i = 0; i < array.length; ++i) numbers.push_back(ArrayNumbers(array).number(inputs[0].bytes, i));
  return numbers;
}

TEST(TaskInputs, FillArrays) {
  const auto real = filled(R"({"uniform": [2, 3]})", array_of(kFloating, 8, 100));
  EXPECT_GE(*std::ranges::min_element(real), 2);
  EXPECT_LT(*std::ranges::max_element(real), 3);
  const auto integers = filled(R"({"integers": [-2, 2]})", array_of(kSigned, 4, 100));
  EXPECT_EQ(std::set<double>(integers.begin(), integers.end()), (std::set<double>{-2, -1, 0, 1, 2}));
  const auto order = filled(R"("permutation")", array_of(kSigned, 4, 50));
  EXPECT_EQ(std::set<double>(order.begin(), order.end()).size(), 50U);
  EXPECT_EQ(*std::ranges::max_element(order), 49);
  EXPECT_EQ(filled(R"("zeros")", array_of(kSigned, 4, 2)), (std::vector<double>{0, 0}));
  LaunchedArray given = array_of(kSigned, 4, 3);
  given.contents = {5, 7};
  EXPECT_EQ(filled("", given), (std::vector<double>{5, 7, 0}));
  given.repeats = true;
  EXPECT_EQ(filled("", given), (std::vector<double>{5, 7, 7}));
}

TEST(TaskInputs, DependOnSeedAndInputOnly) {
  const LaunchedArray array = array_of(kSigned, 4, 20);
  const std::string fill = R"({"integers": [0, 1000]})";
  EXPECT_EQ(filled(fill, array, 1), filled(fill, array, 1));
  EXPECT_NE(filled(fill, array, 1), filled(fill, array, 2));
}

TEST(TaskInputs, AreWrittenIntoTheLaunch) {
  parser::ModuleLaunch launch;
  launch.arrays = {array_of(kSigned, 4, 2)};
  const suite::TaskFile task = task_of(R"({"integers": [3, 3]})");
  const std::string text = "kx<<<1, 2>>>(5, int x[2], &x[1])";
  EXPECT_EQ(launch_with_contents(task, text, launch, inputs_of(task, launch, 0)),
            "kx<<<1, 2>>>(5, int x[2] = {3, 3}, &x[1])");
}

TEST(TaskInputs, AreCheckedAgainstTheLaunch) {
  parser::ModuleLaunch launch;
  launch.arrays = {array_of(kSigned, 1, 2)};
  const auto first = [&](const std::string& fill) {
    const Diagnostics errors = check_arrays(task_of(fill), launch);
    return errors.empty() ? std::string() : errors.front().message;
  };
  EXPECT_EQ(first(R"({"integers": [-128, 127]})"), "");
  EXPECT_EQ(first(R"({"integers": [0, 128]})"), "the elements of 'x' cannot hold the numbers from 0 to 128");
  EXPECT_EQ(first(R"({"uniform": [0, 1]})"), "\"uniform\" fills only floating-point arrays; write \"integers\"");
  launch.arrays[0].name = "y";
  EXPECT_EQ(first(""), "the array 'y' of the launch is missing here");
}

KernelScore score_with(KernelVerdict verdict) {
  KernelScore score;
  score.file = "a.cu";
  score.verdict = verdict;
  score.reason = "because";
  return score;
}

TEST(KernelScores, ExitStatus) {
  const auto status = [](std::vector<KernelVerdict> candidates, KernelVerdict reference = KernelVerdict::Correct) {
    KernelScores scores;
    report::ScoredTask& task = scores.tasks.emplace_back();
    task.reference = score_with(reference);
    for (const KernelVerdict one : candidates) task.candidates.push_back(score_with(one));
    return exit_status(scores);
  };
  EXPECT_EQ(status({KernelVerdict::Correct}), 0);
  EXPECT_EQ(status({KernelVerdict::Correct, KernelVerdict::Unknown}), 3);
  EXPECT_EQ(status({KernelVerdict::TimedOut}), 3);
  EXPECT_EQ(status({KernelVerdict::Unknown, KernelVerdict::Race}), 1);
  EXPECT_EQ(status({KernelVerdict::DoesNotCompile}), 1);
  EXPECT_EQ(status({KernelVerdict::Unknown}, KernelVerdict::CannotLaunch), 2);
}

TEST(KernelScores, JsonCanBeReadAgain) {
  KernelScore score = score_with(KernelVerdict::Race);
  score.compiles = true;
  score.launch = "k<<<1, 2>>>()";
  score.results = {report::KernelResults::State::Different,      3, 2, 0.5, 0.25,
                   report::KernelDifference{"x", 4, "1", "2", 1}};
  score.faults = {{report::JudgedVerdict::Race,
                   "why",
                   {{"a.cu", 3, 4, "x = 1;", "block 0, thread 1", "st"}},
                   "x[1]",
                   report::JudgingTool::Exec,
                   ""}};
  score.coverage = report::Coverage{report::Coverage::Kind::Sampled, 3};
  score.remarks = {"a remark"};
  const std::string text = report::kernel_score_json(score);
  const auto again = report::read_kernel_score(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(report::kernel_score_json(*again), text);
  EXPECT_FALSE(report::read_kernel_score(text.substr(0, text.size() / 2)));
  EXPECT_FALSE(report::read_kernel_score("{}"));
}

}  // namespace
}  // namespace ambit::api
