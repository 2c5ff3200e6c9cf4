#include "runner/virtual/memory.h"

#include <gtest/gtest.h>

#include "runner/virtual/observer.h"

namespace ambit::virtual_gpu {
namespace {

TEST(DeviceMemory, AddressesAreNotHostPointersAndNeverUsedTwice) {
  Memory memory(1U << 20U);
  const std::uint64_t first = memory.allocate(100, AllocationKind::Device, "a.cu:1");
  EXPECT_TRUE(Memory::is_device_address(first));
  EXPECT_EQ(first % 256, 0U);
  EXPECT_TRUE(memory.release(first, "a.cu:2"));
  const std::uint64_t second = memory.allocate(100, AllocationKind::Device, "a.cu:3");
  EXPECT_GT(second, first + 100);
  EXPECT_EQ(memory.bytes_in_use(), 100U);
}

TEST(DeviceMemory, FindsTheAllocationThatHoldsARange) {
  Memory memory(1U << 20U);
  const std::uint64_t address = memory.allocate(100, AllocationKind::Device, "a.cu:1");
  EXPECT_NE(memory.find(address, 100), nullptr);
  EXPECT_NE(memory.find(address + 99, 1), nullptr);
  EXPECT_EQ(memory.find(address + 99, 2), nullptr);
  EXPECT_EQ(memory.find(address - 1, 1), nullptr);
  EXPECT_EQ(memory.nearest(address + 150)->number, 0U);
  EXPECT_EQ(memory.why_not(address + 100, 4), AccessFault::OutOfBounds);
  EXPECT_EQ(memory.why_not(0, 4), AccessFault::NotDevice);
  memory.release(address, "a.cu:2");
  EXPECT_EQ(memory.find(address, 1), nullptr);
  EXPECT_EQ(memory.why_not(address, 4), AccessFault::UseAfterFree);
  EXPECT_EQ(memory.nearest(address)->freed_place, "a.cu:2");
}

TEST(DeviceMemory, RefusesWhatDoesNotFit) {
  Memory memory(1000);
  EXPECT_EQ(memory.allocate(1001, AllocationKind::Device, ""), 0U);
  EXPECT_NE(memory.allocate(1000, AllocationKind::Device, ""), 0U);
  EXPECT_EQ(memory.allocate(1, AllocationKind::Device, ""), 0U);
  EXPECT_EQ(memory.allocate(~std::uint64_t{0}, AllocationKind::Device, ""), 0U);
}

TEST(DeviceMemory, FreshMemoryIsNeitherZeroNorInitialised) {
  Memory memory(1U << 20U);
  const std::uint64_t address = memory.allocate(16, AllocationKind::Device, "");
  std::uint32_t value = 0;
  EXPECT_TRUE(memory.copy_to_host(&value, address, 4));
  EXPECT_EQ(value, 0xcdcdcdcdU);
  EXPECT_FALSE(memory.allocation(0).is_initialised);
  EXPECT_TRUE(memory.set(address + 4, 0, 8));
  EXPECT_EQ(memory.allocation(0).stored[0], 0xf0);
  EXPECT_EQ(memory.allocation(0).stored[1], 0x0f);
  EXPECT_TRUE(memory.set(address, 0, 16));
  EXPECT_TRUE(memory.allocation(0).is_initialised);
}

TEST(DeviceMemory, CopiesStayInsideOneAllocation) {
  Memory memory(1U << 20U);
  const std::uint64_t a = memory.allocate(8, AllocationKind::Device, "");
  const std::uint64_t b = memory.allocate(8, AllocationKind::Device, "");
  const std::uint64_t value = 0x1122334455667788;
  EXPECT_TRUE(memory.copy_to_device(a, &value, 8));
  EXPECT_TRUE(memory.copy_on_device(b, a, 8));
  std::uint64_t read = 0;
  EXPECT_TRUE(memory.copy_to_host(&read, b, 8));
  EXPECT_EQ(read, value);
  EXPECT_FALSE(memory.copy_to_device(a + 1, &value, 8));
  EXPECT_FALSE(memory.copy_to_host(&read, b + 4, 8));
  EXPECT_FALSE(memory.set(a, 0, 9));
}

TEST(DeviceMemory, AdoptsHostMemoryAtItsOwnAddress) {
  Memory memory(1U << 20U);
  std::vector<std::uint32_t> host(10, 7);
  const auto address = reinterpret_cast<std::uint64_t>(host.data());
  EXPECT_TRUE(memory.adopt(host.data(), 40, "main.cu:3"));
  EXPECT_FALSE(memory.adopt(host.data() + 9, 40, "main.cu:4"));
  EXPECT_EQ(memory.host_pointer(address + 4, 4), reinterpret_cast<std::uint8_t*>(host.data() + 1));
  EXPECT_TRUE(memory.release(address, ""));
  EXPECT_TRUE(memory.adopt(host.data(), 40, "main.cu:5"));
}

class Recorder : public Observer {
 public:
  void allocated(std::uint32_t number, std::uint64_t, std::uint64_t bytes) override {
    words += "allocated " + std::to_string(number) + " " + std::to_string(bytes) + "\n";
  }
  void freed(std::uint32_t number) override { words += "freed " + std::to_string(number) + "\n"; }
  void host_wrote(std::uint64_t, std::uint64_t bytes) override { words += "wrote " + std::to_string(bytes) + "\n"; }
  std::string words;
};

TEST(DeviceMemory, NotifiesTheObserver) {
  Memory memory(1U << 20U);
  Recorder recorder;
  memory.set_observer(&recorder);
  const std::uint64_t address = memory.allocate(8, AllocationKind::Device, "");
  memory.set(address, 1, 4);
  memory.release(address, "");
  EXPECT_EQ(recorder.words, "allocated 0 8\nwrote 4\nfreed 0\n");
}

}  // namespace
}  // namespace ambit::virtual_gpu
