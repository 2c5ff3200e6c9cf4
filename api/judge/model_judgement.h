#pragma once

#include <memory>

#include "core/program.h"
#include "report/results/judged.h"
#include "report/results/test_result.h"

namespace ambit::api {

/// Returns a judgement with the parts that do not depend on the model: the test and the assumptions of its reader.
report::Judged judged_program(const std::string& file, const Program& program, const std::string& launch);

/// Fills a judgement with a model's answer about the program: verdict, reason, places, coverage and tool.
void add_answer(const report::ModelResult& result, const std::shared_ptr<const Program>& program,
                report::Judged& judged);

/// Returns a place in the program's source.
report::JudgedPlace judged_place(const Program& program, const SourceSpan& span);

}  // namespace ambit::api
