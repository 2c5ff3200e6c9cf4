#include "ptx/module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "tests/support/files.h"
#include "tests/unit/ptx/module_text.h"

namespace ambit::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = Operand::Kind;

const std::filesystem::path kModules = test::project() / "tests/unit/ptx/modules";

Module read_sample(const std::string& name) {
  Result<Module> module = read_module(test::contents(kModules / name), name);
  EXPECT_TRUE(module.ok()) << render(module.errors());
  return std::move(module).value();
}

constexpr std::string_view kHeader = ".version 8.3\n.target sm_90\n.address_size 64\n";

Result<Module> read_text(const std::string& text) { return read_module(std::string(kHeader) + text, "t.ptx"); }

/// Reads a module with one kernel and a few registers. The kernel's `body` begins in line 6.
Result<Module> read_body(const std::string& body) {
  return read_text(".entry k() {\n.reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<3>;\n" + body +
                   "\n}\n");
}

std::string error_of(const Result<Module>& module) { return module.ok() ? "no error" : render(module.errors()); }

bool same_operand(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.base == b.base && a.negated == b.negated && a.component == b.component &&
         a.index == b.index && a.value == b.value && a.first == b.first && a.count == b.count;
}

const Instruction& only(const Module& module, Opcode opcode) {
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.instructions) {
      if (instruction.opcode == opcode) return instruction;
    }
  }
  ADD_FAILURE() << "no " << to_string(opcode);
  static const Instruction kEmpty;
  return kEmpty;
}

class Samples : public testing::TestWithParam<std::string> {};

TEST_P(Samples, PrintTheBytesThatWereRead) {
  const std::string text = test::contents(kModules / GetParam());
  const Result<Module> module = read_module(text, GetParam());
  ASSERT_TRUE(module.ok()) << render(module.errors());
  EXPECT_EQ(print(module.value()), text);
}

// Prints each parsed instruction and parses the printed text. The result must equal the first instruction.
TEST_P(Samples, InstructionsWrittenAnewAreTheSame) {
  const Module module = read_sample(GetParam());
  Module rewritten = module;
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.instructions) {
      rewritten.edits.push_back(
          {instruction.text.offset, instruction.text.length, instruction_text(module, function, instruction)});
    }
  }
  const Result<Module> again = read_module(print(rewritten), "again.ptx");
  ASSERT_TRUE(again.ok()) << render(again.errors());
  ASSERT_EQ(again.value().functions.size(), module.functions.size());
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    const auto& before = module.functions[f].instructions;
    const auto& after = again.value().functions[f].instructions;
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      const std::string text = instruction_text(module, module.functions[f], before[i]);
      EXPECT_EQ(before[i].opcode, after[i].opcode) << text;
      EXPECT_EQ(before[i].source, after[i].source) << text;
      EXPECT_EQ(before[i].guard.reg, after[i].guard.reg) << text;
      EXPECT_TRUE(std::ranges::equal(before[i].operands, after[i].operands, same_operand)) << text;
    }
  }
}

TEST_P(Samples, HaveInstructionsOfTheTableOnly) {
  if (GetParam() == "rare_forms.ptx") return;
  const Module module = read_sample(GetParam());
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.instructions) {
      EXPECT_NE(instruction.opcode, Opcode::Unknown) << module.text_of(instruction.text);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modules, Samples,
                         testing::Values("arithmetic.ptx", "clang_14_debug.ptx", "clang_14_lines.ptx",
                                         "cooperative_groups.ptx", "indirect_calls.ptx", "lock_struct.ptx",
                                         "rare_forms.ptx", "scor_lock_no_fence.ptx", "switch_and_printf.ptx",
                                         "tree_search.ptx"),
                         [](const auto& info) { return info.param.substr(0, info.param.find('.')); });

TEST(PtxModule, Header) {
  const Module module = read_sample("rare_forms.ptx");
  EXPECT_EQ(module.version_major, 8U);
  EXPECT_EQ(module.version_minor, 3U);
  EXPECT_EQ(module.target, "sm_90a, texmode_independent");
  EXPECT_EQ(module.address_size, 64U);
}

