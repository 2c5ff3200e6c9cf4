#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

TEST(Accesses, VectorsAndNarrowTypes) {
  KernelRun run(kernel_text(2, R"(
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd2, [p1];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd3, %r1, 16, %rd1;
    mad.wide.u32 %rd4, %r1, 16, %rd2;
    ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd3];
    st.global.v2.u32 [%rd4], {%r5, %r4};
    ld.global.nc.u8 %rs1, [%rd3+5];
    ld.global.s8 %r6, [%rd3+6];
    st.global.u8 [%rd4+8], %rs1;
    st.global.u16 [%rd4+10], %r6;
    ld.global.v2.u16 {%rs2, %rs3}, [%rd3+4];
    st.global.v2.b16 [%rd4+12], {%rs3, %rs2};
    ret;)"));
  std::vector<std::uint8_t> bytes(16 * 40);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{100});
  const std::uint64_t to = run.fresh(bytes.size());
  run.device.memory().set(to, 0, bytes.size());
  run.run("k", {1, 1, 1}, {40, 1, 1}, {run.array(bytes), to});
  const auto found = run.read<std::uint8_t>(to, bytes.size());
  for (std::size_t i = 0; i < 40; ++i) {
    const std::uint8_t* in = bytes.data() + 16 * i;
    const std::uint8_t* out = found.data() + 16 * i;
    EXPECT_EQ(std::memcmp(out, in + 12, 4), 0);
    EXPECT_EQ(std::memcmp(out + 4, in + 8, 4), 0);
    EXPECT_EQ(out[8], in[5]);
    EXPECT_EQ(out[10], in[6]);
    EXPECT_EQ(out[11], in[6] >= 128 ? 0xff : 0);
    EXPECT_EQ(std::memcmp(out + 12, in + 6, 2), 0);
    EXPECT_EQ(std::memcmp(out + 14, in + 4, 2), 0);
  }
}

TEST(Accesses, GenericAddressesGoToSeveralWindowsInOneInstruction) {
  KernelRun run(kernel_text(1, R"(
    .local .align 4 .b8 l[4];
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    mov.u64 %rd3, s;
    cvta.shared.u64 %rd4, %rd3;
    mad.wide.u32 %rd4, %r1, 4, %rd4;
    mov.u64 %rd5, l;
    cvta.local.u64 %rd6, %rd5;
    rem.u32 %r2, %r1, 3;
    setp.eq.u32 %p1, %r2, 0;
    setp.eq.u32 %p2, %r2, 1;
    selp.b64 %rd7, %rd4, %rd6, %p1;
    selp.b64 %rd7, %rd2, %rd7, %p2;
    add.u32 %r3, %r1, 1000;
    st.u32 [%rd7], %r3;
    ld.u32 %r4, [%rd7];
    isspacep.shared %p3, %rd7;
    isspacep.local %p4, %rd7;
    selp.u32 %r5, 1, 0, %p3;
    selp.u32 %r6, 2, %r5, %p4;
    mad.lo.u32 %r7, %r6, 10000, %r4;
    st.global.u32 [%rd2], %r7;
    ret;)",
                            ".shared .align 4 .b8 s[256];"));
  const std::uint64_t to = run.fresh(4 * 64);
  EXPECT_TRUE(run.run("k", {1, 1, 1}, {64, 1, 1}, {to}).findings.empty());
  const auto found = run.read<std::uint32_t>(to, 64);
  const std::uint32_t window[3] = {1, 0, 2};
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(found[i], window[i % 3] * 10000 + 1000 + i);
}

