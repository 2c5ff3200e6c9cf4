#include "api/study/distinction_on_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "api/check/checking_options.h"
#include "api/check/explanation.h"
#include "api/files.h"
#include "api/study/subjects.h"
#include "api/study/suites.h"
#include "api/study/validation.h"
#include "model/verdict/races.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "parser/parse.h"
#include "report/logs/campaign_log.h"
#include "report/results/words.h"

namespace ambit::api {
namespace {

using events::Possibility;
using study::Aspect;

/// A subject's answer about one test.
struct Answer {
  std::optional<bool> race;
  /// Maps each outcome to the number of runs that showed it. For a model, maps each allowed outcome to 0. Absent if the
  /// subject has no outcomes.
  std::optional<std::map<std::string, std::uint64_t>> outcomes;
  std::uint64_t runs = 0;  ///< number of all runs in a log
  std::string unknown;     ///< why there is no answer; empty if there is an answer
};

struct Test {
  std::string file;
  std::shared_ptr<const Program> program;
  std::size_t statements() const {
    std::size_t count = 0;
    for (const auto& thread : program->threads) count += thread.code.size();
    return count;
  }
};

/// Finds the tests in files by name. If several tests have the same name, uses the first test.
class TestFiles {
 public:
  explicit TestFiles(const std::atomic<bool>& interrupted) : interrupted_(interrupted) {}

  std::optional<Diagnostics> read(const std::string& file) {
    if (!read_.insert(file).second) return std::nullopt;
    const auto source = read_input(file, interrupted_);
    if (!source.ok()) return source.errors();
    const auto programs = parser::parse_programs(source.value());
    if (!programs.ok()) return programs.errors();
    for (const auto& program : programs.value()) tests_.try_emplace(program->name, Test{file, program});
    return std::nullopt;
  }
  std::optional<Diagnostics> read_all(const std::vector<std::string>& paths) {
    const auto files = collect_files(paths);
    if (!files.ok()) return files.errors();
    for (const std::string& file : files.value()) {
      if (auto errors = read(file)) return errors;
    }
    return std::nullopt;
  }
  const std::map<std::string, Test>& tests() const { return tests_; }

 private:
  const std::atomic<bool>& interrupted_;
  std::set<std::string> read_;
  std::map<std::string, Test> tests_;
};

/// Returns the names of registers and locations in an outcome's text: "P1:r0", "x".
std::set<std::string> names_in(const std::string& outcome) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < outcome.size();) {
    const std::size_t end = std::min(outcome.find(", ", at), outcome.size());
    const std::string clause = outcome.substr(at, end - at);
    names.insert(clause.substr(0, clause.find(" == ")));
    at = end + 2;
  }
  return names;
}

/// One of the two subjects of a comparison.
class Side {
 public:
  virtual ~Side() = default;
  explicit Side(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  virtual bool speaks_of_races() const { return false; }
  virtual bool speaks_of_outcomes() const { return false; }
  /// Returns the tests that the subject can answer about; nothing if the subject can answer about every test.
  virtual std::optional<std::map<std::string, Test>> tests() const { return std::nullopt; }
  virtual Result<Answer> answer_for(const Test& test, Context& context) = 0;

 private:
  std::string name_;
};
using SidePtr = std::unique_ptr<Side>;

class LogSide : public Side {
 public:
  static Result<SidePtr> open(const std::string& path, const std::vector<std::string>& tests,
                              const std::atomic<bool>& interrupted) {
    const auto source = read_results(path, &interrupted);
    if (!source.ok()) return source.errors();
    auto log = report::read_campaign(source.value());
    if (!log.ok()) return log.errors();
    auto side = std::make_unique<LogSide>(fmt::format("{}{}", kLogPrefix, path));
    TestFiles files(interrupted);
    if (!tests.empty()) {
      if (auto errors = files.read_all(tests)) return *errors;
    }
    for (report::CrossRow& row : report::combined(log.value().rows)) {
      if (!row.has_counts()) continue;
      if (auto wrong = side->add(std::move(row), files, tests.empty())) return *wrong;
    }
    return SidePtr(std::move(side));
  }
  explicit LogSide(std::string name) : Side(std::move(name)) {}

