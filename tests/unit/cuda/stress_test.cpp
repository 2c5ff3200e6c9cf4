#include "runner/cuda/stress/stress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace ambit::cuda {
namespace {

using testing::HasSubstr;

SourceFilePtr file(const std::string& text) { return std::make_shared<const SourceFile>(SourceFile{"p.json", text}); }

template <typename Map>
bool is_bijection(std::uint32_t size, Map map) {
  std::vector<bool> hit(size, false);
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto to = static_cast<std::size_t>(map(i));
    if (to >= size || hit[to]) return false;
    hit[to] = true;
  }
  return true;
}

TEST(Stress, PermutationsAreBijections) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ambit_kernel::Parameters parameters{};
    parameters.groups = 66 + static_cast<unsigned>(seed);
    parameters.slot_mask = 4095;
    const std::uint32_t slots = 96;
    choose_permutations(parameters, slots, seed, true);
    for (unsigned k = 0; k < ambit_kernel::kMultipliers; ++k) {
      EXPECT_TRUE(is_bijection(4096, [&](std::uint32_t i) { return (i * parameters.location_multiplier[k]) & 4095U; }));
      EXPECT_TRUE(
          is_bijection(slots, [&](std::uint32_t i) { return (i * parameters.slot_multiplier[k] + 5U) % slots; }));
      EXPECT_TRUE(is_bijection(parameters.groups, [&](std::uint32_t i) {
        return (std::uint64_t{i} * parameters.group_multiplier[k] + 3U) % parameters.groups;
      }));
    }
  }
}

TEST(Stress, WithoutPermutationNeighboursStayNeighbours) {
  ambit_kernel::Parameters parameters{};
  parameters.groups = 10;
  choose_permutations(parameters, 64, 1, false);
  EXPECT_EQ(parameters.location_multiplier[0], 1U);
  EXPECT_EQ(parameters.slot_multiplier[3], 1U);
}

TEST(Stress, CoprimeNumbers) {
  for (std::uint32_t modulus = 1; modulus < 100; ++modulus) {
    for (std::uint32_t from = 0; from < 2 * modulus; ++from) {
      EXPECT_EQ(std::gcd(coprime_from(from, modulus), modulus), 1U);
    }
  }
}

TEST(Stress, ProfilesReadBackAsWritten) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20; ++i) {
    const Stress stress = draw(random, {}, {});
    const auto read = parse_profile(file(profile_text(stress)));
    ASSERT_TRUE(read.ok()) << render(read.errors());
    EXPECT_EQ(read.value(), stress);
  }
}

TEST(Stress, DrawnParametersAreInRangeAndFixedOnesStay) {
  std::mt19937_64 random(3);
  Stress stress;
  for (int i = 0; i < 500; ++i) {
    stress = i % 2 == 0 ? draw(random, {}, {{"stride", 8}}) : neighbour(random, stress, {{"stride", 8}});
    EXPECT_EQ(stress.stride, 8U);
    for (const StressField& field : stress_fields()) {
      EXPECT_GE(stress.*(field.member), field.low) << field.name;
      EXPECT_LE(stress.*(field.member), field.high) << field.name;
    }
  }
}

// On an H200, a round with 65,536 pairs of a store and a load of one line took 9.4 s. A campaign took this for a hang.
TEST(Stress, DrawnStressThatMixesStoresAndLoadsOnFewLinesIsShort) {
  std::mt19937_64 random(3);
  Stress stress;
  std::uint32_t longest = 0;
  for (int i = 0; i < 20000; ++i) {
    stress = i % 10 == 0 ? draw(random, {}, {}) : neighbour(random, stress, {});
    const std::uint32_t lines = std::max(stress.stress_lines * stress.stress_line_bytes / 128, 1U);
    if (stress.stress_pattern == 1 || stress.stress_pattern == 2) {
      EXPECT_LE(stress.stress_iterations, lines * 1024);
    } else {
      longest = std::max(longest, stress.stress_iterations);
    }
    if (stress.pre_stress_pattern == 1 || stress.pre_stress_pattern == 2) {
      EXPECT_LE(stress.pre_stress_iterations, lines * 1024);
    }
  }
  EXPECT_EQ(longest, 65536U);
  const std::map<std::string, std::uint32_t> fixed = {
      {"stress_iterations", 65536}, {"stress_pattern", 2}, {"stress_lines", 1}, {"stress_line_bytes", 4}};
  EXPECT_EQ(draw(random, {}, fixed).stress_iterations, 65536U) << "the user's value is unchanged";
}

TEST(Stress, TornProfilesAreErrors) {
  const auto torn = parse_profile(file("{\n  \"stride\": 16,\n  \"bat"));
  ASSERT_FALSE(torn.ok());
  EXPECT_THAT(render(torn.errors()), HasSubstr("p.json:3:1: error: this profile is not JSON"));
  const auto list = parse_profile(file("[1]"));
  ASSERT_FALSE(list.ok());
  EXPECT_THAT(render(list.errors()), HasSubstr("a profile is a JSON object"));
}

TEST(Stress, UnknownNamesAndValuesOutOfRangeAreErrors) {
  const auto wrong = parse_profile(file("{\n  \"strid\": 16,\n  \"batch\": 1000,\n \"permute\": \"yes\"}"));
  ASSERT_FALSE(wrong.ok());
  const std::string text = render(wrong.errors());
  EXPECT_THAT(text, HasSubstr("p.json:2:3: error: a profile has no 'strid'"));
  EXPECT_THAT(text, HasSubstr("did you mean 'stride'?"));
  EXPECT_THAT(text, HasSubstr("p.json:3:3: error: 'batch' is a whole number from 1 to 64"));
  EXPECT_THAT(text, HasSubstr("'permute' is a whole number from 0 to 1"));
}

TEST(Stress, ParametersMissingInAProfileKeepTheirValues) {
  Stress base;
  base.batch = 4;
  const auto read = parse_profile(file("{\"stride\": 64}"), base);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().batch, 4U);
  EXPECT_EQ(read.value().stride, 64U);
}

}  // namespace
}  // namespace ambit::cuda
