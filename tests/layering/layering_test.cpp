#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/files.h"

namespace {

namespace fs = std::filesystem;
using ambit::test::files_in;
using ambit::test::project;

constexpr std::size_t kLongestFile = 600;

/// A row of the module table in docs/architecture.md.
struct Module {
  std::string folder;  ///< "model/eval", without a slash at the end
  std::set<std::string> modules;
  std::set<std::string> libraries;
};

/// For the name of each third-party library in the table, the prefixes of its headers' paths.
const std::map<std::string, std::vector<std::string>>& library_prefixes() {
  static const std::map<std::string, std::vector<std::string>> prefixes = {
      {"fmt", {"fmt/"}},           {"antlr4", {"antlr4-runtime", "antlr4", "CommonTokenStream"}},
      {"cadical", {"cadical"}},    {"z3", {"z3"}},
      {"nlohmann", {"nlohmann/"}}, {"CLI", {"CLI/"}},
      {"uuid", {"uuid/"}},         {"zstd", {"zstd"}},
      {"httplib", {"httplib"}},    {"pybind11", {"pybind11/"}},
  };
  return prefixes;
}

std::string trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(trim(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

std::set<std::string> names(const std::string& cell) {
  std::set<std::string> found;
  for (const std::string& name : split(cell, ',')) {
    if (!name.empty()) found.insert(name);
  }
  return found;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Reads rows of the form "| `folder/` | what | modules | libraries |".
std::vector<Module> read_modules(const std::vector<std::string>& lines) {
  std::vector<Module> modules;
  for (const std::string& line : lines) {
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() != 6 || !cells[1].ends_with("/`")) continue;
    modules.push_back({cells[1].substr(1, cells[1].size() - 3), names(cells[3]), names(cells[4])});
  }
  return modules;
}

using Endings = std::initializer_list<std::string_view>;
/// The test checks the includes of files with these endings.
const Endings kIncluding = {".cpp", ".h", ".cuh", ".inc"};
/// The test checks the length of files with these endings.
const Endings kAllSources = {".cpp", ".h", ".cuh", ".cu", ".inc"};

/// Returns sorted paths, from the root, of the files in the project's folders. Omits the folders `excluded`.
std::vector<std::string> sources_outside(const std::set<std::string>& excluded, Endings endings) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(project())) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() || name.starts_with('.') || excluded.contains(name)) continue;
    for (const fs::path& file : files_in(entry.path(), endings)) {
      files.push_back(fs::relative(file, project()).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns the source files of all modules. Data, documents, tests, benchmarks and build folders do not belong to
/// modules.
std::vector<std::string> sources_of_modules() {
  return sources_outside({"bench", "build", "docs", "litmus", "tests"}, kIncluding);
}

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().string(); }

/// Returns the module of a folder. If a subfolder has sources, the subfolder is a separate module.
const Module* module_of(const std::vector<Module>& modules, std::string_view folder) {
  const auto module = std::find_if(modules.begin(), modules.end(), [&](const Module& r) { return r.folder == folder; });
  return module == modules.end() ? nullptr : &*module;
}

struct Include {
  std::string path;
  bool quoted = false;
};

std::optional<Include> include_of(const std::string& line) {
  const std::string text = trim(line);
  if (!text.starts_with("#")) return std::nullopt;
  const std::string directive = trim(std::string_view(text).substr(1));
  if (!directive.starts_with("include")) return std::nullopt;
  const std::size_t open = directive.find_first_of("\"<");
  if (open == std::string::npos) return std::nullopt;
  const bool quoted = directive[open] == '"';
  const std::size_t close = directive.find(quoted ? '"' : '>', open + 1);
  std::string path = directive.substr(open + 1, close - open - 1);
  // The project includes its own public headers in the form <ambit/...>, like users of the library.
  if (!quoted && path.starts_with("ambit/")) return Include{"include/" + path, true};
  return Include{std::move(path), quoted};
}

/// Folders of headers that the grammar tools generate. Only one module may include the headers of each folder.
const std::map<std::string, std::string>& generated_headers() {
  static const std::map<std::string, std::string> folders = {{"grammar", "parser/text"}, {"cat", "parser/cat"}};
  return folders;
}

/// Returns the reason why `module` may not have this include; empty if the include is allowed.
std::string complaint(const std::vector<Module>& modules, const Module& module, const Include& include) {
  for (const auto& [library, prefixes] : library_prefixes()) {
    const auto begins = [&](const std::string& prefix) { return include.path.starts_with(prefix); };
    if (!std::any_of(prefixes.begin(), prefixes.end(), begins)) continue;
    return module.libraries.contains(library) ? "" : "module " + module.folder + " may not include " + library;
  }
  if (!include.quoted) return {};
  const std::string folder = folder_of(include.path);
  const Module* target = module_of(modules, folder);
  if (target == nullptr) {
    const auto generated = generated_headers().find(folder);
    const bool is_own = generated != generated_headers().end() && generated->second == module.folder;
    return is_own ? "" : "not a path that begins with a module's folder";
  }
  if (target == &module || module.modules.contains(target->folder)) return {};
  return "module " + module.folder + " may not include " + target->folder;
}

/// Maps each file to the files that it includes. A header and its .cpp are one entry, such as "core/expr".
using FileGraph = std::map<std::string, std::set<std::string>>;

std::string unit_of(const std::string& file) { return fs::path(file).replace_extension().string(); }

/// Returns the files that are in an include cycle, or that include a file in a cycle. Repeatedly removes the files that
/// include no remaining file.
std::set<std::string> files_in_circles(FileGraph graph) {
  for (bool progress = true; progress;) {
    progress = false;
    for (auto file = graph.begin(); file != graph.end();) {
      const bool is_open = std::any_of(file->second.begin(), file->second.end(),
                                       [&](const std::string& other) { return graph.contains(other); });
      progress = progress || !is_open;
      file = is_open ? std::next(file) : graph.erase(file);
    }
  }
  std::set<std::string> left;
  for (const auto& [file, included] : graph) left.insert(file);
  return left;
}

const std::vector<Module>& modules() {
  static const std::vector<Module> read = read_modules(lines_of(project() / "docs/architecture.md"));
  return read;
}

TEST(Layering, EverySourceIsInAModuleOfTheTable) {
  const std::vector<std::string> files = sources_of_modules();
  EXPECT_GT(files.size(), 300U);
  std::set<std::string> folders;
  for (const std::string& file : files) folders.insert(folder_of(file));
  for (const std::string& folder : folders) {
    EXPECT_NE(module_of(modules(), folder), nullptr) << folder << " is not in the table of docs/architecture.md";
  }
  for (const Module& module : modules()) {
    EXPECT_TRUE(folders.contains(module.folder)) << module.folder << " is in the table, but has no sources";
    for (const std::string& other : module.modules)
      EXPECT_NE(module_of(modules(), other), nullptr) << other << " is not a module";
    for (const std::string& library : module.libraries) EXPECT_TRUE(library_prefixes().contains(library)) << library;
  }
}

TEST(Layering, TableHasNoCycle) {
  FileGraph graph;
  for (const Module& module : modules()) graph[module.folder] = module.modules;
  EXPECT_EQ(files_in_circles(graph), std::set<std::string>{});
}

TEST(Layering, EveryIncludeIsAllowed) {
  std::map<const Module*, std::set<std::string>> used;
  for (const std::string& file : sources_of_modules()) {
    const Module* module = module_of(modules(), folder_of(file));
    if (module == nullptr) continue;  // EverySourceIsInAModuleOfTheTable reports it
    const std::vector<std::string> lines = lines_of(project() / file);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto include = include_of(lines[i]);
      if (!include) continue;
      used[module].insert(folder_of(include->path));
      EXPECT_EQ(complaint(modules(), *module, *include), "") << file << ":" << i + 1 << ": " << lines[i];
    }
  }
  for (const Module& module : modules()) {
    for (const std::string& other : module.modules) {
      EXPECT_TRUE(used[&module].contains(other)) << module.folder << " may include " << other << ", but does not";
    }
  }
}

// Each file that includes CLI11 takes seconds longer to compile, so commands declare options in command_line.h instead.
TEST(Layering, OnlyTheCommandLineIncludesCLI11) {
  std::set<std::string> users;
  for (const std::string& file : sources_of_modules()) {
    for (const std::string& line : lines_of(project() / file)) {
      const auto include = include_of(line);
      if (include && include->path.starts_with("CLI/")) users.insert(unit_of(file));
    }
  }
  EXPECT_EQ(users, (std::set<std::string>{"apps/cli/command_line", "apps/cli/help_formatter"}));
}

/// Returns the arguments of `ambit_module(NAME USES ...)` in a CMake file: a module, then the modules that it links.
std::vector<std::string> arguments_of_ambit_module(const fs::path& file) {
  const std::string text = ambit::test::contents(file);
  const std::size_t call = text.find("ambit_module(");
  if (call == std::string::npos) return {};
  const std::size_t begin = call + std::string_view("ambit_module(").size();
  std::istringstream in(text.substr(begin, text.find(')', begin) - begin));
  std::vector<std::string> words;
  for (std::string word; in >> word && (word == "USES" || word == "PRESENTS" ||
                                        std::islower(static_cast<unsigned char>(word[0])) != 0);) {
    if (std::islower(static_cast<unsigned char>(word[0])) != 0) words.push_back(word);
  }
  return words;
}

TEST(Layering, CMakeLinksWhatTheTableSays) {
  std::map<std::string, std::string> folders;  // maps a target's name to its folder
  const auto path = [](const Module& module) { return project() / module.folder / "CMakeLists.txt"; };
  for (const Module& module : modules()) {
    if (!fs::exists(path(module))) continue;
    if (const auto words = arguments_of_ambit_module(path(module)); !words.empty())
      folders[words.front()] = module.folder;
  }
  EXPECT_GT(folders.size(), 25U);
  for (const Module& module : modules()) {
    const auto words = fs::exists(path(module)) ? arguments_of_ambit_module(path(module)) : std::vector<std::string>();
    if (words.empty()) continue;  // a module without .cpp files, or a program
    std::set<std::string> linked;
    for (std::size_t i = 1; i < words.size(); ++i) linked.insert(folders[words[i]]);
    std::set<std::string> allowed = module.modules;
    const auto has_only_headers = [](const std::string& other) {
      return other.starts_with("kernels") || other == "include/ambit";
    };
    std::erase_if(allowed, has_only_headers);
    EXPECT_EQ(linked, allowed) << path(module);
  }
}

TEST(Layering, FilesHaveNoCycle) {
  FileGraph graph;
  for (const std::string& file : sources_of_modules()) {
    for (const std::string& line : lines_of(project() / file)) {
      const auto include = include_of(line);
      if (include && include->quoted && unit_of(include->path) != unit_of(file)) {
        graph[unit_of(file)].insert(unit_of(include->path));
      }
    }
  }
  EXPECT_EQ(files_in_circles(graph), std::set<std::string>{});
}

TEST(Layering, NoFileIsTooLong) {
  const std::vector<std::string> files = sources_outside({"build", "docs", "litmus"}, kAllSources);
  for (const std::string_view ending : kAllSources) {
    EXPECT_TRUE(std::ranges::any_of(files, [&](const std::string& file) { return file.ends_with(ending); })) << ending;
  }
  for (const std::string& file : files) EXPECT_LE(lines_of(project() / file).size(), kLongestFile) << file;
}

// These tests give wrong input to the checks above. The checks must reject the input.

TEST(LayeringChecker, ForbiddenIncludesAreFound) {
  const std::vector<Module> table =
      read_modules({"| module | what | may include | headers |", "|---|---|---|---|", "| `core/` | types | | fmt |",
                    "| `model/eval/` | eval | core | fmt |", "| `model/smt/` | smt | core | fmt, z3 |"});
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(module_of(table, "model"), nullptr);
  EXPECT_EQ(module_of(table, "model/eval/deeper"), nullptr);
  const Module& eval = table[1];
  EXPECT_EQ(complaint(table, eval, {"core/expr.h", true}), "");
  EXPECT_EQ(complaint(table, eval, {"model/eval/evaluator.h", true}), "");
  EXPECT_EQ(complaint(table, eval, {"vector", false}), "");
  EXPECT_NE(complaint(table, eval, {"model/smt/solve.h", true}), "");
  EXPECT_NE(complaint(table, eval, {"z3++.h", false}), "");
  EXPECT_NE(complaint(table, eval, {"evaluator.h", true}), "");
  EXPECT_EQ(complaint(table, table[2], {"z3++.h", false}), "");
  EXPECT_NE(complaint(table, table[0], {"model/eval/evaluator.h", true}), "");
}

TEST(LayeringChecker, CyclesAreFound) {
  EXPECT_TRUE(files_in_circles({{"a", {"b"}}, {"b", {"c"}}}).empty());
  EXPECT_EQ(files_in_circles({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}), (std::set<std::string>{"a", "b", "c"}));
}

TEST(LayeringChecker, IncludeLinesAreRead) {
  EXPECT_EQ(include_of("#include \"core/expr.h\"")->path, "core/expr.h");
  EXPECT_TRUE(include_of("#include \"core/expr.h\"")->quoted);
  EXPECT_EQ(include_of("  #  include <z3++.h>  // solver")->path, "z3++.h");
  EXPECT_EQ(include_of("#include <ambit/check.h>")->path, "include/ambit/check.h");
  EXPECT_TRUE(include_of("#include <ambit/check.h>")->quoted);
  EXPECT_FALSE(include_of("// #include <vector>").has_value());
  EXPECT_FALSE(include_of("#pragma once").has_value());
}

}  // namespace
