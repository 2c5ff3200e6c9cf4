#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/module.h"
#include "tests/unit/ptx/module_text.h"

namespace ambit::ptx {
namespace {

using testing::HasSubstr;

Module module_of(const std::string& text, const std::string& name = "a.ptx") {
  Result<Module> module = read_module(".version 8.3\n.target sm_90\n.address_size 64\n" + text, name);
  EXPECT_TRUE(module.ok()) << render(module.errors());
  return std::move(module).value();
}

Result<Module> linked(const std::string& a, const std::string& b) {
  const std::vector<Module> modules = {module_of(a, "a.ptx"), module_of(b, "b.ptx")};
  return link(modules);
}

std::string link_error(const std::string& a, const std::string& b) {
  const Result<Module> module = linked(a, b);
  return module.ok() ? "no error" : render(module.errors());
}

TEST(PtxLink, ExternBecomesItsDefinition) {
  const Result<Module> result = linked(
      ".extern .func (.param .b32 r) f (.param .b32 a);\n.extern .global .u32 x;\n"
      ".visible .entry k() { .reg .b32 %r<2>; .param .b32 r0; .param .b32 a0; ld.global.u32 %r1, [x+4];\n"
      "call (r0), f, (a0); }",
      ".visible .global .u32 x = 7;\n.global .u32 pad;\n"
      ".visible .func (.param .b32 r) f (.param .b32 a) { .reg .b32 %r<2>; ld.param.u32 %r0, [a]; st.param.u32 [r], "
      "%r0;"
      " ret; }");
  ASSERT_TRUE(result.ok()) << render(result.errors());
  const Module& module = result.value();
  const Function& k = function_named(module, "k");
  EXPECT_EQ(module.variables.at(k.instructions[0].operands[1].index).initial.at(0), 7);
  EXPECT_EQ(k.instructions[0].operands[1].value, 4U);
  const Function& f = module.functions.at(k.instructions[1].operands[1].index);
  EXPECT_TRUE(f.has_body);
  EXPECT_EQ(module.variables.at(f.instructions[0].operands[1].index).name, "a");
  EXPECT_EQ(f.parameters[0].index, f.instructions[0].operands[1].index);
  EXPECT_EQ(std::ranges::count(module.functions, std::string("f"), &Function::name), 1);
  EXPECT_EQ(f.file->path, "b.ptx");
  EXPECT_THAT(instruction_text(module, f, f.instructions[0]), HasSubstr("ld.param.u32 %r0, [a];"));
}

TEST(PtxLink, LocalsOfOneNameStayApart) {
  const std::string text = ".global .u32 x;\n.func f { .reg .b32 %r<2>; ld.global.u32 %r0, [x]; ret; }";
  const Result<Module> result =
      linked(text + ".visible .entry k() { call f; }", text + ".visible .entry l() { call f; }");
  ASSERT_TRUE(result.ok()) << render(result.errors());
  const Module& module = result.value();
  const std::uint32_t first = function_named(module, "k").instructions[0].operands[1].index;
  const std::uint32_t second = function_named(module, "l").instructions[0].operands[1].index;
  EXPECT_NE(first, second);
  EXPECT_NE(module.functions[first].instructions[0].operands[1].index,
            module.functions[second].instructions[0].operands[1].index);
}

TEST(PtxLink, TheStrongestWins) {
  const std::string weak = ".weak .func f { trap; }\n.visible .entry a() { call f; }";
  const std::string strong = ".visible .func f { ret; }\n.visible .entry b() { call f; }";
  for (const bool is_swapped : {false, true}) {
    const Result<Module> result = is_swapped ? linked(strong, weak) : linked(weak, strong);
    ASSERT_TRUE(result.ok()) << render(result.errors());
    for (const char* name : {"a", "b"}) {
      const std::uint32_t f = function_named(result.value(), name).instructions[0].operands[1].index;
      EXPECT_EQ(result.value().functions.at(f).instructions[0].opcode, Opcode::Ret);
    }
  }
}

TEST(PtxLink, CommonVariablesAreOne) {
  const Result<Module> result = linked(".common .global .u32 x[2];", ".common .global .u32 x[8];");
  ASSERT_TRUE(result.ok()) << render(result.errors());
  ASSERT_EQ(result.value().variables.size(), 1U);
  EXPECT_EQ(result.value().variables[0].size(), 32U);
}

TEST(PtxLink, UndefinedSymbolsStayExtern) {
  const std::string text = ".extern .func vprintf;\n";
  const Result<Module> result = linked(text, text);
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result.value().functions.size(), 1U);
  EXPECT_EQ(result.value().functions[0].linkage, Linkage::Extern);
}

TEST(PtxLink, Errors) {
  EXPECT_THAT(link_error(".visible .func f { ret; }", ".visible .func f { ret; }"),
              HasSubstr("b.ptx:4:16: error: 'f' is defined in two modules"));
  EXPECT_THAT(link_error(".visible .func f { ret; }", ".visible .func f { ret; }"),
              HasSubstr("the other declaration is in a.ptx:4"));
  EXPECT_THAT(link_error(".visible .func f { ret; }", ".visible .global .u32 f;"), HasSubstr("is a function in one"));
  EXPECT_THAT(link_error(".visible .global .u32 x[2];", ".extern .global .u32 x[3];"),
              HasSubstr("'x' has 8 bytes in one module and 12 in another"));
}

// After linking, each span still refers to the source file of its own module.
TEST(PtxLink, PlacesMove) {
  const std::string text = "\n{ .loc 1 12 3\nret; }\n";
  const Result<Module> result =
      linked(".visible .func f" + text + ".file 1 \"f.cu\"\n", ".visible .func g" + text + ".file 1 \"g.cu\"\n");
  ASSERT_TRUE(result.ok());
  const Module& module = result.value();
  EXPECT_EQ(to_string(module, function_named(module, "f").instructions[0].source), "f.cu:12:3");
  EXPECT_EQ(to_string(module, function_named(module, "g").instructions[0].source), "g.cu:12:3");
}

}  // namespace
}  // namespace ambit::ptx
