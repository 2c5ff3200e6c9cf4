// Lowers functions of cuda::ptx (<cuda/ptx>) and their predecessors in cuda::device::experimental. Each call of a
// function becomes one PTX instruction. Some arguments of the function are modifiers of the instruction.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "parser/litmus/fragment_lowering.h"
#include "parser/litmus/libcu_async_lowering.h"
#include "parser/litmus/special_registers.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {
namespace {

constexpr std::string_view kNamespace = "cuda::ptx::";
constexpr std::string_view kTensorCopy = "cp_async_bulk_tensor";
constexpr std::string_view kTensorReduction = "cp_reduce_async_bulk_tensor";
constexpr std::string_view kRegisterPrefix = "get_sreg_";

/// The tag arguments of a call, such as cuda::ptx::sem_release, in PTX syntax.
struct Tags {
  std::string sem;
  std::string scope;
  std::vector<std::string> spaces;
  std::string op;
  std::string group;  ///< the suffix .cta_group::1 or .cta_group::2
};

/// A function and its PTX instruction. In the opcode, the following names are replaced: {m} by .sem.scope; {r} by
/// .sem.sync_restrict::space.scope; {s} by the first space; {d}{f} by destination and source space of a copy; {o} by
/// the operation; {t} by the type of the first value or address.
struct PtxFunction {
  std::string_view name;
  std::string_view opcode;
  std::string_view operands;  ///< one letter for each operand: a address, v value, r result, _ sink
};
constexpr std::array kFunctions = {
    PtxFunction{"mbarrier_init", "mbarrier.init.shared.b64", "av"},
    PtxFunction{"mbarrier_inval", "mbarrier.inval.shared.b64", "a"},
    PtxFunction{"mbarrier_arrive", "mbarrier.arrive{m}{s}.b64", "rav"},
    PtxFunction{"mbarrier_arrive_no_complete", "mbarrier.arrive.noComplete{m}{s}.b64", "rav"},
    PtxFunction{"mbarrier_arrive_expect_tx", "mbarrier.arrive.expect_tx{m}{s}.b64", "rav"},
    PtxFunction{"mbarrier_expect_tx", "mbarrier.expect_tx{m}{s}.b64", "av"},
    PtxFunction{"mbarrier_test_wait", "mbarrier.test_wait{m}.shared::cta.b64", "rav"},
    PtxFunction{"mbarrier_test_wait_parity", "mbarrier.test_wait.parity{m}.shared::cta.b64", "rav"},
    PtxFunction{"mbarrier_try_wait", "mbarrier.try_wait{m}.shared::cta.b64", "rav"},
    PtxFunction{"mbarrier_try_wait_parity", "mbarrier.try_wait.parity{m}.shared::cta.b64", "rav"},
    PtxFunction{"cp_async_bulk", "cp.async.bulk{d}{f}{c}{x}", "aavav"},
    PtxFunction{"cp_reduce_async_bulk", "cp.reduce.async.bulk{d}{f}{c}{o}{t}", "aava"},
    PtxFunction{"cp_async_bulk_commit_group", "cp.async.bulk.commit_group", ""},
    PtxFunction{"cp_async_bulk_wait_group", "cp.async.bulk.wait_group", "v"},
    PtxFunction{"cp_async_bulk_wait_group_read", "cp.async.bulk.wait_group.read", "v"},
    PtxFunction{"cp_async_mbarrier_arrive", "cp.async.mbarrier.arrive.b64", "a"},
    PtxFunction{"cp_async_mbarrier_arrive_noinc", "cp.async.mbarrier.arrive.noinc.b64", "a"},
    PtxFunction{"st_async", "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes{v}{t}", "ava"},
    PtxFunction{"red_async", "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes{o}{t}", "ava"},
    PtxFunction{"fence", "fence{m}", ""},
    PtxFunction{"fence_mbarrier_init", "fence.mbarrier_init{m}", ""},
    PtxFunction{"fence_sync_restrict", "fence{r}", ""},
    PtxFunction{"fence_proxy_async_generic_sync_restrict", "fence.proxy.async::generic{r}", ""},
    PtxFunction{"fence_proxy_alias", "fence.proxy.alias", ""},
    PtxFunction{"fence_proxy_async", "fence.proxy.async{s}", ""},
    PtxFunction{"fence_proxy_tensormap_generic", "fence.proxy.tensormap::generic{m}", "av"},
    PtxFunction{"tensormap_cp_fenceproxy",
                "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic{m}.sync.aligned", "aav"},
    PtxFunction{"tensormap_replace_global_address", "tensormap.replace.tile.global_address{s}.b1024.b64", "av"},
    PtxFunction{"tensormap_replace_rank", "tensormap.replace.tile.rank{s}.b1024.b32", "av"},
    PtxFunction{"tensormap_replace_box_dim", "tensormap.replace.tile.box_dim{s}.b1024.b32", "avv"},
    PtxFunction{"tensormap_replace_global_dim", "tensormap.replace.tile.global_dim{s}.b1024.b32", "avv"},
    PtxFunction{"tensormap_replace_global_stride", "tensormap.replace.tile.global_stride{s}.b1024.b64", "avv"},
    PtxFunction{"tensormap_replace_element_stride", "tensormap.replace.tile.element_stride{s}.b1024.b32", "avv"},
    PtxFunction{"tensormap_replace_element_size", "tensormap.replace.tile.element_stride{s}.b1024.b32", "avv"},
    PtxFunction{"tensormap_replace_elemtype", "tensormap.replace.tile.elemtype{s}.b1024.b32", "av"},
    PtxFunction{"tensormap_replace_interleave_layout", "tensormap.replace.tile.interleave_layout{s}.b1024.b32", "av"},
    PtxFunction{"tensormap_replace_swizzle_mode", "tensormap.replace.tile.swizzle_mode{s}.b1024.b32", "av"},
    PtxFunction{"tensormap_replace_swizzle_atomicity", "tensormap.replace.tile.swizzle_atomicity{s}.b1024.b32", "av"},
    PtxFunction{"tensormap_replace_fill_mode", "tensormap.replace.tile.fill_mode{s}.b1024.b32", "av"},
    PtxFunction{"clusterlaunchcontrol_try_cancel",
                "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128", "aa"},
    PtxFunction{"griddepcontrol_wait", "griddepcontrol.wait", ""},
    PtxFunction{"griddepcontrol_launch_dependents", "griddepcontrol.launch_dependents", ""},
    PtxFunction{"barrier_cluster_arrive", "barrier.cluster.arrive{m}", ""},
    PtxFunction{"barrier_cluster_wait", "barrier.cluster.wait{m}", ""},
};

/// A function of cuda::device::experimental and its PTX instruction.
struct Experimental {
  std::string_view name;
  std::string_view opcode;
  std::string_view operands;
};
constexpr std::array kExperimental = {
    Experimental{"cp_async_bulk_global_to_shared", "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
                 "aavb"},
    Experimental{"cp_async_bulk_shared_to_global", "cp.async.bulk.global.shared::cta.bulk_group", "aav"},
    Experimental{"cp_async_bulk_commit_group", "cp.async.bulk.commit_group", ""},
    Experimental{"cp_async_bulk_wait_group", "cp.async.bulk.wait_group", "v"},
    Experimental{"cp_async_bulk_wait_group_read", "cp.async.bulk.wait_group.read", "v"},
    Experimental{"fence_proxy_async_shared_cta", "fence.proxy.async.shared::cta", ""},
};

bool read_tag(std::string_view name, Tags& tags) {
  if (!name.starts_with(kNamespace)) return false;
  name.remove_prefix(kNamespace.size());
  const std::size_t line = name.find('_');
  const std::string_view kind = name.substr(0, line);
  std::string_view value = line == std::string_view::npos ? "" : name.substr(line + 1);
  if (kind == "sem") {
    tags.sem = fmt::format(".{}", value);
  } else if (kind == "scope") {
    tags.scope = fmt::format(".{}", value);
  } else if (kind == "space") {
    tags.spaces.emplace_back(value == "global" ? ".global" : value == "shared" ? ".shared::cta" : ".shared::cluster");
  } else if (kind == "cta" && (value == "group_1" || value == "group_2")) {
    tags.group = fmt::format(".cta_group::{}", value.back());
  } else if (kind == "op") {
    if (value.ends_with("_op")) value.remove_suffix(3);
    tags.op = fmt::format(".{}", value);
  } else {
    return false;
  }
  return true;
}

std::string type_suffix(const Type& type) {
  return fmt::format(".{}{}", type.is_opaque ? 'b' : type.scalar.is_signed ? 's' : 'u', type.scalar.bits);
}

void replace(std::string& text, std::string_view part, std::string_view by) {
  const std::size_t at = text.find(part);
  if (at != std::string::npos) text.replace(at, part.size(), by);
}

std::string opcode_of(const PtxFunction& function, const Tags& tags, const std::vector<PtxOperand>& values) {
  std::string opcode(function.opcode);
  const bool to_global = !tags.spaces.empty() && tags.spaces[0] == ".global";
  replace(opcode, "{m}", tags.sem + tags.scope);
  if (!tags.spaces.empty()) {
    replace(opcode, "{r}", fmt::format("{}.sync_restrict::{}{}", tags.sem, tags.spaces[0].substr(1), tags.scope));
  }
  replace(opcode, "{s}", tags.spaces.empty() ? "" : tags.spaces[0]);
  replace(opcode, "{d}", tags.spaces.empty() ? "" : tags.spaces[0]);
  replace(opcode, "{f}", tags.spaces.size() < 2 ? "" : tags.spaces[1]);
  replace(opcode, "{c}", to_global ? ".bulk_group" : ".mbarrier::complete_tx::bytes");
  replace(opcode, "{x}", values.size() == 5 ? ".multicast::cluster" : "");
  replace(opcode, "{o}", tags.op);
  const bool sends_vector = values.size() > 1 && values[1].kind == PtxOperand::Kind::Vector;
  replace(opcode, "{v}", sends_vector ? fmt::format(".v{}", values[1].coordinates.size()) : std::string());
  std::string type;
  if (!values.empty()) {
    type = type_suffix(values.front().operand.type);
    const bool stores = function.name == "st_async";
    if (stores) type[1] = 'b';
  }
  replace(opcode, "{t}", type);
  return opcode;
}

/// Returns the special register that a function reads: "%tid.x" for "get_sreg_tid_x".
std::string register_of(std::string_view function) {
  std::string name = fmt::format("%{}", function.substr(kRegisterPrefix.size()));
  const std::size_t line = name.size() - 2;
  if (name.size() > 3 && name[line] == '_' && name.back() >= 'x' && name.back() <= 'z') name[line] = '.';
  return name;
}

}  // namespace

