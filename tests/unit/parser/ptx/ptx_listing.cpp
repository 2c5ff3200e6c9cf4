#include "tests/unit/parser/ptx/ptx_listing.h"

#include <gtest/gtest.h>

#include "tests/unit/parser/litmus/litmus_listing.h"

namespace ambit::parser {
namespace {

SourceFilePtr source(const std::string& path, const std::string& text) {
  return std::make_shared<const SourceFile>(SourceFile{path, text});
}

std::string one_column(const std::vector<std::string>& rows, const std::string& init) {
  std::string text = "PTX test\n{ " + init + " }\nP0@cta 0,gpu 0 ;\n";
  for (const std::string& row : rows) text += row + " ;\n";
  return text;
}

}  // namespace

std::shared_ptr<const Program> parse_ptx(const std::string& text) {
  const Result<std::shared_ptr<const Program>> result = parse_program(source("test.litmus", text));
  if (result.ok()) return result.value();
  ADD_FAILURE() << render(result.errors());
  return std::make_shared<Program>();
}

std::string ptx_errors(const std::string& text) {
  const Result<std::shared_ptr<const Program>> result = parse_program(source("test.litmus", text));
  return result.ok() ? "" : render(result.errors());
}

std::string column(const std::vector<std::string>& rows, const std::string& init) {
  const std::shared_ptr<const Program> program = parse_ptx(one_column(rows, init));
  return program->threads.size() == 1 ? listing(*program, program->threads.front()) : "";
}

std::string column_errors(const std::vector<std::string>& rows, const std::string& init) {
  return ptx_errors(one_column(rows, init));
}

std::vector<std::shared_ptr<const Program>> parse_test_file(const std::string& text) {
  const auto result = parse_programs(source("dir/file.test", text));
  if (result.ok()) return result.value();
  ADD_FAILURE() << render(result.errors());
  return {};
}

std::string test_file_errors(const std::string& text) {
  const auto result = parse_programs(source("file.test", text));
  return result.ok() ? "" : render(result.errors());
}

}  // namespace ambit::parser