float float_at(const Variable& variable, std::size_t element) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits |= std::uint32_t{variable.initial.at(element * 4 + i)} << (8 * i);
  return std::bit_cast<float>(bits);
}

TEST(PtxModule, InitialValues) {
  const Module module = read_sample("rare_forms.ptx");
  const auto variable = [&](std::string_view name) -> const Variable& { return variable_named(module, name); };
  const Variable& v = variable("v");
  EXPECT_EQ(v.size(), 32U);
  EXPECT_EQ(v.alignment, 16U);
  EXPECT_EQ(v.linkage, Linkage::Visible);
  EXPECT_EQ(float_at(v, 1), 2.5F);
  EXPECT_EQ(float_at(v, 2), 3.0F);
  EXPECT_EQ(float_at(v, 3), -4.0F);
  EXPECT_EQ(float_at(v, 4), 1.0F);
  EXPECT_EQ(variable("d").initial.at(7), 0xc0);  // -1500.0
  EXPECT_THAT(variable("bytes").initial, ElementsAre(1, 0, 0, 0, 2, 3, 0, 0, 0xff, 8, 3));
  EXPECT_EQ(variable("counter").linkage, Linkage::Common);
  EXPECT_FALSE(variable("counter").is_initialised);
  EXPECT_TRUE(variable("m").is_managed);
  EXPECT_THAT(variable("m").initial, ElementsAre(0xfe, 0xff));
  EXPECT_THAT(variable("computed").initial, ElementsAre(6, 0, 0, 0));
  EXPECT_EQ(variable("other").size(), 4U);
}

TEST(PtxModule, AddressesInInitialValues) {
  const Module module = read_sample("rare_forms.ptx");
  const Variable& table = variable_named(module, "table");
  EXPECT_EQ(table.count, 4U);
  ASSERT_EQ(table.relocations.size(), 3U);
  EXPECT_EQ(module.variables[table.relocations[0].symbol].name, "v");
  EXPECT_EQ(table.relocations[0].addend, 16);
  EXPECT_FALSE(table.relocations[0].is_generic);
  EXPECT_TRUE(table.relocations[1].is_generic);
  EXPECT_EQ(table.relocations[1].addend, 4);
  EXPECT_EQ(table.relocations[1].offset, 8U);
  EXPECT_TRUE(table.relocations[2].is_function);
  EXPECT_EQ(module.functions[table.relocations[2].symbol].name, "f");
  const Variable& split = variable_named(module, "split");
  ASSERT_EQ(split.relocations.size(), 2U);
  EXPECT_EQ(split.relocations[1].shift, 8);
  EXPECT_EQ(split.relocations[1].size, 1);
  EXPECT_EQ(split.relocations[1].offset, 1U);
}

TEST(PtxModule, Functions) {
  const Module module = read_sample("rare_forms.ptx");
  const Function& f = function_named(module, "f");
  EXPECT_TRUE(f.has_body);
  EXPECT_FALSE(f.is_entry);
  ASSERT_EQ(f.returns.size(), 1U);
  EXPECT_TRUE(f.returns[0].is_register);
  EXPECT_EQ(f.register_name(f.returns[0].index), "r");
  ASSERT_EQ(f.parameters.size(), 2U);
  EXPECT_TRUE(f.parameters[0].is_register);
  EXPECT_EQ(module.variables[f.parameters[1].index].size(), 24U);
  const Function& k = function_named(module, "k");
  EXPECT_TRUE(k.is_entry);
  EXPECT_EQ(module.variables[k.parameters[0].index].pointee, Space::Global);
  EXPECT_EQ(module.variables[k.parameters[0].index].alignment, 8U);
  EXPECT_EQ(k.required_threads, (Dimensions{32, 2, 1}));
  EXPECT_EQ(k.minimum_blocks, 3U);
  ASSERT_EQ(k.targets.size(), 1U);
  EXPECT_EQ(k.labels[k.targets[0].indexes[0]].instruction, k.instructions.size() - 1);
  ASSERT_EQ(k.prototypes.size(), 1U);
  EXPECT_EQ(k.prototypes[0].parameters.at(1).count, 24U);
}

