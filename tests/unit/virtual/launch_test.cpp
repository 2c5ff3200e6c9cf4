#include <gtest/gtest.h>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

TEST(Launch, AddsOneToEachElement) {
  KernelRun run(kernel_text(2, R"(
    ld.param.u64 %rd1, [p0];
    ld.param.u32 %r5, [p1];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    setp.ge.s32 %p1, %r4, %r5;
    @%p1 bra $done;
    mul.wide.s32 %rd3, %r4, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.u32 %r6, [%rd4];
    add.s32 %r7, %r6, 1;
    st.global.u32 [%rd4], %r7;
  $done:
    ret;)"));
  std::vector<std::uint32_t> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i * i);
  const std::uint64_t array = run.array(values);
  run.run("k", {8, 1, 1}, {128, 1, 1}, {array, values.size()});
  for (auto& value : values) ++value;
  EXPECT_EQ(run.read<std::uint32_t>(array, values.size()), values);
}

}  // namespace
}  // namespace ambit::virtual_gpu