  bool speaks_of_outcomes() const override { return true; }
  std::optional<std::map<std::string, Test>> tests() const override { return tests_; }
  Result<Answer> answer_for(const Test& test, Context&) override {
    Answer answer;
    answer.outcomes.emplace();
    const report::CrossRow& row = rows_.at(test.program->name);
    answer.runs = row.runs;
    for (const report::CrossOutcome& seen : row.histogram) answer.outcomes->emplace(seen.outcome, seen.runs);
    return answer;
  }

 private:
  std::optional<Diagnostics> add(report::CrossRow row, TestFiles& files, bool by_path) {
    if (by_path) {
      if (auto errors = files.read(row.file)) {
        errors->front().hint =
            fmt::format("the log names this file; give the folder of the test '{}' with --tests", row.test);
        return errors;
      }
    }
    const auto found = files.tests().find(row.test);
    if (found == files.tests().end()) {
      return Diagnostics{path_error(name(), fmt::format("there is no test '{}' of this log in the files", row.test))};
    }
    std::set<std::string> observed;
    for (const auto& observable : found->second.program->observables) observed.insert(observable.name);
    for (const report::CrossOutcome& seen : row.histogram) {
      if (seen.outcome.empty() || observed.empty() || names_in(seen.outcome) == observed) continue;
      return Diagnostics{
          path_error(name(), fmt::format("the test '{}' has changed since this campaign: the log has the outcome {}",
                                         row.test, seen.outcome))};
    }
    tests_.emplace(row.test, found->second);
    rows_.emplace(row.test, std::move(row));
    return std::nullopt;
  }

  std::map<std::string, Test> tests_;
  std::map<std::string, report::CrossRow> rows_;
};

class LabelSide : public Side {
 public:
  static Result<SidePtr> open(const std::string& path, const std::atomic<bool>& interrupted) {
    const auto files = collect_files({path});
    if (!files.ok()) return files.errors();
    const auto suites = Suites::read({path}, files.value(), interrupted);
    if (!suites.ok()) return suites.errors();
    TestFiles tests(interrupted);
    if (auto errors = tests.read_all({path})) return *errors;
    auto side = std::make_unique<LabelSide>(fmt::format("{}{}", kLabelPrefix, path));
    for (const auto& [name, test] : tests.tests()) {
      const auto label = suites.value().label_of(test.file, *test.program);
      if (!label) continue;
      side->tests_.emplace(name, test);
      side->labels_.emplace(name, label->race);
    }
    if (side->tests_.empty()) return path_error(path, "no test has a label (docs/reference/suites.md)");
    return SidePtr(std::move(side));
  }
  explicit LabelSide(std::string name) : Side(std::move(name)) {}

  bool speaks_of_races() const override { return true; }
  std::optional<std::map<std::string, Test>> tests() const override { return tests_; }
  Result<Answer> answer_for(const Test& test, Context&) override {
    Answer answer;
    answer.race = labels_.at(test.program->name);
    return answer;
  }

 private:
  std::map<std::string, Test> tests_;
  std::map<std::string, bool> labels_;
};

class ModelSide : public Side {
 public:
  explicit ModelSide(parser::RulesPtr rules) : Side(verdict::model_name(*rules)), rules_(std::move(rules)) {}

  bool speaks_of_races() const override { return verdict::speaks_of_races(*rules_); }
  bool speaks_of_outcomes() const override { return true; }
  Result<Answer> answer_for(const Test& test, Context& context) override {
    verdict::CheckOptions options;
    options.questions = {.proposition = false, .flags = speaks_of_races(), .incidents = false, .outcomes = true};
    const auto verdict = checker_.check(test.program, rules_, options, context);
    if (!verdict.ok()) return verdict.errors();
    Answer answer;
    if (verdict.value().unknown) answer.unknown = to_string(*verdict.value().unknown);
    if (verdict.value().race != Possibility::Unknown) answer.race = verdict.value().race == Possibility::Possible;
    answer.outcomes.emplace();
    for (const events::Outcome& outcome : verdict.value().answers.outcomes) {
      answer.outcomes->emplace(report::outcome_text(*test.program, outcome), 0);
    }
    return answer;
  }

 private:
  parser::RulesPtr rules_;
  verdict::Checker checker_;
};

/// Runs the test on all its schedules, as `ambit validate` does.
class DetectorSide : public Side {
 public:
  DetectorSide(std::string name, ChosenDetector detector, const std::atomic<bool>& interrupted)
      : Side(std::move(name)), detector_(std::move(detector)), interrupted_(interrupted) {}

