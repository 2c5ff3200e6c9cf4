#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/options.h"
#include "core/program.h"
#include "model/verdict/verdict.h"
#include "report/draw/picture.h"
#include "report/text/explain_text.h"

namespace ambit::cli {

/// What `explain` and `graph` are asked about: one test, one model, one outcome or the race.
struct Question {
  CheckingOptions checking;
  std::string file;
  std::string test;     ///< --test: one of a file that holds several; empty: the only one
  std::string outcome;  ///< --outcome
  bool has_outcome = false;
  bool race = false;  ///< --race
};

/// A question with its files read.
struct AskedQuestion {
  std::shared_ptr<const Program> program;  ///< its proposition is the outcome asked about, if it is about one
  std::shared_ptr<const rules::Rules> rules;
  bool about_race = false;
  std::string text;  ///< the outcome as the user or the test wrote it
};

/// Declares FILE, --outcome, --race and the common options; `question` must outlive the command.
void add_question_options(CLI::App& command, Question& question);

/// Reads test and model. Without --outcome and --race the question is the test's own: its outcome (for `forall`: can it
/// fail), or the race where a suite labels the test or it has no condition. The model without --model: of those that
/// the test's expectations name the first that speaks of races, or the first. Errors: of the files; an outcome that
/// means nothing; a file with several tests.
Result<AskedQuestion> read_question(const Question& question);

/// The question that a test itself asks of a model (see read_question), or the one about races.
AskedQuestion own_question(const std::shared_ptr<const Program>& program,
                           const std::shared_ptr<const rules::Rules>& rules, bool about_race = false);
/// Of several models the one to explain: of those that say of races what a suite's label says the one that reads tests
/// most as suites do, else the first that speaks of races, or the first; null: there are none. `races`, by model: its
/// answer, as far as there is one; `label` absent: there is none.
std::shared_ptr<const rules::Rules> model_to_explain(const std::vector<std::shared_ptr<const rules::Rules>>& models,
                                                     const std::vector<std::optional<bool>>& races,
                                                     std::optional<bool> label);

/// An answer in words and as a picture.
struct Explained {
  std::optional<report::Picture> picture;  ///< absent where there is no execution to draw
  std::string text;
};
/// Errors: those of the check.
Result<Explained> explain_question(const AskedQuestion& asked, verdict::Checker& checker,
                                   const verdict::CheckOptions& options, const report::ExplainOptions& explain_options,
                                   const report::PictureOptions& picture_options, Context& context);

verdict::CheckOptions check_options(const Question& question);
void set_limits(const Question& question, Context& context);

}  // namespace ambit::cli
