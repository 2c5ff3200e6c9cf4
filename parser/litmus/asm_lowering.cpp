#include "parser/litmus/asm_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "parser/litmus/special_registers.h"
#include "parser/ptx/integer_arithmetic.h"

namespace ambit::parser::litmus {
namespace {

using assembly::Modifier;
using assembly::Opcode;

/// Returns the characters of adjacent string literals.
std::string unquoted(std::string_view literals) {
  std::string text;
  bool inside = false;
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (literals[i] == '"') {
      inside = !inside;
    } else if (inside && literals[i] == '\\' && i + 1 < literals.size()) {
      ++i;
      text += literals[i] == 'n' || literals[i] == 't' || literals[i] == 'r' ? ' ' : literals[i];
      if (literals[i] == 'n') text.back() = '\n';
    } else if (inside) {
      text += literals[i];
    }
  }
  return text;
}

/// Returns the PTX code of a template: %% becomes %, and `operands` replace %0, %1 and so on.
std::string expanded(std::string_view code, const std::vector<std::string>& operands) {
  std::string text;
  for (std::size_t i = 0; i < code.size(); ++i) {
    std::size_t number = 0;
    const char* const begin = code.data() + i + 1;
    if (code.substr(i, 2) == "%%") {
      text += code[i++];
    } else if (code.substr(i, 2) == "%=") {
      ++i;  // %= makes labels unique; Ambit does not need unique labels
    } else if (const auto [end, error] = std::from_chars(begin, code.data() + code.size(), number);
               code[i] == '%' && error == std::errc{} && number < operands.size()) {
      text += operands[number];
      i += static_cast<std::size_t>(end - begin);
    } else {
      text += code[i];
    }
  }
  return text;
}

}  // namespace

bool AsmLowering::fail(std::string message, std::string hint) {
  thread_.error(state_.span, std::move(message), std::move(hint));
  return false;
}

bool AsmLowering::fail_unread(std::string_view what) {
  return fail(fmt::format("Ambit does not read '{}' in inline assembly", what));
}

Operand AsmLowering::assembly(const Call& call) {
  // An operand may be a call of a function that itself contains assembly.
  const AtExit restore(
      [this, outer = std::exchange(state_, State{.span = call.node.span})]() mutable { state_ = std::move(outer); });
  if (call.arguments.size() < 2 || call.arguments[0].kind != ExprKind::Text) {
    return thread_.error(state_.span, "expected the text of the assembly");
  }
  const std::string code = unquoted(call.arguments[0].name);
  state_.multiplies = code.find("wgmma.mma_async") != std::string::npos;
  const std::optional<std::vector<std::string>> operands = bind_operands(call);
  if (!operands) return std::nullopt;
  Result<assembly::Module> read = assembly::read_assembly(expanded(code, *operands), operands->size());
  if (!read.ok()) return thread_.error(state_.span, read.errors().front().message, read.errors().front().hint);
  state_.module = std::move(read).value();
  if (!run()) return std::nullopt;
  write_outputs();
  return Operand::nothing();
}

void AsmLowering::write_outputs() {
  for (auto& [number, made] : state_.registers) {
    if (!made.output) continue;
    Operand result =
        made.value ? *made.value : Operand(Expr::make_register(made.id, made.type), Type{.scalar = made.type});
    const std::size_t first = thread_.code.size();
    places_.write(*made.output, std::move(result), state_.span);
    if (made.is_product) thread_.code.mark_bindings(first);
  }
}

/// Binds the operands. Returns the text that replaces each operand in the template. As in compilers, the text of a
/// constant operand (constraint "n") is the constant's value.
std::optional<std::vector<std::string>> AsmLowering::bind_operands(const Call& call) {
  const Operand outputs = thread_.value(call.arguments[1]);
  std::vector<std::string> texts;
  for (std::size_t i = 2; i + 1 < call.arguments.size(); i += 2) {
    const auto number = static_cast<std::uint32_t>(texts.size());
    const std::string constraint = unquoted(call.arguments[i].name);
    const ExprNode& node = call.arguments[i + 1];
    texts.push_back(fmt::format("%{}", number));
    if (static_cast<Value>(number) < outputs.expr.constant) {
      if (!bind_output(node, constraint.find('+') != std::string::npos, number)) return std::nullopt;
      continue;
    }
    Operand value = thread_.value(node);
    if (value.erroneous) return std::nullopt;
    if (constraint == "n" && value.expr.is_constant()) texts.back() = std::to_string(value.expr.constant);
    value.expr = thread_.code.stable(std::move(value.expr), node.span);
    state_.registers[number] = {.id = 0, .type = kUnsignedLongLong, .value = std::move(value), .is_input = true};
  }
  return texts;
}

