#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "core/litmus_words.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"

/// Compares the grammars for editors (apps/lsp/editors/vscode) with the languages that they describe.
namespace ambit::lsp {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

fs::path folder() { return test::project() / "apps/lsp/editors/vscode"; }

OrderedJson read(const fs::path& file) {
  std::ifstream in(file);
  return OrderedJson::parse(in);
}

/// Returns the name of the first pattern that matches all of `text`; "" if no pattern matches.
std::string name_of(const OrderedJson& grammar, const std::string& text) {
  for (const OrderedJson& pattern : grammar["patterns"]) {
    if (!pattern.contains("match") || !pattern.contains("name")) continue;
    std::smatch match;
    const std::regex expression(pattern["match"].get<std::string>());
    if (std::regex_search(text, match, expression) && match[0] == text) return pattern["name"];
  }
  return {};
}

TEST(Grammars, EveryFileThatThePackageNamesIsThere) {
  const OrderedJson package = read(folder() / "package.json");
  EXPECT_TRUE(fs::exists(folder() / package["main"].get<std::string>()));
  for (const OrderedJson& grammar : package["contributes"]["grammars"]) {
    const OrderedJson text = read(folder() / grammar["path"].get<std::string>());
    EXPECT_EQ(text["scopeName"], grammar["scopeName"]);
  }
  for (const OrderedJson& language : package["contributes"]["languages"]) {
    if (language.contains("configuration")) read(folder() / language["configuration"].get<std::string>());
  }
}

/// Returns all words of the kind `kind`, in the order of core/litmus_words.txt and without duplicates.
std::vector<std::string> words_of_kind(WordKind kind) {
  std::vector<std::string> words;
  std::ifstream in(test::project() / "core/litmus_words.txt");
  for (std::string line; std::getline(in, line);) {  // USE|KIND|NAME|SNIPPET|MEANING
    std::istringstream fields(line);
    std::string name;
    for (int i = 0; i < 3; ++i) std::getline(fields, name, '|');
    if (word_kind(name) == kind && std::ranges::find(words, name) == words.end()) words.push_back(name);
  }
  return words;
}

constexpr std::pair<const char*, WordKind> kKinds[] = {{"keyword", WordKind::Keyword},
                                                       {"type", WordKind::Type},
                                                       {"argument", WordKind::Argument},
                                                       {"answer", WordKind::Answer},
                                                       {"function", WordKind::Function}};

/// The word lists in the grammar are generated from core/litmus_words.txt. `./dev goldens` writes the generated files.
TEST(Grammars, AreGeneratedFromTheWordsOfTheLitmusLanguage) {
  const fs::path file = folder() / "syntaxes/litmus.tmLanguage.json";
  OrderedJson grammar = read(file);
  OrderedJson lists;
  for (const auto& [name, kind] : kKinds) {
    const std::string key = fmt::format("generated: {}", name);
    const auto pattern =
        std::ranges::find_if(grammar["patterns"], [&](const OrderedJson& p) { return p.value("comment", "") == key; });
    ASSERT_NE(pattern, grammar["patterns"].end()) << key;
    (*pattern)["match"] = fmt::format(R"(\b({})\b)", fmt::join(words_of_kind(kind), "|"));
    lists[name] = words_of_kind(kind);
  }
  test::expect_golden(file, grammar.dump(2) + "\n");
  test::expect_golden(test::project() / "apps/server/web/src/litmus_words.json", lists.dump(2) + "\n");
  EXPECT_NE(name_of(grammar, "lock"), "");
  EXPECT_EQ(name_of(grammar, "anything_else"), "");
}

TEST(Grammars, CoverTheFormsOfTraces) {
  const OrderedJson grammar = read(folder() / "syntaxes/trace.tmLanguage.json");
  for (const char* op : {"w.volatile", "fence.sc.gpu", "rmw.relaxed.gpu", "bar", "exit"}) {
    EXPECT_EQ(name_of(grammar, op), "support.function") << op;
  }
  EXPECT_EQ(name_of(grammar, "g1b0t5"), "entity.name.function");
}

}  // namespace
}  // namespace ambit::lsp
