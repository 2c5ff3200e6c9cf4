#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "parser/parse.h"
#include "tests/support/files.h"

/// Parses the programs and models of tests from texts. An error in a text fails the test.
namespace ambit::test {

inline std::shared_ptr<const Program> program_of(std::string text, const std::string& file = "<test>") {
  auto program = parser::parse_program(std::make_shared<const SourceFile>(SourceFile{file, std::move(text)}));
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : render(program.errors()));
  return program.value();
}

/// Returns the program in a file, such as "litmus/classic/mp.litmus".
inline std::shared_ptr<const Program> program_in(const std::filesystem::path& file) {
  const auto source = parser::read_source((project() / file).string());
  EXPECT_TRUE(source.ok()) << (source.ok() ? "" : render(source.errors()));
  return program_of(source.value()->text, source.value()->path);
}

inline std::shared_ptr<const rules::Rules> model_of(std::string text) {
  auto model = parser::parse_model(std::make_shared<const SourceFile>(SourceFile{"<test>", std::move(text)}));
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : render(model.errors()));
  return model.value();
}

/// Returns a model by its name and options, such as "hrf-direct(rlx=lift)".
inline std::shared_ptr<const rules::Rules> shipped_model(const std::string& name) {
  const auto reference = parser::parse_model_reference(name);
  EXPECT_TRUE(reference.ok());
  auto model = parser::load_model(reference.value().name, reference.value().options);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : render(model.errors()));
  return model.value();
}

}  // namespace ambit::test
