#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "parser/parse.h"

// Calls of the <cuda/ptx> functions that docs/reference/cuda-sources/async.md lists. nvcc 13.0 compiles all calls
// except the last six for sm_90a. The header defines some of these six functions only for sm_100, and lacks the others.
namespace ambit::parser {
namespace {

using ::testing::HasSubstr;

constexpr const char* kEveryFunction = R"cuda(namespace ptx = cuda::ptx;
__global__ void k(const __grid_constant__ CUtensorMap t, CUtensorMap *m, int *g, int *out) {
  __shared__ alignas(128) int s[8]; __shared__ uint64_t b; __shared__ alignas(128) CUtensorMap d; __shared__ alignas(16) int r[4];
  ptx::mbarrier_init(&b, 3);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  uint64_t st = ptx::mbarrier_arrive_no_complete(&b, 1);
  st = ptx::mbarrier_arrive(&b);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, ptx::scope_cluster, ptx::space_shared, &b, 16);
  ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &b, 16);
  bool w = ptx::mbarrier_test_wait(&b, st) || ptx::mbarrier_try_wait(&b, st) || ptx::mbarrier_test_wait_parity(&b, 0) || ptx::mbarrier_try_wait_parity(&b, 0, 1000);
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, g, 16, &b);
  ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, s, g, 16, &b);
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, s, r, 16, &b);
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, g, s, 16);
  ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, g, s, 16);
  ptx::cp_reduce_async_bulk(ptx::space_cluster, ptx::space_shared, ptx::op_max, s, r, 16, &b);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s, &t, {0}, &b);
  ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &t, {0}, s);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{}); ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>{});
  ptx::cp_async_mbarrier_arrive(&b); ptx::cp_async_mbarrier_arrive_noinc(&b);
  ptx::st_async(s, 5, &b); const int v[2] = {5, 6}; ptx::st_async(s, v, &b); const int v4[4] = {5, 6, 7, 8}; ptx::st_async(s, v4, &b);
  ptx::red_async(ptx::op_add, s, 5, &b);
  ptx::fence(ptx::sem_sc, ptx::scope_gpu); ptx::fence(ptx::sem_acquire, ptx::scope_cluster);
  ptx::fence_sync_restrict(ptx::sem_release, ptx::space_shared, ptx::scope_cluster);
  ptx::fence_proxy_alias(); ptx::fence_proxy_async(); ptx::fence_proxy_async(ptx::space_global);
  ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_acquire, ptx::space_cluster, ptx::scope_cluster);
  ptx::fence_proxy_tensormap_generic(ptx::sem_release, ptx::scope_sys);
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, m, ptx::n32_t<128>{});
  ptx::tensormap_replace_global_address(ptx::space_global, m, g);
  ptx::tensormap_replace_rank(ptx::space_shared, &d, 1);
  ptx::tensormap_replace_box_dim(ptx::space_shared, &d, ptx::n32_t<0>{}, 4);
  ptx::tensormap_replace_global_dim(ptx::space_shared, &d, ptx::n32_t<0>{}, 4);
  ptx::tensormap_replace_global_stride(ptx::space_shared, &d, ptx::n32_t<0>{}, 4ll);
  ptx::tensormap_replace_element_size(ptx::space_shared, &d, ptx::n32_t<0>{}, 4);
  ptx::tensormap_replace_elemtype(ptx::space_shared, &d, ptx::n32_t<3>{});
  ptx::tensormap_replace_interleave_layout(ptx::space_shared, &d, ptx::n32_t<0>{});
  ptx::tensormap_replace_swizzle_mode(ptx::space_shared, &d, ptx::n32_t<0>{});
  ptx::tensormap_replace_fill_mode(ptx::space_shared, &d, ptx::n32_t<0>{});
  ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, m, &d, ptx::n32_t<128>{});
  ptx::barrier_cluster_arrive(ptx::sem_release); ptx::barrier_cluster_wait(ptx::sem_acquire);
  ptx::clusterlaunchcontrol_try_cancel(r, &b);
  ptx::tensormap_replace_swizzle_atomicity(ptx::space_shared, &d, ptx::n32_t<0>{});
  ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, ptx::cta_group_2, s, &t, {0}, &b);
  ptx::mbarrier_inval(&b);
  ptx::griddepcontrol_wait(); ptx::griddepcontrol_launch_dependents();
  out[0] = w;
}
// ambit: t = tensormap(g, {16}, {4});
// ambit: m[0] = tensormap(g, {16}, {4});
// ambit: launch k<<<1, 1>>>(t, m[1], g[16], out[1]);
)cuda";

Result<std::shared_ptr<const Program>> read_list(const std::string& text) {
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"test.cu", text}), {});
}

