// Lowers cuda::make_pipeline, and the functions that the members of cuda::pipeline call
// (parser/cuda/library/pipeline_text.h).

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parser/litmus/libcu_async_lowering.h"

namespace ambit::parser::litmus {
namespace {

// the CUDA reader's value of cuda::pipeline_role::producer (library_names.cpp)
constexpr Value kProducer = 1048576;

}  // namespace

Operand LibcuAsyncLowering::wait_parity(const Call& call) {
  const Operand barrier = thread_.value(call.arguments[0]);
  if (barrier.erroneous) return std::nullopt;
  return wait(barrier, thread_.value(call.arguments[1]), true, call.node.span);
}

Operand LibcuAsyncLowering::arrive_at(const Call& call) {
  const Operand barrier = thread_.value(call.arguments[0]);
  if (barrier.erroneous) return std::nullopt;
  arrive("mbarrier.arrive.shared.b64", barrier, {}, call);
  return Operand::nothing();
}

/// Returns the number of producer threads in the block; nothing after an error.
std::optional<Value> LibcuAsyncLowering::producer_count(const ExprNode& node, const Operand& state, Value threads) {
  const Operand number = thread_.value(node);
  const bool is_role = number.expr.is_constant() && number.expr.constant >= kProducer;
  const auto given = async_.constant(number, is_role ? kProducer : 0, is_role ? kProducer + 1 : threads, node.span,
                                     "role or number of producers");
  if (!given || !is_role) return given;
  if (*given == kProducer) thread_.assembly.mbarriers.note_producer(state.expr.constant);
  return thread_.assembly.mbarriers.producers(state.expr.constant);
}

/// Lowers make_pipeline(), make_pipeline(block, &state) and make_pipeline(block, &state, producers or role). If the
/// call has a state, the first thread initialises two barriers for each stage, and the block synchronises.
Operand LibcuAsyncLowering::make_pipeline(const Call& call) {
  const SourceSpan span = call.node.span;
  if (call.arguments.empty()) return pipeline_value({}, 0, span);
  if (!thread_.expect_count(call, 2, 3, "cuda::make_pipeline(block, &state)")) return std::nullopt;
  const std::optional<Group> group = group_argument(call.arguments[0]);
  Operand state = thread_.value(call.arguments[1]);
  if (!group || state.erroneous) return std::nullopt;
  const bool is_state = state.type.is_pointer && state.type.structure != nullptr &&
                        state.type.structure->name.text.starts_with("__pipeline_state");
  if (!is_state) {
    return thread_.error(
        call.arguments[1].span,
        fmt::format("expected the address of a cuda::pipeline_shared_state, found {}", to_string(state.type)));
  }
  const auto stages = static_cast<Value>(thread_.memory.layout(*state.type.structure).fields.front().length);
  if (thread_.values_matter() && !state.expr.is_constant()) {
    return thread_.error(call.arguments[1].span, "Ambit must know which shared state this is");
  }
  Value producers = group->size;
  Value consumers = group->size;
  if (call.arguments.size() == 3 && thread_.values_matter()) {
    const std::optional<Value> given = producer_count(call.arguments[2], state, group->size);
    if (!given) return std::nullopt;
    producers = *given;
    consumers = group->size - producers;
    barriers_.meet(BarrierKind::Block, span);
  }
  Operand pipeline = pipeline_value(state, stages, span);
  const bool is_counted = thread_.assembly.mbarriers.is_settled() || call.arguments.size() == 2;
  for (Value stage = 0; group->rank == 0 && stage < stages && !pipeline.erroneous; ++stage) {
    for (const bool produced : {false, true}) {
      Operand barrier = pipeline.fields[produced ? 0 : 1];
      barrier.expr = Expr::make(Op::Add, kAddress, {barrier.expr, Expr::make_constant(stage, kAddress)});
      // In the first pass, some roles are not yet known; nothing uses the count of the first pass.
      const Value count = is_counted ? (produced ? producers : consumers) : group->size;
      initialise(barrier, count, span);
      if (call.arguments.size() == 3) async_.note_unknown_count(barrier, span);
    }
  }
  barriers_.meet(BarrierKind::Block, span);
  return pipeline;
}

/// Returns the struct that represents a pipeline.
Operand LibcuAsyncLowering::pipeline_value(const Operand& state, Value stages, SourceSpan span) {
  const std::string_view wanted = stages == 0 ? "__pipeline_thread" : "__pipeline_block";
  const auto& structs = thread_.assembly.file.structs;
  const auto found = std::ranges::find_if(structs, [&](const StructNode& s) { return s.name.text == wanted; });
  if (found == structs.end()) return thread_.error(span, "cuda::pipeline is supported only in CUDA sources");
  Operand whole(Expr{}, Type{.structure = &*found});
  const auto number = [&](Value value, bool is_bool = false) {
    Operand made = Operand::constant(value, is_bool ? ScalarType{8, false} : kInt);
    made.type.is_bool = is_bool;
    whole.fields.push_back(std::move(made));
  };
  if (stages == 0) {  // head, tail
    number(0);
    number(0);
    return whole;
  }
  for (const StructLayout::Field& field : thread_.memory.layout(*state.type.structure).fields) {
    Operand barriers(
        Expr::make(Op::Add, kAddress,
                   {state.expr, Expr::make_constant(make_address(field.object, 0) - make_address(0, 0), kAddress)}),
        Type{.scalar = kUnsignedLongLong, .is_pointer = true});
    whole.fields.push_back(std::move(barriers));
  }
  number(stages);
  number(0);        // The field head.
  number(0);        // The field tail.
  number(1, true);  // The field consumed_parity: a wait for parity 1 on a new barrier returns immediately.
  number(0, true);  // The field produced_parity.
  return whole;
}

}  // namespace ambit::parser::litmus
