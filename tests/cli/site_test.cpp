#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "tests/support/files.h"
#include "tests/support/slowdown.h"

/// Tests the pages that `--html` writes, without a browser.
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class SiteFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "ambit-site-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::ofstream(folder_ / "evil.litmus") << kEvilTest;
    std::ofstream(folder_ / "spin.litmus") << kSpinTest;
    std::ofstream(folder_ / "broken.litmus") << "CUDA <script>alert(1)</script>\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Runs ambit in the folder; returns its exit status.
  int run(const std::string& arguments, const std::string& environment = "") const {
    const std::string command = "cd '" + folder_.string() + "' && " + environment + " '" + AMBIT_PROGRAM + "' " +
                                arguments + " >out.txt 2>err.txt </dev/null";
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): the test needs a shell
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string text(const fs::path& file) const { return ambit::test::contents(folder_ / file); }

  /// Returns all files of a site by their path in the site.
  std::map<std::string, std::string> site(const std::string& name) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / name)) {
      if (!entry.is_regular_file()) continue;
      files[entry.path().lexically_relative(folder_ / name).generic_string()] = text(entry.path());
    }
    return files;
  }

  static void expect_whole(const std::map<std::string, std::string>& files) {
    ASSERT_TRUE(files.contains("index.html"));
    const std::string link = "href=\"";
    for (const auto& [name, page] : files) {
      EXPECT_TRUE(name.ends_with(".html")) << name;  // no partial file is left
      EXPECT_TRUE(page.ends_with("</html>\n")) << name;
      for (std::size_t at = page.find(link); at != std::string::npos; at = page.find(link, at)) {
        at += link.size();
        const std::string to = page.substr(at, page.find('"', at) - at);
        if (to.starts_with("#")) {
          EXPECT_NE(page.find("id=\"" + to.substr(1) + "\""), std::string::npos) << name << " leads to " << to;
        } else {
          const fs::path target = (fs::path(name).parent_path() / to).lexically_normal();
          EXPECT_TRUE(files.contains(target.generic_string())) << name << " leads to " << to;
        }
      }
      for (const std::string from : {"src=", "http://", "https://", "@import", "<link", "url(", "<script>alert"}) {
        for (std::size_t at = page.find(from); at != std::string::npos; at = page.find(from, at + 1)) {
          EXPECT_TRUE(is_name_of_svg(page, at)) << name << ": " << page.substr(at, 80);
        }
      }
    }
  }

  /// Returns whether the URL at `at` is the value of xmlns or xmlns:xlink. A browser does not load such a URL.
  static bool is_name_of_svg(const std::string& page, std::size_t at) {
    const std::string_view before = std::string_view(page).substr(0, at);
    return before.ends_with("xmlns=\"") || before.ends_with("xmlns:xlink=\"");
  }

  static constexpr const char* kEvilTest =
      "CUDA evil\n"
      "\"<script>alert(1)</script>\"\n"
      "{ global int x = 0; }\n"
      "P0 @ block 0 { x = 1; }  // <script>alert(1)</script>\n"
      "P1 @ block 1 { int r0 = x; }\n"
      "exists (P1:r0 == 1)\n"
      "label suite : race because \"<script>alert(1)</script>\"\n"
      "expect hrf-indirect : race because \"<script>alert(1)</script>\"\n";
  static constexpr const char* kSpinTest =
      "CUDA spin\n"
      "{ global int f = 0; }\n"
      "P0 @ block 0 { store(f, 1, relaxed, device); }\n"
      "P1 @ block 1 { while (load(f, relaxed, device) == 0) {} }\n"
      "exists (f == 1)\n"
      "expect ptx : Always, norace\n";

  fs::path folder_;
};

TEST_F(SiteFolder, CheckWritesAPageForEachTestAndEveryLinkLeadsSomewhere) {
  EXPECT_EQ(run("check evil.litmus spin.litmus broken.litmus --html s"), 2) << text("err.txt");
  const auto files = site("s");
  EXPECT_EQ(files.size(), 4U);
  expect_whole(files);
  const std::string& page = files.at("evil.html");
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr("<h2>Explanation</h2>"));
  EXPECT_THAT(page, HasSubstr("<td>hrf-indirect</td>"));
}

