// Tests cells of 16 bytes on a GPU: how kernels represent these cells, and how they report a torn read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/wide_value.h"
#include "report/results/words.h"
#include "runner/cuda/emit/emit_kernel.h"
#include "runner/cuda/emit/instruction_names.h"
#include "runner/cuda/launch/sass.h"
#include "tests/support/parsed.h"

// The kernel's text, compiled as C++ for the host. NOLINTBEGIN(bugprone-reserved-identifier): keywords of CUDA
#define __device__
#define __forceinline__ inline
#define __align__(bytes) alignas(bytes)
namespace ambit::cuda::on_device {
namespace {
constexpr unsigned long long kTornMark = ambit::kTornMark;
#include "kernels/wide.cuh"
}  // namespace
}  // namespace ambit::cuda::on_device
#undef __device__
#undef __forceinline__
#undef __align__
// NOLINTEND(bugprone-reserved-identifier)

namespace ambit::cuda {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::shared_ptr<const Program> program_with(const std::string& instruction) {
  return test::program_of(
      "PTX t\n{ .b128 x=7; }\n P0@cta 0,gpu 0 ;\n " + instruction + " ;\nlocations [x;]\nforall (true)\n", "t.litmus");
}

TEST(WideCells, AReadOfEqualHalvesIsTheirValue) {
  for (const Value value : {Value{0}, Value{5}, Value{-1}, std::numeric_limits<Value>::min()}) {
    EXPECT_EQ(on_device::whole(value, value), value);
    on_device::Wide cell{1, 2};
    cell = value;
    EXPECT_EQ(cell.lower, value);
    EXPECT_EQ(cell.upper, value);
    EXPECT_EQ(static_cast<long long>(cell), value);
    EXPECT_FALSE(is_torn(value));
  }
}

// A torn read has a special value, which is the same in the kernel and on the host. Reports show this value.
TEST(WideCells, ATornReadIsAValueOfItsOwn) {
  const Value torn = on_device::whole(1, 0);
  EXPECT_EQ(torn, Value{0x746f726e00000001});
  EXPECT_NE(torn, on_device::whole(0, 1));
  EXPECT_TRUE(is_torn(torn));
  EXPECT_EQ(torn_text(torn), "torn(1|0)");
  EXPECT_EQ(torn_text(on_device::whole(-1, 70000)), "torn(65535|4464)");
  const auto program = program_with("ld.weak.b128 r0, x");
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(report::value_text(*program, torn, program->locations[0].type), "torn(1|0)");
  EXPECT_EQ(report::value_text(*program, torn, kLongLong), std::to_string(torn));
  EXPECT_EQ(report::value_text(*program, -1, program->locations[0].type), "-1");
}

TEST(WideCells, InstructionsPackAndUnpackRegistersOf128Bits) {
  const auto source = [](const std::string& instruction) {
    const auto program = program_with(instruction);
    if (program == nullptr) return std::string("not read");
    const auto kernel = emit(*program);
    return kernel.ok() ? kernel.value().source : render(kernel.errors());
  };
  EXPECT_THAT(source("ld.acquire.gpu.b128 r0, x"),
              HasSubstr("asm volatile(\"{\\n.reg .b128 ambit_q;\\nld.acquire.gpu.global.b128 ambit_q, [%2]; // ambit "
                        "P0.0\\nmov.b128 {%0, %1}, ambit_q;\\n}\" : \"=l\"(t0), \"=l\"(t1) : \"l\"("));
  EXPECT_THAT(source("ld.acquire.gpu.b128 r0, x"), HasSubstr("t0 = whole(t0, t1);"));
  EXPECT_THAT(source("st.relaxed.cta.b128 x, 3"),
              HasSubstr("mov.b128 ambit_q, {%1, %1};\\nst.relaxed.cta.global.b128 [%0], ambit_q; // ambit P0.0\\n}"));
  EXPECT_THAT(source("atom.acq_rel.sys.cas.b128 r0, x, 3, 4"),
              HasSubstr("atom.acq_rel.sys.global.cas.b128 ambit_q, [%2], ambit_c, ambit_v; // ambit P0.0"));
  EXPECT_THAT(source("atom.exch.b128 r0, x, 3"), HasSubstr("*reinterpret_cast<Wide*>(at.cell(0 /* x */)) = 7ll;"));
  EXPECT_THAT(source("atom.exch.b128 r0, x, 3"),
              HasSubstr("values[0] = *reinterpret_cast<Wide*>(at.cell(0 /* x */));"));
}

TEST(WideCells, KernelsWithoutThemHaveNothingOfThem) {
  const auto program = test::program_of("CUDA t\n{ global long long x = 0; }\nP0 @ block 0 { x = 1; }\n", "t.litmus");
  const auto kernel = emit(*program);
  ASSERT_TRUE(kernel.ok()) << render(kernel.errors());
  EXPECT_THAT(kernel.value().source, Not(HasSubstr("Wide")));
  EXPECT_EQ(kernel.value().widest_cell, 8U);
}

TEST(WideCells, AtomicsNeedHopper) {
  const auto load = emit(*program_with("ld.relaxed.gpu.b128 r0, x"));
  const auto exchange = emit(*program_with("atom.exch.b128 r0, x, 3"));
  ASSERT_TRUE(load.ok() && exchange.ok());
  EXPECT_EQ(load.value().lowest_arch, 75U);
  EXPECT_EQ(load.value().widest_cell, 16U);
  EXPECT_EQ(exchange.value().lowest_arch, 90U);
}

TEST(WideCells, HardwareHasTwoAtomicsOnThem) {
  Rmw rmw;
  rmw.access.type = {128, true};
  for (const RmwOp op : {RmwOp::Exchange, RmwOp::CompareExchange}) {
    rmw.op = op;
    EXPECT_THAT(missing_atomic(rmw), IsEmpty());
  }
  rmw.op = RmwOp::Add;
  EXPECT_EQ(missing_atomic(rmw), "hardware has no atomic 'add' on 128 bits");
}

// The names of instructions come from the machine code that ptxas of CUDA 13.0 makes for sm_90. The width is 128.
// Strength and scope have the same names as for 64 bits.
TEST(WideCells, MachineCodeIsOneInstruction) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> right = {
      {"ld.weak.global.b128", {"LDG.E.128"}},
      {"ld.relaxed.gpu.global.b128", {"LDG.E.128.STRONG.GPU"}},
      {"ld.acquire.gpu.global.b128", {"LDG.E.128.STRONG.GPU", "CCTL.IVALL"}},
      {"ld.relaxed.cta.b128", {"LDS.128"}},
      {"st.release.sys.global.b128", {"MEMBAR.ALL.SYS", "STG.E.128.STRONG.SYS"}},
      {"atom.relaxed.gpu.global.exch.b128", {"ATOMG.E.EXCH.128.STRONG.GPU"}},
      {"atom.relaxed.cta.cas.b128", {"ATOM.E.CAS.128.STRONG.SM"}}};
  for (const auto& [ptx, names] : right) EXPECT_THAT(check_expansion(ptx, names), IsEmpty()) << ptx;
  EXPECT_THAT(check_expansion("ld.relaxed.gpu.global.b128", {"LDG.E.64.STRONG.GPU"}), Not(IsEmpty()));
  EXPECT_THAT(check_expansion("ld.relaxed.gpu.global.b128", {"LDG.E.64.STRONG.GPU", "LDG.E.64.STRONG.GPU"}),
              Not(IsEmpty()));
  EXPECT_THAT(check_expansion("atom.relaxed.gpu.global.exch.b128", {"ATOMG.E.EXCH.64.STRONG.GPU"}), Not(IsEmpty()));
}

}  // namespace
}  // namespace ambit::cuda
