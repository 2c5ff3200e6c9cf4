#pragma once

#include <optional>

#include "parser/ptx/async_opcode.h"
#include "parser/ptx/test_tree.h"
#include "parser/ptx/type_suffix.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Returns whether decode_asynchronous() decodes the instruction: cp, wgmma, tcgen05, clusterlaunchcontrol, st.async,
/// red.async, tensormap and the fences of tensor maps.
bool is_asynchronous(const InstructionNode& node);

/// Finds the form of the instruction and fills in the type. Error: the instruction has no known form; the hint shows
/// the most similar forms.
std::optional<AsyncOpcode> decode_asynchronous(const InstructionNode& node, std::optional<TypeSuffix>& type,
                                               Reporter& reporter);

}  // namespace ambit::parser::ptx
