#include <gtest/gtest.h>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

/// Block 0 reads the data before and after block 1 stores the data. The flag is volatile. Block 0 stores the last value
/// read at p1.
std::string message(const std::string& fence) {
  return kernel_text(2, R"(
    ld.param.u64 %rd1, [p0];
    ld.param.u64 %rd2, [p1];
    mov.u32 %r1, %ctaid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $store;
    ld.global.u32 %r2, [%rd1];
    st.volatile.global.u32 [%rd1+128], 1;
  $wait:
    ld.volatile.global.u32 %r3, [%rd1+64];
    setp.eq.u32 %p2, %r3, 0;
    @%p2 bra $wait;
    )" + fence + R"(
    ld.global.u32 %r4, [%rd1];
    st.global.u32 [%rd2], %r4;
    ret;
  $store:
    ld.volatile.global.u32 %r5, [%rd1+128];
    setp.eq.u32 %p3, %r5, 0;
    @%p3 bra $store;
    st.global.u32 [%rd1], 42;
    )" + fence + R"(
    st.volatile.global.u32 [%rd1+64], 1;
    ret;)");
}

std::uint32_t found(const std::string& fence, MemoryMode mode) {
  KernelRun run(message(fence));
  run.device.options().memory = mode;
  run.context.set_timeout(std::chrono::seconds(10));
  const std::uint64_t to = run.array<std::uint32_t>({7});
  run.run("k", {2, 1, 1}, {1, 1, 1}, {run.array(std::vector<std::uint32_t>(64)), to});
  return run.read<std::uint32_t>(to, 1)[0];
}

TEST(GpuMemory, PlainLoadsMayBeStaleWithoutAFence) {
  EXPECT_EQ(found("", MemoryMode::SequentiallyConsistent), 42U);
  EXPECT_EQ(found("", MemoryMode::Gpu), 0U);
  EXPECT_EQ(found("membar.cta;", MemoryMode::Gpu), 0U);
}

TEST(GpuMemory, FencesOfDeviceScopeOrderThem) {
  EXPECT_EQ(found("membar.gl;", MemoryMode::Gpu), 42U);
  EXPECT_EQ(found("fence.acq_rel.gpu;", MemoryMode::Gpu), 42U);
}

TEST(GpuMemory, ABlockSeesItsOwnStoresAndTheHostSeesAllAtTheEnd) {
  KernelRun run(kernel_text(1, R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    st.global.u32 [%rd2], %r1;
    bar.sync 0;
    xor.b32 %r2, %r1, 63;
    mad.wide.u32 %rd3, %r2, 4, %rd1;
    ld.global.u32 %r3, [%rd3];
    bar.sync 0;
    atom.global.cta.add.u32 %r4, [%rd1+256], %r3;
    st.global.u8 [%rd3+1], %r3;
    ret;)"));
  run.device.options().memory = MemoryMode::Gpu;
  const std::uint64_t to = run.array(std::vector<std::uint32_t>(65));
  run.run("k", {1, 1, 1}, {64, 1, 1}, {to});
  const auto values = run.read<std::uint32_t>(to, 65);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(values[i], i | i << 8U);
  EXPECT_EQ(values[64], 64 * 63 / 2);
}

TEST(GpuMemory, APolledStaleCopyIsDroppedInTheEnd) {
  KernelRun run(kernel_text(1, R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %ctaid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $store;
  $wait:
    ld.global.u32 %r2, [%rd1];
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra $wait;
    ret;
  $store:
    st.global.u32 [%rd1], 1;
    ret;)"));
  run.device.options().memory = MemoryMode::Gpu;
  run.context.set_timeout(std::chrono::seconds(10));
  run.run("k", {2, 1, 1}, {1, 1, 1}, {run.array<std::uint32_t>({0})});
}

}  // namespace
}  // namespace ambit::virtual_gpu
