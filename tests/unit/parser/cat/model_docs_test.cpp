#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/vocabulary.h"
#include "model/rules/rules.h"
#include "model/rules/shipped.h"
#include "parser/parse.h"
#include "tests/support/files.h"

// Compares the documents with the code. The lists in the documents must be exact.
namespace ambit::parser {
namespace {

std::string row(std::string_view name, const char* kind, std::string_view meaning) {
  std::string escaped;
  for (const char c : meaning) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return "| `" + std::string(name) + "` | " + kind + " | " + escaped + " |\n";
}

TEST(RulesDocumentation, TheTableListsExactlyTheBuiltInNames) {
  std::string expected = "| name | kind | meaning |\n|---|---|---|\n";
  for (const auto& entry : kBaseSets) expected += row(entry.name, "set", entry.meaning);
  for (const auto& entry : kBaseRelations) expected += row(entry.name, "relation", entry.meaning);
  EXPECT_NE(test::contents(test::project() / "docs/reference/rules/names.md").find(expected + "\n"), std::string::npos)
      << "docs/reference/rules/names.md should contain:\n"
      << expected;
}

TEST(RulesDocumentation, TheExampleIsAModel) {
  const std::string text = test::contents(test::project() / "docs/reference/rules.md");
  const std::size_t begin = text.find("```\n") + 4;
  const std::string example = text.substr(begin, text.find("```", begin) - begin);
  const auto model = parse_model(std::make_shared<const SourceFile>(SourceFile{"<example>", example}));
  ASSERT_TRUE(model.ok()) << render(model.errors());
  EXPECT_EQ(model.value()->axioms.size(), 3U);
  EXPECT_EQ(model.value()->flags.size(), 1U);
}

TEST(ModelsDocumentation, EachModelHasItsTitleAndEveryOption) {
  const std::filesystem::path folder = test::project() / "docs/reference";
  const std::string text = test::contents(folder / "models.md") + "\n" + test::contents(folder / "models/ptx.md");
  for (const std::string_view name : rules::shipped_models()) {
    const auto model = load_model(std::string(name));
    ASSERT_TRUE(model.ok());
    const std::size_t begin = text.find("## " + std::string(name) + "\n");
    ASSERT_NE(begin, std::string::npos) << name;
    const std::string section = text.substr(begin, text.find("\n## ", begin + 1) - begin);
    EXPECT_NE(section.find(model.value()->title), std::string::npos) << name << ": " << model.value()->title;
    for (const rules::ModelOption& option : model.value()->options) {
      std::string values;
      for (const std::string& value : option.values) values += (values.empty() ? "" : " \\| ") + value;
      EXPECT_NE(section.find("| `" + option.name + "` | " + values + " |"), std::string::npos)
          << name << " " << option.name << " = " << values;
    }
  }
}

}  // namespace
}  // namespace ambit::parser
