#include "parser/ptx/async_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "parser/ptx/instruction_text.h"
#include "parser/ptx/modifiers.h"

namespace ambit::parser::ptx {
namespace {

using Action = AsyncAction;
using Group = AsyncGroup;

// Instruction forms of the PTX ISA 9.7.9.25 (data movement), 9.7.13 (mbarrier), 9.7.15 (wgmma), 9.7.16 (tcgen05) and
// 9.7.18 (clusterlaunchcontrol).
constexpr std::array kForms = {
    AsyncForm{"cp.async.ca|cg.shared|shared::cta.global", "dsn", Action::Copy, Group::Copy, Proxy::Generic},
    AsyncForm{"cp.async.commit_group", "", Action::Commit, Group::Copy},
    AsyncForm{"cp.async.wait_group", "n", Action::Wait, Group::Copy},
    AsyncForm{"cp.async.wait_all", "", Action::WaitAll, Group::Copy},
    AsyncForm{"cp.async.mbarrier.arrive.noinc.shared?|shared::cta?.b64", "b", Action::Arrive, Group::Copy},
    AsyncForm{"cp.async.mbarrier.arrive.shared?|shared::cta?.b64", "b", Action::ArriveLater, Group::Copy},
    AsyncForm{"cp.async.bulk.shared::cta|shared::cluster.global.mbarrier::complete_tx::bytes", "dsnb", Action::Copy,
              Group::None, Proxy::Async},
    AsyncForm{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster", "dsnbm",
              Action::Copy, Group::None, Proxy::Async},
    AsyncForm{"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "dsnb", Action::Copy,
              Group::None, Proxy::Async},
    AsyncForm{"cp.async.bulk.global.shared::cta.bulk_group", "dsn", Action::Copy, Group::Bulk, Proxy::Async},
    AsyncForm{"cp.reduce.async.bulk.relaxed?.SCOPE?.global.shared::cta.bulk_group.OP.TYPE", "dsn", Action::Reduce,
              Group::Bulk, Proxy::Async},
    AsyncForm{"cp.reduce.async.bulk.relaxed?.SCOPE?.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.OP.TYPE",
              "dsnb", Action::Reduce, Group::None, Proxy::Async},
    AsyncForm{
        "cp.async.bulk.tensor.1d|2d|3d|4d|5d.shared::cta|shared::cluster.global.tile?.mbarrier::complete_tx::bytes."
        "cta_group::1|cta_group::2?",
        "dtb", Action::Copy, Group::None, Proxy::Async},
    AsyncForm{"cp.async.bulk.tensor.1d|2d|3d|4d|5d.shared::cluster.global.tile?.mbarrier::complete_tx::bytes."
              "multicast::cluster.cta_group::1?",
              "dtbm", Action::Copy, Group::None, Proxy::Async},
    AsyncForm{"cp.async.bulk.tensor.1d|2d|3d|4d|5d.global.shared::cta.tile?.bulk_group", "ts", Action::Copy,
              Group::Bulk, Proxy::Async},
    AsyncForm{"cp.reduce.async.bulk.tensor.1d|2d|3d|4d|5d.global.shared::cta.OP.tile?.bulk_group", "ts", Action::Reduce,
              Group::Bulk, Proxy::Async},
    AsyncForm{"cp.async.bulk.commit_group", "", Action::Commit, Group::Bulk},
    AsyncForm{"cp.async.bulk.wait_group.read?", "n", Action::Wait, Group::Bulk},
    AsyncForm{"st.async.weak?.shared::cluster.mbarrier::complete_tx::bytes.v2|v4?.TYPE", "dvb", Action::StoreValue},
    AsyncForm{"red.async.relaxed?.cluster?.shared::cluster?.mbarrier::complete_tx::bytes.shared::cluster?.OP.TYPE",
              "dvb", Action::ReduceValue},
    AsyncForm{"wgmma.fence.sync.aligned", "", Action::Nothing},
    AsyncForm{"wgmma.mma_async.sync.aligned.*", "p?ss?", Action::Read, Group::Matrix, Proxy::Async},
    AsyncForm{"wgmma.commit_group.sync.aligned", "", Action::Commit, Group::Matrix},
    AsyncForm{"wgmma.wait_group.sync.aligned", "n", Action::Wait, Group::Matrix},
    AsyncForm{"tcgen05.mma.*", "dss", Action::Multiply, Group::Tensor, Proxy::Async},
    AsyncForm{"tcgen05.commit.cta_group::1|cta_group::2.mbarrier::arrive::one.shared::cluster?.b64", "b",
              Action::Arrive, Group::Tensor},
    AsyncForm{"tcgen05.cp.*", "ds", Action::StoreTensor, Group::Tensor, Proxy::Async},
    AsyncForm{"tcgen05.fence::before_thread_sync", "", Action::FenceBefore, Group::Tensor},
    AsyncForm{"tcgen05.fence::after_thread_sync", "", Action::FenceAfter, Group::Tensor},
    AsyncForm{"tcgen05.ld.*", "s", Action::LoadTensor, Group::TensorLoad},
    AsyncForm{"tcgen05.st.*", "dv", Action::StoreTensor, Group::TensorStore},
    AsyncForm{"tcgen05.wait::ld.sync.aligned", "", Action::WaitAll, Group::TensorLoad},
    AsyncForm{"tcgen05.wait::st.sync.aligned", "", Action::WaitAll, Group::TensorStore},
    AsyncForm{"clusterlaunchcontrol.try_cancel.async.shared::cta?.mbarrier::complete_tx::bytes.b128", "db",
              Action::Reply, Group::None, Proxy::Async},
    AsyncForm{"tensormap.replace.tile.global_address|rank|elemtype|interleave_layout|swizzle_mode|swizzle_atomicity|"
              "fill_mode.global?|shared::cta?.b1024.b32|b64",
              "dv", Action::ReplaceMap},
    AsyncForm{
        "tensormap.replace.tile.box_dim|global_dim|global_stride|element_stride.global?|shared::cta?.b1024.b32|b64",
        "dnv", Action::ReplaceMap},
    AsyncForm{"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.SCOPE.sync.aligned", "dsn",
              Action::CopyMap},
    AsyncForm{"fence.proxy.tensormap::generic.release.SCOPE", "", Action::ReleaseMap},
    AsyncForm{"fence.proxy.tensormap::generic.acquire.SCOPE", "dn", Action::AcquireMap},
};

/// Returns whether asynchronous reductions support the operation.
bool is_reduction(RmwOp op) { return op != RmwOp::Subtract && op != RmwOp::Exchange && op != RmwOp::CompareExchange; }

/// Compares the words of an instruction with a pattern.
class Matcher {
 public:
  explicit Matcher(const InstructionNode& node) : words_(node.opcode) {}

