#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/program.h"
#include "model/rules/rules.h"
#include "model/smt/solve.h"

namespace ambit::differential {

/// The result of comparing both engines on one program and model.
struct Comparison {
  enum class Kind {
    Agreed,
    AgreedInPart,  ///< only the SMT engines agreed, because the explicit engine gave up (compare_symmetry())
    Skipped,
    Disagreed
  } kind = Kind::Agreed;
  std::string what;  ///< for Disagreed, the first difference; for Skipped, which engine gave up and why
};

/// Runs both engines on every question and compares verdicts, outcome sets, flagged pairs and incidents. Every witness
/// of either engine must be free of flaws. If an engine answers Unknown, the result is Skipped, which does not count as
/// agreement.
Comparison compare(const std::shared_ptr<const Program>& program, const rules::Rules& rules, smt::Solver& solver,
                   unsigned timeout_milliseconds);

/// Compares three engines: SMT with symmetry, SMT without symmetry, and explicit. For each two source places and cell,
/// if the other two engines list pairs, SMT with symmetry must list at least one of these pairs. It must not list any
/// other pair. The explicit engine gets a tenth of the time.
Comparison compare_symmetry(const std::shared_ptr<const Program>& program, const rules::Rules& rules,
                            smt::Solver& solver, unsigned timeout_milliseconds);

/// The kind of program. The kind selects the models.
enum class Programs : std::uint8_t { Plain, Transactional };

/// Chooses shipped models for a seed, with default options or with options that the seed chooses. Transactional
/// programs get the models with transactions. `most` is the maximum number of models for a seed; 0 means no limit.
/// Consecutive seeds get different models. Each combination of a model and options is loaded only once.
class Models {
 public:
  /// Throws std::runtime_error if a shipped model does not load.
  std::vector<std::shared_ptr<const rules::Rules>> pick(std::uint64_t seed, Programs programs = Programs::Plain,
                                                        std::uint64_t most = 0);

 private:
  std::map<std::string, std::shared_ptr<const rules::Rules>> loaded_;
};

}  // namespace ambit::differential
