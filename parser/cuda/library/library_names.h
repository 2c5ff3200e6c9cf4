#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "parser/cuda/syntax/token.h"

/// Rewrites inline assembly, and names of CUDA's library that have a different form in the litmus language.
namespace ambit::parser::cuda {

/// The result of a rewrite: the replacement for a range of tokens.
struct Rewritten {
  Tokens tokens;
  std::size_t past = 0;  ///< the index after the replaced tokens
};

/// Rewrites library names with template arguments, because the litmus language has no template arguments:
/// aligned_size_t<16>(n), pipeline_consumer_wait_prior<1>(pipe), n32_t<0>{}, pipeline<...>,
/// pipeline_shared_state<..., 2>, barrier<...>::arrival_token. `resolved` is the qualified name of the tokens from `at`
/// to `past` - 1. Returns nothing if the name needs no change.
std::optional<Rewritten> rewrite_library_name(const Tokens& tokens, std::size_t at, std::size_t past,
                                              std::string_view resolved);

/// Rewrites `asm volatile("..." : outputs : inputs : clobbers)` as a call: __asm("...", number of outputs, "=r", x,
/// "r", y). Returns nothing if there is no assembly at `at`.
std::optional<Rewritten> rewrite_assembly(const Tokens& tokens, std::size_t at);

/// Returns whether the token is a name of cuda::pipeline. A file with this name needs kPipelineText.
bool is_pipeline_name(const Token& token);

}  // namespace ambit::parser::cuda
