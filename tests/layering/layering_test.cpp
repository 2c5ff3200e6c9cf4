#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestFile = 600;

/// A row of the rooms table in docs/architecture.md.
struct Room {
  std::string folder;  ///< "model/eval", without a slash at the end
  std::set<std::string> rooms;
  std::set<std::string> libraries;
};

/// Third-party headers by the name that the table uses for their library: how their include paths begin.
const std::map<std::string, std::vector<std::string>>& library_prefixes() {
  static const std::map<std::string, std::vector<std::string>> prefixes = {
      {"fmt", {"fmt/"}},  {"antlr4", {"antlr4-runtime", "antlr4"}},
      {"z3", {"z3"}},     {"nlohmann", {"nlohmann/"}},
      {"CLI", {"CLI/"}},  {"uuid", {"uuid/"}},
      {"zstd", {"zstd"}}, {"httplib", {"httplib"}},
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

fs::path root() { return AMBIT_SOURCE_DIR; }

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Rows `| `folder/` | what | rooms | libraries |`.
std::vector<Room> read_rooms(const std::vector<std::string>& lines) {
  std::vector<Room> rooms;
  for (const std::string& line : lines) {
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() != 6 || !cells[1].ends_with("/`")) continue;
    rooms.push_back({cells[1].substr(1, cells[1].size() - 3), names(cells[3]), names(cells[4])});
  }
  return rooms;
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".cpp" || extension == ".h")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The room with the longest folder that `path` lies in.
const Room* room_of(const std::vector<Room>& rooms, std::string_view path) {
  const Room* best = nullptr;
  for (const Room& room : rooms) {
    if (path.starts_with(room.folder + "/") && (best == nullptr || room.folder.size() > best->folder.size())) {
      best = &room;
    }
  }
  return best;
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
  return Include{directive.substr(open + 1, close - open - 1), quoted};
}

/// What is wrong with one include of a file in `room`; empty when nothing.
std::string complaint(const std::vector<Room>& rooms, const Room& room, const Include& include) {
  for (const auto& [library, prefixes] : library_prefixes()) {
    const auto begins = [&](const std::string& prefix) { return include.path.starts_with(prefix); };
    if (!std::any_of(prefixes.begin(), prefixes.end(), begins)) continue;
    return room.libraries.contains(library) ? "" : "the room " + room.folder + " may not include " + library;
  }
  if (!include.quoted) return {};
  const Room* target = room_of(rooms, include.path);
  // The parser's generated files are named after their grammar, in no room's folder.
  if (target == nullptr) return room.folder == "parser" ? "" : "not a path that begins with a room";
  if (target->folder == room.folder || room.rooms.contains(target->folder)) return {};
  return "the room " + room.folder + " may not include " + target->folder;
}

const std::vector<Room>& rooms() {
  static const std::vector<Room> read = read_rooms(lines_of(root() / "docs/architecture.md"));
  return read;
}

TEST(Layering, TableNamesEveryRoom) {
  std::set<std::string> folders;
  for (const Room& room : rooms()) folders.insert(room.folder);
  const std::set<std::string> expected = {"core",      "parser",        "model/events", "model/rules", "model/eval",
                                          "model/smt", "model/verdict", "report",       "cli"};
  for (const std::string& folder : expected) EXPECT_TRUE(folders.contains(folder)) << folder << " is not in the table";
  for (const Room& room : rooms()) {
    EXPECT_TRUE(fs::is_directory(root() / room.folder)) << room.folder;
    for (const std::string& other : room.rooms) EXPECT_TRUE(folders.contains(other)) << other << " is no room";
    for (const std::string& library : room.libraries) EXPECT_TRUE(library_prefixes().contains(library)) << library;
  }
}

TEST(Layering, TableHasNoCycle) {
  // Rooms are taken away that include only rooms already taken; what is left over is a cycle.
  std::set<std::string> taken;
  bool progress = true;
  while (progress) {
    progress = false;
    for (const Room& room : rooms()) {
      const bool ready =
          std::all_of(room.rooms.begin(), room.rooms.end(), [&](const auto& r) { return taken.contains(r); });
      if (ready && taken.insert(room.folder).second) progress = true;
    }
  }
  EXPECT_EQ(taken.size(), rooms().size());
}

TEST(Layering, EveryIncludeIsAllowed) {
  std::size_t checked = 0;
  for (const std::string top : {"core", "parser", "model", "report", "cli"}) {
    for (const fs::path& file : sources_below(root() / top)) {
      const std::string relative = fs::relative(file, root()).string();
      const Room* room = room_of(rooms(), relative);
      ASSERT_NE(room, nullptr) << relative << " is in no room";
      const std::vector<std::string> lines = lines_of(file);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto include = include_of(lines[i]);
        if (!include) continue;
        ++checked;
        EXPECT_EQ(complaint(rooms(), *room, *include), "") << relative << ":" << i + 1 << ": " << lines[i];
      }
    }
  }
  EXPECT_GT(checked, 100U);
}

TEST(Layering, NoFileIsTooLong) {
  for (const std::string top : {"core", "parser", "model", "report", "cli", "tests", "bench"}) {
    for (const fs::path& file : sources_below(root() / top)) {
      EXPECT_LE(lines_of(file).size(), kLongestFile) << fs::relative(file, root()).string();
    }
  }
}

// The checks above must be able to fail.

TEST(LayeringChecker, ForbiddenArrowsAreFound) {
  const std::vector<Room> table =
      read_rooms({"| room | what | may include | headers |", "|---|---|---|---|", "| `core/` | types | | fmt |",
                  "| `model/eval/` | eval | core | fmt |", "| `model/smt/` | smt | core | fmt, z3 |"});
  ASSERT_EQ(table.size(), 3U);
  const Room& eval = table[1];
  EXPECT_EQ(complaint(table, eval, {"core/expr.h", true}), "");
  EXPECT_EQ(complaint(table, eval, {"model/eval/evaluator.h", true}), "");
  EXPECT_EQ(complaint(table, eval, {"vector", false}), "");
  EXPECT_NE(complaint(table, eval, {"model/smt/solve.h", true}), "");
  EXPECT_NE(complaint(table, eval, {"z3++.h", false}), "");
  EXPECT_NE(complaint(table, eval, {"evaluator.h", true}), "");
  EXPECT_EQ(complaint(table, table[2], {"z3++.h", false}), "");
  EXPECT_NE(complaint(table, table[0], {"model/eval/evaluator.h", true}), "");
}

TEST(LayeringChecker, IncludeLinesAreRead) {
  EXPECT_EQ(include_of("#include \"core/expr.h\"")->path, "core/expr.h");
  EXPECT_TRUE(include_of("#include \"core/expr.h\"")->quoted);
  EXPECT_EQ(include_of("  #  include <z3++.h>  // solver")->path, "z3++.h");
  EXPECT_FALSE(include_of("// #include <vector>").has_value());
  EXPECT_FALSE(include_of("#pragma once").has_value());
}

}  // namespace
