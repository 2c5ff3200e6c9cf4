#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "parser/parse.h"

// Tests asynchronous operations in CUDA sources (docs/reference/cuda-sources/async.md). The expected operations follow
// from the headers of CUDA 13: libcu++ (cuda/__memcpy_async, cuda/pipeline, cuda/__barrier), cuda_pipeline_helpers.h
// and cooperative_groups.
namespace ambit::parser {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kBarrier =
    "__shared__ alignas(16) int s[4]; __shared__ cuda::barrier<cuda::thread_scope_block> bar;\n"
    "auto block = cooperative_groups::this_thread_block();\n"
    "if (threadIdx.x == 0) init(&bar, 2);\n__syncthreads();\n";

Result<std::shared_ptr<const Program>> read_source(const std::string& code, const std::string& launch) {
  const std::string text = "__global__ void k(const int *in, const short *narrow, int *out) {\n" + code +
                           "\n}\n// ambit: launch k" + launch + "(in[8], narrow[8], out[8]);\n";
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), {});
}

std::string errors_in(const std::string& code) {
  const auto result = read_source(code, "<<<1, 2>>>");
  return result.ok() ? "" : render(result.errors());
}

/// Returns the asynchronous steps of a thread. For example, "cp.async x2 async" is an operation of the async proxy on
/// two elements.
std::vector<std::string> steps(const std::string& code, std::size_t thread) {
  const auto program = read_source(code, "<<<1, 2>>>");
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : render(program.errors()));
  std::vector<std::string> found;
  if (!program.ok()) return found;
  for (const Instruction& instruction : program.value()->threads.at(thread).code) {
    const auto* step = std::get_if<AsyncStep>(&instruction.operation);
    if (step == nullptr) continue;
    std::string text = step->name;
    if (!step->elements.empty()) {
      text +=
          " x" + std::to_string(step->elements.size()) + " " + std::string(to_string(step->elements[0].target->proxy));
    }
    found.push_back(text);
  }
  return found;
}

TEST(CudaAsync, MemcpyAsyncIsABulkCopyByTheFirstThreadWhere16BytesAreAligned) {
  const std::string code =
      std::string(kBarrier) +
      "cuda::memcpy_async(block, s, in, cuda::aligned_size_t<16>(16), bar); bar.arrive_and_wait();";
  EXPECT_THAT(steps(code, 0), ElementsAre("cp.async.bulk x4 async"));
  EXPECT_THAT(steps(code, 1), IsEmpty());
}

TEST(CudaAsync, MemcpyAsyncIsDividedAmongTheThreadsWhere4BytesAreAligned) {
  const std::string code = std::string(kBarrier) + "cuda::memcpy_async(block, s, in, 12, bar); bar.arrive_and_wait();";
  EXPECT_THAT(steps(code, 0), ElementsAre("cp.async x1 generic", "cp.async x1 generic", "cp.async.mbarrier.arrive"));
  EXPECT_THAT(steps(code, 1), ElementsAre("cp.async x1 generic", "cp.async.mbarrier.arrive"));
}

TEST(CudaAsync, MemcpyAsyncOfNarrowElementsIsSynchronous) {
  const std::string code =
      std::string(kBarrier) +
      "__shared__ short t[4]; cuda::memcpy_async(block, t, narrow, 8, bar); bar.arrive_and_wait();";
  EXPECT_THAT(steps(code, 0), IsEmpty());
}

TEST(CudaAsync, MemcpyAsyncFromSharedMemoryIsSynchronous) {
  const std::string code = std::string(kBarrier) + "cuda::memcpy_async(block, out, s, 16, bar); bar.arrive_and_wait();";
  EXPECT_THAT(steps(code, 0), IsEmpty());
}

TEST(CudaAsync, GroupsOfCopies) {
  EXPECT_THAT(
      steps("__shared__ int a; __pipeline_memcpy_async(&a, in, 4); __pipeline_commit(); __pipeline_wait_prior(9);", 1),
      ElementsAre("cp.async x1 generic", "cp.async.commit_group", "cp.async.wait_group 8"));
  EXPECT_THAT(steps("__shared__ int a[2]; auto g = cooperative_groups::this_thread_block();\n"
                    "cooperative_groups::memcpy_async(g, a, in, 8); cooperative_groups::wait(g);",
                    0),
              ElementsAre("cp.async x1 generic", "cp.async.commit_group", "cp.async.wait_group 0"));
}