// A register x that is declared in inner braces is another register. A jump uses the label in the innermost braces
// around it that contain a label of this name.
TEST(PtxModule, BracesHaveTheirOwnNames) {
  const Result<Module> read =
      read_body(".reg .b32 x;\nmov.u32 x, 1;\nbra end;\n{ .reg .b32 x; mov.u32 x, 2; end: bra end; }\nend: ret;");
  ASSERT_TRUE(read.ok()) << error_of(read);
  const Function& k = read.value().functions[0];
  EXPECT_NE(k.instructions[0].operands[0].index, k.instructions[2].operands[0].index);
  EXPECT_EQ(k.labels[k.instructions[1].operands[0].index].instruction, 4U);
  EXPECT_EQ(k.labels[k.instructions[3].operands[0].index].instruction, 3U);
}

TEST(PtxModule, Operands) {
  const Result<Module> read = read_body(
      "@!%p1 ld.volatile.global.v2.u32 {%r1, _}, [%rd2+-8];\n"
      "shfl.sync.bfly.b32 %r2|%p1, %r1, 16, 31, -1;\nmov.u32 %r0, %ctaid.y;\nsetp.lt.and.s32 %p0, %r1, 3, !%p2;");
  ASSERT_TRUE(read.ok()) << error_of(read);
  const Function& k = read.value().functions[0];
  const Instruction& load = k.instructions[0];
  EXPECT_EQ(load.guard.reg, 1U);
  EXPECT_TRUE(load.guard.negated);
  EXPECT_EQ(load.operand_count, 2U);
  EXPECT_EQ(load.operands[0].kind, Kind::Vector);
  EXPECT_EQ(load.elements(load.operands[0])[0].kind, Kind::Register);
  EXPECT_EQ(load.elements(load.operands[0])[1].kind, Kind::Discard);
  EXPECT_EQ(load.operands[1].base, Operand::Base::Register);
  EXPECT_EQ(k.register_name(load.operands[1].index), "%rd2");
  EXPECT_EQ(load.operands[1].offset(), -8);
  EXPECT_EQ(load.type(), Type::U32);
  EXPECT_EQ(load.place.line, 6U);
  EXPECT_EQ(load.place.column, 7U);
  const Instruction& shuffle = k.instructions[1];
  EXPECT_EQ(shuffle.operands[0].kind, Kind::Pair);
  EXPECT_EQ(shuffle.operands[4].value, ~std::uint64_t{0});
  EXPECT_EQ(static_cast<SpecialRegister>(k.instructions[2].operands[1].index), SpecialRegister::CtaidY);
  EXPECT_TRUE(k.instructions[3].operands[3].negated);
}

TEST(PtxModule, CallsHaveBothLists) {
  const Result<Module> read = read_text(
      ".extern .func (.param .b32 r) g (.param .b64 a);\n.extern .func h;\n.entry k() {\n.reg .b64 %rd<2>;\n"
      "{ .param .b32 r0; .param .b64 a0; call.uni (r0), g, (a0); }\ncall h;\n"
      "proto: .callprototype _ (.param .b64 _);\n{ .param .b64 a0; call %rd1, (a0), proto; }\n}");
  ASSERT_TRUE(read.ok()) << error_of(read);
  const auto& instructions = read.value().functions[2].instructions;
  ASSERT_EQ(instructions.size(), 3U);
  const std::vector<Kind> kinds = {Kind::List, Kind::Function, Kind::List, Kind::Prototype};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(instructions[0].operands[i].kind, kinds[i]);
  EXPECT_EQ(instructions[0].elements(instructions[0].operands[2])[0].kind, Kind::Variable);
  EXPECT_EQ(instructions[1].operand_count, 3U);
  EXPECT_EQ(instructions[1].operands[2].count, 0U);
  EXPECT_EQ(instructions[2].operands[1].kind, Kind::Register);
  EXPECT_EQ(instructions[2].operands[3].kind, Kind::Prototype);
}

TEST(PtxModule, AnAliasIsItsFunction) {
  const Result<Module> read =
      read_text(".func f;\n.func g;\n.visible .func g { ret; }\n.alias f, g;\n.entry k() { call f; }");
  ASSERT_TRUE(read.ok()) << error_of(read);
  EXPECT_EQ(read.value().functions[only(read.value(), Opcode::Call).operands[1].index].name, "g");
}