bool AsmLowering::bind_output(const ExprNode& node, bool is_read, std::uint32_t number) {
  const std::optional<Place> place = places_.place(node);
  if (!place) return false;
  if (place->type.is_pointer || place->type.structure != nullptr) {
    return fail(fmt::format("the assembly writes {}: expected a number", to_string(place->type)));
  }
  PtxRegister made{.id = 0, .type = place->type.scalar};
  made.id = thread_.code.temporary(made.type);
  const std::size_t first = thread_.code.size();
  if (is_read) thread_.code.emit(Assign{made.id, places_.read(*place).expr}, state_.span);
  if (state_.multiplies) thread_.code.mark_bindings(first);
  made.output = place;
  state_.registers[number] = std::move(made);
  return true;
}

// ---- statements ----

bool AsmLowering::run() {
  const std::vector<assembly::Label>& labels = function().labels;  // sorted by instruction
  for (std::size_t i = 0; i < labels.size(); ++i) state_.labels.push_back(thread_.code.new_label());
  std::size_t next = 0;
  const auto bind_labels = [&](std::size_t instruction) {
    for (; next < labels.size() && labels[next].instruction == instruction; ++next) {
      thread_.code.bind(state_.labels[next]);
    }
  };
  for (std::size_t i = 0; i < function().instructions.size(); ++i) {
    bind_labels(i);
    state_.instruction = &function().instructions[i];
    if (!run_guarded()) return false;
  }
  bind_labels(function().instructions.size());
  return true;
}

bool AsmLowering::run_guarded() {
  CodeBuilder& code = thread_.code;
  const assembly::Guard guard = state_.instruction->guard;
  std::optional<Expr> condition;
  if (guard.reg != assembly::kNone) {
    condition = to_boolean(value({.kind = Source::Kind::Register, .index = guard.reg})->expr);
    if (guard.negated) condition = negate(*std::move(condition));
  }
  if (state_.instruction->opcode == Opcode::Bra) {
    const Label target = state_.labels[sources()[0].index];
    condition ? code.branch(*std::move(condition), target, state_.span) : code.jump(target, state_.span);
    return true;
  }
  if (!condition) return instruction();
  const Label skip = code.new_label();
  code.branch(negate(*std::move(condition)), skip, state_.span);
  const bool good = !code.reachable() || instruction();
  code.bind(skip);
  return good;
}

bool AsmLowering::instruction() {
  const Opcode opcode = state_.instruction->opcode;
  switch (opcode) {
    case Opcode::Mapa: {
      const std::optional<Operand> address = value(sources()[1]);
      const std::optional<Operand> rank = value(sources()[2]);
      if (!address || !rank) return false;
      Operand mapped = barriers_.map_shared(*address, *rank, state_.span);
      return !mapped.erroneous && assign(sources()[0], std::move(mapped));
    }
    case Opcode::Ldmatrix:
    case Opcode::Stmatrix: return fragment();
    case Opcode::Mma:
    case Opcode::WmmaMma: return product();
    case Opcode::ElectSync: return elect();
    case Opcode::Applypriority:  // cache hints and the number of a warp's registers do not matter to memory models
    case Opcode::CpAsyncBulkPrefetch:
    case Opcode::Pmevent:
    case Opcode::Prefetch:
    case Opcode::Prefetchu:
    case Opcode::Setmaxnreg: return true;
    case Opcode::MbarrierPendingCount: return on_memory();
    default: break;
  }
  if (this->opcode().starts_with("wgmma.mma_async")) return multiply();
  const bool computes = opcode != Opcode::Unknown && assembly::row_of(opcode).effect == assembly::Effect::None;
  return computes ? compute() : on_memory();
}

