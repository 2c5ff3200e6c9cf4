#include "runner/virtual/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "runner/virtual/observer.h"

namespace ambit::virtual_gpu {
namespace {

/// The alignment of cudaMalloc.
constexpr std::uint64_t kAlignment = 512;
/// Gap between two allocations. An address less than one gap before or after an allocation is in no other
/// allocation.
constexpr std::uint64_t kGap = 1U << 20U;
/// Larger allocations contain zeros instead of kFreshByte, because kFreshByte would touch all pages of an allocation.
constexpr std::uint64_t kLargestFilled = std::uint64_t{1} << 30U;
/// The largest distance at which nearest() finds an allocation.
constexpr std::uint64_t kNear = std::uint64_t{64} << 20U;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace

void Allocation::mark_stored(std::uint64_t offset, std::uint64_t count) {
  std::uint64_t bit = offset;
  const std::uint64_t end = offset + count;
  const auto set = [&] { stored[bit / 8] = static_cast<std::uint8_t>(stored[bit / 8] | 1U << bit % 8); };
  for (; bit < end && bit % 8 != 0; ++bit) set();
  if (bit + 8 <= end) {
    std::memset(stored.data() + bit / 8, 0xff, (end - bit) / 8);
    bit = end / 8 * 8;
  }
  for (; bit < end; ++bit) set();
}

Memory::Memory(std::uint64_t capacity) : capacity_(capacity) {}

Memory::~Memory() {
  for (const auto& allocation : allocations_) {
    if (allocation->kind != AllocationKind::Host) std::free(allocation->data);
  }
  for (void* data : managed_) std::free(data);
}

Allocation& Memory::add(std::uint64_t address, std::uint64_t bytes, AllocationKind kind) {
  auto fresh = std::make_unique<Allocation>();
  fresh->number = static_cast<std::uint32_t>(allocations_.size());
  fresh->address = address;
  fresh->bytes = bytes;
  fresh->kind = kind;
  allocations_.push_back(std::move(fresh));
  const Range range{address, address + bytes, allocations_.back()->number};
  const auto where = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                      [](std::uint64_t value, const Range& other) { return value < other.begin; });
  ranges_.insert(where, range);
  return *allocations_.back();
}

std::uint64_t Memory::allocate(std::uint64_t bytes, AllocationKind kind, std::string place, std::string name) {
  bytes = std::max<std::uint64_t>(bytes, 1);
  if (bytes > capacity_ || in_use_ > capacity_ - bytes) return 0;
  void* data = std::aligned_alloc(kAlignment, round_up(bytes, kAlignment));
  if (data == nullptr) return 0;
  if (bytes <= kLargestFilled) std::memset(data, kFreshByte, bytes);
  Allocation& made = add(next_address_, bytes, kind);
  made.data = static_cast<std::uint8_t*>(data);
  made.place = std::move(place);
  made.name = std::move(name);
  made.stored.resize((bytes + 7) / 8);
  in_use_ += bytes;
  next_address_ = round_up(next_address_ + bytes + kGap, kAlignment);
  if (observer_ != nullptr) observer_->allocated(made.number, made.address, bytes);
  return made.address;
}

std::uint64_t Memory::allocate_managed(std::uint64_t bytes, std::string name) {
  const std::uint64_t padded = round_up(std::max<std::uint64_t>(bytes, 1), kAlignment);
  void* data = std::aligned_alloc(kAlignment, padded);
  if (data == nullptr) return 0;
  managed_.push_back(data);
  std::memset(data, 0, padded);
  if (!adopt(data, bytes, {})) return 0;
  allocations_.back()->name = std::move(name);
  return reinterpret_cast<std::uint64_t>(data);
}

bool Memory::adopt(void* host, std::uint64_t bytes, std::string place) {
  const auto address = reinterpret_cast<std::uint64_t>(host);
  bytes = std::max<std::uint64_t>(bytes, 1);
  const auto below = range_at(address + bytes - 1);
  if (below && ranges_[*below].end > address) return false;
  Allocation& made = add(address, bytes, AllocationKind::Host);
  made.data = static_cast<std::uint8_t*>(host);
  made.is_initialised = true;
  made.place = std::move(place);
  if (observer_ != nullptr) {
    observer_->allocated(made.number, address, bytes);
    observer_->host_wrote(address, bytes);
  }
  return true;
}

bool Memory::release(std::uint64_t address, std::string place) {
  const auto index = range_at(address);
  if (!index || ranges_[*index].begin != address) return false;
  Allocation& freed = *allocations_[ranges_[*index].number];
  if (freed.is_freed) return false;
  freed.is_freed = true;
  freed.freed_place = std::move(place);
  if (freed.kind == AllocationKind::Host) {
    ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(*index));
  } else {
    std::free(freed.data);
    in_use_ -= freed.bytes;
  }
  freed.data = nullptr;
  freed.stored = {};
  if (observer_ != nullptr) observer_->freed(freed.number);
  return true;
}

