// Fat binaries, and their registration at the start of a program that nvcc made.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

// The registration functions of the runtime, as nvcc's generated code calls them.
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const char* stub, char* device_function, const char* name, int limit,
                            void* tid, void* bid, void* block, void* grid, int* warp_size);
void __cudaRegisterVar(void** handle, char* variable, char* address, const char* name, int is_extern, std::size_t size,
                       int is_constant, int is_global);
}

template <typename T>
inline void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Builds a fat binary with one plain entry. `kind` is 1 for PTX and 2 for machine code.
inline std::string fat_binary(unsigned short kind, const std::string& payload) {
  std::string entry;
  append<unsigned short>(entry, kind);
  append<unsigned short>(entry, 0x101);
  append<unsigned>(entry, 64);
  append<unsigned long>(entry, payload.size());
  append<unsigned long>(entry, 0);
  append<unsigned>(entry, 0x00010008);
  append<unsigned>(entry, 90);
  append<unsigned long>(entry, 0);
  append<unsigned long>(entry, 0x11);
  append<unsigned long>(entry, 0);
  append<unsigned long>(entry, 0);
  std::string bytes;
  append<unsigned>(bytes, 0xba55ed50);
  append<unsigned>(bytes, 0x00100001);
  append<unsigned long>(bytes, entry.size() + payload.size());
  return bytes + entry + payload;
}

struct Wrapper {
  unsigned magic = 0x466243b1;
  unsigned version = 1;
  const void* data = nullptr;
  const void* file_name = nullptr;
};

/// Registers a file of PTX as the program's only binary.
inline void** register_ptx(const char* file) {
  static std::string binary;
  static Wrapper wrapper;
  std::ifstream stream(file == nullptr ? "" : file, std::ios::binary);
  if (!stream) {
    std::fprintf(stderr, "error: AMBIT_TEST_PTX names no file\n");
    std::exit(2);
  }
  std::stringstream text;
  text << stream.rdbuf();
  binary = fat_binary(1, text.str() + '\0');
  wrapper.data = binary.data();
  void** handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFatBinaryEnd(handle);
  return handle;
}