TEST(PtxModule, UnknownInstructionsAreKept) {
  const Result<Module> read = read_body(
      "future.op.u32 {a, [b]}, c;\nadd.novel.u32 %r1, %r2, %r3;\nmov.u32 %r1, %pm3;\nadd.u32 %r1, %r2;\nsetp %p1, %r1, "
      "1;\n"
      "cvt.u32 %r1, %r2;");
  ASSERT_TRUE(read.ok()) << error_of(read);
  for (const Instruction& instruction : read.value().functions[0].instructions) {
    EXPECT_EQ(instruction.opcode, Opcode::Unknown);
    EXPECT_TRUE(instruction.operands.empty());
  }
  EXPECT_EQ(read.value().text_of(read.value().functions[0].instructions[1].spelling), "add.novel.u32");
}

TEST(PtxModule, PlacesFollowInlining) {
  const Module module = read_sample("lock_struct.ptx");
  const Instruction& exchange = only(module, Opcode::Atom);
  ASSERT_NE(exchange.source, kNone);
  EXPECT_THAT(to_string(module, exchange.source), HasSubstr("/usr/local/cuda"));
  EXPECT_THAT(to_string(module, user_place(module, exchange.source)), testing::StartsWith("lock_struct.cu:"));
  const SourcePlace& place = module.places[exchange.source];
  EXPECT_LT(place.inlined_at, exchange.source);
  EXPECT_THAT(module.strings.at(place.function), testing::StartsWith("_ZN"));
  EXPECT_EQ(to_string(module, kNone), "");
}

TEST(PtxModule, EditsReplaceAndInsert) {
  Result<Module> read = read_body("add.u32 %r1, %r2, %r3;\nret;");
  ASSERT_TRUE(read.ok());
  Module& module = read.value();
  const auto& instructions = module.functions[0].instructions;
  module.edits.push_back({instructions[1].text.offset, 0, "exit; "});
  module.edits.push_back({instructions[0].text.offset, instructions[0].text.length, "sub.u32 %r1, %r2, %r3;"});
  EXPECT_THAT(print(module), HasSubstr("\nsub.u32 %r1, %r2, %r3;\nexit; ret;\n"));
}

struct BadCase {
  std::string text;
  std::string place;
  std::string message;
};

TEST(PtxModule, ErrorsHavePlaces) {
  const std::vector<BadCase> cases = {
      {"add.u32 %r1, %r9, 1;", "t.ptx:6:14", "register '%r9' is not declared"},
      {"bra nowhere;", "t.ptx:6:5", "'nowhere' is not declared"},
      {"add.u32 %r1, later, 1; later: ret;", "t.ptx:6:14", "'later' is not declared"},
      {"ld.global.u32 %r1, [%rq];", "t.ptx:6:21", "'%rq' is not declared as a register or a variable"},
      {"@%r1 ret;", "t.ptx:6:2", "'%r1' is not a predicate"},
      {"add.u32 5, %r1, %r2;", "t.ptx:6:1", "operand 1 of 'add' must be a register"},
      {"call f, (%r1);", "t.ptx:6:6", "function 'f' is not declared"},
      {"a: ret; a: ret;", "t.ptx:6:9", "'a' is declared twice"},
      {"mov.u32 %r1, 0x;", "t.ptx:6:14", "malformed number '0x'"},
      {"mov.u32 %r1, 99999999999999999999;", "t.ptx:6:14", "malformed number"},
      {"mov.f32 %f1, 0f1234;", "t.ptx:6:14", "malformed number '0f1234'"},
      {"mov.u32 %r1, 1 / 0;", "t.ptx:6:16", "division by 0"},
      {"mov.u32 %r1, 1", "t.ptx:7:1", "expected ',' or ';' after an operand of 'mov.u32', found '}'"},
      {"mov.u32 %r1, \"x\";", "t.ptx:6:14", "expected an operand, found 'x'"},
      {"ret; `", "t.ptx:6:6", "unexpected character '`'"},
      {"ret; /* no end", "t.ptx:6:6", "this comment has no end"},
      {".pragma \"no end", "t.ptx:6:9", "this string has no end"},
      {".local .align 3 .b8 x[4];", "t.ptx:6:15", "alignment 3 is not a power of two"},
      {".local .b8 x[0x10000000000][2];", "t.ptx:6:12", "is larger than"},
      {".reg .b32 %q<99999999>;", "t.ptx:6:11", "registers in this module"},
      {"bra t; t: .branchtargets a; a: ret;", "t.ptx:6:5", "'bra' needs a label here"},
  };
  for (const BadCase& bad : cases) {
    const std::string error = error_of(read_body(bad.text));
    EXPECT_THAT(error, HasSubstr(bad.place + ": error: ")) << bad.text;
    EXPECT_THAT(error, HasSubstr(bad.message)) << bad.text;
  }
}

