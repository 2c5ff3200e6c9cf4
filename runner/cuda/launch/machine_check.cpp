#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "runner/cuda/launch/code_check.h"
#include "runner/cuda/launch/sass.h"

namespace ambit::cuda {
namespace {

/// An instruction of the test: its thread and its number in the thread.
using Place = std::pair<std::size_t, std::size_t>;

/// Returns the instructions of the test, indexed by their lines in the kernel's source.
std::map<std::uint32_t, Place> places_of(const std::string& source) {
  constexpr std::string_view kMark = "// ambit P";
  std::map<std::uint32_t, Place> places;
  std::istringstream lines(source);
  std::uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t at = line.find(kMark);
    if (at == std::string::npos) continue;
    std::istringstream mark(line.substr(at + kMark.size()));
    Place place;
    char dot = 0;
    mark >> place.first >> dot >> place.second;
    places[number] = place;
  }
  return places;
}

/// Consecutive machine instructions of one instruction of the test.
struct Group {
  Place place;
  std::vector<std::string> names;
  bool is_predicated = false;
  bool is_reached = true;  ///< control reaches the group from the previous group
};

std::vector<Group> groups_of(const Kernel& kernel, const std::string& listing) {
  const std::map<std::uint32_t, Place> places = places_of(kernel.source);
  std::vector<Group> groups;
  bool is_reached = true;
  for (const SassInstruction& instruction : read_sass(listing)) {
    is_reached = is_reached && instruction.is_reached;
    const auto place = places.find(instruction.line);
    if (place == places.end() || !acts_on_memory(instruction)) continue;
    if (groups.empty() || !is_reached || groups.back().place != place->second) {
      groups.push_back({place->second, {}, false, is_reached});
    }
    groups.back().names.push_back(instruction.name);
    groups.back().is_predicated = groups.back().is_predicated || instruction.is_predicated;
    is_reached = true;
  }
  return groups;
}

/// Returns whether some path from one instruction to another contains only instructions that `is_passed`
/// accepts.
template <typename IsPassed>
bool leads_to(const std::vector<MarkedInstruction>& thread, std::size_t from, std::size_t to,
              const IsPassed& is_passed) {
  std::vector<std::size_t> open = {from};
  std::vector<bool> seen(thread.size(), false);
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const std::size_t next : thread[at].next) {
      if (next == to) return true;
      if (seen[next] || !is_passed(thread[next])) continue;
      seen[next] = true;
      open.push_back(next);
    }
  }
  return false;
}

/// Returns whether the group `second` may follow the group `first`. Predicated instructions may belong to two
/// alternative paths. Weak accesses may be reordered if there are only weak accesses between them.
bool may_follow(const Kernel& kernel, const Group& first, const Group& second) {
  if (!second.is_reached || first.place.first != second.place.first) return true;
  if (first.is_predicated || second.is_predicated) return true;
  const auto& thread = kernel.instructions[first.place.first];
  const auto is_movable = [](const MarkedInstruction& one) { return one.is_weak || may_leave_nothing(one.text); };
  const std::size_t from = first.place.second;
  const std::size_t to = second.place.second;
  if (leads_to(thread, from, to, is_movable)) return true;
  return thread[from].is_weak && thread[to].is_weak && leads_to(thread, to, from, is_movable);
}

}  // namespace

std::string check_sass(const Kernel& kernel, const std::string& listing) {
  std::map<Place, bool> is_found;
  std::map<std::size_t, Group> last;  // for each thread, the last group so far
  for (const Group& group : groups_of(kernel, listing)) {
    const auto& [thread, number] = group.place;
    const MarkedInstruction& instruction = kernel.instructions[thread][number];
    const std::string due = check_expansion(instruction.text, group.names);
    // If the assembler drops a load.acquire, the load's cache invalidation may remain.
    const bool may_differ = instruction.may_go || are_mere_extras(instruction.text, group.names);
    if (!due.empty() && may_differ) continue;
    if (!due.empty()) {
      return fmt::format("{} ({}) became '{}', expected '{}'", instruction.mark, instruction.text,
                         fmt::join(group.names, "; "), due);
    }
    if (!group.is_reached) last.clear();
    const auto before = last.find(thread);
    if (before != last.end() && !may_follow(kernel, before->second, group)) {
      return fmt::format("{} follows {}", instruction.mark,
                         kernel.instructions[thread][before->second.place.second].mark);
    }
    last.insert_or_assign(thread, group);
    is_found[group.place] = true;
  }
  for (std::size_t thread = 0; thread < kernel.instructions.size(); ++thread) {
    for (std::size_t number = 0; number < kernel.instructions[thread].size(); ++number) {
      const MarkedInstruction& instruction = kernel.instructions[thread][number];
      const bool may_lack = !instruction.is_certain || instruction.may_go || may_leave_nothing(instruction.text);
      if (may_lack || is_found[{thread, number}]) continue;
      return fmt::format("{} ({}) is missing from the machine code", instruction.mark, instruction.text);
    }
  }
  return {};
}

std::string sass_text(const Kernel& kernel, const std::string& listing) {
  std::map<Place, std::vector<std::string>> copies;
  for (const Group& group : groups_of(kernel, listing)) {
    const std::string names = fmt::format("{}", fmt::join(group.names, "; "));
    std::vector<std::string>& known = copies[group.place];
    if (std::find(known.begin(), known.end(), names) == known.end()) known.push_back(names);
  }
  std::string text;
  for (std::size_t thread = 0; thread < kernel.instructions.size(); ++thread) {
    for (std::size_t number = 0; number < kernel.instructions[thread].size(); ++number) {
      const MarkedInstruction& instruction = kernel.instructions[thread][number];
      const auto& known = copies[{thread, number}];
      text += fmt::format("{:<6} {:<36} {}\n", instruction.mark, instruction.text,
                          known.empty() ? "-" : fmt::format("{}", fmt::join(known, "  or  ")));
    }
  }
  return text;
}

}  // namespace ambit::cuda