TEST(Accesses, CopiesToSharedMemoryAreThereAfterTheWait) {
  KernelRun run(kernel_text(2, R"(
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd2, [p1];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd3, %r1, 16, %rd1;
    mov.u32 %r2, s;
    mad.lo.u32 %r3, %r1, 16, %r2;
    cp.async.cg.shared.global [%r3], [%rd3], 16;
    cp.async.commit_group;
    cp.async.ca.shared.global [%r3+1024], [%rd3], 8, 4;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    xor.b32 %r4, %r1, 63;
    mad.lo.u32 %r5, %r4, 16, %r2;
    ld.shared.u32 %r6, [%r5+8];
    ld.shared.u32 %r7, [%r5+1024];
    ld.shared.u32 %r8, [%r5+1028];
    mad.wide.u32 %rd4, %r1, 12, %rd2;
    st.global.u32 [%rd4], %r6;
    st.global.u32 [%rd4+4], %r7;
    st.global.u32 [%rd4+8], %r8;
    ret;)",
                            ".shared .align 16 .b8 s[2048];"));
  std::vector<std::uint32_t> values(4 * 64);
  std::iota(values.begin(), values.end(), 7U);
  const std::uint64_t from = run.array(values);
  const std::uint64_t to = run.fresh(12 * 64);
  for (const ScheduleKind kind : {ScheduleKind::RoundRobin, ScheduleKind::Random}) {
    run.device.options().schedule.kind = kind;
    run.run("k", {1, 1, 1}, {64, 1, 1}, {from, to});
    const auto found = run.read<std::uint32_t>(to, 3 * 64);
    for (std::uint32_t i = 0; i < 64; ++i) {
      EXPECT_EQ(found[3 * i], values[4 * (63 - i) + 2]);
      EXPECT_EQ(found[3 * i + 1], values[4 * (63 - i)]);
      EXPECT_EQ(found[3 * i + 2], 0U);
    }
  }
}

struct AtomicCase {
  const char* text;
  std::uint64_t initial;
  std::uint64_t expected;
};

/// The 32 lanes execute the atomic in ascending order. The operand of each lane is the number of the lane.
TEST(Atomics, EachOperationOnGlobalAndSharedMemory) {
  const std::vector<AtomicCase> cases = {{"add.u32", 5, 5 + 496},
                                         {"min.s32", 7, 0},
                                         {"max.u32", 7, 31},
                                         {"and.b32", 0xffffffff, 0},
                                         {"or.b32", 0, 31},
                                         {"xor.b32", 1, 1},
                                         {"exch.b32", 1, 31},
                                         {"inc.u32", 3, 31},
                                         {"dec.u32", 0, 31},
                                         {"add.u64", 5, 5 + 496},
                                         {"max.s64", 7, 31},
                                         {"exch.b64", 7, 31},
                                         {"add.f32", 0x3f800000, 0x43f88000},
                                         {"add.f64", 0, 0x407f000000000000}};
  for (const AtomicCase& one : cases) {
    for (const char* space : {"global", "shared"}) {
      const std::string text = one.text;
      const bool is_wide = text.ends_with("64");
      const bool is_float = text.find(".f") != std::string::npos;
      const std::string operand = !is_float ? (is_wide ? "%rd5" : "%r1") : is_wide ? "%fd1" : "%f1";
      const std::string result = !is_float ? (is_wide ? "%rd6" : "%r6") : is_wide ? "%fd2" : "%f2";
      KernelRun run(kernel_text(2,
                                R"(
        ld.param.u64 %rd1, [p0];
        ld.param.u64 %rd7, [p1];
        mov.u32 %r1, %laneid;
        cvt.u64.u32 %rd5, %r1;
        cvt.rn.f32.u32 %f1, %r1;
        cvt.rn.f64.u32 %fd1, %r1;
        mov.u64 %rd2, s;
        st.shared.u64 [%rd2], %rd7;
        mov.u64 %rd3, )" + std::string(space == std::string("global") ? "%rd1" : "%rd2") +
                                    ";\natom." + space + "." + text + " " + result + ", [%rd3], " + operand + ";\nld." +
                                    space + (is_wide ? ".u64 %rd8" : ".u32 %r8") + ", [%rd3];\n" +
                                    (is_wide ? "" : "cvt.u64.u32 %rd8, %r8;\n") + "st.global.u64 [%rd1], %rd8;\nret;",
                                ".shared .align 8 .b8 s[8];"));
      const std::uint64_t cell = run.array<std::uint64_t>({one.initial});
      run.run("k", {1, 1, 1}, {32, 1, 1}, {cell, one.initial});
      EXPECT_EQ(run.read<std::uint64_t>(cell, 1)[0], one.expected) << text << " on " << space << " memory";
    }
  }
}