// ---- arithmetic ----

bool AsmLowering::compute() {
  const assembly::Instruction& one = *state_.instruction;
  if (sources()[0].kind != Source::Kind::Register) return fail_unread(opcode());
  std::vector<Operand> read;
  std::vector<Expr> values;
  for (const Source& source : sources().subspan(1)) {
    std::optional<Operand> operand = value(source);
    if (!operand) return false;
    const assembly::Type type = assembly::source_type(one, read.size());
    values.push_back(type == assembly::Type::Pred ? to_boolean(operand->expr)
                                                  : Expr::make_cast(operand->expr, ptx::integer_type(type)));
    read.push_back(*std::move(operand));
  }
  if (std::ranges::any_of(read, [](const Operand& operand) { return operand.type.is_pointer; })) {
    return compute_address(read);
  }
  const bool moves = one.opcode == Opcode::Mov || one.opcode == Opcode::Selp;
  const bool is_opaque = !moves && (std::ranges::any_of(one.types, assembly::is_float) ||
                                    one.modifiers.has(Modifier::Sat) || one.modifiers.has(Modifier::Cc));
  if (is_opaque) return assign_opaque(sources().first(1), read);
  std::optional<Expr> result = ptx::integer_result(one, values);
  return result ? assign(sources()[0], Operand::integer(*std::move(result))) : fail_unread(opcode());
}

/// Lowers a move or conversion of an address, or an operation that makes a matrix descriptor from an address.
bool AsmLowering::compute_address(const std::vector<Operand>& values) {
  const assembly::Instruction& one = *state_.instruction;
  if (one.opcode == Opcode::Mov) return assign(sources()[0], values[0]);
  if (one.opcode == Opcode::Cvta || one.opcode == Opcode::Cvt) {  // conversions do not change an address
    Operand address = values[0];
    const bool is_to_shared = one.modifiers.has(Modifier::To) && one.modifiers.has(Modifier::Shared);
    address.type.is_shared_address = address.type.is_shared_address || is_to_shared;
    return address.type.is_shared_address ? assign(sources()[0], std::move(address)) : fail_unread(opcode());
  }
  const std::optional<Op> op = ptx::operation_of(one.opcode);
  const bool is_first = values[0].type.is_pointer;
  const bool is_shift = op == Op::ShiftLeft || op == Op::ShiftRight;
  const Operand& address = values[is_first ? 0 : 1];
  const bool is_one = values.size() == 2 && values[0].type.is_pointer != values[1].type.is_pointer;
  if (!op || !is_one || !address.type.is_shared_address || (is_shift && !is_first)) {
    return fail(fmt::format("'{}' cannot be applied to an address", opcode()));
  }
  const Operand& number = values[is_first ? 1 : 0];
  Operand result = op == Op::Add && !address.type.is_descriptor
                       ? places_.move_bytes(address, number, state_.span)
                       : matrices_.descriptor(*op, address, number, state_.span);
  return !result.erroneous && assign(sources()[0], std::move(result));
}

