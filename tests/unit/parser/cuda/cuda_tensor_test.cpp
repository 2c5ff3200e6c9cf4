#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "parser/parse.h"

// Tests tensor copies in CUDA sources (docs/reference/cuda-sources/async.md). The functions and arguments are those of
// <cuda/ptx> and <cuda/barrier> in CUDA 13. The elements of a box follow from the PTX document ("Tensors").
namespace ambit::parser {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kBox = "// ambit: t = tensormap(g, {4,4}, {2,2});\n";

Result<std::shared_ptr<const Program>> read_tensors(
    const std::string& code, const std::string& declarations = kBox,
    const std::string& parameter = "const __grid_constant__ CUtensorMap t", const std::string& argument = "t") {
  const std::string text = "__global__ void k(" + parameter + ", long long *g, int *out) {\n" +
                           "__shared__ alignas(128) long long s[8]; __shared__ uint64_t b;\n"
                           "const int at[2] = {1, 2}; const int one[1] = {0}; int far[2] = {3, 0};\n"
                           "cuda::ptx::mbarrier_init(&b, 1);\n" +
                           code + "\n}\n" + declarations + "// ambit: launch k<<<1, 1>>>(" + argument +
                           ", g[16], out[1]);\n";
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), {});
}

std::string tensor_errors(const std::string& code, const std::string& declarations = kBox,
                          const std::string& parameter = "const __grid_constant__ CUtensorMap t",
                          const std::string& argument = "t") {
  const auto result = read_tensors(code, declarations, parameter, argument);
  return result.ok() ? "" : render(result.errors());
}

/// Returns the first asynchronous step of the thread: the name of the step, then "from>to" for each element.
std::vector<std::string> tensor_step(const std::string& code, const std::string& declarations = kBox) {
  const auto program = read_tensors(code, declarations);
  if (!program.ok()) return {render(program.errors())};
  const Program& read = *program.value();
  const auto name = [&](const std::optional<MemoryAccess>& access) {
    if (!access) return std::string("-");
    const Value address = access->address.constant;
    return read.locations[read.objects.at(static_cast<std::size_t>(object_of(address))).first + index_of(address)].name;
  };
  for (const Instruction& instruction : read.threads.at(0).code) {
    const auto* step = std::get_if<AsyncStep>(&instruction.operation);
    if (step == nullptr) continue;
    std::vector<std::string> found = {step->name};
    for (const AsyncElement& element : step->elements)
      found.push_back(name(element.source) + ">" + name(element.target));
    return found;
  }
  return {"no asynchronous step"};
}

const std::string kLoad =
    "cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global, s, &t, at, &b);";

TEST(CudaTensors, ALoadMovesTheElementsOfItsBoxRowByRow) {
  const std::vector<std::string> box = {"cp.async.bulk.tensor.2d", "g[9]>b0:s[0]", "g[10]>b0:s[1]", "g[13]>b0:s[2]",
                                        "g[14]>b0:s[3]"};
  EXPECT_EQ(tensor_step(kLoad), box);
  EXPECT_EQ(tensor_step("cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_shared, cuda::ptx::space_global, s, &t, at, "
                        "&b);"),
            box);
  EXPECT_EQ(tensor_step("asm volatile(\"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes\"\n"
                        "\" [%0], [%1, {%2, %3}], [%4];\" :: \"r\"((uint32_t)__cvta_generic_to_shared(s)),\n"
                        "\"l\"(reinterpret_cast<uint64_t>(&t)), \"r\"(1), \"r\"(2),\n"
                        "\"r\"((uint32_t)__cvta_generic_to_shared(&b)) : \"memory\");"),
            box);
  EXPECT_EQ(tensor_step("cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global, s, &t, "
                        "{one[0] + 1, 2}, &b);"),
            box);
}

TEST(CudaTensors, AStoreAndAReductionWriteTheBox) {
  EXPECT_THAT(
      tensor_step("cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_global, cuda::ptx::space_shared, &t, at, "
                  "s);"),
      ElementsAre("cp.async.bulk.tensor.2d", "b0:s[0]>g[9]", "b0:s[1]>g[10]", "b0:s[2]>g[13]", "b0:s[3]>g[14]"));
  const auto program = read_tensors(
      "cuda::ptx::cp_reduce_async_bulk_tensor(cuda::ptx::space_global, cuda::ptx::space_shared, cuda::ptx::op_max,\n"
      "&t, at, s);");
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const auto& code = program.value()->threads.at(0).code;
  const auto found = std::ranges::find_if(
      code, [](const Instruction& one) { return std::holds_alternative<AsyncStep>(one.operation); });
  ASSERT_NE(found, code.end());
  const auto& step = std::get<AsyncStep>(found->operation);
  EXPECT_EQ(step.name, "cp.reduce.async.bulk.tensor.2d");
  EXPECT_EQ(step.group, AsyncGroup::Bulk);
  ASSERT_EQ(step.elements.size(), 4U);
  EXPECT_EQ(step.elements[0].reduction, RmwOp::Max);
  EXPECT_EQ(step.elements[0].target->scope, Scope::Device);
  EXPECT_EQ(step.elements[0].target->proxy, Proxy::Async);
}

