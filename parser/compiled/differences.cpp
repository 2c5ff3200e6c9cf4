#include "parser/compiled/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <tuple>

#include "core/opaque.h"

namespace ambit::parser::compiled {
namespace {

enum class Action : std::uint8_t { Read, Write, Update };

struct Site {
  std::uint32_t line = 0;
  Action action = Action::Read;
  /// Name of the object; "" if unknown. The name of the thread's own shared memory has no block number.
  std::string object;
  friend std::strong_ordering operator<=>(const Site&, const Site&) = default;
};

struct Found {
  std::size_t count = 0;  ///< number of accesses in one thread; the maximum over all threads
  bool is_in_loop = false;
  SourceSpan span;
};
using Sites = std::map<Site, Found>;

std::string object_name(const Program& program, const Expr& address) {
  const std::optional<Value> constants = constant_part(address);
  if (!constants) return {};
  const Value object = object_of(*constants);
  if (object < 0 || object >= static_cast<Value>(program.objects.size())) return {};
  const std::string& name = program.objects[static_cast<std::size_t>(object)].name;
  return name.substr(name.find(':') + 1);
}

std::vector<bool> positions_in_loops(const Thread& thread) {
  std::vector<bool> in_loop(thread.code.size(), false);
  for (std::size_t i = 0; i < thread.code.size(); ++i) {
    const auto* branch = std::get_if<Branch>(&thread.code[i].operation);
    const auto* jump = std::get_if<Jump>(&thread.code[i].operation);
    const std::size_t target = branch != nullptr ? branch->target : jump != nullptr ? jump->target : i + 1;
    for (std::size_t j = target; j <= i; ++j) in_loop[j] = true;
  }
  return in_loop;
}

Sites sites_of(const Program& program) {
  Sites sites;
  for (const Thread& thread : program.threads) {
    const std::vector<bool> in_loop = positions_in_loops(thread);
    Sites own;
    for (std::size_t i = 0; i < thread.code.size(); ++i) {
      const Instruction& instruction = thread.code[i];
      const MemoryAccess* access = access_of(instruction.operation);
      if (access == nullptr) continue;
      const Action action = std::holds_alternative<Load>(instruction.operation)    ? Action::Read
                            : std::holds_alternative<Store>(instruction.operation) ? Action::Write
                                                                                   : Action::Update;
      Found& found = own[{instruction.span.line, action, object_name(program, access->address)}];
      ++found.count;
      found.is_in_loop = found.is_in_loop || in_loop[i];
      found.span = instruction.span;
    }
    for (const auto& [site, found] : own) {
      Found& most = sites[site];
      if (most.span.line == 0) most.span = found.span;
      most.count = std::max(most.count, found.count);
      most.is_in_loop = most.is_in_loop || found.is_in_loop;
    }
  }
  return sites;
}

/// Returns whether `sites` may contain the site. An access to unknown memory matches any access in the same line.
bool may_be_among(const Site& site, const Sites& sites) {
  return std::ranges::any_of(sites, [&](const auto& other) {
    const Site& there = other.first;
    return there.line == site.line && there.action == site.action && (there.object.empty() || site.object.empty());
  });
}

std::string_view noun(Action action) {
  return action == Action::Read ? "read" : action == Action::Write ? "write" : "atomic operation";
}

std::string of_object(const Site& site) { return site.object.empty() ? "" : fmt::format(" of '{}'", site.object); }

std::string times(std::size_t count) { return count == 1 ? "once" : fmt::format("{} times", count); }

}  // namespace

Diagnostics differences(const Program& source, const Program& compiled) {
  const Sites theirs = sites_of(compiled);
  Diagnostics notes;
  const auto note = [&](const SourceSpan& span, std::string message) {
    notes.push_back({source.source, span, std::move(message), "", Severity::Note});
  };
  const Sites ours = sites_of(source);
  for (const auto& [site, found] : ours) {
    const auto same = theirs.find(site);
    if (same == theirs.end()) {
      if (may_be_among(site, theirs)) continue;
      note(found.span, fmt::format("the compiled code has no {}{} from this line", noun(site.action), of_object(site)));
    } else if (same->second.count < found.count && !same->second.is_in_loop && !found.is_in_loop) {
      note(found.span, fmt::format("the compiled code has the {}{} from this line {}, but the source has it {}",
                                   noun(site.action), of_object(site), times(same->second.count), times(found.count)));
    }
  }
  for (const auto& [site, found] : theirs) {
    if (ours.contains(site) || may_be_among(site, ours)) continue;
    note(found.span, fmt::format("the compiled code has a {}{} at this line, but the source does not",
                                 noun(site.action), of_object(site)));
  }
  std::ranges::stable_sort(notes, {}, [](const Diagnostic& one) { return std::pair(one.span.line, one.span.column); });
  return notes;
}

}  // namespace ambit::parser::compiled
