#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "detector/algorithms/registry.h"
#include "study/separation.h"
#include "tests/support/parsed.h"

/// Each file in litmus/distinguish separates the observers that it names.
namespace ambit::study {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(test::project() / "litmus/distinguish")) {
    if (entry.path().extension() == ".litmus") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Subject subject_named(const std::string& name) {
  const std::string prefix = "detector:";
  if (!name.starts_with(prefix)) return {name, test::shipped_model(name), {}};
  return {name, {}, [name = name.substr(prefix.size())](const TraceTables& tables) {
            return std::move(detector::make_detector(name, {}, tables)).value();
          }};
}

struct Claim {
  std::string aspect, first, second;
};

std::vector<Claim> claims_of(const Program& program) {
  std::vector<Claim> claims;
  std::istringstream text(program.metadata.at("Separates"));
  for (std::string part; std::getline(text, part, ';');) {
    std::istringstream words(part);
    Claim claim;
    std::string pair;
    words >> claim.aspect >> pair;
    claim.first = pair.substr(0, pair.find('/'));
    claim.second = pair.substr(pair.find('/') + 1);
    claims.push_back(std::move(claim));
  }
  return claims;
}

class Separates : public testing::TestWithParam<fs::path> {};

TEST_P(Separates, TheNamedObservers) {
  const auto program = test::program_of(test::contents(GetParam()), GetParam().string());
  const std::vector<Claim> claims = claims_of(*program);
  ASSERT_FALSE(claims.empty());
  std::vector<Subject> subjects;
  std::map<std::string, std::size_t> numbers;
  const auto number = [&](const std::string& name) {
    const auto [entry, is_new] = numbers.emplace(name, subjects.size());
    if (is_new) subjects.push_back(subject_named(name));
    return entry->second;
  };
  for (const Claim& claim : claims) {
    number(claim.first);
    number(claim.second);
  }
  for (const DetectExpectation& expectation : program->detections) number("detector:" + expectation.detector);
  const Observer observer(subjects);
  const std::vector<Sight> sights = observer.observe(program);
  for (const Claim& claim : claims) {
    const auto aspect = std::ranges::find_if(kAspects, [&](Aspect one) { return to_string(one) == claim.aspect; });
    ASSERT_NE(aspect, kAspects.end()) << claim.aspect;
    EXPECT_TRUE(difference(sights[number(claim.first)], sights[number(claim.second)], *aspect))
        << claim.aspect << " " << claim.first << "/" << claim.second;
  }
  for (const DetectExpectation& expectation : program->detections) {
    const std::vector<bool>& runs = sights[number("detector:" + expectation.detector)].by_run;
    const auto racy = std::count(runs.begin(), runs.end(), true);
    using Verdict = DetectExpectation::Verdict;
    const Verdict found = racy == 0                                          ? Verdict::NoRace
                          : racy == static_cast<std::ptrdiff_t>(runs.size()) ? Verdict::Race
                                                                             : Verdict::Either;
    EXPECT_EQ(found, expectation.verdict) << expectation.detector;
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Separates, testing::ValuesIn(files()),
                         [](const auto& info) { return "File" + std::to_string(info.index); });

}  // namespace
}  // namespace ambit::study
