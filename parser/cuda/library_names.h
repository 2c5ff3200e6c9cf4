#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "parser/cuda/token.h"

/// Names of CUDA's library that stand for something else in the litmus language, and inline assembly.
namespace ambit::parser::cuda {

/// Tokens that take the place of others.
struct Rewritten {
  Tokens tokens;
  std::size_t past = 0;  ///< the index behind what they replace
};

/// `resolved`: the qualified name that stands at `at` and ends before `past`. Rewrites what has template arguments that
/// the litmus language does not have: aligned_size_t<16>(n), pipeline_consumer_wait_prior<1>(pipe), n32_t<0>{},
/// pipeline<...>, pipeline_shared_state<..., 2>, barrier<...>::arrival_token. Nothing for other names.
std::optional<Rewritten> rewrite_library_name(const Tokens& tokens, std::size_t at, std::size_t past,
                                              std::string_view resolved);

/// `asm volatile("..." : outputs : inputs : clobbers)` as a call: __asm("...", number of outputs, "=r", x, "r", y).
/// Nothing where no assembly stands.
std::optional<Rewritten> rewrite_assembly(const Tokens& tokens, std::size_t at);

/// True for a name of cuda::pipeline and what belongs to it: the file then needs kPipelineText.
bool is_pipeline_name(const Token& token);

}  // namespace ambit::parser::cuda
