// Simulates a CUDA driver and NVRTC without a GPU, for tests of campaigns. The "compiler" returns the instructions that
// the kernel marks, and returns the kernel's source as machine code. A "launch" makes up outcomes for the number of
// instances that the kernel would run. One instance in a hundred sees the flag. With scattered lanes
// (Parameters::scatter_percent), a few of the instances that see the flag miss the data. A test named `never` never
// misses the data. Tests named `hangs`, `dies` and `faults` do as their names say. The environment variable
// FAKE_CUDA_DEVICES sets the number of GPUs (default: one). If FAKE_CUDA_APART is set, no GPU can access another GPU's
// memory.

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <string>

#include "kernels/parameters.h"

namespace {

using ambit_kernel::Buffers;
using ambit_kernel::Parameters;
using Pointer = unsigned long long;

constexpr int kError = 700;

struct Program {
  std::string source;
  std::string ptx;
};

struct Module {
  std::string name;
  unsigned outcome_length = 1;
};

Module* loaded = nullptr;
bool is_poisoned = false;  ///< after a fault, the context returns only this error
double milliseconds = 0;
char contexts[8];  ///< one context for each device

/// Copies `text` as a C string.
void copy(const std::string& text, char* to) { to[text.copy(to, text.size())] = '\0'; }

void count(const Buffers& buffers, unsigned place, unsigned length, long long flag, long long data,
           unsigned long long runs) {
  if (runs == 0) return;
  buffers.keys[place] = place + 1;
  buffers.values[place * length] = flag;
  buffers.values[place * length + 1] = data;
  buffers.counts[place] += runs;
}

}  // namespace

#define FAKE extern "C" __attribute__((visibility("default"))) int

FAKE nvrtcVersion(int* major, int* minor) { return *major = 13, *minor = 0, 0; }
extern "C" __attribute__((visibility("default"))) const char* nvrtcGetErrorString(int) { return "fake"; }
FAKE nvrtcCreateProgram(void** program, const char* source, const char*, int, const char**, const char**) {
  *program = new Program{source, ""};
  return 0;
}
FAKE nvrtcDestroyProgram(void** program) { return delete static_cast<Program*>(*program), 0; }
FAKE nvrtcCompileProgram(void* handle, int, const char**) {
  auto* const program = static_cast<Program*>(handle);
  static const std::regex kMarked("asm volatile\\(\"([^\"]*// ambit P[0-9.]+)");
  for (std::sregex_iterator i(program->source.begin(), program->source.end(), kMarked), end; i != end; ++i) {
    program->ptx += (*i)[1].str() + "\n";
  }
  return 0;
}
FAKE nvrtcGetPTXSize(void* program, std::size_t* size) {
  return *size = static_cast<Program*>(program)->ptx.size() + 1, 0;
}
FAKE nvrtcGetPTX(void* program, char* to) { return copy(static_cast<Program*>(program)->ptx, to), 0; }
FAKE nvrtcGetCUBINSize(void* program, std::size_t* size) {
  return *size = static_cast<Program*>(program)->source.size() + 1, 0;
}
FAKE nvrtcGetCUBIN(void* program, char* to) { return copy(static_cast<Program*>(program)->source, to), 0; }
FAKE nvrtcGetProgramLogSize(void*, std::size_t* size) { return *size = 1, 0; }
FAKE nvrtcGetProgramLog(void*, char* to) { return *to = '\0', 0; }

