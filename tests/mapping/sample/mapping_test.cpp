#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/mapping/mapping.h"

namespace ambit::mapping {
namespace {

SourceFilePtr test(const std::string& body) {
  return std::make_shared<const SourceFile>(SourceFile{"test.litmus", "CUDA test\n" + body});
}

/// Each test is sound, racy or not expressible. No test is unsound or mistranslated. ambit_mapping checks all tests.
TEST(Mapping, HoldsForASampleOfTheCorpus) {
  std::vector<std::string> files = corpus({"classic"});
  std::vector<std::string> sample = corpus({"separating", "scor"});
  for (std::size_t i = 0; i < files.size(); i += 8) sample.push_back(files[i]);
  std::size_t sound = 0;
  for (const std::string& file : sample) {
    const Finding finding = check_file(file);
    EXPECT_NE(finding.result, Outcome::Unsound) << file << ": " << finding.detail;
    EXPECT_NE(finding.result, Outcome::Mistranslated) << file << ": " << finding.detail;
    EXPECT_NE(finding.result, Outcome::NotMapped) << file << ": " << finding.detail;
    sound += finding.result == Outcome::Sound ? 1 : 0;
  }
  EXPECT_GT(sound, sample.size() / 3) << "too few tests without a race were compared";
}

// The translation of a PTX test is the test itself, with the same outcomes.
TEST(Mapping, PtxTestsComeBack) {
  const std::vector<std::string> files = corpus({"ptx"});
  for (std::size_t i = 0; i < files.size(); i += 10) {
    const Finding finding = check_file(files[i]);
    EXPECT_NE(finding.result, Outcome::Mistranslated) << finding.file << ": " << finding.detail;
    EXPECT_NE(finding.result, Outcome::NotMapped) << finding.file << ": " << finding.detail;
  }
}

TEST(Mapping, HoldsForRandomPrograms) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Finding finding = check_random(seed);
    EXPECT_NE(finding.result, Outcome::Unsound) << finding.file << ": " << finding.detail;
    EXPECT_NE(finding.result, Outcome::Mistranslated) << finding.file << ": " << finding.detail;
    compared += finding.result == Outcome::Sound ? 1 : 0;
  }
  EXPECT_GT(compared, 20U);
}

constexpr const char* kLoadBuffering = R"({ global int x = 0, y = 0; }
P0 @ block 0 { int r0 = load(x, relaxed, device); store(y, 1, relaxed, device); }
P1 @ block 1 { int r1 = load(y, relaxed, device); store(x, 1, relaxed, device); }
exists (P0:r0 == 1 && P1:r1 == 1)
)";

// RC11 requires acyclic (po | rf). PTX only forbids cycles of dependencies, and this test has no dependency.
TEST(Mapping, LoadBufferingIsMoreThanRc11Promises) {
  EXPECT_EQ(check(test(kLoadBuffering)).result, Outcome::Sound);
  const Finding finding = check(test(kLoadBuffering), "cuda-cpp(thin-air=rc11)");
  EXPECT_EQ(finding.result, Outcome::Unsound);
  EXPECT_EQ(finding.detail, "P0:r0 == 1, P1:r1 == 1");
}

// If f == 3, the addition has read the 1 that the exchange wrote. In CUDA C++, the fence before the exchange then
// synchronises with the fence after the addition. In PTX, a reduction does not belong to an acquire pattern (PTX ISA
// 8.6, 8.8), so the fence after the reduction acquires nothing.
TEST(Mapping, AReductionBeforeAnAcquireFenceIsLessThanCudaPromises) {
  const std::string head = R"({ global int x = 0, f = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); fence(release, device); exchange(f, 1, relaxed, device); }
P1 @ block 1 { )";
  const std::string tail = R"( fence(acquire, device); int r1 = load(x, relaxed, device); }
exists (f == 3 && P1:r1 == 0)
)";
  EXPECT_EQ(check(test(head + "atomicAdd(&f, 2);" + tail)).result, Outcome::Unsound);
  EXPECT_EQ(check(test(head + "int r0 = atomicAdd(&f, 2);" + tail)).result, Outcome::Sound);
}

/// For each expression, the source and the translation have the same final registers and cells under the same model.
TEST(Mapping, TranslatesExpressions) {
  const std::vector<std::string> bodies = {
      "int r0 = x; int r1 = r0 * 3 - (r0 + 1) % 2; y = -r1;",
      "int r0 = x; int r1 = r0 == 1 || r0 > 5 ? 7 : r0 - 1; y = !r1;",
      "int r0 = x; if (!(r0 == 0 && y == 0) && r0 != 3) { y = 4; } else { y = 5; }",
      "unsigned r0 = x; unsigned r1 = r0 - 2; if (r1 > 4) y = 1; y = (int)(r1 >> 31);",
      "int r0 = x; y = r0 << 3; y = ~r0; y = r0 ^ 5 | r0 & 6;",
      "long long r0 = x; r0 = r0 - 3; y = (int)(r0 * 1000000000 / 7);",
      "char r0 = x + 127; y = r0; short r1 = r0 * 1000; y = r1;",
      "unsigned char r0 = x - 2; y = r0 > 200;",
      "int r0 = x; a[r0] = 5; int* p = &a[1]; *p += a[r0 + 1]; y = *(p - r0);",
      "for (int i = 0; i < 2; ++i) { y += x; a[i] = i; }",
      "do {} while (x == 0); y = 2; while (load(x, relaxed, device) != 1) {}",
      "c = x - 1; unsigned r0 = c; y = r0 == 255; s = -1; int r1 = s; y = r1;",
      "int r0 = atomicCAS(&x, 1, 4); y = r0; unsigned r1 = atomicInc(&u, 3); y = r1;",
  };
  for (const std::string& body : bodies) {
    const Finding finding =
        check(test("{ global int x = 0, y = 0, a[3]; global unsigned u = 3;\n"
                   "  global unsigned char c = 0; global short s = 0; }\n"
                   "P0 @ block 0 { x = 1; }\nP1 @ block 1 {\n" +
                   body + "\n}\n"));
    EXPECT_EQ(finding.result, Outcome::Races) << body << "\n" << finding.detail;
  }
}

// Without a condition, the translation keeps all observables. If a filter comes last, it also keeps their order.
TEST(Mapping, KeepsWhatIsObserved) {
  const std::string code =
      "{ global int x = 0, y = 7; }\nP0 @ block 0 { store(x, 1, relaxed, device); }\n"
      "P1 @ block 1 { int count = load(x, relaxed, device); int b = load(y, relaxed, device); }\n";
  EXPECT_EQ(check(test(code)).result, Outcome::Sound);
  EXPECT_EQ(check(test(code + "exists (P1:count == 1 && x == 1)\nfilter (P1:b == 7)\n")).result, Outcome::Sound);
  EXPECT_EQ(check(test(code + "filter (P1:b == 7)\nforall (P1:count <= 1)\n")).result, Outcome::Sound);
}

}  // namespace
}  // namespace ambit::mapping
