#include "runner/sim/gpu_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "runner/sim/sc_memory.h"

namespace ambit::sim {
namespace {

bool acquires(Order order) { return order == Order::Acquire || order == Order::AcqRel || order == Order::SeqCst; }
bool releases(Order order) { return order == Order::Release || order == Order::AcqRel || order == Order::SeqCst; }

}  // namespace

std::unique_ptr<Memory> make_memory(const Program& program, const Options& options) {
  if (options.memory == MemoryKind::Sc) return std::make_unique<ScMemory>(program);
  return std::make_unique<GpuMemory>(program, options);
}

GpuMemory::GpuMemory(const Program& program, const Options& options)
    : program_(program),
      locations_(program.locations.size()),
      capacity_(options.store_buffer),
      warm_(options.warm_caches),
      notes_arrivals_(program.first_transaction().has_value()) {
  std::map<int, std::set<int>> blocks;
  for (const Thread& thread : program.threads) blocks[thread.place.gpu].insert(thread.place.block);
  depth_ = blocks.size() > 1 ? 2 : 1;
  const auto add_cache = [this](std::uint32_t level, std::string name) {
    cache_levels_.push_back(level);
    cache_names_.push_back(std::move(name));
    return static_cast<std::uint32_t>(cache_levels_.size() - 1);
  };
  std::map<int, std::uint32_t> l2;
  std::map<std::pair<int, int>, std::uint32_t> l1;  // the key is the gpu and the block
  const unsigned per_cache = std::max(options.blocks_per_multiprocessor, 1U);
  for (const auto& [gpu, of_gpu] : blocks) {
    const std::string prefix = depth_ == 2 ? fmt::format("g{}", gpu) : "";
    if (depth_ == 2) l2[gpu] = add_cache(1, fmt::format("L2.{}", prefix));
    unsigned used = per_cache;
    std::uint32_t cache = 0;
    for (const int block : of_gpu) {
      if (used == per_cache) {
        cache = add_cache(0, fmt::format("L1.{}b{}", prefix, block));
        used = 0;
      }
      ++used;
      l1[{gpu, block}] = cache;
    }
  }
  cache_paths_.resize(cache_levels_.size());
  for (const Thread& thread : program.threads) {
    std::array<std::uint32_t, kMaxDepth> path{l1[{thread.place.gpu, thread.place.block}], 0};
    if (depth_ == 2) path[1] = l2[thread.place.gpu];
    for (std::uint32_t i = 0; i < depth_; ++i) cache_paths_[path[i]] = path;
    paths_.push_back(path);
  }
  for (const Location& location : program.locations) {
    is_shared_.push_back(program.objects[location.object].space == MemorySpace::Shared);
  }
}

void GpuMemory::reset(MemoryState& memory) const {
  memory.values.clear();
  for (const Location& location : program_.locations) memory.values.push_back(location.initial);
  memory.lines.assign(cache_levels_.size() * locations_, {});
  for (std::uint32_t cache = 0; warm_ && cache < cache_levels_.size(); ++cache) {
    for (LocationId location = 0; location < locations_; ++location) {
      if (!is_shared_[location]) line(memory, cache, location) = {memory.values[location], Line::Kind::Clean};
    }
  }
  memory.buffers.assign(program_.threads.size() * capacity_, {});
  memory.buffered.assign(program_.threads.size(), 0);
  memory.arrivals.clear();
}

std::uint32_t GpuMemory::level_of(Scope scope) const {
  switch (scope) {
    case Scope::Thread:
    case Scope::Block: return 0;
    case Scope::Cluster:  // each block of a cluster has its own L1
    case Scope::Device: return 1;
    case Scope::System: return depth_;
  }
  return depth_;
}

std::uint32_t GpuMemory::level(const MemoryAccess& access, LocationId location) const {
  if (is_shared_[location]) return depth_;
  return access.order == Order::Weak ? 0 : level_of(access.scope);
}

const BufferedStore* GpuMemory::find_buffered(const MemoryState& memory, std::uint32_t thread,
                                              LocationId location) const {
  for (std::size_t i = memory.buffered[thread]; i-- > 0;) {
    const BufferedStore& store = memory.buffers[thread * capacity_ + i];
    if (store.location == location) return &store;
  }
  return nullptr;
}

unsigned GpuMemory::ways(const MemoryState& memory, std::uint32_t thread, const MemoryAccess& access,
                         LocationId location) const {
  if (access.order == Order::SeqCst || find_buffered(memory, thread, location) != nullptr) return 1;
  unsigned ways = 1;
  const std::uint32_t first = level(access, location);
  for (std::uint32_t i = 0; i < depth_; ++i) {
    const Line& found = line(memory, paths_[thread][i], location);
    if (found.kind == Line::Kind::Dirty) break;
    if (i >= first && found.kind == Line::Kind::Clean) ++ways;
  }
  return ways;
}

bool GpuMemory::finds_only(const MemoryState& memory, std::uint32_t thread, LocationId location, std::uint32_t level,
                           Value value) const {
  if (const BufferedStore* store = find_buffered(memory, thread, location)) return store->value == value;
  for (std::uint32_t i = 0; i < depth_; ++i) {
    const Line& found = line(memory, paths_[thread][i], location);
    if (found.kind == Line::Kind::Dirty) return found.value == value;
    if (i >= level && found.kind == Line::Kind::Clean && found.value != value) return false;
  }
  return memory.values[location] == value;
}

void GpuMemory::put(MemoryState& memory, const std::array<std::uint32_t, kMaxDepth>& path, std::uint32_t level,
                    LocationId location, Value value) const {
  if (notes_arrivals_) memory.arrivals.push_back({level == depth_ ? kNone : path[level], location});
  if (level == depth_) {
    memory.values[location] = value;
  } else {
    line(memory, path[level], location) = {value, Line::Kind::Dirty};
  }
}

void GpuMemory::purge(MemoryState& memory, std::uint32_t thread, std::uint32_t level, LocationId location) const {
  for (std::uint32_t i = 0; i < level; ++i) {
    Line& found = line(memory, paths_[thread][i], location);
    if (found.kind == Line::Kind::Dirty) put(memory, paths_[thread], i + 1, location, found.value);
    found.kind = Line::Kind::Absent;
  }
}

Value GpuMemory::read_at(MemoryState& memory, std::uint32_t thread, std::uint32_t level, LocationId location,
                         unsigned way) const {
  purge(memory, thread, level, location);
  std::uint32_t found = level;
  for (; found < depth_; ++found) {
    Line& copy = line(memory, paths_[thread][found], location);
    if (copy.kind == Line::Kind::Clean && way > 0) {
      --way;
      copy.kind = Line::Kind::Absent;
    }
    if (copy.kind != Line::Kind::Absent) break;
  }
  const Value value = found == depth_ ? memory.values[location] : line(memory, paths_[thread][found], location).value;
  for (std::uint32_t i = level; i < found && !is_shared_[location]; ++i) {
    line(memory, paths_[thread][i], location) = {value, Line::Kind::Clean};
  }
  return value;
}

void GpuMemory::write_at(MemoryState& memory, std::uint32_t thread, std::uint32_t level, LocationId location,
                         Value value) const {
  purge(memory, thread, level, location);
  put(memory, paths_[thread], level, location, value);
}

void GpuMemory::drain(MemoryState& memory, std::uint32_t thread, std::size_t entry) const {
  BufferedStore* first = memory.buffers.data() + thread * capacity_;
  const BufferedStore store = first[entry];
  std::copy(first + entry + 1, first + memory.buffered[thread], first + entry);
  --memory.buffered[thread];
  write_at(memory, thread, store.level, store.location, store.value);
}

/// Drains the thread's buffered stores to the location, in order.
void GpuMemory::drain_location(MemoryState& memory, std::uint32_t thread, LocationId location) const {
  for (std::size_t i = 0; i < memory.buffered[thread];) {
    if (memory.buffers[thread * capacity_ + i].location == location) {
      drain(memory, thread, i);
    } else {
      ++i;
    }
  }
}

void GpuMemory::release(MemoryState& memory, std::uint32_t thread, std::uint32_t level) const {
  while (memory.buffered[thread] > 0) drain(memory, thread, 0);
  for (std::uint32_t i = 0; i < level; ++i) {
    for (LocationId location = 0; location < locations_; ++location) {
      Line& found = line(memory, paths_[thread][i], location);
      if (found.kind != Line::Kind::Dirty) continue;
      put(memory, paths_[thread], i + 1, location, found.value);
      found.kind = Line::Kind::Clean;
    }
  }
}

void GpuMemory::acquire(MemoryState& memory, std::uint32_t thread, std::uint32_t level) const {
  for (std::uint32_t i = 0; i < level; ++i) {
    for (LocationId location = 0; location < locations_; ++location) {
      Line& found = line(memory, paths_[thread][i], location);
      if (found.kind == Line::Kind::Clean) found.kind = Line::Kind::Absent;
    }
  }
}

void GpuMemory::fence(MemoryState& memory, std::uint32_t thread, Order order, Scope scope) const {
  if (scope == Scope::Thread) return;
  if (releases(order)) release(memory, thread, level_of(scope));
  if (acquires(order)) acquire(memory, thread, level_of(scope));
}

std::uint32_t GpuMemory::place(std::uint32_t thread, Scope scope, LocationId location) const {
  const std::uint32_t level = is_shared_[location] ? depth_ : level_of(scope);
  return level == depth_ ? kNone : paths_[thread][level];
}

/// A seq_cst access is a fence followed by an acquire load, a relaxed store or an acquire read-modify-write
/// (definitions 2.1).
void GpuMemory::before(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access) const {
  if (access.order == Order::SeqCst) {
    fence(memory, thread, Order::SeqCst, access.scope);
  } else if (releases(access.order)) {
    fence(memory, thread, Order::Release, access.scope);
  }
}

void GpuMemory::acquire_after(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access) const {
  if (acquires(access.order)) fence(memory, thread, Order::Acquire, access.scope);
}

Value GpuMemory::load(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                      unsigned way) const {
  before(memory, thread, access);
  const BufferedStore* store = find_buffered(memory, thread, location);
  const Value value = store != nullptr ? store->value : read_at(memory, thread, level(access, location), location, way);
  acquire_after(memory, thread, access);
  return value;
}

void GpuMemory::store(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                      Value value) const {
  before(memory, thread, access);
  if (capacity_ == 0) {
    write_at(memory, thread, level(access, location), location, value);
    return;
  }
  if (memory.buffered[thread] == capacity_) drain(memory, thread, 0);
  memory.buffers[thread * capacity_ + memory.buffered[thread]++] = {location, level(access, location), value};
}

Value GpuMemory::begin_update(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access,
                              LocationId location, unsigned way) const {
  before(memory, thread, access);
  drain_location(memory, thread, location);
  return read_at(memory, thread, level(access, location), location, way);
}

void GpuMemory::end_update(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                           Value value) const {
  write_at(memory, thread, level(access, location), location, value);
}

// ---- actions of the memory ----

void GpuMemory::add_actions(const MemoryState& memory, std::vector<MemoryAction>& actions) const {
  for (std::uint32_t t = 0; t < memory.buffered.size(); ++t) {
    const BufferedStore* first = memory.buffers.data() + t * capacity_;
    for (std::size_t i = 0; i < memory.buffered[t]; ++i) {
      const LocationId location = first[i].location;
      const bool is_oldest =
          std::none_of(first, first + i, [&](const BufferedStore& store) { return store.location == location; });
      if (is_oldest) actions.push_back({MemoryAction::Kind::Drain, t, location});
    }
  }
  for (std::uint32_t cache = 0; cache < cache_levels_.size(); ++cache) {
    for (LocationId location = 0; location < locations_; ++location) {
      if (line(memory, cache, location).kind != Line::Kind::Dirty) continue;
      actions.push_back({MemoryAction::Kind::WriteBack, cache, location});
    }
  }
}

void GpuMemory::perform(MemoryState& memory, const MemoryAction& action) const {
  if (action.kind == MemoryAction::Kind::Drain) {
    const BufferedStore* first = memory.buffers.data() + action.unit * capacity_;
    for (std::size_t i = 0; i < memory.buffered[action.unit]; ++i) {
      if (first[i].location == action.location) return drain(memory, action.unit, i);
    }
    AMBIT_ASSERT(false && "a buffered store");
  }
  Line& found = line(memory, action.unit, action.location);
  AMBIT_ASSERT(found.kind == Line::Kind::Dirty);
  put(memory, cache_paths_[action.unit], cache_levels_[action.unit] + 1, action.location, found.value);
  found.kind = Line::Kind::Clean;
}

std::string GpuMemory::cache_name(std::uint32_t cache) const { return cache_names_[cache]; }

MemoryContents GpuMemory::contents(const MemoryState& memory) const {
  MemoryContents contents;
  for (LocationId location = 0; location < locations_; ++location) {
    contents.values.push_back({location, memory.values[location]});
  }
  for (std::uint32_t cache = 0; cache < cache_levels_.size(); ++cache) {
    MemoryContents::Cache& one = contents.caches.emplace_back();
    one.name = cache_names_[cache];
    one.level = cache_levels_[cache];
    for (std::uint32_t t = 0; t < paths_.size(); ++t) {
      if (paths_[t][one.level] == cache) one.threads.push_back(t);
    }
    for (LocationId location = 0; location < locations_; ++location) {
      const Line& found = line(memory, cache, location);
      if (found.kind == Line::Kind::Absent) continue;
      one.lines.push_back({location, found.value, found.kind == Line::Kind::Dirty});
    }
  }
  for (std::uint32_t t = 0; t < memory.buffered.size(); ++t) {
    std::vector<HeldValue>& buffer = contents.buffers.emplace_back();
    for (std::size_t i = 0; i < memory.buffered[t]; ++i) {
      const BufferedStore& store = memory.buffers[t * capacity_ + i];
      buffer.push_back({store.location, store.value});
    }
  }
  return contents;
}

}  // namespace ambit::sim
