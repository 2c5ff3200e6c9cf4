#pragma once

#include "core/program.h"

namespace ambit::parser::ptx {

/// Checks the product registers of wgmma.mma_async (AsyncStep::products). They belong to the operation until a
/// wgmma.wait_group of the thread covers it: "accessing the accumulator register [...] without first performing a
/// wgmma.wait_group instruction that waits on a wgmma-group including that wgmma.mma_async instruction is undefined
/// behavior" (PTX ISA, page of wgmma.wait_group). Adds an assertion before each instruction that may break this rule,
/// and counters of groups in registers of the thread. Does nothing if no instruction can break the rule. Instructions
/// that pass operands (Instruction::is_binding) and other products are exempt, because multiplications into one
/// accumulator are ordered.
void check_products(Thread& thread);

}  // namespace ambit::parser::ptx
