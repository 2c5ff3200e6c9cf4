// Computes the elements of an array that a tensor copy accesses (PTX ISA, "Tensors"; cp.async.bulk.tensor, 9.7.9.27).

#include "parser/ptx/tensor_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ambit::parser::ptx {
namespace {

constexpr Value kMostBox = 256;    ///< largest number of elements in one dimension of a box
constexpr Value kTensorUnit = 16;  ///< strides and rows of the box must be multiples of this number of bytes

constexpr Value kMostProduct = Value{1} << 40;  ///< limit for products of sizes; larger than any array

Value product(const std::vector<Value>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), Value{1},
                         [](Value all, Value size) { return std::min(all * size, kMostProduct); });
}

}  // namespace

Value TensorShape::box_bytes() const { return product(box) * element_bytes; }

std::string TensorShape::flaw(Value length) const {
  const std::size_t rank = sizes.size();
  if (rank < 1 || rank > static_cast<std::size_t>(kMostDimensions))
    return fmt::format("a tensor has 1 to {} dimensions, not {}", kMostDimensions, rank);
  if (box.size() != rank) return fmt::format("the tensor has {} dimensions and the box {}", rank, box.size());
  for (std::size_t i = 0; i < rank; ++i) {
    if (sizes[i] < 1 || sizes[i] > length) return fmt::format("the array has {} elements", length);
    if (box[i] < 1 || box[i] > std::min(sizes[i], kMostBox)) {
      return fmt::format("the box has {} elements in dimension {}; it must have 1 to {}", box[i], i,
                         std::min(sizes[i], kMostBox));
    }
  }
  if (const Value all = product(sizes); all != length) {
    return fmt::format("the tensor has {}{} elements and the array {}", all == kMostProduct ? "at least " : "", all,
                       length);
  }
  if (row_bytes() % kTensorUnit != 0) {
    return fmt::format("the innermost dimension of the box has {} bytes: PTX requires a multiple of {}", row_bytes(),
                       kTensorUnit);
  }
  const bool has_stride = rank > 1;
  if (has_stride && sizes[0] * element_bytes % kTensorUnit != 0) {
    return fmt::format("the innermost dimension of the tensor has {} bytes: PTX requires a multiple of {}",
                       sizes[0] * element_bytes, kTensorUnit);
  }
  return {};
}

std::string TensorShape::box_flaw(const std::vector<Value>& coordinates) const {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (coordinates[i] >= 0 && coordinates[i] + box[i] <= sizes[i]) continue;
    return fmt::format(
        "the box exceeds the tensor in dimension {}: it begins at {} and has {} elements, but the tensor has {}", i,
        coordinates[i], box[i], sizes[i]);
  }
  return {};
}

std::vector<Value> TensorShape::rows(const std::vector<Value>& coordinates) const {
  std::vector<Value> found;
  std::vector<Value> row(sizes.size(), 0);  // coordinates of the current row in the box; row[0] stays 0
  while (true) {
    Value index = 0;
    for (std::size_t i = row.size(); i-- > 0;) index = index * sizes[i] + coordinates[i] + row[i];
    found.push_back(index);
    std::size_t next = 1;
    while (next < row.size() && ++row[next] == box[next]) row[next++] = 0;
    if (next >= row.size()) return found;
  }
}

}  // namespace ambit::parser::ptx
