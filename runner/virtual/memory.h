#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ambit::virtual_gpu {

class Observer;

/// Device addresses begin here, above all host addresses of x86-64, so that a host pointer is never a device address.
/// Device addresses are below 2^48, so that programs can keep tags in the upper 16 bits of pointers.
inline constexpr std::uint64_t kFirstDeviceAddress = std::uint64_t{1} << 47U;

/// The purpose of an allocation.
enum class AllocationKind : std::uint8_t {
  Device,    ///< cudaMalloc
  Variable,  ///< a __device__ variable of a module
  Constant,  ///< a __constant__ variable of a module, which kernels may only read
  Host,      ///< host memory that kernels may access (pinned, managed), at its host address
  Heap,      ///< malloc in a kernel
};

/// A piece of device memory. The number of an allocation is its index in Memory. Numbers are not reused.
struct Allocation {
  std::uint32_t number = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint8_t* data = nullptr;  ///< the allocation's bytes in host memory; null after the allocation is freed
  AllocationKind kind = AllocationKind::Device;
  bool is_freed = false;
  bool is_initialised = false;  ///< every byte has been written, so `stored` is unused
  std::string name;             ///< name of a variable, otherwise empty
  std::string place;            ///< place of the allocation as given by the caller: "app.cu:12"; empty if unknown
  std::string freed_place;
  /// For each byte, a bit that is set if the byte has been written since the allocation. Empty if is_initialised.
  std::vector<std::uint8_t> stored;

  /// Sets bits of `stored`; must not be called if is_initialised.
  void mark_stored(std::uint64_t offset, std::uint64_t count);
};

/// The reason why an access cannot be performed.
enum class AccessFault : std::uint8_t { OutOfBounds, UseAfterFree, Misaligned, ReadOnly, NotDevice };

/// The global memory of a device: allocations at distinct addresses with gaps between them. Addresses are never reused.
/// Not thread safe.
class Memory {
 public:
  /// `capacity` is the number of bytes that all allocations together may have.
  explicit Memory(std::uint64_t capacity);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  /// Sets the observer of allocations, frees and stores by the host; null removes it. The observer must outlive the
  /// memory or be replaced.
  void set_observer(Observer* observer) { observer_ = observer; }

  /// Allocates `bytes` bytes (0 counts as 1) and returns their address, which is aligned to 512 bytes. Fills the bytes
  /// with kFreshByte. Returns 0 if the capacity is not sufficient.
  std::uint64_t allocate(std::uint64_t bytes, AllocationKind kind, std::string place, std::string name = {});
  /// Like allocate(), but the host can access the bytes at the same address (__managed__ variables), and the bytes are
  /// 0.
  std::uint64_t allocate_managed(std::uint64_t bytes, std::string name);
  /// Makes host memory accessible to kernels at its own address. The caller frees the memory after `release`. The
  /// memory counts as initialised. Returns false if the range overlaps another allocation.
  bool adopt(void* host, std::uint64_t bytes, std::string place);
  /// Frees the allocation that begins at `address`. Returns false if no live allocation begins there.
  bool release(std::uint64_t address, std::string place);

  /// Returns the live or freed allocation that contains `address`. If there is no such allocation, returns the nearest
  /// allocation below or above, or null if no allocation is near. Reports use this function.
  const Allocation* nearest(std::uint64_t address) const;
  /// Returns the live allocation that contains all of [address, address + bytes), or null.
  Allocation* find(std::uint64_t address, std::uint64_t bytes);
  const Allocation* find(std::uint64_t address, std::uint64_t bytes) const;
  /// Returns the allocation with number `number`. Numbers begin at 0. A freed allocation keeps its record.
  const Allocation& allocation(std::uint32_t number) const { return *allocations_[number]; }
  std::uint32_t allocation_count() const { return static_cast<std::uint32_t>(allocations_.size()); }

  /// Returns a host pointer to [address, address + bytes), or null if the range is not inside one live allocation. A
  /// caller that writes through the pointer must then call host_wrote().
  std::uint8_t* host_pointer(std::uint64_t address, std::uint64_t bytes);
  /// Copies between host and device memory. Returns false if the device range is not inside one live allocation.
  bool copy_to_device(std::uint64_t to, const void* from, std::uint64_t bytes);
  bool copy_to_host(void* to, std::uint64_t from, std::uint64_t bytes) const;
  bool copy_on_device(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
  bool set(std::uint64_t to, std::uint8_t value, std::uint64_t bytes);
  /// Marks bytes as initialised and notifies the observer.
  void host_wrote(std::uint64_t address, std::uint64_t bytes);

  /// Drops Allocation::stored of all allocations whose bytes have all been written.
  void drop_complete();

  /// Returns whether the host can access one of the allocations directly.
  bool has_host_memory() const;
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t bytes_in_use() const { return in_use_; }
  /// Returns whether the address is in memory that allocate() returned, not in adopted host memory.
  static bool is_device_address(std::uint64_t address);

  /// Returns why [address, address + bytes) cannot be accessed. Requires that find() returns null for this range.
  AccessFault why_not(std::uint64_t address, std::uint64_t bytes) const;

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t number = 0;
  };
  /// Returns the index in ranges_ of the last range that begins at or below `address`, if any.
  std::optional<std::size_t> range_at(std::uint64_t address) const;
  Allocation& add(std::uint64_t address, std::uint64_t bytes, AllocationKind kind);

  std::uint64_t capacity_;
  std::uint64_t in_use_ = 0;
  std::uint64_t next_address_ = kFirstDeviceAddress;
  std::vector<std::unique_ptr<Allocation>> allocations_;
  std::vector<void*> managed_;  ///< memory that allocate_managed() has allocated
  /// Address ranges, sorted by their begin. The ranges include freed device memory, but not freed host memory.
  std::vector<Range> ranges_;
  Observer* observer_ = nullptr;
};

/// The contents of new device memory and shared memory. The value is neither 0 nor part of a plausible number or
/// address.
inline constexpr std::uint8_t kFreshByte = 0xcd;

}  // namespace ambit::virtual_gpu
