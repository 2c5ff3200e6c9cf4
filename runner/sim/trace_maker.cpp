#include "runner/sim/trace_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/overloaded.h"
#include "core/asynchronous.h"
#include "core/barrier_tracker.h"

namespace ambit::sim {
namespace {

constexpr int kWarp = 32;
/// In traces, the numbers of PTX barriers that have a resource begin here. CUDA barriers have smaller numbers.
constexpr std::uint32_t kFirstResource = 16;

std::uint32_t index_in_block(const ThreadPlace& place) {
  return static_cast<std::uint32_t>(place.warp * kWarp + place.lane);
}

/// Returns the number of blocks per cluster if this number is the same for all clusters. Otherwise returns 1.
std::uint32_t blocks_a_cluster(const Program& program) {
  std::map<std::pair<int, int>, std::set<int>> blocks;
  for (const Thread& thread : program.threads) {
    blocks[{thread.place.gpu, thread.place.cluster}].insert(thread.place.block);
  }
  std::size_t most = 1;
  for (const auto& [cluster, members] : blocks) {
    most = std::max(most, static_cast<std::size_t>(*members.rbegin() - *members.begin() + 1));
  }
  for (const auto& [cluster, members] : blocks) {
    const auto size = static_cast<int>(most);
    if (*members.begin() / size != *members.rbegin() / size) return 1;
  }
  return static_cast<std::uint32_t>(most);
}

void set_access(TraceEvent& event, const MemoryAccess& access) {
  event.order = access.order;
  event.scope = access.scope;
  event.is_volatile = access.is_volatile;
}

/// Returns the phase that a value of an mbarrier's cell contains.
Value phase_of(const MemoryAccess& access, Value value) {
  const auto size = static_cast<std::uint64_t>(access.phase_size);
  return static_cast<Value>(static_cast<std::uint64_t>(value) / size);
}

/// Sets the fields of the event for a step at an mbarrier.
void set_mbarrier(TraceEvent& event, const Operation& operation, const StepEvent& step) {
  const MemoryAccess& access = *access_of(operation);
  event.op = std::holds_alternative<Store>(operation)  ? TraceOp::MbarrierInit
             : std::holds_alternative<Load>(operation) ? TraceOp::MbarrierWait
                                                       : TraceOp::MbarrierArrive;
  event.has_value = event.op != TraceOp::MbarrierInit;
  if (!event.has_value) return;
  event.order = access.order;
  event.scope = access.scope;
  event.value = phase_of(access, event.op == TraceOp::MbarrierWait ? step.value : step.old_value);
}

/// Returns the name of a location in traces. For a shared variable, adds the block, if the test names the block.
std::string name_in_traces(const MemoryObject& object, const std::string& name) {
  if (!object.home) return name;
  const std::string gpu = object.home->gpu == 0 ? "" : fmt::format("g{}", object.home->gpu);
  return fmt::format("{}b{}:{}", gpu, object.home->block, name);
}

/// Returns whether traces have no event for the operation: a one-directional proxy fence, a fence for shared memory
/// only, a tcgen05 fence, or a read of a tensor map.
bool is_beyond_traces(const Operation& operation) {
  if (const auto* fence = std::get_if<Fence>(&operation)) return fence->is_shared_only;
  if (const auto* fence = std::get_if<ProxyFence>(&operation)) return fence->direction != ProxyFence::Direction::Both;
  const auto* step = std::get_if<AsyncStep>(&operation);
  if (step == nullptr) return false;
  if (step->kind == AsyncStep::Kind::FenceBefore || step->kind == AsyncStep::Kind::FenceAfter) return true;
  return std::ranges::any_of(step->elements, [](const AsyncElement& element) {
    return element.source && element.source->proxy == Proxy::Tensormap;
  });
}

/// Checks that the program orders its tcgen05 operations only by waits of the issuing thread. Other programs have
/// pipelines or need tcgen05 fences, which traces do not support.
class TensorOperations {
 public:
  /// Adds the next operation. Returns false if anything other than a wait of the issuing thread orders earlier
  /// operations before the new operation.
  bool add(const AsyncStep& step, std::uint32_t thread) {
    const bool is_access = step.kind == AsyncStep::Kind::Issue && !step.tracks_earlier;
    const bool has_wait = step.group == AsyncGroup::TensorLoad || step.group == AsyncGroup::TensorStore;
    if (!is_access || (!has_wait && step.group != AsyncGroup::Tensor)) return true;
    const bool is_ordered = !issuer_ || (*issuer_ == thread && all_have_wait_);
    issuer_ = thread;
    all_have_wait_ &= has_wait;
    return is_ordered;
  }

