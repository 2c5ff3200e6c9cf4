// Finds the element types of bytes that copies and matrix fragments access.

#include <algorithm>
#include <numeric>

#include "base/wrapping.h"
#include "parser/compiled/thread_maker.h"
#include "parser/ptx/mbarrier_steps.h"

namespace ambit::parser::compiled {
namespace {

constexpr Value kLargestElement = 8;

assembly::Type type_of_size(Value bytes) {
  switch (bytes) {
    case 1: return assembly::Type::B8;
    case 2: return assembly::Type::B16;
    case 4: return assembly::Type::B32;
    default: return assembly::Type::B64;
  }
}

struct Range {
  Value begin = 0;
  Value bytes = 0;
  Value step = 0;
};

Value modulo(Value a, Value b) { return ((a % b) + b) % b; }

/// Returns whether the ranges may overlap. Each range may be moved by any multiple of its step.
bool may_overlap(const Range& a, const Range& b) {
  const Value period = std::gcd(a.step, b.step);
  if (period == 0) return a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
  const Value distance = modulo(b.begin - a.begin, period);
  return distance < a.bytes || period - distance < b.bytes;
}

bool has_valid_size(const RecordedBytes& bytes) { return bytes.bytes > 0 && bytes.bytes <= ptx::kMostTransactionBytes; }

/// Returns the largest element size that divides the number of bytes and their offset.
Value largest_element(const RecordedBytes& bytes) {
  const Value common = std::gcd(std::gcd(bytes.bytes, bytes.offset.constant), bytes.offset.step);
  return std::gcd(common, kLargestElement);
}

}  // namespace

void AccessRecords::divide_bytes() {
  std::vector<Value> sizes;
  for (const RecordedBytes& one : bytes) {
    Value size = has_valid_size(one) ? largest_element(one) : kLargestElement;
    const Range range = {one.offset.constant, one.bytes, one.offset.step};
    for (const RecordedAccess& access : (*this)[one.variable]) {
      const Range other = {access.offset.constant, assembly::bytes_of(access.type), access.offset.step};
      if (may_overlap(range, other)) size = std::min(size, other.bytes);
    }
    sizes.push_back(size);
  }
  const auto share = [&](std::size_t i, std::size_t j) {
    const bool differ = sizes[i] != sizes[j];
    sizes[i] = sizes[j] = std::min(sizes[i], sizes[j]);
    return differ;
  };
  const auto meet = [&](std::size_t i, std::size_t j) {
    const RecordedBytes& a = bytes[i];
    const RecordedBytes& b = bytes[j];
    return a.variable == b.variable &&
           may_overlap({a.offset.constant, a.bytes, a.offset.step}, {b.offset.constant, b.bytes, b.offset.step});
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i].source) changed = share(i, *bytes[i].source) || changed;
      for (std::size_t j = 0; j < i; ++j) {
        if (sizes[i] != sizes[j] && meet(i, j)) changed = share(i, j) || changed;
      }
    }
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const RecordedBytes& one = bytes[i];
    // A copy with an invalid size gets one element. Another function reports the invalid size.
    const Value end = has_valid_size(one) ? one.bytes : sizes[i];
    for (Value at = 0; at < end; at += sizes[i]) {
      ByteOffset offset = one.offset;
      offset.constant = wrapping_sum(offset.constant, at);
      (*this)[one.variable].push_back({offset, type_of_size(sizes[i]), false, one.span});
    }
  }
  bytes.clear();
}

}  // namespace ambit::parser::compiled
