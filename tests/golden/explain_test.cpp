#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"
#include "report/draw/picture.h"
#include "report/text/explain_text.h"
#include "tests/support/golden.h"
#include "tests/support/parsed.h"

// Each line of tests/golden/explain/cases names a test of litmus/, a model, a question (race, outcome) and the shown
// part of the answer (text, full, dot). The golden file beside it contains that part. Review a changed golden file line
// by line against the rules in the test's comments.
namespace ambit {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string name;
  std::string file;
  std::string model;
  std::string question;
  std::string shown;
};

fs::path folder() { return test::project() / "tests/golden/explain"; }

std::vector<Case> cases() {
  std::ifstream in(folder() / "cases");
  std::vector<Case> found;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    Case one;
    words >> one.file >> one.model >> one.question >> one.shown;
    one.name = fs::path(one.file).stem().string() + "." + one.model + "." + one.question + "." + one.shown;
    found.push_back(one);
  }
  return found;
}

class Explanations : public testing::TestWithParam<Case> {
 protected:
  std::string shown() {
    const Case& one = GetParam();
    const auto program = test::program_in("litmus/" + one.file);
    const auto rules = test::shipped_model(one.model);
    return one.question == "race" ? race(program, rules) : outcome(program, rules);
  }

 private:
  bool is_full() const { return GetParam().shown == "full"; }
  bool is_dot() const { return GetParam().shown == "dot"; }

  std::string race(const std::shared_ptr<const Program>& program, const std::shared_ptr<const rules::Rules>& rules) {
    const auto explanation = explain::explain_race(checker_, program, rules, {}, {.all = is_full()}, context_);
    if (is_dot()) return report::picture_dot(*report::picture_of(explanation.value(), {}));
    return report::race_explanation_text(explanation.value(), {}, {.full = is_full()});
  }

  std::string outcome(const std::shared_ptr<const Program>& program, const std::shared_ptr<const rules::Rules>& rules) {
    const auto explanation = explain::explain_outcome(checker_, program, rules, {}, context_);
    if (is_dot()) return report::picture_dot(*report::picture_of(explanation.value(), "the outcome", {}));
    return report::outcome_explanation_text(explanation.value(), "the outcome", {}, {.full = is_full()});
  }

  verdict::Checker checker_;
  Context context_;
};

TEST_P(Explanations, MatchTheirGoldens) {
  const fs::path golden = folder() / GetParam().name;
  const std::string text = shown();
  test::expect_golden(golden, text);
  if (GetParam().shown == "text") {
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Explanations, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& info) { return test::case_name(info.param.name); });

}  // namespace
}  // namespace ambit
