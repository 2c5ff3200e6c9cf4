#include "parser/ptx/mbarrier_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "parser/ptx/instruction_text.h"

namespace ambit::parser::ptx {

Rmw mbarrier_update(const MbarrierLayout& layout, MemoryAccess access, RegisterId old, const MbarrierChange& change) {
  const ScalarType type = access.type;
  const Expr state = Expr::make_register(old, type);
  Rmw rmw;
  rmw.access = std::move(access);
  rmw.target = old;
  rmw.is_arrival = change.arrivals > 0;
  const bool is_count = !layout.is_packed() && change.arrivals <= 1;
  rmw.op = is_count ? RmwOp::Add : RmwOp::Update;
  if (is_count) {
    rmw.operand = Expr::make_constant(change.arrivals, type);
  } else if (!layout.is_packed()) {
    rmw.operand = layout.after_arrival(state, change.arrivals, 0, false);
  } else {
    rmw.operand = change.arrivals > 0 ? layout.after_arrival(state, change.arrivals, change.bytes, change.drops)
                                      : layout.after_expect(state, change.bytes);
  }
  return rmw;
}

namespace {

std::vector<Assert> without_certain(std::vector<Assert> rules) {
  std::erase_if(rules, [](const Assert& rule) { return rule.condition.is_constant() && rule.condition.constant != 0; });
  return rules;
}

constexpr const char* kInvalid = "the mbarrier is not initialised";
constexpr const char* kOutOfRange = "the transaction count of the mbarrier leaves its range";

}  // namespace

std::vector<Assert> mbarrier_rules(const MbarrierLayout& layout, const Expr& state, const MbarrierChange& change) {
  std::vector<Assert> rules;
  if (!layout.is_packed()) {
    rules.push_back(
        {layout.has_pending(state, change.arrivals), "the arrival count exceeds the number of pending arrivals"});
    return without_certain(std::move(rules));
  }
  if (change.arrivals == 0) {
    rules.push_back({layout.is_live(state), kInvalid});
  } else {
    rules.push_back(
        {layout.has_pending(state, change.arrivals + (change.no_complete ? 1 : 0)),
         change.no_complete
             ? "arrive.noComplete ends the phase"
             : "the mbarrier is not initialised, or the arrival count exceeds the number of pending arrivals"});
  }
  rules.push_back({layout.stays_in_range(state, change.bytes), kOutOfRange});
  return without_certain(std::move(rules));
}

std::vector<Assert> completion_rules(const MbarrierLayout& layout, const Expr& state, const MbarrierChange& change) {
  std::vector<Assert> rules;
  if (change.arrivals > 0) {
    rules.push_back({layout.has_pending(state, change.arrivals),
                     "the asynchronous arrival exceeds the number of pending arrivals"});
  } else if (layout.is_invalidated()) {
    rules.push_back({layout.is_live(state), "the mbarrier is not initialised when the operation completes"});
  }
  rules.push_back({layout.stays_in_range(state, change.bytes), kOutOfRange});
  return without_certain(std::move(rules));
}

std::vector<Assert> mbarrier_live_rules(const MbarrierLayout& layout, const Expr& state) {
  if (!layout.is_invalidated()) return {};
  return {Assert{layout.is_live(state), kInvalid}};
}

void add_completion(AsyncStep& operation, const MbarrierLayout& layout, Rmw completion, const MbarrierChange& change) {
  const Expr state = Expr::make_register(*completion.target, completion.access.type);
  for (Assert& rule : completion_rules(layout, state, change)) {
    operation.rules.push_back({operation.completions.size(), std::move(rule)});
  }
  operation.completions.push_back(std::move(completion));
}

std::optional<Assert> remote_store_rule(const std::vector<Word>& opcode, const RemoteStore& store) {
  const auto broken = [](const char* rule) { return Assert{Expr::make_constant(0), rule}; };
  const auto has_word = [&](std::string_view text) {
    return std::ranges::find(opcode, text, &Word::text) != opcode.end();
  };
  const bool is_store = opcode.front().text == "st";
  const bool is_reduction = opcode.front().text == "red";
  if ((is_store || is_reduction) && !store.is_one_block) {
    return broken("the destination and the mbarrier are in different ctas");
  }
  if (is_store && store.cluster_blocks < 2) return broken("st.async in a cluster of one cta");
  if (is_reduction && store.is_own_block) return broken("red.async at the thread's own cta");
  const bool is_copy =
      opcode.front().text == "cp" && has_word("shared::cluster") && has_word("shared::cta") && !has_word("reduce");
  if (is_copy && store.is_own_block) return broken("a copy within the shared memory of one cta");
  return std::nullopt;
}

std::vector<Assert> mbarrier_init_rules(const MbarrierLayout& layout, const Expr& state) {
  if (!layout.is_packed()) return {};
  return {Assert{Expr::make(Op::LogicalNot, kInt, {layout.is_live(state)}),
                 "the mbarrier is initialised while it is in use: mbarrier.inval must come first"}};
}

Rmw mbarrier_join(const MbarrierLayout& layout, MemoryAccess access, RegisterId old) {
  Rmw rmw;
  rmw.op = RmwOp::Update;
  rmw.target = old;
  rmw.operand = layout.after_joining(Expr::make_register(old, access.type), 1);
  rmw.access = std::move(access);
  return rmw;
}

Expr phase_is_over(const MbarrierLayout& layout, const Expr& state, Expr awaited, bool by_parity, ScalarType type) {
  Expr phase = layout.phase(state);
  if (!by_parity) return Expr::make(Op::Greater, type, {std::move(phase), std::move(awaited)});
  // If the current phase has the opposite parity, the phase with the awaited parity has completed.
  Expr parity = Expr::make(Op::BitAnd, type, {std::move(phase), Expr::make_constant(1, type)});
  return Expr::make(Op::NotEqual, type, {std::move(parity), std::move(awaited)});
}

Fence fence_of(const Opcode& opcode) { return {opcode.order, opcode.scope, opcode.is_shared_only}; }

ProxyFence proxy_fence_of(const Opcode& opcode) {
  return {.proxy = opcode.proxy,
          .is_alias = opcode.is_alias_fence,
          .space = opcode.fence_space,
          .is_mbarrier_init = opcode.is_mbarrier_init_fence,
          .direction = opcode.fence_direction,
          .scope = opcode.scope};
}

std::string async_name(const std::vector<Word>& words) {
  std::string name;
  for (const Word& word : words) {
    const bool is_detail = word.text.find("shared") == 0 || word.text == "global" || word.text == "sync" ||
                           word.text == "ca" || word.text == "cg" || word.text == "weak" || word.text == "relaxed";
    if (is_detail) break;
    name += (name.empty() ? "" : ".") + std::string(word.text);
  }
  return name;
}

Scope reduction_scope(const AsyncOpcode& opcode) {
  if (opcode.form->action != AsyncAction::Reduce) return Scope::Cluster;
  const bool is_tensor = opcode.form->operands.find('t') != std::string_view::npos;
  return opcode.scope.value_or(is_tensor ? Scope::Device : Scope::System);
}

std::string tensor_form(const std::vector<Word>& words) {
  const bool has_form =
      words.size() > 1 && words[0].text == "tcgen05" && (words[1].text == "mma" || words[1].text == "cp");
  return has_form ? whole_name(words) : std::string();
}

std::string copy_size_flaw(const InstructionNode& node, const AsyncForm& form, Value bytes) {
  const bool is_bulk = form.group != AsyncGroup::Copy;
  if (is_bulk) {
    return bytes % kBulkUnit == 0 ? "" : fmt::format("a bulk copy of {} bytes: PTX requires a multiple of 16", bytes);
  }
  const bool is_16 = node.opcode[2].text == "cg";
  if (is_16 ? bytes == 16 : bytes == 4 || bytes == 8 || bytes == 16) return "";
  return fmt::format("cp.async{} copies {} bytes, not {}", is_16 ? ".cg" : "", is_16 ? "16" : "4, 8 or 16", bytes);
}

}  // namespace ambit::parser::ptx
