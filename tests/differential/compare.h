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

/// How one (program, model) fared under both engines.
struct Comparison {
  enum class Kind {
    Agreed,
    AgreedInPart,  ///< compare_symmetry: the explicit engine gave up
    Skipped,
    Disagreed
  } kind = Kind::Agreed;
  std::string what;  ///< Disagreed: the first difference; Skipped: which engine gave up and why
};

/// Asks both engines every question and compares verdicts, outcome sets, flagged pairs and incidents; every witness of
/// either engine must have no flaw. An engine that answers Unknown makes the pair Skipped, which is not agreement.
Comparison compare(const std::shared_ptr<const Program>& program, const rules::Rules& rules, smt::Solver& solver,
                   unsigned timeout_milliseconds);

/// The same for the SMT engine with and without symmetry, and the explicit engine. With symmetry the SMT engine lists
/// one pair or more for each two places of the source and each cell at which the others list pairs, and no others. The
/// explicit engine has a tenth of the time.
Comparison compare_symmetry(const std::shared_ptr<const Program>& program, const rules::Rules& rules,
                            smt::Solver& solver, unsigned timeout_milliseconds);

/// Which models a program is asked about.
enum class Programs : std::uint8_t { Plain, Transactional };

/// The shipped models (of transactional programs those with transactions) with the default and some other options;
/// which options is up to `seed`. `most`: so many of the models, others for the next seed; 0: all. Loaded once a
/// distinct combination.
class Models {
 public:
  /// Throws std::runtime_error when a shipped model does not load.
  std::vector<std::shared_ptr<const rules::Rules>> pick(std::uint64_t seed, Programs programs = Programs::Plain,
                                                        std::uint64_t most = 0);

 private:
  std::map<std::string, std::shared_ptr<const rules::Rules>> loaded_;
};

}  // namespace ambit::differential