  bool speaks_of_races() const override { return true; }
  Result<Answer> answer_for(const Test& test, Context& context) override {
    ValidationOptions options;
    options.runs.memory = sim::MemoryKind::Sc;
    options.runs.schedule = sim::ScheduleKind::Exhaustive;
    if (const auto left = context.milliseconds_left()) options.timeout = std::chrono::seconds(*left / 1000 + 1);
    const report::Validation validation = validate({test.file}, {detector_}, {}, options, interrupted_);
    const auto found = std::ranges::find(validation.tests, test.program->name, &report::ValidationTest::name);
    if (found == validation.tests.end() || !found->error.empty()) {
      return path_error(test.file, found == validation.tests.end() ? "the test was not run" : found->error);
    }
    Answer answer;
    const report::ValidationFinding& finding = found->findings.front();
    if (!finding.failure.empty()) return path_error(name(), finding.failure);
    answer.race = finding.found();
    if (!finding.not_judged.empty()) answer.unknown = finding.not_judged;
    if (!finding.found() && finding.is_open) answer.unknown = "the detector gave up";
    if (!finding.found() && !found->incomplete.empty()) answer.unknown = found->incomplete;
    return answer;
  }

 private:
  ChosenDetector detector_;
  const std::atomic<bool>& interrupted_;
};

Result<SidePtr> side_of(const std::string& text, const DistinctionRequest& request,
                        const std::atomic<bool>& interrupted) {
  if (text.starts_with(kLogPrefix)) return LogSide::open(text.substr(kLogPrefix.size()), request.tests, interrupted);
  if (text.starts_with(kLabelPrefix)) return LabelSide::open(text.substr(kLabelPrefix.size()), interrupted);
  if (text.starts_with(kDetectorPrefix)) {
    const auto chosen = detector_named(text.substr(kDetectorPrefix.size()), request.external);
    if (!chosen.ok()) return chosen.errors();
    return SidePtr(std::make_unique<DetectorSide>(text, chosen.value(), interrupted));
  }
  parser::ModelStore store;
  auto rules = store.load_reference(text);
  if (!rules.ok()) return rules.errors();
  return SidePtr(std::make_unique<ModelSide>(rules.value()));
}

/// Returns the tests that both sides have, ordered by size.
std::vector<Test> common_tests(const Side& first, const Side& second) {
  const auto left = first.tests();
  const auto right = second.tests();
  std::vector<Test> tests;
  for (const auto& [name, test] : left ? *left : *right) {
    if (!left || !right || right->contains(name)) tests.push_back(test);
  }
  std::ranges::stable_sort(tests, {}, &Test::statements);
  return tests;
}

std::string counted(const std::string& outcome, std::uint64_t seen, std::uint64_t runs) {
  const std::string text = fmt::format("the outcome {}", outcome);
  return seen == 0 ? text : fmt::format("{} (in {} of {} runs)", text, seen, runs);
}

/// Returns a behaviour that `first` shows and `second` does not show, as a description and an outcome. Returns nothing
/// if there is no difference.
std::optional<std::pair<std::string, std::string>> shown_by_first(const Answer& first, const Answer& second,
                                                                  Aspect aspect) {
  if (aspect == Aspect::Race && first.race == true && second.race == false) return std::pair{"a race", ""};
  if (aspect != Aspect::Outcome || !first.outcomes || !second.outcomes) return std::nullopt;
  for (const auto& [outcome, seen] : *first.outcomes) {
    if (!second.outcomes->contains(outcome)) return std::pair{counted(outcome, seen, first.runs), outcome};
  }
  return std::nullopt;
}

class TestComparison {
 public:
  TestComparison(SidePtr first, SidePtr second, const DistinctionRequest& request)
      : sides_{std::move(first), std::move(second)}, request_(request) {}

