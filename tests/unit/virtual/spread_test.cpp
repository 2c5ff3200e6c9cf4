#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/unit/virtual/random_kernel.h"
#include "tests/unit/virtual/spread_trial.h"

namespace ambit::virtual_gpu {
namespace {

using testing::HasSubstr;

TEST(SpreadBlocks, MatrixProduct) {
  Trial product;
  product.text = kernel_text(3, R"(
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd2, [p1];
    ld.param.u64 %rd3, [p2];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r3, %r1, 16, %r2;
    mov.u32 %r1, %ctaid.y;
    mov.u32 %r2, %tid.y;
    mad.lo.u32 %r4, %r1, 16, %r2;
    mul.wide.u32 %rd4, %r3, 4;
    add.s64 %rd5, %rd2, %rd4;
    mul.wide.u32 %rd6, %r4, 192;
    add.s64 %rd7, %rd1, %rd6;
    mov.f32 %f1, 0f00000000;
    mov.u32 %r5, 0;
  $again:
    ld.global.f32 %f2, [%rd7];
    ld.global.f32 %f3, [%rd5];
    fma.rn.f32 %f1, %f2, %f3, %f1;
    add.s64 %rd7, %rd7, 4;
    add.s64 %rd5, %rd5, 192;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p1, %r5, 48;
    @%p1 bra $again;
    add.s64 %rd8, %rd3, %rd6;
    add.s64 %rd8, %rd8, %rd4;
    st.global.f32 [%rd8], %f1;
    ret;)");
  product.grid = {3, 3, 1};
  product.block = {16, 16, 1};
  product.parameters = [](KernelRun& run) {
    std::vector<float> values;
    for (const std::uint32_t one : numbers(48 * 48)) values.push_back(static_cast<float>(one % 1000) * 0.37F);
    return std::vector<std::uint64_t>{run.array(values), run.array(values), run.fresh(48 * 48 * 4)};
  };
  product.expect_equal(true);
}

TEST(SpreadBlocks, RandomKernels) {
  constexpr std::uint32_t kBlocks = 12;
  constexpr std::size_t kThreads = kBlocks * RandomKernel::kThreads;
  unsigned spread = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Trial one;
    one.text = RandomKernel::header() + RandomKernel(seed).text("k");
    one.grid = {kBlocks, 1, 1};
    one.block = {RandomKernel::kThreads, 1, 1};
    one.parameters = [&](KernelRun& run) {
      std::mt19937_64 random(seed);
      std::vector<std::uint64_t> initial;
      for (std::size_t thread = 0; thread < kThreads; ++thread) {
        const RandomRegisters registers = RandomKernel::random_registers(random);
        for (const auto& type : registers.values) initial.insert(initial.end(), type.begin(), type.end());
      }
      const std::uint64_t from = run.array(initial);
      const std::uint64_t to = run.fresh(initial.size() * 8);
      return std::vector<std::uint64_t>{from, to, run.fresh(kThreads * RandomKernel::kSlots * 8)};
    };
    const Traces alone = one.traces(1);
    const Traces two = one.traces(2);
    const Traces three = one.traces(3);
    ASSERT_EQ(alone.text, two.text) << "kernel " << seed;
    ASSERT_EQ(alone.text, three.text) << "kernel " << seed;
    ASSERT_TRUE(alone.memory == two.memory && alone.memory == three.memory) << "kernel " << seed;
    spread += two.threads == 2 ? 1 : 0;
  }
  EXPECT_GT(spread, 10U);
}

TEST(SpreadBlocks, ReadsAndWritesInPlace) {
  trial(1, R"(
    ld.global.u32 %r4, [%rd3];
    mad.lo.u32 %r4, %r4, 3, 1;
    st.global.u32 [%rd3], %r4;
    ld.global.u32 %r5, [%rd3];
    xor.b32 %r5, %r5, %r2;
    st.global.u32 [%rd3], %r5;
    ret;)",
        [](KernelRun& run) { return std::vector<std::uint64_t>{run.array(numbers(40 * 64))}; })
      .expect_equal(true);
}

