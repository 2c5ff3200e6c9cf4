#include "runner/cuda/stress/profiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "tests/support/parsed.h"

namespace ambit::cuda {
namespace {

std::shared_ptr<const Program> program_of_threads(const std::string& threads) {
  const std::string text =
      "CUDA t\n{ global int x = 0, y = 0, z = 0; global int a[4]; }\n" + threads + "exists (x == 1)\n";
  return test::program_of(text, "t.litmus");
}

std::string shape(const std::string& threads) { return shape_of(*program_of_threads(threads)); }

// Cells get names in the order of their appearance. Threads are in the order that gives the shortest text.
TEST(Profiles, TheShapeIsOfThreadsBlocksAndAccesses) {
  const std::string writer = " @ block 0 { x = 1; y = 1; }\n";
  const std::string reader = " @ block 1 { int r0 = y; int r1 = x; }\n";
  EXPECT_EQ(shape("P0" + writer + "P1" + reader), "Ra Rb / Wb Wa");
  EXPECT_EQ(shape("P0" + reader + "P1" + writer), "Ra Rb / Wb Wa");
  // Fences and memory orders do not change the shape, but blocks do.
  EXPECT_EQ(
      shape("P0 @ block 7 { store(z, 1, release, device); fence(seq_cst, device); store(x, 1, relaxed, device); }\n"
            "P1 @ block 7 { int r0 = load(x, acquire, device); int r1 = z; }\n"),
      "Ra Rb + Wb Wa");
  EXPECT_EQ(shape("P0 @ block 0 { x = 1; }\nP1 @ block 1 { int r0 = atomicAdd(&x, 1); }\n"), "Ua / Wa");
}

// In the text, the threads of one GPU are next to each other, like the threads of one block.
TEST(Profiles, TheShapeDistinguishesGpus) {
  EXPECT_EQ(shape("P0 @ gpu 0 block 0 { x = 1; y = 1; }\nP1 @ gpu 1 block 0 { int r0 = y; int r1 = x; }\n"),
            "Ra Rb // Wb Wa");
  const std::string writers = "P0 @ gpu 0 block 0 { x = 1; }\nP1 @ gpu 1 block 0 { y = 1; }\n";
  EXPECT_EQ(shape(writers + "P2 @ gpu 0 block 1 { int r0 = x; int r1 = y; }\n"
                            "P3 @ gpu 1 block 1 { int r0 = y; int r1 = x; }\n"),
            "Ra Rb / Wa // Rb Ra / Wb");
  EXPECT_EQ(shape(writers + "P2 @ gpu 0 block 0 { int r0 = x; int r1 = y; }\n"
                            "P3 @ gpu 1 block 1 { int r0 = y; int r1 = x; }\n"),
            "Ra Rb + Wa // Rb Ra / Wb");
}

TEST(Profiles, TestsWithoutFixedCellsHaveNoShape) {
  EXPECT_EQ(shape("P0 @ block 0 { int r0 = x; a[r0] = 1; }\nP1 @ block 1 { x = 1; }\n"), "");
}

TEST(Profiles, TheProfileIsThatOfDeviceAndShape) {
  const auto passing = program_of_threads("P0 @ block 0 { x = 1; y = 1; }\nP1 @ block 1 { int r0 = y; int r1 = x; }\n");
  const auto other = program_of_threads("P0 @ block 0 { x = 1; }\nP1 @ block 1 { int r0 = x; }\n");
  ASSERT_TRUE(shipped_profile(*passing, "NVIDIA H100 80GB HBM3"));
  EXPECT_EQ(shipped_profile(*passing, "NVIDIA H100 80GB HBM3")->name, "h100-mp");
  EXPECT_EQ(shipped_profile(*passing, "NVIDIA H200")->name, "h200-mp");
  // The test is IRIW (independent reads of independent writes), with three threads in one block.
  const auto reads = program_of_threads(
      "P0 @ block 0 { x = 1; }\nP1 @ block 0 { y = 1; }\nP2 @ block 0 { int r0 = x; int r1 = y; }\n"
      "P3 @ block 1 { int r0 = y; int r1 = x; }\n");
  ASSERT_TRUE(shipped_profile(*reads, "NVIDIA H200")) << shape_of(*reads);
  EXPECT_EQ(shipped_profile(*reads, "NVIDIA H200")->name, "h200-iriw-block");
  EXPECT_FALSE(shipped_profile(*passing, "NVIDIA A100-SXM4-40GB"));
  EXPECT_FALSE(shipped_profile(*other, "NVIDIA H100 80GB HBM3"));
}

/// Returns the test WRC (write-to-read causality). The three parameters are the GPUs of its threads.
std::shared_ptr<const Program> chain_on_gpus(int first, int second, int third) {
  return program_of_threads("P0 @ gpu " + std::to_string(first) + " block 0 { x = 1; }\nP1 @ gpu " +
                            std::to_string(second) + " block 1 { int r0 = x; y = 1; }\nP2 @ gpu " +
                            std::to_string(third) + " block 2 { int r0 = y; int r1 = x; }\n");
}

// A profile says which GPU has the cells. If a test numbers its two GPUs in the opposite order, Ambit swaps the two
// GPUs of the profile.
TEST(Profiles, OnTwoGpusTheProfileIsThatOfThePlacement) {
  const auto profile = shipped_profile(*chain_on_gpus(0, 0, 1), "NVIDIA H200");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->name, "h200x2-wrc-g01_2");
  EXPECT_TRUE(profile->is_for_two_gpus);
  EXPECT_EQ(static_cast<CellMemory>(profile->stress.cell_memory), CellMemory::LastGpu);
  const auto turned = shipped_profile(*chain_on_gpus(1, 1, 0), "NVIDIA H200");
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->name, profile->name);
  EXPECT_EQ(static_cast<CellMemory>(turned->stress.cell_memory), CellMemory::FirstGpu);
  EXPECT_NE(shipped_profile(*chain_on_gpus(0, 1, 1), "NVIDIA H200")->name, profile->name);
}