TEST(CudaTensors, OneToFiveDimensionsOfTheFunctionsBeforeCudaPtx) {
  const std::string bar = "__shared__ cuda::barrier<cuda::thread_scope_block> bar; init(&bar, 1);\n";
  const std::vector<std::string> sizes = {"16", "2,8", "2,2,4", "2,2,2,2", "2,2,2,2,1"};
  const std::vector<std::string> zeros = {"0", "0, 0", "0, 0, 0", "0, 0, 0, 0", "0, 0, 0, 0, 0"};
  const std::vector<std::string> boxes = {"2", "2,1", "2,1,1", "2,1,1,1", "2,1,1,1,1"};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string n = std::to_string(i + 1) + "d";
    const std::string map = "// ambit: t = tensormap(g, {" + sizes[i] + "}, {" + boxes[i] + "});\n";
    const std::string name = "cp.async.bulk.tensor." + n;
    EXPECT_THAT(tensor_step(bar + "cuda::device::experimental::cp_async_bulk_tensor_" + n +
                                "_global_to_shared(s, &t, " + zeros[i] + ", bar);",
                            map),
                ElementsAre(name, "g[0]>b0:s[0]", "g[1]>b0:s[1]"));
    EXPECT_THAT(tensor_step("cuda::device::experimental::cp_async_bulk_tensor_" + n + "_shared_to_global(&t, " +
                                zeros[i] + ", s);",
                            map),
                ElementsAre(name, "b0:s[0]>g[0]", "b0:s[1]>g[1]"));
  }
}

TEST(CudaTensors, TheBytesOfTheBoxEndThePhase) {
  const auto program = read_tensors(kLoad);
  ASSERT_TRUE(program.ok()) << render(program.errors());
  for (const Instruction& instruction : program.value()->threads.at(0).code) {
    const auto* step = std::get_if<AsyncStep>(&instruction.operation);
    if (step == nullptr) continue;
    EXPECT_EQ(step->completions.size(), 1U);
  }
  const auto& objects = program.value()->objects;
  const auto barrier = std::ranges::find(objects, "b0:b", &MemoryObject::name);
  ASSERT_NE(barrier, objects.end());
  ASSERT_TRUE(barrier->mbarrier);
  EXPECT_EQ(barrier->mbarrier->unit, 32);
}

TEST(CudaTensors, AnUnchangedMapIsNotRead) {
  EXPECT_EQ(tensor_step(kLoad).size(), 5U);
  const std::vector<std::string> with_fence =
      tensor_step(kLoad +
                  "cuda::ptx::fence_proxy_tensormap_generic(cuda::ptx::sem_acquire, cuda::ptx::scope_gpu, &t, "
                  "cuda::ptx::n32_t<128>{});");
  ASSERT_EQ(with_fence.size(), 6U) << with_fence.front();
  EXPECT_EQ(with_fence[1], "t>-");
}

TEST(CudaTensors, PlacesOfMaps) {
  EXPECT_EQ(tensor_errors(kLoad, kBox, "const CUtensorMap &unused, long long *h, const __grid_constant__ CUtensorMap t",
                          "t, h[1], t")
                .find("const __grid_constant__"),
            std::string::npos);
  const std::string by_pointer =
      "cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global, s, t + 1, at, &b);";
  EXPECT_EQ(tensor_errors(by_pointer, "// ambit: t[1] = tensormap(g, {4,4}, {2,2});\n", "const CUtensorMap *t", "t[2]"),
            "");
  EXPECT_THAT(
      tensor_errors(by_pointer, "// ambit: t[0] = tensormap(g, {4,4}, {2,2});\n", "const CUtensorMap *t", "t[2]"),
      HasSubstr("the tensor map 't[1]' has no declaration"));
  EXPECT_THAT(tensor_errors(kLoad, kBox, "CUtensorMap t"), HasSubstr("must be const __grid_constant__"));
}

