#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.h"

/// The documents are correct: tests in them meet their own expectations, exercises fail until they are solved, and the
/// tables of docs/course/building-models.md hold.
namespace ambit::test {
namespace {

namespace fs = std::filesystem;

struct ProgramRun {
  std::string out;
  int status = -1;
};

/// A folder of this process, removed at the end.
class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / ("ambit-docs-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(path_); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  /// Runs `ambit check ARGUMENTS`; `out` has both streams.
  ProgramRun check(const std::string& arguments) const {
    const fs::path out = path_ / "out";
    const std::string command =
        "'" + std::string(AMBIT_PROGRAM) + "' check " + arguments + " >'" + out.string() + "' 2>&1 </dev/null";
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): the shell is what we want
    return {contents(out), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  }

 private:
  fs::path path_;
};

/// Returns the complete tests among a document's code blocks: those that begin with `CUDA NAME` or `PTX NAME` and have
/// expectations.
std::vector<std::string> tests_in(const fs::path& document) {
  std::vector<std::string> tests;
  std::istringstream in(contents(document));
  std::string block;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("```", 0) != 0) {
      if (inside) block += line + "\n";
      continue;
    }
    inside = !inside;
    const bool is_test = block.rfind("CUDA ", 0) == 0 || block.rfind("PTX ", 0) == 0;
    if (!inside && is_test && block.find("\nexpect ") != std::string::npos) tests.push_back(block);
    block.clear();
  }
  return tests;
}

TEST(Documents, TestsInThemMeetTheirExpectations) {
  const Scratch scratch;
  std::size_t count = 0;
  for (const fs::path& document : files_in(project() / "docs", {".md"})) {
    for (const std::string& test : tests_in(document)) {
      const ProgramRun run = scratch.check("-q '" + scratch.write("block.litmus", test).string() + "'");
      EXPECT_EQ(run.status, 0) << document << "\n" << test << run.out;
      ++count;
    }
  }
  EXPECT_GT(count, 20U) << "the code blocks were not found";
}

TEST(Course, ExercisesFailUntilTheyAreSolved) {
  const Scratch scratch;
  const fs::path course = project() / "docs/course";
  const std::vector<fs::path> exercises = files_in(course / "exercises", {".litmus"});
  EXPECT_FALSE(exercises.empty());
  for (const fs::path& exercise : exercises) {
    const fs::path answer = course / "answers" / exercise.filename();
    EXPECT_EQ(scratch.check("-q '" + exercise.string() + "'").status, 1) << exercise << " is not an exercise";
    const ProgramRun solved = scratch.check("-q '" + answer.string() + "'");
    EXPECT_EQ(solved.status, 0) << answer << "\n" << solved.out;
  }
  EXPECT_EQ(files_in(course / "answers", {".litmus"}).size(), exercises.size());
}

/// The playground's first text is instructive and does not fail.
TEST(Playground, FirstTestMeetsItsExpectations) {
  const Scratch scratch;
  const ProgramRun run = scratch.check("'" + (project() / "apps/server/web/src/welcome.litmus").string() + "'");
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_NE(run.out.find("OK"), std::string::npos) << run.out;
}

TEST(Course, EveryExerciseIsGivenInALesson) {
  std::string lessons;
  for (const fs::path& lesson : files_in(project() / "docs/course", {".md"})) lessons += contents(lesson);
  for (const fs::path& exercise : files_in(project() / "docs/course/exercises", {".litmus"})) {
    EXPECT_NE(lessons.find("exercises/" + exercise.filename().string()), std::string::npos) << exercise;
  }
}

/// README: each expectation of a hand-written test has a reason. The `.test` format has no reasons.
TEST(Corpus, HandWrittenExpectationsHaveReasons) {
  const std::regex expectation(R"(\n[/* ]*(?:ambit: *)?expect )");
  for (const fs::path& file : files_in(project() / "litmus", {".litmus", ".cu"})) {
    const std::string text = contents(file);
    if (text.find("\nSource=generated") != std::string::npos) continue;
    const std::vector<std::string> parts(std::sregex_token_iterator(text.begin(), text.end(), expectation, -1), {});
    for (std::size_t i = 1; i < parts.size(); ++i) {
      EXPECT_NE(parts[i].find("because"), std::string::npos) << file << ": " << parts[i];
    }
  }
}

