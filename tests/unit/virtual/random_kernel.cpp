#include "tests/unit/virtual/random_kernel.h"

#include <cstring>
#include <regex>

#include <fmt/format.h>

#include "tests/unit/virtual/reference_instructions.h"

namespace ambit::virtual_gpu {
namespace {

constexpr std::string_view kTypes = "hrdfgp";

unsigned index_of(char type) { return static_cast<unsigned>(kTypes.find(type)); }
unsigned bits_of(char type) { return type == 'h' ? 16 : type == 'd' || type == 'g' ? 64 : type == 'p' ? 1 : 32; }
std::uint64_t cut(char type, std::uint64_t value) {
  return bits_of(type) == 64 ? value : value & ((std::uint64_t{1} << bits_of(type)) - 1);
}
bool is_nan_of_type(char type, std::uint64_t value) {
  if (type == 'f') return (value & 0x7fffffff) > 0x7f800000;
  return type == 'g' && (value & 0x7fffffffffffffff) > 0x7ff0000000000000;
}
std::string name_of(char type, unsigned number) {
  constexpr std::array<const char*, 6> kPrefixes = {"%rs", "%r", "%rd", "%f", "%fd", "%p"};
  return fmt::format("{}{}", kPrefixes[index_of(type)], number);
}
const char* memory_type(char type) {
  constexpr std::array<const char*, 6> kNames = {"u16", "u32", "u64", "f32", "f64", "u32"};
  return kNames[index_of(type)];
}

}  // namespace

struct RandomKernel::State {
  RandomRegisters& registers;
  std::array<std::array<std::uint8_t, kSlots * 8>, 3> memories{};

  std::uint64_t& at(char type, unsigned number) { return registers.values[index_of(type)][number]; }
};

RandomKernel::RandomKernel(std::uint64_t seed) : random_(seed) {
  statements_ = random_list(10 + static_cast<unsigned>(random_() % 30), 0);
}

RandomRegisters RandomKernel::random_registers(std::mt19937_64& random) {
  RandomRegisters made;
  for (const char type : kTypes) {
    for (std::uint64_t& value : made.values[index_of(type)]) {
      const auto& specials = special_values(type);
      value = cut(type, random() % 2 == 0 ? specials[random() % specials.size()] : random() >> random() % 64);
    }
  }
  return made;
}

std::vector<RandomKernel::Statement> RandomKernel::random_list(unsigned count, unsigned depth) {
  std::vector<Statement> list;
  for (unsigned i = 0; i < count; ++i) list.push_back(random_statement(depth));
  return list;
}

RandomKernel::Statement RandomKernel::random_statement(unsigned depth) {
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random_() % bound); };
  constexpr unsigned kOfType = RandomRegisters::kOfType;
  Statement made;
  const unsigned choice = below(20);
  if (choice < 2 && depth < 3) {
    made.kind = Kind::If;
    made.guard = static_cast<int>(below(kOfType));
    made.negates = below(2) == 0;
    made.body = random_list(1 + below(5), depth + 1);
    if (below(2) == 0) made.otherwise = random_list(1 + below(5), depth + 1);
    return made;
  }
  if (choice == 2 && depth < 2 && loops_ < 6) {
    made.kind = Kind::Loop;
    made.sources[0] = below(kOfType);
    made.loop = loops_++;
    made.body = random_list(1 + below(5), depth + 1);
    return made;
  }
  if (choice < 7) {
    made.kind = choice == 3 ? Kind::Atomic : choice < 5 ? Kind::Load : Kind::Store;
    made.memory = below(made.kind == Kind::Atomic ? 2 : 3);
    made.type = made.kind == Kind::Atomic ? 'r' : "hrd"[below(3)];
    made.bytes = 1U << below(made.type == 'h' ? 2 : made.type == 'r' ? 3 : 4);
    if (made.kind == Kind::Atomic) made.bytes = 4;
    made.is_signed = below(2) == 0;
    made.result = below(kOfType);
    made.sources = {below(kOfType), below(kOfType), 0};
    return made;
  }
  made.instruction = random_() % reference_instructions().size();
  made.result = below(kOfType);
  made.sources = {below(kOfType), below(kOfType), below(kOfType)};
  if (below(4) == 0) made.guard = static_cast<int>(below(kOfType));
  made.negates = below(2) == 0;
  return made;
}

