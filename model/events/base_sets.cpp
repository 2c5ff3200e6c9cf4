#include "model/events/draft.h"

namespace ambit::events {
namespace {

/// Returns whether the event is a proxy fence of any kind, including one-directional proxy fences.
bool is_any_proxy_fence(const Event& event) {
  return event.kind == EventKind::ProxyFence && !event.is_alias_fence && !event.is_mbarrier_init_fence;
}

bool is_proxy_fence(const Event& event) {
  return is_any_proxy_fence(event) && event.direction == ProxyFence::Direction::Both;
}

bool has_direction(const Event& event, ProxyFence::Direction direction) {
  return event.kind == EventKind::ProxyFence && event.direction == direction;
}

const AsyncStep& step_of(const Program& program, const Event& event) {
  return std::get<AsyncStep>(program.threads[event.thread].code[event.instruction].operation);
}

/// Returns whether the event is an access of a tcgen05 operation.
bool is_of_tensor_core(const Program& program, const Event& event) {
  if (!event.is_async()) return false;
  const AsyncGroup group = step_of(program, event).group;
  return !event.is_mbarrier &&
         (group == AsyncGroup::Tensor || group == AsyncGroup::TensorLoad || group == AsyncGroup::TensorStore);
}

/// Returns whether the event is the start of a thread after the end of the preceding kernel.
bool starts_kernel(const Program& program, const Event& event) {
  if (event.kind != EventKind::Barrier) return false;
  const auto& barrier = std::get<Barrier>(program.threads[event.thread].code[event.instruction].operation);
  return barrier.is_boundary && !barrier.arrive_only;
}

bool is_step(const Program& program, const Event& event, AsyncStep::Kind kind) {
  return event.kind == EventKind::AsyncStep && step_of(program, event).kind == kind;
}

/// Returns whether the event is an access by the proxy, or a fence for this proxy.
bool is_of_proxy(const Event& event, Proxy proxy) {
  return (event.is_access() || is_any_proxy_fence(event)) && event.proxy == proxy;
}

bool has_scope_tag(const Event& event, Scope scope) { return event.has_scope && event.scope == scope; }

/// Returns whether the event belongs to a transaction with the given scope.
bool is_transactional(const EventGraph& graph, const Event& event, Scope scope) {
  return event.transaction != kNoTransaction && graph.transactions[event.transaction].scope == scope;
}

/// Returns whether the event is in the set. Handles only sets that depend on the event alone: fill_locks() fills the
/// sets of lock operations, and fill_asynchronous() fills the set of later arrivals.
bool is_member(const EventGraph& graph, const Event& event, BaseSet set) {
  const Program& program = *graph.program;
  if (event.kind == EventKind::Choice) return false;
  switch (set) {
    case BaseSet::Universe: return true;
    case BaseSet::Memory: return event.is_access();
    case BaseSet::Read: return event.is_read();
    case BaseSet::Write: return event.is_write();
    case BaseSet::InitialWrite: return event.kind == EventKind::InitialWrite;
    case BaseSet::Fence: return event.kind == EventKind::Fence && !event.is_shared_only;
    case BaseSet::Barrier: return event.kind == EventKind::Barrier;
    case BaseSet::Atomic: return event.is_access() && event.is_atomic;
    case BaseSet::NonAtomic: return event.is_access() && !event.is_atomic;
    case BaseSet::Volatile: return event.is_access() && event.is_volatile;
    case BaseSet::ReadModifyWrite: return event.is_rmw;
    case BaseSet::Reduction: return event.is_reduction;
    case BaseSet::Relaxed: return event.order == Order::Relaxed;
    case BaseSet::Acquire: return event.order == Order::Acquire;
    case BaseSet::Release: return event.order == Order::Release;
    case BaseSet::AcqRel: return event.order == Order::AcqRel;
    case BaseSet::SeqCst: return event.order == Order::SeqCst;
    case BaseSet::ScopeBlock: return has_scope_tag(event, Scope::Block);
    case BaseSet::ScopeCluster: return has_scope_tag(event, Scope::Cluster);
    case BaseSet::ScopeDevice: return has_scope_tag(event, Scope::Device);
    case BaseSet::ScopeSystem: return has_scope_tag(event, Scope::System);
    case BaseSet::UninitializedWrite: {
      if (event.kind != EventKind::InitialWrite) return false;
      return !program.objects[program.locations[event.locations.front()].object].is_initialized;
    }
    case BaseSet::GenericProxy: return is_of_proxy(event, Proxy::Generic) && !is_of_tensor_core(program, event);
    case BaseSet::ConstantProxy: return is_of_proxy(event, Proxy::Constant);
    case BaseSet::TextureProxy: return is_of_proxy(event, Proxy::Texture);
    case BaseSet::SurfaceProxy: return is_of_proxy(event, Proxy::Surface);
    case BaseSet::AsyncProxy: return is_of_proxy(event, Proxy::Async);
    case BaseSet::ProxyFence: return is_proxy_fence(event);
    case BaseSet::AliasFence: return event.kind == EventKind::ProxyFence && event.is_alias_fence;
    case BaseSet::Asynchronous: return event.is_async();
    case BaseSet::Mbarrier: return event.is_mbarrier;
    case BaseSet::MbarrierInitFence: return event.kind == EventKind::ProxyFence && event.is_mbarrier_init_fence;
    case BaseSet::ReleaseProxyFence: return has_direction(event, ProxyFence::Direction::Release);
    case BaseSet::AcquireProxyFence: return has_direction(event, ProxyFence::Direction::Acquire);
    case BaseSet::TensormapProxy: return is_of_proxy(event, Proxy::Tensormap);
    case BaseSet::SharedFence: return event.kind == EventKind::Fence && event.is_shared_only;
    case BaseSet::LaterArrival: return false;  // fill_asynchronous() adds the later arrivals
    case BaseSet::KernelStart: return starts_kernel(program, event);
    case BaseSet::TensorAccess: return is_of_tensor_core(program, event);
    case BaseSet::TensorFenceBefore: return is_step(program, event, AsyncStep::Kind::FenceBefore);
    case BaseSet::TensorFenceAfter: return is_step(program, event, AsyncStep::Kind::FenceAfter);
    case BaseSet::Transaction: return event.transaction != kNoTransaction;
    case BaseSet::TransactionBlock: return is_transactional(graph, event, Scope::Block);
    case BaseSet::TransactionCluster: return is_transactional(graph, event, Scope::Cluster);
    case BaseSet::TransactionDevice: return is_transactional(graph, event, Scope::Device);
    case BaseSet::TransactionSystem: return is_transactional(graph, event, Scope::System);
    case BaseSet::LockAcquire:
    case BaseSet::LockRelease:
    case BaseSet::LockBlock:
    case BaseSet::LockCluster:
    case BaseSet::LockDevice:
    case BaseSet::LockSystem: return false;
  }
  return false;
}

}  // namespace

void fill_sets(Draft& draft) {
  EventGraph& graph = draft.graph;
  for (const auto& entry : kBaseSets) {
    EventSet& members = graph.sets[static_cast<std::size_t>(entry.id)].always;
    members = EventSet(graph.size());
    for (EventId e = 0; e < graph.size(); ++e) {
      if (is_member(graph, graph.events[e], entry.id)) members.insert(e);
    }
  }
}

}  // namespace ambit::events
