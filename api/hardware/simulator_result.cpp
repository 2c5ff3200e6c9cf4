#include "api/hardware/simulator_result.h"

#include <fmt/format.h>

#include <cstdint>

namespace ambit::api {

void describe(const sim::Options& options, const std::string& schedule_file, report::RunResult& result) {
  const std::string memory(to_string(options.memory));
  const std::string warps(to_string(options.warps));
  const std::string schedule = schedule_file.empty() ? std::string(to_string(options.schedule)) : schedule_file;
  result.how = fmt::format("memory {}, schedule {}", memory, schedule);
  result.settings = {{"backend", "sim"}, {"memory", memory}, {"schedule", schedule}, {"warps", warps}};
  if (options.memory == sim::MemoryKind::Gpu) {
    result.settings.emplace_back("blocks_per_multiprocessor", std::uint64_t{options.blocks_per_multiprocessor});
    result.settings.emplace_back("store_buffer", std::uint64_t{options.store_buffer});
  }
  if (schedule_file.empty() && options.schedule != sim::ScheduleKind::Exhaustive) {
    result.how += fmt::format(", seed {}", options.seed);
    result.settings.emplace_back("seed", options.seed);
  }
  if (options.warps != sim::WarpKind::Independent) result.how += fmt::format(", warps {}", warps);
}

void add_runs(const sim::Simulation& simulation, bool is_search, report::RunResult& result) {
  result.histogram = simulation.histogram;
  result.is_interrupted = simulation.is_cancelled;
  result.is_search = is_search;
  result.is_exhaustive = simulation.is_exhaustive;
  if (is_search) result.why_incomplete = simulation.why_not;
}

}  // namespace ambit::api
