#include "runner/cuda/launch/code_check.h"

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <string_view>
#include <vector>

namespace ambit::cuda {
namespace {

constexpr std::string_view kMark = "// ambit P";

struct Found {
  std::size_t number = 0;  ///< number of the instruction in its thread
  std::string name;
};

/// Returns the marked instructions of each thread in order.
std::map<std::size_t, std::vector<Found>> marked(const std::string& ptx) {
  std::map<std::size_t, std::vector<Found>> found;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(kMark);
    if (at == std::string::npos) continue;
    std::istringstream mark(line.substr(at + kMark.size()));
    std::size_t thread = 0;
    char dot = 0;
    Found instruction;
    mark >> thread >> dot >> instruction.number;
    std::istringstream(line) >> instruction.name;
    if (instruction.name.ends_with(';')) instruction.name.pop_back();
    found[thread].push_back(std::move(instruction));
  }
  return found;
}

}  // namespace

std::string check_ptx(const Kernel& kernel, const std::string& ptx) {
  const auto found = marked(ptx);
  for (std::size_t t = 0; t < kernel.instructions.size(); ++t) {
    const auto& expected = kernel.instructions[t];
    if (expected.empty()) continue;
    const auto entry = found.find(t);
    if (entry == found.end()) {
      if (!expected.front().is_certain) continue;
      return fmt::format("thread {} has no instructions", t);
    }
    std::vector<std::size_t> copies(expected.size(), 0);
    std::size_t next = 0;
    for (const Found& instruction : entry->second) {
      if (instruction.number >= expected.size()) return fmt::format("unknown mark P{}.{}", t, instruction.number);
      const MarkedInstruction& wanted = expected[instruction.number];
      if (instruction.name != wanted.text) {
        return fmt::format("{} is '{}', expected '{}'", wanted.mark, instruction.name, wanted.text);
      }
      ++copies[instruction.number];
      if (!kernel.is_straight[t]) continue;
      if (instruction.number != next) return fmt::format("expected {}, found {}", expected[next].mark, wanted.mark);
      next = (next + 1) % expected.size();
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (copies[i] == 0 && expected[i].is_certain)
        return fmt::format("{} ({}) is missing", expected[i].mark, expected[i].text);
    }
    if (next != 0) return fmt::format("the last copy of thread {} lacks {}", t, expected[next].mark);
  }
  return {};
}

Diagnostic not_kept(const Program& program, const std::string& wrong) {
  return {program.source, {}, "the compiler did not keep the test's instructions: " + wrong, ""};
}

}  // namespace ambit::cuda
