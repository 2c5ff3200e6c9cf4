#include "api/campaign/part_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/campaign/campaign_folder.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Results : public testing::Test {
 protected:
  Results() : results_(folder_.campaign()) { EXPECT_FALSE(PartResults::create(folder_.campaign())); }

  CampaignFolder folder_;
  PartResults results_;
};

TEST_F(Results, AreReadAsPublished) {
  const std::string output = "line 1\nline 2\n\xff without a line break";
  EXPECT_FALSE(results_.has(7));
  EXPECT_EQ(results_.publish({7, 3, "", output}), Publication::Done);
  EXPECT_TRUE(results_.has(7));
  EXPECT_EQ(results_.count(), 1U);
  const auto read = results_.read(7);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().part, 7U);
  EXPECT_EQ(read.value().status, 3);
  EXPECT_EQ(read.value().failure, "");
  EXPECT_EQ(read.value().output, output);
}

TEST_F(Results, TheFirstResultOfAPartIsFinal) {
  EXPECT_EQ(results_.publish({0, 0, "", "first"}), Publication::Done);
  EXPECT_EQ(results_.publish({0, 1, "", "second"}), Publication::Existed);
  EXPECT_EQ(results_.read(0).value().output, "first");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.campaign() + "/results"), fs::directory_iterator()), 1)
      << "no temporary file is left";
}

TEST_F(Results, OfManyWorkersAtOnceOneIsPublished) {
  for (std::uint64_t part = 0; part < 50; ++part) {
    std::atomic<int> published = 0;
    std::vector<std::thread> threads;
    for (int worker = 0; worker < 6; ++worker) {
      threads.emplace_back([&, worker] {
        const std::string output(10000, static_cast<char>('a' + worker));
        if (results_.publish({part, 0, "", output}) == Publication::Done) ++published;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(published, 1);
    EXPECT_TRUE(results_.read(part).ok());
  }
  EXPECT_EQ(results_.count(), 50U);
}

TEST_F(Results, DamageIsFound) {
  EXPECT_EQ(results_.publish({0, 0, "", "some output"}), Publication::Done);
  const std::string whole = test::contents(results_.path(0));
  for (const std::string& damaged :
       {std::string(), whole.substr(0, 10), whole.substr(0, whole.size() - 1), whole + "x", "{}\n" + whole}) {
    std::ofstream(results_.path(0)) << damaged;
    const auto read = results_.read(0);
    ASSERT_FALSE(read.ok()) << damaged;
    EXPECT_THAT(read.errors().front().render(), HasSubstr("this result is damaged"));
  }
  fs::rename(results_.path(0), results_.path(1));
  std::ofstream(results_.path(1)) << whole;
  EXPECT_FALSE(results_.read(1).ok()) << "the result of another part";
}

}  // namespace
}  // namespace ambit::api
