#include "trace/trace_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace ambit::trace {
namespace {

/// Returns a hash of a location and a value. A collision can hide an error, but cannot cause a false error.
std::uint64_t pair_key(std::uint32_t location, Value value) {
  return combine_hash(location, static_cast<std::uint64_t>(value));
}

void set_flag(std::vector<bool>& flags, std::uint32_t index) {
  if (index >= flags.size()) flags.resize(index + 1);
  flags[index] = true;
}
bool flag(const std::vector<bool>& flags, std::uint32_t index) { return index < flags.size() && flags[index]; }

}  // namespace

void NumberSet::grow() {
  const std::vector<std::uint64_t> old = std::exchange(slots_, {});
  slots_.resize(std::max<std::size_t>(1024, 2 * old.size()), kFree);
  for (const std::uint64_t number : old) {
    if (number != kFree) slots_[place_of(number)] = number;
  }
}

std::optional<std::string> TraceChecker::check(const TraceEvent& event, const TraceTables& tables) {
  completions_.clear();
  if (auto error = barriers_.on(event, tables, completions_)) return error;
  if (flag(was_joined_, event.thread)) {
    return fmt::format("{} is already joined", tables.threads()[event.thread].name);
  }
  set_flag(has_acted_, event.thread);
  const bool is_operation = tables.threads()[event.thread].is_operation();
  if (is_operation || event.is_asynchronous() || event.is_async) {
    if (auto error = check_operation(event, tables)) return error;
  }
  switch (event.op) {
    case TraceOp::Read:
    case TraceOp::Write:
    case TraceOp::Rmw:
    case TraceOp::Reduction: return check_values(event, tables);
    case TraceOp::LockAcquire: return acquire(event, tables);
    case TraceOp::LockRelease: return release(event, tables);
    case TraceOp::Fork:
    case TraceOp::Join: return fork_or_join(event, tables);
    case TraceOp::TransactionBegin:
    case TraceOp::TransactionCommit:
    case TraceOp::TransactionAbort: return transaction(event, tables);
    case TraceOp::Fence: break;
    case TraceOp::Barrier:
    case TraceOp::WarpBarrier:
    case TraceOp::Exit:
      if (!flag(is_in_transaction_, event.thread)) break;
      return fmt::format("{} leaves its transaction without a commit or an abort", tables.threads()[event.thread].name);
    case TraceOp::Issue:
    case TraceOp::Commit:
    case TraceOp::GroupWait:
    case TraceOp::Complete:
    case TraceOp::ProxyFence:
    case TraceOp::MbarrierInit:
    case TraceOp::MbarrierArrive:
    case TraceOp::MbarrierWait: break;
  }
  return std::nullopt;
}

std::optional<std::string> TraceChecker::transaction(const TraceEvent& event, const TraceTables& tables) {
  const std::string& thread = tables.threads()[event.thread].name;
  const bool begins = event.op == TraceOp::TransactionBegin;
  if (begins && flag(is_in_transaction_, event.thread)) return thread + " begins a transaction inside another";
  if (!begins && !flag(is_in_transaction_, event.thread)) return thread + " ends a transaction that has not begun";
  set_flag(is_in_transaction_, event.thread);
  is_in_transaction_[event.thread] = begins;
  return std::nullopt;
}

/// Checks the rules that differ between asynchronous operations and threads.
std::optional<std::string> TraceChecker::check_operation(const TraceEvent& event, const TraceTables& tables) {
  const TraceThread& self = tables.threads()[event.thread];
  const bool is_plain_access =
      event.op == TraceOp::Read || event.op == TraceOp::Write || event.op == TraceOp::Reduction;
  if (!self.is_operation()) {
    if (event.is_async || event.op == TraceOp::Complete) {
      return fmt::format("{} is a thread; only an asynchronous operation does this", self.name);
    }
    if (event.op != TraceOp::Issue) return std::nullopt;
    const TraceThread& operation = tables.threads()[event.object];
    if (operation.issuer != event.thread) return fmt::format("{} is not an operation of {}", operation.name, self.name);
    if (flag(was_issued_, event.object)) return fmt::format("{} is issued a second time", operation.name);
    set_flag(was_issued_, event.object);
    return std::nullopt;
  }
  if (!is_plain_access && event.op != TraceOp::Complete) {
    return fmt::format("{} is an operation, which only reads, writes, reduces and completes", self.name);
  }
  if (!flag(was_issued_, event.thread)) return fmt::format("{} has not been issued", self.name);
  return std::nullopt;
}

