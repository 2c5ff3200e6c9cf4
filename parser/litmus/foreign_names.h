#pragma once

#include <string>
#include <string_view>

namespace ambit::parser::litmus {

/// Returns the name without a suffix that CUDA does not have because the device is the default scope: "atomicAdd" for
/// "atomicAdd_gpu".
std::string_view name_without_device(std::string_view name);

/// Returns a hint for a function name from another language or library (smp_mb). Also returns a hint for a name
/// that resembles a CUDA or litmus function (atomicLoad, thread_fence, barrier). Returns an empty text if there is no
/// hint.
std::string_view instead_of_function(std::string_view name);

/// Returns whether the name denotes a function in the litmus language's list (core/litmus_words.txt) or one of CUDA's
/// atomic functions.
bool is_listed_function(std::string_view name);

/// Returns the hint for a PTX instruction with dots (fence.sc.gpu, store.relaxed.cta(y, 1)): a call with the memory
/// order and the scope of the instruction. `text` is the source text that begins with `function`. Returns an empty text
/// if the text is not a PTX instruction.
std::string call_with_suffixes(std::string_view function, std::string_view text);

/// Returns a call of a function, as an example: "__threadfence();", "atomicAdd(&x, 1)".
std::string call_form(std::string_view name);

/// Returns whether the name is a usual register name in litmus tests: r0, r12.
bool is_usual_register(std::string_view name);

}  // namespace ambit::parser::litmus