/// Lowers functions that read a special register, such as get_sreg_cluster_ctarank().
Operand LibcuAsyncLowering::special_register_function(const Call& call, std::string_view name) {
  if (!thread_.expect_count(call, 0, 0, "")) return std::nullopt;
  const std::optional<Operand> found = special_register(thread_.setting, register_of(name));
  if (found && !found->type.is_opaque) return *found;
  return thread_.error(call.node.children.front().span,
                       found ? fmt::format("the value of '{}' depends on the machine", call.name)
                             : fmt::format("Ambit does not read '{}'", call.name));
}

/// Lowers elect_sync(mask): returns whether the thread is the elected lane.
Operand LibcuAsyncLowering::elect(const Call& call) {
  const Operand mask = thread_.value(call.arguments[0]);
  if (mask.erroneous) return std::nullopt;
  const auto lane = static_cast<unsigned>(thread_.setting.place.lane);
  if (thread_.values_matter()) {
    const std::uint32_t lanes = mask.expr.is_constant() ? static_cast<std::uint32_t>(mask.expr.constant) : 0;
    if (((lanes >> lane) & 1U) == 0) {
      return thread_.error(call.arguments[0].span, mask.expr.is_constant()
                                                       ? fmt::format("the mask leaves out lane {}", lane)
                                                       : "the mask of elect.sync must be a constant");
    }
    thread_.code.emit(warp_meeting(lanes), call.node.span);
    return Operand::constant(elected_lane(lanes) == static_cast<int>(lane) ? 1 : 0);
  }
  return Operand::constant(0);
}

