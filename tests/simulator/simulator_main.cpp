#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "tests/simulator/compare.h"
#include "tests/support/tool_options.h"

namespace {

using ambit::simulator::compare_file;
using ambit::simulator::Finding;
using ambit::simulator::Outcome;

bool is_bad(Outcome outcome) { return outcome == Outcome::Extra || outcome == Outcome::Missing; }

struct Sum {
  std::array<std::size_t, 6> counts{};
  std::size_t weak = 0;
  std::size_t weak_shown = 0;

  void add(const Finding& finding) {
    ++counts[static_cast<std::size_t>(finding.outcome)];
    weak += finding.weak;
    weak_shown += finding.weak_shown;
  }
  void print(std::string_view memory) const {
    fmt::print("{}:", memory);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > 0) fmt::print(" {} {};", counts[i], to_string(static_cast<Outcome>(i)));
    }
    if (weak > 0) fmt::print(" {} of {} weak outcomes shown", weak_shown, weak);
    fmt::print("\n");
  }
};

}  // namespace

/// Compares the simulator with the models on the whole corpus, or on the given files.
int main(int argc, char** argv) {
  std::string memory = "both";
  bool verbose = false;
  ambit::sim::Options options{.schedule = ambit::sim::ScheduleKind::Exhaustive, .max_states = 200000};
  std::vector<std::string> files = ambit::test::read_tool_options(
      argc, argv,
      "ambit_simulator [--memory sc|gpu|both] [--max-states N] [--verbose] [FILES]\n"
      "Compares the simulator with the models sc and ptx on the files, or on all of litmus/.",
      {{"memory", &memory}, {"max-states", &options.max_states}, {"verbose", &verbose}});
  if (memory != "both" && memory != "sc" && memory != "gpu") {
    fmt::print(stderr, "--memory: expected sc, gpu or both, found '{}'\n", memory);
    return 2;
  }
  if (files.empty()) files = ambit::simulator::corpus();
  bool ok = true;
  for (const auto kind : {ambit::sim::MemoryKind::Sc, ambit::sim::MemoryKind::Gpu}) {
    if (memory != "both" && memory != to_string(kind)) continue;
    options.memory = kind;
    Sum sum;
    for (const std::string& file : files) {
      for (const Finding& finding : compare_file(file, options)) {
        sum.add(finding);
        ok = ok && !is_bad(finding.outcome);
        if (!verbose && !is_bad(finding.outcome)) continue;
        fmt::print("{:<4} {:<13} {}  {}  shown {} of {}, weak {} of {}\n", to_string(kind), to_string(finding.outcome),
                   file, finding.detail, finding.shown, finding.allowed, finding.weak_shown, finding.weak);
      }
    }
    sum.print(to_string(kind));
  }
  return ok ? 0 : 1;
}
