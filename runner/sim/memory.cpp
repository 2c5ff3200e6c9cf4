#include "runner/sim/memory.h"

#include <fmt/format.h>

namespace ambit::sim {
namespace {

std::string text_of(const std::vector<HeldValue>& held, const Program& program) {
  std::string text;
  for (const HeldValue& one : held) {
    text += fmt::format(" {}={}{}", program.locations[one.location].name, one.value, one.is_dirty ? "*" : "");
  }
  return text;
}

}  // namespace

std::vector<std::string> lines_of(const MemoryContents& contents, const Program& program) {
  std::vector<std::string> lines{"memory " + text_of(contents.values, program)};
  for (const MemoryContents::Cache& cache : contents.caches) {
    lines.push_back(fmt::format("{:<7}{}", cache.name, cache.lines.empty() ? " empty" : text_of(cache.lines, program)));
  }
  for (std::size_t t = 0; t < contents.buffers.size(); ++t) {
    if (contents.buffers[t].empty()) continue;
    lines.push_back(fmt::format("buffer of {}:{}", program.threads[t].name, text_of(contents.buffers[t], program)));
  }
  return lines;
}

}  // namespace ambit::sim
