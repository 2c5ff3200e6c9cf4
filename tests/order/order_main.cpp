#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "tests/order/order.h"
#include "tests/support/tool_options.h"

/// Compares detectors with the model ptx on random shapes of fences, barriers, leaders and flags.
int main(int argc, char** argv) {
  std::uint64_t programs = 5000;
  std::uint64_t seed = 1;
  unsigned runs = 6;
  std::string detector = "barracuda";
  bool verbose = false;
  ambit::test::read_tool_options(
      argc, argv,
      "ambit_order [--programs N] [--seed N] [--runs N] [--detector NAME] [--verbose]\n"
      "Simulates N random programs. For each run, compares the races that the detector reports with the races of the\n"
      "model ptx in all executions with the same reads-from relation. --verbose also shows missed races and false\n"
      "reports of races on flags.",
      {{"programs", &programs}, {"seed", &seed}, {"runs", &runs}, {"detector", &detector}, {"verbose", &verbose}});

  ambit::order::Comparison all;
  std::uint64_t false_reports = 0;
  std::uint64_t of_flags = 0;
  std::uint64_t missed = 0;
  for (std::uint64_t i = seed; i < seed + programs; ++i) {
    const ambit::order::Comparison one = ambit::order::compare(i, detector, runs);
    all.runs += one.runs;
    all.racy += one.racy;
    all.reported += one.reported;
    false_reports += one.false_report.empty() ? 0 : 1;
    of_flags += one.false_report_of_flag.empty() ? 0 : 1;
    missed += one.missed.empty() ? 0 : 1;
    if (!one.false_report.empty()) fmt::print("seed {}: false report\n{}\n", i, one.false_report);
    if (!one.false_report_of_flag.empty() && verbose) {
      fmt::print("seed {}: false report of a flag\n{}\n", i, one.false_report_of_flag);
    }
    if (!one.missed.empty() && verbose) fmt::print("seed {}: missed race\n{}\n", i, one.missed);
  }
  fmt::print("{} programs, {} runs, {} of them racy, {} reported\n", programs, all.runs, all.racy, all.reported);
  fmt::print("programs with a false report: {} of data, {} of flags; with a missed race: {}\n", false_reports, of_flags,
             missed);
  return false_reports == 0 && missed == 0 ? 0 : 1;
}