Operand LibcuAsyncLowering::ptx_function(const Call& call) {
  const std::string_view name = call.name.substr(kNamespace.size());
  if (name.starts_with(kRegisterPrefix)) return special_register_function(call, name);
  if (name == "elect_sync") {
    return thread_.expect_count(call, 1, 1, "cuda::ptx::elect_sync(0xffffffff)") ? elect(call) : Operand(std::nullopt);
  }
  const bool copies_tensor = name == kTensorCopy || name == kTensorReduction;
  const auto found = std::ranges::find(kFunctions, name, &PtxFunction::name);
  if (found == kFunctions.end() && !copies_tensor) {
    std::vector<std::string_view> names = {kTensorCopy, kTensorReduction};
    for (const PtxFunction& known : kFunctions) names.push_back(known.name);
    return thread_.error(call.node.children.front().span, fmt::format("Ambit does not read '{}'", call.name),
                         did_you_mean(name, names, "write this part as a PTX litmus file"));
  }
  Tags tags;
  std::vector<const ExprNode*> arguments;
  for (const ExprNode& argument : call.arguments) {
    if (argument.kind == ExprKind::Name && read_tag(argument.name, tags)) continue;
    if (argument.kind == ExprKind::Name && argument.name.starts_with(kNamespace)) {
      return thread_.error(argument.span, fmt::format("Ambit does not read '{}'", argument.name));
    }
    arguments.push_back(&argument);
  }
  if (copies_tensor)
    return ptx_tensor_function(call, name == kTensorReduction, tags.spaces, tags.op, tags.group, arguments);
  const bool has_result = found->operands.starts_with('r');
  std::vector<PtxOperand> values;
  for (const ExprNode* argument : arguments) {
    // Every value is a number, except for the new address of a tensor.
    const bool is_number = values.size() == 1 && name == "tensormap_replace_global_address";
    const Variable* array = name == "st_async" ? places_.part_of_variable(*argument) : nullptr;
    if (array != nullptr && array->kind == Variable::Kind::Array) {
      auto elements = coordinates(*argument);
      if (!elements) return std::nullopt;
      values.push_back({.kind = PtxOperand::Kind::Vector, .span = argument->span, .coordinates = *std::move(elements)});
      continue;
    }
    values.push_back({PtxOperand::Kind::Value, thread_.value(*argument), argument->span});
    if (values.back().operand.erroneous) return std::nullopt;
    if (values.back().operand.type.is_pointer && !is_number) values.back().kind = PtxOperand::Kind::Address;
  }
  const std::size_t most = found->operands.size() - (has_result ? 1 : 0);
  // Drops the time limit of try_wait, which is irrelevant for memory models.
  if (name.starts_with("mbarrier_try_wait") && values.size() == most + 1) values.pop_back();
  if (values.size() > most) {
    return thread_.error(call.node.span,
                         fmt::format("'{}' with {} operands is not supported", call.name, values.size()));
  }
  const std::string opcode = opcode_of(*found, tags, values);
  if (has_result) {
    const bool is_remote = !tags.spaces.empty() && tags.spaces[0] == ".shared::cluster";
    values.insert(values.begin(), PtxOperand{.kind = is_remote ? PtxOperand::Kind::Sink : PtxOperand::Kind::Result,
                                             .operand = {},
                                             .span = call.node.span});
    Operand result = ptx_.execute(opcode, values, call.node.span);
    return is_remote && !result.erroneous ? Operand::nothing() : result;
  }
  return ptx_.execute(opcode, values, call.node.span);
}