// Registers 0 and 1 are the operands %0 and %1.
TEST(PtxModule, ReadsInlineAssembly) {
  const auto read = read_assembly("{ .reg .pred p; setp.ne.b64 p, %1, 0; @p frob.x {%0, 4}, [%1+8]; }", 2);
  ASSERT_TRUE(read.ok());
  const Function& code = read.value().functions.at(0);
  ASSERT_EQ(code.instructions.size(), 2U);
  const Instruction& unknown = code.instructions[1];
  EXPECT_EQ(unknown.opcode, Opcode::Unknown);
  EXPECT_EQ(unknown.guard.reg, 2U);
  ASSERT_EQ(unknown.operand_count, 2U);
  EXPECT_EQ(unknown.elements(unknown.operands[0])[0].index, 0U);
  EXPECT_EQ(unknown.operands[1].index, 1U);
  EXPECT_EQ(unknown.operands[1].offset(), 8);
  EXPECT_THAT(error_of(read_assembly("bra L; } {", 0)), HasSubstr("no label 'L'"));
  EXPECT_THAT(error_of(read_assembly("membar.gl; }", 0)), HasSubstr("expected the end of the assembly"));
}

TEST(PtxModule, ErrorsOutsideOfFunctions) {
  const std::vector<BadCase> cases = {
      {".global .u32 x; .global .u32 x;", "t.ptx:4:30", "'x' is declared twice"},
      {".global .u32 x[2] = {1, 2, 3};", "t.ptx:4:29", "more initial values than 'x' has elements"},
      {".global .u32 x[2] = {{1}, 2};", "t.ptx:4:22", "more braces than dimensions"},
      {".global .u64 x = y;", "t.ptx:4:18", "'y' is not declared"},
      {".func f { ret; } .func f { ret; }", "t.ptx:4:24", "function 'f' is defined twice"},
      {".global x;", "t.ptx:4:9", "expected the type of the declaration"},
      {"ret;", "t.ptx:4:1", "expected a directive"},
      {".entry k(.u32 x) {}", "t.ptx:4:10", "expected a parameter in .param or .reg"},
  };
  for (const BadCase& bad : cases) {
    const std::string error = error_of(read_text(bad.text));
    EXPECT_THAT(error, HasSubstr(bad.place + ": error: ")) << bad.text;
    EXPECT_THAT(error, HasSubstr(bad.message)) << bad.text;
  }
  EXPECT_THAT(error_of(read_module("", "e.ptx")), HasSubstr("e.ptx:1:1: error: expected .version"));
  EXPECT_THAT(error_of(read_module(".version 5.0\n.target sm_30", "o.ptx")), HasSubstr("older than 6.0"));
  EXPECT_THAT(error_of(read_module(".version 10.0\n.target sm_30", "n.ptx")), HasSubstr("newer than 9.x"));
  EXPECT_THAT(error_of(read_module("\x7f"
                                   "ELF",
                                   "elf.o")),
              HasSubstr("elf.o:1:1: error: unexpected byte 0x7f"));
}

MemoryMeaning meaning_of(const std::string& text) {
  const Result<Module> read = read_body(text);
  EXPECT_TRUE(read.ok()) << error_of(read);
  return read.ok() ? memory_meaning(read.value().functions[0].instructions[0]) : MemoryMeaning();
}

