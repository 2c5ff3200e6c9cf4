#include "runner/cuda/launch/kernel_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "runner/cuda/worker/report_json.h"

namespace ambit::cuda {
namespace {

namespace fs = std::filesystem;

class KernelCacheTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = fs::temp_directory_path() / ("ambit-cache-" + std::to_string(getpid())); }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(KernelCacheTest, KeysDistinguishSourcesAndOptions) {
  const std::string key = KernelCache::key("source", "sm_90");
  EXPECT_EQ(key.size(), 36U);
  EXPECT_EQ(key, KernelCache::key("source", "sm_90"));
  EXPECT_NE(key, KernelCache::key("source", "sm_80"));
  EXPECT_NE(key, KernelCache::key("source2", "sm_90"));
}

TEST_F(KernelCacheTest, KeptKernelsAreFound) {
  const KernelCache cache((folder_ / "deep" / "er").string());
  EXPECT_FALSE(cache.find("k"));
  cache.keep("k",
             "\x7f"
             "ELF code");
  EXPECT_EQ(cache.find("k"),
            "\x7f"
            "ELF code");
}

TEST_F(KernelCacheTest, AFileWithoutAKernelIsNotUsed) {
  const KernelCache cache(folder_.string());
  cache.keep("k",
             "\x7f"
             "ELF code");
  std::ofstream(folder_ / "k.cubin") << "torn";
  EXPECT_FALSE(cache.find("k"));
}

TEST_F(KernelCacheTest, WithoutAFolderNothingIsKept) {
  const KernelCache cache("");
  cache.keep("k",
             "\x7f"
             "ELF code");
  EXPECT_FALSE(cache.find("k"));
}

TEST(ReportJson, ReadsBackAsWritten) {
  RunReport report;
  report.instances = 1000;
  report.rounds = 10;
  report.launches = 2;
  report.kernel_seconds = 0.5;
  report.histogram.bound_hits = 3;
  report.notes = {"not enough device memory: only 5 instances in a round"};
  Sighting sighting;
  sighting.values = {0, -1};
  sighting.count = 997;
  sighting.first_instance = 500;
  sighting.best_rate = 2.5;
  sighting.first.stride = 64;
  report.sightings = {sighting};
  report.histogram.outcomes[sighting.values] = 997;
  const auto read = report_from_json(report_to_json(report));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().histogram.outcomes, report.histogram.outcomes);
  EXPECT_EQ(read.value().histogram.runs(), 1000U);
  EXPECT_EQ(read.value().sightings[0].first.stride, 64U);
  EXPECT_EQ(read.value().notes, report.notes);
  EXPECT_FALSE(report_from_json("{\"outcomes\": []").ok());
  EXPECT_FALSE(report_from_json("{}").ok());
}

}  // namespace
}  // namespace ambit::cuda
