#include "api/edit/course.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/server/course_page.h"
#include "apps/server/page.h"
#include "tests/support/files.h"

namespace ambit::api {
namespace {

using ::testing::HasSubstr;

const std::string kLost = R"(CUDA lost
{ global int x = 0, f = 0; }
P0 @ block 0 { x = 1; store(f, 1, relaxed, device); }
P1 @ block 1 { int r0 = load(f, acquire, device); int r1 = -1; if (r0 == 1) r1 = x; }

filter (P1:r0 == 1)
exists (P1:r1 == 0)

expect ptx : Never, norace
expect sc : Never
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const std::string kSolved = replaced(kLost, "1, relaxed", "1, release");

class Courses : public testing::Test {
 protected:
  void file(const std::string& path, const std::string& text) {
    files_[path] = std::make_shared<const SourceFile>(SourceFile{"dir/" + path, text});
  }
  void exercise(const std::string& text, const std::string& answer, const std::string& name = "a.litmus") {
    file("01-first.md", "# 1. First\nSolve `exercises/" + name + "`.\n");
    file("exercises/" + name, text);
    if (!answer.empty()) file("answers/" + name, answer);
  }
  Course course() {
    auto made = make_course(files_, "dir");
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : render(made.errors()));
    return made.ok() ? made.value() : Course{};
  }
  std::vector<LineRange> locked() {
    const Course made = course();
    return made.lessons.empty() || made.lessons[0].exercises.empty() ? std::vector<LineRange>()
                                                                     : made.lessons[0].exercises[0].locked;
  }
  std::string errors() {
    const auto made = make_course(files_, "dir");
    return made.ok() ? "none" : render(made.errors());
  }

  CourseFiles files_;
};

TEST_F(Courses, HaveLessonsInTheirOrder) {
  file("README.md", "About.\n\n# Our course\n");
  file("10-last.md", "# Last words\n");
  file("02-middle.md",
       "<!-- by us -->\n# 2. In the *middle*\nFirst `exercises/07-b.litmus`, then exercises/a.litmus.\n");
  file("notes.md", "no lesson");
  file("exercises/07-b.litmus", kLost);
  file("exercises/a.litmus", kLost);
  file("hints/07-b.md", "Think.\n");
  const Course made = course();
  EXPECT_EQ(made.title, "Our course");
  ASSERT_EQ(made.lessons.size(), 2U);
  EXPECT_EQ(made.lessons[0].number, 2U);
  EXPECT_EQ(made.lessons[0].title, "In the *middle*");
  EXPECT_EQ(made.lessons[1].number, 10U);
  EXPECT_EQ(made.lessons[1].title, "Last words");
  ASSERT_EQ(made.lessons[0].exercises.size(), 2U);
  const Exercise& first = made.lessons[0].exercises[0];
  EXPECT_EQ(first.name, "07-b");
  EXPECT_EQ(first.title, "b");
  EXPECT_EQ(first.hint, "Think.\n");
  EXPECT_EQ(first.answer, "");
  EXPECT_EQ(first.expectations, 2U) << "one for ptx and one for sc";
}

/// The exercise asks for a changed program. The filter, the condition and the expectations in lines 6 to 10 are locked.
TEST_F(Courses, LockWhatJudgesAProgram) {
  exercise(kLost, kSolved);
  EXPECT_EQ(locked(), (std::vector<LineRange>{{6, 10}}));
  exercise(kLost, replaced(kSolved, "Never, norace\n", "Never, norace  \n\n"));
  EXPECT_EQ(locked(), (std::vector<LineRange>{{6, 10}})) << "blanks do not change an expectation";
}

TEST_F(Courses, LockWhatJudgesWithoutAnAnswer) {
  exercise(kLost, "");
  EXPECT_EQ(locked(), (std::vector<LineRange>{{6, 10}}));
}

/// The exercise asks for an expectation. Only the expectations in lines 9 and 10 can be changed.
TEST_F(Courses, LockTheProgramWhereExpectationsAreToBeFound) {
  exercise(kLost, replaced(kLost, "expect ptx : Never, norace", "expect ptx : Sometimes, race"));
  EXPECT_EQ(locked(), (std::vector<LineRange>{{1, 8}}));
}

/// In a CUDA source, conditions and expectations are in comments, and comments can be anywhere.
TEST_F(Courses, LockLinesOfACudaSource) {
  const std::string source = R"(// ambit: forall (d[0] == 2)
__global__ void k(int *d) {
  d[0] += 1;
}
int main() {
  int *d;
  cudaMalloc(&d, 4);
  k<<<2, 1>>>(d);
}
// ambit: expect ptx : Always, norace
)";
  exercise(source, replaced(source, "d[0] += 1", "atomicAdd(d, 1)"), "a.cu");
  EXPECT_EQ(locked(), (std::vector<LineRange>{{1, 1}, {10, 10}}));
  const std::string longer = replaced(source, "(d[0] == 2)", "(d[0] == 2 ||\n// ambit: d[0] == 3)");
  exercise(longer, replaced(longer, "d[0] += 1", "atomicAdd(d, 1)"), "a.cu");
  EXPECT_EQ(locked(), (std::vector<LineRange>{{1, 2}, {11, 11}})) << "the condition has two lines";
}

