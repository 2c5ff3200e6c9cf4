/// Tests the lowered code of every instruction form in PTX litmus files (docs/reference/ptx-files.md, PTX ISA 9.7).

#include <gtest/gtest.h>

#include "tests/unit/parser/ptx/ptx_listing.h"

namespace ambit::parser {
namespace {

TEST(PtxInstructions, WeakAccesses) {
  EXPECT_EQ(column({"ld.weak r0, x"}), "r0 = ld x weak\n");
  EXPECT_EQ(column({"ld r0, x"}), "r0 = ld x weak\n");
  EXPECT_EQ(column({"ld.weak r0, [x]"}), "r0 = ld x weak\n");
  EXPECT_EQ(column({"st.weak x, 1"}), "st x weak = 1\n");
  EXPECT_EQ(column({"st [x], -1"}), "st x weak = -1\n");
  EXPECT_EQ(column({"st x, 0x10"}), "st x weak = 16\n");
  EXPECT_EQ(column({"ld.weak r0, x", "st.weak y, r0"}), "r0 = ld x weak\nst y weak = r0\n");
}

TEST(PtxInstructions, StrongAccessesHaveOrderAndScope) {
  EXPECT_EQ(column({"ld.relaxed.cta r0, x"}), "r0 = ld x rlx.block\n");
  EXPECT_EQ(column({"ld.relaxed.cluster r0, x"}), "r0 = ld x rlx.cluster\n");
  EXPECT_EQ(column({"ld.acquire.gpu r0, x"}), "r0 = ld x acq.device\n");
  EXPECT_EQ(column({"ld.acquire.sys r0, x"}), "r0 = ld x acq.system\n");
  EXPECT_EQ(column({"st.relaxed.gpu x, 1"}), "st x rlx.device = 1\n");
  EXPECT_EQ(column({"st.release.cta x, 1"}), "st x rel.block = 1\n");
  EXPECT_EQ(column({"ld.relaxed.gpu.global r0, [x]"}), "r0 = ld x rlx.device\n");
}

TEST(PtxInstructions, VolatileIsRelaxedAtSystemScopeAndNotAtomic) {
  EXPECT_EQ(column({"ld.volatile r0, x"}), "r0 = ld x rlx.system volatile\n");
  EXPECT_EQ(column({"st.volatile x, 1"}), "st x rlx.system volatile = 1\n");
}

// PTX ISA 8.6: an mmio operation is strong and has system scope. Its memory order is always relaxed.
TEST(PtxInstructions, MmioIsRelaxedAtSystemScope) {
  EXPECT_EQ(column({"ld.mmio.relaxed.sys r0, x"}), "r0 = ld x rlx.system\n");
  EXPECT_EQ(column({"st.mmio.relaxed.sys x, 1"}), "st x rlx.system = 1\n");
  EXPECT_NE(column_errors({"ld.mmio.relaxed.gpu r0, x"}), "");
  EXPECT_NE(column_errors({"ld.mmio.acquire.sys r0, x"}), "");
}

TEST(PtxInstructions, OtherProxies) {
  EXPECT_EQ(column({"tld.weak r0, x"}), "r0 = ld x weak texture\n");
  EXPECT_EQ(column({"suld.weak r0, x"}), "r0 = ld x weak surface\n");
  EXPECT_EQ(column({"cold.weak r0, x"}), "r0 = ld x weak constant\n");
  EXPECT_EQ(column({"ldc r0, x"}), "r0 = ld x weak constant\n");
  EXPECT_EQ(column({"sust.weak x, 1"}), "st x weak surface = 1\n");
  EXPECT_EQ(column({"suld.acquire.gpu r0, x"}), "r0 = ld x acq.device surface\n");
  EXPECT_EQ(column({"suatom.relaxed.gpu.add r0, x, 1"}), "r0 = rmw.add x rlx.device surface (1)\n");
  EXPECT_EQ(column({"sured.release.cta.add x, 1"}), "red.add x rel.block surface (1)\n");
}

TEST(PtxInstructions, Atomics) {
  EXPECT_EQ(column({"atom.relaxed.gpu.add r0, x, 1"}), "r0 = rmw.add x rlx.device (1)\n");
  EXPECT_EQ(column({"atom.acquire.cta.sub r0, x, 1"}), "r0 = rmw.sub x acq.block (1)\n");
  EXPECT_EQ(column({"atom.release.sys.exch r0, x, 1"}), "r0 = rmw.exch x rel.system (1)\n");
  EXPECT_EQ(column({"atom.acq_rel.cluster.min r0, x, 1"}), "r0 = rmw.min x acq_rel.cluster (1)\n");
  EXPECT_EQ(column({"atom.relaxed.gpu.max r0, x, 1"}), "r0 = rmw.max x rlx.device (1)\n");
  EXPECT_EQ(column({"atom.relaxed.gpu.inc r0, x, 3"}), "r0 = rmw.inc x rlx.device (3)\n");
  EXPECT_EQ(column({"atom.relaxed.gpu.dec r0, x, 3"}), "r0 = rmw.dec x rlx.device (3)\n");
  EXPECT_EQ(column({"atom.relaxed.gpu.and r0, x, 1"}), "r0 = rmw.and x rlx.device (1)\n");
  EXPECT_EQ(column({"atom.relaxed.gpu.or r0, x, 1"}), "r0 = rmw.or x rlx.device (1)\n");
  EXPECT_EQ(column({"atom.relaxed.gpu.xor r0, x, 1"}), "r0 = rmw.xor x rlx.device (1)\n");
  // atom.cas d, [a], compare, new
  EXPECT_EQ(column({"atom.relaxed.gpu.cas r0, x, 2, 3"}), "r0 = rmw.cas x rlx.device (2 -> 3)\n");
  EXPECT_EQ(column({"atom.relaxed.gpu.global.add.u32 r0, [x], 1"}), "r0 = rmw.add x rlx.device (1)\n");
  EXPECT_EQ(column({"atom.relaxed.gpu.add _, x, 1"}), "rmw.add x rlx.device (1)\n");
}

// The PTX ISA says about atom: "if no semantics is given, .relaxed; if no scope is given, .gpu".
TEST(PtxInstructions, AtomicsWithoutOrderOrScope) {
  EXPECT_EQ(column({"atom.add r0, x, 1"}), "r0 = rmw.add x rlx.device (1)\n");
  EXPECT_EQ(column({"atom.acquire.add r0, x, 1"}), "r0 = rmw.add x acq.device (1)\n");
  EXPECT_EQ(column({"atom.cta.add r0, x, 1"}), "r0 = rmw.add x rlx.block (1)\n");
  EXPECT_EQ(column({"red.add x, 1"}), "red.add x rlx.device (1)\n");
}

TEST(PtxInstructions, Reductions) {
  EXPECT_EQ(column({"red.relaxed.gpu.add x, 1"}), "red.add x rlx.device (1)\n");
  EXPECT_EQ(column({"red.release.sys.or x, 1"}), "red.or x rel.system (1)\n");
  EXPECT_EQ(column({"red.acquire.gpu.add x, 1"}), "rmw.add x acq.device (1)\n");  // Ambit reads red as atom
  EXPECT_NE(column_errors({"red.relaxed.gpu.cas x, 1"}).find("cannot be .cas"), std::string::npos);
}

TEST(PtxInstructions, Fences) {
  EXPECT_EQ(column({"fence.sc.gpu"}), "fence sc.device\n");
  EXPECT_EQ(column({"fence.acq_rel.cta"}), "fence acq_rel.block\n");
  EXPECT_EQ(column({"fence.acquire.cluster"}), "fence acq.cluster\n");
  EXPECT_EQ(column({"fence.release.sys"}), "fence rel.system\n");
  // PTX ISA, fence: ".sem defaults to .acq_rel".
  EXPECT_EQ(column({"fence.gpu"}), "fence acq_rel.device\n");
  // PTX ISA: membar means fence.sc, and membar.gl has gpu scope.
  EXPECT_EQ(column({"membar.cta", "membar.gl", "membar.sys"}), "fence sc.block\nfence sc.device\nfence sc.system\n");
}

TEST(PtxInstructions, ProxyFences) {
  EXPECT_EQ(column({"fence.proxy.generic", "fence.proxy.constant", "fence.proxy.texture", "fence.proxy.surface",
                    "fence.proxy.async", "fence.proxy.alias", "membar.proxy.alias"}),
            "fence.proxy.generic\nfence.proxy.constant\nfence.proxy.texture\nfence.proxy.surface\nfence.proxy.async\n"
            "fence.proxy.alias\nfence.proxy.alias\n");
}

TEST(PtxInstructions, Arithmetic) {
  EXPECT_EQ(column({"mov r1, 2", "add r0, r1, 1", "sub r0, r1, 1", "mul r0, r1, 1", "mul.lo.s32 r0, r1, 3",
                    "div r0, r1, 1", "rem r0, r1, 2"}),
            "r1 = 2\nr0 = r1 + 1\nr0 = r1 - 1\nr0 = r1 * 1\nr0 = r1 * 3\nr0 = r1 / 1\nr0 = r1 % 2\n");
  EXPECT_EQ(column({"mov r1, 2", "and r0, r1, 1", "or r0, r1, 1", "xor r0, r1, r1", "min r0, r1, 1", "max r0, 3, r1"}),
            "r1 = 2\nr0 = r1 & 1\nr0 = r1 | 1\nr0 = r1 ^ r1\nr0 = r1 min 1\nr0 = 3 max r1\n");
}

TEST(PtxInstructions, MovesByMovAndByPlainLd) {
  EXPECT_EQ(column({"mov r0, 7", "mov r1, r0"}), "r0 = 7\nr1 = r0\n");
  EXPECT_EQ(column({"ld r0, 7", "ld r1, r0"}), "r0 = 7\nr1 = r0\n");
}

TEST(PtxInstructions, BranchesAndLabels) {
  EXPECT_EQ(column({"LC00: ld.relaxed.gpu r0, x", "bne r0, 1, LC00", "beq r0, 2, LC01", "st.weak y, 1", "LC01:"}),
            "r0 = ld x rlx.device\nif (r0 != 1) goto 0\nif (r0 == 2) goto 4\nst y weak = 1\n");
  EXPECT_EQ(
      column({"mov r0, 1", "blt r0, 1, LC1", "ble r0, 1, LC1", "bgt r0, 1, LC1", "bge r0, 1, LC1", "LC1: st x, 1"}),
      "r0 = 1\nif (r0 < 1) goto 5\nif (r0 <= 1) goto 5\nif (r0 > 1) goto 5\nif (r0 >= 1) goto 5\nst x weak = 1\n");
  EXPECT_EQ(column({"goto LC01", "st x, 1", "LC01: bra LC02", "LC02: LC03: st y, 1", "exit", "st x, 2"}),
            "goto 2\nst x weak = 1\ngoto 3\nst y weak = 1\ngoto 6\nst x weak = 2\n");
}

TEST(PtxInstructions, BlockBarriersWithInstanceResourceAndQuorum) {
  EXPECT_EQ(column({"bar.cta.sync 0"}), "barrier.block 0\n");
  EXPECT_EQ(column({"bar.cta.sync 3, 1"}), "barrier.block 3 resource 1\n");
  EXPECT_EQ(column({"bar.cta.sync 3, r1, 1"}, "P0:r1=2;"), "r1 = 2\nbarrier.block 3 resource r1 count 1\n");
  EXPECT_EQ(column({"bar.cta.arrive 0, 1, 1"}), "barrier.block 0 resource 1 count 1 arrive\n");
  EXPECT_EQ(column({"bar.cta.sync 0, 1, r1"}, "P0:r1=2;"), "r1 = 2\nbarrier.block 0 resource 1 count r1\n");
}

TEST(PtxInstructions, BlockBarriersAsTheIsaSpellsThem) {
  EXPECT_EQ(column({"bar.sync 0"}), "barrier.block 0\n");
  EXPECT_EQ(column({"bar.sync 1, 1"}), "barrier.block 1 count 1\n");
  EXPECT_EQ(column({"barrier.sync 2", "barrier.cta.sync.aligned 2"}), "barrier.block 2\nbarrier.block 2\n");
  EXPECT_EQ(column({"bar.arrive 1, 1"}), "barrier.block 1 count 1 arrive\n");
  EXPECT_NE(column_errors({"bar.arrive 1"}), "");  // in the ISA, bar.arrive always has a count
  // If the number of one barrier is in a register, Ambit compares the numbers of all barriers by value. Barrier 1 and
  // barrier r0 may be one barrier.
  EXPECT_EQ(column({"bar.sync r0", "bar.sync 1"}, "P0:r0=1;"),
            "r0 = 1\nbarrier.block 0 resource r0\nbarrier.block 0 resource 1\n");
}

TEST(PtxInstructions, WarpAndClusterBarriers) {
  EXPECT_EQ(column({"bar.warp.sync 0xffffffff"}), "barrier.warp mask ffffffff\n");
  EXPECT_EQ(column({"bar.warp.sync -1"}), "barrier.warp mask ffffffff\n");
  EXPECT_NE(column_errors({"bar.warp.sync 2"}).find("does not include lane 0"), std::string::npos);
  EXPECT_EQ(column({"barrier.cluster.arrive", "barrier.cluster.wait"}),
            "barrier.cluster arrive\nbarrier.cluster wait\n");
  EXPECT_EQ(column({"barrier.cluster.arrive.release.aligned", "barrier.cluster.wait.acquire"}),
            "barrier.cluster arrive\nbarrier.cluster wait\n");
  EXPECT_EQ(column({"barrier.cluster.arrive.relaxed"}), "barrier.cluster arrive relaxed\n");
}

// The cell of an mbarrier contains the number of arrivals so far. If each phase has 2 arrivals, phase n completes when
// the number reaches 2(n+1). The defaults are .release and .cta for mbarrier.arrive, and .acquire and .cta for
// mbarrier.test_wait (PTX ISA). If an arrival has a count, this count must not exceed the number of pending arrivals
// (PTX ISA, mbarrier.arrive, count).
TEST(PtxInstructions, Mbarrier) {
  EXPECT_EQ(column({"mbarrier.arrive r0, [b]", "mbarrier.test_wait r1, [b], r0"}, "b=mbarrier(2);"),
            "%0 = rmw.add b rel.block (1)\nr0 = %0 / 2\n%1 = ld b acq.block\nr1 = (%1 / 2) > r0\n");
  EXPECT_EQ(column({"mbarrier.arrive.relaxed.cluster r0, [b]", "mbarrier.try_wait.relaxed.cluster r1, [b], r0"},
                   "b=mbarrier(1);"),
            "r0 = rmw.add b rlx.cluster (1)\n%0 = ld b rlx.cluster\nr1 = %0 > r0\n");
  EXPECT_EQ(column({"mbarrier.init.shared::cta.b64 [b], 2", "mbarrier.arrive.shared::cta.b64 _, [b], 2"}, ""),
            "st b weak = 0\n%0 = rmw.update b rel.block (%0 + ((2 - (%0 % 2)) min 2))\n"
            "assert ((2 - (%0 % 2)) >= 2)\n");
  EXPECT_EQ(column({"mbarrier.test_wait.parity r0, [b], 0"}, "b=mbarrier(1);"),
            "%0 = ld b acq.block\nr0 = (%0 & 1) != 0\n");
}

TEST(PtxInstructions, AddressesInRegistersMakeTheTest64Bits) {
  const auto program =
      parse_ptx("PTX t\n{ x=1; P0:r1=&x; y=x; }\nP0@cta 0 ;\nld.weak r0, r1;\nld.weak r2, [y];\nst.weak [r2], 3;\n");
  ASSERT_EQ(program->threads.size(), 1U);
  EXPECT_EQ(program->locations[0].type, kLongLong);
  EXPECT_EQ(program->locations[1].initial, make_address(0, 0));
  EXPECT_EQ(column({"ld.weak r0, r1", "st [r1], 2"}, "x=1; P0:r1=x;"),
            "r1 = 4294967296\nr0 = ld [r1] weak\nst [r1] weak = 2\n");
  EXPECT_EQ(column({"mov r1, x", "mov r2, &y", "ld.acquire.gpu r0, [r1]"}),
            "r1 = 4294967296\nr2 = 8589934592\nr0 = ld [r1] acq.device\n");
}

// Offsets in PTX are in bytes, and an element of a 64-bit array has 8 bytes.
TEST(PtxInstructions, OffsetsAreBytes) {
  EXPECT_EQ(column({"st [a+4], 1", "st a[2], 1", "st [a[1]], 1"}, "a[3]={1,2};"),
            "st a[1] weak = 1\nst a[2] weak = 1\nst a[1] weak = 1\n");
  EXPECT_EQ(column({"st [a+8], 1", "ld.weak r0, [r1+8]"}, "a[3]; P0:r1=a;"),
            "r1 = 4294967296\nst a[1] weak = 1\nr0 = ld [r1 +.i64 1] weak\n");
  EXPECT_NE(column_errors({"st [a+2], 1"}, "a[3];").find("not a multiple"), std::string::npos);
  EXPECT_EQ(column({"add r2, r1, 8"}, "a[3]; P0:r1=a;"), "r1 = 4294967296\nr2 = r1 +.i64 1\n");
  EXPECT_NE(column_errors({"mul r2, r1, 8"}, "a[3]; P0:r1=a;").find("arithmetic on an address"), std::string::npos);
}

TEST(PtxInstructions, TypesOfLocationsAndRegisters) {
  const auto type_of_x = [](const std::string& rows) {
    return parse_ptx("PTX t\n{ }\nP0@cta 0 ;\n" + rows)->locations.at(0).type;
  };
  EXPECT_EQ(type_of_x("st.weak x, 1;"), kInt);
  EXPECT_EQ(type_of_x("st.weak.u32 x, 1;"), kUnsigned);
  EXPECT_EQ(type_of_x("st.weak.b64 x, 1;"), kLongLong);
  EXPECT_EQ(type_of_x("st.weak.u64 x, 1;"), kUnsignedLongLong);
  EXPECT_EQ(type_of_x("atom.inc r0, x, 1;"), kUnsigned);  // PTX has only atom.inc.u32
  EXPECT_EQ(type_of_x("st.weak.u32 x, 1; ld.weak.s32 r0, x;"), kInt);
  EXPECT_EQ(type_of_x("st.weak.b16 x, 1;"), (ScalarType{16, true}));
  const auto unsigned_register = parse_ptx("PTX t\n{ }\nP0@cta 0 ;\nld.weak.u32 r0, x;\n");
  EXPECT_EQ(unsigned_register->threads[0].registers[0].type, kUnsigned);
}

TEST(PtxInstructions, DifferentSizesOfOneLocation) {
  const std::string message = column_errors({"st.weak.b64 x, 1", "ld.weak.b32 r0, x"});
  EXPECT_NE(message.find("'x' is accessed with 32 bits here, but with 64 bits in line 4"), std::string::npos)
      << message;
  EXPECT_NE(message.find("PTX gives no guarantee"), std::string::npos) << message;
  EXPECT_NE(column_errors({"atom.min.u32 r0, x, 1", "atom.max.s32 r0, x, 1"}).find("signed in one access"),
            std::string::npos);
}

TEST(PtxInstructions, SixteenBytes) {
  EXPECT_EQ(column({"ld.acquire.gpu.b128 r0, x", "st.b128 x, 1"}), "r0 = ld x acq.device\nst x weak = 1\n");
  EXPECT_EQ(column({"atom.relaxed.sys.exch.b128 r0, x, -1", "atom.cas.b128 r1, x, 1, 2"}),
            "r0 = rmw.exch x rlx.system (-1)\nr1 = rmw.cas x rlx.device (1 -> 2)\n");
  const auto program = parse_ptx("PTX t\n{ .b128 a[2]={1,2}; }\nP0@cta 0 ;\nst.relaxed.gpu.b128 [a+16], 3;\n");
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->locations.at(1).type, (ScalarType{128, true}));
  EXPECT_EQ(program->locations.at(1).initial, 2);
}

TEST(PtxInstructions, UnsupportedOnSixteenBytes) {
  for (const char* instruction :
       {"atom.add.b128 r0, x, 1", "red.relaxed.gpu.or.b128 x, 1", "suld.weak.b128 r0, x", "mov.b128 r0, 1"}) {
    EXPECT_NE(column_errors({instruction}).find("expected ld, st, atom.exch or atom.cas"), std::string::npos)
        << instruction;
  }
  EXPECT_NE(column_errors({"ld.weak.u128 r0, x"}).find("'.u128'"), std::string::npos);
  EXPECT_NE(column_errors({"ld.weak.v2.b128 {r0, r1}, x"}).find("no vectors"), std::string::npos);
  EXPECT_NE(column_errors({"st.weak.b128 x, 1", "ld.weak.b64 r0, x"})
                .find("'x' is accessed with 64 bits here, but with 128 bits in line 4"),
            std::string::npos);
  EXPECT_NE(column_errors({"st.weak.b128 [a+8], 1"}, ".b128 a[2];").find("not a multiple of the access's 16 bytes"),
            std::string::npos);
  EXPECT_NE(column_errors({"st.weak.b128 x, 8390050447586492416"}).find("torn"), std::string::npos);
  EXPECT_NE(column_errors({"st.weak.b128 x, 18446744073709551616"}).find("more than 64 bits"), std::string::npos);
}

}  // namespace
}  // namespace ambit::parser
