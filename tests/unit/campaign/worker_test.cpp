#include "api/campaign/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "api/campaign/merge.h"
#include "api/campaign/part_result.h"
#include "api/campaign/work_queue.h"
#include "tests/unit/campaign/campaign_folder.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kFiles = 20;
constexpr double kShortLease = 0.4;
const std::atomic<bool> kNever = false;

/// The shell commands of a program that waits when it reads the file a007 for the first time.
constexpr const char* kWaitsAtOneFile =
    "case $file in *a007*) if ! [ -e $folder/waits ]; then : > $folder/waits; sleep 1000; fi ;; esac";

Result<WorkDone> work(const CampaignFolder& folder, const std::atomic<bool>& interrupted = kNever,
                      const std::string& name = "campaign") {
  return work_on_campaign({.folder = folder.campaign(name), .version = "1", .program_path = folder.program()},
                          interrupted);
}

std::string error_of(const Result<WorkDone>& done) { return done.ok() ? "" : render(done.errors()); }

/// Starts a worker in a separate process.
pid_t start_worker(const CampaignFolder& folder) {
  const pid_t id = fork();
  if (id == 0) _exit(work(folder).ok() ? 0 : 1);
  return id;
}

void wait_for_file(const std::string& path) {
  while (!fs::exists(path)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

/// Returns the merged result of a single worker that is never killed or delayed.
std::string expected(const CampaignFolder& folder) {
  EXPECT_TRUE(folder.make(kFiles, 60, "one").ok());
  EXPECT_EQ(error_of(work(folder, kNever, "one")), "");
  return test::contents(folder.campaign("one") + "/result.json");
}

TEST(CampaignWorker, DoesAllParts) {
  const CampaignFolder folder;
  ASSERT_TRUE(folder.make(kFiles).ok());
  const auto done = work(folder);
  ASSERT_EQ(error_of(done), "");
  EXPECT_TRUE(done.value().is_complete);
  EXPECT_EQ(done.value().parts, static_cast<std::uint64_t>(kFiles));
  const auto merged = merge_campaign(folder.campaign());
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(merged.value().status, 0);
  EXPECT_EQ(test::contents(done.value().result), merged.value().text);
  EXPECT_THAT(merged.value().text, HasSubstr("\"file\": \"a000.litmus\""));
  EXPECT_THAT(merged.value().text, HasSubstr("\"file\": \"a019.litmus\"\n    }\n  ]\n}\n"));
  EXPECT_THAT(WorkQueue(folder.campaign(), "").leases(), IsEmpty());
  EXPECT_TRUE(fs::is_empty(folder.campaign() + "/workers")) << "the heartbeat is removed";
  EXPECT_EQ(work(folder).value().parts, 0U) << "nothing is left to do";
}

TEST(CampaignWorker, SeveralProcessesGiveTheBytesOfOne) {
  const CampaignFolder folder;
  folder.write_program("echo $file >> $folder/calls");
  const std::string one = expected(folder);
  fs::remove(folder.path("calls"));
  ASSERT_TRUE(folder.make(kFiles).ok());
  std::vector<pid_t> workers;
  for (int i = 0; i < 4; ++i) workers.push_back(start_worker(folder));
  for (const pid_t worker : workers) {
    int status = -1;
    ASSERT_EQ(waitpid(worker, &status, 0), worker);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(test::contents(folder.campaign() + "/result.json"), one);
  const std::string calls = test::contents(folder.path("calls"));
  EXPECT_EQ(std::count(calls.begin(), calls.end(), '\n'), kFiles) << "a part of the campaign ran twice";
}

TEST(CampaignWorker, AnotherWorkerDoesThePartsOfAKilledOne) {
  const CampaignFolder folder;
  folder.write_program(kWaitsAtOneFile);
  std::ofstream(folder.path("waits")) << "";
  const std::string one = expected(folder);
  fs::remove(folder.path("waits"));
  ASSERT_TRUE(folder.make(kFiles, kShortLease).ok());
  const pid_t worker = start_worker(folder);
  wait_for_file(folder.path("waits"));
  kill(worker, SIGKILL);
  waitpid(worker, nullptr, 0);
  EXPECT_THAT(WorkQueue(folder.campaign(), "").leases(), SizeIs(1));
  const auto done = work(folder);
  ASSERT_EQ(error_of(done), "");
  EXPECT_TRUE(done.value().is_complete);
  EXPECT_EQ(test::contents(done.value().result), one);
}

TEST(CampaignWorker, AStoppedWorkerThatContinuesChangesNothing) {
  const CampaignFolder folder;
  folder.write_program(
      "case $file in *a007*) if ! [ -e $folder/waits ]; then : > $folder/waits\n"
      "while ! [ -e $folder/continue ]; do sleep 0.05; done; file=late; fi ;; esac");
  std::ofstream(folder.path("waits")) << "";
  const std::string one = expected(folder);
  fs::remove(folder.path("waits"));
  ASSERT_TRUE(folder.make(kFiles, kShortLease).ok());
  const pid_t worker = start_worker(folder);
  wait_for_file(folder.path("waits"));
  kill(worker, SIGSTOP);
  ASSERT_EQ(error_of(work(folder)), "");
  EXPECT_EQ(test::contents(folder.campaign() + "/result.json"), one);
  std::ofstream(folder.path("continue")) << "";
  kill(worker, SIGCONT);
  int status = -1;
  waitpid(worker, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(test::contents(folder.campaign() + "/result.json"), one) << "the late result replaced the first one";
}

TEST(CampaignWorker, ReturnsItsChunkAfterAnInterrupt) {
  const CampaignFolder folder;
  folder.write_program(kWaitsAtOneFile);
  ASSERT_TRUE(folder.make(kFiles).ok());  // the lease of a minute does not end during the test
  std::atomic<bool> interrupted = false;
  std::thread interrupts([&] {
    wait_for_file(folder.path("waits"));
    interrupted = true;
  });
  const auto done = work(folder, interrupted);
  interrupts.join();
  ASSERT_EQ(error_of(done), "");
  EXPECT_FALSE(done.value().is_complete);
  EXPECT_THAT(WorkQueue(folder.campaign(), "").leases(), IsEmpty());
  EXPECT_FALSE(PartResults(folder.campaign()).has(7));
  EXPECT_TRUE(work(folder).value().is_complete);
}

TEST(CampaignWorker, NamesPartsWhoseProcessCrashes) {
  const CampaignFolder folder;
  folder.write_program("case $file in *a007*) kill -SEGV $$ ;; esac");
  ASSERT_TRUE(folder.make(kFiles).ok());
  ASSERT_EQ(error_of(work(folder)), "");
  const auto merged = merge_campaign(folder.campaign());
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(merged.value().status, 3);
  ASSERT_THAT(merged.value().failed, SizeIs(1));
  EXPECT_EQ(merged.value().failed[0], folder.path("tests/a007.litmus") + ": signal 11 ended the process");
  EXPECT_THAT(merged.value().text, HasSubstr("a008.litmus"));
}

TEST(CampaignWorker, StopsAtErrorsThatConcernAllParts) {
  const CampaignFolder folder;
  folder.write_program("echo 'unknown model' >&2; exit 2");
  ASSERT_TRUE(folder.make(kFiles).ok());
  EXPECT_THAT(error_of(work(folder)), HasSubstr("unknown model"));
  EXPECT_THAT(WorkQueue(folder.campaign(), "").queued(), SizeIs(7)) << "the chunk is in the queue again";
  folder.write_program("");
  EXPECT_THAT(error_of(work(folder)), HasSubstr("another program made this campaign"));
}

TEST(CampaignWorker, FindsChangedInputs) {
  const CampaignFolder folder;
  ASSERT_TRUE(folder.make(1).ok());
  std::ofstream(folder.path("tests/a000.litmus")) << "another test";
  EXPECT_THAT(error_of(work(folder)), HasSubstr("the file has changed since the campaign was made"));
  fs::remove(folder.path("tests/a000.litmus"));
  EXPECT_THAT(error_of(work(folder)), HasSubstr("cannot read the file"));
}

TEST(CampaignWorker, RepeatsARemovedResult) {
  const CampaignFolder folder;
  const std::string one = expected(folder);
  ASSERT_TRUE(folder.make(kFiles, kShortLease).ok());
  ASSERT_EQ(error_of(work(folder)), "");
  const PartResults results(folder.campaign());
  std::ofstream(results.path(4)) << "damaged";
  EXPECT_FALSE(merge_campaign(folder.campaign()).ok());
  fs::remove(results.path(4));
  EXPECT_EQ(merge_campaign(folder.campaign()).value().missing.size(), 1U);
  ASSERT_EQ(error_of(work(folder)), "");
  EXPECT_EQ(test::contents(folder.campaign() + "/result.json"), one);
}

TEST(CampaignMerge, CombinesStatuses) {
  const CampaignFolder folder;
  folder.write_program("case $file in *a003*) exit=3 ;; *a007*) exit=1 ;; esac; trap 'exit ${exit:-0}' EXIT");
  ASSERT_TRUE(folder.make(kFiles).ok());
  ASSERT_EQ(error_of(work(folder)), "");
  EXPECT_EQ(merge_campaign(folder.campaign()).value().status, 1);
  const auto status = campaign_status(folder.campaign());
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(status.value().done, status.value().parts);
  EXPECT_EQ(status.value().result, folder.campaign() + "/result.json");
}

}  // namespace
}  // namespace ambit::api
