#include <random>

#include "tests/unit/virtual/spread_trial.h"

namespace ambit::virtual_gpu {
namespace {

/// A kernel whose threads read and write two arrays in random patterns. A thread mostly accesses its own elements.
/// Sometimes it accesses elements of another thread or block, or elements for all threads. %r10 combines the values
/// that the thread has read, and decides whether the thread stores, and which value it stores.
class SharingKernel {
 public:
  explicit SharingKernel(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string body = "mov.u32 %r10, %r1; mov.u32 %r20, 0; ld.param.u64 %rd4, [p1];\n";
    const unsigned statements = 1 + below(5);
    const bool loops = below(3) == 0;
    if (loops) body += "$again:\n";
    for (unsigned i = 0; i < statements; ++i) body += statement();
    if (loops) body += "add.u32 %r20, %r20, 1; setp.lt.u32 %p2, %r20, 3; @%p2 bra $again;\n";
    return kernel_text(2, with_place(body + "ret;"));
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  /// Returns code that sets %rd10 to the address of an element of `bytes` bytes.
  std::string address(unsigned bytes) {
    std::string made = "mov.u32 %r11, %r1;\n";
    switch (below(12)) {
      case 0: made = fmt::format("mov.u32 %r11, {};\n", below(16)); break;             // All threads: one element.
      case 1: made = "mov.u32 %r11, %r2;\n"; break;                                    // Each block: one element.
      case 2: made += fmt::format("add.u32 %r11, %r11, {};\n", 1 + below(40)); break;  // A neighbour's element.
      case 3: made += "xor.b32 %r11, %r11, 5;\n"; break;                               // Another thread's element.
      case 4: made += "xor.b32 %r11, %r11, %r10; and.b32 %r11, %r11, 255;\n"; break;
      default: break;
    }
    const char* array = below(3) == 0 ? "%rd4" : "%rd1";
    return made + fmt::format("and.b32 %r11, %r11, 511; mul.wide.u32 %rd9, %r11, {}; add.s64 %rd10, {}, %rd9;\n", bytes,
                              array);
  }

  std::string statement() {
    const unsigned bytes = 1U << below(5);
    const std::string guard = below(4) == 0 ? "@%p1 " : "";
    std::string made = address(bytes) + "and.b32 %r12, %r10, 3; setp.ne.u32 %p1, %r12, 0;\n";
    const bool is_load = below(2) == 0;
    switch (bytes) {
      case 1:
      case 2: {
        const unsigned bits = bytes * 8;
        if (is_load)
          return made + fmt::format("{}ld.global.u{} %rs1, [%rd10]; cvt.u32.u16 %r13, %rs1;\n", guard, bits) + mix();
        return made + fmt::format("cvt.u16.u32 %rs2, %r10; {}st.global.u{} [%rd10], %rs2;\n", guard, bits);
      }
      case 4:
        return made +
               (is_load ? guard + "ld.global.u32 %r13, [%rd10];\n" + mix() : guard + "st.global.u32 [%rd10], %r10;\n");
      case 8:
        return made + (is_load ? guard + "ld.global.v2.u32 {%r13, %r14}, [%rd10];\n" + mix()
                               : guard + "st.global.v2.u32 [%rd10], {%r10, %r1};\n");
      default:
        return made + (is_load ? guard + "ld.global.v4.u32 {%r13, %r14, %r15, %r16}, [%rd10];\n" + mix()
                               : guard + "st.global.v4.u32 [%rd10], {%r10, %r1, %r2, %r10};\n");
    }
  }

  static std::string mix() { return "mad.lo.u32 %r10, %r10, 1664525, %r13;\n"; }

  std::mt19937_64 random_;
};

TEST(SpreadBlocks, RandomSharing) {
  const char* wanted = std::getenv("AMBIT_RANDOM_KERNELS");
  const std::uint64_t kernels = wanted == nullptr ? 400 : std::strtoull(wanted, nullptr, 10);
  constexpr std::uint64_t kBytes = 513 * 16;
  std::uint64_t spread = 0;
  for (std::uint64_t seed = 0; seed < kernels; ++seed) {
    std::mt19937_64 random(seed);
    Trial one;
    one.text = SharingKernel(seed).text();
    one.grid = {3 + static_cast<std::uint32_t>(random() % 10), 1, 1};
    one.block = {1 + static_cast<std::uint32_t>(random() % 64), 1, 1};
    one.launches = 3;
    const bool is_filled = random() % 4 != 0;
    one.parameters = [&](KernelRun& run) {
      const std::uint64_t other = run.fresh(kBytes);
      if (is_filled) run.device.memory().set(other, 0x5a, kBytes);
      return std::vector<std::uint64_t>{run.array(std::vector<std::uint8_t>(kBytes, 7)), other};
    };
    const Traces alone = one.traces(1);
    for (const unsigned threads : {2U, 3U}) {
      const Traces traces = one.traces(threads);
      ASSERT_EQ(traces.text, alone.text) << "kernel " << seed << ", " << threads << " threads\n" << one.text;
      ASSERT_TRUE(traces.memory == alone.memory) << "kernel " << seed << ", " << threads << " threads\n" << one.text;
      spread += traces.threads == threads ? 1 : 0;
    }
  }
  // The test is useful only if the device spreads many launches over host threads and runs many on one thread.
  EXPECT_GT(spread, kernels / 4);
  EXPECT_LT(spread, 2 * kernels - kernels / 4);
}

}  // namespace
}  // namespace ambit::virtual_gpu