std::optional<std::string> TraceChecker::acquire(const TraceEvent& event, const TraceTables& tables) {
  std::vector<Holder>& holders = holders_[event.object];
  const TraceThread& thread = tables.threads()[event.thread];
  for (const Holder& holder : holders) {
    const TraceThread& other = tables.threads()[holder.thread];
    if (holder.thread == event.thread) {
      return fmt::format("{} already holds {}", thread.name, tables.locations()[event.object].name);
    }
    if (same_instance(thread.place, other.place, narrower(event.scope, holder.scope))) {
      return fmt::format("{} acquires {} while {} holds it", thread.name, tables.locations()[event.object].name,
                         other.name);
    }
  }
  holders.push_back({event.thread, event.scope});
  return std::nullopt;
}

std::optional<std::string> TraceChecker::release(const TraceEvent& event, const TraceTables& tables) {
  std::vector<Holder>& holders = holders_[event.object];
  const auto own =
      std::find_if(holders.begin(), holders.end(), [&](const Holder& h) { return h.thread == event.thread; });
  if (own == holders.end()) {
    return fmt::format("{} releases {}, which it does not hold", tables.threads()[event.thread].name,
                       tables.locations()[event.object].name);
  }
  holders.erase(own);
  return std::nullopt;
}

std::optional<std::string> TraceChecker::fork_or_join(const TraceEvent& event, const TraceTables& tables) {
  const std::string& other = tables.threads()[event.object].name;
  if (event.object == event.thread) return fmt::format("{} forks or joins itself", other);
  if (event.op == TraceOp::Fork && flag(has_acted_, event.object)) {
    return fmt::format("{} is forked after its first event", other);
  }
  if (event.op == TraceOp::Fork && flag(was_joined_, event.object)) {
    return fmt::format("{} is forked after it was joined", other);
  }
  if (event.op == TraceOp::Fork) {
    if (flag(was_forked_, event.object)) return fmt::format("{} is forked a second time", other);
    set_flag(was_forked_, event.object);
  }
  if (event.op == TraceOp::Join) set_flag(was_joined_, event.object);
  return std::nullopt;
}

TraceChecker::LocationValues& TraceChecker::values_of(std::uint32_t location, const TraceTables& tables) {
  if (location >= locations_.size()) locations_.resize(std::max<std::size_t>(location + 1, 2 * locations_.size()));
  LocationValues& values = locations_[location];
  if (!values.is_known) {
    values.is_known = true;
    const auto found = tables.initial_values().find(location);
    const bool is_given = found != tables.initial_values().end();
    // The initial values of shared memory are unknown if the trace does not contain them.
    values.is_checked =
        is_given ? found->second.has_value() : tables.locations()[location].space == MemorySpace::Global;
    values.initial = is_given ? found->second.value_or(0) : 0;
    values.last = values.initial;
  }
  return values;
}

bool TraceChecker::was_written(std::uint32_t location, const LocationValues& values, Value value) const {
  return value == values.last || value == values.initial || written_.contains(pair_key(location, value));
}

std::optional<std::string> TraceChecker::check_values(const TraceEvent& event, const TraceTables& tables) {
  if (!values_are_checked_) return std::nullopt;
  LocationValues& values = values_of(event.object, tables);
  if (!values.is_checked) return std::nullopt;
  const bool reads = event.op == TraceOp::Read ? event.has_value : event.has_old_value;
  const Value read = event.op == TraceOp::Read ? event.value : event.old_value;
  if (reads && !was_written(event.object, values, read)) {
    return fmt::format("{} reads {} from {}, which never held this value", tables.threads()[event.thread].name, read,
                       tables.locations()[event.object].name);
  }
  if (!event.is_write()) return std::nullopt;
  if (!event.has_value) {
    values.is_checked = false;
  } else if (event.value != values.last) {
    values.last = event.value;
    written_.insert(pair_key(event.object, event.value));
    values_are_checked_ = written_.size() < kMaxValues;
  }
  return std::nullopt;
}

}  // namespace ambit::trace
