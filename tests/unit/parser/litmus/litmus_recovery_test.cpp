/// The parser reports all errors of a test in one run. After a syntax error, it still reports later errors. It does not
/// report errors that are only consequences of the first.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/parser/litmus/litmus_listing.h"
#include "tests/unit/parser/ptx/ptx_listing.h"

namespace ambit::parser {
namespace {

std::ptrdiff_t count(const std::string& text, const std::string& part) {
  std::ptrdiff_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(LitmusRecovery, AMissingBracketHidesNothing) {
  const std::string text = errors(R"({ global int x, flag; }
P0 @ block 0 {
  int r0 = load(x, acquire, device;
  store(x, r0, acquire, device);
  y = 1;
  __threadfence(1);
}
P1 @ block 1 { int r1 = load(x, acquire); }
exists (P1:r1 == 1 && P2:r0 == 0)
)");
  EXPECT_NE(text.find("found ';'"), std::string::npos) << text;
  EXPECT_NE(text.find("a store cannot have the order acquire"), std::string::npos) << text;
  EXPECT_NE(text.find("unknown name 'y'"), std::string::npos) << text;
  EXPECT_NE(text.find("__threadfence()"), std::string::npos) << text;
  EXPECT_NE(text.find("the scope of 'load' is missing"), std::string::npos) << text;
  EXPECT_NE(text.find("unknown thread or block 'P2'"), std::string::npos) << text;
  EXPECT_EQ(count(text, "error:"), 6) << text;
}

// The first errors are in the declarations of r0 and x. A use of r0 or x must not cause another error.
TEST(LitmusRecovery, ConsequencesAreNotReported) {
  const std::string text = errors(R"({ global int x = = 1; global int z; }
P0 @ block 0 {
  int r0 = + ;
  x = r0;
  z = q;
}
exists (P0:r0 == 1 && x == 1)
)");
  EXPECT_EQ(count(text, "error:"), 3) << text;
  EXPECT_NE(text.find("unknown name 'q'"), std::string::npos) << text;
}

TEST(LitmusRecovery, ErrorsOfMemoryHideNoOthers) {
  const std::string text = errors(R"(__device__ auto x;
P0 @ block 0 { x = 1; y = 2; }
)");
  EXPECT_EQ(count(text, "error:"), 2) << text;
  EXPECT_NE(text.find("unknown name 'y'"), std::string::npos) << text;
}

TEST(LitmusRecovery, PtxCellsAreReadOneByOne) {
  const std::string text = ptx_errors(R"(PTX cells
{ x=0; }
 P0@cta 0 | P1@cta 1 ;
 st.weak x 1 | ld.relaxd.gpu r0, x ;
 ld.weak r1, x y | st.relaxed x, r9 ;
 add r2, r1, 1 | ;
exists (P0:r1 == 0 && P3:r0 == 1)
)");
  EXPECT_NE(text.find("4:12"), std::string::npos) << text;
  EXPECT_NE(text.find("relaxd"), std::string::npos) << text;
  EXPECT_NE(text.find("needs a scope"), std::string::npos) << text;
  EXPECT_NE(text.find("'P3'"), std::string::npos) << text;
  EXPECT_EQ(text.find("r1'"), std::string::npos) << text;  // a faulty load of r1 does not make r1 an unknown name
}

}  // namespace
}  // namespace ambit::parser
