// A CUDA program that is built without nvcc. The fat binary of this program contains kernels.ptx. This file replaces
// the host code that nvcc would generate. The program runs the kernels that its arguments name.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/exec/fat_binary.h"

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};

// Declarations of the runtime functions that this program uses, copied from the documentation of CUDA.
extern "C" {
int cudaMalloc(void** pointer, std::size_t bytes);
int cudaFree(void* pointer);
int cudaMemset(void* pointer, int value, std::size_t bytes);
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind);
int cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared, void* stream);
int cudaDeviceSynchronize();
int cudaStreamCreate(void** stream);
int cudaStreamDestroy(void* stream);
int cudaStreamWaitEvent(void* stream, void* event, unsigned flags);
int cudaMemsetAsync(void* pointer, int value, std::size_t bytes, void* stream);
int cudaEventCreate(void** event);
int cudaEventRecord(void* event, void* stream);
int cudaEventDestroy(void* event);
const char* cudaGetErrorName(int error);
int cudaGraphCreate(void* graph, unsigned flags);
int cudaRuntimeGetVersion(int* version);
int cudaGetDeviceProperties(void* properties, int device);
int cudaGetDeviceProperties_v2(void* properties, int device);
}

asm(".section .rodata\n"
    ".global ambit_test_ptx\n"
    "ambit_test_ptx: .incbin \"" AMBIT_TEST_PTX
    "\"\n"
    ".byte 0\n"
    ".text\n");
extern "C" const char ambit_test_ptx[];

namespace {

// Stubs: only their addresses matter.
char hand_over, rotate, behind_the_end, spin, count, flag;

void check(int error, const char* what) {
  if (error == 0) return;
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  std::fflush(stdout);
  std::exit(5);
}

void launch(const char& stub, unsigned blocks, unsigned threads, std::vector<void*> arguments) {
  check(cudaLaunchKernel(&stub, Dim3{blocks}, Dim3{threads}, arguments.data(), 0, nullptr), "launch");
  check(cudaDeviceSynchronize(), "kernel");
}

/// Submits work to two streams. `word` selects the work on the second stream, and the synchronisation that orders this
/// work after the work on the first stream.
void run_on_streams(const std::string& word, int* memory) {
  void* streams[2];
  void* event = nullptr;
  for (void*& stream : streams) check(cudaStreamCreate(&stream), "stream");
  check(cudaEventCreate(&event), "event");
  int is_on = 1;
  void* arguments[] = {&memory, &is_on};
  const auto rotate_on = [&](void* stream) {
    check(cudaLaunchKernel(&rotate, Dim3{1}, Dim3{64}, arguments, 0, stream), "launch");
  };
  rotate_on(streams[0]);
  check(cudaEventRecord(event, streams[0]), "record");
  if (word == "streams-event") check(cudaStreamWaitEvent(streams[1], event, 0), "wait");
  if (word == "streams-synchronize") check(cudaDeviceSynchronize(), "synchronize");
  if (word == "streams-set") check(cudaMemsetAsync(memory, 0, 64, streams[1]), "set");
  if (word == "streams-default") rotate_on(nullptr);
  if (word != "streams-set") rotate_on(streams[1]);
  check(cudaDeviceSynchronize(), "kernel");
  for (void* stream : streams) check(cudaStreamDestroy(stream), "stream");
  check(cudaEventDestroy(event), "event");
}

/// Prints the library's version. For each of the two functions that write a cudaDeviceProp, prints the number of bytes
/// written, and the number of processors. The number of processors is at byte 388 of the structure in versions 11 and
/// 12, and at byte 384 in version 13.
void print_version() {
  int version = 0;
  check(cudaRuntimeGetVersion(&version), "version");
  std::printf("version %d", version / 1000);
  for (const auto function : {&cudaGetDeviceProperties, &cudaGetDeviceProperties_v2}) {
    std::vector<unsigned char> properties(2048, 0x55);
    check(function(properties.data(), 0), "properties");
    std::size_t written = properties.size();
    while (properties[written - 1] == 0x55) --written;
    int processors = 0;
    std::memcpy(&processors, properties.data() + (version < 13000 ? 388 : 384), sizeof processors);
    std::printf(", %zu bytes, %d processors", written, processors);
  }
  std::printf("\n");
}

void run(const std::string& word, int* memory) {
  if (word.starts_with("streams")) return run_on_streams(word, memory);

  int is_on = 1;
  int is_off = 0;
  if (word == "hand-over") launch(hand_over, 2, 64, {&memory, &is_off});
  if (word == "hand-over-narrow") launch(hand_over, 2, 64, {&memory, &is_on});
  if (word == "rotate") launch(rotate, 1, 64, {&memory, &is_on});
  if (word == "rotate-racy") launch(rotate, 1, 64, {&memory, &is_off});
  if (word == "behind-the-end") launch(behind_the_end, 1, 8, {&memory});
  if (word == "spin") launch(spin, 1, 2, {});
  if (word == "count") launch(count, 1, 2, {});
  if (word == "set-flag") check(cudaMemcpyToSymbol(&flag, &is_on, sizeof is_on, 0, 1), "symbol");
  if (word == "clear-flag") check(cudaMemcpyToSymbol(&flag, &is_off, sizeof is_off, 0, 1), "symbol");
  if (word == "graph") std::printf("graph: %s\n", cudaGetErrorName(cudaGraphCreate(nullptr, 0)));
  if (word == "version") print_version();
  if (word == "crash") std::abort();
  if (word == "exit-7") std::exit(7);
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_machine_code = argc > 1 && std::strcmp(argv[1], "machine-code") == 0;
  const std::string binary = is_machine_code ? fat_binary(2, "machine code") : fat_binary(1, ambit_test_ptx);
  Wrapper wrapper;
  wrapper.data = binary.data();
  void** handle = __cudaRegisterFatBinary(&wrapper);
  const auto add = [&](const char& stub, const char* name) {
    __cudaRegisterFunction(handle, &stub, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  };
  add(hand_over, "hand_over");
  add(rotate, "rotate");
  add(behind_the_end, "behind_the_end");
  add(spin, "spin");
  add(count, "count");
  __cudaRegisterVar(handle, &flag, nullptr, "flag", 0, sizeof(int), 0, 0);
  __cudaRegisterFatBinaryEnd(handle);

  void* memory = nullptr;
  check(cudaMalloc(&memory, 64 * sizeof(int)), "cudaMalloc");
  check(cudaMemset(memory, 0, 64 * sizeof(int)), "cudaMemset");
  for (int i = 1; i < argc; ++i) run(is_machine_code ? "rotate" : argv[i], static_cast<int*>(memory));
  int first = 0;
  check(cudaMemcpy(&first, memory, sizeof first, 2), "cudaMemcpy");
  check(cudaFree(memory), "cudaFree");
  std::printf("first: %d\n", first);
  return 0;
}