TEST(BankConflicts, AreCountedByInstruction) {
  for (const std::uint32_t stride : {1U, 2U, 32U, 33U}) {
    KernelRun run(kernel_text(0,
                              "mov.u32 %r1, %tid.x;\nmul.lo.u32 %r2, %r1, " + std::to_string(4 * stride) +
                                  ";\nmov.u32 %r3, s;\nadd.u32 %r3, %r3, %r2;\nst.shared.u32 [%r3], %r1;\nret;",
                              ".shared .align 4 .b8 s[4400];"));
    run.device.options().counts_bank_conflicts = true;
    const LaunchReport report = run.run("k", {1, 1, 1}, {32, 1, 1}, {});
    ASSERT_EQ(report.bank_conflicts.size(), 1U);
    EXPECT_EQ(report.bank_conflicts[0].accesses, 1U);
    EXPECT_EQ(report.bank_conflicts[0].passes, stride == 2 ? 2U : stride == 32 ? 32U : 1U);
  }
}

class Recorder : public Observer {
 public:
  bool wants_values() const override { return true; }
  void begin_launch(const LaunchInfo& info) override { words += "begin " + std::string(info.kernel) + "\n"; }
  void end_launch() override { words += "end\n"; }
  void access(const WarpAccess& access) override {
    words +=
        std::to_string(static_cast<int>(access.kind)) + (access.space == AccessSpace::Shared ? " shared" : " global");
    words += " lanes " + std::to_string(access.lanes) + " bytes " + std::to_string(access.bytes) + " value " +
             std::to_string(access.values[1]);
    if (access.old_values != nullptr) words += " old " + std::to_string(access.old_values[1]);
    words += " failed " + std::to_string(access.failed) + "\n";
  }
  void fence(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t lanes, Order order, Scope scope) override {
    words += "fence " + std::string(to_string(order)) + " " + std::string(to_string(scope)) + " lanes " +
             std::to_string(lanes) + "\n";
  }
  void barrier(const BarrierArrival& arrival) override { words += "barrier " + std::to_string(arrival.barrier) + "\n"; }
  void barrier_complete(std::uint32_t, std::uint32_t) override { words += "complete\n"; }
  void block_begin(std::uint32_t block) override { words += "block " + std::to_string(block) + "\n"; }
  void block_end(std::uint32_t block) override { words += "block end " + std::to_string(block) + "\n"; }
  std::string words;
};

TEST(Observers, ReceiveOneEventForEachInstructionOfAWarp) {
  KernelRun run(kernel_text(1, R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    st.shared.u32 [s], %r1;
    membar.gl;
    bar.sync 0;
    atom.global.cas.b32 %r2, [%rd1], 0, %r1;
    red.global.add.u32 [%rd1], 1;
    ret;)",
                            ".shared .align 4 .b8 s[4];"));
  const std::uint64_t cell = run.array<std::uint32_t>({0});
  Recorder recorder;
  run.device.set_observer(&recorder);
  run.run("k", {1, 1, 1}, {2, 1, 1}, {cell});
  EXPECT_EQ(
      recorder.words,
      "begin k\nblock 0\n1 shared lanes 3 bytes 4 value 1 failed 0\nfence seq_cst device lanes 3\nbarrier 0\n"
      "complete\n2 global lanes 3 bytes 4 value 1 old 0 failed 0\n3 global lanes 3 bytes 4 value 3 old 2 failed 0\n"
      "block end 0\nend\n");
}

}  // namespace
}  // namespace ambit::virtual_gpu
