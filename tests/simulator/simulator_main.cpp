#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <vector>

#include "compare.h"

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

/// The simulator against the models over the whole corpus, or the files given.
int main(int argc, char** argv) {
  CLI::App app("Compares the simulator with models sc and ptx");
  std::vector<std::string> files;
  std::string memory = "both";
  bool verbose = false;
  ambit::sim::Options options;
  options.schedule = ambit::sim::ScheduleKind::Exhaustive;
  options.max_states = 200000;
  app.add_option("FILES", files, "Tests; default: all of litmus/");
  app.add_option("--memory", memory, "sc, gpu or both")->check(CLI::IsMember({"sc", "gpu", "both"}));
  app.add_option("--max-states", options.max_states, "Of one search")->capture_default_str();
  app.add_option("--blocks-per-multiprocessor", options.blocks_per_multiprocessor, "gpu")->capture_default_str();
  app.add_option("--store-buffer", options.store_buffer, "gpu: entries")->capture_default_str();
  app.add_flag("-v,--verbose", verbose, "A line for each test");
  CLI11_PARSE(app, argc, argv);
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
