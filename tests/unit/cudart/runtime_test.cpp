// Calls the functions of the runtime library as a program does.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "runner/cudart/abi.h"
#include "runner/cudart/device_properties.h"

extern "C" {
int cudaMalloc(void** pointer, std::size_t bytes);
int cudaMallocHost(void** pointer, std::size_t bytes);
int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
int cudaFree(void* pointer);
int cudaFreeHost(void* pointer);
int cudaMemset(void* pointer, int value, std::size_t bytes);
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
int cudaMemcpy_ptds(void* to, const void* from, std::size_t bytes, int kind);
int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                 std::size_t height, int kind);
int cudaMemGetInfo(std::size_t* free, std::size_t* total);
int cudaGetLastError();
int cudaPeekAtLastError();
int cudaGraphCreate(void* graph, unsigned flags);
int cudaGetDeviceProperties(void* properties, int device);
int cudaPointerGetAttributes(void* attributes, const void* pointer);
int cudaLaunchKernel(const void* function, ambit::cudart::Dim3 grid, ambit::cudart::Dim3 block, void** arguments,
                     std::size_t shared, void* stream);
int cudaEventCreate(void** event);
int cudaEventRecord(void* event, void* stream);
int cudaEventElapsedTime(float* milliseconds, void* first, void* second);
int cudaEventDestroy(void* event);
const char* cudaGetErrorName(int error);
const char* cudaGetErrorString(int error);
}

namespace ambit::cudart {
namespace {

TEST(Runtime, DeviceMemoryIsSeparate) {
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
  EXPECT_GE(reinterpret_cast<std::uintptr_t>(memory), std::uintptr_t{1} << 47U);
  std::array<int, 4> numbers{1, 2, 3, 4};
  EXPECT_EQ(cudaMemcpy(memory, numbers.data(), sizeof numbers, HostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(memory, 0xff, 4), cudaSuccess);
  EXPECT_EQ(cudaMemcpy_ptds(numbers.data(), memory, sizeof numbers, Default), cudaSuccess);
  EXPECT_EQ(numbers, (std::array<int, 4>{-1, 2, 3, 4}));
  // These calls return errors: a copy in the wrong direction, a copy past the end, and freeing memory twice.
  EXPECT_EQ(cudaMemcpy(numbers.data(), memory, 4, HostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(memory, numbers.data(), 65, HostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  cudaGetLastError();
}

TEST(Runtime, MoreMemoryThanThereIs) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, std::size_t{100} << 30U), cudaErrorMemoryAllocation);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_GT(free, 0U);
  EXPECT_LE(free, total);
}

TEST(Runtime, RowsAndPinnedMemory) {
  void* memory = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&memory, &pitch, 12, 3), cudaSuccess);
  EXPECT_EQ(pitch, 512U);
  std::array<int, 9> from{1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::array<int, 9> to{};
  EXPECT_EQ(cudaMemcpy2D(memory, pitch, from.data(), 12, 12, 3, HostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(to.data(), 12, memory, pitch, 12, 3, DeviceToHost), cudaSuccess);
  EXPECT_EQ(from, to);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  void* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  *static_cast<int*>(pinned) = 5;
  std::array<std::uint64_t, 12> attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(attributes.data(), pinned), cudaSuccess);
  EXPECT_EQ(static_cast<int>(attributes[0]), 1);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST(Runtime, ErrorsHaveNames) {
  EXPECT_STREQ(cudaGetErrorName(700), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(0), "no error");
  EXPECT_STREQ(cudaGetErrorName(12345), "unrecognized error code");
  EXPECT_EQ(cudaGraphCreate(nullptr, 0), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
  int not_a_kernel = 0;
  EXPECT_EQ(cudaLaunchKernel(&not_a_kernel, {}, {}, nullptr, 0, nullptr), cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
}

// The offsets of version 13 are from the documentation of CUDA.
TEST(Runtime, PropertiesAreAtTheirDocumentedOffsets) {
  using New = DeviceProperties<false>;
  EXPECT_EQ(offsetof(New, memory), 288U);
  EXPECT_EQ(offsetof(New, processors), 384U);
  EXPECT_EQ(offsetof(New, surface_alignment), 552U);
  EXPECT_EQ(offsetof(New, shared_of_block_on_request), 672U);
  EXPECT_EQ(sizeof(DeviceProperties<true>), 728U);
  // In version 13, cudaDeviceProp has 1008 bytes. The bytes after the structure keep their values.
  struct {
    New known;
    unsigned char rest[1008 - sizeof(New)];
    unsigned char after;
  } all;
  std::memset(&all, 0x55, sizeof all);
  EXPECT_EQ(cudaGetDeviceProperties(&all, 0), cudaSuccess);
  EXPECT_EQ(all.rest[0], 0);
  EXPECT_EQ(all.rest[sizeof all.rest - 1], 0);
  EXPECT_EQ(all.after, 0x55);
  const New& properties = all.known;
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(std::string(properties.name), "Ambit virtual GPU");
}

TEST(Runtime, EventsAreMoments) {
  void* first = nullptr;
  void* second = nullptr;
  ASSERT_EQ(cudaEventCreate(&first), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&second), cudaSuccess);
  float milliseconds = -1;
  EXPECT_NE(cudaEventElapsedTime(&milliseconds, first, second), cudaSuccess);
  cudaGetLastError();
  EXPECT_EQ(cudaEventRecord(first, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(second, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, first, second), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  cudaEventDestroy(first);
  cudaEventDestroy(second);
}

}  // namespace
}  // namespace ambit::cudart
