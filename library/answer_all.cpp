#include "library/answer_all.h"

#include "library/internals.h"
#include "model/events/event_graph.h"

namespace AMBIT_NAMESPACE {
namespace {

/// Raises the error of a result. api::answer_inquiry returns only the text of an error. This function builds the events
/// again, because events::build() also gives the place of the error.
[[noreturn]] void raise_error_of(const report::ModelResult& result, const api::Inquiry& inquiry,
                                 const ProgramPtr& program, unsigned unroll) {
  const auto built = events::build(program, {.unroll = unroll, .mappings = inquiry.rules->mappings});
  if (!built.ok()) raise(built.errors());
  raise({{program->source, {}, result.error, ""}});
}

}  // namespace

report::TestResult answer_all(const ProgramPtr& program, const std::vector<api::Inquiry>& inquiries,
                              const Solving& solving, api::OutcomesQuestion outcomes) {
  const StopFlag stop(solving.limits.stop);
  const api::CheckingOptions checking = checking_options(solving);
  report::TestResult test;
  test.file = program->source->path;
  test.program = program;
  verdict::Checker checker;
  for (const api::Inquiry& inquiry : inquiries) {
    Context context;
    api::set_limits(context, checking, stop.flag());
    test.results.push_back(
        api::answer_inquiry(inquiry, program, outcomes, api::engine_options(checking), checker, context));
    const report::ModelResult& result = test.results.back();
    if (!result.error.empty()) raise_error_of(result, inquiry, program, solving.unroll);
  }
  return test;
}

}  // namespace AMBIT_NAMESPACE
