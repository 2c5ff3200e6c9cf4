/// Every kind of bad input with its exact message: bad_input/NAME.litmus and NAME.expected.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "parser/parse.h"
#include "tests/support/golden.h"

namespace ambit::parser {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return test::project() / "tests/golden/bad_input"; }

/// Returns the message to the user, with the file's name without its folder; "no error" if the test was accepted.
std::string message_for(const std::string& path, const std::string& name) {
  const Result<SourceFilePtr> read = read_source(path);
  if (!read.ok()) {
    std::string text = render(read.errors());
    const std::size_t at = text.find(path);
    return at == std::string::npos ? text : text.replace(at, path.size(), name);
  }
  const auto source = std::make_shared<const SourceFile>(SourceFile{name, read.value()->text});
  const Result<std::shared_ptr<const Program>> program = parse_program(source);
  return program.ok() ? "no error\n" : render(program.errors());
}

std::string message_for_text(std::string text) {
  const auto source = std::make_shared<const SourceFile>(SourceFile{"generated.litmus", std::move(text)});
  const Result<std::shared_ptr<const Program>> program = parse_program(source);
  return program.ok() ? "no error\n" : render(program.errors());
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const fs::path& file : test::files_in(folder())) found.push_back(file.filename().string());
  return found;
}

class BadInput : public testing::TestWithParam<std::string> {};

TEST_P(BadInput, GetsThisMessage) {
  const fs::path input = folder() / GetParam();
  const fs::path golden = fs::path(input).replace_extension(".expected");
  const std::string found = message_for(input.string(), GetParam());
  EXPECT_NE(found, "no error\n");
  test::expect_golden(golden, found);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  if (info.param.ends_with(".test")) name += "_test_file";
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, BadInput, testing::ValuesIn(names()), test_name);

// ---- inputs too large or too unusual to keep as files ----

TEST(BadInputGenerated, FileIsMissing) {
  const Result<SourceFilePtr> read = read_source("no/such/file.litmus");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(render(read.errors()), "no/such/file.litmus: error: cannot be read: No such file or directory\n");
}

TEST(BadInputGenerated, FileIsADirectory) {
  const Result<SourceFilePtr> read = read_source(folder().string());
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(render(read.errors()), folder().string() + ": error: cannot be read: it is a directory\n");
}

TEST(BadInputGenerated, FileIsTooLarge) {
  const std::string path = testing::TempDir() + "ambit_too_large.litmus";
  std::string text = "CUDA large\n";
  text.resize(10'000'000, 'x');
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(message_for(path, "large.litmus"), "large.litmus: error: the file is larger than the limit of 1 MiB\n");
  fs::remove(path);
}

TEST(BadInputGenerated, FileIsNotText) {
  EXPECT_EQ(message_for_text(std::string("CUDA x\n\0y", 9)),
            "generated.litmus: error: this is not a text file: byte 7 is 0\n");
  EXPECT_EQ(message_for_text("CUDA x\n\xff\xfe"),
            "generated.litmus: error: this is not a text file: byte 7 (0xff) is not valid UTF-8\n");
  // An overlong encoding of '/', and a surrogate (RFC 3629).
  EXPECT_EQ(message_for_text("CUDA x\n\xc0\xaf"),
            "generated.litmus: error: this is not a text file: byte 7 (0xc0) is not valid UTF-8\n");
  EXPECT_EQ(message_for_text("CUDA x\n\xed\xa0\x80"),
            "generated.litmus: error: this is not a text file: byte 7 (0xed) is not valid UTF-8\n");
}

TEST(BadInputGenerated, AMegabyteOfGarbage) {
  std::string text = "CUDA garbage\n";
  std::uint32_t state = 1;
  while (text.size() < 1'000'000) {
    state = state * 1664525U + 1013904223U;
    text += static_cast<char>(' ' + (state >> 24U) % 94);
  }
  const std::string message = message_for_text(text);
  EXPECT_NE(message, "no error\n");
  EXPECT_LE(std::count(message.begin(), message.end(), '^'), 4 * static_cast<std::ptrdiff_t>(kMaxDiagnostics));
}

/// Returns `text` around N times `open`, a middle, N times `close`.
std::string nested(const std::string& before, const std::string& open, const std::string& middle,
                   const std::string& close, const std::string& after, std::size_t count) {
  std::string text = "CUDA nested\n{ global int x; }\nP0 @ block 0 {\n" + before;
  for (std::size_t i = 0; i < count; ++i) text += open;
  text += middle;
  for (std::size_t i = 0; i < count; ++i) text += close;
  return text + after + "\n}\nexists (x == 1)\n";
}

struct Nesting {
  std::string name, before, open, middle, close, after;
};

/// Expects that `fine` repetitions are accepted, and that 1000 and `most` repetitions give an error with `limit`.
void expect_limit(const Nesting& form, std::size_t fine, std::size_t most, const std::string& limit) {
  const auto message = [&](std::size_t count) {
    return message_for_text(nested(form.before, form.open, form.middle, form.close, form.after, count));
  };
  for (const std::size_t count : {std::size_t{1000}, most}) {
    const std::string error = message(count);
    EXPECT_NE(error.find(limit), std::string::npos) << error.substr(0, 400);
  }
  EXPECT_EQ(message(fine), "no error\n");
}

class TooDeep : public testing::TestWithParam<Nesting> {};

TEST_P(TooDeep, IsAnErrorAndNoOverflow) { expect_limit(GetParam(), 100, 20000, "nested deeper than 256"); }

INSTANTIATE_TEST_SUITE_P(Forms, TooDeep,
                         testing::Values(Nesting{"parentheses", "x = ", "(", "1", ")", ";"},
                                         Nesting{"blocks", "", "{", "x = 1;", "}", ""},
                                         Nesting{"negations", "x = ", "- ", "1", "", ";"},
                                         Nesting{"nots", "x = ", "!", "1", "", ";"},
                                         Nesting{"ifs", "", "if (x == 1) ", "x = 2;", "", ""},
                                         Nesting{"else_ifs", "", "if (x == 1) x = 2; else ", "x = 2;", "", ""},
                                         Nesting{"whiles", "", "while (x == 1) ", "x = 2;", "", ""},
                                         Nesting{"conditionals", "x = ", "1 ? 2 : ", "3", "", ";"},
                                         Nesting{"assignments", "int r = 0; ", "r = ", "1", "", ";"}),
                         [](const testing::TestParamInfo<Nesting>& info) { return info.param.name; });

class TooLong : public testing::TestWithParam<Nesting> {};

TEST_P(TooLong, IsAnErrorAndNoOverflow) { expect_limit(GetParam(), 200, 100000, "more than 512 operators"); }

INSTANTIATE_TEST_SUITE_P(Forms, TooLong,
                         testing::Values(Nesting{"sums", "x = 1", " + 1", ";", "", ""},
                                         Nesting{"casts", "x = ", "(int)", "1", "", ";"},
                                         Nesting{"ands", "if (1", " && 1", ") x = 1;", "", ""}),
                         [](const testing::TestParamInfo<Nesting>& info) { return info.param.name; });

TEST(BadInputGenerated, ManyUnclosedComments) {
  std::string text = "CUDA comments\n{ global int x; } ";
  while (text.size() < 1'000'000) text += "/* ";
  EXPECT_NE(message_for_text(text).find("this comment is not closed: expected '*/'"), std::string::npos);
}

}  // namespace
}  // namespace ambit::parser