 private:
  std::optional<std::uint32_t> issuer_;
  bool all_have_wait_ = true;
};

}  // namespace

bool is_exchange(const Barrier& barrier) { return barrier.kind == BarrierKind::Warp && barrier.is_relaxed; }

TraceMaker::TraceMaker(const Program& program) : program_(program) {
  TensorOperations tensor_operations;
  for (const Thread& thread : program.threads) {
    const auto number = static_cast<std::uint32_t>(&thread - program.threads.data());
    for (const Instruction& instruction : thread.code) {
      const auto* step = std::get_if<AsyncStep>(&instruction.operation);
      const bool issues = step != nullptr && step->kind == AsyncStep::Kind::Issue;
      if (issues && (issuers_.empty() || issuers_.back() != number)) issuers_.push_back(number);
      const bool is_ordered = step == nullptr || tensor_operations.add(*step, number);
      if ((!is_ordered || is_beyond_traces(instruction.operation)) && !beyond_traces_) {
        beyond_traces_ = instruction.span;
      }
      const auto* barrier = std::get_if<Barrier>(&instruction.operation);
      if (barrier == nullptr) continue;
      has_partial_barriers_ |= barrier->count || barrier->arrive_only;
      if (barrier->wait_only && !wait_apart_) wait_apart_ = instruction.span;
    }
  }
  add_launch();
  add_names();
}

void TraceMaker::add_launch() {
  LaunchGeometry& launch = tables_.launch;
  launch.warp = kWarp;
  launch.only_named_threads = true;
  launch.cluster = blocks_a_cluster(program_);
  for (const Thread& thread : program_.threads) {
    launch.gpus = std::max(launch.gpus, static_cast<std::uint32_t>(thread.place.gpu + 1));
    launch.grid[0] = std::max(launch.grid[0], static_cast<std::uint32_t>(thread.place.block + 1));
    launch.block[0] = std::max(launch.block[0], index_in_block(thread.place) + 1);
  }
}

void TraceMaker::add_names() {
  for (const Thread& thread : program_.threads) {
    const ThreadPlace& place = thread.place;
    tables_.add_thread(thread.name, place.gpu, static_cast<std::uint32_t>(place.block), index_in_block(place));
  }
  for (const MemoryObject& object : program_.objects) {
    if (object.alias_of) continue;
    const std::size_t colon = object.name.find(':');
    const std::string bare = colon == std::string::npos ? object.name : object.name.substr(colon + 1);
    tables_.set_element_size(bare, object.type.bits / 8U);
  }
  for (const Location& location : program_.locations) {
    const MemoryObject& object = program_.objects[location.object];
    const std::uint32_t id = tables_.location(name_in_traces(object, location.name));
    const bool is_known = object.is_initialized;
    tables_.set_initial_value(id, is_known ? std::optional(location.initial) : std::nullopt);
  }
  if (program_.first_transaction()) tables_.location(kTransactionLock);
  std::map<std::uint32_t, std::set<std::uint32_t>>
      columns;  // for each line, the columns with instructions; a PTX file has a column for each thread
  for (const Thread& thread : program_.threads) {
    for (const Instruction& instruction : thread.code) columns[instruction.span.line].insert(instruction.span.column);
  }
  std::vector<std::uint32_t> crowded;
  for (const auto& [line, places] : columns) {
    if (places.size() > 1) crowded.push_back(line);
  }
  for (const Thread& thread : program_.threads) {
    std::vector<std::uint32_t>& sites = sites_.emplace_back();
    for (const Instruction& instruction : thread.code) {
      sites.push_back(tables_.site(site_name(instruction.span, crowded)));
    }
  }
}

std::string TraceMaker::site_name(const SourceSpan& span, const std::vector<std::uint32_t>& crowded_lines) const {
  const std::string& path = program_.source->path;
  const bool is_crowded = std::binary_search(crowded_lines.begin(), crowded_lines.end(), span.line);
  return is_crowded ? fmt::format("{}:{}:{}", path, span.line, span.column) : fmt::format("{}:{}", path, span.line);
}

TraceEvent TraceMaker::event_of(const StepEvent& step) const {
  TraceEvent event;
  event.thread = step.thread;
  event.object = step.location;
  event.site = sites_[step.thread][step.instruction];
  event.is_failed = step.is_failed;
  const Operation& operation = program_.threads[step.thread].code[step.instruction].operation;
  if (step.kind >= StepEvent::Kind::Asynchronous) return event_of_operation(step, event);
  if (const MemoryAccess* access = access_of(operation); access != nullptr && access->phase_size > 0) {
    event.is_failed = false;
    set_mbarrier(event, operation, step);
    return event;
  }
  std::visit(
      Overloaded{[&](const Load& load) {
                   event.op = TraceOp::Read;
                   set_access(event, load.access);
                 },
                 [&](const Store& store) {
                   event.op = TraceOp::Write;
                   set_access(event, store.access);
                 },
                 [&](const Rmw& rmw) {
                   event.op = rmw.is_reduction ? TraceOp::Reduction : TraceOp::Rmw;
                   event.rmw = to_trace_rmw(rmw.op);
                   event.has_old_value = true;
                   event.old_value = step.old_value;
                   set_access(event, rmw.access);
                 },
                 [&](const Fence& fence) {
                   event.op = TraceOp::Fence;
                   event.order = fence.order;
                   event.scope = fence.scope;
                 },
                 [&](const Barrier& barrier) {
                   const bool is_warp = barrier.kind == BarrierKind::Warp;
                   event.op = is_warp ? TraceOp::WarpBarrier : TraceOp::Barrier;
                   // In traces, a kernel boundary is a barrier of the grid.
                   event.scope = narrower(scope_of(barrier), Scope::Device);
                   // Threads do not meet at barriers with the same number but different resources.
                   event.object = is_warp ? kNoName : barrier.resource ? kFirstResource + step.barrier : barrier.id;
                   event.count = is_warp ? barrier.mask : barrier.count ? step.expected : 0;
                   event.arrive_only = barrier.arrive_only;
                 },
                 // Other functions make the events of asynchronous steps and of transactions.
                 [](const OneOf<Assign, ProxyFence, Branch, Jump, Assume, Assert, AsyncStep, TransactionBegin,
                                TransactionEnd> auto&) {}},
      operation);
  event.has_value = event.is_access() && !step.is_failed;
  if (event.has_value) event.value = step.value;
  return event;
}

std::uint32_t TraceMaker::operation(std::uint32_t thread, std::uint32_t number) const {
  const auto place = std::lower_bound(issuers_.begin(), issuers_.end(), thread) - issuers_.begin();
  return static_cast<std::uint32_t>(program_.threads.size() + (number - 1) * issuers_.size() +
                                    static_cast<std::size_t>(place));
}

/// Adds operations to the tables, up to number `number` of each thread. First adds the first operations of all threads,
/// then all second operations, and so on. Therefore an operation has the same number in every trace.
void TraceMaker::add_operations(TraceTables& tables, std::uint32_t number) const {
  auto known = static_cast<std::uint32_t>((tables.threads().size() - program_.threads.size()) / issuers_.size());
  for (++known; known <= number; ++known) {
    for (const std::uint32_t issuer : issuers_) tables.operation(issuer, known);
  }
}

/// Returns the event for a step that issues, commits or waits for operations, or for a step of an operation itself.
TraceEvent TraceMaker::event_of_operation(const StepEvent& step, TraceEvent event) const {
  const auto& what = std::get<AsyncStep>(program_.threads[step.thread].code[step.instruction].operation);
  if (step.kind == StepEvent::Kind::Asynchronous) {
    event.group = what.group;
    event.op = what.kind == AsyncStep::Kind::Issue    ? TraceOp::Issue
               : what.kind == AsyncStep::Kind::Commit ? TraceOp::Commit
                                                      : TraceOp::GroupWait;
    const bool is_wait = event.op == TraceOp::GroupWait;
    event.object = event.op == TraceOp::Issue ? operation(step.thread, step.operation) : kNoName;
    event.covers_all = is_wait ? !what.needs_commit : what.tracks_earlier;
    event.reads_only = is_wait && what.reads_only;
    event.count = is_wait && what.needs_commit ? what.pending : 0;
    return event;
  }
  event.thread = operation(step.thread, step.operation);
  event.has_value = true;
  event.value = step.value;
  if (step.kind == StepEvent::Kind::Completion) {
    event.op = TraceOp::Complete;
    event.value = phase_of(what.completions[step.part].access, step.old_value);
    return event;
  }
  const AsyncElement& element = what.elements[step.part];
  const bool is_read = step.kind == StepEvent::Kind::OperationRead;
  const MemoryAccess& access = is_read ? *element.source : *element.target;
  event.op = is_read ? TraceOp::Read : element.reduction ? TraceOp::Reduction : TraceOp::Write;
  set_access(event, access);
  event.is_async = access.proxy == Proxy::Async;
  if (event.op == TraceOp::Reduction) {
    event.rmw = to_trace_rmw(*element.reduction);
    event.has_old_value = true;
    event.old_value = step.old_value;
  }
  return event;
}

bool TraceMaker::is_event(const StepEvent& step) const {
  if (step.kind == StepEvent::Kind::Nothing || step.kind == StepEvent::Kind::Pass) return false;
  const Operation& operation = program_.threads[step.thread].code[step.instruction].operation;
  if (step.kind == StepEvent::Kind::Asynchronous) {
    const AsyncStep::Kind kind = std::get<AsyncStep>(operation).kind;
    return kind != AsyncStep::Kind::FenceBefore && kind != AsyncStep::Kind::FenceAfter;
  }
  if (const auto* load = std::get_if<Load>(&operation)) {
    // A weak read of an mbarrier is not an access of the test. Such a read checks whether the next step misuses the
    // mbarrier.
    return load->access.phase_size == 0 || load->access.order != Order::Weak;
  }
  const auto* barrier = std::get_if<Barrier>(&operation);
  return barrier == nullptr || !is_exchange(*barrier);
}

/// Adds all events of an attempt at the end of the attempt, where the transaction takes effect. If the attempt aborts
/// or restarts, adds only the events of its reads.
bool TraceMaker::add_transactional(const StepEvent& step, Attempts& attempts, std::vector<TraceEvent>& events) const {
  std::vector<TraceEvent>& own = attempts[step.thread];
  const Operation& operation = program_.threads[step.thread].code[step.instruction].operation;
  const auto finish = [&](TraceOp op) {
    const bool aborts = op == TraceOp::TransactionAbort;
    std::copy_if(own.begin(), own.end(), std::back_inserter(events),
                 [&](const TraceEvent& event) { return !aborts || !event.is_access() || event.op == TraceOp::Read; });
    TraceEvent end;
    end.op = op;
    end.thread = step.thread;
    end.object = own.front().object;
    end.site = sites_[step.thread][step.instruction];
    events.push_back(end);
    own.clear();
  };
  if (const auto* begin = std::get_if<TransactionBegin>(&operation)) {
    if (!own.empty()) finish(TraceOp::TransactionAbort);
    TraceEvent event;
    event.op = TraceOp::TransactionBegin;
    event.scope = begin->scope;
    event.thread = step.thread;
    event.object = *tables_.find_location(kTransactionLock);
    event.site = sites_[step.thread][step.instruction];
    own.push_back(event);
  } else if (std::holds_alternative<TransactionEnd>(operation)) {
    finish(step.is_failed ? TraceOp::TransactionAbort : TraceOp::TransactionCommit);
  } else if (own.empty()) {
    return false;
  } else if (is_event(step)) {
    own.push_back(event_of(step));
  }
  return true;
}

void TraceMaker::add_proxy_fence(Trace& trace, std::uint32_t thread, std::uint32_t instruction) const {
  const auto& fence = std::get<ProxyFence>(program_.threads[thread].code[instruction].operation);
  if (fence.proxy != Proxy::Async || fence.is_alias || fence.is_mbarrier_init) return;
  TraceEvent event;
  event.op = TraceOp::ProxyFence;
  event.thread = thread;
  event.site = sites_[thread][instruction];
  event.count = static_cast<std::uint32_t>(fence.space);
  trace.events.push_back(event);
}

/// Adds events for the effects of a kernel boundary. All operations of the ended kernel are complete, and the next
/// kernel sees their writes through all proxies.
void TraceMaker::add_boundary(Trace& trace, const StepEvent& step) const {
  if (issuers_.empty()) return;
  const Thread& thread = program_.threads[step.thread];
  const auto* barrier = std::get_if<Barrier>(&thread.code[step.instruction].operation);
  if (barrier == nullptr || !barrier->is_boundary) return;
  TraceEvent event;
  event.thread = step.thread;
  event.site = sites_[step.thread][step.instruction];
  if (step.kind == StepEvent::Kind::Pass && !barrier->arrive_only) {
    event.op = TraceOp::ProxyFence;
    event.count = static_cast<std::uint32_t>(FenceSpace::All);
    trace.events.push_back(event);
  }
  if (step.kind != StepEvent::Kind::Arrive || !barrier->arrive_only) return;
  std::set<AsyncGroup> groups;
  for (const Instruction& instruction : thread.code) {
    const auto* issued = std::get_if<AsyncStep>(&instruction.operation);
    if (issued != nullptr && issued->kind == AsyncStep::Kind::Issue) groups.insert(issued->group);
  }
  for (const AsyncGroup group : groups) {
    event.op = TraceOp::GroupWait;
    event.group = group;
    event.covers_all = true;
    trace.events.push_back(event);
  }
}

Trace TraceMaker::make(const std::vector<StepEvent>& steps, const State& end) const {
  Trace trace{tables_, {}};
  std::vector<std::size_t> last(program_.threads.size(), steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind <= StepEvent::Kind::Asynchronous) last[steps[i].thread] = i;
    if (steps[i].operation > 0) add_operations(trace.tables, steps[i].operation);
  }
  Attempts attempts(program_.threads.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepEvent& step = steps[i];
    add_boundary(trace, step);
    if (!add_transactional(step, attempts, trace.events) && is_event(step)) trace.events.push_back(event_of(step));
    for (const std::uint32_t fence : step.proxy_fences) add_proxy_fence(trace, step.thread, fence);
    if (last[step.thread] != i || !end.threads[step.thread].has_exited) continue;
    TraceEvent exit;
    exit.op = TraceOp::Exit;
    exit.thread = step.thread;
    trace.events.push_back(exit);
  }
  return trace;
}

