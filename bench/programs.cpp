#include "bench/programs.h"

#include <fmt/format.h>

namespace ambit::bench {
namespace {

std::string thread(unsigned index, const std::string& body) {
  return fmt::format("P{0} @ block {0} {{\n{1}}}\n", index, body);
}

std::string memory(const std::string& prefix, unsigned count) {
  std::string text = "{ global int ";
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}{}{}", i == 0 ? "" : ", ", prefix, i);
  return text + "; }\n";
}

std::string ring(unsigned threads, bool fenced) {
  std::string text = memory("x", threads);
  for (unsigned i = 0; i < threads; ++i) {
    text += thread(i, fmt::format("  store(x{}, 1, relaxed, device);\n{}  int r0 = load(x{}, relaxed, device);\n", i,
                                  fenced ? "  __threadfence();\n" : "", (i + 1) % threads));
  }
  return text;
}

}  // namespace

std::string message_passing_chain(unsigned threads, bool forbidden) {
  const char* release = forbidden ? "release" : "relaxed";
  const char* acquire = forbidden ? "acquire" : "relaxed";
  std::string text = fmt::format("CUDA chain-{}\n{{ global int data; global int ", threads);
  for (unsigned i = 1; i < threads; ++i) text += fmt::format("{}f{}", i == 1 ? "" : ", ", i);
  text += "; }\n" + thread(0, fmt::format("  data = 1;\n  store(f1, 1, {}, device);\n", release));
  for (unsigned i = 1; i + 1 < threads; ++i) {
    text += thread(i, fmt::format("  int r0 = load(f{}, {}, device);\n  store(f{}, r0, {}, device);\n", i, acquire,
                                  i + 1, release));
  }
  text +=
      thread(threads - 1, fmt::format("  int r0 = load(f{}, {}, device);\n  int r1 = data;\n", threads - 1, acquire));
  return text + fmt::format("exists (P{0}:r0 == 1 && P{0}:r1 == 0)\n", threads - 1);
}

std::string store_buffering_ring(unsigned threads, bool forbidden) {
  std::string text = fmt::format("CUDA ring-{}\n", threads) + ring(threads, forbidden) + "exists (";
  for (unsigned i = 0; i < threads; ++i) text += fmt::format("{}P{}:r0 == 0", i == 0 ? "" : " && ", i);
  return text + ")\n";
}

std::string store_buffering_outcomes(unsigned threads) {
  // The condition always holds. It names all registers and no locations, so that outcomes contain only registers.
  std::string text = fmt::format("CUDA ring-outcomes-{}\n", threads) + ring(threads, false) + "exists (";
  for (unsigned i = 0; i < threads; ++i) text += fmt::format("{}P{}:r0 >= 0", i == 0 ? "" : " && ", i);
  return text + ")\n";
}

std::string atomic_adds(unsigned threads) {
  std::string text = fmt::format("CUDA adds-{}\n{{ global int x; }}\n", threads);
  for (unsigned i = 0; i < threads; ++i) text += thread(i, "  int r0 = atomicAdd(&x, 1);\n");
  return text + fmt::format("exists (P0:r0 == {} && x == {})\n", threads - 1, threads);
}

std::string lost_adds(unsigned threads) {
  std::string text = fmt::format("CUDA lost-adds-{}\n{{ global int x; }}\n", threads);
  for (unsigned i = 0; i < threads; ++i) text += thread(i, "  atomicAdd(&x, 1);\n");
  return text + fmt::format("exists (x < {})\n", threads);
}

std::string many_writers(unsigned writers) {
  std::string text = fmt::format("CUDA writers-{}\n{{ global int x; }}\n", writers);
  for (unsigned i = 0; i < writers; ++i) text += thread(i, fmt::format("  store(x, {}, relaxed, device);\n", i + 1));
  std::string reads;
  for (unsigned i = 0; i < 3; ++i) reads += fmt::format("  int r{} = load(x, relaxed, device);\n", i);
  return text + thread(writers, reads) +
         fmt::format("exists (P{0}:r0 == 1 && P{0}:r1 == 2 && P{0}:r2 == 3)\n", writers);
}

std::string independent_reads(unsigned readers) {
  std::string text = fmt::format("CUDA iriw-{}\n{{ global int x, y; }}\n", readers);
  text += thread(0, "  store(x, 1, relaxed, device);\n") + thread(1, "  store(y, 1, relaxed, device);\n");
  std::string condition;
  for (unsigned i = 0; i < readers; ++i) {
    const char* first = i % 2 == 0 ? "x" : "y";
    const char* second = i % 2 == 0 ? "y" : "x";
    text += thread(2 + i, fmt::format("  int r0 = load({}, acquire, device);\n  int r1 = load({}, acquire, device);\n",
                                      first, second));
    condition += fmt::format("{0}P{1}:r0 == 1 && P{1}:r1 == 0", i == 0 ? "" : " && ", 2 + i);
  }
  return text + "exists (" + condition + ")\n";
}

}  // namespace ambit::bench
