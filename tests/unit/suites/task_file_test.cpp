#include "suite/task_file.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace ambit::suite {
namespace {

using Direction = TaskArray::Direction;

Result<TaskFile> read(const std::string& text) {
  return read_task_file(std::make_shared<const SourceFile>(SourceFile{"task.json", text}));
}

/// Returns the position and message of the first error, such as "2:3 unknown field 'x'".
std::string error_of(const std::string& text) {
  const auto task = read(text);
  if (task.ok()) return "none";
  const Diagnostic& error = task.errors().front();
  return std::to_string(error.span.line) + ":" + std::to_string(error.span.column) + " " + error.message;
}

/// Returns a task with an array `x` that has these fields. The fields begin at line 3, column 9.
std::string with_array(const std::string& fields) {
  return "{\"launch\": \"k<<<1, 1>>>(float x[4])\",\n\"arrays\": {\n  \"x\": {" + fields + "}}}";
}

TEST(TaskFile, HasDefaults) {
  const auto task = read(with_array("\"direction\": \"out\""));
  ASSERT_TRUE(task.ok());
  EXPECT_EQ(task.value().launch, "k<<<1, 1>>>(float x[4])");
  EXPECT_EQ(task.value().inputs, 5U);
  EXPECT_EQ(task.value().seed, 1U);
  EXPECT_EQ(task.value().timeout_seconds, 30);
  const TaskArray& x = task.value().arrays.at("x");
  EXPECT_EQ(x.direction, Direction::Out);
  EXPECT_EQ(x.fill.kind, Fill::Kind::OfLaunch);
  EXPECT_FALSE(x.tolerance.absolute);
}

TEST(TaskFile, ReadsAllFields) {
  const auto task = read(R"json({
    "about": "words", "launch": "k<<<1, 1>>>(...)", "launches": {"a.cu": "other<<<1, 2>>>(...)"},
    "tolerance": {"absolute": 0.5}, "inputs": 2, "seed": 9, "timeout_seconds": 1.5,
    "arrays": {
      "a": {"direction": "in", "fill": {"uniform": [-1, 2.5]}},
      "b": {"direction": "inout", "fill": {"integers": [-3, 3]}, "tolerance": {"relative": 0.25}},
      "c": {"direction": "in", "fill": "permutation"},
      "d": {"direction": "scratch"}
    }})json");
  ASSERT_TRUE(task.ok()) << render(task.errors());
  EXPECT_EQ(task.value().launches.at("a.cu"), "other<<<1, 2>>>(...)");
  EXPECT_EQ(task.value().inputs, 2U);
  EXPECT_EQ(task.value().timeout_seconds, 1.5);
  const TaskArray& a = task.value().arrays.at("a");
  EXPECT_EQ(a.fill.kind, Fill::Kind::Uniform);
  EXPECT_EQ(a.fill.low, -1);
  EXPECT_EQ(a.fill.high, 2.5);
  const TaskArray& b = task.value().arrays.at("b");
  EXPECT_EQ(b.direction, Direction::InOut);
  EXPECT_EQ(b.tolerance.absolute, 0.5);  // of the task
  EXPECT_EQ(b.tolerance.relative, 0.25);
  EXPECT_EQ(task.value().arrays.at("c").fill.kind, Fill::Kind::Permutation);
}

TEST(TaskFile, ErrorsHaveTheirPlaces) {
  EXPECT_EQ(error_of("{\n  \"launch\" 1}"), "2:12 a task file is a JSON object, and this is not JSON");
  EXPECT_EQ(error_of("[]"), "1:1 a task file is a JSON object");
  EXPECT_EQ(error_of("{\"inputs\": 1e999}"), "1:1 a number in this file is too large");
  EXPECT_EQ(error_of("{\"arrays\": {}}"), "1:1 the field 'launch' is missing");
  EXPECT_EQ(error_of("{\"launch\": \"k\",\n \"array\": {}}"), "2:2 unknown field 'array'");
  EXPECT_EQ(error_of("{\"launch\": \"k\",\n \"arrays\": {}}"), "2:2 no array is a result");
}

TEST(TaskFile, WrongValuesHaveTheirPlaces) {
  EXPECT_EQ(error_of("{\"launch\": \"k\", \"arrays\": {\"x\": {\"direction\": \"out\"}},\n \"seed\": -1}"),
            "2:2 'seed': expected an integer from 0 to 9007199254740992");
  EXPECT_EQ(error_of(with_array("\n    \"direction\": \"up\"")),
            "4:5 'direction': expected \"in\", \"out\", \"inout\" or \"scratch\"");
  EXPECT_EQ(error_of(with_array("\"direction\": \"out\",\n    \"fill\": \"zeros\"")),
            "4:5 only arrays with direction \"in\" or \"inout\" are filled");
  EXPECT_EQ(error_of(with_array("\"direction\": \"inout\",\n    \"fill\": {\"uniform\": [2, 1]}")),
            "4:5 'uniform': expected two numbers, the lower one first");
  EXPECT_EQ(error_of(with_array("\"direction\": \"inout\",\n    \"fill\": {\"integers\": [0.5, 1]}")),
            "4:5 'integers': expected integers from -2^53 to 2^53");
  EXPECT_EQ(error_of(with_array("\"direction\": \"out\",\n \"tolerance\": {\n   \"absolute\": -1}")),
            "5:4 'absolute': expected a number that is not negative");
}

TEST(TaskFile, ReportsRepeatedFields) {
  EXPECT_EQ(error_of(with_array("\"direction\": \"out\",\n    \"direction\": \"in\"")),
            "4:5 this field occurs more than once");
}

// The search for places must not be confused by strings with escapes, braces and colons.
TEST(TaskFile, FindsPlacesAfterStrings) {
  EXPECT_EQ(error_of("{\"about\": \"a \\\"{[: b\",\n \"launch\": \"k\",\n \"wrong\": 1}"), "3:2 unknown field 'wrong'");
}

}  // namespace
}  // namespace ambit::suite
