#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ambit {

/// The predefined sets of events in model files (definitions.md 0, 2.1). An event is in one set of orders and one set
/// of scopes: an acq_rel operation is only in AR. Both halves of a read-modify-write are in the sets of its order and
/// scope.
enum class BaseSet : std::uint8_t {
  Universe,
  Memory,
  Read,
  Write,
  InitialWrite,
  Fence,
  Barrier,
  Atomic,
  NonAtomic,
  Volatile,
  ReadModifyWrite,
  Reduction,
  Relaxed,
  Acquire,
  Release,
  AcqRel,
  SeqCst,
  ScopeBlock,
  ScopeCluster,
  ScopeDevice,
  ScopeSystem,
  LockAcquire,
  LockRelease,
  LockBlock,
  LockCluster,
  LockDevice,
  LockSystem,
  UninitializedWrite,
  GenericProxy,
  ConstantProxy,
  TextureProxy,
  SurfaceProxy,
  AsyncProxy,
  ProxyFence,
  AliasFence,
  Asynchronous,
  Mbarrier,
  MbarrierInitFence,
  ReleaseProxyFence,
  AcquireProxyFence,
  TensormapProxy,
  SharedFence,
  LaterArrival,
  KernelStart,
  TensorAccess,
  TensorFenceBefore,
  TensorFenceAfter,
  Transaction,
  TransactionBlock,
  TransactionCluster,
  TransactionDevice,
  TransactionSystem,
};

/// The predefined relations in model files.
enum class BaseRelation : std::uint8_t {
  ProgramOrder,
  ReadsFrom,
  Coherence,
  FromReads,
  SameLocation,
  Identity,
  Internal,
  External,
  AddressDependency,
  DataDependency,
  ControlDependency,
  ReadModifyWritePair,
  SameBlock,
  SameCluster,
  SameDevice,
  SameWarp,
  BarrierSync,
  CriticalSection,
  SameVirtualAddress,
  BarrierOrder,
  Issue,
  InOperation,
  GroupWait,
  Tracking,
  MbarrierPhase,
  MbarrierBlock,
  InSpace,
  MbarrierSeen,
  GridEnd,
  HomeBlock,
  TensorPipeline,
  RelaxedArrival,
  SameTransaction,
  SameFailedTransaction,
};

template <typename Enum>
struct VocabularyEntry {
  Enum id;
  std::string_view name;     ///< the name in model files
  std::string_view meaning;  ///< one line for docs/ and `ambit models --vocabulary`
};

