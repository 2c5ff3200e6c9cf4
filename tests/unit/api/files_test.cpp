#include "api/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "api/hardware/campaign_file.h"
#include "tests/support/files.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// A new folder for each test; the destructor removes the folder.
class Folder : public testing::Test {
 protected:
  Folder() {
    std::string name = (fs::temp_directory_path() / "ambit-api-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() override { fs::remove_all(path_); }

  std::string file(const std::string& name, const std::string& text = "") const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

  fs::path path_;
};

using Files = Folder;
using CampaignFiles = Folder;

TEST_F(Files, AreThoseOfFoldersInOrderOfPathAndThoseNamedAsTheyAre) {
  file("d/b.litmus");
  file("d/a.cu");
  file("d/deep/c.test");
  file("d/notes.md");
  file("d/run.trace");
  const std::string odd = file("odd.txt");
  const auto tests = collect_files({odd, path("d")});
  ASSERT_TRUE(tests.ok());
  EXPECT_THAT(tests.value(), ElementsAre(odd, path("d/a.cu"), path("d/b.litmus"), path("d/deep/c.test")));
  const auto both = collect_files({path("d")}, FileKinds::TestsAndTraces);
  ASSERT_TRUE(both.ok());
  EXPECT_THAT(both.value(),
              ElementsAre(path("d/a.cu"), path("d/b.litmus"), path("d/deep/c.test"), path("d/run.trace")));
}

TEST_F(Files, LinksToFoldersAreNotFollowedAndBrokenLinksStay) {
  file("d/a.litmus");
  fs::create_directory_symlink(path_ / "d", path_ / "d/again");
  fs::create_symlink(path_ / "nowhere", path_ / "d/lost.litmus");
  const auto files = collect_files({path("d")});
  ASSERT_TRUE(files.ok());
  EXPECT_THAT(files.value(), ElementsAre(path("d/a.litmus"), path("d/lost.litmus")));
}

TEST_F(Files, UnreadableFilesStayForTheirErrors) {
  fs::create_directory(path_ / "empty");
  const auto files = collect_files({path("empty"), path("missing.litmus")});
  ASSERT_TRUE(files.ok());
  EXPECT_THAT(files.value(), ElementsAre(path("empty"), path("missing.litmus")));
  const std::atomic<bool> interrupted = false;
  const auto empty = read_input(path("empty"), interrupted);
  ASSERT_FALSE(empty.ok());
  EXPECT_THAT(render(empty.errors()), HasSubstr("no test (.litmus, .test or .cu) in this directory"));
  EXPECT_FALSE(read_input(path("missing.litmus"), interrupted).ok());
}

TEST_F(Files, TheStandardInputIsNamedOnce) {
  EXPECT_FALSE(names_input_twice({"-", "a"}));
  EXPECT_TRUE(names_input_twice({"-", "a", "-"}));
  EXPECT_FALSE(collect_files({"-", "-"}).ok());
}

TEST_F(Files, ResultsAreText) {
  EXPECT_EQ(read_results(file("log", "one\n")).value()->text, "one\n");
  EXPECT_FALSE(read_results(file("bytes", std::string("a\0b", 3))).ok());
  EXPECT_FALSE(read_results(path_.string()).ok());
}

TEST_F(CampaignFiles, GrowByWholeLinesAfterTheKeptPart) {
  const std::string log = file("log", "first\nhalf a li");
  {
    CampaignFile campaign;
    const auto text = campaign.open(log);
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(text.value()->text, "first\nhalf a li");
    campaign.cut(6);
    EXPECT_EQ(test::contents(log), "first\nhalf a li") << "the partial line remains until the next line is written";
    EXPECT_TRUE(campaign.append("second"));
    EXPECT_TRUE(campaign.append("third"));
    EXPECT_TRUE(campaign.is_whole());
  }
  EXPECT_EQ(test::contents(log), "first\nsecond\nthird\n");
}

TEST_F(CampaignFiles, HaveOneOwnerAtATime) {
  const std::string log = path("log");
  CampaignFile second;
  {
    CampaignFile first;
    ASSERT_TRUE(first.open(log).ok());
    const auto refused = second.open(log);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(render(refused.errors()), HasSubstr("another campaign is writing this file"));
  }
  CampaignFile third;
  EXPECT_TRUE(third.open(log).ok());
}

TEST_F(CampaignFiles, LinksAreFollowedAndKept) {
  const std::string log = file("log", "first\n");
  fs::create_symlink(log, path_ / "link");
  CampaignFile campaign;
  ASSERT_TRUE(campaign.open(path("link")).ok());
  EXPECT_TRUE(campaign.append("second"));
  EXPECT_TRUE(fs::is_symlink(path_ / "link"));
  EXPECT_EQ(test::contents(log), "first\nsecond\n");
}

// If a campaign opened a pipe, it would wait until another process opens the other end.
TEST_F(CampaignFiles, AreRegularFiles) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  for (const std::string& wrong : {path("pipe"), path_.string(), std::string("/dev/null")}) {
    CampaignFile campaign;
    EXPECT_FALSE(campaign.open(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace ambit::api