/// Some threads store to uninitialised memory, and then load stored values. The threads write rows, and the length of a
/// row is not a multiple of the length of a line.
TEST(SpreadBlocks, PartsOfLines) {
  Trial rows = trial(1, R"(
    mul.lo.u32 %r4, %r2, 37;
    mov.u32 %r5, %tid.x;
    add.u32 %r4, %r4, %r5;
    mul.wide.u32 %rd4, %r4, 4;
    add.s64 %rd5, %rd1, %rd4;
    setp.lt.u32 %p1, %r5, 37;
    @%p1 st.global.u32 [%rd5], %r1;
    bar.sync 0;
    setp.lt.u32 %p2, %r5, 36;
    @%p2 ld.global.u32 %r6, [%rd5+4];
    @%p2 add.u32 %r6, %r6, 1;
    bar.sync 0;
    @%p2 st.global.u32 [%rd5], %r6;
    ret;)",
                     [](KernelRun& run) { return std::vector<std::uint64_t>{run.fresh(40 * 37 * 4 + 10)}; });
  rows.expect_equal(true);
  rows.block = {37, 1, 1};
  rows.expect_equal(true);
}

TEST(SpreadBlocks, BytesOfOneWord) {
  Trial bytes = trial(1, R"(
    cvt.u64.u32 %rd4, %r1;
    add.s64 %rd5, %rd1, %rd4;
    cvt.u16.u32 %rs1, %r1;
    st.global.u8 [%rd5], %rs1;
    ret;)",
                      [](KernelRun& run) { return std::vector<std::uint64_t>{run.fresh(40 * 33)}; });
  bytes.block = {33, 1, 1};
  bytes.expect_equal(true);
}

TEST(SpreadBlocks, VectorsNarrowLoadsAndAsynchronousCopies) {
  Trial wide;
  wide.text = kernel_text(2, with_place(R"(
    ld.param.u64 %rd4, [p1];
    mul.wide.u32 %rd5, %r1, 16;
    add.s64 %rd6, %rd1, %rd5;
    add.s64 %rd7, %rd4, %rd5;
    ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd6];
    ld.global.u8 %r8, [%rd6+5];
    add.u32 %r5, %r5, %r8;
    mov.u32 %r9, %tid.x;
    shl.b32 %r9, %r9, 4;
    mov.u32 %r10, s;
    add.u32 %r10, %r10, %r9;
    cp.async.ca.shared.global [%r10], [%rd6], 16;
    cp.async.wait_all;
    bar.sync 0;
    ld.shared.u32 %r11, [%r10+12];
    add.u32 %r7, %r7, %r11;
    st.global.v4.u32 [%rd7], {%r4, %r5, %r6, %r7};
    ret;)"),
                          ".shared .align 16 .b8 s[1024];");
  wide.parameters = [](KernelRun& run) {
    return std::vector<std::uint64_t>{run.array(numbers(std::size_t{40} * 64 * 4)), run.fresh(40 * 64 * 16)};
  };
  wide.expect_equal(true);
}

/// Different lanes of one instruction access different allocations.
TEST(SpreadBlocks, SeveralAllocationsOfAWarp) {
  trial(2, R"(
    ld.param.u64 %rd4, [p1];
    add.s64 %rd5, %rd4, %rd2;
    and.b32 %r4, %r1, 1;
    setp.eq.u32 %p1, %r4, 0;
    selp.b64 %rd6, %rd3, %rd5, %p1;
    ld.global.u32 %r5, [%rd6];
    add.u32 %r5, %r5, %r1;
    st.global.u32 [%rd6], %r5;
    ret;)",
        [](KernelRun& run) {
          return std::vector<std::uint64_t>{run.array(numbers(40 * 64)), run.array(numbers(40 * 64))};
        })
      .expect_equal(true);
}

/// The kernel accesses host memory, which may begin at any address.
TEST(SpreadBlocks, MemoryOfTheHost) {
  std::vector<std::uint32_t> whole(40 * 64 + 16);
  for (const bool is_aligned : {true, false}) {
    Trial host = trial(1, "st.global.u32 [%rd3], %r1; ret;", [&](KernelRun& run) {
      std::fill(whole.begin(), whole.end(), 3U);
      const auto address = (reinterpret_cast<std::uint64_t>(whole.data()) + 31) / 32 * 32 + (is_aligned ? 0 : 4);
      EXPECT_TRUE(run.device.memory().adopt(reinterpret_cast<void*>(address), 40 * 64 * 4, "test"));
      return std::vector<std::uint64_t>{address};
    });
    host.expect_equal(is_aligned);
  }
}