inline constexpr std::array<VocabularyEntry<BaseSet>, 52> kBaseSets = {{
    {BaseSet::Universe, "_", "every event"},
    {BaseSet::Memory, "M", "memory accesses: R | W"},
    {BaseSet::Read, "R", "reads, including the read halves of read-modify-writes"},
    {BaseSet::Write, "W", "writes, including initial writes and the write halves of read-modify-writes"},
    {BaseSet::InitialWrite, "IW", "initial writes, one per location, in no thread"},
    {BaseSet::Fence, "F", "fences"},
    {BaseSet::Barrier, "B", "barrier arrivals and waits"},
    {BaseSet::Atomic, "A", "accesses by atomic operations (volatile accesses are not atomic)"},
    {BaseSet::NonAtomic, "NA", "M \\ A"},
    {BaseSet::Volatile, "V", "volatile accesses; they are also in RLX and SYS, but not in A"},
    {BaseSet::ReadModifyWrite, "RMW", "both halves of read-modify-writes, and failed compare-exchanges"},
    {BaseSet::Reduction, "RED", "both halves of reductions (the old value is not used)"},
    {BaseSet::Relaxed, "RLX", "relaxed order"},
    {BaseSet::Acquire, "ACQ", "acquire order"},
    {BaseSet::Release, "REL", "release order"},
    {BaseSet::AcqRel, "AR", "acq_rel order"},
    {BaseSet::SeqCst, "SC", "seq_cst order"},
    {BaseSet::ScopeBlock, "CTA", "block scope"},
    {BaseSet::ScopeCluster, "CLUSTER", "cluster scope"},
    {BaseSet::ScopeDevice, "GPU", "device scope"},
    {BaseSet::ScopeSystem, "SYS", "system scope"},
    {BaseSet::LockAcquire, "LACQ", "read halves that acquire a lock (explicit or inferred)"},
    {BaseSet::LockRelease, "LREL", "writes that release a lock acquired by the same thread"},
    {BaseSet::LockBlock, "LCTA", "lock operations whose lock scope is the block"},
    {BaseSet::LockCluster, "LCLUSTER", "lock operations whose lock scope is the cluster"},
    {BaseSet::LockDevice, "LGPU", "lock operations whose lock scope is the device"},
    {BaseSet::LockSystem, "LSYS", "lock operations whose lock scope is the system"},
    {BaseSet::UninitializedWrite, "UIW", "initial writes of memory that the program does not initialise (--uninit)"},
    {BaseSet::GenericProxy, "GEN",
     "accesses by the generic proxy, with initial writes but without accesses of tensor memory; fences of this proxy"},
    {BaseSet::ConstantProxy, "CON", "accesses by the constant proxy; fences of this proxy"},
    {BaseSet::TextureProxy, "TEX", "accesses by the texture proxy; fences of this proxy"},
    {BaseSet::SurfaceProxy, "SUR", "accesses by the surface proxy; fences of this proxy"},
    {BaseSet::AsyncProxy, "ASY", "accesses by the async proxy; fences of this proxy"},
    {BaseSet::ProxyFence, "PFENCE", "proxy fences other than alias fences; not in F"},
    {BaseSet::AliasFence, "AFENCE", "alias fences (fence.proxy.alias); not in F"},
    {BaseSet::Asynchronous, "ASYNC", "accesses and completions of asynchronous operations; not in po"},
    {BaseSet::Mbarrier, "MBAR", "accesses by mbarrier operations"},
    {BaseSet::MbarrierInitFence, "IFENCE", "fence.mbarrier_init; not in F"},
    {BaseSet::ReleaseProxyFence, "RPFENCE",
     "fence.proxy.async::generic.release, fence.proxy.tensormap::generic.release; in neither F nor PFENCE"},
    {BaseSet::AcquireProxyFence, "APFENCE",
     "fence.proxy.async::generic.acquire, fence.proxy.tensormap::generic.acquire; in neither F nor PFENCE"},
    {BaseSet::TensormapProxy, "TMAP", "reads of tensor maps by tensor copies; fences of the tensormap proxy"},
    {BaseSet::SharedFence, "SFENCE", "fence.release and fence.acquire with sync_restrict, for shared memory; not in F"},
    {BaseSet::LaterArrival, "LATER", "arrivals at an mbarrier (write halves) in a phase other than its first"},
    {BaseSet::KernelStart, "KSTART", "the start of a thread of a kernel that follows another kernel in one stream"},
    {BaseSet::TensorAccess, "TC", "accesses of tcgen05 operations"},
    {BaseSet::TensorFenceBefore, "TB", "tcgen05.fence::before_thread_sync; not in F"},
    {BaseSet::TensorFenceAfter, "TA", "tcgen05.fence::after_thread_sync; not in F"},
    {BaseSet::Transaction, "TXN", "events of a transaction, committed or aborted"},
    {BaseSet::TransactionBlock, "TCTA", "events of transactions that are atomic to the block"},
    {BaseSet::TransactionCluster, "TCLUSTER", "events of transactions that are atomic to the cluster"},
    {BaseSet::TransactionDevice, "TGPU", "events of transactions that are atomic to the device"},
    {BaseSet::TransactionSystem, "TSYS", "events of transactions that are atomic to all threads"},
}};

