#include "api/edit/repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/patch.h"

namespace ambit::api {
namespace {

using repair::RepairReport;
using testing::HasSubstr;
namespace fs = std::filesystem;

const std::atomic<bool> kNotInterrupted{false};

RepairRequest request_of(const fs::path& file, const std::string& model) {
  RepairRequest request;
  request.question.file = file.string();
  request.question.checking.models = {model};
  return request;
}

RepairReport fixed(const RepairRequest& request) {
  const auto report = fix_test(request, kNotInterrupted);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : render(report.errors()));
  return report.ok() ? report.value() : RepairReport{};
}
RepairReport relaxed(const RepairRequest& request) {
  const auto report = relax_test(request, kNotInterrupted);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : render(report.errors()));
  return report.ok() ? report.value() : RepairReport{};
}

/// A litmus test in a new file; the destructor removes the file.
class Written {
 public:
  Written(const std::string& name, const std::string& text) : path_(fs::temp_directory_path() / name) {
    std::ofstream(path_) << text;
  }
  ~Written() { fs::remove(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void expect_confirmed(const RepairReport& report, const std::string& before) {
  for (const repair::Proposal& proposal : report.proposals) {
    EXPECT_EQ(test::patched(before, proposal.diff), proposal.text);
    ASSERT_EQ(proposal.answers.size(), 2U);
    for (const repair::EngineAnswer& answer : proposal.answers) EXPECT_TRUE(answer.confirms) << answer.engine;
  }
}

class ScorRace : public testing::TestWithParam<std::string> {};

TEST_P(ScorRace, IsRepairedUnderEachModelInWhichItRaces) {
  const fs::path file = test::project() / "litmus/scor" / (GetParam() + ".litmus");
  int repaired = 0;
  for (const std::string model : {"hrf-indirect", "hrf-relaxed", "ptx", "cuda-cpp"}) {
    const RepairReport report = fixed(request_of(file, model));
    ASSERT_TRUE(report.state == RepairReport::State::Found || report.state == RepairReport::State::NothingToDo)
        << model;
    if (report.state != RepairReport::State::Found) continue;
    ++repaired;
    EXPECT_TRUE(report.is_cheapest) << model;
    ASSERT_EQ(report.proposals.size(), 1U);
    expect_confirmed(report, test::contents(file));
    // The repaired text needs no further repair.
    const Written after(GetParam() + "." + model + ".litmus", report.proposals.front().text);
    EXPECT_EQ(fixed(request_of(after.path(), model)).state, RepairReport::State::NothingToDo) << model;
  }
  EXPECT_GE(repaired, 2) << "cuda-cpp and hrf-relaxed find every race of ScoR";
}

std::vector<std::string> scor_races() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(test::project() / "litmus/scor")) {
    const std::string name = entry.path().stem().string();
    if (name.starts_with("race_")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Tests, ScorRace, testing::ValuesIn(scor_races()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Fix, TheCheapestChangeComesFirstAndCostsDecide) {
  const fs::path file = test::project() / "litmus/scor/race_interblock_none-lock_waw.litmus";
  RepairRequest request = request_of(file, "cuda-cpp");
  EXPECT_THAT(fixed(request).proposals.front().changes.front(), HasSubstr("hold the lock `lock`"));
  const Written costs("fix-costs", "lock 200\natomic 1\n");
  request.costs = costs.path().string();
  request.proposals = 2;
  const RepairReport report = fixed(request);
  ASSERT_EQ(report.proposals.size(), 2U);
  EXPECT_EQ(report.proposals[0].cost, 2);
  EXPECT_EQ(report.proposals[0].changes.size(), 2U);
  EXPECT_GE(report.proposals[1].cost, report.proposals[0].cost);
  expect_confirmed(report, test::contents(file));
}

/// Returns the changed kernel of the first proposal. Spaces and line ends are removed from its text.
std::string first_change(const std::string& name, const std::string& text) {
  const Written file(name, text);
  const RepairReport report = fixed(request_of(file.path(), "ptx"));
  EXPECT_EQ(report.state, RepairReport::State::Found);
  if (report.proposals.empty()) return "";
  expect_confirmed(report, text);
  std::string changed = report.proposals.front().text;
  std::erase_if(changed, [](char c) { return c == ' ' || c == '\n'; });
  return changed;
}

TEST(Fix, OrdersTheThreadsOfABlockBeforeTheirLeaderPublishes) {
  // Without the barrier, the leader's fence would order only the leader's own store. Atomic accesses would remove the
  // race, but would still allow the old value.
  EXPECT_THAT(first_change("fix-leader.cu", R"(
__global__ void k(int *x, int *flag, int *out) {
  if (blockIdx.x == 0) {
    x[threadIdx.x] = 1;
    if (threadIdx.x == 0) { __threadfence(); atomicExch(flag, 1); }
  } else {
    if (threadIdx.x == 0) { while (atomicAdd(flag, 0) == 0) {} __threadfence(); }
    __syncthreads();
    out[threadIdx.x] = x[threadIdx.x];
  }
}
// ambit: launch k<<<2, 2>>>(x[2], flag[1], out[2]);
)"),
              HasSubstr("x[threadIdx.x]=1;__syncthreads();if(threadIdx.x==0){__threadfence();"));
}

TEST(Fix, PutsABarrierAfterTheBranchThatOnlySomeThreadsTake) {
  EXPECT_THAT(first_change("fix-branch.cu", R"(
__global__ void k(int *out) {
  __shared__ int s[2];
  if (threadIdx.x == 0) {
    s[0] = 1;
    s[1] = 2;
  }
  out[threadIdx.x] = s[threadIdx.x];
}
// ambit: launch k<<<1, 2>>>(out[2]);
)"),
              testing::AnyOf(HasSubstr("s[1]=2;}__syncwarp();out"), HasSubstr("s[1]=2;}__syncthreads();out")));
}

TEST(Fix, FindsABarrierOfTheLanesThatTakePart) {
  // Lane 2 does not take this branch, so the barrier in the branch must be a barrier of lanes 0 and 1 only.
  EXPECT_THAT(first_change("fix-lanes.cu", R"(
__global__ void k(int *out) {
  __shared__ int s[2];
  if (threadIdx.x < 2) {
    s[threadIdx.x] = 1;
    out[threadIdx.x] = s[1 - threadIdx.x];
  } else {
    out[2] = 1;
  }
}
// ambit: launch k<<<1, 3>>>(out[3]);
)"),
              HasSubstr("s[threadIdx.x]=1;__syncwarp(0x3u);out"));
}

TEST(Fix, InitialisesSharedMemoryBeforeAtomicsByABarrier) {
  EXPECT_THAT(first_change("fix-histogram.cu", R"(
__global__ void k(const int *in, int *out) {
  __shared__ int h[2];
  h[threadIdx.x] = 0;
  atomicAdd(&h[in[threadIdx.x] & 1], 1);
  __syncthreads();
  out[threadIdx.x] = h[threadIdx.x];
}
// ambit: launch k<<<1, 2>>>(in[2], out[2]);
)"),
              testing::AnyOf(HasSubstr("=0;__syncwarp();atomic"), HasSubstr("=0;__syncthreads();atomic")));
}

TEST(Fix, ChangesThatAreForbiddenLeaveNone) {
  const Written costs("fix-costs-never", "scope-device never\nscope-system never\nplacement never\n");
  RepairRequest request = request_of(test::project() / "litmus/scor/race_interblock_blkatom.litmus", "ptx");
  request.costs = costs.path().string();
  const RepairReport report = fixed(request);
  EXPECT_EQ(report.state, RepairReport::State::None);
  EXPECT_TRUE(report.proposals.empty());
}

/// A block sum that lacks the barrier between two steps of its loop.
constexpr const char* kRacySum = R"(__global__ void sum(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
)";

// The search with 128 threads needs more than a minute; with 8 threads, it needs less than a second.
TEST(Fix, SearchesWithASmallerLaunchAndConfirmsTheOwnLaunch) {
  const Written file("fix-large-launch.cu", kRacySum);
  RepairRequest request = request_of(file.path(), "ptx");
  request.question.checking.launch = "sum<<<2, 64>>>(in[128], out[2])";
  const RepairReport report = fixed(request);
  ASSERT_EQ(report.state, RepairReport::State::Found);
  const repair::Proposal& fix = report.proposals.front();
  EXPECT_THAT(fix.changes, testing::ElementsAre("add `__syncthreads();` after `s[t + k]` (line 7)"));
  std::vector<std::string> confirmed;
  for (const repair::EngineAnswer& answer : fix.answers) {
    if (answer.confirms) confirmed.push_back(answer.engine + " " + answer.launch);
  }
  const std::string smaller = "sum<<<2, 4>>>(in[128], out[2])";
  EXPECT_THAT(confirmed, testing::ElementsAre("explicit " + smaller, "smt " + smaller, "smt "));
  EXPECT_FALSE(report.is_cheapest);
  EXPECT_THAT(report.notes, testing::ElementsAre(HasSubstr(smaller)));
}

TEST(Fix, AFixOfASmallerLaunchIsUnknownIfTheOwnLaunchHasNoAnswer) {
  const Written file("fix-too-large-launch.cu", kRacySum);
  RepairRequest request = request_of(file.path(), "ptx");
  request.question.checking.launch = "sum<<<2, 64>>>(in[128], out[2])";
  request.question.checking.max_events = 300;
  const RepairReport report = fixed(request);
  EXPECT_EQ(report.state, RepairReport::State::Unknown);
  EXPECT_TRUE(report.proposals.empty());
  EXPECT_THAT(report.why_unknown,
              HasSubstr("sum<<<2, 4>>>(in[128], out[2]) has the fix: add `__syncthreads();` after"));
  EXPECT_THAT(report.why_unknown, HasSubstr("more than 300 events"));
}

// Blocks of 4 threads have one warp. A barrier of the warp is not enough for blocks of 64 threads.
TEST(Fix, RejectsAFixOfASmallerLaunchThatTheOwnLaunchRefutes) {
  const Written file("fix-warp-of-large-launch.cu", R"(__global__ void shift(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  out[t] = s[(t + 1) % blockDim.x];
}
)");
  RepairRequest request = request_of(file.path(), "ptx");
  request.question.checking.launch = "shift<<<1, 64>>>(out[64])";
  const fs::path costs = fs::temp_directory_path() / "fix-warp-barriers-first.costs";
  std::ofstream(costs) << "warp-barrier 1\n";
  request.costs = costs.string();
  const RepairReport report = fixed(request);
  fs::remove(costs);
  ASSERT_EQ(report.state, RepairReport::State::Found);
  EXPECT_THAT(report.proposals.front().diff, HasSubstr("+  __syncthreads();"));
}

TEST(Fix, ForbidsAnOutcome) {
  const fs::path file = test::project() / "litmus/classic/SB+rlx.gpu+xblock.litmus";
  const RepairReport report = fixed(request_of(file, "ptx"));
  // Store buffering needs a seq_cst fence in each thread.
  ASSERT_EQ(report.state, RepairReport::State::Found);
  EXPECT_EQ(report.proposals.front().cost, 40);
  expect_confirmed(report, test::contents(file));
}

TEST(Fix, WritesRowsOfPtxColumns) {
  const Written file("fix-columns.litmus", R"(PTX MP
{ x=0; f=0; }
 P0@cta 0,gpu 0       | P1@cta 1,gpu 0        ;
 st.weak x, 1         | ld.relaxed.gpu r0, f  ;
 st.relaxed.cta f, 1  | bne r0, 1, LC00       ;
                      | ld.weak r1, x         ;
                      | LC00:                 ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
)");
  const RepairReport report = fixed(request_of(file.path(), "ptx"));
  ASSERT_EQ(report.state, RepairReport::State::Found);
  EXPECT_EQ(report.proposals.front().cost, 40) << "two orders and one scope change";
  expect_confirmed(report, test::contents(file.path()));
  EXPECT_THAT(report.proposals.front().text, HasSubstr(" st.release.gpu f, 1"));
  EXPECT_THAT(report.proposals.front().text, HasSubstr(" ld.acquire.gpu r0, f"));
}

TEST(Fix, EndsASpin) {
  const Written file("fix-spin.litmus", R"(CUDA spin
{ global int x = 0; }
P0 @ block 0 {
  while (load(x, relaxed, device) == 0) {}
}
P1 @ block 1 {
  store(x, 1, relaxed, device);
}
exists (x == 1)
)");
  RepairRequest request = request_of(file.path(), "ptx");
  request.question.checking.only_termination = true;
  EXPECT_EQ(fixed(request).state, RepairReport::State::NothingToDo) << "a fair scheduler runs P1";
  request.question.checking.schedulers = {Scheduler::Hsa};
  const RepairReport report = fixed(request);
  // The scheduler guarantees progress only to the lowest unfinished block, so P1 must be in P0's block.
  ASSERT_EQ(report.state, RepairReport::State::Found);
  EXPECT_THAT(report.proposals.front().changes.front(), HasSubstr("to block"));
  EXPECT_EQ(report.proposals.front().changes.size(), 1U);
  expect_confirmed(report, test::contents(file.path()));
}

TEST(Fix, RefusesWhatHasNoGoal) {
  const Written file("fix-nothing.litmus", "CUDA nothing\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\n");
  const auto report = fix_test(request_of(file.path(), "sc"), kNotInterrupted);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(render(report.errors()), HasSubstr("the test has no condition"));
}

TEST(Relax, FindsWideScopes) {
  const fs::path file = test::project() / "litmus/scor/norace_interwarp_dev-blklock_waw.litmus";
  const RepairReport report = relaxed(request_of(file, "cuda-cpp"));
  ASSERT_EQ(report.state, RepairReport::State::Found);
  EXPECT_EQ(report.proposals.front().changes.size(), 4U) << "only one of the two threads locks with device scope";
  EXPECT_EQ(report.needed.size(), 4U);
  expect_confirmed(report, test::contents(file));
}

TEST(Relax, RemovesOneOfTwoFencesThatDoTheSame) {
  const Written file("relax-two.litmus", R"(CUDA two
{ global int x = 0, f = 0; }
P0 @ block 0 {
  x = 1;
  __threadfence();
  __threadfence();
  store(f, 1, relaxed, device);
}
P1 @ block 1 {
  int r0 = load(f, acquire, device);
  int r1 = -1;
  if (r0 == 1) r1 = x;
}
~exists (P1:r0 == 1 && P1:r1 == 0)
)");
  const RepairReport report = relaxed(request_of(file.path(), "ptx"));
  ASSERT_EQ(report.state, RepairReport::State::Found);
  ASSERT_EQ(report.proposals.front().changes.size(), 1U);
  EXPECT_THAT(report.proposals.front().changes.front(), HasSubstr("remove `__threadfence()`"));
  expect_confirmed(report, test::contents(file.path()));
}

TEST(Relax, ProvesThatNothingIsWasted) {
  const fs::path file = test::project() / "litmus/scor/norace_interblock_lock_waw.litmus";
  const RepairReport report = relaxed(request_of(file, "cuda-cpp"));
  EXPECT_EQ(report.state, RepairReport::State::NothingToDo);
  EXPECT_TRUE(report.is_cheapest);
  EXPECT_EQ(report.needed.size(), 8U) << "the scopes of four atomics and four fences are needed";
}

/// Relaxes a test in a new file under the model ptx, and returns the result.
RepairReport relaxed_text(const std::string& name, const std::string& text) {
  const Written file(name, text);
  RepairReport report = relaxed(request_of(file.path(), "ptx"));
  if (report.state == RepairReport::State::Found) expect_confirmed(report, text);
  return report;
}

TEST(Relax, RemovesABarrierThatOrdersNothingAndNamesTheAccessesThatNeedTheOther) {
  const RepairReport report = relaxed_text("relax-barriers.cu", R"(
__global__ void k(int *out) {
  __shared__ int s[2];
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[1 - threadIdx.x];
  __syncthreads();
}
// ambit: launch k<<<1, 2>>>(out[2]);
)");
  ASSERT_EQ(report.state, RepairReport::State::Found);
  EXPECT_THAT(report.proposals.front().changes, testing::ElementsAre("remove `__syncthreads()` (line 7)"));
  ASSERT_EQ(report.barriers.size(), 1U);
  EXPECT_THAT(report.barriers.front(), testing::StartsWith("`__syncthreads()` (line 5) stays: without it, b0t"));
  EXPECT_THAT(report.barriers.front(), HasSubstr("'s read of b0:s["));
  EXPECT_THAT(report.barriers.front(), HasSubstr("(line 6) races with b0t"));
  EXPECT_THAT(report.barriers.front(), HasSubstr("'s write (line 4)"));
}

TEST(Relax, NamesLinesOfTheSourceAlthoughARemovedLineMovesThem) {
  const RepairReport report = relaxed_text("relax-lines.cu", R"(
__global__ void k(int *out) {
  __shared__ int s[2];
  __syncthreads();
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[1 - threadIdx.x];
}
// ambit: launch k<<<1, 2>>>(out[2]);
)");
  ASSERT_EQ(report.state, RepairReport::State::Found);
  EXPECT_THAT(report.proposals.front().changes, testing::ElementsAre("remove `__syncthreads()` (line 4)"));
  ASSERT_EQ(report.barriers.size(), 1U);
  EXPECT_THAT(report.barriers.front(), HasSubstr("(line 7) races with"));
  EXPECT_THAT(report.barriers.front(), HasSubstr("write (line 5)"));
}

TEST(Relax, KeepsOneOfTwoAdjacentBarriers) {
  const RepairReport report = relaxed_text("relax-adjacent.cu", R"(
__global__ void k(int *out) {
  __shared__ int s[2];
  s[threadIdx.x] = 1;
  __syncthreads();
  __syncwarp();
  out[threadIdx.x] = s[1 - threadIdx.x];
}
// ambit: launch k<<<1, 2>>>(out[2]);
)");
  ASSERT_EQ(report.state, RepairReport::State::Found);
  // Both threads are in one warp, so the cheaper barrier of the warp is enough.
  EXPECT_THAT(report.proposals.front().changes, testing::ElementsAre("remove `__syncthreads()` (line 5)"));
  EXPECT_EQ(report.barriers.size(), 1U);
}

TEST(Relax, RemovesBarriersOfTwoBranchesTogether) {
  const RepairReport report = relaxed_text("relax-branches.litmus", R"(CUDA branches
{ global int x = 0, y = 0; }
P0 @ block 0 {
  x = 1;
  __syncthreads();
}
P1 @ block 0 {
  __syncthreads();
  y = 1;
}
exists (x == 1 && y == 1)
)");
  ASSERT_EQ(report.state, RepairReport::State::Found);
  EXPECT_THAT(report.proposals.front().changes,
              testing::ElementsAre("remove `__syncthreads()` (line 5) and `__syncthreads()` (line 8)"));
}

TEST(Relax, KeepsABarrierThatTheConditionNeeds) {
  const RepairReport report = relaxed_text("relax-condition.litmus", R"(CUDA condition
{ global int x = 0; }
P0 @ block 0 {
  store(x, 1, relaxed, block);
  __syncthreads();
}
P1 @ block 0 {
  __syncthreads();
  int r0 = load(x, relaxed, block);
}
~exists (P1:r0 == 0)
)");
  EXPECT_EQ(report.state, RepairReport::State::NothingToDo);
  ASSERT_EQ(report.barriers.size(), 1U);
  EXPECT_EQ(
      report.barriers.front(),
      "`__syncthreads()` (line 5) and `__syncthreads()` (line 8) stay: without them, the condition holds Sometimes "
      "instead of Never: P1:r0 == 0");
}

TEST(Relax, KeepsTheOutcomesOfATestWithoutACondition) {
  const std::string text = R"(CUDA outcomes
{ global int x = 0; }
P0 @ block 0 {
  store(x, 1, relaxed, block);
  __syncthreads();
}
P1 @ block 0 {
  __syncthreads();
  int r0 = load(x, relaxed, block);
}
)";
  const RepairReport report = relaxed_text("relax-outcomes.litmus", text);
  EXPECT_EQ(report.goal, "norace, the same outcomes");
  EXPECT_EQ(report.state, RepairReport::State::NothingToDo);
  ASSERT_EQ(report.barriers.size(), 1U);
  EXPECT_THAT(report.barriers.front(), HasSubstr("the program gains the outcome P1:r0 == 0"));
}

TEST(Relax, KeepsABarrierWithoutWhichASpinLoopMissesItsValue) {
  // Without the barriers, P0 may overwrite the value 1 before P1 reads it.
  const RepairReport report = relaxed_text("relax-signal.litmus", R"(CUDA signal
{ global int x = 0; }
P0 @ block 0 {
  store(x, 1, relaxed, block);
  __syncthreads();
  store(x, 0, relaxed, block);
}
P1 @ block 0 {
  while (load(x, relaxed, block) != 1) {}
  __syncthreads();
}
exists (x == 0)
)");
  EXPECT_EQ(report.goal, "Always, norace, terminates");
  EXPECT_EQ(report.state, RepairReport::State::NothingToDo);
  ASSERT_EQ(report.barriers.size(), 1U);
  EXPECT_THAT(report.barriers.front(), HasSubstr("P1 may repeat a loop forever (line 9)"));
}

TEST(Relax, RemovesBarriersInColumnsOfPtx) {
  const RepairReport report = relaxed_text("relax-columns.litmus", R"(PTX columns
{ x=0; y=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, 1   | st.weak y, 1   ;
 bar.sync 0     | bar.sync 0     ;
 ld.weak r0, y  | ld.weak r1, x  ;
 bar.sync 0     | bar.sync 0     ;
exists (P0:r0 == 1 /\ P1:r1 == 1)
)");
  ASSERT_EQ(report.state, RepairReport::State::Found);
  EXPECT_THAT(report.proposals.front().changes, testing::ElementsAre("remove `bar.sync 0` (line 7)"));
  EXPECT_EQ(report.barriers.size(), 1U);
}

TEST(Relax, NamesABarrierWhoseTextItCannotRemove) {
  const RepairReport report = relaxed_text("relax-macro.cu", R"(
#define MEET __syncthreads()
__global__ void k(int *out) {
  __shared__ int s[2];
  s[threadIdx.x] = 1;
  MEET;
  out[threadIdx.x] = s[1 - threadIdx.x] + __syncthreads_or(threadIdx.x);
}
// ambit: launch k<<<1, 2>>>(out[2]);
)");
  EXPECT_EQ(report.state, RepairReport::State::NothingToDo);
  ASSERT_EQ(report.notes.size(), 2U);
  EXPECT_THAT(report.notes.front(), HasSubstr("was not tried"));
}

TEST(Relax, RefusesATestThatRaces) {
  const auto report =
      relax_test(request_of(test::project() / "litmus/scor/race_interblock_blkatom.litmus", "ptx"), kNotInterrupted);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(render(report.errors()), HasSubstr("races under ptx"));
}

}  // namespace
}  // namespace ambit::api