TEST(PtxModule, MemoryMeaning) {
  MemoryMeaning meaning = meaning_of("ld.global.v4.f32 {%f1, %f1, %f1, %f1}, [%rd1];");
  EXPECT_EQ(meaning.effect, Effect::Read);
  EXPECT_EQ(meaning.order, Order::Weak);
  EXPECT_EQ(meaning.space, Space::Global);
  EXPECT_EQ(meaning.bytes(), 16U);
  meaning = meaning_of("st.release.cluster.shared::cluster.u8 [%r1], %r2;");
  EXPECT_EQ(meaning.order, Order::Release);
  EXPECT_EQ(meaning.scope, Scope::Cluster);
  EXPECT_EQ(meaning.space, Space::Shared);
  EXPECT_EQ(meaning.bytes(), 1U);
  meaning = meaning_of("st.volatile.u32 [%rd1], %r2;");
  EXPECT_EQ(meaning.order, Order::Relaxed);
  EXPECT_EQ(meaning.scope, Scope::System);
  EXPECT_TRUE(meaning.is_volatile);
  EXPECT_EQ(meaning.space, Space::None);
  meaning = meaning_of("atom.global.cas.b32 %r1, [%rd1], 0, 1;");
  EXPECT_EQ(meaning.order, Order::Relaxed);
  EXPECT_EQ(meaning.scope, Scope::Device);
  EXPECT_EQ(meaning.operation, RmwOp::CompareExchange);
  meaning = meaning_of("red.release.sys.global.max.s32 [%rd1], 3;");
  EXPECT_EQ(meaning.operation, RmwOp::Max);
  EXPECT_EQ(meaning.order, Order::Release);
  EXPECT_EQ(meaning.scope, Scope::System);
  meaning = meaning_of("membar.gl;");
  EXPECT_EQ(meaning.effect, Effect::Fence);
  EXPECT_EQ(meaning.order, Order::SeqCst);
  EXPECT_EQ(meaning.scope, Scope::Device);
  meaning = meaning_of("fence.acq_rel.cta;");
  EXPECT_EQ(meaning.order, Order::AcqRel);
  EXPECT_EQ(meaning.scope, Scope::Block);
  EXPECT_TRUE(meaning_of("ld.global.nc.u32 %r1, [%rd1];").is_read_only);
}

// Checks the number of operands of `mul d, a, b`, `max d, a, b{, c}` and others. A call accepts any number of operands,
// because the operands of calls have a separate grammar.
TEST(PtxOpcode, OperandsAreCounted) {
  const auto counts = [](Opcode opcode) {
    std::vector<std::size_t> result;
    for (std::size_t count = 0; count < 6; ++count) {
      if (takes_operands(row_of(opcode), count)) result.push_back(count);
    }
    return result;
  };
  EXPECT_THAT(counts(Opcode::Mul), ElementsAre(3));
  EXPECT_THAT(counts(Opcode::Max), ElementsAre(3, 4));
  EXPECT_THAT(counts(Opcode::FenceProxy), ElementsAre(0, 1, 2));
  EXPECT_THAT(counts(Opcode::Membar), ElementsAre(0));
  EXPECT_THAT(counts(Opcode::Call), testing::SizeIs(6));
}

TEST(PtxOpcode, TheLongestNameWins) {
  EXPECT_EQ(match_opcode("cp.async.ca.shared.global")->row->opcode, Opcode::CpAsync);
  EXPECT_EQ(match_opcode("cp.async.bulk.wait_group.read")->row->opcode, Opcode::CpAsyncBulkWaitGroup);
  EXPECT_EQ(match_opcode("bar.warp.sync")->row->opcode, Opcode::BarrierWarpSync);
  EXPECT_EQ(match_opcode("barrier.cta.sync.aligned")->row->opcode, Opcode::BarrierSync);
  EXPECT_EQ(match_opcode("mul.wide.s32")->length, 3U);
  EXPECT_FALSE(match_opcode("mulwide.s32"));
  EXPECT_FALSE(match_opcode(""));
}

}  // namespace
}  // namespace ambit::ptx
