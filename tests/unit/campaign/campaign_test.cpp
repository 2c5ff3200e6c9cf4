#include "api/campaign/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "api/campaign/job_file.h"
#include "api/campaign/part_run.h"
#include "api/campaign/work_queue.h"
#include "tests/unit/campaign/campaign_folder.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string error_of(const Result<Campaign>& campaign) { return campaign.ok() ? "" : render(campaign.errors()); }

TEST(CampaignFile, IsReadAsCreated) {
  const CampaignFolder folder;
  CampaignRequest request = folder.request(7);
  request.words = {"-m", "ptx"};
  request.lease_seconds = 1.5;
  ASSERT_EQ(error_of(create_campaign(folder.campaign(), request)), "");
  const auto read = read_campaign(folder.campaign());
  ASSERT_EQ(error_of(read), "");
  const Campaign& campaign = read.value();
  EXPECT_EQ(campaign.command->name, "check");
  EXPECT_THAT(campaign.words, ElementsAre("-m", "ptx"));
  EXPECT_EQ(campaign.parts, 7U);
  EXPECT_EQ(campaign.chunks(), 3U);
  EXPECT_EQ(campaign.lease_time.count(), 1500);
  EXPECT_EQ(campaign.program, program_hash(folder.program()));
  EXPECT_THAT(campaign.inputs, SizeIs(7));
  EXPECT_EQ(campaign.part_name(2), folder.path("tests/a002.litmus"));
  EXPECT_THAT(WorkQueue(folder.campaign(), "").queued(), SizeIs(3));
  EXPECT_THAT(command_line(campaign, 2, "ambit", ""),
              ElementsAre("ambit", "check", "-m", "ptx", "--json", "--", campaign.inputs[2].file));
}

TEST(CampaignFile, DividesOtherCommandsIntoShards) {
  const CampaignFolder folder;
  CampaignRequest request = folder.request(0);
  request.command = "exhaust";
  request.words = {"gwcp", "--size", "4"};
  request.parts = 5;
  const auto campaign = create_campaign(folder.campaign(), request);
  ASSERT_EQ(error_of(campaign), "");
  EXPECT_EQ(campaign.value().part_name(1), "shard 2/5");
  EXPECT_THAT(command_line(campaign.value(), 1, "ambit", "log"),
              ElementsAre("ambit", "exhaust", "gwcp", "--size", "4", "--shard", "2/5", "--log", "log"));
}

TEST(CampaignFile, IsNotMadeOfUnsuitableCommands) {
  const CampaignFolder folder;
  CampaignRequest request = folder.request(1);
  request.options = {"--model", "--html"};
  EXPECT_THAT(error_of(create_campaign(folder.campaign(), request)),
              HasSubstr("a campaign of ambit check cannot have this option"));
  request.command = "serve";
  EXPECT_THAT(error_of(create_campaign(folder.campaign(), request)),
              HasSubstr("serve: error: a campaign cannot divide the work of this command"));
  request.command = "validate";
  EXPECT_THAT(error_of(create_campaign(folder.campaign(), request)), HasSubstr("cannot divide"));
  request.options = {"--tool"};
  EXPECT_EQ(error_of(create_campaign(folder.campaign(), request)), "");
  EXPECT_THAT(error_of(create_campaign(folder.campaign(), request)), HasSubstr("the folder is not empty"));
}

TEST(CampaignFile, IsNotMadeOfUnreadableInputs) {
  const CampaignFolder folder;
  CampaignRequest request = folder.request(1);
  fs::create_directories(folder.path("empty"));
  request.paths = {folder.path("empty"), folder.path("nothing.litmus"), "-"};
  const std::string error = error_of(create_campaign(folder.campaign(), request));
  EXPECT_THAT(error, HasSubstr("no test in this directory"));
  EXPECT_THAT(error, HasSubstr("No such file"));
  EXPECT_THAT(error, HasSubstr("standard input"));
  EXPECT_FALSE(fs::exists(folder.campaign()));
}

TEST(CampaignFile, HasClearErrors) {
  const CampaignFolder folder;
  EXPECT_THAT(error_of(read_campaign(folder.campaign())), HasSubstr("ambit campaign new"));
  ASSERT_TRUE(folder.make(2).ok());
  const std::string path = folder.campaign() + "/campaign.json";
  const std::string text = test::contents(path);
  std::string other = text;
  other.replace(other.find("\"format\": 1"), 11, "\"format\": 9");
  std::ofstream(path) << other;
  EXPECT_THAT(error_of(read_campaign(folder.campaign())), HasSubstr("Ambit 1 made this campaign in another format"));
  for (const std::string& damaged : {std::string(), text.substr(0, text.size() / 2), std::string("[]"),
                                     std::string(R"({"document": "campaign", "format": "1"})")}) {
    std::ofstream(path) << damaged;
    EXPECT_NE(error_of(read_campaign(folder.campaign())), "") << damaged;
  }
}

JobRequest request_of(JobSystem system) { return {system, "/a b/camp'aign", "/a b", "/bin/am\"bit", 7}; }

TEST(JobFile, StartsWorkersUnderSlurm) {
  const std::string text = job_file(request_of(JobSystem::Slurm));
  EXPECT_THAT(text, HasSubstr("#SBATCH --array=1-7\n"));
  EXPECT_THAT(text, HasSubstr("#SBATCH --chdir=\"/a b\"\n"));
  EXPECT_THAT(text, HasSubstr("exec '/bin/am\"bit' campaign work '/a b/camp'\\''aign'\n"));
}

TEST(JobFile, StartsWorkersUnderMpiAndKubernetes) {
  EXPECT_THAT(job_file(request_of(JobSystem::Mpi)), HasSubstr("mpirun -np 7 '/bin/am\"bit' campaign work"));
  const std::string job = job_file(request_of(JobSystem::Kubernetes));
  EXPECT_THAT(job, HasSubstr("  completions: 7\n  parallelism: 7\n"));
  EXPECT_THAT(job, HasSubstr("\"/a b/camp'aign\"]\n"));
}

}  // namespace
}  // namespace ambit::api