/// The blocks of this kernel run longer than 10000 instructions, the length of a warp's turn. So on a single host
/// thread, the blocks run in turns.
TEST(SpreadBlocks, BlocksThatTakeSeveralTurns) {
  Trial longer = trial(1, R"(
    ld.global.u32 %r4, [%rd3];
    mov.u32 %r5, 0;
  $again:
    mad.lo.u32 %r4, %r4, 1664525, %r1;
    bar.sync 0;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p1, %r5, 6000;
    @%p1 bra $again;
    st.global.u32 [%rd3], %r4;
    ret;)",
                       [](KernelRun& run) { return std::vector<std::uint64_t>{run.array(numbers(7 * 64))}; });
  longer.grid = {7, 1, 1};
  longer.expect_equal(true);
}

TEST(SpreadBlocks, OneWordOfAllBlocks) {
  trial(1, R"(
    st.global.u32 [%rd1], %r1;
    ret;)",
        [](KernelRun& run) { return std::vector<std::uint64_t>{run.fresh(64)}; })
      .expect_equal(false);
}

TEST(SpreadBlocks, ABlockReadsWhatTheOneBeforeWrote) {
  Trial chain = trial(1, R"(
    mul.wide.u32 %rd4, %r2, 4;
    add.s64 %rd5, %rd1, %rd4;
    ld.global.u32 %r4, [%rd5];
    add.u32 %r4, %r4, 7;
    st.global.u32 [%rd5+4], %r4;
    ret;)",
                      [](KernelRun& run) { return std::vector<std::uint64_t>{run.array(numbers(41))}; });
  chain.expect_equal(false);
  // Each block reads a value that the next block overwrites.
  Trial other = trial(1, R"(
    mul.wide.u32 %rd4, %r2, 4;
    add.s64 %rd5, %rd1, %rd4;
    ld.global.u32 %r4, [%rd5+4];
    st.global.u32 [%rd5], %r4;
    ret;)",
                      [](KernelRun& run) { return std::vector<std::uint64_t>{run.array(numbers(41))}; });
  other.expect_equal(false);
}

/// The launch has three blocks. With three host threads, each block runs on a different host thread.
TEST(SpreadBlocks, ConflictsOfThreads) {
  const std::string place = "mul.wide.u32 %rd4, %r2, 128; add.s64 %rd5, %rd1, %rd4;";
  const auto given = [](KernelRun& run) { return std::vector<std::uint64_t>{run.array(numbers(1024))}; };
  for (const auto& [body, is_spread] :
       {std::pair{"st.global.u32 [%rd1], %r2; ret;", false},
        std::pair{"ld.global.u32 %r6, [%rd5]; st.global.u32 [%rd5+128], %r6; ret;", false},
        std::pair{"ld.global.u32 %r6, [%rd5+128]; st.global.u32 [%rd5], %r6; ret;", false},
        std::pair{"ld.global.u32 %r6, [%rd5]; st.global.u32 [%rd5+4], %r6; ret;", true}}) {
    SCOPED_TRACE(body);
    Trial blocks = trial(1, place + body, given);
    blocks.grid = {3, 1, 1};
    blocks.block = {1, 1, 1};
    blocks.expect_equal(is_spread);
  }
}

/// On one host thread, a block waits for a plain store of another block. It must eventually see the store.
TEST(SpreadBlocks, ABlockWaitsForALaterOne) {
  Trial waiting = trial(1, R"(
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra $others;
  $again:
    ld.global.u32 %r4, [%rd1];
    setp.eq.u32 %p2, %r4, 0;
    @%p2 bra $again;
    st.global.u32 [%rd1+4], %r4;
    ret;
  $others:
    st.global.u32 [%rd1], 9;
    ret;)",
                        [](KernelRun& run) { return std::vector<std::uint64_t>{run.array(std::vector<int>(2))}; });
  waiting.grid = {4, 1, 1};
  waiting.block = {32, 1, 1};
  waiting.launches = 1;
  // The step budget keeps the test short. Without this budget, a block may run hundreds of millions of instructions
  // before the virtual GPU stops waiting.
  waiting.options = [](KernelRun& run) { run.device.options().step_budget = 100'000; };
  waiting.expect_equal(false);
}