TEST_F(SiteFolder, OutputDoesNotDependOnTheNumberOfJobs) {
  EXPECT_EQ(run("check evil.litmus spin.litmus -j1 --html a"), run("check evil.litmus spin.litmus -j3 --html b"));
  EXPECT_EQ(site("a"), site("b"));
}

TEST_F(SiteFolder, ValidateAddsDetectorsAndARunWithARace) {
  EXPECT_NE(run("validate evil.litmus -q --html s"), 2) << text("err.txt");
  const auto files = site("s");
  EXPECT_EQ(files.size(), 13U);  // includes a page for each detector
  expect_whole(files);
  EXPECT_THAT(files.at("detector-scord.html"), HasSubstr("ambit detect evil.litmus --only-run 0 --detector scord<"));
  const std::string& page = files.at("evil.html");
  for (const std::string part : {"Source", "Picture", "Explanation", "Detectors", "A run with a race", "Runs"}) {
    EXPECT_THAT(page, HasSubstr("<h2>" + part + "</h2>"));
  }
}

TEST_F(SiteFolder, AScoreboardLinksEachFigureToItsAnswers) {
  fs::create_directories(folder_ / "first");
  fs::create_directories(folder_ / "second");
  fs::copy_file(folder_ / "evil.litmus", folder_ / "first" / "evil.litmus");
  std::ofstream(folder_ / "second" / "quiet.litmus") << "CUDA quiet\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\n"
                                                        "label suite : norace because \"one thread\"\n"
                                                        "expect ptx : norace\n";
  std::ofstream(folder_ / "tool.json") << R"({"tool": "static", "run": ["grep", "-c", "block 1", "{source}"],
                                              "race": ["^[1-9]"], "ended": ["^0$"], "statuses": [0, 1]})";
  ASSERT_EQ(run("validate first second --tool ./tool.json --log tool.log -q"), 0) << text("err.txt");
  EXPECT_EQ(run("scoreboard first second --detector scord,gwcp --tool-log tool.log -q --html s"), 0) << text("err.txt");
  const auto files = site("s");
  expect_whole(files);
  const std::string& board = files.at("index.html");
  EXPECT_THAT(board, HasSubstr("<a href=\"first/detector-scord.html\">1 of 1</a>"));
  EXPECT_THAT(board, HasSubstr("<a href=\"second/detector-gwcp.html\">0 of 1</a>"));
  EXPECT_THAT(board, HasSubstr("<a href=\"second/tool-static.html\">0 of 1</a>"));
  EXPECT_THAT(board, HasSubstr("ambit validate first --detector scord,gwcp"));
  const std::string pages = text("out.txt");
  EXPECT_EQ(run("scoreboard first second --detector scord,gwcp --tool-log tool.log -q -j 3 --html t"), 0);
  EXPECT_EQ(text("out.txt"), pages);
  EXPECT_EQ(site("t"), files);
}

TEST_F(SiteFolder, AScoreboardRefusesOtherFilesAndNamesSuitesWithoutLabels) {
  std::ofstream(folder_ / "no.log") << "hello\n";
  EXPECT_EQ(run("scoreboard evil.litmus --tool-log no.log --html s"), 2);
  EXPECT_THAT(text("err.txt"), HasSubstr("no.log:1:1: error: this is not the log of a campaign"));
  EXPECT_EQ(run("scoreboard evil.litmus"), 2);
  EXPECT_THAT(text("err.txt"), HasSubstr("--html"));
  EXPECT_EQ(run("scoreboard spin.litmus --detector scord --html s"), 0);
  EXPECT_THAT(text("err.txt"), HasSubstr("spin.litmus has no labelled test"));
  EXPECT_EQ(run("scoreboard missing.litmus --detector scord --html s"), 2);
  EXPECT_THAT(text("err.txt"), HasSubstr("missing.litmus"));
}

