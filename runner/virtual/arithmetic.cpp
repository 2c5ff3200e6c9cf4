#include "runner/virtual/arithmetic.h"

#include "runner/virtual/address_scan.h"

namespace ambit::virtual_gpu {
namespace {

/// Returns whether the processor executes code for x86-64-v3 (AVX2, FMA).
bool has_version3() {
#if defined(AMBIT_HAS_VERSION3)
  static const bool has =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  return has;
#else
  return false;
#endif
}

using Scan = AddressScan (*)(const AddressQuestion&, std::uint64_t*);

Scan best_scan() {
#if defined(AMBIT_HAS_VERSION3)
  if (has_version3()) return version3::scan;
#endif
  return baseline::scan;
}

const Scan kScan = best_scan();

}  // namespace

AddressScan scan(const AddressQuestion& question, std::uint64_t* addresses) { return kScan(question, addresses); }

Execute find_integer(const ArithmeticKey& key) {
#if defined(AMBIT_HAS_VERSION3)
  if (has_version3()) return version3::find_integer(key);
#endif
  return baseline::find_integer(key);
}

Execute find_float(const ArithmeticKey& key) {
#if defined(AMBIT_HAS_VERSION3)
  if (has_version3()) return version3::find_float(key);
#endif
  return baseline::find_float(key);
}

}  // namespace ambit::virtual_gpu