TEST(CudaAsync, APipelineOfOneThreadCountsItsCommits) {
  const std::string code =
      "__shared__ int a[2]; cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();\n"
      "for (int i = 0; i < 2; ++i) { cuda::memcpy_async(&a[i], in + i, 4, pipe); pipe.producer_commit(); }\n"
      "pipe.consumer_wait(); pipe.consumer_wait(); pipe.consumer_wait();";
  EXPECT_THAT(steps(code, 0), ElementsAre("cp.async x1 generic", "cp.async.commit_group", "cp.async x1 generic",
                                          "cp.async.commit_group", "cp.async.wait_group 1", "cp.async.wait_group 0"));
}

// The reader drops cells at the end of a long array if no operation accesses them. It keeps cells that a copy
// accesses.
TEST(CudaAsync, CellsThatOnlyCopiesTouchStay) {
  const std::string text =
      "__global__ void k(const int *g) {\n__shared__ alignas(16) int big[256]; __shared__ uint64_t b;\n"
      "cuda::ptx::mbarrier_init(&b, 1);\n"
      "cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, big, g, 512, &b);\n}\n"
      "// ambit: launch k<<<1, 1>>>(g[256]);\n";
  const auto program = parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), {});
  ASSERT_TRUE(program.ok()) << render(program.errors());
  for (const MemoryObject& object : program.value()->objects) {
    EXPECT_EQ(object.length, object.is_array ? 128U : 1U) << object.name;
  }
}

TEST(CudaAsync, BarriersAreMbarrierObjects) {
  const auto program = read_source(std::string(kBarrier) + "bar.arrive_and_wait();", "<<<1, 2>>>");
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const auto& objects = program.value()->objects;
  const auto bar = std::ranges::find(objects, "b0:bar", &MemoryObject::name);
  ASSERT_NE(bar, objects.end());
  ASSERT_TRUE(bar->mbarrier);
  EXPECT_EQ(bar->mbarrier->arrivals, 2);
}

TEST(CudaAsync, ErrorsNameWhatIsWrong) {
  const std::string bar(kBarrier);
  EXPECT_THAT(errors_in("__shared__ cuda::barrier<cuda::thread_scope_device> b;"),
              HasSubstr("barriers of a block only"));
  EXPECT_THAT(errors_in("__shared__ cuda::barrier<cuda::thread_scope_block> b; b.arrive();"),
              HasSubstr("no thread initialises the mbarrier 'b0:b'"));
  EXPECT_THAT(errors_in(bar + "init(&bar, out[0]);"), HasSubstr("must be a constant"));
  EXPECT_THAT(errors_in(bar + "bar.leave();"), HasSubstr("does not read the member 'leave'"));
  EXPECT_THAT(errors_in(bar + "cuda::memcpy_async(s, in, out[0], bar);"), HasSubstr("must be a constant"));
  EXPECT_THAT(errors_in(bar + "cuda::memcpy_async(s, narrow, 8, bar);"), HasSubstr("different sizes"));
  EXPECT_THAT(errors_in(bar + "cuda::memcpy_async(s, in, 64, bar);"), HasSubstr("out of range"));
  EXPECT_THAT(errors_in(bar + "cuda::memcpy_async(cooperative_groups::tiled_partition(block), s, in, 16, bar);"),
              HasSubstr("only copies by a block"));
  EXPECT_THAT(errors_in("__shared__ int a; __pipeline_memcpy_async(&a, in, 3);"), HasSubstr("4, 8 or 16 bytes, not 3"));
  EXPECT_THAT(errors_in("__pipeline_memcpy_async(out, in, 4);"), HasSubstr("destination must be in shared memory"));
  EXPECT_THAT(errors_in("cuda::ptx::tcgen05_alloc(out);"), HasSubstr("does not read 'cuda::ptx::tcgen05_alloc'"));
  EXPECT_THAT(errors_in("__shared__ uint64_t b; cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster,\n"
                        "cuda::ptx::space_global, out, in, 24, &b);"),
              HasSubstr("destination must be in shared memory"));
  EXPECT_THAT(errors_in(bar + "cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, s, in, 24,\n"
                              "cuda::device::barrier_native_handle(bar));"),
              HasSubstr("multiple of 16"));
}

std::string cluster_errors(const std::string& size, const std::string& code, const std::string& launch) {
  const std::string text = "__global__ void __cluster_dims__(" + size + ") k(int *out) {\n" + code +
                           "\n}\n// ambit: launch k" + launch + "(out[2]);\n";
  const auto result = parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), {});
  return result.ok() ? "" : render(result.errors());
}

