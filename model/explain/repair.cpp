#include "model/explain/repair.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/assert.h"

namespace ambit::explain {
namespace {

/// Instructions to insert before position `at` of a thread.
struct Insertion {
  std::size_t at = 0;
  std::vector<Instruction> code;
  std::vector<std::optional<std::size_t>> original;
  bool runs_when_jumped_to = true;  ///< whether jumps to `at` go to the inserted code
};

/// Returns a jump that has no effect: it goes from instruction `index` to the next instruction.
Instruction nothing_at(std::size_t index) { return {Jump{index + 1}, {}}; }

class ThreadEditor {
 public:
  explicit ThreadEditor(Thread& thread) : thread_(thread), original_(thread.code.size()) {
    for (std::size_t i = 0; i < original_.size(); ++i) original_[i] = i;
  }

  Instruction& at(std::size_t index) { return thread_.code[index]; }
  Thread& thread() { return thread_; }
  void insert(Insertion insertion) { insertions_.push_back(std::move(insertion)); }
  void clear(std::size_t index) {
    thread_.code[index] = nothing_at(index);
    original_[index] = std::nullopt;
  }

  std::vector<std::optional<std::size_t>> finish() {
    std::stable_sort(insertions_.begin(), insertions_.end(),
                     [](const Insertion& a, const Insertion& b) { return a.at > b.at; });
    for (Insertion& insertion : insertions_) put_in(insertion);
    return std::move(original_);
  }

 private:
  void put_in(Insertion& insertion) {
    const std::size_t count = insertion.code.size();
    const auto moved = [&](std::size_t target) {
      const bool shifts = target > insertion.at || (target == insertion.at && !insertion.runs_when_jumped_to);
      return shifts ? target + count : target;
    };
    for (Instruction& instruction : thread_.code) {
      if (auto* branch = std::get_if<Branch>(&instruction.operation)) branch->target = moved(branch->target);
      if (auto* jump = std::get_if<Jump>(&instruction.operation)) jump->target = moved(jump->target);
    }
    for (Instruction& instruction : insertion.code) {  // the targets are relative to the beginning of the inserted code
      if (auto* branch = std::get_if<Branch>(&instruction.operation)) branch->target += insertion.at;
    }
    const auto position = static_cast<std::ptrdiff_t>(insertion.at);
    insertion.original.resize(count);
    thread_.code.insert(thread_.code.begin() + position, insertion.code.begin(), insertion.code.end());
    original_.insert(original_.begin() + position, insertion.original.begin(), insertion.original.end());
  }

  Thread& thread_;
  std::vector<std::optional<std::size_t>> original_;
  std::vector<Insertion> insertions_;
};

class Editor {
 public:
  explicit Editor(const Program& program) : program_(std::make_shared<Program>(program)) {
    for (Thread& thread : program_->threads) threads_.emplace_back(thread);
  }

  void make(const Edit& edit) {
    for (const auto& [thread, index] : edit.site.instances) make(edit, threads_[thread], index);
    if (edit.kind == Edit::Kind::WidenBarrier) {
      widened_.insert(edit.site.instances.begin(), edit.site.instances.end());
    }
    if (edit.kind == Edit::Kind::MoveLater) move(edit);
    if (edit.kind == Edit::Kind::AddBarrier) add_barrier(edit);
  }

  RepairedProgram finish() {
    widen_barriers();
    RepairedProgram result;
    for (ThreadEditor& thread : threads_) result.original.push_back(thread.finish());
    result.program = program_;
    return result;
  }

 private:
  void make(const Edit& edit, ThreadEditor& thread, std::size_t index) const {
    Operation& operation = thread.at(index).operation;
    switch (edit.kind) {
      case Edit::Kind::WidenFence: std::get<Fence>(operation).scope = edit.scope; break;
      case Edit::Kind::SetScope: access_of(operation)->scope = edit.scope; break;
      case Edit::Kind::AddFence:
        thread.insert({index, {{Fence{Order::SeqCst, edit.scope}, thread.at(index).span}}, {}, true});
        break;
      case Edit::Kind::Strengthen: access_of(operation)->order = edit.order; break;
      case Edit::Kind::MakeAtomic: {
        MemoryAccess& access = *access_of(operation);
        access.order = Order::Relaxed;
        access.scope = edit.scope;
        access.is_atomic = true;
        access.is_volatile = false;
        break;
      }
      case Edit::Kind::HoldLock: hold(edit, thread, index); break;
      case Edit::Kind::WidenBarrier:
      case Edit::Kind::MoveLater:
      case Edit::Kind::AddBarrier: break;  // the caller handles edits that affect several threads
    }
  }

