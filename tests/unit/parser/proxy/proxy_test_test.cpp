/// Tests .test files with several proxies (docs/reference/ptx-files.md).

#include <gtest/gtest.h>

#include "tests/unit/parser/litmus/litmus_listing.h"
#include "tests/unit/parser/ptx/ptx_listing.h"

namespace ambit::parser {
namespace {

constexpr const char* kTexture = R"(// a store, seen through a texture
.global x;
.global f;
.texref t virtually aliases x;
d0.b0.t0 {
  st.weak [x], 1;
  st.release.gpu [f], 1;
}
d0.b1.t0 {
  ld.acquire.gpu r1, [f] == 1;
  fence.proxy.texture;
  tld r2, [t];
}
assert (r2 == 1) as seen;
permit (not d0.b1.t0.r2 == 1 && r1 = 1) as unseen;
check (x == 1) as final;
)";

TEST(ProxyTestFile, EachCommandIsATest) {
  const auto programs = parse_test_file(kTexture);
  ASSERT_EQ(programs.size(), 3U);
  EXPECT_EQ(programs[0]->name, "file/seen");
  EXPECT_EQ(programs[1]->name, "file/unseen");
  EXPECT_EQ(programs[2]->name, "file/final");
  ASSERT_EQ(programs[0]->threads.size(), 2U);
  EXPECT_EQ(programs[0]->threads[0].name, "d0.b0.t0");
  EXPECT_EQ(listing(*programs[0], programs[0]->threads[0]), "st x weak = 1\nst f rel.device = 1\n");
  EXPECT_EQ(listing(*programs[0], programs[0]->threads[1]),
            "r1 = ld f acq.device\nassume (r1 == 1)\nfence.proxy.texture\nr2 = ld x weak texture\n");
}

// The command `assert` requires that no allowed execution violates the condition. The commands `permit` and `check`
// require that some allowed execution satisfies the condition.
TEST(ProxyTestFile, CommandsBecomeExpectations) {
  const auto programs = parse_test_file(kTexture);
  ASSERT_EQ(programs.size(), 3U);
  for (const auto& program : programs) {
    ASSERT_EQ(program->expectations.size(), 1U);
    EXPECT_EQ(program->expectations[0].model, "ptx-7.5");
  }
  EXPECT_EQ(programs[0]->condition.quantifier, Quantifier::Forall);
  EXPECT_EQ(programs[0]->expectations[0].frequency, Frequency::Always);
  EXPECT_EQ(expression(*programs[0], nullptr, *programs[0]->condition.proposition), "(d0.b1.t0:r2 == 1)");
  EXPECT_EQ(programs[1]->condition.quantifier, Quantifier::Exists);
  EXPECT_FALSE(programs[1]->expectations[0].frequency);
  EXPECT_TRUE(programs[1]->expectations[0].possible);
  EXPECT_EQ(expression(*programs[1], nullptr, *programs[1]->condition.proposition),
            "((d0.b1.t0:r2 != 1) && (d0.b1.t0:r1 == 1))");
  EXPECT_TRUE(programs[2]->expectations[0].possible);
}

TEST(ProxyTestFile, Instructions) {
  const auto programs = parse_test_file(R"(
.global x; .shared s; .global y physically aliases x;
.surfref u virtually aliases x; .conref c virtually aliases x;
d0.b0.t0 {
  st [x], 1; ld r0, [x]; ld.volatile r1, [y]; st.relaxed.sys [y], r0;
  atom.add r2, [x], 1; atom.cas.acq_rel.cta r3, [x], 0, 1 == 0; red.add.release.gpu [x], 2;
  suatom.exch.relaxed.gpu r4, [u], 3; sured.add [u], 1; suld r5, [u]; sust [u], r5; ldc r6, [c];
  fence.sc.gpu; fence.proxy.alias; fence.alias; fence.proxy.constant;
  st [s], 1;
}
d1.b0.t1 { ld r7, [s]; }
check (r0 == 1) as a;
)");
  ASSERT_EQ(programs.size(), 1U);
  EXPECT_EQ(listing(*programs[0], programs[0]->threads[0]),
            "st x weak = 1\nr0 = ld x weak\nr1 = ld x rlx.system volatile\nst x rlx.system = r0\n"
            "r2 = rmw.add x rlx.device (1)\nr3 = rmw.cas x acq_rel.block (0 -> 1)\nassume (r3 == 0)\n"
            "red.add x rel.device (2)\nr4 = rmw.exch x rlx.device surface (3)\nred.add x rlx.device surface (1)\n"
            "r5 = ld x weak surface\nst x weak surface = r5\nr6 = ld x weak constant\nfence sc.device\n"
            "fence.proxy.alias\nfence.proxy.alias\nfence.proxy.constant\nst b0:s weak = 1\n");
  // Each block has its own shared memory. Block 0 of device 1 is not the same block as block 0 of device 0.
  EXPECT_EQ(listing(*programs[0], programs[0]->threads[1]), "r7 = ld g1b0:s weak\n");
  EXPECT_EQ(programs[0]->threads[1].place.gpu, 1);
}

TEST(ProxyTestFile, TablesMakeInstances) {
  const auto programs = parse_test_file(R"(// $1 here is a comment
.global x;
d0.b0.t0 { st.relaxed$0 [x], $1; }
permit (x == $1) as set;
assert (x == $1) as always;

$$

.cta | 1   // a comment

.gpu | 2
)");
  ASSERT_EQ(programs.size(), 4U);
  EXPECT_EQ(programs[0]->name, "file/set[.cta,1]");
  EXPECT_EQ(programs[1]->name, "file/always[.cta,1]");
  EXPECT_EQ(programs[2]->name, "file/set[.gpu,2]");
  EXPECT_EQ(listing(*programs[0], programs[0]->threads[0]), "st x rlx.block = 1\n");
  EXPECT_EQ(listing(*programs[2], programs[2]->threads[0]), "st x rlx.device = 2\n");
  EXPECT_EQ(programs[2]->threads[0].code[0].span.line, 3U);  // the file's line
}

// A value in the table may be empty or consist of several instructions. $1 and $10 are different columns.
TEST(ProxyTestFile, TableValuesAreAnyText) {
  const auto programs = parse_test_file(R"(.global x;
d0.b0.t0 { st$0 [x], $10; $1 }
permit (x == $10) as a;
$$
 | fence.sc.gpu; ld r1, [x]; | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10
)");
  ASSERT_EQ(programs.size(), 1U);
  EXPECT_EQ(listing(*programs[0], programs[0]->threads[0]), "st x weak = 10\nfence sc.device\nr1 = ld x weak\n");
  EXPECT_EQ(programs[0]->name, "file/a[,fence.sc.gpu;_ld_r1,_[x];,2,3,4,5,6,7,8,9,10]");
}

// The name of a test must not depend on its row number. Two tests of equal rows must still have different names.
TEST(ProxyTestFile, EqualRowsHaveDifferentNames) {
  const auto programs = parse_test_file(".global x;\nd0.b0.t0 { st [x], $0; }\ncheck (x == $0) as a;\n$$\n1\n2\n1\n");
  ASSERT_EQ(programs.size(), 3U);
  EXPECT_EQ(programs[0]->name, "file/a[1]");
  EXPECT_EQ(programs[1]->name, "file/a[2]");
  EXPECT_EQ(programs[2]->name, "file/a[1#2]");
}

TEST(ProxyTestFile, TableErrors) {
  EXPECT_NE(test_file_errors("$$\n1\n  |1\n").find("3:3: error: this row has 2 values, but the first row has 1"),
            std::string::npos);
  EXPECT_NE(test_file_errors("$$\n1 | 2\n3\n").find("3:1: error: this row has 1 value, but the first row has 2"),
            std::string::npos);
  EXPECT_NE(test_file_errors("d0.b0.t0 { st [x], $2; }\n$$\n1 | 2\n")
                .find("1:20: error: the table has no column '$2'\n  d0.b0.t0 { st [x], $2; }\n                     ^~\n"
                      "  hint: the columns are $0 to $1"),
            std::string::npos);
  EXPECT_NE(test_file_errors("d0.b0.t0 { st [x], $v; }\n$$\n1 | 2\n").find("the table has no column '$v'"),
            std::string::npos);
  EXPECT_NE(test_file_errors("d0.b0.t0 { st [x], $0; }\n").find("write a line '$$' at the end of the file"),
            std::string::npos);
  EXPECT_NE(test_file_errors("$$\n\n").find("1:1: error: the table has no rows"), std::string::npos);
  EXPECT_NE(test_file_errors("$$\n1\n$$\n").find("3:1: error: the file has a second line '$$'"), std::string::npos);
  EXPECT_NE(test_file_errors("$$ a | b ;\n").find("expected a line with only '$$'"), std::string::npos);
  // If every row has the error, Ambit reports the error once, and names the row that it shows.
  const std::string every =
      test_file_errors(".global x;\nd0.b0.t0 { st.foo [x], $0; }\ncheck (x == 1) as a;\n$$\n1\n2\n");
  EXPECT_NE(every.find("2:15: error: unknown modifier '.foo' of 'st' (row 1 of the table)"), std::string::npos)
      << every;
  EXPECT_EQ(every.find("row 2"), std::string::npos) << every;
}

// PTX ISA, red: .sem is .relaxed or .release.
TEST(ProxyTestFile, AReductionThatAcquiresIsAnAtomWithoutResult) {
  const auto programs =
      parse_test_file(".global x;\nd0.b0.t0 { red.add.acq_rel.gpu [x], $0; }\ncheck (x == $0) as a;\n$$\n1\n2\n");
  ASSERT_EQ(programs.size(), 2U);
  EXPECT_EQ(listing(*programs[0], programs[0]->threads[0]), "rmw.add x acq_rel.device (1)\n");
  ASSERT_EQ(programs[0]->remarks.size(), 1U);  // the remark appears only once for the file
  EXPECT_EQ(programs[1]->remarks.size(), 0U);
  EXPECT_EQ(programs[0]->remarks[0].render().substr(0, programs[0]->remarks[0].render().find('\n')),
            "dir/file.test:2:12: note: PTX has no red.acq_rel: Ambit reads it as atom.acq_rel and drops the result");
}

TEST(ProxyTestFile, RegistersMustBelongToOneThread) {
  const std::string text = ".global x;\nd0.b0.t0 { ld r1, [x]; }\nd0.b1.t0 { ld r1, [x]; }\n";
  EXPECT_NE(test_file_errors(text + "assert (r1 == 0) as a;\n")
                .find("'r1' is ambiguous: it is a register of d0.b0.t0 and of d0.b1.t0"),
            std::string::npos);
  EXPECT_EQ(test_file_errors(text + "assert (d0.b1.t0.r1 == 0) as a;\n"), "");
}

TEST(ProxyTestFile, NamesMustBeDeclared) {
  EXPECT_NE(test_file_errors(".global flag;\nd0.b0.t0 { st [flga], 1; }\ncheck (flag == 1) as a;\n")
                .find("did you mean 'flag'?"),
            std::string::npos);
}

}  // namespace
}  // namespace ambit::parser
