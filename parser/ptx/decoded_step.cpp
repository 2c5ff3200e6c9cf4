#include "parser/ptx/decoded_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace ambit::parser::ptx {
namespace {

using Kind = OperandNode::Kind;

class StepMaker {
 public:
  StepMaker(const InstructionNode& node, const Opcode& opcode, Reporter& reporter) : node_(node), reporter_(reporter) {
    step_.opcode = opcode;
    step_.node = &node;
  }

  std::optional<Step> make() {
    assign();
    if (good_ && next_ < node_.operands.size()) {
      fail(node_.operands[next_].span, fmt::format("'{}' has too many operands", node_.opcode.front().text));
    }
    if (good_ && node_.required && !is_read()) {
      fail(node_.required->span, "only an instruction that reads memory into a register can require a value");
    }
    return good_ ? std::optional(step_) : std::nullopt;
  }

 private:
  bool is_read() const {
    return step_.target != nullptr && (step_.opcode.kind == OpcodeKind::Load || step_.opcode.kind == OpcodeKind::Rmw);
  }

  void assign() {
    switch (step_.opcode.kind) {
      case OpcodeKind::Load: return load();
      case OpcodeKind::Store: step_.address = address(); return values(1);
      case OpcodeKind::Rmw:
        if (!step_.opcode.is_reduction && !step_.opcode.drops_result) step_.target = target();
        step_.address = address();
        return values(step_.opcode.rmw == RmwOp::CompareExchange ? 2 : 1);
      case OpcodeKind::Move: return move();
      case OpcodeKind::Arithmetic: step_.target = target(); return values(2);
      case OpcodeKind::Branch: values(2); [[fallthrough]];
      case OpcodeKind::Jump: step_.label = label(); return;
      case OpcodeKind::BlockBarrier: return block_barrier();
      case OpcodeKind::WarpBarrier: return values(1);
      case OpcodeKind::MbarrierInit: step_.address = address(); return values(1);
      case OpcodeKind::MbarrierArrive:
        step_.target = target();
        step_.address = address();
        if (next_ < node_.operands.size() || step_.opcode.expects || step_.opcode.no_complete) values(1);
        return;
      case OpcodeKind::MbarrierPending:
        step_.target = target();
        step_.values[0] = state();
        return;
      case OpcodeKind::MbarrierInvalidate: step_.address = address(); return;
      case OpcodeKind::MbarrierExpect:
      case OpcodeKind::MbarrierComplete: step_.address = address(); return values(1);
      case OpcodeKind::Asynchronous: return asynchronous();
      case OpcodeKind::MbarrierWait:
        step_.target = target();
        step_.address = address();
        return values(1);
      case OpcodeKind::Exit:
      case OpcodeKind::Fence:
      case OpcodeKind::ProxyFence:
      case OpcodeKind::ClusterArrive:
      case OpcodeKind::ClusterWait:
      case OpcodeKind::GridWait:
      case OpcodeKind::GridLaunch: return;
    }
  }

  /// Decodes a load. `ld r0, r1` and `ld r0, 1`, which have no modifiers, are moves.
  void load() {
    step_.target = target();
    const OperandNode* source = peek();
    const bool is_value = source != nullptr && !source->in_brackets && source->kind != Kind::Location;
    if (step_.opcode.is_plain && is_value) {
      step_.opcode.kind = OpcodeKind::Move;
      return values(1);
    }
    step_.address = address();
  }

  void move() {
    step_.target = target();
    const OperandNode* source = peek();
    if (source != nullptr && source->kind == Kind::Location && !source->in_brackets) {
      step_.values[0] = source;
      ++next_;
      return;
    }
    values(1);
  }

  /// Assigns the operands of an asynchronous instruction to the letters of its form (AsyncForm::operands).
  void asynchronous() {
    const std::string_view letters = step_.opcode.async->form->operands;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (letters[i] == '?' || (letters.substr(i + 1).starts_with('?') && peek() == nullptr)) continue;
      switch (letters[i]) {
        case 'p':
          if (!node_.vector.empty()) take("the registers of the product");
          break;
        case 'd': step_.address = address(); break;
        case 's': (step_.source == nullptr ? step_.source : step_.second_source) = address(); break;
        case 't': step_.tensor = tensor(); break;
        case 'b': step_.barrier = address(); break;
        case 'n': step_.bytes = value(); break;
        case 'm': step_.mask = value(); break;
        default: sent(); break;
      }
    }
  }

  /// Reads the operand that contains the data of st.async or red.async: a value, or a vector `{r0, r1}`.
  void sent() {
    const auto is_count = [](const Word& word) { return word.text == "v2" || word.text == "v4"; };
    const auto count = std::ranges::find_if(node_.opcode, is_count);
    const std::size_t wanted = count == node_.opcode.end() ? 1 : count->text == "v2" ? 2 : 4;
    const std::size_t given = std::max<std::size_t>(node_.vector.size(), 1);
    if (given != wanted) {
      return fail(node_.span, fmt::format("'{}' sends {} elements, found {}", node_.opcode.front().text, wanted, given),
                  "the form is: st.async.shared::cluster.mbarrier::complete_tx::bytes.v2|.v4.TYPE [x], {r0,r1}, [b]");
    }
    if (node_.vector.empty()) {
      step_.values[0] = value();
      return;
    }
    take("a vector");
    for (std::size_t i = 0; i < wanted; ++i) step_.values[i] = as_value(&node_.vector[i]);
  }