  /// Widens a barrier to several blocks. The barrier waits only for the threads that use it. Other threads of the grid
  /// do not have to reach the barrier.
  void widen_barriers() {
    std::set<std::uint32_t> users;
    for (const auto& [thread, index] : widened_) users.insert(thread);
    for (const auto& [thread, index] : widened_) {
      auto& barrier = std::get<Barrier>(threads_[thread].at(index).operation);
      barrier.kind = BarrierKind::Grid;
      barrier.count = Expr::make_constant(static_cast<Value>(users.size()), kInt);
    }
  }

  void hold(const Edit& edit, ThreadEditor& thread, std::size_t index) const {
    const Location& word = program_->locations[edit.lock];
    const auto old = static_cast<RegisterId>(thread.thread().registers.size());
    thread.thread().registers.push_back({"%lock", word.type});
    MemoryAccess access;
    access.address = Expr::make_constant(make_address(word.object, word.index), kLongLong);
    access.type = word.type;
    access.order = Order::Relaxed;
    access.scope = edit.scope;
    access.is_atomic = true;
    Rmw take{
        old,   RmwOp::CompareExchange, access, Expr::make_constant(1, word.type), Expr::make_constant(0, word.type),
        false, LockRole::Acquire};
    const Expr taken =
        Expr::make(Op::NotEqual, word.type, {Expr::make_register(old, word.type), Expr::make_constant(0, word.type)});
    Rmw give{std::nullopt, RmwOp::Exchange, access, Expr::make_constant(0, word.type), {}, false, LockRole::Release};
    const Instruction fence{Fence{Order::SeqCst, edit.scope}, {}};
    thread.insert({index, {{std::move(take), {}}, {Branch{taken, 0}, {}}, fence}, {}, true});
    thread.insert({index + 1, {fence, {std::move(give), {}}}, {}, false});
  }

  void move(const Edit& edit) {
    std::map<std::uint32_t, Insertion> after;
    for (const auto& [thread, index] : edit.site.instances) after[thread].at = index + 1;
    for (const auto& [thread, index] : edit.moved) {
      Insertion& insertion = after[thread];
      insertion.code.push_back(threads_[thread].at(index));
      insertion.original.emplace_back(index);
      threads_[thread].clear(index);
    }
    for (auto& [thread, insertion] : after) threads_[thread].insert(std::move(insertion));
  }

  void add_barrier(const Edit& edit) {
    constexpr std::uint32_t kUnusedBarrier = 15;
    const auto meet = [&](std::uint32_t thread, std::size_t at) {
      Barrier barrier;
      barrier.id = kUnusedBarrier;
      barrier.count = Expr::make_constant(2);
      threads_[thread].insert({at, {{barrier, {}}}, {}, true});
    };
    meet(edit.site.instances.front().first, edit.site.instances.front().second + 1);
    meet(edit.second->instances.front().first, edit.second->instances.front().second);
  }

  std::shared_ptr<Program> program_;
  std::vector<ThreadEditor> threads_;
  std::set<std::pair<std::uint32_t, std::size_t>> widened_;  ///< widened barriers, as pairs (thread, instruction)
};

}  // namespace

bool spans_blocks(const Site& site, const Program& program) {
  const ThreadPlace& first = program.threads[site.instances.front().first].place;
  return std::ranges::any_of(site.instances, [&](const auto& instance) {
    return !same_instance(program.threads[instance.first].place, first, Scope::Block);
  });
}

std::vector<Site> find_sites(const events::EventGraph& graph) {
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::size_t, std::uint32_t, std::size_t>;
  std::map<Key, Site> sites;
  for (const events::Event& event : graph.events) {
    if (event.thread == events::kNoThread || event.kind == events::EventKind::ProxyFence) continue;
    const std::size_t index = event.instruction;
    const std::size_t kind = graph.program->threads[event.thread].code[index].operation.index();
    const bool has_place = event.span.line != 0;
    // Statements with several accesses (x = y) share a line, but their accesses rarely have the same kind.
    const Key key{event.span.line, event.span.column, kind, has_place ? 0 : event.thread, has_place ? 0 : index};
    Site& site = sites[key];
    site.span = event.span;
    const std::pair instance(event.thread, index);
    if (std::find(site.instances.begin(), site.instances.end(), instance) == site.instances.end()) {
      site.instances.push_back(instance);
    }
    site.locations.insert(site.locations.end(), event.locations.begin(), event.locations.end());
  }
  std::vector<Site> result;
  for (auto& [key, site] : sites) {
    std::sort(site.instances.begin(), site.instances.end());
    std::sort(site.locations.begin(), site.locations.end());
    site.locations.erase(std::unique(site.locations.begin(), site.locations.end()), site.locations.end());
    result.push_back(std::move(site));
  }
  return result;
}

RepairedProgram apply(const Program& program, const Repair& repair) {
  Editor editor(program);
  for (const Edit& edit : repair.edits) editor.make(edit);
  return editor.finish();
}

}  // namespace ambit::explain
