#pragma once

#include <ambit/limits.h>

#include <vector>

#include "api/check/inquiry.h"
#include "core/program.h"
#include "report/results/test_result.h"

namespace AMBIT_NAMESPACE {

/// Answers all questions about a program; the limits apply to each question separately. Throws Error with the errors of
/// api::answer_inquiry.
report::TestResult answer_all(const std::shared_ptr<const Program>& program, const std::vector<api::Inquiry>& inquiries,
                              const Solving& solving, api::OutcomesQuestion outcomes);

}  // namespace AMBIT_NAMESPACE
