#include "parser/litmus/untouched_cells.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core/opaque.h"

namespace ambit::parser::litmus {
namespace {

/// Minimum number of unused cells that are dropped from the end of an array. If fewer cells are unused, the array keeps
/// the cells: a few cells cost little, and outcomes show them.
constexpr std::uint32_t kLongRest = 64;

/// Finds the number of needed cells of each object: all cells up to the last used cell.
class NeededCells {
 public:
  explicit NeededCells(const Program& program) : program_(program), needed_(program.objects.size(), 1) {}

  /// Returns the number of needed cells for each object; nothing if an access may have any address.
  std::optional<std::vector<std::uint32_t>> find() {
    for (const Thread& thread : program_.threads) {
      for (const Instruction& instruction : thread.code) {
        const MemoryAccess* access = access_of(instruction.operation);
        if (access != nullptr && !need(access->address)) return std::nullopt;
        const auto* step = std::get_if<AsyncStep>(&instruction.operation);
        if (step != nullptr && !need(*step)) return std::nullopt;
      }
    }
    for (const Expectation& expectation : program_.expectations) {
      if (expectation.race_location) need(*expectation.race_location);
    }
    const bool has_condition = program_.condition.proposition || program_.condition.filter;
    for (const Observable& observable : program_.observables) {
      if (has_condition && observable.kind == Observable::Kind::Memory) need(observable.location);
    }
    return std::move(needed_);
  }

 private:
  void need(LocationId location) {
    const Location& cell = program_.locations[location];
    needed_[cell.object] = std::max(needed_[cell.object], cell.index + 1);
  }

  bool need(const AsyncStep& step) {
    const auto need_all = [&](const std::optional<MemoryAccess>& access) { return !access || need(access->address); };
    return std::ranges::all_of(step.elements,
                               [&](const AsyncElement& one) { return need_all(one.source) && need_all(one.target); }) &&
           std::ranges::all_of(step.completions, [&](const Rmw& done) { return need(done.access.address); });
  }

  bool need(const Expr& address) {
    const std::optional<Value> part = address.is_constant() ? address.constant : constant_part(address);
    const Value object = part ? object_of(*part) : -1;
    if (object < 0 || object >= static_cast<Value>(needed_.size())) return address.is_constant();
    std::uint32_t& count = needed_[static_cast<std::size_t>(object)];
    const std::uint32_t length = program_.objects[static_cast<std::size_t>(object)].length;
    const std::uint32_t index = address.is_constant() ? index_of(address.constant) : length;
    count = index < length ? std::max(count, index + 1) : length;
    return true;
  }

  const Program& program_;
  std::vector<std::uint32_t> needed_;
};

}  // namespace

void drop_untouched_cells(Program& program) {
  if (program.has_aliases()) return;
  const auto needed = NeededCells(program).find();
  if (!needed) return;
  const auto is_kept = [&](const Location& cell) {
    const std::uint32_t length = program.objects[cell.object].length;
    return cell.index < (*needed)[cell.object] || length - (*needed)[cell.object] < kLongRest;
  };
  if (std::ranges::all_of(program.locations, is_kept)) return;
  std::vector<std::optional<LocationId>> number;
  std::vector<Location> kept;
  for (const Location& cell : program.locations) {
    number.push_back(is_kept(cell) ? std::optional(static_cast<LocationId>(kept.size())) : std::nullopt);
    if (number.back()) kept.push_back(cell);
  }
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    MemoryObject& object = program.objects[i];
    object.first = number[object.first].value_or(0);
    if (object.length - (*needed)[i] >= kLongRest) object.length = (*needed)[i];
  }
  program.locations = std::move(kept);
  std::erase_if(program.observables, [&](const Observable& observable) {
    return observable.kind == Observable::Kind::Memory && !number[observable.location];
  });
  for (Observable& observable : program.observables) {
    if (observable.kind == Observable::Kind::Memory) observable.location = *number[observable.location];
  }
  for (Expectation& expectation : program.expectations) {
    if (expectation.race_location) expectation.race_location = number[*expectation.race_location];
  }
}

}  // namespace ambit::parser::litmus
