#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "parser/parse.h"

// The functions of <cuda/ptx> that docs/cuda-sources.md lists. nvcc 13.0 compiles these calls for sm_90a, except the
// last three, which the header has for sm_100 or not at all.
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
  ptx::st_async(s, 5, &b); ptx::red_async(ptx::op_add, s, 5, &b);
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
  ptx::mbarrier_inval(&b);
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
  EXPECT_THAT(render(read_list("__global__ void k(int *g) { __shared__ alignas(16) int r[4]; __shared__ uint64_t b;\n"
                               "int v[2] = {1, 2}; cuda::ptx::st_async(r, v, &b); }\n"
                               "// ambit: launch k<<<1, 1>>>(g[4]);\n")
                         .errors()),
              HasSubstr("expected a value"));
}

}  // namespace
}  // namespace ambit::parser