  /// Returns the number of words that match the form. If all words match, fills in `found` and `type`.
  std::size_t match(const AsyncForm& form, AsyncOpcode& found, std::optional<TypeSuffix>& type) const {
    std::size_t at = 0;
    for (const std::string_view part : split(form.pattern, '.')) {
      if (part == "*") {
        at = words_.size();
        break;
      }
      const bool fits = at < words_.size() && fits_part(part, words_[at], found, type);
      if (!fits && part.find('?') == std::string_view::npos) return at;
      if (fits) ++at;
    }
    if (at == words_.size()) found.form = &form;
    return at;
  }

 private:
  static bool fits_part(std::string_view part, const Word& word, AsyncOpcode& found, std::optional<TypeSuffix>& type) {
    if (part == "TYPE") {
      type = read_type_suffix(word);
      return type.has_value();
    }
    if (part == "SCOPE" || part == "SCOPE?") {
      const auto scope = find_name(kScopes, word.text);
      if (scope) found.scope = scope;
      return scope.has_value();
    }
    if (part == "OP") {
      const auto op = find_name(kRmwOps, word.text);
      if (!op || !is_reduction(*op)) return false;
      found.reduction = *op;
      return true;
    }
    for (std::string_view choice : split(part, '|')) {
      if (choice.ends_with('?')) choice.remove_suffix(1);
      if (choice != word.text) continue;
      found.is_multicast = found.is_multicast || word.text == "multicast::cluster";
      found.reads_only = found.reads_only || word.text == "read";
      return true;
    }
    return false;
  }

  const std::vector<Word>& words_;
};

}  // namespace

bool is_asynchronous(const InstructionNode& node) {
  const std::string_view base = node.opcode.front().text;
  const bool has_async = node.opcode.size() > 1 && node.opcode[1].text == "async";
  const bool is_map_fence = base == "fence" && node.opcode.size() > 2 && node.opcode[2].text == "tensormap::generic";
  return is_map_fence || base == "tensormap" || base == "cp" || base == "wgmma" || base == "tcgen05" ||
         base == "clusterlaunchcontrol" || ((base == "st" || base == "red") && has_async);
}

std::optional<AsyncOpcode> decode_asynchronous(const InstructionNode& node, std::optional<TypeSuffix>& type,
                                               Reporter& reporter) {
  const Matcher matcher(node);
  std::size_t most = 0;
  const AsyncForm* nearest = nullptr;
  for (const AsyncForm& form : kForms) {
    AsyncOpcode found;
    std::optional<TypeSuffix> with_type;
    const std::size_t matched = matcher.match(form, found, with_type);
    if (found.form != nullptr) {
      type = with_type;
      return found;
    }
    if (matched <= most) continue;
    most = matched;
    nearest = &form;
  }
  const Word& wrong = node.opcode[std::min(most, node.opcode.size() - 1)];
  reporter.error(wrong.span, fmt::format("unknown instruction '{}'", whole_name(node.opcode).substr(0, 120)),
                 most > 1 ? fmt::format("the nearest supported form is: {}", nearest->pattern) : std::string());
  return std::nullopt;
}

}  // namespace ambit::parser::ptx
