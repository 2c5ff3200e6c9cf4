#include "parser/litmus/launch_sizes.h"

#include <fmt/format.h>

#include <span>

namespace ambit::parser::litmus {
namespace {

using Triple = ThreadSetting::Triple;

constexpr std::uint64_t kMaxDimension = 0x7fffffff;  // CUDA's limit for gridDim.x

std::optional<std::uint32_t> read_size(const ExprNode& node, MemoryTable& memory, Reporter& reporter) {
  const std::optional<Expr> size = fold_constant(node, memory);
  if (!size) {
    reporter.error(node.span, "the size of a launch must be a constant",
                   "write a number, dim3(x, y, z) or (x, y, z) for the blocks and for the threads of a block");
    return std::nullopt;
  }
  const auto value = static_cast<std::uint64_t>(size->constant);
  if (size->constant == 0 || (size->constant < 0 && size->result_type().is_signed)) {
    reporter.error(node.span, "a launch needs at least one block and one thread in each dimension");
    return std::nullopt;
  }
  if (value > kMaxDimension) {
    reporter.error(node.span,
                   fmt::format("the size {} of this launch is above CUDA's limit of {}", value, kMaxDimension));
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(value);
}

std::optional<Triple> read_triple(const ExprNode& node, MemoryTable& memory, Reporter& reporter) {
  const bool is_dim3 = node.kind == ExprKind::Call && node.children.front().name == "dim3";
  const auto sizes = is_dim3                        ? std::span(node.children).subspan(1)
                     : node.kind == ExprKind::Comma ? std::span(node.children)
                                                    : std::span(&node, 1);
  if (sizes.empty() || sizes.size() > 3) {
    reporter.error(node.span, is_dim3 ? "'dim3' takes 1 to 3 sizes" : "a launch has 1 to 3 sizes in parentheses");
    return std::nullopt;
  }
  Triple triple = {1, 1, 1};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::optional<std::uint32_t> size = read_size(sizes[i], memory, reporter);
    if (!size) return std::nullopt;
    triple[i] = *size;
  }
  return triple;
}

}  // namespace

std::optional<LaunchSizes> read_launch_sizes(const LaunchNode& node, MemoryTable& memory, Reporter& reporter) {
  if (node.dimensions.size() != 2 && node.dimensions.size() != 3) {
    reporter.error(node.dimensions.size() > 3 ? node.dimensions[3].span : node.dimensions.back().span,
                   "expected <<<blocks, threads>>> or <<<blocks, threads, bytes of shared memory>>>");
    return std::nullopt;
  }
  LaunchSizes sizes;
  if (node.dimensions.size() == 3) {
    const std::optional<Expr> size = fold_constant(node.dimensions[2], memory);
    if (!size || size->constant < 0) {
      reporter.error(node.dimensions[2].span, "the size of the shared memory must be a constant number of bytes");
      return std::nullopt;
    }
    sizes.shared_bytes = size->constant;
  }
  const std::optional<Triple> grid = read_triple(node.dimensions[0], memory, reporter);
  const std::optional<Triple> block = read_triple(node.dimensions[1], memory, reporter);
  if (!grid || !block) return std::nullopt;
  sizes.grid = *grid;
  sizes.block = *block;
  return sizes;
}

}  // namespace ambit::parser::litmus
