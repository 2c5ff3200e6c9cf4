#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "api/check/launch_texts.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string launch_of(const std::string& path, const std::string& text) {
  const auto source = std::make_shared<const SourceFile>(SourceFile{path, text});
  const auto program = parser::parse_program(source);
  return launch_text(source, {}, program.ok() ? program.value().get() : nullptr);
}

TEST(LaunchTexts, TheOptionComesFirst) {
  CheckingOptions options;
  options.launch = "k<<<1, 2>>>()";
  const auto source = std::make_shared<const SourceFile>(SourceFile{"k.cu", "// ambit: launch k<<<4, 4>>>();\n"});
  EXPECT_EQ(launch_text(source, options, nullptr), "k<<<1, 2>>>()");
}

TEST(LaunchTexts, Comments) {
  EXPECT_EQ(launch_of("k.cu", "// ambit: launch k<<<4, 4>>>(d[4]);\n"), "k<<<4, 4>>>(d[4])");
  EXPECT_EQ(launch_of("k.ptx", ".version 7.0\n// ambit: launch k<<<4, 4>>>(d[4])\n"), "k<<<4, 4>>>(d[4])");
  // The option --launch takes a single launch. It accepts neither two launches nor a GPU.
  EXPECT_EQ(launch_of("k.cu", "// ambit: launch k<<<1, 1>>>(); then launch k<<<1, 1>>>();\n"), "");
  EXPECT_EQ(launch_of("k.cu", "// ambit: launch k<<<1, 1>>>() on gpu 1;\n"), "");
}

TEST(LaunchTexts, HostCode) {
  const std::string text = R"(
__global__ void k(int* d, int n) { if (threadIdx.x < n) d[threadIdx.x] = n; }
int main() {
  int* d;
  cudaMalloc(&d, 8 * sizeof(int));
  k<<<2, 4>>>(d, 3);
}
)";
  EXPECT_EQ(launch_of("k.cu", text), "k<<<2, 4>>>(int d[8], 3)");
}

TEST(LaunchTexts, SmallerLaunchesBeginWithTheSmallest) {
  EXPECT_THAT(smaller_launches("k<<<4, 256>>>(d[4])"),
              ElementsAre("k<<<2, 4>>>(d[4])", "k<<<2, 32>>>(d[4])", "k<<<1, 64>>>(d[4])", "k<<<1, 256>>>(d[4])",
                          "k<<<2, 256>>>(d[4])"));
  EXPECT_THAT(smaller_launches("k<<<1, 8, 64>>>()"), ElementsAre("k<<<1, 4, 64>>>()"));
  EXPECT_THAT(smaller_launches("k<<<dim3(2, 2), (8, 8)>>>()"), testing::Contains("k<<<2, dim3(4, 2, 1)>>>()"));
}

TEST(LaunchTexts, SomeLaunchesHaveNoSmallerOne) {
  EXPECT_THAT(smaller_launches("k<<<1, 1>>>()"), IsEmpty());
  EXPECT_THAT(smaller_launches("k<<<N, 32>>>()"), IsEmpty());
  EXPECT_THAT(smaller_launches("k"), IsEmpty());
  EXPECT_THAT(smaller_launches(""), IsEmpty());
  EXPECT_THAT(smaller_launches(">>>k<<<"), IsEmpty());
}

}  // namespace
}  // namespace ambit::api
