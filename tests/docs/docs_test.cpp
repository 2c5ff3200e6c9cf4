#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.h"

/// Tests the documents. Tests in documents meet their expectations. Links lead to files and headings. Exercises fail
/// until they are solved. The tables of docs/course/building-models.md are correct.
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
  /// Runs `ambit check ARGUMENTS`. The field `out` of the result contains stdout and stderr.
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

/// Returns the complete tests among a document's code blocks. A complete test begins with `CUDA NAME` or `PTX NAME` and
/// has expectations.
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

/// Returns a document's text without code blocks.
std::string text_of(const fs::path& document) {
  std::istringstream in(contents(document));
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    const bool is_fence = line.rfind("```", 0) == 0;
    if (is_fence) inside = !inside;
    if (!is_fence && !inside) text += line + "\n";
  }
  return text;
}

/// Returns the anchors that GitHub gives to the headings of a document.
std::set<std::string> anchors_of(const fs::path& document) {
  std::istringstream in(text_of(document));
  std::set<std::string> anchors;
  std::map<std::string, int> uses;
  for (std::string line; std::getline(in, line);) {
    const std::size_t level = line.find_first_not_of('#');
    if (level == 0 || level == std::string::npos || line[level] != ' ') continue;
    std::string anchor;
    for (const char c : line.substr(level + 1)) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == ' ') anchor += '-';
      if (c == '-' || c == '_' || std::isalnum(byte) != 0) anchor += static_cast<char>(std::tolower(byte));
    }
    const int earlier = uses[anchor]++;
    anchors.insert(earlier == 0 ? anchor : anchor + "-" + std::to_string(earlier));
  }
  return anchors;
}

struct Link {
  std::string text;    ///< as written: "../lab/hardware.md#stress"
  fs::path target;     ///< the linked file; for a folder, the folder's README.md if it exists
  std::string anchor;  ///< "stress"; may be empty
};

/// Returns a document's links to files of the project.
std::vector<Link> links_of(const fs::path& document) {
  const std::string text = text_of(document);
  std::vector<Link> links;
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
    const std::size_t end = text.find_first_of(") \n", at + 2);
    if (end == std::string::npos || text[end] != ')' || end == at + 2) continue;  // a lambda in `code`
    Link link;
    link.text = text.substr(at + 2, end - at - 2);
    if (link.text.find(':') != std::string::npos) continue;  // https://...
    const std::size_t hash = link.text.find('#');
    if (hash != std::string::npos) link.anchor = link.text.substr(hash + 1);
    const std::string path = link.text.substr(0, hash);
    link.target = path.empty() ? document : (document.parent_path() / path).lexically_normal();
    if (fs::exists(link.target / "README.md")) link.target = (link.target / "README.md").lexically_normal();
    links.push_back(link);
  }
  return links;
}

TEST(Documents, LinksLeadToFilesAndHeadings) {
  std::vector<fs::path> documents;
  for (const char* folder : {"docs", "litmus", "kernels"}) {
    const std::vector<fs::path> found = files_in(project() / folder, {".md"});
    documents.insert(documents.end(), found.begin(), found.end());
  }
  for (const char* file : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "apps/lsp/editors/vscode/README.md"}) {
    documents.push_back(project() / file);
  }
  std::map<fs::path, std::set<std::string>> anchors;
  std::size_t count = 0;
  for (const fs::path& document : documents) {
    for (const Link& link : links_of(document)) {
      ++count;
      EXPECT_TRUE(fs::exists(link.target)) << document << ": there is no file " << link.text;
      if (link.anchor.empty() || link.target.extension() != ".md") continue;
      if (!anchors.contains(link.target)) anchors[link.target] = anchors_of(link.target);
      EXPECT_TRUE(anchors[link.target].contains(link.anchor)) << document << ": there is no heading " << link.text;
    }
  }
  EXPECT_GT(count, 500U) << "the links are no longer found";
}

/// A page that would be longer is divided into several pages by topic.
TEST(Documents, PagesHaveAtMost2500Words) {
  constexpr std::size_t kMost = 2500;
  // Programs generate these pages, so the number of models, detectors and tests determines their length.
  const std::set<std::string> generated = {"lab/field-map.md", "lab/standalone-corpus.md"};
  const fs::path folder = project() / "docs";
  for (const fs::path& document : files_in(folder, {".md"})) {
    if (generated.contains(document.lexically_relative(folder).generic_string())) continue;
    std::istringstream words(contents(document));
    const auto count = std::distance(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
    EXPECT_LE(static_cast<std::size_t>(count), kMost) << document;
  }
}

/// A reader finds every page from docs/README.md.
TEST(Documents, EveryPageIsLinked) {
  const fs::path folder = project() / "docs";
  std::vector<fs::path> unread = {folder / "README.md"};
  std::set<fs::path> linked(unread.begin(), unread.end());
  while (!unread.empty()) {
    const fs::path document = unread.back();
    unread.pop_back();
    for (const Link& link : links_of(document)) {
      const bool is_page = link.target.extension() == ".md" && fs::exists(link.target);
      if (is_page && linked.insert(link.target).second) unread.push_back(link.target);
    }
  }
  for (const fs::path& document : files_in(folder, {".md"})) {
    if (document.parent_path() == folder / "course/hints") continue;  // only the playground links to the hints
    EXPECT_TRUE(linked.contains(document)) << document;
  }
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

/// README: each expectation of a hand-written test has a reason. The `.test` format cannot contain reasons.
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

/// Each attempt at a model in building-models.md gives the answers that the table on that page lists.
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

/// According to building-models.md, the second attempt is equivalent to HRF-direct, and the third to HRF-indirect. The
/// attempts are also equivalent to these models on tests with clusters.
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
