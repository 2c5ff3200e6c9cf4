// Functions that describe the device ("Device Management" and "Version Management" in the runtime's manual). The only
// device is a virtual GPU with the limits of compute capability 9.0.

#include <algorithm>
#include <cstring>

#include "runner/cudart/device_properties.h"
#include "runner/cudart/session.h"

namespace ambit::cudart {

// Each shared library replaces this function by a function that returns the library's own version.
[[gnu::weak]] int library_version() { return 13; }

}  // namespace ambit::cudart

using namespace ambit::cudart;  // NOLINT: the functions below have C linkage

namespace {

Error wait_for_all() {
  Call call;
  call.session.watch().order().host_waits_for_all();
  return call.session.sticky() == cudaSuccess ? cudaSuccess : call.session.note(call.session.sticky());
}

/// Maps the numbers in cudaDeviceAttr to the values of the attributes.
constexpr int kAttributes[][2] = {
    {1, 1024},     {2, 1024},     {3, 1024},       {4, 64},          {5, 0x7fffffff}, {6, 65535},    {7, 65535},
    {8, 48 << 10}, {9, 64 << 10}, {10, 32},        {11, 0x7fffffff}, {12, 65536},     {13, 1000000}, {14, 512},
    {15, 1},       {16, 132},     {17, 0},         {18, 0},          {19, 1},         {20, 0},       {31, 1},
    {32, 0},       {33, 0},       {34, 0},         {35, 0},          {36, 1000000},   {37, 5120},    {38, 50 << 20},
    {39, 2048},    {40, 1},       {41, 1},         {50, 0},          {75, 9},         {76, 0},       {78, 1},
    {79, 1},       {80, 1},       {81, 228 << 10}, {82, 65536},      {83, 1},         {84, 0},       {86, 0},
    {87, 2},       {88, 0},       {89, 1},         {90, 1},          {91, 1},         {95, 1},       {97, 227 << 10},
    {99, 1},       {100, 0},      {101, 0},        {106, 32},        {111, 1024},     {115, 0},      {120, 1}};

// Sizes of cudaDeviceProp in bytes, from NVIDIA's headers.
constexpr std::size_t kPropertiesOf12 = 1032;
constexpr std::size_t kPropertiesOf13 = 1008;

/// Fills a cudaDeviceProp of `size` bytes.
template <bool kHasOld>
int fill_properties(void* properties, int device, std::size_t size) {
  if (device != 0) return Call().session.note(cudaErrorInvalidDevice);
  std::memset(properties, 0, size);
  *static_cast<DeviceProperties<kHasOld>*>(properties) =
      virtual_properties<kHasOld>(Call().session.memory().capacity());
  return cudaSuccess;
}

}  // namespace

extern "C" {

int cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
int cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
int cudaSetDevice(int device) { return device == 0 ? cudaSuccess : Call().session.note(cudaErrorInvalidDevice); }
int cudaInitDevice(int device, unsigned /*flags*/, unsigned /*which*/) { return cudaSetDevice(device); }
int cudaChooseDevice(int* device, const void* /*properties*/) {
  *device = 0;
  return cudaSuccess;
}
int cudaSetDeviceFlags(unsigned /*flags*/) { return cudaSuccess; }
int cudaGetDeviceFlags(unsigned* flags) {
  *flags = 0;
  return cudaSuccess;
}
int cudaDeviceSynchronize() { return wait_for_all(); }
int cudaDeviceReset() { return wait_for_all(); }

int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  if (device != 0) return Call().session.note(cudaErrorInvalidDevice);
  *value = 0;
  for (const auto& [number, known] : kAttributes) {
    if (number == attribute) *value = known;
  }
  return cudaSuccess;
}

// A program for version 11 or 12 that calls this function uses the structure of version 11.
int cudaGetDeviceProperties(void* properties, int device) {
  if (library_version() >= 13) return fill_properties<false>(properties, device, kPropertiesOf13);
  return fill_properties<true>(properties, device, sizeof(DeviceProperties<true>));
}
// The headers of version 12 define cudaGetDeviceProperties as a call of this function.
int cudaGetDeviceProperties_v2(void* properties, int device) {
  if (library_version() >= 13) return cudaGetDeviceProperties(properties, device);
  return fill_properties<true>(properties, device, kPropertiesOf12);
}

int cudaDeviceGetLimit(std::size_t* value, int limit) {
  constexpr std::size_t kLimits[] = {1024, 1U << 20U, 8U << 20U, 2, 2048, 64, 0};
  if (limit < 0 || limit > 6) return Call().session.note(cudaErrorUnsupportedLimit);
  Call call;
  *value = limit == 2 ? call.session.device().options().heap_bytes : kLimits[limit];
  if (limit == 0) *value = call.session.device().options().stack_bytes;
  return cudaSuccess;
}
int cudaDeviceSetLimit(int limit, std::size_t value) {
  if (limit < 0 || limit > 6) return Call().session.note(cudaErrorUnsupportedLimit);
  Call call;
  if (limit == 0) call.session.device().options().stack_bytes = value;
  if (limit == 2) call.session.device().options().heap_bytes = value;
  return cudaSuccess;
}
int cudaDeviceGetCacheConfig(int* configuration) {
  *configuration = 0;
  return cudaSuccess;
}
int cudaDeviceSetCacheConfig(int /*configuration*/) { return cudaSuccess; }
int cudaDeviceGetSharedMemConfig(int* configuration) {
  *configuration = 1;
  return cudaSuccess;
}
int cudaDeviceSetSharedMemConfig(int /*configuration*/) { return cudaSuccess; }
int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
int cudaDeviceCanAccessPeer(int* can, int /*device*/, int /*peer*/) {
  *can = 0;
  return cudaSuccess;
}
int cudaDeviceGetPCIBusId(char* text, int length, int /*device*/) {
  std::strncpy(text, "0000:00:00.0", static_cast<std::size_t>(std::max(length, 0)));
  return cudaSuccess;
}
int cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
int cudaProfilerStart() { return cudaSuccess; }
int cudaProfilerStop() { return cudaSuccess; }

int cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
int cudaRuntimeGetVersion(int* version) {
  constexpr int kNewest[] = {11080, 12090, 13000};
  *version = kNewest[std::clamp(library_version() - 11, 0, 2)];
  return cudaSuccess;
}

int cudaGetLastError() {
  Call call;
  return call.session.take_last_error();
}
int cudaPeekAtLastError() {
  Call call;
  return call.session.peek_last_error();
}

/// The unsupported functions of functions.txt call this function.
int ambit_cudart_not_supported(const char* function) {
  Call call;
  return call.session.not_supported(function);
}

}  // extern "C"