/// README gives the number of files in the corpus, in total and for each folder.
TEST(Corpus, HasTheFilesThatTheReadmeCounts) {
  const std::string readme = contents(project() / "README.md");
  const auto files = [](const fs::path& folder) { return files_in(project() / "litmus" / folder).size(); };
  std::smatch total;
  ASSERT_TRUE(std::regex_search(readme, total, std::regex(R"(in `litmus/`, (\d+),(\d+) files)")));
  EXPECT_EQ(std::stoul(total[1].str() + total[2].str()), files(""));
  const std::regex row(R"(\n\| (\d+) \| ((?:`[a-z]+`(?:, )?)+) \|)");
  std::size_t counted = 0;
  for (auto match = std::sregex_iterator(readme.begin(), readme.end(), row); match != std::sregex_iterator(); ++match) {
    std::size_t in_row = 0;
    const std::string folders = (*match)[2];
    const std::regex name("[a-z]+");
    for (auto folder = std::sregex_iterator(folders.begin(), folders.end(), name); folder != std::sregex_iterator();
         ++folder) {
      in_row += files(folder->str());
    }
    EXPECT_EQ(std::stoul((*match)[1]), in_row) << folders;
    counted += in_row;
  }
  EXPECT_EQ(counted, files("")) << "no row has this folder";
}

std::string name_of(const std::string& test) { return test.substr(5, test.find('\n') - 5); }

/// Each attempt of building-models.md gives the answers in the table there.
TEST(Course, AttemptsAtModelsMatchTheTable) {
  const Scratch scratch;
  const fs::path document = project() / "docs/course/building-models.md";
  std::map<std::string, fs::path> tests;
  for (const std::string& test : tests_in(document)) {
    tests[name_of(test)] = scratch.write(name_of(test) + ".litmus", test);
  }
  const std::string text = contents(document);
  const std::regex row(R"(\n\| ((?:ptx|hrf)-\d) \| (\S+) \| (\w+) \| (\w+) \|)");
  std::size_t rows = 0;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), row); match != std::sregex_iterator(); ++match) {
    ++rows;
    const std::string test = (*match)[2];
    ASSERT_TRUE(tests.contains(test)) << test;
    const fs::path model = project() / "docs/course/models" / ((*match)[1].str() + ".cat");
    const ProgramRun run = scratch.check("'" + tests[test].string() + "' --model '" + model.string() + "'");
    std::istringstream words(run.out.substr(0, run.out.find('\n')));
    const std::vector<std::string> said(std::istream_iterator<std::string>(words), {});
    EXPECT_NE(std::find(said.begin(), said.end(), (*match)[3].str()), said.end()) << (*match)[0] << "\n" << run.out;
  }
  EXPECT_EQ(rows, 18U);
}

/// Returns a model's answers for each test of a folder, without the model's name and the tests' expectations.
std::string answers(const Scratch& scratch, const std::string& folder, const std::string& model) {
  const ProgramRun run = scratch.check("'" + (project() / "litmus" / folder).string() + "' --model '" + model + "'");
  std::istringstream lines(run.out);
  std::string all;
  for (std::string line; std::getline(lines, line) && !line.empty();) {  // lines before the summary
    std::istringstream words(line);
    std::string word;
    for (int i = 0; words >> word; ++i) {
      if (i != 0 && i != 2) all += word + " ";  // "OK TEST MODEL ANSWER ..."
    }
    all += "\n";
  }
  return all;
}

/// According to building-models.md, the second attempt is equivalent to HRF-direct and the third to HRF-indirect, also
/// with clusters.
TEST(Course, AttemptsEquivalentToModelsGiveTheirAnswers) {
  const Scratch scratch;
  const fs::path models = project() / "docs/course/models";
  for (const auto& [attempt, model] : {std::pair{"hrf-2.cat", "hrf-direct"}, std::pair{"hrf-3.cat", "hrf-indirect"}}) {
    for (const char* folder : {"language", "separating"}) {
      const std::string said = answers(scratch, folder, (models / attempt).string());
      EXPECT_GT(std::count(said.begin(), said.end(), '\n'), 20);
      EXPECT_EQ(said, answers(scratch, folder, model)) << attempt << " is not " << model << " on litmus/" << folder;
    }
  }
}

}  // namespace
}  // namespace ambit::test
