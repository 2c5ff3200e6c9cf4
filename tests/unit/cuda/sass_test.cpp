#include "runner/cuda/launch/sass.h"
#include "tests/support/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace ambit::cuda {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using Names = std::vector<std::string>;

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return parts;
}

// Compares the rules with stored assembler output, for each instruction on seven architectures.
TEST(Sass, TheRulesFitWhatTheAssemblerMakes) {
  std::ifstream in(test::project() / "tests/unit/cuda/data/sass-expansions.txt");
  std::size_t count = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    const Names fields = split(line, " | ");
    ASSERT_GE(fields.size(), 2U) << line;
    const Names names = fields.size() == 2 ? Names{} : split(fields[2], "; ");
    EXPECT_THAT(check_expansion(fields[1], names), IsEmpty()) << line;
    EXPECT_EQ(names.empty(), may_leave_nothing(fields[1])) << line;
    ++count;
  }
  EXPECT_GT(count, 500U);
}

// Each list of machine instructions violates a requirement of its PTX instruction. The comment names the violation.
TEST(Sass, AWeakerInstructionIsRefused) {
  const std::vector<std::pair<std::string, Names>> wrong = {
      {"ld.relaxed.gpu.global.s32", {"LDG.E"}},                               // Weak.
      {"ld.relaxed.gpu.global.s32", {"LDG.E.STRONG.SM"}},                     // Only block scope.
      {"ld.weak.global.s32", {"LDG.E.CONSTANT"}},                             // The load uses the read-only path.
      {"ld.weak.global.s64", {"LDG.E"}},                                      // The load reads only half of the value.
      {"ld.weak.global.u8", {"LDG.E.S8"}},                                    // The load extends the wrong sign.
      {"ld.acquire.gpu.global.s32", {"LDG.E.STRONG.GPU"}},                    // The cache keeps stale lines.
      {"st.release.gpu.global.s32", {"STG.E.STRONG.GPU"}},                    // No fence.
      {"st.release.gpu.global.s32", {"STG.E.STRONG.GPU", "MEMBAR.ALL.GPU"}},  // The fence is too late.
      {"st.release.sys.global.s32", {"MEMBAR.ALL.GPU", "STG.E.STRONG.SYS"}},  // The fence's scope is too narrow.
      {"fence.sc.gpu", {"MEMBAR.ALL.GPU", "CCTL.IVALL"}},                     // Not sequentially consistent.
      {"fence.sc.gpu", {"MEMBAR.SC.GPU"}},                                    // Stale lines stay.
      {"atom.relaxed.gpu.global.add.u32", {"REDG.E.ADD.STRONG.GPU"}},         // Does not return the old value.
      {"atom.relaxed.gpu.global.exch.b32", {"ATOMG.E.ADD.STRONG.GPU"}},       // Another operation.
      {"barrier.sync", {"BAR.ARV"}},                                          // Does not wait.
      {"barrier.cluster.arrive", {"UCGABAR_ARV"}},                            // Releases nothing.
      {"st.weak.global.s32", {"STG.E", "STG.E.64"}},                          // An additional access.
      {"ld.weak.global.s32", {}},
  };
  for (const auto& [ptx, names] : wrong) {
    EXPECT_THAT(check_expansion(ptx, names), testing::Not(IsEmpty())) << ptx << ": " << testing::PrintToString(names);
  }
}

TEST(Sass, SeveralCopiesAreAllChecked) {
  EXPECT_THAT(check_expansion("ld.acquire.gpu.global.s32",
                              {"LDG.E.STRONG.GPU", "CCTL.IVALL", "LDG.E.STRONG.GPU", "CCTL.IVALL"}),
              IsEmpty());
  EXPECT_EQ(check_expansion("ld.acquire.gpu.global.s32", {"LDG.E.STRONG.GPU", "CCTL.IVALL", "LDG.E.STRONG.GPU"}),
            "LDG|LD.GPU.STRONG; CCTL.IVALL");
}

// The listing has nvdisasm's form. If a place has several line marks, the first mark is for the innermost call. An
// unconditional jump ends a piece of code.
TEST(Sass, AListingIsReadWithItsLines) {
  const std::vector<SassInstruction> read = read_sass(
      ".text.ambit_test:\n"
      "\t//## File \"/tmp/t.cu\", line 316 inlined at \"/tmp/t.cu\", line 346\n"
      "\t//## File \"/tmp/t.cu\", line 346\n"
      "        /*1f30*/                   STG.E.STRONG.GPU desc[UR10][R6.64], R3 ;\n"
      "        /*1f40*/              @!P0 BRA `(.L_x_7) ;\n"
      "        /*1f50*/                   ERRBAR;\n"
      "        /*1f60*/                   BRA P0, `(.L_x_7) ;\n"
      ".L_x_7:\n"
      "\t//## File \"/tmp/t.cu\", line 500\n"
      "        /*1f70*/                   BRA `(.L_x_7) ;\n"
      "        /*1f80*/               @P3 LDG.E.STRONG.SYS R14, desc[UR8][R12.64] ;\n");
  ASSERT_EQ(read.size(), 6U);
  EXPECT_EQ(read[0].name, "STG.E.STRONG.GPU");
  EXPECT_EQ(read[0].line, 316U);
  EXPECT_FALSE(read[0].is_predicated);
  EXPECT_TRUE(read[1].is_predicated);
  EXPECT_EQ(read[2].name, "ERRBAR");
  EXPECT_TRUE(read[2].is_reached);
  EXPECT_TRUE(read[4].is_reached);
  EXPECT_EQ(read[4].line, 500U);
  EXPECT_FALSE(read[5].is_reached);
  EXPECT_TRUE(read[5].is_predicated);
  EXPECT_TRUE(acts_on_memory(read[5]));
  EXPECT_FALSE(acts_on_memory(read[2]));
}

}  // namespace
}  // namespace ambit::cuda
