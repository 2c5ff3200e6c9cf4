// ambit_differential: compares the two engines on random programs (./dev fuzz).
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "parser/parse.h"
#include "tests/differential/compare.h"
#include "tests/differential/random_program.h"
#include "tests/differential/random_ptx.h"
#include "tests/differential/random_symmetric.h"
#include "tests/differential/random_transactional.h"
#include "tests/support/tool_options.h"

namespace {

using ambit::differential::Comparison;

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t programs = 20000;
  unsigned timeout = 10000;
  std::uint64_t models = 0;
  bool ptx = false;
  bool symmetric = false;
  bool transactional = false;
  bool print = false;
};

struct Totals {
  std::uint64_t agreed = 0;
  std::uint64_t agreed_in_part = 0;
  std::uint64_t skipped = 0;
  std::uint64_t disagreed = 0;
};

void run_one(std::uint64_t seed, const Options& options, ambit::differential::Models& models,
             ambit::smt::Solver& solver, Totals& totals) {
  using namespace ambit::differential;
  const std::string text = options.ptx             ? random_ptx(seed)
                           : options.symmetric     ? random_symmetric(seed)
                           : options.transactional ? random_transactional(seed)
                                                   : random_program(seed);
  const Programs kind = options.transactional ? Programs::Transactional : Programs::Plain;
  if (options.print) fmt::print("{}", text);
  auto source = std::make_shared<ambit::SourceFile>(ambit::SourceFile{fmt::format("random-{}", seed), text});
  const auto program = ambit::parser::parse_program(source);
  if (!program) {
    ++totals.disagreed;
    fmt::print("seed {}: does not parse\n{}\n{}", seed, render(program.errors()), text);
    return;
  }
  std::fflush(stdout);
  for (const auto& rules : models.pick(seed, kind, options.models)) {
    const Comparison comparison = options.symmetric ? compare_symmetry(program.value(), *rules, solver, options.timeout)
                                                    : compare(program.value(), *rules, solver, options.timeout);
    switch (comparison.kind) {
      case Comparison::Kind::Agreed: ++totals.agreed; break;
      case Comparison::Kind::AgreedInPart: ++totals.agreed_in_part; break;
      case Comparison::Kind::Skipped:
        ++totals.skipped;
        fmt::print("seed {} {}: skipped: {}\n", seed, rules->name, comparison.what);
        break;
      case Comparison::Kind::Disagreed:
        ++totals.disagreed;
        fmt::print("seed {} {}: {}\n{}\n", seed, rules->name, comparison.what, text);
        break;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  ambit::test::read_tool_options(
      argc, argv,
      "ambit_differential [--seed N] [--programs N] [--timeout MILLISECONDS] [--models N]\n"
      "  [--ptx | --symmetric | --transactional] [--print]\n"
      "Compares the explicit engine and the SMT engine on random programs under all shipped models (or N in turn).\n"
      "With --symmetric, the programs have interchangeable threads, and the SMT engine runs both with and without\n"
      "symmetry.",
      {{"seed", &options.seed},
       {"programs", &options.programs},
       {"timeout", &options.timeout},
       {"models", &options.models},
       {"ptx", &options.ptx},
       {"symmetric", &options.symmetric},
       {"transactional", &options.transactional},
       {"print", &options.print}});
  ambit::differential::Models models;
  ambit::smt::Solver solver;
  Totals totals;
  for (std::uint64_t i = 0; i < options.programs; ++i) {
    run_one(options.seed + i, options, models, solver, totals);
    if ((i + 1) % 1000 == 0)
      fmt::print(stderr, "{} programs, {} agreed, {} skipped, {} disagreed\n", i + 1,
                 totals.agreed + totals.agreed_in_part, totals.skipped, totals.disagreed);
  }
  fmt::print("{} programs: {} (program, model) pairs agreed, {} skipped, {} disagreed\n", options.programs,
             totals.agreed + totals.agreed_in_part, totals.skipped, totals.disagreed);
  if (options.symmetric) {
    fmt::print("{} pairs without the explicit engine, which gave up\n", totals.agreed_in_part);
  }
  return totals.disagreed == 0 ? 0 : 1;
}
