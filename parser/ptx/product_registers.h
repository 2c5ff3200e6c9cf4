#pragma once

#include "core/program.h"

namespace ambit::parser::ptx {

/// The registers of the product of a wgmma.mma_async (AsyncStep::products) belong to the operation until the thread's
/// wgmma.wait_group covers it: "accessing the accumulator register [...] without first performing a wgmma.wait_group
/// instruction that waits on a wgmma-group including that wgmma.mma_async instruction is undefined behavior" (PTX ISA,
/// page of wgmma.wait_group). Adds an assertion before each instruction that may break this rule, and counters of
/// groups in registers of the thread. Does nothing if no instruction can break it. Instructions that pass operands
/// (Instruction::is_binding) and other products are exempt, because multiplications into one accumulator are ordered.
void check_products(Thread& thread);

}  // namespace ambit::parser::ptx
