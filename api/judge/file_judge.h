#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/check/checking_options.h"
#include "base/context.h"
#include "parser/cat/model_store.h"
#include "report/results/judged.h"
#include "report/results/test_result.h"

namespace ambit::api {

/// The steps that follow the first check by the models.
struct JudgingSteps {
  bool tries_smaller_launches = true;
  bool runs_launch = true;
  bool finds_patches = true;
};

/// Judges files one after the other within time limits.
class FileJudge {
 public:
  using Clock = Context::Clock;

  /// The referenced objects must outlive this object. `options`: how to read and check tests; its time limit is not
  /// used. `models`: if empty, each test has its default models. `stop` ends all questions.
  FileJudge(const CheckingOptions& options, std::vector<parser::RulesPtr> models, parser::ModelStore& store,
            const std::atomic<bool>& stop, JudgingSteps steps = {})
      : options_(options), models_(std::move(models)), store_(store), stop_(stop), steps_(steps) {}

  /// Judges the tests of a file until `end`. Returns at least one judgement.
  std::vector<report::Judged> judge(const std::string& file, Clock::time_point end);

 private:
  using ProgramPtr = std::shared_ptr<const Program>;
  /// The judgement of one test under one model, with the objects that further questions need.
  struct Question {
    ProgramPtr program;
    parser::RulesPtr rules;
    report::Judged judged;
  };

  void read(Clock::time_point end);
  void add_questions(const ProgramPtr& program);
  void check_all(Clock::time_point end);
  report::ModelResult check(const ProgramPtr& program, const parser::RulesPtr& rules, Clock::time_point end);
  void try_smaller_launches(Clock::time_point end);
  void try_smaller_launches(Question& question, Clock::time_point end);
  Result<ProgramPtr> read_with_launch(const std::string& launch, bool is_compiled);
  Result<SourceFilePtr> compile(bool is_optimised, Clock::time_point end);
  void run_launch(Clock::time_point end);
  void check_again(Clock::time_point end);
  void find_patches(Clock::time_point end);
  void find_patch(Question& question, Clock::time_point end);
  void add_replay_commands();
  std::size_t count_unknown() const;
  CheckingOptions checking(Clock::time_point end) const;

  const CheckingOptions& options_;
  std::vector<parser::RulesPtr> models_;
  parser::ModelStore& store_;
  const std::atomic<bool>& stop_;
  JudgingSteps steps_;
  // ---- the current file ----
  std::string file_;
  SourceFilePtr source_;  ///< null if the file cannot be read
  std::string launch_;    ///< the launch in the form of --launch; may be empty
  SourceFilePtr unoptimised_;
  std::vector<Question> questions_;
};

}  // namespace ambit::api