TEST(CudaTensors, MemoryThatNoKernelTakes) {
  const std::string text =
      "__global__ void k(const __grid_constant__ CUtensorMap t) {\n"
      "__shared__ int s[4]; cuda::device::experimental::cp_async_bulk_tensor_1d_shared_to_global(&t, 4, s);\n}\n"
      "// ambit: { global int h[8]; }\n// ambit: t = tensormap(h, {8}, {4});\n// ambit: launch k<<<1, 1>>>(t);\n";
  const auto result = parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), {});
  EXPECT_TRUE(result.ok()) << render(result.errors());
}

TEST(CudaTensors, TheLaunchOfTheHostCodePassesTheMapByItsName) {
  const std::string code =
      "__global__ void k(const __grid_constant__ CUtensorMap map, int *g) {\n"
      "__shared__ int s[4]; cuda::device::experimental::cp_async_bulk_tensor_1d_shared_to_global(&map, 4, s);\n}\n"
      "int main() { int *d; cudaMalloc(&d, 8 * sizeof(int)); CUtensorMap m{};\n"
      "cuTensorMapEncodeTiled(&m, CU_TENSOR_MAP_DATA_TYPE_INT32, 1, d, sizes, strides, box, steps, 0, 0, 0, 0);\n"
      "k<<<1, 1>>>(m, d); return cudaDeviceSynchronize(); }\n";
  const auto read = [&](const std::string& declaration) {
    const auto result =
        parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", code + declaration}), {});
    return result.ok() ? std::string() : render(result.errors());
  };
  EXPECT_EQ(read("// ambit: m = tensormap(d, {8}, {4});\n"), "");
  EXPECT_THAT(read(""), HasSubstr("declare it: m = tensormap(g, {4,4}, {2,2});"));
}

TEST(CudaTensors, WrongDeclarations) {
  const auto declared = [](const std::string& item) { return tensor_errors(kLoad, "// ambit: " + item + "\n"); };
  EXPECT_THAT(declared(""), HasSubstr("declare it: t = tensormap(g, {4,4}, {2,2});"));
  EXPECT_THAT(declared("t = tensormap(g, {4,4}, {1,2});"), HasSubstr("8 bytes: PTX requires a multiple of 16"));
  EXPECT_THAT(declared("t = tensormap(g, {4,2}, {2,2});"), HasSubstr("8 elements and the array 16"));
  EXPECT_THAT(declared("t = tensormap(g, {16}, {2,2});"), HasSubstr("1 dimensions and the box 2"));
  EXPECT_THAT(declared("t = tensormap(g, {4,4}, {2,5});"), HasSubstr("it must have 1 to 4"));
  EXPECT_THAT(declared("t = tensormap(g, {2,2,2,2,1,1}, {2,1,1,1,1,1});"), HasSubstr("1 to 5 dimensions, not 6"));
  EXPECT_THAT(declared("t = tensormap(g, {65536,65536,65536,65536,65536}, {2,1,1,1,1});"),
              HasSubstr("the array has 16 elements"));
  EXPECT_THAT(declared("t = tensormap(h, {4,4}, {2,2});"), HasSubstr("'h' must be an array of numbers"));
  EXPECT_THAT(declared("t = tensormap(g, {4,n}, {2,2});"), HasSubstr("must be constants"));
  EXPECT_THAT(declared("t = map(g, {4,4}, {2,2});"), HasSubstr("expected"));
  EXPECT_THAT(declared("t = tensormap(g, {4,4});"), HasSubstr("expected"));
  EXPECT_THAT(declared("t[1] = tensormap(g, {4,4}, {2,2});"), HasSubstr("declare it"));
  EXPECT_THAT(declared("t = tensormap(g, {4,4}, {2,2}); t = tensormap(g, {4,4}, {2,2});"),
              HasSubstr("'t' is declared twice"));
  EXPECT_THAT(declared("t = tensormap(g, {4,4}, {2,2}); g = tensormap(g, {4,4}, {2,2});"),
              HasSubstr("declared differently"));
  EXPECT_THAT(declared("t = tensormap(g, {4,4}, {2,2}); u[3] = tensormap(g, {4,4}, {2,2});"),
              HasSubstr("no launch passes the array of tensor maps 'u'"));
}

