#include "report/results/validation.h"

namespace ambit::report {

std::optional<bool> oracle_verdict(const ValidationTest& test) {
  if (test.predictable_runs + test.unordered_runs > 0) return true;
  return test.oracle_is_open ? std::nullopt : std::optional(false);
}

ValidationCounts count(const Validation& validation, std::size_t detector, Against against) {
  ValidationCounts counts;
  for (const ValidationTest& test : validation.tests) {
    const std::optional<bool> truth = against == Against::Label ? test.label : oracle_verdict(test);
    if (!test.is_usable() || !truth) continue;
    const ValidationFinding& finding = test.findings[detector];
    if (finding.found()) {
      ++(*truth ? counts.true_positives : counts.false_positives);
      if (*truth && finding.always(test.runs)) ++counts.in_every_run;
    } else if (test.is_silent(finding)) {
      ++(*truth ? counts.false_negatives : counts.true_negatives);
    } else {
      ++(finding.not_judged.empty() ? counts.not_known : counts.not_judged);
    }
  }
  return counts;
}

}  // namespace ambit::report
