// Compares ldetector in the kernel with ldetector in the simulator. For each program, both must report the same races
// in the same order, with the same places, location and kinds of access.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/detectors/ldetector_in_gpu.h"
#include "parser/parse.h"
#include "runner/cuda/emit/in_gpu.h"
#include "runner/sim/ldetector.h"
#include "runner/sim/ldetector_regions.h"
#include "tests/support/dice.h"
#include "tests/support/files.h"
#include "tests/unit/in_gpu/simulated_machine.h"

namespace ambit {
namespace {

using NamedSide = std::tuple<std::string, std::string, bool>;
using NamedRace = std::tuple<NamedSide, NamedSide, std::string, RaceKind, RaceLevel>;

std::vector<NamedRace> named(const std::vector<RaceReport>& races, const TraceTables& tables) {
  const auto side = [&](const RaceAccess& access) {
    return NamedSide{tables.threads()[access.thread].name, tables.sites()[access.site], access.is_write};
  };
  std::vector<NamedRace> made;
  for (const RaceReport& race : races) {
    made.emplace_back(side(race.first), side(race.second), tables.locations()[race.location].name, race.kind,
                      race.level);
  }
  return made;
}

/// The tables that the kernel of a test has in memory.
struct Tables {
  explicit Tables(const Program& program) {
    for (const sim::ldetection::Block& block : sim::ldetection::blocks_of(program)) {
      for (const std::vector<std::uint32_t>& warp : block.warps) {
        for (const std::uint32_t thread : warp) threads.push_back(static_cast<unsigned char>(thread));
        first_thread.push_back(static_cast<unsigned char>(threads.size()));
      }
      first_warp.push_back(static_cast<unsigned char>(first_thread.size() - 1));
    }
    for (const Location& location : program.locations) initial.push_back(location.initial);
  }
  std::vector<unsigned char> threads;
  std::vector<unsigned char> first_thread = {0};
  std::vector<unsigned char> first_warp = {0};
  std::vector<long long> initial;
};

struct alignas(16) Piece {
  std::uint64_t halves[2] = {0, 0};
};

/// Returns the races that the rules report; nothing if a run has no verdict. The memory has space for runs 0, 1 and 2.
/// The function executes the test as run 0, as run 2, and as run 0 again, and expects three equal results.
std::vector<NamedRace> races_in_gpu(const Program& program, bool& has_verdict) {
  cuda::InGpuTest test = cuda::make_in_gpu_test(program).value();
  sim::Options options;
  options.memory = sim::MemoryKind::Sc;
  const sim::Machine machine(program, options);
  test.size.words = SimulatedMachine::words(machine);
  const Tables tables(program);
  const SimulatedMachine simulated(machine, test,
                                   {test.size,
                                    {tables.threads.data(), tables.first_thread.data(), tables.first_warp.data()},
                                    test.is_shared.data(),
                                    tables.initial.data()});
  std::vector<Piece> memory(ambit_kernel::RegionMemory::bytes(test.size, 3) / sizeof(Piece));
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  std::vector<std::vector<ambit_kernel::Race>> all;
  has_verdict = true;
  for (const unsigned run : {0U, 2U, 0U}) {
    constexpr unsigned kMaxSteps = 10000;
    ambit_kernel::LDetector detector(ambit_kernel::RunMemory(address, 3, run), simulated, kMaxSteps);
    detector.play();
    std::vector<ambit_kernel::Race>& races = all.emplace_back();
    for (unsigned i = 0; i < detector.log().count(); ++i) races.push_back(detector.log().race(i));
    has_verdict = has_verdict && !detector.log().has_overflown();
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
  std::vector<RaceReport> reports;
  for (const ambit_kernel::Race race : all[0]) reports.push_back(cuda::unpack_race(race, test.tables));
  return named(reports, test.tables);
}

struct LDetectorTally {
  std::uint64_t judged = 0;
  std::uint64_t racy = 0;
  std::uint64_t read_write = 0;  ///< number of tests in which one access of a race is a load
  std::uint64_t refused = 0;
};

void compare(const Program& program, LDetectorTally& tally) {
  Context context;
  const auto reference = sim::ldetector(program, {}, context);
  const auto examined = cuda::examine(program, *cuda::find_in_gpu_detector("ldetector"));
  ASSERT_EQ(examined.ok(), reference.ok()) << program.name;
  if (!reference.ok()) {
    EXPECT_EQ(render(examined.errors()), render(reference.errors()));
    ++tally.refused;
    return;
  }
  EXPECT_EQ(examined.value(), reference.value().remarks);
  const std::vector<NamedRace> expected = named(reference.value().races, reference.value().tables);
  bool has_verdict = false;
  EXPECT_EQ(races_in_gpu(program, has_verdict), expected) << program.name;
  EXPECT_TRUE(has_verdict) << program.name;
  ++tally.judged;
  tally.racy += expected.empty() ? 0 : 1;
  const bool has_read =
      std::ranges::any_of(expected, [](const NamedRace& race) { return !std::get<2>(std::get<1>(race)); });
  tally.read_write += has_read ? 1 : 0;
}

LDetectorTally compare_folder(const std::string& folder) {
  LDetectorTally tally;
  for (const auto& file : test::files_in(test::project() / "litmus" / folder, {".litmus", ".cu"})) {
    const auto programs = parser::parse_programs(parser::read_source(file.string()).value());
    if (!programs.ok()) continue;
    for (const auto& program : programs.value()) {
      if (cuda::make_in_gpu_test(*program).ok()) compare(*program, tally);
    }
  }
  return tally;
}

// Every test of ScoR has an atomic operation, which ldetector does not support.
TEST(LDetectorInGpu, RefusesScor) {
  const LDetectorTally tally = compare_folder("scor");
  EXPECT_EQ(tally.judged, 0U);
  EXPECT_EQ(tally.refused, 32U);
}

// docs/detectors/README.md: ldetector finds the race of jacobi-without-barrier and the races of the tests with computed
// addresses.
TEST(LDetectorInGpu, SameOnBarrierTests) {
  const LDetectorTally tally = compare_folder("barrier");
  EXPECT_EQ(tally.judged, 11U);
  EXPECT_EQ(tally.racy, 3U);
  EXPECT_EQ(tally.read_write, 2U);
}

TEST(LDetectorInGpu, SameOnTheRestOfTheCorpus) {
  LDetectorTally tally;
  for (const char* folder : {"predictable", "classic", "separating", "language", "cuda", "termination", "ptx"}) {
    const LDetectorTally part = compare_folder(folder);
    tally.judged += part.judged;
    tally.refused += part.refused;
  }
  // ldetector supports a test if the test has shared memory, no atomics, and no exchanges of values between lanes. A
  // vote is also an exchange, even if no instruction uses its result.
  EXPECT_EQ(tally.judged, 10U);
  EXPECT_EQ(tally.refused, 1147U);
}

/// Generates loads, stores and branches on three cells of shared memory and one cell of global memory. There are two
/// blocks of two warps each; some warps have two lanes. Some programs have an assumption about a value read, and some
/// lack a barrier.
std::string random_program(test::Dice& dice) {
  const auto cell = [&](unsigned block) {
    if (dice.chance(15)) return std::string("g[0]");
    return std::string(block == 0 ? "s" : "t") + "[" + std::to_string(dice.below(3)) + "]";
  };
  std::string text =
      "CUDA random\n{ shared int s[3] = {0, 5, 7}; shared int t[3] = {0, 5, 7}; global int g[1] = {3}; }\n";
  unsigned number = 0;
  for (unsigned block = 0; block < 2; ++block) {
    for (unsigned warp = 0; warp < 2; ++warp) {
      const std::size_t lanes = dice.chance(30) ? 2 : 1;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        text += "P" + std::to_string(number++) + " @ block " + std::to_string(block) + " warp " + std::to_string(warp) +
                " lane " + std::to_string(lane) + " {\n  int r0 = 0;\n  int r1 = 0;\n";
        for (unsigned region = 0; region < 3; ++region) {
          for (std::size_t left = 1 + dice.below(3); left > 0; --left) {
            const std::string reg = "r" + std::to_string(dice.below(2));
            switch (dice.below(7)) {
              case 0:
              case 1: text += "  " + reg + " = " + cell(block) + ";\n"; break;
              case 2: text += "  " + cell(block) + " = " + std::to_string(dice.below(8)) + ";\n"; break;
              case 3: text += "  " + cell(block) + " = " + reg + " + 1;\n"; break;
              case 4: text += "  " + cell(block) + " = " + cell(block) + ";\n"; break;
              case 5: text += "  if (" + reg + " > 5) { " + cell(block) + " = 2; }\n"; break;
              default:
                if (dice.chance(20)) text += "  assume(" + reg + " != 2);\n";
                if (lanes == 2) text += "  __syncwarp(3);\n";
            }
          }
          if (region < 2 && !dice.chance(2)) text += "  __syncthreads();\n";
        }
        text += "}\n";
      }
    }
  }
  return text + "exists (g[0] == 1)\n";
}

TEST(LDetectorInGpu, SameOnRandomPrograms) {
  LDetectorTally tally;
  for (unsigned seed = 0; seed < 3000 && !HasFailure(); ++seed) {
    test::Dice dice(seed);
    const std::string text = random_program(dice);
    const auto program = parser::parse_program(std::make_shared<const SourceFile>(SourceFile{"random.litmus", text}));
    ASSERT_TRUE(program.ok()) << render(program.errors()) << text;
    compare(*program.value(), tally);
    if (HasFailure()) ADD_FAILURE() << "seed " << seed << "\n" << text;
  }
  EXPECT_GT(tally.judged, 1000U);
  EXPECT_GT(tally.racy, 200U);
  EXPECT_GT(tally.read_write, 100U);
  EXPECT_GT(tally.refused, 50U);
}

}  // namespace
}  // namespace ambit