TEST(CudaTensors, WrongCopies) {
  const auto load = [](const std::string& arguments) {
    return tensor_errors("cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global, " +
                         arguments + ");");
  };
  EXPECT_THAT(
      load("s, &t, far, &b"),
      HasSubstr("the box exceeds the tensor in dimension 0: it begins at 3 and has 2 elements, but the tensor has 4"));
  EXPECT_THAT(load("s, &t, one, &b"), HasSubstr("the tensor has 2 dimensions, but the copy has 1 coordinate"));
  EXPECT_THAT(load("s, &t, at"), HasSubstr("takes 4 or 5 operands after its tags, found 3"));
  EXPECT_THAT(load("s, &t, at, &b, 1, 1"), HasSubstr("takes 4 or 5 operands after its tags, found 6"));
  EXPECT_THAT(load("s, g, at, &b"), HasSubstr("expected the address of a CUtensorMap, found long long*"));
  EXPECT_THAT(load("s, &t, 1, &b"), HasSubstr("expected an array with the coordinates"));
  EXPECT_THAT(load("g, &t, at, &b"), HasSubstr("destination must be in shared memory"));
  EXPECT_THAT(load("s, &t, at, g"), HasSubstr("mbarrier must be in shared memory"));
  EXPECT_THAT(load("s + 6, &t, at, &b"), HasSubstr("out of range"));
  EXPECT_THAT(load("s + 1, &t, at, &b"), HasSubstr("PTX requires a multiple of 16"));
  EXPECT_THAT(tensor_errors("far[0] = out[0]; cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster,\n"
                            "cuda::ptx::space_global, s, &t, far, &b);"),
              HasSubstr("the coordinate of the box must be a constant"));
  EXPECT_THAT(tensor_errors("cuda::ptx::cp_async_bulk_tensor(s, &t, at, &b);"), HasSubstr("needs two state spaces"));
  EXPECT_THAT(tensor_errors("cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global,\n"
                            "cuda::ptx::cta_group_3, s, &t, at, &b);"),
              HasSubstr("does not read 'cuda::ptx::cta_group_3'"));
  EXPECT_THAT(tensor_errors("cuda::ptx::cp_reduce_async_bulk_tensor(cuda::ptx::space_global,\n"
                            "cuda::ptx::space_shared, &t, at, s);"),
              HasSubstr("needs two state spaces and an operation"));
  EXPECT_THAT(
      tensor_errors("CUtensorMap copy = t; cuda::device::experimental::cp_async_bulk_tensor_2d_shared_to_global("
                    "&copy, 0, 0, s);"),
      HasSubstr("a local variable of the thread"));
  EXPECT_THAT(tensor_errors("cuda::device::experimental::cp_async_bulk_tensor_2d_shared_to_global(&t, 0, s);"),
              HasSubstr("cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, from)"));
  EXPECT_THAT(tensor_errors("cuda::device::experimental::cp_async_bulk_tensor_6d_shared_to_global(&t, 0, s);"),
              HasSubstr("does not read"));
  EXPECT_THAT(tensor_errors("asm(\"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\" ::\n"
                            "\"l\"(&t), \"r\"(0), \"r\"(0), \"r\"((uint32_t)__cvta_generic_to_shared(s)));"),
              HasSubstr("'.1d' does not fit 2 coordinates"));
  EXPECT_THAT(tensor_errors("asm(\"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1], [%1];\" ::\n"
                            "\"l\"(&t), \"r\"((uint32_t)__cvta_generic_to_shared(s)));"),
              HasSubstr("expected a tensor map and coordinates"));
}

TEST(CudaTensors, WrongChangesOfMaps) {
  EXPECT_THAT(tensor_errors("cuda::ptx::tensormap_replace_rank(cuda::ptx::space_global, g, 2);"),
              HasSubstr("expected the address of a CUtensorMap"));
  EXPECT_THAT(tensor_errors("cuda::ptx::tensormap_replace_box_dim(cuda::ptx::space_global, &t, 5, 2);"),
              HasSubstr("the dimension is 5; it must be between 0 and 4"));
  EXPECT_THAT(tensor_errors("cuda::ptx::tensormap_replace_rank(cuda::ptx::space_shared, &t, 2);"),
              HasSubstr("must be in shared memory"));
  EXPECT_THAT(tensor_errors("cuda::ptx::fence_proxy_tensormap_generic(cuda::ptx::sem_acquire, cuda::ptx::scope_gpu, &t,"
                            "cuda::ptx::n32_t<64>{});"),
              HasSubstr("size of a tensor map"));
  EXPECT_THAT(tensor_errors("__shared__ CUtensorMap d; cuda::device::experimental::"
                            "cp_async_bulk_tensor_2d_shared_to_global(&d, 0, 0, s);"),
              HasSubstr("'b0:d' is in shared memory"));
  EXPECT_THAT(tensor_errors("int x = t;"), HasSubstr("CUtensorMap"));
}

}  // namespace
}  // namespace ambit::parser
