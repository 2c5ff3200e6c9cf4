// Tests 32-bit address arithmetic, and accesses to the whole word around an object that is smaller than a word.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The base is the address of the variable minus 64, and the offset of the access is 64. The base is a 32-bit
// difference, or a 64-bit register whose upper bits are zeros or copies of the sign.
TEST(Addresses, OfSharedMemoryWrapAt32Bits) {
  for (const char* address : {"sub.u32 %r2, %r1, 64;", "sub.u32 %r2, %r1, 64;\ncvt.u64.u32 %rd3, %r2;",
                              "cvt.u64.u32 %rd3, %r1;\nsub.s64 %rd3, %rd3, 64;"}) {
    const std::string base = std::string(address).find("%rd3") == std::string::npos ? "%r2" : "%rd3";
    KernelRun run(kernel_text(1, std::string(R"(
    .shared .align 4 .b8 s[4];
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, s;
    st.shared.u32 [s], 5;
)") + address + "\nld.shared.u32 %r4, [" +
                                     base + "+64];\natom.shared.add.u32 %r5, [" + base + R"(+64], 2;
    st.global.u32 [%rd1], %r4;
    ld.shared.u32 %r4, [s];
    st.global.u32 [%rd1+4], %r4;
    ret;)"));
    const std::uint64_t out = run.array<std::uint32_t>({0, 0});
    run.run("k", {}, {}, {out});
    EXPECT_THAT(run.read<std::uint32_t>(out, 2), ElementsAre(5, 7)) << address;
  }
}

// A computation may move a generic pointer out of its window. The address of the access itself must be in the
// window.
TEST(Addresses, OfAWindowAreSums) {
  KernelRun run(kernel_text(1, R"(
    .shared .align 4 .b8 s[4];
    .local .align 4 .b8 own[16];
    ld.param.u64 %rd1, [p0];
    mov.u64 %rd2, s;
    sub.s64 %rd2, %rd2, 4096;
    cvta.shared.u64 %rd3, %rd2;
    st.u32 [%rd3+4096], 5;
    ld.shared.u32 %r1, [s];
    st.global.u32 [%rd1], %r1;
    cvta.to.shared.u64 %rd4, %rd3;
    ld.shared.u32 %r1, [%rd4+4096];
    st.global.u32 [%rd1+4], %r1;
    mov.u64 %rd5, own;
    sub.s64 %rd5, %rd5, 4096;
    st.local.u32 [%rd5+4096], 6;
    cvta.local.u64 %rd6, %rd5;
    ld.u32 %r1, [%rd6+4096];
    st.global.u32 [%rd1+8], %r1;
    ret;)"));
  const std::uint64_t out = run.array<std::uint32_t>({0, 0, 0});
  run.run("k", {}, {}, {out});
  EXPECT_THAT(run.read<std::uint32_t>(out, 3), ElementsAre(5, 5, 6));
}

TEST(Addresses, BeyondTheEndOfSharedMemoryAreStillFaults) {
  KernelRun run(kernel_text(0, R"(
    .shared .align 4 .b8 s[4];
    mov.u32 %r1, s;
    ld.shared.u32 %r4, [%r1+4];
    ret;)"));
  const auto launched = run.launch("k", {}, {}, {});
  ASSERT_TRUE(launched.ok());
  EXPECT_EQ(launched.value().end, LaunchEnd::IllegalAddress);
}

// cuda::atomic_ref accesses a byte through the word that contains the byte: by a strong load and by a
// compare-exchange.
TEST(WordsAroundBytes, MayExtendBeyondAnAllocation) {
  KernelRun run(kernel_text(1, R"(
    ld.param.u64 %rd1, [p0];
    and.b64 %rd2, %rd1, -4;
    ld.relaxed.gpu.global.u32 %r1, [%rd2];
    bfi.b32 %r2, 42, %r1, 0, 8;
    atom.relaxed.gpu.global.cas.b32 %r3, [%rd2], %r1, %r2;
    ret;)"));
  const std::uint64_t byte = run.array<std::uint8_t>({1});
  const LaunchReport report = run.run("k", {}, {}, {byte});
  EXPECT_TRUE(report.findings.empty()) << text_of(run.device, report);
  EXPECT_THAT(run.read<std::uint8_t>(byte, 1), ElementsAre(42));
}

TEST(WordsAroundBytes, MayExtendBeyondSharedMemory) {
  KernelRun run(kernel_text(1, R"(
    .shared .align 1 .b8 s[1];
    ld.param.u64 %rd1, [p0];
    st.shared.u8 [s], 1;
    ld.relaxed.cta.shared.u32 %r1, [s];
    bfi.b32 %r2, 42, %r1, 0, 8;
    atom.shared.cas.b32 %r3, [s], %r1, %r2;
    ld.shared.u8 %rs1, [s];
    st.global.u8 [%rd1], %rs1;
    ret;)"));
  const std::uint64_t out = run.array<std::uint8_t>({0});
  const LaunchReport report = run.run("k", {}, {}, {out});
  EXPECT_TRUE(report.findings.empty()) << text_of(run.device, report);
  EXPECT_THAT(run.read<std::uint8_t>(out, 1), ElementsAre(42));
}

// All other accesses beyond the end are out of bounds: plain and volatile accesses, additions, the next word.
TEST(WordsAroundBytes, AreOutOfBoundsForOtherAccesses) {
  for (const char* access :
       {"ld.global.u32 %r1, [%rd1];", "ld.volatile.global.u32 %r1, [%rd1];", "st.relaxed.gpu.global.u32 [%rd1], 1;",
        "atom.global.add.u32 %r1, [%rd1], 1;", "atom.global.cas.b32 %r1, [%rd1+4], 0, 1;"}) {
    KernelRun run(kernel_text(1, std::string("ld.param.u64 %rd1, [p0];\n") + access + "\nret;"));
    const std::uint64_t byte = run.array<std::uint8_t>({1});
    const auto launched = run.launch("k", {}, {}, {byte});
    ASSERT_TRUE(launched.ok());
    EXPECT_EQ(launched.value().end, LaunchEnd::IllegalAddress) << access;
    EXPECT_THAT(text_of(run.device, launched.value()), HasSubstr("out of bounds")) << access;
  }
}

// For strong loads and compare-exchanges, a word is initialised if the program has stored at least one of its bytes.
TEST(WordsAroundBytes, MayHoldBytesThatWereNeverStored) {
  const char* const body = R"(
    ld.param.u64 %rd1, [p0];
    ld.relaxed.gpu.global.u32 %r1, [%rd1];
    atom.global.cas.b32 %r3, [%rd1], %r1, %r1;
    ret;)";
  KernelRun run(kernel_text(1, body));
  const std::uint64_t bytes = run.fresh(8);
  run.device.memory().set(bytes, 1, 1);
  EXPECT_TRUE(run.run("k", {}, {}, {bytes}).findings.empty());
  EXPECT_EQ(run.run("k", {}, {}, {bytes + 4}).findings.size(), 2U);
}

TEST(Variables, ManagedOnesAreAtHostAddresses) {
  KernelRun run(kernel_text(1, R"(
    ld.param.u64 %rd1, [p0];
    ld.global.u32 %r1, [%rd1];
    add.u32 %r1, %r1, 2;
    st.global.u32 [shared_with_host], %r1;
    ret;)",
                            ".global .align 4 .attribute(.managed) .u32 shared_with_host = 3;"));
  const Symbol* symbol = run.device.find_symbol(run.module, "shared_with_host");
  ASSERT_NE(symbol, nullptr);
  auto* host = reinterpret_cast<std::uint32_t*>(symbol->address);  // NOLINT(performance-no-int-to-ptr)
  EXPECT_EQ(*host, 3U);
  *host = 5;
  run.run("k", {}, {}, {symbol->address});
  EXPECT_EQ(*host, 7U);
}

}  // namespace
}  // namespace ambit::virtual_gpu