// If a device or a placement has no profile for two GPUs, Ambit uses a profile for one GPU.
TEST(Profiles, OnTwoGpusWithoutAProfileItIsThatOfOne) {
  const auto profile = shipped_profile(*chain_on_gpus(0, 0, 1), "NVIDIA H100 80GB HBM3");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->name, "h100-wrc");
  EXPECT_FALSE(profile->is_for_two_gpus);
  EXPECT_EQ(shipped_profile(*chain_on_gpus(0, 1, 2), "NVIDIA H200")->name, "h200-wrc");
}

TEST(Profiles, EveryDeviceHasAPortfolio) {
  for (const char* const device : {"NVIDIA H200", "NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-40GB"}) {
    const auto sets = portfolio(device);
    EXPECT_GE(sets.size(), 4U);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(sets[i] == sets[j]) << i << " and " << j;
    }
  }
}

// Tuning starts with the profiles of the device. Profiles for two GPUs come last.
TEST(Profiles, ThoseOfADeviceComeFirst) {
  const auto sets = shipped_profiles("NVIDIA H200");
  EXPECT_EQ(sets.size(), 33U);
  const auto passing = program_of_threads("P0 @ block 0 { x = 1; y = 1; }\nP1 @ block 1 { int r0 = y; int r1 = x; }\n");
  EXPECT_EQ(sets.front(), shipped_profile(*passing, "NVIDIA H200")->stress);
  EXPECT_EQ(sets[9], shipped_profile(*passing, "NVIDIA H100 PCIe")->stress);
  EXPECT_EQ(shipped_profiles("NVIDIA A100-SXM4-40GB").size(), 33U);
}

// The profiles were made for these classic tests, so every device has a profile for each test.
TEST(Profiles, EveryFamilyOfTheClassicTestsHasOne) {
  for (const char* const name :
       {"MP+rlx.gpu+xblock", "SB+rlx.gpu+xblock", "2+2W+rlx.gpu+xblock", "IRIW+rlx.gpu+xblock", "ISA2+rlx.gpu+xblock",
        "WRC+rlx.gpu+xblock", "RWC+rlx.gpu+xblock", "WRC+relacq.cta+split"}) {
    const auto program = test::program_in("litmus/classic/" + std::string(name) + ".litmus");
    for (const char* const device : {"NVIDIA H100 PCIe", "NVIDIA H200"}) {
      EXPECT_TRUE(shipped_profile(*program, device)) << name << " has the shape " << shape_of(*program);
    }
  }
}

}  // namespace
}  // namespace ambit::cuda