TEST(SpreadBlocks, InstructionsThatSpreadNoBlocks) {
  const auto two_arrays = [](KernelRun& run) {
    return std::vector<std::uint64_t>{run.array(numbers(40 * 64)), run.array(numbers(64))};
  };
  for (const char* body : {"red.global.add.u32 [%rd4], %r1; ret;", "atom.add.u32 %r4, [%rd4], %r1; ret;",
                           "ld.volatile.global.u32 %r4, [%rd4]; st.global.u32 [%rd3], %r4; ret;",
                           "ld.acquire.gpu.global.u32 %r4, [%rd4]; st.global.u32 [%rd3], %r4; ret;",
                           "mov.u32 %r4, %clock; st.global.u32 [%rd3], %r4; ret;"}) {
    SCOPED_TRACE(body);
    trial(2, std::string("ld.param.u64 %rd4, [p1];") + body, two_arrays).expect_equal(false);
  }
  Trial shared;
  shared.text = kernel_text(1, with_place(R"(
    mov.u32 %r4, s;
    st.shared.u32 [%r4], 0;
    bar.sync 0;
    atom.shared.add.u32 %r5, [%r4], %r1;
    membar.gl;
    st.global.u32 [%rd3], %r5;
    ret;)"),
                            ".shared .align 4 .b8 s[4];");
  shared.parameters = [](KernelRun& run) { return std::vector<std::uint64_t>{run.fresh(40 * 64 * 4)}; };
  shared.expect_equal(true);
}

TEST(SpreadBlocks, AFaultInTheThirdBlock) {
  Trial faulty = trial(1, R"(
    st.global.u32 [%rd3], %r1;
    setp.eq.u32 %p1, %r2, 2;
    @%p1 st.global.u32 [%rd3+1000000], %r1;
    ret;)",
                       [](KernelRun& run) { return std::vector<std::uint64_t>{run.fresh(40 * 64 * 4)}; });
  faulty.expect_equal(false);
  EXPECT_THAT(faulty.traces(2).text, HasSubstr("block 2 thread 0: writes 4 bytes"));
}

TEST(SpreadBlocks, ReadsOfUnwrittenMemory) {
  Trial copy = trial(2, R"(
    ld.param.u64 %rd4, [p1];
    add.s64 %rd5, %rd4, %rd2;
    ld.global.u32 %r4, [%rd5];
    st.global.u32 [%rd3], %r4;
    ret;)",
                     [](KernelRun& run) {
                       const std::uint64_t from = run.fresh(40 * 64 * 4);
                       run.device.memory().set(from, 1, 30 * 64 * 4 + 40);
                       return std::vector<std::uint64_t>{run.fresh(40 * 64 * 4), from};
                     });
  copy.expect_equal(false);
  EXPECT_THAT(copy.traces(2).text, HasSubstr("count 630,"));
}

/// The blocks run on several host threads. The record of bytes that no thread has stored must still be correct.
TEST(SpreadBlocks, TheRecordOfStoredBytes) {
  Trial two;
  two.text = kernel_text(1, with_place("setp.ge.u32 %p1, %r1, 100; @%p1 st.global.u32 [%rd3], %r1; ret;"));
  two.parameters = [](KernelRun& run) { return std::vector<std::uint64_t>{run.fresh(40 * 64 * 4)}; };
  two.expect_equal(true);
  two.options = [](KernelRun& run) { run.device.options().checks_initialised = false; };
  two.expect_equal(true);
}

TEST(SpreadBlocks, TheStepBudget) {
  Trial loops = trial(1, R"(
    mov.u32 %r5, 0;
  $again:
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p1, %r5, 500;
    @%p1 bra $again;
    st.global.u32 [%rd3], %r5;
    ret;)",
                      [](KernelRun& run) { return std::vector<std::uint64_t>{run.fresh(40 * 64 * 4)}; });
  const std::uint64_t all = 80 * (7 + 1 + 500 * 3 + 2);
  for (const auto& [budget, is_spread] :
       {std::pair{all / 2, false}, std::pair{all, false}, std::pair{all + 1, true}, std::pair{all * 2, true}}) {
    SCOPED_TRACE(budget);
    loops.options = [budget = budget](KernelRun& run) { run.device.options().step_budget = budget; };
    loops.expect_equal(is_spread);
  }
}

