#include <fmt/format.h>

#include <utility>

#include "synthesis/skeleton.h"
#include "synthesis/skeleton_walk.h"

namespace ambit::synthesis {
namespace {

class Builder {
 public:
  explicit Builder(const Skeleton& skeleton)
      : skeleton_(skeleton), program_(std::make_shared<Program>()), details_(details_of(skeleton)) {}

  std::shared_ptr<const Program> build() {
    program_->name = name_of(skeleton_);
    for (std::size_t i = 0; i < skeleton_.variables(); ++i) object(kVariables[i]);
    for (std::size_t i = 0; i < skeleton_.locks(); ++i) object(kLocks[i]);
    for (std::size_t t = 0; t < skeleton_.threads.size(); ++t) thread(t);
    for (LocationId location = 0; location < program_->locations.size(); ++location) {
      const Location& cell = program_->locations[location];
      program_->observables.push_back({Observable::Kind::Memory, 0, 0, location, cell.type, cell.name});
    }
    return std::move(program_);
  }

 private:
  void object(char name) {
    const auto id = static_cast<ObjectId>(program_->objects.size());
    MemoryObject object;
    object.name = std::string(1, name);
    object.type = kInt;
    object.first = id;
    program_->objects.push_back(object);
    program_->locations.push_back({object.name, id, 0, kInt, 0});
  }

  MemoryAccess access(ObjectId object, Order order, Scope scope, bool is_atomic) const {
    MemoryAccess result;
    result.address = Expr::make_constant(make_address(object, 0), kLongLong);
    result.type = kInt;
    result.order = order;
    result.scope = scope;
    result.is_atomic = is_atomic;
    return result;
  }
  MemoryAccess access(const Act& act) const {
    if (act.access == Act::Access::Atomic) return access(act.cell, act.order, act.scope, true);
    const bool is_volatile = act.access == Act::Access::Volatile;
    MemoryAccess result = access(act.cell, is_volatile ? Order::Relaxed : Order::Weak, Scope::System, false);
    result.is_volatile = is_volatile;
    return result;
  }

  void thread(std::size_t index) {
    const SkeletonThread& from = skeleton_.threads[index];
    Thread thread;
    thread.name = fmt::format("P{}", index);
    thread.place.gpu = from.gpu;
    thread.place.block = from.block;
    thread.place.cluster = kOwnCluster + from.block;
    thread.place.warp = warps_[from.gpu * 16U + from.block]++;
    std::vector<std::pair<std::uint32_t, std::string>> observed;
    for (std::size_t i = 0; i < from.acts.size(); ++i) add(thread, from.acts[i], details_[index][i], observed);
    for (const auto& [reg, name] : observed) {
      program_->observables.push_back({Observable::Kind::Register, static_cast<std::uint32_t>(index), reg, 0, kInt,
                                       fmt::format("P{}:{}", index, name)});
    }
    std::uint32_t threads = static_cast<std::uint32_t>(warps_[from.gpu * 16U + from.block]);
    if (threads == 1) {
      program_->blocks.push_back({from.gpu, from.block, 1});
    } else {
      for (BlockSize& block : program_->blocks) {
        if (block.gpu == from.gpu && block.block == from.block) block.threads = threads;
      }
    }
    program_->threads.push_back(std::move(thread));
  }

  RegisterId new_register(Thread& thread, std::string name) const {
    thread.registers.push_back({std::move(name), kInt});
    return static_cast<RegisterId>(thread.registers.size() - 1);
  }

  void add(Thread& thread, const Act& act, const ActDetail& detail,
           std::vector<std::pair<std::uint32_t, std::string>>& observed) {
    const auto emit = [&](Operation operation) { thread.code.push_back({std::move(operation), {}}); };
    std::optional<RegisterId> target;
    if (detail.target) {
      target = new_register(thread, fmt::format("r{}", *detail.target));
      observed.emplace_back(*target, thread.registers.back().name);
      reads_.resize(*detail.target + 1U);
    }
    if (detail.guard) {
      const Expr value = Expr::make_register(reads_[*detail.guard], kInt);
      emit(Branch{Expr::make(Op::Equal, kInt, {value, Expr::make_constant(0)}), thread.code.size() + 2});
    }
    switch (act.kind) {
      case Act::Kind::Read: emit(Load{*target, access(act)}); break;
      case Act::Kind::Write: emit(Store{access(act), Expr::make_constant(detail.value), LockRole::None}); break;
      case Act::Kind::Update: {
        Rmw rmw;
        rmw.target = target;
        rmw.op = RmwOp::Add;
        rmw.access = access(act);
        rmw.operand = Expr::make_constant(detail.value);
        emit(std::move(rmw));
        break;
      }
      case Act::Kind::Fence: emit(Fence{act.order, act.scope}); break;
      case Act::Kind::Lock: lock(thread, act); break;
      case Act::Kind::Unlock: unlock(thread, act); break;
      case Act::Kind::Barrier: emit(Barrier{}); break;
    }
    if (target) reads_[*detail.target] = *target;
  }

  /// Translates a lock statement in the same way as lock(l, s) of the litmus language
  /// (docs/reference/language/statements.md).
  void lock(Thread& thread, const Act& act) {
    const RegisterId old = new_register(thread, "%lock");
    const auto object = static_cast<ObjectId>(skeleton_.variables() + act.cell);
    Rmw take;
    take.target = old;
    take.op = RmwOp::CompareExchange;
    take.access = access(object, Order::Relaxed, act.scope, true);
    take.operand = Expr::make_constant(1);
    take.compare = Expr::make_constant(0);
    take.lock = LockRole::Acquire;
    const std::size_t head = thread.code.size();
    thread.code.push_back({std::move(take), {}});
    const Expr taken = Expr::make(Op::NotEqual, kInt, {Expr::make_register(old, kInt), Expr::make_constant(0)});
    thread.code.push_back({Branch{taken, head}, {}});
    thread.code.push_back({Fence{Order::SeqCst, act.scope}, {}});
  }
  void unlock(Thread& thread, const Act& act) const {
    const auto object = static_cast<ObjectId>(skeleton_.variables() + act.cell);
    thread.code.push_back({Fence{Order::SeqCst, act.scope}, {}});
    Rmw give;
    give.op = RmwOp::Exchange;
    give.access = access(object, Order::Relaxed, act.scope, true);
    give.operand = Expr::make_constant(0);
    give.lock = LockRole::Release;
    thread.code.push_back({std::move(give), {}});
  }

  static constexpr int kOwnCluster = 1 << 20;  // each block outside of clusters forms its own cluster
  const Skeleton& skeleton_;
  std::shared_ptr<Program> program_;
  std::vector<std::vector<ActDetail>> details_;
  std::array<int, 256> warps_{};
  std::vector<RegisterId> reads_;  ///< the registers of the current thread's reads, in order
};

}  // namespace

std::shared_ptr<const Program> program_of(const Skeleton& skeleton) { return Builder(skeleton).build(); }

}  // namespace ambit::synthesis