std::string RandomKernel::header() { return ".version 8.5\n.target sm_90\n.address_size 64\n"; }

std::string RandomKernel::text(const std::string& name) const {
  std::string text = fmt::format(R"(
.visible .entry {0}(.param .u64 {0}_0, .param .u64 {0}_1, .param .u64 {0}_2)
{{
  .reg .pred %p<8>;
  .reg .b16 %rs<8>;
  .reg .b32 %r<20>, %n<8>;
  .reg .b64 %rd<20>;
  .reg .f32 %f<8>;
  .reg .f64 %fd<8>;
  .shared .align 8 .b8 {0}_shared[{1}];
  .local .align 8 .b8 {0}_local[{2}];
  mov.u32 %r10, %tid.x;
  mov.u32 %r11, %ctaid.x;
  mad.lo.u32 %r12, %r11, {3}, %r10;
  ld.param.u64 %rd10, [{0}_0];
  ld.param.u64 %rd11, [{0}_1];
  ld.param.u64 %rd12, [{0}_2];
  mad.wide.u32 %rd10, %r12, {4}, %rd10;
  mad.wide.u32 %rd11, %r12, {4}, %rd11;
  mad.wide.u32 %rd12, %r12, {2}, %rd12;
  mul.wide.u32 %rd13, %r10, {2};
  mov.u64 %rd14, {0}_shared;
  add.u64 %rd13, %rd13, %rd14;
  mov.u64 %rd14, {0}_local;
)",
                                 name, kThreads * kSlots * 8, kSlots * 8, kThreads, RandomRegisters::kCount * 8);
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    text += fmt::format(
        "  st.global.u64 [%rd12+{0}], 0;\n  st.shared.u64 [%rd13+{0}], 0;\n  st.local.u64 [%rd14+{0}], 0;\n", slot * 8);
  }
  for (const bool is_load : {true, false}) {
    unsigned offset = 0;
    for (const char type : kTypes) {
      for (unsigned i = 0; i < RandomRegisters::kOfType; ++i, offset += 8) {
        const std::string reg = name_of(type, i);
        if (is_load && type == 'p') {
          text += fmt::format("  ld.global.u32 %r13, [%rd10+{}];\n  setp.ne.u32 {}, %r13, 0;\n", offset, reg);
        } else if (is_load) {
          text += fmt::format("  ld.global.{} {}, [%rd10+{}];\n", memory_type(type), reg, offset);
        } else if (type == 'p') {
          text += fmt::format("  selp.u32 %r13, 1, 0, {};\n  st.global.u32 [%rd11+{}], %r13;\n", reg, offset);
        } else {
          text += fmt::format("  st.global.{} [%rd11+{}], {};\n", memory_type(type), offset, reg);
        }
      }
    }
    unsigned label = 0;
    if (is_load) text += text_of(statements_, label);
  }
  return text + "  ret;\n}\n";
}

/// Returns the PTX of an access to a slot. The lowest bits of a register are the number of the slot. The slot's address
/// is the base of the memory plus 8 * slot.
std::string RandomKernel::text_of_access(const Statement& statement) const {
  constexpr std::array<const char*, 3> kSpaces = {"global", "shared", "local"};
  const char* space = kSpaces[statement.memory];
  std::string text = fmt::format("  and.b32 %r13, {}, {};\n  mad.wide.u32 %rd15, %r13, 8, %rd{};\n",
                                 name_of('r', statement.sources[0]), kSlots - 1, 12 + statement.memory);
  const std::string type = fmt::format("{}{}", statement.is_signed ? 's' : 'u', statement.bytes * 8);
  switch (statement.kind) {
    case Kind::Store:
      return text +
             fmt::format("  st.{}.{} [%rd15], {};\n", space, type, name_of(statement.type, statement.sources[1]));
    case Kind::Load:
      return text + fmt::format("  ld.{}.{} {}, [%rd15];\n", space, type, name_of(statement.type, statement.result));
    default:
      return text + fmt::format("  atom.{}.add.u32 {}, [%rd15], {};\n", space, name_of('r', statement.result),
                                name_of('r', statement.sources[1]));
  }
}