  Result<TestDistinction> run(Context& context) {
    for (const SidePtr& side : sides_) result_.subjects.push_back(side->name());
    for (const Aspect aspect : {Aspect::Race, Aspect::Outcome}) {
      const auto speaks = [&](const SidePtr& side) {
        return aspect == Aspect::Race ? side->speaks_of_races() : side->speaks_of_outcomes();
      };
      if (aspect == request_.about.value_or(aspect) && speaks(sides_[0]) && speaks(sides_[1])) {
        aspects_.push_back(aspect);
      }
    }
    if (aspects_.empty()) return nothing_in_common();
    for (const Test& test : common_tests(*sides_[0], *sides_[1])) {
      result_.is_stopped = context.should_stop(1'000'000).has_value();
      if (result_.is_stopped) break;
      if (auto errors = look_at(test, context)) return *errors;
    }
    std::ranges::stable_sort(result_.differences, {},
                             [&](const TestDifference& one) { return one.first != sides_[0]->name(); });
    return std::move(result_);
  }

 private:
  Diagnostic nothing_in_common() const {
    Diagnostic error =
        path_error("distinguish", fmt::format("{} and {} show nothing{} that can be compared", sides_[0]->name(),
                                              sides_[1]->name(), request_.about ? " of this kind" : ""));
    error.hint = "logs show outcomes, labels and detectors show races, models show both";
    return error;
  }

  std::optional<Diagnostics> look_at(const Test& test, Context& context) {
    std::array<Answer, 2> answers;
    for (std::size_t i = 0; i < 2; ++i) {
      auto answer = sides_[i]->answer_for(test, context);
      if (!answer.ok()) return answer.errors();
      answers[i] = std::move(answer).value();
      if (answers[i].unknown.empty()) continue;
      result_.open.push_back(fmt::format("{}: {}: {}", test.program->name, sides_[i]->name(), answers[i].unknown));
      return std::nullopt;
    }
    ++result_.tests;
    for (std::size_t i = 0; i < 2; ++i) {
      const bool is_requested =
          request_.direction == Direction::Any || (request_.direction == Direction::More) == (i == 0);
      for (const Aspect aspect : aspects_) {
        if (!is_requested) continue;
        auto shown = shown_by_first(answers[i], answers[1 - i], aspect);
        if (!shown) continue;
        result_.differences.push_back({sides_[i]->name(), sides_[1 - i]->name(), aspect, std::move(shown->first),
                                       test.file, test.program->name, test.statements(), std::move(shown->second)});
      }
    }
    return std::nullopt;
  }

  std::array<SidePtr, 2> sides_;
  const DistinctionRequest& request_;
  std::vector<Aspect> aspects_;
  TestDistinction result_;
};

}  // namespace

bool is_about_tests(std::string_view subject) {
  return subject.starts_with(kLogPrefix) || subject.starts_with(kLabelPrefix);
}

Result<TestDistinction> distinguish_on_tests(const DistinctionRequest& request, const std::atomic<bool>& interrupted) {
  if (request.subjects.size() != 2) return path_error("distinguish", "name two subjects");
  std::vector<SidePtr> sides;
  Diagnostics errors;
  for (const std::string& name : request.subjects) {
    auto side = side_of(name, request, interrupted);
    if (side.ok()) {
      sides.push_back(std::move(side).value());
    } else {
      errors.insert(errors.end(), side.errors().begin(), side.errors().end());
    }
  }
  if (!errors.empty()) return errors;
  Context context;
  context.set_cancellation(&interrupted);
  context.set_timeout(time_limit(request.timeout_seconds));
  return TestComparison(std::move(sides[0]), std::move(sides[1]), request).run(context);
}

std::string explanation_of(const TestDifference& difference, const std::atomic<bool>& interrupted) {
  TestFiles files(interrupted);
  if (files.read(difference.file)) return "";
  const auto found = files.tests().find(difference.test);
  if (found == files.tests().end()) return "";
  parser::ModelStore store;
  std::string text;
  for (const std::string& name : {difference.first, difference.second}) {
    if (is_about_tests(name) || name.starts_with(kDetectorPrefix)) continue;
    const auto rules = store.load_reference(name);
    if (!rules.ok()) continue;
    ExplainQuestion question{found->second.program, rules.value(), true};
    if (difference.aspect == Aspect::Outcome) {
      const std::string wanted = outcome_proposition(difference.outcome);
      const auto program = parser::with_outcome(*found->second.program, wanted, "distinguish");
      if (!program.ok()) continue;
      question = condition_question(program.value(), rules.value());
    }
    if (const std::string why = explanation_text(question, interrupted); !why.empty()) text += "\n" + why;
  }
  return text;
}

}  // namespace ambit::api