  void block_barrier() {
    const std::size_t most = step_.opcode.has_instance ? 3 : 2;
    std::size_t count = 1;
    while (count < most && next_ + count < node_.operands.size()) ++count;
    values(count);
    if (good_ && step_.opcode.arrive_only && !step_.opcode.has_instance && count < 2) {
      fail(node_.span, "an arrival that does not wait needs the barrier's thread count",
           fmt::format("the form is: {}", step_.opcode.form));
    }
  }

  const OperandNode* peek() const { return next_ < node_.operands.size() ? &node_.operands[next_] : nullptr; }

  void fail(SourceSpan where, std::string message, std::string hint = {}) {
    if (good_) reporter_.error(where, std::move(message), std::move(hint));
    good_ = false;
  }

  const OperandNode* take(std::string_view what) {
    if (!good_) return nullptr;
    const OperandNode* operand = peek();
    if (operand == nullptr) {
      fail(node_.span, fmt::format("'{}' needs another operand: {}", node_.opcode.front().text, what),
           fmt::format("the form is: {}", step_.opcode.form));
      return nullptr;
    }
    ++next_;
    return operand;
  }

  const OperandNode* target() {
    const OperandNode* operand = take("the register to write");
    if (operand == nullptr) return nullptr;
    if (operand->kind == Kind::Sink &&
        (step_.opcode.kind == OpcodeKind::Rmw || step_.opcode.kind == OpcodeKind::MbarrierArrive)) {
      return nullptr;
    }
    if (operand->kind == Kind::Register && !operand->in_brackets) return operand;
    fail(operand->span, fmt::format("expected a register as the target of '{}'", node_.opcode.front().text),
         fmt::format("write r0, r1 ...; the form is: {}", step_.opcode.form));
    return nullptr;
  }

  const OperandNode* address() {
    const OperandNode* operand = take("the location");
    if (operand == nullptr) return nullptr;
    if (operand->kind == Kind::Location || operand->kind == Kind::Register) {
      if (!operand->address_of && operand->coordinates.empty()) return operand;
    }
    fail(operand->span, "expected a location, or a register with an address",
         fmt::format("the form is: {}", step_.opcode.form));
    return nullptr;
  }

  const OperandNode* tensor() {
    const OperandNode* operand = take("the tensor map and its coordinates");
    if (operand == nullptr) return nullptr;
    if (operand->kind == Kind::Location && !operand->coordinates.empty()) return operand;
    fail(operand->span, "expected a tensor map with its coordinates, [t, {0,2}]",
         "declare the map: t = tensormap(g, {4,4}, {2,2})");
    return nullptr;
  }

  void values(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) step_.values[i] = value();
  }
  const OperandNode* value() { return as_value(take("a value")); }
  const OperandNode* as_value(const OperandNode* operand) {
    if (operand == nullptr) return nullptr;
    const bool is_value = operand->kind == Kind::Integer || operand->kind == Kind::Register;
    if (is_value && !operand->in_brackets) return operand;
    fail(operand->span, "expected a value: a register or a number",
         operand->kind == Kind::Location ? "read the location into a register first" : "");
    return nullptr;
  }

  const OperandNode* state() {
    const OperandNode* operand = take("the state that an arrival returned");
    if (operand == nullptr) return nullptr;
    if (operand->kind == Kind::Register && !operand->in_brackets) return operand;
    fail(operand->span, "expected the register with the state that an arrival returned",
         fmt::format("the form is: {}", step_.opcode.form));
    return nullptr;
  }

  const OperandNode* label() {
    const OperandNode* operand = take("the label to go to");
    if (operand == nullptr) return nullptr;
    if (operand->kind == Kind::Location && !operand->in_brackets && is_label_name(operand->name.text)) return operand;
    fail(operand->span, "expected a label: LC and digits", fmt::format("the form is: {}", step_.opcode.form));
    return nullptr;
  }

  const InstructionNode& node_;
  Reporter& reporter_;
  Step step_;
  std::size_t next_ = 0;
  bool good_ = true;
};

}  // namespace

bool sends_vector(const Step& step) {
  return step.opcode.kind == OpcodeKind::Asynchronous && step.values[1] != nullptr;
}

bool has_product(const Step& step) {
  return step.opcode.kind == OpcodeKind::Asynchronous && step.opcode.async->form->operands.starts_with('p') &&
         !step.node->vector.empty();
}

Value elements_of(const Step& step) {
  return std::max<Value>(std::ranges::count_if(step.values, [](const OperandNode* value) { return value != nullptr; }),
                         1);
}

std::optional<Step> make_step(const InstructionNode& node, const Opcode& opcode, Reporter& reporter) {
  return StepMaker(node, opcode, reporter).make();
}

}  // namespace ambit::parser::ptx
