#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/edit/position.h"
#include "core/program.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"

namespace ambit::api {

/// An error in a document.
struct Finding {
  Range range;
  std::string message;     ///< the message; a hint, if any, follows on a second line
  bool is_remark = false;  ///< true for a remark about a valid test
};

/// A line with an expectation. An editor shows the model's answer above this line.
struct Lens {
  Range range;
  std::size_t program = 0;
  std::size_t expectation = 0;  ///< index in the test's list of expectations (or of termination expectations)
  bool is_termination = false;
};

/// A text edit after which a test meets its expectation.
struct QuickFix {
  std::string title;  ///< "no race under ptx: widen ... (cost 3)"
  Range range;        ///< range of whole lines
  std::string text;   ///< text that replaces the range
};

/// A thread, for an editor's outline.
struct Symbol {
  std::string name;
  std::string detail;  ///< "block 0, warp 1, lane 0"
  Range range;
};

struct Completion {
  std::string label;
  std::string insert;
  std::string detail;
};

/// One version of a text open in an editor: a test, or, if the path ends in .cat, a model. The constructor reads the
/// text. Immutable.
class Document {
 public:
  /// `models` loads the models that the text names, and must outlive the document.
  Document(std::string path, std::string text, parser::ModelStore& models);

  const std::vector<Finding>& findings() const { return findings_; }
  /// Returns the names of the tests in order; empty if the text cannot be read.
  std::vector<std::string> tests() const;
  /// Describes the element at a position, as Markdown; nothing if there is no element to describe.
  std::optional<std::string> hover(Position position) const;
  /// Returns one lens for each expectation, in line order.
  std::vector<Lens> lenses() const;
  /// Returns a line with the model's answer about one expectation: "OK ptx: Never, norace", "FAIL ptx: Sometimes
  /// (expected Never)", "FAIL ptx under fair: terminates (expected stuck)", "UNKNOWN ...". `limit`: time
  /// limit.
  std::string answer(const Lens& lens, std::chrono::milliseconds limit) const;
  /// Returns quick fixes for each expectation that the range touches: the cheapest changes (api::fix_program) that
  /// reach a goal under the expectation's model. For an expectation about termination, the goal is that every wait in
  /// the test ends. For any other expectation, the goal is that the test has no race or, if the test has no race
  /// already, that the condition cannot hold. Returns nothing if the test already meets the goal, or if the search
  /// finds no changes. `limit` is the time for each question of the search.
  std::vector<QuickFix> fixes(const Range& range, std::chrono::milliseconds limit) const;
  std::vector<Symbol> symbols() const;
  std::vector<Completion> completions(Position position) const;

 private:
  std::string answer(const std::shared_ptr<const Program>& program, const Expectation& expectation,
                     Context& context) const;
  std::string answer(const std::shared_ptr<const Program>& program, const TerminationExpectation& expectation,
                     Context& context) const;
  Result<parser::RulesPtr> rules_of(const Program& program, const Lens& lens) const;
  void read_test();
  void read_model();
  /// Adds errors to `findings_`. `where`: the place to mark for an error in another file.
  void note(const Diagnostics& errors, const SourceSpan& where = {});
  void check_model(const std::string& model, const std::map<std::string, std::string>& options,
                   const SourceSpan& where);

  parser::ModelStore& models_;
  SourceFilePtr source_;
  std::vector<std::shared_ptr<const Program>> programs_;
  std::vector<Finding> findings_;
};

}  // namespace ambit::api