inline constexpr std::array<VocabularyEntry<BaseRelation>, 34> kBaseRelations = {{
    {BaseRelation::ProgramOrder, "po",
     "program order: a total order of the events of each thread, without initial writes"},
    {BaseRelation::ReadsFrom, "rf", "from a write to each read of its value"},
    {BaseRelation::Coherence, "co", "total order of the writes of each location, the initial write first"},
    {BaseRelation::FromReads, "fr", "rf^-1 ; co"},
    {BaseRelation::SameLocation, "loc", "accesses of one location, including each access with itself"},
    {BaseRelation::Identity, "id", "every event with itself"},
    {BaseRelation::Internal, "int",
     "events of one thread, including each event with itself; no pairs with initial writes"},
    {BaseRelation::External, "ext", "events of different threads; an initial write and any event of a thread"},
    {BaseRelation::AddressDependency, "addr", "from a read to the accesses whose address depends on the read value"},
    {BaseRelation::DataDependency, "data", "from a read to the writes whose value depends on the read value"},
    {BaseRelation::ControlDependency, "ctrl", "from a read to the events that depend on a branch on the read value"},
    {BaseRelation::ReadModifyWritePair, "rmw", "from the read half to the write half of one operation"},
    {BaseRelation::SameBlock, "same-cta", "events of threads of one block, including each event with itself"},
    {BaseRelation::SameCluster, "same-cluster", "events of threads of one cluster"},
    {BaseRelation::SameDevice, "same-gpu", "events of threads of one gpu"},
    {BaseRelation::SameWarp, "same-warp", "events of threads of one warp"},
    {BaseRelation::BarrierSync, "syncbar",
     "from an arrival that is not relaxed to the event by which another thread waits for the same barrier instance"},
    {BaseRelation::CriticalSection, "cs",
     "from a lock acquire to the release by which the same thread ends the critical section"},
    {BaseRelation::SameVirtualAddress, "vloc",
     "accesses of one virtual address: loc without pairs under different aliases; initial writes have all aliases"},
    {BaseRelation::BarrierOrder, "bar-order",
     "from an arrival to another thread's arrival in a later phase, at a barrier with more threads than its count"},
    {BaseRelation::Issue, "issue",
     "from the instruction that issues an asynchronous operation to the operation's accesses"},
    {BaseRelation::InOperation, "inop",
     "from the reads to the writes of one asynchronous operation, and from both to its completions"},
    {BaseRelation::GroupWait, "grp",
     "from the accesses of an asynchronous operation to its thread's wait for the group; for .read, only from reads"},
    {BaseRelation::Tracking, "trk",
     "from the accesses of a thread's earlier asynchronous operations to the completion that tracks them"},
    {BaseRelation::MbarrierPhase, "mbar-phase",
     "from an arrival at an mbarrier to the wait that sees the end of its phase"},
    {BaseRelation::MbarrierBlock, "mbar-cta",
     "between completions at an mbarrier of a block and events of the block's threads"},
    {BaseRelation::InSpace, "in-space",
     "from a fence for one state space or one tensor map to the accesses that it concerns"},
    {BaseRelation::MbarrierSeen, "mbar-seen",
     "from a wait that returns true for a phase to the arrivals of the next phase"},
    {BaseRelation::GridEnd, "grid-end",
     "from a kernel's asynchronous accesses to the event by which a thread of the next kernel waits for its end"},
    {BaseRelation::HomeBlock, "home-cta",
     "between asynchronous accesses to shared memory of a block and events of the block's threads"},
    {BaseRelation::TensorPipeline, "pipe",
     "accesses of two tcgen05 operations that form a pipeline, in the order in which the operations are issued"},
    {BaseRelation::RelaxedArrival, "relaxed-bar",
     "from a relaxed arrival to the event by which another thread waits for the same barrier instance"},
    {BaseRelation::SameTransaction, "stxn", "events of one transaction that commits, including each event with itself"},
    {BaseRelation::SameFailedTransaction, "ftxn",
     "events of one transaction that aborts, including each event with itself; its writes are not events"},
}};

/// Returns whether each id is at its own index in the table. A table with this property has all ids up to its last id.
template <typename Table>
constexpr bool is_complete(const Table& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].id) != i) return false;
  }
  return true;
}
static_assert(is_complete(kBaseSets) && kBaseSets.back().id == BaseSet::TransactionSystem);
static_assert(is_complete(kBaseRelations) && kBaseRelations.back().id == BaseRelation::SameFailedTransaction);

/// Returns whether the relation depends on an execution's choice of rf and co: rf, co and fr. The program and its
/// values determine all other relations.
constexpr bool is_chosen(BaseRelation relation) {
  return relation == BaseRelation::ReadsFrom || relation == BaseRelation::Coherence ||
         relation == BaseRelation::FromReads;
}

std::optional<BaseSet> base_set_from_string(std::string_view name);
std::optional<BaseRelation> base_relation_from_string(std::string_view name);
std::string_view to_string(BaseSet set);
std::string_view to_string(BaseRelation relation);

}  // namespace ambit