/// Lowers wgmma.mma_async {d}, a, b, scale-d, ... to reads of the factors in shared memory. Ambit does not compute the
/// product.
bool AsmLowering::multiply() {
  constexpr std::size_t kFactorRegisters = 4;  // registers that hold the first factor, if the factor is in registers
  const bool a_in_registers = sources().size() > 1 && sources()[1].kind == Source::Kind::Vector;
  const std::optional<MatrixForm> form = matrix_form(opcode(), a_in_registers);
  if (!form) {
    return fail(fmt::format("unknown instruction '{}'", opcode()),
                "the form is wgmma.mma_async.sync.aligned.m64nNkK.D.A.B, with a shape that fits the types");
  }
  if (sources().size() != form->operands) {
    return fail(fmt::format("'{}' takes {} operands here, not {}", opcode(), form->operands, sources().size()),
                "the operands are {d}, a, b, scale-d, and further operands that the types require");
  }
  const auto product = registers_in(sources()[0]);
  if (!product) return false;
  if (product->size() != form->accumulators) {
    return fail(
        fmt::format("'{}' has {} accumulators in each thread, not {}", opcode(), form->accumulators, product->size()));
  }
  const auto machine = std::make_shared<MachineInstruction>();
  machine->name = opcode();
  AsyncStep operation;
  operation.name = "wgmma.mma_async";
  operation.group = AsyncGroup::Matrix;
  for (std::size_t i = 1; i < sources().size(); ++i) {
    if (i == 1 && a_in_registers) {
      const auto factor = registers_in(sources()[1]);
      if (!factor) return false;
      if (factor->size() == kFactorRegisters) continue;
      return fail(
          fmt::format("the first factor has {} registers in each thread, not {}", kFactorRegisters, factor->size()));
    }
    const std::optional<Operand> read = value(sources()[i]);
    if (!read) return false;
    const std::size_t first = operation.elements.size();
    if (i <= 2 && !matrices_.add_operand(*read, operation, state_.span)) return false;
    if (operation.elements.size() > first) {
      machine->operands.push_back(
          {MachineInstruction::Operand::Kind::Address, operation.elements[first].source->address});
    }
    if (i > 2 && read->type.is_pointer) {
      return fail(fmt::format("'{}' is an address: expected a number", text(sources()[i])));
    }
  }
  for (const Source& source : *product) {
    if (source.kind != Source::Kind::Register || !known(source.index).output) continue;
    PtxRegister& found = known(source.index);
    found.is_product = true;
    Variable* const variable = found.output->variable;
    if (variable == nullptr || variable->kind != Variable::Kind::Register) continue;
    operation.products.push_back(variable->reg);
    thread_.variables.keep_register(variable->reg);
  }
  const std::size_t issue = thread_.code.size();
  if (thread_.values_matter()) thread_.code.emit(std::move(operation), state_.span);
  thread_.code.attach(issue, machine);
  return assign_opaque(*product, {});
}

bool AsmLowering::on_memory() {
  std::vector<PtxOperand> operands;
  for (const Source& source : sources()) {
    std::optional<PtxOperand> made = operand(source);
    if (!made) return false;
    operands.push_back(*std::move(made));
  }
  Operand result = ptx_.execute(opcode(), operands, state_.span);
  if (result.erroneous) return false;
  return result.type.is_void || operands.empty() || assign(sources()[0], std::move(result));
}

// ---- operands ----

std::string AsmLowering::text(const Source& source) const {
  return assembly::operand_text(state_.module, function(), *state_.instruction, source).substr(0, 60);
}

bool AsmLowering::is_predicate(const Source& source) const {
  return source.kind == Source::Kind::Register && function().registers[source.index] == assembly::Type::Pred;
}

/// Returns the register with this number in the assembly. At the first use of a declared register, adds the register to
/// the thread.
AsmLowering::PtxRegister& AsmLowering::known(std::uint32_t number) {
  const auto [found, is_new] = state_.registers.try_emplace(number);
  if (is_new) {
    found->second.type = ptx::integer_type(function().registers[number]);
    found->second.id = thread_.code.temporary(found->second.type);
  }
  return found->second;
}

std::optional<Operand> AsmLowering::value(const Source& source) {
  if (source.kind == Source::Kind::Register && source.component < 0) {
    const PtxRegister& read = known(source.index);
    if (!source.negated) return read.value ? *read.value : Operand::integer(Expr::make_register(read.id, read.type));
    if (!read.value) return Operand::integer(negate(to_boolean(Expr::make_register(read.id, read.type))));
  }
  if (source.kind == Source::Kind::Integer) return Operand::constant(source.offset(), kLongLong);
  if (source.kind == Source::Kind::Special) {
    const auto name = to_string(static_cast<assembly::SpecialRegister>(source.index));
    if (std::optional<Operand> found = special_register(thread_.setting, name)) return found;
  }
  fail_unread(text(source));
  return std::nullopt;
}