TEST(CudaPtx, ReadsEveryFunctionOfItsList) {
  const auto program = read_list(kEveryFunction);
  EXPECT_TRUE(program.ok()) << render(program.errors());
}

TEST(CudaPtx, RefusesTheFunctionsThatItDoesNotHave) {
  for (const std::string call :
       {"clusterlaunchcontrol_try_cancel_multicast(r, &b)", "clusterlaunchcontrol_query_cancel_is_canceled(r)",
        "cp_async_bulk_cp_mask(cuda::ptx::space_global, cuda::ptx::space_shared, g, r, 16, 1)",
        "cp_async_bulk_tensor_tile_gather4(r)", "cp_async_bulk_tensor_tile_scatter4(r)", "st_bulk(r, 16, 0)",
        "tcgen05_wait_ld()", "multimem_red(g, 1)"}) {
    const auto program = read_list(
        "__global__ void k(int *g) { __shared__ alignas(16) int r[4]; __shared__ uint64_t b;\n"
        "cuda::ptx::" +
        call + "; }\n// ambit: launch k<<<1, 1>>>(g[4]);\n");
    ASSERT_FALSE(program.ok()) << call;
    EXPECT_THAT(render(program.errors()), HasSubstr("test.cu:2:1: error: Ambit does not read 'cuda::ptx::")) << call;
  }
}

/// Returns the errors of a kernel that contains `statement`; empty if there is no error.
std::string errors_of(const std::string& statement) {
  const auto program = read_list(
      "__global__ void k(const __grid_constant__ CUtensorMap t, int *g) {\n"
      "__shared__ alignas(128) int r[4]; __shared__ alignas(16) uint64_t wide[2]; __shared__ uint64_t b;\n"
      "if (threadIdx.x == 0) cuda::ptx::mbarrier_init(&b, 1);\n" +
      statement + "\n}\n// ambit: t = tensormap(g, {4}, {4});\n// ambit: launch k<<<1, 1>>>(t, g[4]);\n");
  return program.ok() ? "" : render(program.errors());
}

TEST(CudaPtx, SendsVectorsOfTwoAndFourElements) {
  EXPECT_EQ(errors_of("const int v[4] = {1, 2, 3, 4}; cuda::ptx::st_async(r, v, &b);"), "");
  EXPECT_EQ(errors_of("int x = 1; asm(\"st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %1}, "
                      "[%2];\" :: \"r\"((unsigned)__cvta_generic_to_shared(r)), \"r\"(x), "
                      "\"r\"((unsigned)__cvta_generic_to_shared(&b)));"),
            "");
  EXPECT_THAT(errors_of("const int v[3] = {1, 2, 3}; cuda::ptx::st_async(r, v, &b);"), HasSubstr("st.async"));
  EXPECT_THAT(errors_of("asm(\"st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], {%1, %1}, [%2];\" :: "
                        "\"r\"((unsigned)__cvta_generic_to_shared(r)), \"r\"(1), "
                        "\"r\"((unsigned)__cvta_generic_to_shared(&b)));"),
              HasSubstr("'st' sends 1 elements, found 2"));
  EXPECT_THAT(errors_of("asm(\"st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %1}, [%2];\" :: "
                        "\"r\"((unsigned)__cvta_generic_to_shared(wide)), \"r\"(1), "
                        "\"r\"((unsigned)__cvta_generic_to_shared(&b)));"),
              HasSubstr("the destination does not consist of elements of 32 bits"));
  EXPECT_THAT(errors_of("const int v[4] = {1, 2, 3, 4}; cuda::ptx::st_async(r + 2, v, &b);"),
              HasSubstr("out of range"));
}

// .cta_group selects the block whose mbarrier the copy signals. For a pair of blocks (::2), Ambit supports only part of
// PTX.
TEST(CudaPtx, TensorCopiesNameTheirGroupOfBlocks) {
  const std::string copy = "cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global, ";
  EXPECT_EQ(errors_of(copy + "cuda::ptx::cta_group_1, r, &t, {0}, &b);"), "");
  EXPECT_EQ(errors_of(copy + "cuda::ptx::cta_group_2, r, &t, {0}, &b);"), "");
  EXPECT_EQ(errors_of(copy + "cuda::ptx::cta_group_1, r, &t, {0}, &b, 1);"), "");
  EXPECT_THAT(errors_of(copy + "cuda::ptx::cta_group_2, r, &t, {0}, &b, 1);"), HasSubstr("cta_group::2"));
  EXPECT_THAT(errors_of(copy + "cuda::ptx::cta_group_3, r, &t, {0}, &b);"),
              HasSubstr("Ambit does not read 'cuda::ptx::cta_group_3'"));
}

}  // namespace
}  // namespace ambit::parser
