// Compares the campaigns in docs/data with the model ptx-observed. The model must allow every outcome of a campaign.
// For each option, each value stronger than the model's value must forbid an outcome of some campaign.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/study/distinction_on_tests.h"
#include "generate/families.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "parser/parse.h"
#include "tests/support/files.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

/// Returns the text of a file of docs/data.
std::string unpacked(const std::string& name) {
  const std::string command = "gzip -dc '" + (test::project() / "docs/data" / name).string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  for (std::array<char, 65536> piece{};;) {
    const std::size_t got = fread(piece.data(), 1, piece.size(), pipe.get());
    if (got == 0) return text;
    text.append(piece.data(), got);
  }
}

class ObservedModel : public testing::Test {
 protected:
  ObservedModel() {
    fs::create_directories(folder_);
    for (const auto& tests : {generate::family_tests(), generate::gpu_family_tests()}) {
      for (const auto& one : tests) std::ofstream(folder_ / (one.name + ".litmus")) << print(one);
    }
  }
  ~ObservedModel() override { fs::remove_all(folder_); }

  /// Returns the outcomes of a log that a model forbids.
  TestDistinction contradictions(const std::string& log, const std::string& model) {
    const fs::path file = folder_ / "log.jsonl";
    std::ofstream(file) << unpacked(log);
    DistinctionRequest request;
    request.subjects = {std::string(kLogPrefix) + file.string(), model};
    request.tests = {folder_.string(), (test::project() / "litmus/classic").string(),
                     (test::project() / "litmus/ptx").string()};
    request.direction = Direction::More;
    const std::atomic<bool> interrupted{false};
    const auto result = distinguish_on_tests(request, interrupted);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : render(result.errors()));
    return result.ok() ? result.value() : TestDistinction{};
  }

 private:
  const fs::path folder_ = fs::path(testing::TempDir()) / ("ambit-observed-" + std::to_string(getpid()));
};

TEST_F(ObservedModel, AllowsWhatTheCampaignsSaw) {
  for (const auto& [log, tests] : {std::pair{"h200-families.jsonl.gz", 1302U},
                                   {"h200-families-2.jsonl.gz", 1302U},
                                   {"h200-families-3.jsonl.gz", 1302U},
                                   {"h200-families-4.jsonl.gz", 1302U},
                                   {"h200-families-5.jsonl.gz", 1302U},
                                   {"h100-x2-families.jsonl.gz", 394U},
                                   {"h100-x2-families-budget.jsonl.gz", 394U},
                                   {"h100-campaign.jsonl.gz", 500U}}) {
    const TestDistinction result = contradictions(log, "ptx-observed");
    EXPECT_EQ(result.tests, tests) << log;
    EXPECT_TRUE(result.open.empty()) << log;
    EXPECT_TRUE(result.differences.empty())
        << log << ": " << result.differences.front().test << ": " << result.differences.front().shown;
  }
}

TEST_F(ObservedModel, HasNoStrongerOptionWithoutAContradiction) {
  const auto contradicting = [&](const std::string& log, const std::string& option) {
    const TestDistinction result = contradictions(log, "ptx-observed(" + option + ")");
    std::map<std::string, std::string> shown;
    for (const TestDifference& one : result.differences) shown.emplace(one.test, one.shown);
    return shown;
  };
  EXPECT_TRUE(contradicting("h200-families-3.jsonl.gz", "multi-copy=blocks").contains("IRIW+gpu+acq-acq+0_1_2_3"));
  const auto blocks = contradicting("h200-families-4.jsonl.gz", "multi-copy=blocks");
  EXPECT_TRUE(blocks.contains("RWC+gpu+acq-sc2+0_1_2"));
  EXPECT_TRUE(blocks.contains("WRC+gpu+acq-acq+0_1_2"));
  EXPECT_TRUE(contradicting("h200-families-5.jsonl.gz", "multi-copy=blocks").contains("RWC+gpu+acq-sc2+0_1_2"));
  const auto multi_copy = contradicting("h200-families-2.jsonl.gz", "multi-copy=device");
  ASSERT_TRUE(multi_copy.contains("WRC+gpu+acq-acq+01_2"));
  EXPECT_NE(multi_copy.at("WRC+gpu+acq-acq+01_2").find("P1:r0 == 1, P2:r1 == 1, P2:r2 == 0"), std::string::npos);
  EXPECT_TRUE(
      contradicting("h100-campaign.jsonl.gz", "block-fences=device").contains("SB+rlx.gpu+fence.sc.cta+xblock"));
  EXPECT_TRUE(contradicting("h100-campaign.jsonl.gz", "updates=synchronize").contains("MP+rmw.gpu+xblock"));
  EXPECT_TRUE(
      contradicting("h100-campaign.jsonl.gz", "dependencies=loads").contains("MP+if+rlx.gpu+fence.sc.gpu.P0+xblock"));
}