std::optional<PtxOperand> AsmLowering::operand(const Source& source) {
  PtxOperand made{.span = state_.span};
  if (source.kind == Source::Kind::Address) return address(source);
  if (source.kind == Source::Kind::Discard) {
    made.kind = PtxOperand::Kind::Sink;
  } else if (source.kind == Source::Kind::Vector) {
    const auto registers = registers_in(source);
    if (!registers) return std::nullopt;
    made.kind = PtxOperand::Kind::Vector;
    for (const Source& one : *registers) made.coordinates.push_back(*value(one));
  } else {
    std::optional<Operand> read = value(source);
    if (!read) return std::nullopt;
    made.operand = *std::move(read);
    made.is_predicate = is_predicate(source);
  }
  return made;
}

/// Lowers [%0+16], or [%1, {%2, %3}]: a tensor map and the coordinates of a box.
std::optional<PtxOperand> AsmLowering::address(const Source& source) {
  PtxOperand made{.kind = PtxOperand::Kind::Address, .span = state_.span};
  const Source base{.kind = source.base == Source::Base::Register ? Source::Kind::Register : Source::Kind::Discard,
                    .index = source.index};
  if (source.count > 0) {
    const std::span<const Source> elements = state_.instruction->elements(source);
    if (elements.size() != 1 || elements[0].kind != Source::Kind::Vector || base.kind == Source::Kind::Discard) {
      fail(fmt::format("expected a tensor map and coordinates, [%1, {{%2, %3}}], found '{}'", text(source)));
      return std::nullopt;
    }
    std::optional<PtxOperand> coordinates = operand(elements[0]);
    if (!coordinates) return std::nullopt;
    made.kind = PtxOperand::Kind::Tensor;
    made.operand = *value(base);
    made.coordinates = std::move(coordinates->coordinates);
    return made;
  }
  if (base.kind != Source::Kind::Discard) made.operand = *value(base);
  if (!made.operand.type.is_pointer) {
    fail(fmt::format("'{}' is used as an address, but it is a number to Ambit",
                     base.kind == Source::Kind::Discard ? text(source) : text(base)),
         "pass the pointer, or (uint32_t)__cvta_generic_to_shared(pointer)");
    return std::nullopt;
  }
  if (source.offset() != 0) {
    made.operand = places_.move_bytes(std::move(made.operand), Operand::constant(source.offset()), state_.span);
  }
  return made.operand.erroneous ? std::nullopt : std::optional(made);
}

/// Returns the registers and constants in `{%0, %1}`. Error: Ambit does not support one of the operands.
std::optional<std::span<const assembly::Operand>> AsmLowering::registers_in(const Source& braces) {
  if (braces.kind != Source::Kind::Vector) {
    fail(fmt::format("expected registers in braces, found '{}'", text(braces)));
    return std::nullopt;
  }
  const std::span<const Source> elements = state_.instruction->elements(braces);
  const bool good = std::ranges::all_of(elements, [&](const Source& one) { return value(one).has_value(); });
  return good ? std::optional(elements) : std::nullopt;
}

bool AsmLowering::assign(const Source& target, Operand value) {
  if (target.kind == Source::Kind::Discard) return true;
  if (target.kind != Source::Kind::Register || target.component >= 0 || known(target.index).is_input) {
    return fail(fmt::format("the assembly writes '{}', which is neither its output nor its register", text(target)));
  }
  PtxRegister& written = known(target.index);
  if (value.type.is_pointer) {
    written.value = std::move(value);
    return true;
  }
  written.value.reset();
  thread_.code.emit(Assign{written.id, Expr::make_cast(std::move(value.expr), written.type)}, state_.span);
  return true;
}

/// Assigns opaque values that depend on the operands `from`.
bool AsmLowering::assign_opaque(std::span<const Source> targets, const std::vector<Operand>& from) {
  // gives_opaque_values() does not find a word that is split over several string literals.
  if (!thread_.assembly.has_opaque_values) return fail_unread(opcode());
  return std::ranges::all_of(targets, [&](const Source& target) {
    const ScalarType type = target.kind == Source::Kind::Register ? known(target.index).type : kInt;
    return assign(target, Operand::opaque(Type{.scalar = type, .is_opaque = true}, from));
  });
}

}  // namespace ambit::parser::litmus
