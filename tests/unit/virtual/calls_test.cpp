#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

using testing::HasSubstr;

const char* const kFunctions = R"(
.func (.param .b32 result) twice(.param .b32 value)
{
  .reg .b32 %r<4>;
  ld.param.b32 %r1, [value];
  add.u32 %r2, %r1, %r1;
  st.param.b32 [result], %r2;
  ret;
}
.func (.param .b32 result) thrice(.param .b32 value)
{
  .reg .b32 %r<4>;
  ld.param.b32 %r1, [value];
  mul.lo.u32 %r2, %r1, 3;
  st.param.b32 [result], %r2;
  ret;
}
.func (.param .b32 result) fibonacci(.param .b32 value)
{
  .local .align 4 .b8 room[16];
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  ld.param.b32 %r1, [value];
  st.local.u32 [room], %r1;
  mov.u32 %r5, %r1;
  setp.lt.u32 %p1, %r1, 2;
  @%p1 bra $done;
  sub.u32 %r2, %r1, 1;
  {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r2;
    call (b), fibonacci, (a);
    ld.param.b32 %r3, [b];
  }
  ld.local.u32 %r1, [room];
  sub.u32 %r2, %r1, 2;
  {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r2;
    call (b), fibonacci, (a);
    ld.param.b32 %r4, [b];
  }
  add.u32 %r5, %r3, %r4;
$done:
  st.param.b32 [result], %r5;
  ret;
}
.global .align 8 .u64 table[2] = {twice, thrice};
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
.global .align 1 .b8 format[24] = {37, 100, 32, 37, 53, 46, 49, 102, 32, 37, 108, 108, 100, 32, 37, 115, 37, 37, 10, 0};
.global .align 1 .b8 word[4] = {97, 98, 99, 0};
)";

const char* const kStoreOfCall = R"(
    mov.u32 %r1, %tid.x;
    ld.param.u64 %rd30, [p0];
    mad.wide.u32 %rd31, %r1, 4, %rd30;
    st.global.u32 [%rd31], %r6;
    ret;)";

std::vector<std::uint32_t> results(const std::string& body) {
  KernelRun run(kernel_text(1, "mov.u32 %r1, %tid.x;\n" + body + kStoreOfCall, kFunctions));
  const std::uint64_t to = run.fresh(4 * 32);
  run.device.options().stack_bytes = 16 * 1024;
  run.run("k", {1, 1, 1}, {32, 1, 1}, {to});
  return run.read<std::uint32_t>(to, 32);
}

TEST(Calls, ParametersAndResults) {
  const auto found = results(R"(
    { .param .b32 a; .param .b32 b;
      st.param.b32 [a], %r1;
      call.uni (b), twice, (a);
      ld.param.b32 %r6, [b]; })");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(found[i], 2 * i);
}

TEST(Calls, DivergedLanesCallDifferentFunctionsThroughPointers) {
  const auto found = results(R"(
    and.b32 %r2, %r1, 1;
    mov.u64 %rd1, table;
    mad.wide.u32 %rd2, %r2, 8, %rd1;
    ld.global.u64 %rd3, [%rd2];
    prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
    { .param .b32 a; .param .b32 b;
      st.param.b32 [a], %r1;
      call (b), %rd3, (a), prototype;
      ld.param.b32 %r6, [b]; })");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(found[i], i % 2 == 0 ? 2 * i : 3 * i);
}

TEST(Calls, RecursionWithLocalMemory) {
  const auto found = results(R"(
    and.b32 %r2, %r1, 15;
    { .param .b32 a; .param .b32 b;
      st.param.b32 [a], %r2;
      call (b), fibonacci, (a);
      ld.param.b32 %r6, [b]; })");
  std::vector<std::uint32_t> expected{0, 1};
  for (std::size_t i = 2; i < 16; ++i) expected.push_back(expected[i - 1] + expected[i - 2]);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(found[i], expected[i & 15U]);
}

TEST(Calls, EndlessRecursionOverflowsTheStack) {
  KernelRun run = KernelRun(kernel_text(0, "call again, ();\nret;", R"(
.func again() { .local .b8 room[64]; call again, (); ret; })"));
  auto launched = run.launch("k", {1, 1, 1}, {32, 1, 1}, {});
  EXPECT_EQ(launched.value().end, LaunchEnd::IllegalInstruction);
  EXPECT_THAT(launched.value().findings.back().message, HasSubstr("the stack overflows in a call of again"));
}

TEST(Calls, Printf) {
  KernelRun run(kernel_text(0, R"(
    .local .align 8 .b8 room[32];
    .reg .b64 %SP, %SPL;
    mov.u64 %SPL, room;
    cvta.local.u64 %SP, %SPL;
    mov.u32 %r1, %tid.x;
    st.local.u32 [%SPL], %r1;
    st.local.f64 [%SPL+8], 0d3FF8000000000000;
    st.local.u64 [%SPL+16], -5;
    mov.u64 %rd1, word;
    cvta.global.u64 %rd2, %rd1;
    st.local.u64 [%SPL+24], %rd2;
    mov.u64 %rd3, format;
    cvta.global.u64 %rd4, %rd3;
    { .param .b64 a; .param .b64 b; .param .b32 r;
      st.param.b64 [a], %rd4;
      st.param.b64 [b], %SP;
      call.uni (r), vprintf, (a, b);
      ld.param.b32 %r2, [r]; }
    ret;)",
                            kFunctions));
  run.run("k", {1, 1, 1}, {2, 1, 1}, {});
  EXPECT_EQ(run.printed, "0   1.5 -5 abc%\n1   1.5 -5 abc%\n");
}

TEST(Calls, Assert) {
  KernelRun run(kernel_text(0, R"(
    mov.u64 %rd1, word;
    { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
      st.param.b64 [a], %rd1; st.param.b64 [b], %rd1; st.param.b32 [c], 12; st.param.b64 [d], %rd1; st.param.b64 [e], 1;
      call.uni __assertfail, (a, b, c, d, e); }
    ret;)",
                            kFunctions));
  auto launched = run.launch("k", {1, 1, 1}, {2, 1, 1}, {});
  EXPECT_EQ(launched.value().end, LaunchEnd::Assertion);
  EXPECT_EQ(launched.value().findings.back().message,
            "abc:12: abc: block: [0,0,0], thread: [0,0,0] Assertion `abc` failed.");
}

TEST(Calls, MallocAndFree) {
  const char* const kBody = R"(
    { .param .b64 a; .param .b64 r;
      st.param.b64 [a], 64;
      call.uni (r), malloc, (a);
      ld.param.b64 %rd1, [r]; }
    st.u32 [%rd1+60], %r1;
    ld.u32 %r6, [%rd1+60];
    { .param .b64 a;
      st.param.b64 [a], %rd1;
      call.uni free, (a); })";
  const auto found = results(kBody);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(found[i], i);
  KernelRun run(kernel_text(1, std::string(kBody) + "ld.u32 %r6, [%rd1];" + kStoreOfCall, kFunctions));
  auto launched = run.launch("k", {1, 1, 1}, {1, 1, 1}, {run.fresh(128)});
  EXPECT_EQ(launched.value().findings.back().kind, FindingKind::UseAfterFree);
}

}  // namespace
}  // namespace ambit::virtual_gpu
