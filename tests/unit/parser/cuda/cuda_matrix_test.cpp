#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "parser/parse.h"

// Tests wgmma in CUDA sources (docs/reference/cuda-sources/async.md). The forms, the number of accumulators and the
// matrix descriptor are as in the PTX document (9.7.15, "Asynchronous Warpgroup Level Matrix Instructions").
namespace ambit::parser {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<std::shared_ptr<const Program>> read_product(const std::string& code, const std::string& functions = "") {
  const std::string text = functions +
                           "\n__global__ void k(int *out) {\n__shared__ alignas(128) long long s[2]; "
                           "__shared__ alignas(128) long long m[3][2];\n" +
                           code + "\n}\n// ambit: launch k<<<1, 1>>>(out[4]);\n";
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), {});
}

std::string product_errors(const std::string& code, const std::string& functions = "") {
  const auto result = read_product(code, functions);
  return result.ok() ? "" : render(result.errors());
}

/// Returns the cells that the asynchronous steps read, such as "wgmma.mma_async b0:s[0] b0:s[1]".
std::vector<std::string> reads(const std::string& code, const std::string& functions = "") {
  const auto program = read_product(code, functions);
  if (!program.ok()) return {render(program.errors())};
  const Program& read = *program.value();
  std::vector<std::string> found;
  for (const Instruction& instruction : read.threads.at(0).code) {
    const auto* step = std::get_if<AsyncStep>(&instruction.operation);
    if (step == nullptr) continue;
    std::string text = step->name;
    for (const AsyncElement& element : step->elements) {
      const Value at = element.source->address.constant;
      EXPECT_EQ(element.source->proxy, Proxy::Async);
      EXPECT_EQ(element.target, std::nullopt);
      text += " " + read.locations[read.objects.at(static_cast<std::size_t>(object_of(at))).first + index_of(at)].name;
    }
    found.push_back(text);
  }
  return found;
}

const std::string kDescriptor =
    "__device__ uint64_t desc(const void *p) {\n"
    "uint64_t d = 0; d |= (uint64_t)((__cvta_generic_to_shared(p) & 0x3FFFF) >> 4); d |= (uint64_t)8 << 16;\n"
    "d |= 1ull << 62; return d; }\n";

std::string product_of(const std::string& a, const std::string& b) {
  return "float d[4]; for (int i = 0; i < 4; ++i) d[i] = 0;\n"
         "asm volatile(\"{ .reg .pred p; setp.ne.b32 p, %6, 0;\\n\"\n"
         "\"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }\"\n"
         ": \"+f\"(d[0]), \"+f\"(d[1]), \"+f\"(d[2]), \"+f\"(d[3]) : \"l\"(" +
         a + "), \"l\"(" + b + "), \"r\"(1));\n";
}

TEST(CudaMatrices, AProductReadsItsOperandsWhole) {
  EXPECT_THAT(
      reads("asm volatile(\"wgmma.fence.sync.aligned;\");\n" + product_of("desc(s)", "desc(m[1])") +
                "asm volatile(\"wgmma.commit_group.sync.aligned;\"); asm volatile(\"wgmma.wait_group.sync.aligned "
                "%0;\" :: \"n\"(1));",
            kDescriptor),
      ElementsAre("wgmma.mma_async b0:s[0] b0:s[1] b0:m[1][0] b0:m[1][1]", "wgmma.commit_group", "wgmma.wait_group 1"));
}

TEST(CudaMatrices, DescriptorsOfEveryForm) {
  const std::vector<std::string> both = {"wgmma.mma_async b0:s[0] b0:s[1] b0:m[0][0] b0:m[0][1]"};
  const std::vector<std::string> second = {"wgmma.mma_async b0:s[0] b0:s[1] b0:m[1][0] b0:m[1][1]"};
  const std::string assembly =
      "__device__ uint64_t desc(const void *p) { uint64_t d;\n"
      "asm(\"{ .reg .u64 a; cvta.to.shared.u64 a, %1; and.b64 a, a, 0x3FFFF; shr.u64 a, a, 4;\"\n"
      "\" or.b64 %0, a, 0x80000; }\" : \"=l\"(d) : \"l\"(p)); return d; }\n";
  EXPECT_EQ(reads(product_of("desc(s)", "desc(m)"), assembly), both);
  const std::string start = "uint32_t at = (uint32_t)__cvta_generic_to_shared(m); uint64_t b;\n";
  EXPECT_EQ(reads(start + "b = (at & 0x3FFFF) >> 4;\n" + product_of("desc(s)", "b"), kDescriptor), both);
  EXPECT_EQ(reads(start + "b = ((at + 16) >> 4) | 0x10000;\n" + product_of("desc(s)", "b"), kDescriptor), second);
  EXPECT_EQ(reads(start + "b = (at >> 4) + 1;\n" + product_of("desc(s)", "b"), kDescriptor), second);
  EXPECT_EQ(reads(start + "b = at >> 4; b += 1;\n" + product_of("desc(s)", "b"), kDescriptor), second);
  EXPECT_EQ(reads("uint64_t b = desc(m[0]); for (int i = 0; i < 2; ++i) b = desc(m[i]);\n" + product_of("desc(s)", "b"),
                  kDescriptor),
            second);
}

