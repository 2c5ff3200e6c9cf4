#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "model/verdict/verdict.h"
#include "tests/support/files.h"
#include "tests/support/golden.h"
#include "tests/unit/standalone/emitted.h"

/// Emits a program from every test of the corpus and parses the program. Test and program must have the same verdicts.
namespace ambit::standalone {
namespace {

namespace fs = std::filesystem;

bool is_test(const fs::directory_entry& file) {
  const std::string extension = file.path().extension().string();
  return file.is_regular_file() && (extension == ".litmus" || extension == ".cu" || extension == ".test");
}

std::vector<fs::path> folders() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(test::project() / "litmus")) {
    if (entry.is_directory() && std::any_of(fs::directory_iterator(entry.path()), fs::directory_iterator(), is_test)) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string folder_name(const fs::path& folder) { return fs::relative(folder, test::project() / "litmus").string(); }

/// Returns a model's verdict on a program, as one line of text.
std::string verdict_text(const ProgramPtr& program, const std::string& model, bool with_outcomes) {
  const auto rules = parser::load_model(model, {});
  if (!rules.ok()) return render(rules.errors());
  verdict::CheckOptions options;
  options.questions = {.proposition = true, .flags = true, .incidents = true, .outcomes = with_outcomes};
  Context context;
  context.set_timeout(std::chrono::seconds(60));
  verdict::Checker checker;
  const auto verdict = checker.check(program, rules.value(), options, context);
  if (!verdict.ok()) return render(verdict.errors());
  std::string text = fmt::format("race {}, {}", static_cast<int>(verdict.value().race),
                                 verdict.value().frequency ? to_string(*verdict.value().frequency) : "-");
  for (const events::Outcome& outcome : verdict.value().answers.outcomes) {
    text += "; ";
    for (const Value value : outcome) text += fmt::format("{} ", value);
  }
  return text;
}

/// Returns the models with which a test is checked: ptx and hrf-indirect, or only ptx for a PTX test.
std::vector<std::string> models_of(const Program& program) {
  if (program.has_columns) return {"ptx"};
  return {"ptx", "hrf-indirect"};
}

class Readback : public testing::TestWithParam<fs::path> {};

TEST_P(Readback, HasTheVerdictsOfTheTest) {
  for (const auto& entry : fs::directory_iterator(GetParam())) {
    if (!is_test(entry)) continue;
    const auto source = parser::read_source(entry.path().string());
    ASSERT_TRUE(source.ok()) << render(source.errors());
    const auto programs = parser::parse_programs(source.value());
    ASSERT_TRUE(programs.ok()) << render(programs.errors());
    const ProgramPtr program = programs.value().front();
    if (programs.value().size() > 1) continue;
    const auto text = emitted(source.value(), *program);
    if (!text.ok()) continue;
    const auto again = parser::parse_program(text_file("again.cu", text.value()));
    ASSERT_TRUE(again.ok()) << entry.path() << "\n" << render(again.errors());
    EXPECT_EQ(again.value()->expectations.size(), program->expectations.size()) << entry.path();
    // The program observes only the registers and cells in its condition. The test compares outcomes only if the
    // original test observes the same registers and cells.
    const bool same_columns =
        program->condition.proposition && again.value()->observables.size() == program->observables.size();
    for (const std::string& model : models_of(*program)) {
      EXPECT_EQ(verdict_text(program, model, same_columns), verdict_text(again.value(), model, same_columns))
          << entry.path() << " " << model;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Readback, testing::ValuesIn(folders()),
                         [](const auto& one) { return test::case_name(folder_name(one.param)); });

/// docs/lab/standalone-corpus.md lists the tests without a program, and the reasons.
TEST(StandaloneCorpus, TheTableIsTheOneInTheDocuments) {
  std::map<std::string, std::pair<int, std::string>> reasons;
  std::map<std::string, std::pair<int, int>> counts;
  for (const fs::path& file : test::files_in(test::project() / "litmus")) {
    const auto source = parser::read_source(file.string());
    const auto programs = parser::parse_programs(source.value());
    ASSERT_TRUE(programs.ok()) << file;
    const std::string folder = (*fs::relative(file, test::project() / "litmus").begin()).string();
    auto& [written, all] = counts[folder];
    ++all;
    std::string reason = "the file holds several tests";
    if (programs.value().size() == 1) {
      const auto text = emitted(source.value(), *programs.value().front());
      if (text.ok()) {
        ++written;
        continue;
      }
      reason = text.errors().front().message;
    }
    auto& [number, example] = reasons[reason];
    if (number++ == 0) example = fs::relative(file, test::project()).string();
  }
  std::string table =
      "# Programs of the corpus\n\n`./dev goldens` writes this page. [standalone.md](../guide/standalone.md) "
      "explains the programs that `ambit emit\nprogram` prints.\n\n| folder | tests | programs |\n|---|---|---|\n";
  for (const auto& [folder, numbers] : counts) {
    table += fmt::format("| `litmus/{}` | {} | {} |\n", folder, numbers.second, numbers.first);
  }
  table += "\n## Tests without a program\n\n| reason | tests | the first one |\n|---|---|---|\n";
  for (const auto& [reason, found] : reasons)
    table += fmt::format("| {} | {} | `{}` |\n", reason, found.first, found.second);
  test::expect_golden(test::project() / "docs/lab/standalone-corpus.md", table);
}

}  // namespace
}  // namespace ambit::standalone
