#include "model/termination/warp_flow.h"

#include <algorithm>
#include <utility>

namespace ambit::termination {
namespace {

/// Returns the instructions that can come next; code.size() is the end.
std::vector<std::size_t> successors(const Thread& thread, std::size_t at) {
  const Operation& operation = thread.code[at].operation;
  if (const auto* jump = std::get_if<Jump>(&operation)) return {jump->target};
  if (const auto* branch = std::get_if<Branch>(&operation)) return {at + 1, branch->target};
  return {at + 1};
}

/// Returns whether a lane may wait forever at this instruction: at a jump back, or at a barrier.
bool may_wait(const Thread& thread, std::size_t at) {
  const Operation& operation = thread.code[at].operation;
  if (const auto* barrier = std::get_if<Barrier>(&operation)) return !barrier->arrive_only;
  const std::vector<std::size_t> next = successors(thread, at);
  return std::any_of(next.begin(), next.end(), [at](std::size_t target) { return target <= at; });
}

bool may_wait_between(const Thread& thread, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (may_wait(thread, i)) return true;
  }
  return false;
}

/// Returns, for each instruction and for the end, whether some path leads from it to the end.
std::vector<bool> can_end(const Thread& thread) {
  std::vector<bool> ends(thread.code.size() + 1, false);
  ends.back() = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = thread.code.size(); i-- > 0;) {
      const std::vector<std::size_t> next = successors(thread, i);
      if (ends[i] || std::none_of(next.begin(), next.end(), [&](std::size_t n) { return ends[n]; })) continue;
      ends[i] = changed = true;
    }
  }
  return ends;
}

bool same_place(const Instruction& a, const Instruction& b) {
  return a.span == b.span && a.operation.index() == b.operation.index();
}

/// Aligns the code of a warp's lanes.
struct Alignment {
  std::size_t prefix = 0;
  std::size_t suffix = 0;
  /// The shape of each lane. Lanes with equal code between prefix and suffix have the same shape.
  std::vector<std::size_t> shapes;
  bool differs = false;
};

bool same_code(const std::vector<Instruction>& a, const std::vector<Instruction>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_place);
}

Alignment align(const Program& program, const std::vector<std::uint32_t>& lanes) {
  const std::vector<Instruction>& first = program.threads[lanes.front()].code;
  Alignment result;
  std::size_t shortest = first.size();
  for (const std::uint32_t lane : lanes) shortest = std::min(shortest, program.threads[lane].code.size());
  const auto all_have = [&](auto instruction_of) {
    return std::all_of(lanes.begin(), lanes.end(), [&](std::uint32_t lane) {
      return same_place(instruction_of(program.threads[lane].code), instruction_of(first));
    });
  };
  while (result.prefix < shortest &&
         all_have([&](const auto& code) -> const Instruction& { return code[result.prefix]; })) {
    ++result.prefix;
  }
  while (result.prefix + result.suffix < shortest &&
         all_have([&](const auto& code) -> const Instruction& { return code[code.size() - 1 - result.suffix]; })) {
    ++result.suffix;
  }
  std::vector<std::uint32_t> representatives;
  for (const std::uint32_t lane : lanes) {
    const auto found = std::find_if(representatives.begin(), representatives.end(), [&](std::uint32_t other) {
      return same_code(program.threads[other].code, program.threads[lane].code);
    });
    result.shapes.push_back(static_cast<std::size_t>(found - representatives.begin()));
    if (found == representatives.end()) representatives.push_back(lane);
  }
  result.differs = representatives.size() > 1;
  return result;
}

Divergence::Key key_of(const Alignment& alignment, std::size_t lane, std::size_t at, std::size_t size) {
  using Part = Divergence::Key::Part;
  if (!alignment.differs || at < alignment.prefix) return {Part::Prefix, 0, at};
  if (at >= size - alignment.suffix) return {Part::Suffix, 0, size - at};
  return {Part::Own, alignment.shapes[lane], at};
}

}  // namespace

std::vector<bool> reachable_before(const Thread& thread, std::size_t from, std::size_t until) {
  std::vector<bool> reached(thread.code.size() + 1, false);
  std::vector<std::size_t> open = {from};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at == until || reached[at]) continue;
    reached[at] = true;
    if (at == thread.code.size()) continue;
    for (const std::size_t next : successors(thread, at)) open.push_back(next);
  }
  reached.pop_back();
  return reached;
}

std::vector<std::size_t> immediate_post_dominators(const Thread& thread) {
  const std::size_t end = thread.code.size();
  // on(i) is the set of instructions on all paths from i to the end: the greatest solution of on(i) = {i} | the
  // intersection of on(s) over all successors s.
  std::vector<std::vector<bool>> on(end + 1, std::vector<bool>(end + 1, true));
  on[end].assign(end + 1, false);
  on[end][end] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = end; i-- > 0;) {
      std::vector<bool> all(end + 1, true);
      for (const std::size_t next : successors(thread, i)) {
        for (std::size_t j = 0; j <= end; ++j) all[j] = all[j] && on[next][j];
      }
      all[i] = true;
      if (all == on[i]) continue;
      on[i] = std::move(all);
      changed = true;
    }
  }
  // The post-dominators of an instruction form a chain. The nearest one has the largest number of post-dominators.
  const auto count = [](const std::vector<bool>& set) { return std::count(set.begin(), set.end(), true); };
  const std::vector<bool> ends = can_end(thread);
  std::vector<std::size_t> result(end, end);
  for (std::size_t i = 0; i < end; ++i) {
    if (!ends[i]) continue;
    std::ptrdiff_t most = 0;
    for (std::size_t j = 0; j <= end; ++j) {
      if (j == i || !on[i][j] || !ends[j] || count(on[j]) <= most) continue;
      most = count(on[j]);
      result[i] = j;
    }
  }
  return result;
}

std::vector<std::vector<Divergence>> find_divergences(const Program& program, const std::vector<std::uint32_t>& lanes) {
  std::vector<std::vector<Divergence>> result(lanes.size());
  if (lanes.size() < 2) return result;
  const Alignment alignment = align(program, lanes);
  const bool whole_may_wait = std::any_of(lanes.begin(), lanes.end(), [&](std::uint32_t lane) {
    const Thread& thread = program.threads[lane];
    return may_wait_between(thread, alignment.prefix, thread.code.size() - alignment.suffix);
  });
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const Thread& thread = program.threads[lanes[lane]];
    const std::size_t size = thread.code.size();
    if (alignment.differs && whole_may_wait) {
      result[lane].push_back(
          {{Divergence::Key::Part::Whole, 0, 0}, alignment.prefix, size - alignment.suffix, alignment.shapes[lane]});
    }
    const std::vector<std::size_t> meet = immediate_post_dominators(thread);
    for (std::size_t i = 0; i < size; ++i) {
      if (!std::holds_alternative<Branch>(thread.code[i].operation)) continue;
      std::vector<bool> between(size, false);
      for (const std::size_t next : successors(thread, i)) {
        const std::vector<bool> reached = reachable_before(thread, next, meet[i]);
        for (std::size_t j = 0; j < size; ++j) between[j] = between[j] || reached[j];
      }
      bool waits = false;
      for (std::size_t j = 0; j < size; ++j) waits = waits || (between[j] && may_wait(thread, j));
      if (waits) result[lane].push_back({key_of(alignment, lane, i, size), i, meet[i], 0});
    }
  }
  return result;
}

}  // namespace ambit::termination