std::string RandomKernel::text_of(const std::vector<Statement>& list, unsigned& label) const {
  std::string text;
  for (const Statement& statement : list) {
    const unsigned number = label++;
    switch (statement.kind) {
      case Kind::Instruction: {
        const ReferenceInstruction& instruction = reference_instructions()[statement.instruction];
        std::vector<std::string> names{name_of(instruction.result, statement.result)};
        for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
          names.push_back(name_of(instruction.sources[i], statement.sources[i]));
        }
        const bool is_block = instruction.text.starts_with("{{");
        if (statement.guard >= 0 && !is_block)
          text += fmt::format("  @{}%p{}", statement.negates ? "!" : "", statement.guard);
        text += "  " + filled(instruction.text, names) + (is_block ? "\n" : ";\n");
        break;
      }
      case Kind::If:
        text += fmt::format("  @{}%p{} bra $else{};\n", statement.negates ? "" : "!", statement.guard, number);
        text += text_of(statement.body, label);
        text += fmt::format("  bra.uni $end{0};\n$else{0}:\n", number) + text_of(statement.otherwise, label);
        text += fmt::format("$end{}:\n", number);
        break;
      case Kind::Loop:
        text += fmt::format("  and.b32 %n{}, {}, 7;\n$loop{}:\n", statement.loop, name_of('r', statement.sources[0]),
                            number);
        text += text_of(statement.body, label);
        text += fmt::format("  sub.u32 %n{0}, %n{0}, 1;\n  setp.gt.s32 %p7, %n{0}, 0;\n  @%p7 bra $loop{1};\n",
                            statement.loop, number);
        break;
      default: text += text_of_access(statement); break;
    }
  }
  return text;
}

void RandomKernel::evaluate_access(const Statement& statement, State& state) {
  const std::size_t slot = state.at('r', statement.sources[0]) % kSlots * 8;
  std::uint8_t* place = state.memories[statement.memory].data() + slot;
  if (statement.kind == Kind::Store) {
    std::memcpy(place, &state.at(statement.type, statement.sources[1]), statement.bytes);
    return;
  }
  std::uint64_t found = 0;
  std::memcpy(&found, place, statement.bytes);
  if (statement.kind == Kind::Atomic) {
    const std::uint64_t sum = found + state.at('r', statement.sources[1]);
    std::memcpy(place, &sum, 4);
    state.at('r', statement.result) = found;
    return;
  }
  const unsigned unused = 64 - statement.bytes * 8;
  if (statement.is_signed) found = static_cast<std::uint64_t>(static_cast<std::int64_t>(found << unused) >> unused);
  state.at(statement.type, statement.result) = cut(statement.type, found);
}

void RandomKernel::evaluate(const std::vector<Statement>& list, State& state) {
  for (const Statement& statement : list) {
    switch (statement.kind) {
      case Kind::Instruction: {
        const ReferenceInstruction& instruction = reference_instructions()[statement.instruction];
        const bool is_block = instruction.text.starts_with("{{");
        if (statement.guard >= 0 && !is_block) {
          const bool holds = state.at('p', static_cast<unsigned>(statement.guard)) != 0;
          if (holds == statement.negates) break;
        }
        std::array<std::uint64_t, 3> operands{};
        for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
          operands[i] = state.at(instruction.sources[i], statement.sources[i]);
        }
        state.at(instruction.result, statement.result) =
            cut(instruction.result, instruction.value(operands[0], operands[1], operands[2]));
        break;
      }
      case Kind::If: {
        const bool holds = state.at('p', static_cast<unsigned>(statement.guard)) != 0;
        evaluate(holds != statement.negates ? statement.body : statement.otherwise, state);
        break;
      }
      case Kind::Loop: {
        auto left = static_cast<std::int64_t>(state.at('r', statement.sources[0]) & 7);
        do {
          evaluate(statement.body, state);
        } while (--left > 0);
        break;
      }
      default: evaluate_access(statement, state); break;
    }
  }
}

void RandomKernel::evaluate(RandomRegisters& registers) const {
  State state{registers};
  evaluate(statements_, state);
  for (const char type : kTypes) {
    for (std::uint64_t& value : registers.values[index_of(type)]) {
      if (is_nan_of_type(type, value)) value = ~std::uint64_t{0};
    }
  }
}

std::string without_miscompiled_guards(const std::string& text) {
  static const std::regex guarded("@!?%p[0-9]+ +(testp|set\\.[a-z]+\\.f32)");
  return std::regex_replace(text, guarded, "$1");
}

}  // namespace ambit::virtual_gpu