TEST_F(Courses, SayWhatIsWrongAndWhere) {
  EXPECT_THAT(errors(), HasSubstr("dir: error: no lesson in this folder"));
  file("01-a.md", "text\nsee exercises/none.litmus\n[on](02-none.md#part), [back](1-b.md)\n");
  file("1-b.md", "# B\n");
  file("00-c.md", "# C\n");
  file("exercises/typo.litmus", kLost);
  file("answers/other.litmus", kLost);
  file("hints/x.md", "text");
  const std::string all = errors();
  EXPECT_THAT(all, HasSubstr("dir/01-a.md:1:1: error: the lesson has no title"));
  EXPECT_THAT(all, HasSubstr("dir/01-a.md:2:5: error: there is no file exercises/none.litmus"));
  EXPECT_THAT(all, HasSubstr("dir/1-b.md: error: there are two lessons 1: this one and dir/01-a.md"));
  EXPECT_THAT(all, HasSubstr("dir/01-a.md:3:6: error: there is no lesson 02-none.md"));
  EXPECT_THAT(all, ::testing::Not(HasSubstr("there is no lesson 1-b.md")));
  EXPECT_THAT(all, HasSubstr("dir/00-c.md: error: lessons are numbered from 1"));
  EXPECT_THAT(all, HasSubstr("dir/exercises/typo.litmus: error: no lesson names this exercise"));
  EXPECT_THAT(all, HasSubstr("dir/answers/other.litmus: error: no lesson names the exercise of this answer"));
  EXPECT_THAT(all, HasSubstr("dir/hints/x.md: error: no lesson names the exercise of this hint"));
}

TEST_F(Courses, SayWhichTestCannotBeRead) {
  exercise(replaced(kLost, "int r1 = -1;", "int r1 = ;"), "");
  EXPECT_THAT(errors(), HasSubstr("dir/exercises/a.litmus:4:"));
  exercise(kLost, replaced(kSolved, "int r1 = -1;", "int r1 = ;"));
  EXPECT_THAT(errors(), HasSubstr("dir/answers/a.litmus:4:"));
  exercise(kLost.substr(0, kLost.find("expect")), "");
  files_.erase("answers/a.litmus");
  EXPECT_THAT(errors(), HasSubstr("the exercise has no expectation"));
}

/// The course in the program must equal the course in the folder docs/course.
TEST(ShippedCourse, IsThatOfTheDocuments) {
  if (server::page_files().empty()) GTEST_SKIP() << "built without npm";
  const std::string folder = (test::project() / "docs/course").string();
  const auto shipped = server::course_json("");
  const auto read = server::course_json(folder);
  ASSERT_TRUE(shipped.ok()) << render(shipped.errors());
  ASSERT_TRUE(read.ok()) << render(read.errors());
  const auto ours = nlohmann::json::parse(shipped.value());
  const auto theirs = nlohmann::json::parse(read.value());
  EXPECT_EQ(ours["lessons"], theirs["lessons"]);
  EXPECT_EQ(ours["isOwn"], false);
  EXPECT_EQ(theirs["isOwn"], true);
  ASSERT_EQ(ours["lessons"].size(), 11U);
  for (const auto& lesson : ours["lessons"]) {
    EXPECT_EQ(lesson["exercises"].size(), 2U) << lesson["title"];
    for (const auto& exercise : lesson["exercises"]) {
      for (const char* part : {"answer", "hint", "locked"}) EXPECT_FALSE(exercise[part].empty()) << exercise["name"];
    }
  }
}

}  // namespace
}  // namespace ambit::api
