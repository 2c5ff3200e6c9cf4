// Lowers functions of libcu++ that copy tensors: cuda::ptx::cp_async_bulk_tensor, cp_reduce_async_bulk_tensor, and
// their predecessors in cuda::device::experimental (<cuda/barrier>).

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "parser/litmus/libcu_async_lowering.h"

namespace ambit::parser::litmus {
namespace {

constexpr std::string_view kLoadTensorForm =
    "cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global, to, &map, coordinates, bar)";
constexpr std::string_view kStoreTensorForm =
    "cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_global, cuda::ptx::space_shared, &map, coordinates, from)";
constexpr std::string_view kReduceTensorForm =
    "cuda::ptx::cp_reduce_async_bulk_tensor(cuda::ptx::space_global, cuda::ptx::space_shared, cuda::ptx::op_add, &map, "
    "coordinates, from)";

}  // namespace

/// Returns the elements of an argument of type `const int32_t (&)[N]`: an array of the thread, or a list in braces. The
/// CUDA reader has rewritten a list in braces as a call.
std::optional<std::vector<Operand>> LibcuAsyncLowering::coordinates(const ExprNode& node) {
  if (node.kind == ExprKind::Call && node.children.front().name == "cuda::ptx::__coordinates") {
    std::vector<Operand> listed;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      listed.push_back(thread_.value(node.children[i]));
      if (listed.back().erroneous) return std::nullopt;
    }
    return listed;
  }
  Variable* array = places_.part_of_variable(node);
  if (array == nullptr || array->kind != Variable::Kind::Array) {
    return thread_.error(node.span, "expected an array with the coordinates of the box",
                         "declare it: const int32_t coordinates[2] = {x, y};");
  }
  if (array->erroneous) return std::nullopt;
  std::vector<Operand> values;
  for (const Variable* element : array->elements) {
    if (element->kind == Variable::Kind::Array) {
      return thread_.error(node.span, "the coordinates of the box must be an array of numbers");
    }
    values.push_back(thread_.variables.read(*element, node.span));
    if (values.back().erroneous) return std::nullopt;
  }
  return values;
}

Operand LibcuAsyncLowering::tensor_copy(std::string opcode, const std::vector<PtxOperand>& operands, std::size_t rank,
                                        SourceSpan span) {
  const std::size_t at = opcode.find("{n}");
  opcode.replace(at, 3, fmt::format("{}d", rank));
  return ptx_.execute(opcode, operands, span);
}

/// Lowers cp_async_bulk_tensor(space, space[, group], to, map, coordinates, bar[, mask]), cp_async_bulk_tensor(space,
/// space, map, coordinates, from) and cp_reduce_async_bulk_tensor(space, space, op, map, coordinates, from).
Operand LibcuAsyncLowering::ptx_tensor_function(const Call& call, bool reduces, const std::vector<std::string>& spaces,
                                                std::string_view op, std::string_view group,
                                                const std::vector<const ExprNode*>& values) {
  const std::string_view form = reduces ? kReduceTensorForm : kLoadTensorForm;
  if (spaces.size() != 2 || (reduces && op.empty())) {
    return thread_.error(
        call.node.span,
        fmt::format("'{}' needs {}", call.name, reduces ? "two state spaces and an operation" : "two state spaces"),
        fmt::format("the form is: {}", form));
  }
  const bool stores = reduces || spaces[0] == ".global";
  const std::size_t least = stores ? 3 : 4;
  const std::size_t most = stores ? 3 : 5;
  if (values.size() < least || values.size() > most) {
    return thread_.error(call.node.span,
                         fmt::format("'{}' takes {} operands after its tags, found {}", call.name,
                                     stores ? "3" : "4 or 5", values.size()),
                         fmt::format("the form is: {}", stores && !reduces ? kStoreTensorForm : form));
  }
  const std::size_t map = stores ? 0 : 1;
  const auto at = coordinates(*values[map + 1]);
  if (!at) return std::nullopt;
  const std::size_t rank = at->size();
  std::vector<PtxOperand> operands;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == map + 1) continue;
    PtxOperand operand{.operand = thread_.value(*values[i]), .span = values[i]->span};
    if (operand.operand.erroneous) return std::nullopt;
    operand.kind = i == map ? PtxOperand::Kind::Tensor : i < 4 ? PtxOperand::Kind::Address : PtxOperand::Kind::Value;
    if (i == map) operand.coordinates = *at;
    operands.push_back(std::move(operand));
  }
  const std::string places = spaces[0] + spaces[1];
  if (reduces) {
    return tensor_copy(fmt::format("cp.reduce.async.bulk.tensor.{{n}}{}{}.tile.bulk_group", places, op), operands, rank,
                       call.node.span);
  }
  const std::string_view completion = stores               ? ".bulk_group"
                                      : values.size() == 5 ? ".mbarrier::complete_tx::bytes.multicast::cluster"
                                                           : ".mbarrier::complete_tx::bytes";
  return tensor_copy(fmt::format("cp.async.bulk.tensor.{{n}}{}.tile{}{}", places, completion, group), operands, rank,
                     call.node.span);
}

/// Lowers cuda::device::experimental::cp_async_bulk_tensor_2d_global_to_shared(to, &map, x, y, bar) and
/// ..._2d_shared_to_global(&map, x, y, from). Returns nothing if the function has a different name.
std::optional<Operand> LibcuAsyncLowering::experimental_tensor_function(const Call& call, std::string_view name) {
  constexpr std::string_view kPrefix = "cp_async_bulk_tensor_";
  if (!name.starts_with(kPrefix) || name.size() < kPrefix.size() + 2) return std::nullopt;
  const auto rank = static_cast<std::size_t>(name[kPrefix.size()] - '0');
  const std::string_view direction = name.substr(kPrefix.size() + 1);
  const bool loads = direction == "d_global_to_shared";
  if (rank < 1 || rank > static_cast<std::size_t>(ptx::kMostDimensions) ||
      (!loads && direction != "d_shared_to_global"))
    return std::nullopt;
  static constexpr std::array<std::string_view, 5> kNames = {"x", "x, y", "x, y, z", "x, y, z, u", "x, y, z, u, v"};
  const std::string form = loads ? fmt::format("{}(to, &map, {}, bar)", call.name, kNames[rank - 1])
                                 : fmt::format("{}(&map, {}, from)", call.name, kNames[rank - 1]);
  const std::size_t count = rank + (loads ? 3 : 2);
  if (!thread_.expect_count(call, count, count, form)) return Operand(std::nullopt);
  const std::size_t map = loads ? 1 : 0;
  std::vector<PtxOperand> operands;
  for (std::size_t i = 0; i < count; ++i) {
    const ExprNode& argument = call.arguments[i];
    std::optional<Operand> value =
        loads && i + 1 == count ? barrier_argument(argument) : std::optional(thread_.value(argument));
    if (!value || value->erroneous) return Operand(std::nullopt);
    if (i > map && i <= map + rank) {
      operands.back().coordinates.push_back(*std::move(value));
      continue;
    }
    operands.push_back(
        {i == map ? PtxOperand::Kind::Tensor : PtxOperand::Kind::Address, *std::move(value), argument.span});
  }
  return tensor_copy(loads ? "cp.async.bulk.tensor.{n}.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                           : "cp.async.bulk.tensor.{n}.global.shared::cta.tile.bulk_group",
                     operands, rank, call.node.span);
}

}  // namespace ambit::parser::litmus