/// Reads each test of the corpus only once.
class CorpusPrograms {
 public:
  std::shared_ptr<const Program> find(const std::string& file, const std::string& name) {
    auto& programs = files_[file];
    if (programs.empty()) {
      const auto read = parser::parse_programs(parser::read_source((test::project() / file).string()).value());
      for (const auto& program : read.value()) programs.emplace(program->name, program);
    }
    const auto found = programs.find(name);
    return found == programs.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, std::map<std::string, std::shared_ptr<const Program>>> files_;
};

std::vector<events::Outcome> outcomes_under(const std::string& model, const std::shared_ptr<const Program>& program) {
  static parser::ModelStore store;
  static verdict::Checker checker;
  verdict::CheckOptions options;
  options.questions = {.proposition = false, .flags = false, .incidents = false, .outcomes = true};
  Context context;
  const auto verdict = checker.check(program, store.load_reference(model).value(), options, context);
  return verdict.ok() ? verdict.value().answers.outcomes : std::vector<events::Outcome>{};
}

/// Returns the values in the order of the program's observables, without cells that no thread writes. When the data was
/// recorded, a program without a condition also observed such cells. Returns nothing if the program now has an
/// observable that the data lacks.
std::optional<events::Outcome> outcome_of(const Program& program, const nlohmann::json& values) {
  events::Outcome outcome;
  for (const auto& observable : program.observables) {
    if (!values.contains(observable.name)) return std::nullopt;
    outcome.push_back(values.at(observable.name).get<Value>());
  }
  return outcome;
}

/// For each test, the option values that runs of the corpus contradict, although no campaign contradicts the values.
const std::map<std::string, std::string> kTriedHere = {
    {"MP+fence.acquire-rlx+acq", "multi-copy=blocks,fences=one-way"},
    {"rcu-publish-dependency", "dependencies=addresses"},
};

// The runs of the corpus on an H100 do not form a campaign: the file is the output of `ambit run --json`.
TEST(ObservedModelCorpus, IsNotContradicted) {
  CorpusPrograms corpus;
  std::size_t outcomes = 0;
  std::size_t changed = 0;
  std::size_t renamed = 0;
  std::set<std::string> contradicts;
  const auto document = nlohmann::json::parse(unpacked("h100-corpus-2.json.gz"));
  for (const auto& test : document.at("tests")) {
    if (!test.contains("outcomes") || test.at("outcomes").empty()) continue;
    const auto program = corpus.find(test.at("file"), test.at("name"));
    if (!program) {
      ++renamed;
      continue;
    }
    const auto known = outcomes_under("ptx-observed", program);
    const auto option = kTriedHere.find(program->name);
    const auto stronger =
        option == kTriedHere.end() ? known : outcomes_under("ptx-observed(" + option->second + ")", program);
    for (const auto& seen : test.at("outcomes")) {
      if (seen.at("allowed").at("ptx").is_null()) continue;  // unknown for unroll-bound
      const auto outcome = outcome_of(*program, seen.at("outcome"));
      if (!outcome) {
        ++changed;
        continue;
      }
      ++outcomes;
      EXPECT_TRUE(std::ranges::binary_search(known, *outcome)) << program->name << " " << seen.dump();
      if (!std::ranges::binary_search(stronger, *outcome)) contradicts.insert(program->name);
    }
  }
  EXPECT_GT(outcomes, 3000U);
  EXPECT_EQ(changed, 0U);
  EXPECT_LT(renamed, 80U);  // variants of mixed-proxy tests that were renamed later
  EXPECT_EQ(contradicts.size(), kTriedHere.size());
}

}  // namespace
}  // namespace ambit::api