FAKE cuGetErrorName(int, const char** name) { return *name = "FAKE", 0; }
FAKE cuGetErrorString(int, const char** text) { return *text = "a fault", 0; }
FAKE cuInit(unsigned) { return 0; }
FAKE cuDriverGetVersion(int* version) { return *version = 13000, 0; }
FAKE cuDeviceGetCount(int* devices) {
  const char* const count = std::getenv("FAKE_CUDA_DEVICES");
  return *devices = count == nullptr ? 1 : std::atoi(count), 0;
}
FAKE cuDeviceGet(int* device, int number) { return *device = number, 0; }
FAKE cuDeviceGetName(char* name, int, int) { return copy("Fake GPU", name), 0; }
FAKE cuDeviceGetAttribute(int* value, int attribute, int) {
  return *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 4, 0;
}
FAKE cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = std::size_t{1} << 30, 0; }
FAKE cuCtxCreate_v2(void** context, unsigned, int device) { return *context = &contexts[device], 0; }
FAKE cuCtxDestroy_v2(void*) { return 0; }
FAKE cuCtxSetCurrent(void*) { return 0; }
FAKE cuCtxSynchronize() { return 0; }
FAKE cuDeviceCanAccessPeer(int* can, int, int) { return *can = std::getenv("FAKE_CUDA_APART") == nullptr ? 1 : 0, 0; }
FAKE cuDeviceGetP2PAttribute(int* value, int, int, int) { return *value = 1, 0; }
FAKE cuCtxEnablePeerAccess(void*, unsigned) { return 0; }
FAKE cuStreamCreate(void** stream, unsigned) { return *stream = &milliseconds, 0; }
FAKE cuStreamDestroy_v2(void*) { return 0; }
FAKE cuModuleLoadDataEx(void** handle, const void* image, unsigned, const int*, void* const*) {
  const std::string source = static_cast<const char*>(image);
  auto* const module = new Module{source.substr(3, source.find(':') - 3), 1};
  static const std::regex kLength("kOutcomeLength = ([0-9]+)");
  if (std::smatch found; std::regex_search(source, found, kLength)) {
    module->outcome_length = static_cast<unsigned>(std::stoul(found[1]));
  }
  *handle = loaded = module;
  is_poisoned = is_poisoned || module->name == "faults";
  return is_poisoned ? kError : 0;
}
FAKE cuModuleUnload(void* module) { return delete static_cast<Module*>(module), 0; }
FAKE cuModuleGetFunction(void** function, void* module, const char*) { return *function = module, 0; }
FAKE cuMemAlloc_v2(Pointer* pointer, std::size_t bytes) {
  *pointer = reinterpret_cast<Pointer>(std::calloc(bytes, 1));
  return is_poisoned ? kError : 0;
}
FAKE cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  *pointer = std::calloc(bytes, 1);
  return is_poisoned ? kError : 0;
}
FAKE cuMemFreeHost(void* pointer) { return std::free(pointer), 0; }
FAKE cuMemFree_v2(Pointer pointer) { return std::free(reinterpret_cast<void*>(pointer)), 0; }
FAKE cuMemsetD8_v2(Pointer pointer, unsigned char value, std::size_t bytes) {
  std::memset(reinterpret_cast<void*>(pointer), value, bytes);
  return is_poisoned ? kError : 0;
}
FAKE cuMemcpyDtoH_v2(void* to, Pointer from, std::size_t bytes) {
  return std::memcpy(to, reinterpret_cast<const void*>(from), bytes), 0;
}
FAKE cuMemcpyHtoD_v2(Pointer to, const void* from, std::size_t bytes) {
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), 0;
}
FAKE cuLaunchKernelEx(const void*, void* function, void** arguments, void**) {
  const auto& module = *static_cast<const Module*>(function);
  const auto& parameters = *static_cast<const Parameters*>(arguments[0]);
  const auto& buffers = *static_cast<const Buffers*>(arguments[1]);
  if (parameters.gpu > 0) return 0;  // the first GPU reads all outcomes
  if (module.name == "hangs") pause();
  if (module.name == "dies") std::abort();
  const unsigned long long runs = 1ULL * parameters.groups * parameters.batch * parameters.slots * parameters.rounds;
  const bool is_weak = parameters.scatter_percent == 100 && module.name != "never";
  const unsigned long long weak = is_weak ? std::min(runs, 3ULL) : 0;
  const unsigned long long seen = (runs - weak) / 100;
  count(buffers, 0, module.outcome_length, 1, 0, weak);
  count(buffers, 1, module.outcome_length, 1, 1, seen);
  count(buffers, 2, module.outcome_length, 0, 0, runs - weak - seen);
  buffers.totals[0] += parameters.rounds;
  milliseconds += 0.2 * parameters.rounds;
  return 0;
}
FAKE cuTensorMapEncodeTiled(void*, int, unsigned, void*, const Pointer*, const Pointer*, const unsigned*,
                            const unsigned*, int, int, int, int) {
  return 0;
}
FAKE cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, std::size_t) {
  return *blocks = std::max(2048 / threads, 1), 0;
}
FAKE cuOccupancyMaxActiveClusters(int* clusters, void*, const void*) { return *clusters = 1, 0; }
FAKE cuMemGetAllocationGranularity(std::size_t* unit, const void*, int) { return *unit = 4096, 0; }
FAKE cuMemCreate(Pointer* memory, std::size_t, const void*, Pointer) { return *memory = 1, 0; }
FAKE cuMemRelease(Pointer) { return 0; }
FAKE cuMemAddressReserve(Pointer* pointer, std::size_t bytes, std::size_t, Pointer, Pointer) {
  return *pointer = reinterpret_cast<Pointer>(std::calloc(bytes, 1)), 0;
}
FAKE cuMemAddressFree(Pointer pointer, std::size_t) { return std::free(reinterpret_cast<void*>(pointer)), 0; }
FAKE cuMemMap(Pointer, std::size_t, std::size_t, Pointer, Pointer) { return 0; }
FAKE cuMemUnmap(Pointer, std::size_t) { return 0; }
FAKE cuMemSetAccess(Pointer, std::size_t, const void*, std::size_t) { return 0; }
FAKE cuEventCreate(void** event, unsigned) { return *event = &milliseconds, 0; }
FAKE cuEventRecord(void*, void*) { return 0; }
FAKE cuEventSynchronize(void*) { return usleep(static_cast<unsigned>(milliseconds * 1000)), 0; }
FAKE cuEventElapsedTime(float* elapsed, void*, void*) {
  *elapsed = static_cast<float>(milliseconds);
  return milliseconds = 0, 0;
}
