#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "apps/lsp/litmus_vocabulary.h"
#include "tests/support/files.h"

/// The grammars for editors (editors/vscode) against what the languages have.
namespace ambit::lsp {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

fs::path folder() { return test::project() / "editors/vscode"; }

Json read(const fs::path& file) {
  std::ifstream in(file);
  return Json::parse(in);
}

/// The name that the grammar's first matching pattern gives to `text` as a whole; "" for none.
std::string name_of(const Json& grammar, const std::string& text) {
  for (const Json& pattern : grammar["patterns"]) {
    if (!pattern.contains("match") || !pattern.contains("name")) continue;
    std::smatch match;
    const std::regex expression(pattern["match"].get<std::string>());
    if (std::regex_search(text, match, expression) && match[0] == text) return pattern["name"];
  }
  return {};
}

TEST(Grammars, EveryFileThatThePackageNamesIsThere) {
  const Json package = read(folder() / "package.json");
  EXPECT_TRUE(fs::exists(folder() / package["main"].get<std::string>()));
  for (const Json& grammar : package["contributes"]["grammars"]) {
    const Json text = read(folder() / grammar["path"].get<std::string>());
    EXPECT_EQ(text["scopeName"], grammar["scopeName"]);
  }
  for (const Json& language : package["contributes"]["languages"]) {
    if (language.contains("configuration")) read(folder() / language["configuration"].get<std::string>());
  }
}

TEST(Grammars, KnowTheWordsOfTheLitmusLanguage) {
  const Json grammar = read(folder() / "syntaxes/litmus.tmLanguage.json");
  for (const Word& word : words()) {
    if (word.name == "expect") continue;  // a pattern with the model behind it
    EXPECT_NE(name_of(grammar, std::string(word.name)), "") << word.name;
  }
  for (const Word& word : expectation_words()) EXPECT_NE(name_of(grammar, std::string(word.name)), "") << word.name;
  EXPECT_EQ(name_of(grammar, "anything_else"), "");
}

TEST(Grammars, KnowTheFormsOfTraces) {
  const Json grammar = read(folder() / "syntaxes/trace.tmLanguage.json");
  for (const char* op : {"w.volatile", "fence.sc.gpu", "rmw.relaxed.gpu", "bar", "exit"}) {
    EXPECT_EQ(name_of(grammar, op), "support.function") << op;
  }
  EXPECT_EQ(name_of(grammar, "g1b0t5"), "entity.name.function");
}

}  // namespace
}  // namespace ambit::lsp
