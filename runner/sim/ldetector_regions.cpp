#include "runner/sim/ldetector_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ambit::sim::ldetection {

std::vector<Block> blocks_of(const Program& program) {
  std::map<std::pair<int, int>, std::map<int, std::vector<std::uint32_t>>> sorted;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const ThreadPlace& place = program.threads[t].place;
    sorted[{place.gpu, place.block}][place.warp].push_back(t);
  }
  std::vector<Block> blocks;
  for (auto& [key, warps] : sorted) {
    Block block{key.first, key.second, {}, {}};
    for (auto& [number, threads] : warps) {
      std::ranges::sort(threads, {}, [&](std::uint32_t t) { return program.threads[t].place.lane; });
      block.threads.insert(block.threads.end(), threads.begin(), threads.end());
      block.warps.push_back(std::move(threads));
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

void Regions::note(const StepEvent& event, WarpRun& run) const {
  if (!event.is_access()) return;
  const Place place{event.thread, event.instruction};
  if (event.writes()) {
    run.writes[event.location] = place;
  } else if (!run.writes.contains(event.location)) {
    run.reads.try_emplace(event.location, place);
  }
}

/// Returns an error if a thread of the warp waits forever, that is, has neither reached a barrier of the block nor
/// ended.
std::optional<Diagnostic> Regions::why_stuck(const State& state, const std::vector<std::uint32_t>& warp) const {
  const Program& program = machine_.program();
  const auto instruction = [&](std::uint32_t t) -> const Instruction& {
    return program.threads[t].code[state.threads[t].pc];
  };
  for (const std::uint32_t t : warp) {
    if (state.threads[t].has_exited || is_at_end(state, t)) continue;
    if (machine_.is_at_barrier(state, t)) {
      return Diagnostic{
          program.source,
          instruction(t).span,
          fmt::format("{} waits at a barrier of its warp that another lane never reaches", program.threads[t].name),
          {}};
    }
    return Diagnostic{
        program.source, instruction(t).span,
        fmt::format("ldetector does not support this program: {} waits in a loop for another thread, and the "
                    "warps of a region run separately",
                    program.threads[t].name),
        "use a detector that works on traces: ambit detect --list"};
  }
  return std::nullopt;
}

/// Runs the lanes of a warp in turn, one step each, until all lanes are at the end of the region.
WarpRun Regions::run(State& state, const std::vector<std::uint32_t>& warp, const Cells& cells) const {
  WarpRun run;
  const auto refuse = [&](fmt::format_string<const std::string&> message) {
    const Thread& thread = machine_.program().threads[warp.front()];
    return Diagnostic{machine_.program().source, thread.span, fmt::format(message, thread.name), {}};
  };
  set_shared(state, cells);
  std::uint64_t steps = 0;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (const std::uint32_t t : warp) {
      if (state.threads[t].has_exited || is_at_end(state, t) || !machine_.can_step(state, t)) continue;
      note(machine_.step(state, t, 0), run);
      goes_on = true;
      ++steps;
    }
    if (stop_.load(std::memory_order_relaxed)) {
      run.is_cancelled = true;
      return run;
    }
    if (state.is_dropped) {
      run.error = refuse("in ldetector's run, an assume() of the warp of {} is not met");
      return run;
    }
    if (steps > options_.max_steps || state.is_endless) {
      run.error = refuse("ldetector gave up: the warp of {} takes too many steps between two barriers");
      return run;
    }
  }
  run.error = why_stuck(state, warp);
  run.cells = shared_cells(state);
  return run;
}

PassOne Regions::pass_one(const Block& block, State start) const {
  PassOne one{std::move(start), {}, {}, {}};
  const Cells original = shared_cells(one.start);
  one.end = one.start;
  Cells united = original;
  for (const std::vector<std::uint32_t>& warp : block.warps) {
    one.warps.push_back(run(one.end, warp, original));
    const WarpRun& run = one.warps.back();
    std::vector<LocationId>& changed = one.changed.emplace_back();
    if (run.error || run.is_cancelled) break;
    for (const LocationId location : shared_) {
      if (run.cells[location] == original[location]) continue;
      changed.push_back(location);
      if (united[location] == original[location]) united[location] = run.cells[location];
    }
  }
  set_shared(one.end, united);
  return one;
}

/// Finds the cells that two warps changed. A finding names the last store of each warp.
std::vector<Finding> Regions::write_write(const PassOne& one) const {
  std::vector<Finding> findings;
  std::map<LocationId, std::size_t> changed_by;
  for (std::size_t w = 0; w < one.changed.size(); ++w) {
    for (const LocationId location : one.changed[w]) {
      const auto [at, is_first] = changed_by.try_emplace(location, w);
      if (is_first) continue;
      const WarpRun& before = one.warps[at->second];
      const WarpRun& now = one.warps[w];
      findings.push_back({location, before.writes.at(location), now.writes.at(location), true,
                          before.cells[location] == now.cells[location]});
    }
  }
  return findings;
}

bool Regions::differs(const PassOne& one, const Cells& cells) const {
  for (const std::vector<LocationId>& changed : one.changed) {
    for (const LocationId location : changed) {
      if (cells[location] != one.end.memory.values[location]) return true;
    }
  }
  return false;
}

/// Finds the reads that changed the warp's result. For each cell whose value the warp read from another warp, runs the
/// warp again with only this cell replaced. (The published tool names only the array.)
std::vector<Finding> Regions::read_write(const Block& block, const PassOne& one, const State& before, std::size_t warp,
                                         const WarpRun& two) const {
  std::vector<Finding> all;
  std::vector<Finding> influential;
  const Cells original = shared_cells(one.start);
  for (std::size_t other = 0; other < one.changed.size(); ++other) {
    if (other == warp) continue;
    for (const LocationId location : one.changed[other]) {
      const auto read = two.reads.find(location);
      if (read == two.reads.end()) continue;
      const Finding finding{location, one.warps[other].writes.at(location), read->second, false, false};
      all.push_back(finding);
      Cells cells = original;
      cells[location] = one.end.memory.values[location];
      State state = before;
      const WarpRun alone = run(state, block.warps[warp], cells);
      const bool is_other = alone.error || std::ranges::any_of(one.changed[warp], [&](LocationId own) {
                              return alone.cells[own] != one.warps[warp].cells[own];
                            });
      if (is_other) influential.push_back(finding);
    }
  }
  return influential.empty() ? all : influential;
}

Verdict Regions::check(const Block& block, const PassOne& one) const {
  Verdict verdict;
  for (const WarpRun& run : one.warps) {
    verdict.is_cancelled = verdict.is_cancelled || run.is_cancelled;
    if (run.error && !verdict.error) verdict.error = run.error;
  }
  if (!verdict.is_clean()) return verdict;
  verdict.findings = write_write(one);
  if (!verdict.findings.empty()) return verdict;
  const Cells united = shared_cells(one.end);
  State state = one.start;
  for (std::size_t w = 0; w < block.warps.size(); ++w) {
    Cells cells = united;
    for (const LocationId own : one.changed[w]) cells[own] = one.start.memory.values[own];
    const State before = state;
    const WarpRun two = run(state, block.warps[w], cells);
    // The next warp starts without the failure flags of this warp.
    state.is_dropped = state.is_endless = false;
    verdict.is_cancelled = two.is_cancelled;
    if (two.is_cancelled) return verdict;
    // A warp that does not end in pass two has read a value of another warp, because the warp ended in pass one.
    if (!two.error && !differs(one, two.cells)) continue;
    const std::vector<Finding> found = read_write(block, one, before, w, two);
    verdict.findings.insert(verdict.findings.end(), found.begin(), found.end());
    if (found.empty()) verdict.error = two.error;
  }
  return verdict;
}

}  // namespace ambit::sim::ldetection