TEST_F(SiteFolder, CrossvalAddsOutcomes) {
  EXPECT_NE(run("crossval evil.litmus spin.litmus --backend sim --runs 20 --record 5 --html s"), 2) << text("err.txt");
  const auto files = site("s");
  EXPECT_EQ(files.size(), 3U);
  expect_whole(files);
  for (const std::string part :
       {"Source", "Picture", "Explanation", "Detectors", "A run with a race", "Outcomes that were seen"}) {
    EXPECT_THAT(files.at("evil.html"), HasSubstr("<h2>" + part + "</h2>"));
  }
  EXPECT_THAT(files.at("evil.html"), HasSubstr("<span class=\"bar"));
}

// With a GPU's memory, the simulator shows the weak outcome of message passing, which sc forbids. The index lists this
// test first. The page of the test explains why sc forbids this outcome, and does not explain the test's condition.
TEST_F(SiteFolder, CrossvalExplainsASeenForbiddenOutcome) {
  std::ofstream(folder_ / "mp.litmus")
      << "CUDA mp\n{ global int x = 0, y = 0; }\n"
         "P0 @ block 0 { store(x, 1, relaxed, device); store(y, 1, relaxed, device); }\n"
         "P1 @ block 1 { int r0 = load(y, relaxed, device); int r1 = load(x, relaxed, "
         "device); }\nexists (P1:r0 == 1 && P1:r1 == 1)\n";
  EXPECT_EQ(run("crossval mp.litmus --backend sim --runs 2000 --record 5 --model ptx,sc --html s"), 1)
      << text("err.txt");
  const auto files = site("s");
  expect_whole(files);
  EXPECT_THAT(files.at("index.html"),
              HasSubstr("<a href=\"mp.html\">mp</a>: <b>sc</b> forbids <code>P1:r0 == 1, P1:r1 == 0"));
  EXPECT_THAT(files.at("mp.html"),
              HasSubstr("--model &#39;sc&#39; --outcome &#39;P1:r0 == 1 &amp;&amp; P1:r1 == 0&#39;"));
  EXPECT_THAT(files.at("mp.html"), HasSubstr("FORBIDDEN"));
}

TEST_F(SiteFolder, WithoutGraphvizThereAreNoPicturesAndTheIndexSaysSo) {
  fs::create_directory(folder_ / "empty");
  EXPECT_EQ(run("check evil.litmus --html s", "PATH=empty"), 0) << text("err.txt");
  const auto files = site("s");
  expect_whole(files);
  EXPECT_THAT(files.at("evil.html"), HasSubstr("There is no picture."));
  EXPECT_THAT(files.at("evil.html"), HasSubstr("<h2>Explanation</h2>"));
  EXPECT_THAT(files.at("index.html"), HasSubstr("Pages have no picture"));
  EXPECT_THAT(text("err.txt"), HasSubstr("Pages have no picture"));
}

// The interrupt arrives while Ambit checks models, while it writes pages, or after the run has ended.
TEST_F(SiteFolder, AnInterruptedRunLeavesAWholeSite) {
  for (const std::string& after :
       {std::string("0.3"), std::to_string(ambit::test::kSlowdown), std::to_string(2 * ambit::test::kSlowdown)}) {
    const int status =
        run("check '" + (ambit::test::project() / "litmus/classic").string() + "' -q -j2 --html s" + after,
            "timeout --preserve-status -s INT " + after);
    // At 0.3 seconds, a slow program may not handle interrupts yet. In the later cases, the program does.
    if (after == "0.3" && status == 130 && !fs::exists(folder_ / ("s" + after))) continue;
    EXPECT_TRUE(status == 0 || status == 3) << status << text("err.txt");
    expect_whole(site("s" + after));
  }
}

TEST_F(SiteFolder, AFolderThatCannotBeWrittenIsAnError) {
  fs::create_directory(folder_ / "s");
  fs::create_directory(folder_ / "s" / "evil.html");
  EXPECT_EQ(run("check evil.litmus -q --html s"), 2);
  EXPECT_THAT(text("err.txt"), HasSubstr("evil.html: error: cannot write the file"));
  EXPECT_FALSE(fs::exists(folder_ / "s" / "evil.html.part"));
}

}  // namespace
