#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "ptx/module.h"
#include "tests/support/files.h"
#include "tests/unit/ptx/module_text.h"

namespace ambit::ptx {
namespace {

const std::filesystem::path kFolder = test::project() / "tests/unit/ptx/modules";

/// Reads a text. If the reader accepts the text, the printed module must equal the text. If not, the error must have a
/// location in the text.
void read_damaged(const std::string& text) {
  const Result<Module> module = read_module(text, "damaged.ptx");
  if (module.ok()) {
    ASSERT_EQ(print(module.value()), text);
    for (const Function& function : module.value().functions) {
      for (const Instruction& instruction : function.instructions) {
        ASSERT_FALSE(instruction_text(module.value(), function, instruction).empty());
        memory_meaning(instruction);
      }
    }
    return;
  }
  ASSERT_FALSE(render(module.errors()).empty());
  ASSERT_GE(module.errors().front().span.line, 1U) << text;
}

TEST(PtxModuleDamage, TruncatedAtEveryByte) {
  for (const char* name : {"rare_forms.ptx", "clang_14_lines.ptx", "switch_and_printf.ptx"}) {
    const std::string text = test::contents(kFolder / name);
    ASSERT_FALSE(text.empty());
    for (std::size_t length = 0; length < text.size(); ++length) read_damaged(text.substr(0, length));
  }
}

std::string mutated(std::string text, const std::string& other, std::mt19937_64& random) {
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (std::size_t times = 1 + below(6); times > 0; --times) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(1 + below(60));
    switch (below(6)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, 1, static_cast<char>(below(256))); break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(32 + below(95));
        break;
      case 3: text.insert(at, other.substr(below(other.size()), below(200))); break;
      case 4: text.insert(at, text.substr(at, length)); break;
      default: text.insert(at, 1, "{}()[];,:.%<>-\n"[below(15)]); break;
    }
  }
  return text;
}

TEST(PtxModuleDamage, Mutated) {
  const std::vector<std::filesystem::path> files = test::files_in(kFolder, {".ptx"});
  std::vector<std::string> texts;
  for (const auto& file : files) texts.push_back(test::contents(file).substr(0, 16384));
  std::mt19937_64 random(20);
  for (int i = 0; i < 8000; ++i) {
    read_damaged(mutated(texts[random() % texts.size()], texts[random() % texts.size()], random));
  }
}

double seconds_of(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  const Result<Module> module = read_module(text, "large.ptx");
  EXPECT_TRUE(!module.ok() || print(module.value()) == text);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += piece;
  return result;
}

// The reader must read each text in linear time and without deep recursion. A quadratic reader would need minutes.
TEST(PtxModuleDamage, LargeTexts) {
  const std::string header = ".version 8.3\n.target sm_90\n.address_size 64\n";
  const std::string kernel = header + ".entry k() {\n.reg .b32 %r<4>;\n";
  constexpr std::size_t kMany = 200000;
  std::vector<std::string> texts = {
      kernel + repeated("add.u32 %r1, %r2, 3;\n", kMany) + "}",
      kernel + repeated("{", kMany),
      kernel + repeated("{ mov.u32 %r1, 1; }", kMany) + "}",
      kernel + "mov.u32 %r1, " + repeated("(", kMany),
      kernel + "mov.u32 %r1, " + repeated("-", kMany) + "1;}",
      kernel + "mov.b32 %r1, " + repeated("{", kMany),
      kernel + "mov.b32 {" + repeated("%r1, ", kMany) + "%r1}, %r2;}",
      kernel + repeated("bra end;\n", kMany) + "end: ret;}",
      kernel + repeated(".loc 1 7 7, function_name n, inlined_at 1 7 7\nret;\n", kMany) + "}",
      kernel + "add." + repeated("x.", kMany) + "u32 %r1, %r1, %r1;}",
      kernel + "%" + repeated("r", kMany) + ": ret; }",
      header + ".global .u32 x = " + repeated("1+(", 900) + "1" + repeated(")", 900) + ";",
      header + ".global .b8 x[] = {" + repeated("1,", kMany) + "1};",
      header + repeated("/**/", kMany),
      header + repeated("\n", kMany * 10),
      header + repeated(".section .debug_x {", kMany),
      header + ".section .debug_str {" + repeated("l: .b8 65,0 ", kMany) + "}",
  };
  for (const std::string& text : texts) EXPECT_LT(seconds_of(text), 5.0) << text.substr(0, 100);
}

}  // namespace
}  // namespace ambit::ptx