TEST(CudaMatrices, TheFirstFactorMayBeInRegisters) {
  const std::string code =
      "int d[2]; uint32_t a[4]; for (int i = 0; i < 4; ++i) a[i] = 0; d[0] = d[1] = 0;\n"
      "asm volatile(\"wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, %6, 1, 1, 1, 0;\"\n"
      ": \"+r\"(d[0]), \"+r\"(d[1]) : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"l\"(desc(s)));\n";
  EXPECT_THAT(reads(code, kDescriptor), ElementsAre("wgmma.mma_async b0:s[0] b0:s[1]"));
}

TEST(CudaMatrices, AmbitDoesNotFollowTheProduct) {
  const std::string code =
      "int d[4]; for (int i = 0; i < 4; ++i) d[i] = 0;\n"
      "asm volatile(\"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0, %1, %2, %3}, %4, %5, 0;\"\n"
      ": \"+r\"(d[0]), \"+r\"(d[1]), \"+r\"(d[2]), \"+r\"(d[3]) : \"l\"(desc(s)), \"l\"(desc(m)));\nout[0] = d[1];\n";
  const auto program = read_product(code, kDescriptor);
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const auto& objects = program.value()->objects;
  const auto out = std::ranges::find(objects, "out", &MemoryObject::name);
  ASSERT_NE(out, objects.end());
  EXPECT_TRUE(out->is_opaque);
}

TEST(CudaMatrices, WrongProducts) {
  const auto product = [](const std::string& words, const std::string& operands) {
    return product_errors(
        "float d = 0; uint64_t a = desc(s); asm volatile(\"" + words + " " + operands + ";\" : \"+f\"(d) : \"l\"(a));",
        kDescriptor);
  };
  const std::string four = "{%0, %0, %0, %0}";
  const std::string words = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";
  EXPECT_EQ(product(words, four + ", %1, %1, 1, 1, 1, 0, 0"), "");
  EXPECT_THAT(product(words, four + ", %1, %1, 1, 1, 1, 0"), HasSubstr("takes 8 operands here, not 7"));
  EXPECT_THAT(product(words, four + ", %1, %1"), HasSubstr("takes 8 operands here, not 3"));
  EXPECT_THAT(product(words, "{%0, %0}, %1, %1, 1, 1, 1, 0, 0"), HasSubstr("has 4 accumulators in each thread, not 2"));
  EXPECT_THAT(product(words, "%0, %1, %1, 1, 1, 1, 0, 0"), HasSubstr("expected registers in braces, found '%0'"));
  EXPECT_THAT(product(words, four + ", {%0}, %1, 1, 1, 1, 0"), HasSubstr("4 registers in each thread, not 1"));
  EXPECT_THAT(product(words, four + ", %1, q, 1, 1, 1, 0, 0"), HasSubstr("names 'q'"));
  for (const char* wrong :
       {"wgmma.mma_async.sync.aligned.m64n7k16.f32.f16.f16", "wgmma.mma_async.sync.aligned.m64n8k8.f32.f16.f16",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.bf16", "wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16",
        "wgmma.mma_async.sync.aligned.m64n8k16.s32.f16.f16", "wgmma.mma_async.m64n8k16.f32.f16.f16"}) {
    EXPECT_THAT(product(wrong, four + ", %1, %1, 1, 1, 1, 0, 0"), HasSubstr("unknown instruction")) << wrong;
  }
}

TEST(CudaMatrices, WrongDescriptors) {
  const auto with = [](const std::string& descriptor) {
    return product_errors("uint64_t at = __cvta_generic_to_shared(s);\n" + product_of(descriptor, "desc(s)"),
                          kDescriptor);
  };
  EXPECT_THAT(with("5"), HasSubstr("not a matrix descriptor that Ambit can follow"));
  EXPECT_THAT(with("at"), HasSubstr("its address field is (address & 0x3FFFF) >> 4"));
  EXPECT_THAT(with("(at & 0x3FFF) >> 4"), HasSubstr("'& 0x3fff' loses bits of the address"));
  EXPECT_THAT(with("at >> 3"), HasSubstr("the address of shared memory"));
  EXPECT_THAT(with("(at >> 4) << 4"), HasSubstr("the address of shared memory"));
  EXPECT_THAT(with("(at >> 4) | 7"), HasSubstr("changes the address"));
  EXPECT_THAT(with("(at >> 4) + 0x10000"), HasSubstr("changes more than the address"));
  EXPECT_THAT(with("(at >> 4) | out[0]"), HasSubstr("must be constants"));
  EXPECT_THAT(with("(at >> 4) + 2"), HasSubstr("out of range"));
  EXPECT_THAT(with("__cvta_generic_to_shared(out) >> 4"), HasSubstr("must be in shared memory"));
}

}  // namespace
}  // namespace ambit::parser