TEST(SpreadBlocks, AnInterruptAndADeadlineEndEndlessBlocks) {
  // Each iteration changes the register, so the virtual GPU does not regard the loop as polling.
  const std::string forever = kernel_text(0, "$again: add.u32 %r1, %r1, 1; bra.uni $again;");
  std::atomic<bool> stop{false};
  KernelRun run(forever);
  run.device.options().threads = 2;
  run.device.options().spread_from = 0;
  run.context.set_cancellation(&stop);
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  const auto interrupted = run.launch("k", {100, 1, 1}, {64, 1, 1}, {});
  EXPECT_EQ(interrupted.value().end, LaunchEnd::Interrupted);
  ASSERT_FALSE(interrupted.value().unfinished.empty());
  EXPECT_THAT(run.device.site(interrupted.value().unfinished[0].site).instruction,
              testing::AnyOf("bra.uni", "add.u32"));
  run.context = Context();
  run.context.set_timeout(std::chrono::milliseconds(20));
  EXPECT_EQ(run.launch("k", {100, 1, 1}, {64, 1, 1}, {}).value().end, LaunchEnd::Timeout);
}

/// If a program reads a register or local memory that it has not written, the read must not return a value of another
/// block.
TEST(SpreadBlocks, ReadsOfUnwrittenRegistersAndLocalMemory) {
  Trial careless = trial(1, R"(
    .local .align 4 .b8 l[64];
    mov.u64 %rd4, l;
    setp.gt.u32 %p1, %r2, 3;
    @%p1 bra $read;
    mov.u32 %r20, %r1;
    addc.cc.u32 %r6, 0xffffffff, 2;
    st.local.u32 [%rd4+8], %r1;
  $read:
    addc.u32 %r7, 0, 0;
    ld.local.u32 %r21, [%rd4+8];
    xor.b32 %r22, %r20, %r21;
    add.u32 %r22, %r22, %r7;
    st.global.u32 [%rd3], %r22;
    ret;)",
                         [](KernelRun& run) { return std::vector<std::uint64_t>{run.fresh(40 * 64 * 4)}; });
  careless.expect_equal(true);
  KernelRun run(careless.text);
  const std::uint64_t to = run.fresh(40 * 64 * 4);
  run.run("k", {40, 1, 1}, {64, 1, 1}, {to});
  const auto values = run.read<std::uint32_t>(to, 40 * 64);
  for (std::size_t i = 4 * 64; i < values.size(); ++i) ASSERT_EQ(values[i], 0U) << i;  // no values of other blocks
}

class Silent : public Observer {
 public:
  bool wants_events() const override { return false; }
  void begin_launch(const LaunchInfo&) override { ++launches; }
  void end_launch() override { ++launches; }
  void access(const WarpAccess&) override { ++events; }
  void block_begin(std::uint32_t) override { ++events; }
  unsigned launches = 0;
  unsigned events = 0;
};

TEST(SpreadBlocks, AnObserverThatWantsNoEvents) {
  Silent observer;
  KernelRun run(kernel_text(1, with_place("st.global.u32 [%rd3], %r1; ret;")));
  run.device.options().threads = 2;
  run.device.options().spread_from = 0;
  run.device.set_observer(&observer);
  const LaunchReport report = run.run("k", {40, 1, 1}, {64, 1, 1}, {run.fresh(40 * 64 * 4)});
  EXPECT_EQ(report.statistics.threads, 2U);
  EXPECT_EQ(observer.launches, 2U);
  EXPECT_EQ(observer.events, 0U);
  run.device.set_observer(nullptr);
}

TEST(SpreadBlocks, SmallLaunchesStayOnOneThread) {
  KernelRun run(kernel_text(1, with_place("st.global.u32 [%rd3], %r1; ret;")));
  run.device.options().threads = 2;
  const std::uint64_t to = run.fresh(40 * 64 * 4);
  EXPECT_EQ(run.run("k", {40, 1, 1}, {64, 1, 1}, {to}).statistics.threads, 1U);
}

}  // namespace
}  // namespace ambit::virtual_gpu