std::optional<std::size_t> Memory::range_at(std::uint64_t address) const {
  const auto above = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                      [](std::uint64_t value, const Range& other) { return value < other.begin; });
  if (above == ranges_.begin()) return std::nullopt;
  return static_cast<std::size_t>(above - ranges_.begin()) - 1;
}

const Allocation* Memory::find(std::uint64_t address, std::uint64_t bytes) const {
  const auto index = range_at(address);
  if (!index) return nullptr;
  const Range& range = ranges_[*index];
  if (address >= range.end || bytes > range.end - address) return nullptr;
  const Allocation* found = allocations_[range.number].get();
  return found->is_freed ? nullptr : found;
}

Allocation* Memory::find(std::uint64_t address, std::uint64_t bytes) {
  return const_cast<Allocation*>(std::as_const(*this).find(address, bytes));
}

const Allocation* Memory::nearest(std::uint64_t address) const {
  const auto index = range_at(address);
  const Allocation* best = nullptr;
  std::uint64_t distance = kNear;
  if (index) {
    const Range& below = ranges_[*index];
    const std::uint64_t after = address < below.end ? 0 : address - below.end;
    if (after < distance) {
      best = allocations_[below.number].get();
      distance = after;
    }
  }
  const std::size_t next = index ? *index + 1 : 0;
  if (next < ranges_.size() && ranges_[next].begin - address < distance) {
    best = allocations_[ranges_[next].number].get();
  }
  return best;
}

std::uint8_t* Memory::host_pointer(std::uint64_t address, std::uint64_t bytes) {
  Allocation* found = find(address, bytes);
  return found == nullptr ? nullptr : found->data + (address - found->address);
}

void Memory::host_wrote(std::uint64_t address, std::uint64_t bytes) {
  Allocation* found = find(address, bytes);
  if (found == nullptr || bytes == 0) return;
  if (bytes == found->bytes) {
    found->is_initialised = true;
    found->stored = {};
  }
  if (!found->is_initialised) found->mark_stored(address - found->address, bytes);
  if (observer_ != nullptr) observer_->host_wrote(address, bytes);
}

bool Memory::has_host_memory() const {
  return std::ranges::any_of(allocations_,
                             [](const auto& one) { return one->kind == AllocationKind::Host && !one->is_freed; });
}

void Memory::drop_complete() {
  for (const auto& allocation : allocations_) {
    if (allocation->is_freed || allocation->is_initialised || allocation->bytes % 8 != 0) continue;
    const auto& stored = allocation->stored;
    const bool is_complete = std::all_of(stored.begin(), stored.end(), [](std::uint8_t bits) { return bits == 0xff; });
    if (!is_complete) continue;
    allocation->is_initialised = true;
    allocation->stored = {};
  }
}

bool Memory::copy_to_device(std::uint64_t to, const void* from, std::uint64_t bytes) {
  std::uint8_t* target = host_pointer(to, bytes);
  if (target == nullptr) return false;
  std::memmove(target, from, bytes);
  host_wrote(to, bytes);
  return true;
}

bool Memory::copy_to_host(void* to, std::uint64_t from, std::uint64_t bytes) const {
  const Allocation* found = find(from, bytes);
  if (found == nullptr) return false;
  std::memmove(to, found->data + (from - found->address), bytes);
  return true;
}

bool Memory::copy_on_device(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  const std::uint8_t* source = host_pointer(from, bytes);
  return source != nullptr && copy_to_device(to, source, bytes);
}

bool Memory::set(std::uint64_t to, std::uint8_t value, std::uint64_t bytes) {
  std::uint8_t* target = host_pointer(to, bytes);
  if (target == nullptr) return false;
  std::memset(target, value, bytes);
  host_wrote(to, bytes);
  return true;
}

bool Memory::is_device_address(std::uint64_t address) {
  return address >= kFirstDeviceAddress && address < 2 * kFirstDeviceAddress;
}

AccessFault Memory::why_not(std::uint64_t address, std::uint64_t bytes) const {
  const auto index = range_at(address);
  if (index) {
    const Range& range = ranges_[*index];
    if (address < range.end && bytes <= range.end - address && allocations_[range.number]->is_freed) {
      return AccessFault::UseAfterFree;
    }
  }
  if (!is_device_address(address) && nearest(address) == nullptr) return AccessFault::NotDevice;
  return AccessFault::OutOfBounds;
}

}  // namespace ambit::virtual_gpu