/// Lowers functions such as cuda::device::experimental::cp_async_bulk_global_to_shared(to, from, bytes, bar).
Operand LibcuAsyncLowering::experimental_function(const Call& call) {
  const std::string_view name = call.name.substr(call.name.rfind(':') + 1);
  const auto found = std::ranges::find(kExperimental, name, &Experimental::name);
  if (found == kExperimental.end()) {
    if (std::optional<Operand> copy = experimental_tensor_function(call, name)) return *std::move(copy);
    std::vector<std::string_view> names = {"cp_async_bulk_tensor_2d_global_to_shared",
                                           "cp_async_bulk_tensor_2d_shared_to_global"};
    for (const Experimental& known : kExperimental) names.push_back(known.name);
    return thread_.error(call.node.children.front().span, fmt::format("Ambit does not read '{}'", call.name),
                         did_you_mean(name, names));
  }
  if (!thread_.expect_count(call, found->operands.size(), found->operands.size(), "")) return std::nullopt;
  std::vector<PtxOperand> values;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const ExprNode& argument = call.arguments[i];
    const char kind = found->operands[i];
    std::optional<Operand> value = kind == 'b' ? barrier_argument(argument) : std::optional(thread_.value(argument));
    if (!value || value->erroneous) return std::nullopt;
    values.push_back(
        {kind == 'v' ? PtxOperand::Kind::Value : PtxOperand::Kind::Address, *std::move(value), argument.span});
  }
  return ptx_.execute(found->opcode, values, call.node.span);
}

}  // namespace ambit::parser::litmus
