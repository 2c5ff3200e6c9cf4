// Compares joined messages (detector/inference/joint_flags.cpp) with separate messages. Joined and separate messages
// must order the same events.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "detector/algorithms/happens_before.h"
#include "detector/clocks/compressed_clocks.h"
#include "tests/support/trace_text.h"

namespace ambit::detector {
namespace {

constexpr unsigned kBlocks = 12;

/// A random trace. Threads increment two counters, `f` and `g`, between fences and barriers. Each of 12 blocks has two
/// threads in one warp and one thread in another warp.
class RandomCounters {
 public:
  explicit RandomCounters(std::uint64_t seed) : random_(seed) {
    text_ = fmt::format("ambit-trace 1\nlaunch grid={},1,1 block=64,1,1 warp=32\n", kBlocks);
    for (unsigned step = 0; step < 400; ++step) add_step();
  }
  Trace trace() const { return test::sound(test::from_text(text_)); }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  void add_step() {
    const unsigned block = below(kBlocks);
    const std::string thread = fmt::format("b{}t{}", block, std::array{0, 1, 32}[below(3)]);
    const unsigned counter = below(3) == 0 ? 1 : 0;
    const char* name = counter == 0 ? "f" : "g";
    unsigned& value = values_[counter];
    const char* scope = below(40) == 0 ? "cta" : "gpu";  // after a fence of block scope, messages are separate
    switch (below(16)) {
      case 0:
      case 1:
      case 2: text_ += fmt::format("{} fence.sc.{}\n", thread, scope); break;
      case 3: text_ += fmt::format("{} fence.acq_rel.{}\n", thread, scope); break;
      case 4:
      case 8: text_ += fmt::format("b{0}t0 warpbar mask=0x3\nb{0}t1 warpbar mask=0x3\n", block); break;
      case 9: text_ += fmt::format("b{0}t0 bar 0\nb{0}t1 bar 0\nb{0}t32 bar 0\n", block); break;
      case 5: text_ += fmt::format("{} r.relaxed.{} {}={}\n", thread, scope, name, value); break;
      case 6:
        if (below(20) == 0) {  // ends the chain of read-modify-writes
          value = 1000 + static_cast<unsigned>(text_.size());
          text_ += fmt::format("{} w.relaxed.gpu {}={}\n", thread, name, value);
        }
        break;
      case 7: text_ += fmt::format("{} w d{}\n", thread, below(4)); break;
      default:
        text_ += fmt::format("{} rmw.relaxed.{}.add {}:{}->{}\n", thread, scope, name, value, value + 1);
        ++value;
        break;
    }
  }

  std::mt19937_64 random_;
  std::string text_;
  std::array<unsigned, 2> values_{};
};

/// Runs barracuda and its inference on a trace. The test runs barracuda twice; one of the inferences joins messages.
class Follower {
 public:
  Follower(const TraceTables& tables, bool joins)
      : inference_(tables, SyncInference::Depth::All, SyncInference::Rules::Ptx),
        detector_(tables, {.polling_acquires = false, .rules = SyncInference::Rules::Ptx}) {
    if (joins) inference_.join_flags();
  }
  void on(const TraceEvent& event) { detector_.apply(inference_.on(event), inference_); }
  std::vector<std::uint32_t> clock_of(std::uint32_t thread) const { return detector_.clock_of(thread); }

 private:
  SyncInference inference_;
  HappensBefore<PlainClocks> detector_;
};

TEST(JointFlags, OrderWhatMessagesOneByOneOrder) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Trace trace = RandomCounters(seed).trace();
    Follower joined(trace.tables, true);
    Follower single(trace.tables, false);
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      joined.on(trace.events[i]);
      single.on(trace.events[i]);
      for (std::uint32_t thread = 0; thread < trace.tables.threads().size(); ++thread) {
        ASSERT_EQ(joined.clock_of(thread), single.clock_of(thread))
            << "seed " << seed << ", event " << i << ", thread " << trace.tables.threads()[thread].name;
      }
    }
  }
}

}  // namespace
}  // namespace ambit::detector