TEST(CudaClusters, ErrorsNameWhatIsWrong) {
  const std::string peer = "__shared__ int s; auto c = cooperative_groups::this_cluster();\n";
  EXPECT_EQ(
      cluster_errors("2", peer + "out[c.block_rank()] = *c.map_shared_rank(&s, 1 - c.block_rank());", "<<<2, 1>>>"),
      "");
  EXPECT_THAT(cluster_errors("2", peer + "c.sync();", "<<<3, 1>>>"), HasSubstr("clusters of 2 blocks"));
  EXPECT_THAT(cluster_errors("1, 2", peer + "c.sync();", "<<<2, 1>>>"), HasSubstr("clusters along x only"));
  EXPECT_THAT(cluster_errors("32", peer + "c.sync();", "<<<32, 1>>>"), HasSubstr("expected 1 to 16"));
  EXPECT_THAT(cluster_errors("2", peer + "out[0] = *c.map_shared_rank(&s, 2);", "<<<2, 1>>>"), HasSubstr("below 2"));
  EXPECT_THAT(cluster_errors("2", peer + "out[0] = *c.map_shared_rank(out, 1);", "<<<2, 1>>>"),
              HasSubstr("address of shared memory"));
  EXPECT_THAT(cluster_errors("2",
                             "__shared__ cuda::barrier<cuda::thread_scope_block> b; init(&b, 1);\n"
                             "auto c = cooperative_groups::this_cluster(); c.sync();\n"
                             "c.map_shared_rank(&b, 1 - c.block_rank())->wait_parity(0);",
                             "<<<2, 1>>>"),
              HasSubstr("only its own block can wait"));
}

TEST(CudaAssembly, ReadsInstructionsLabelsAndPredicates) {
  EXPECT_EQ(errors_in("int r; asm volatile(\"{ .reg .pred p; L: ld.acquire.gpu.global.s32 %0, [%1];\"\n"
                      "\" setp.eq.s32 p, %0, 0; @p bra L; }\" : \"=r\"(r) : \"l\"(out) : \"memory\"); out[1] = r;"),
            "");
  EXPECT_EQ(errors_in("asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\"); asm(\"membar.gl;\");"), "");
  EXPECT_EQ(errors_in("asm volatile(\"bar.sync %0, %1;\" :: \"r\"(1), \"r\"(2));"), "");
}

TEST(CudaAssembly, ErrorsNameWhatIsWrong) {
  EXPECT_THAT(errors_in("asm volatile(\"cp.async.bulk.tensor.2d [%0];\" :: \"l\"(out));"),
              HasSubstr("unknown instruction 'cp.async.bulk.tensor.2d'"));
  EXPECT_THAT(errors_in("int r; asm(\"mov.u32 %0, %%pm0;\" : \"=r\"(r));"), HasSubstr("'%pm0'"));
  EXPECT_THAT(errors_in("asm(\"bra OVER;\");"), HasSubstr("no label 'OVER'"));
  EXPECT_THAT(errors_in("asm(\"L: L: bra L;\");"), HasSubstr("label 'L' twice"));
  // The reader stops at the error before the label, so it must not report that the label is missing.
  EXPECT_THAT(errors_in("asm(\"bra OVER; frobnicate; OVER:\");"), HasSubstr("unknown instruction 'frobnicate'"));
  EXPECT_EQ(errors_in("asm volatile(\"\" ::: \"memory\"); out[0] = 1;"), "");
  EXPECT_THAT(errors_in("asm(\"mbarrier.arrive.shared.b64 _, [%0];\" :: \"r\"(4));"),
              HasSubstr("is used as an address"));
  EXPECT_THAT(errors_in("asm(\"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 [%0];\" :: \"l\"(out));"),
              HasSubstr("takes 8 operands here, not 1"));
  EXPECT_EQ(errors_in("asm(\"griddepcontrol.wait;\"); out[0] = 1;"), "");
  EXPECT_THAT(errors_in("asm(\"cvta.to.global.u64 %0, %1;\" : \"=r\"(out[0]) : \"l\"(out));"),
              HasSubstr("does not read 'cvta.to.global.u64'"));
  EXPECT_THAT(errors_in("unsigned r; asm(\"mbarrier.pending_count.b64 %0, %1;\" : \"=r\"(r) : \"l\"(out));"),
              HasSubstr("expected the state that an arrival returned"));
  EXPECT_THAT(errors_in("asm(\"griddepcontrol.stop;\");"), HasSubstr("expected .wait or .launch_dependents"));
  EXPECT_THAT(errors_in("asm(\"frobnicate %0;\" :: \"r\"(4));"), HasSubstr("unknown instruction 'frobnicate'"));
}

}  // namespace
}  // namespace ambit::parser