std::optional<Diagnostic> TraceMaker::contradiction(const Trace& trace) const {
  if (wait_apart_) {
    return Diagnostic{
        program_.source, *wait_apart_,
        "a trace cannot represent the runs of this program: this wait is separate from its arrival",
        "in traces, a thread arrives and waits at a barrier in one step; replace the arrival and the wait by "
        "one barrier"};
  }
  if (beyond_traces_) {
    return Diagnostic{
        program_.source, *beyond_traces_,
        "a trace cannot represent the runs of this program: traces do not support one-directional proxy fences, "
        "fences of shared memory only, tcgen05 fences and pipelines, or reads of tensor maps",
        "without traces and detectors, the simulator runs this test"};
  }
  if (auto error = grid_objection(program_, "a trace")) {
    error->hint = "without traces and detectors, the simulator runs this test";
    return error;
  }
  if (!has_partial_barriers_) return std::nullopt;
  BarrierTracker barriers;
  std::vector<BarrierTracker::Completion> completions;
  for (const TraceEvent& event : trace.events) {
    if (const auto error = barriers.on(event, trace.tables, completions)) {
      return Diagnostic{program_.source,
                        {},
                        "a trace cannot represent the runs of this program: " + *error,
                        "in a trace, a barrier cannot have more threads than it waits for"};
    }
  }
  return std::nullopt;
}

}  // namespace ambit::sim
