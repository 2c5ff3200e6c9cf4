#pragma once

#include "core/program.h"

namespace ambit::parser::ptx {

/// Checks accesses to the product registers of wgmma.mma_async (AsyncStep::products). The rule of PTX is: "accessing
/// the accumulator register [...] without first performing a wgmma.wait_group instruction that waits on a wgmma-group
/// including that wgmma.mma_async instruction is undefined behavior" (PTX ISA, page of wgmma.wait_group). Adds an
/// assertion before each instruction that may break this rule, and counters of groups in registers of the thread. Does
/// nothing if no instruction can break the rule. The rule does not apply to instructions that pass operands
/// (Instruction::is_binding). The rule does not apply to a multiplication either: PTX orders the multiplications into
/// one accumulator.
void check_products(Thread& thread);

}  // namespace ambit::parser::ptx
