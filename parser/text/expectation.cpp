#include "parser/text/expectation.h"

#include <fmt/format.h>

#include <utility>

#include "parser/text/keywords.h"

namespace ambit::parser {
namespace {

const std::vector<std::string_view>& expectation_words() {
  static const std::vector<std::string_view> kWords = {"Never",     "Sometimes",  "Always",     "race",
                                                       "norace",    "executions", "divergence", "nodivergence",
                                                       "undefined", "defined",    "Unknown"};
  return kWords;
}

/// Translates an answer of herd7 to Ambit's word: "Allowed" to "Sometimes". Returns an empty text for other words.
std::string_view word_for_herd_answer(std::string_view word) {
  if (word == "Allowed" || word == "Allow" || word == "allowed" || word == "Ok") return "Sometimes";
  if (word == "Forbidden" || word == "Forbid" || word == "forbidden" || word == "No") return "Never";
  if (word == "Required" || word == "Require" || word == "required") return "Always";
  return {};
}

/// Sets a field that an `expect` line may set only once. Returns false if the field already has another value.
template <typename T>
bool set_once(std::optional<T>& slot, T value) {
  if (slot && *slot != value) return false;
  slot = value;
  return true;
}

class ExpectationReader {
 public:
  ExpectationReader(ConditionReader& conditions, Reporter& reporter, bool has_condition)
      : conditions_(conditions), reporter_(reporter), has_condition_(has_condition) {}

  Expectation read(const ExpectationNode& node) {
    Expectation result;
    result.model = node.model.text;
    result.because = node.because;
    result.span = node.span;
    for (const auto& [name, value] : node.options) {
      if (!result.options.emplace(name.text, value.text).second) {
        reporter_.error(name.span, fmt::format("the option '{}' is given twice", name.text));
      }
    }
    for (const ExpectItemNode& item : node.items) read_item(item, result);
    return result;
  }

 private:
  void read_item(const ExpectItemNode& item, Expectation& result) {
    const std::string_view word = item.word.text;
    bool consistent = true;
    bool takes_number = false;
    bool takes_location = false;
    if (word == "Never" || word == "Sometimes" || word == "Always") {
      const Frequency frequency = word == "Never"    ? Frequency::Never
                                  : word == "Always" ? Frequency::Always
                                                     : Frequency::Sometimes;
      consistent = set_once(result.frequency, frequency);
      if (!has_condition_) {
        reporter_.error(item.word.span, fmt::format("'{}' needs a condition, and the test has no condition", word),
                        "add exists (...), ~exists (...) or forall (...)");
      }
    } else if (word == "race" || word == "norace") {
      consistent = set_once(result.race, word == "race");
      takes_location = word == "race";
      if (word == "race" && item.location) result.race_location = conditions_.location(*item.location);
    } else if (word == "executions") {
      takes_number = true;
      if (item.number) consistent = set_once(result.executions, *item.number);
      if (!item.number) reporter_.error(item.word.span, "'executions' needs a number", "write executions 4");
    } else if (word == "divergence" || word == "nodivergence") {
      consistent = set_once(result.barrier_divergence, word == "divergence");
    } else if (word == "undefined" || word == "defined") {
      consistent = set_once(result.undefined, word == "undefined");
    } else if (word == "Unknown") {
      result.unknown = true;
    } else if (word == "terminates" || word == "stuck") {
      reporter_.error(item.word.span, fmt::format("'{}' needs a scheduler", word),
                      fmt::format("write expect {} under fair : {}", result.model, word));
      return;
    } else {
      const std::string_view instead = word_for_herd_answer(word);
      reporter_.error(item.word.span, fmt::format("unknown expectation '{}'", word),
                      !instead.empty()
                          ? fmt::format("write {}", instead)
                          : did_you_mean(word, expectation_words(),
                                         "expect Never, Sometimes, Always, race, race on x, norace, executions N, "
                                         "divergence, nodivergence, undefined, defined or Unknown"));
      return;
    }
    if (!consistent)
      reporter_.error(item.word.span,
                      fmt::format("'{}' repeats or contradicts an earlier expectation in this line", word));
    if (item.number && !takes_number) reporter_.error(item.word.span, fmt::format("'{}' takes no number", word));
    if (item.location && !takes_location) reporter_.error(item.word.span, fmt::format("'{}' takes no location", word));
  }

  ConditionReader& conditions_;
  Reporter& reporter_;
  bool has_condition_;
};

/// Reads `expect MODEL under SCHEDULER, ... : terminates|stuck|Unknown` and makes one expectation for each scheduler.
class TerminationReader {
 public:
  explicit TerminationReader(Reporter& reporter) : reporter_(reporter) {}

  void read(const ExpectationNode& node, std::vector<TerminationExpectation>& expectations) {
    TerminationExpectation result;
    result.model = node.model.text;
    for (const auto& [name, value] : node.options) result.options.emplace(name.text, value.text);
    result.terminates = read_answer(node);
    result.because = node.because;
    result.span = node.span;
    for (const Word& word : node.schedulers) {
      if (const std::optional<Scheduler> scheduler = read_scheduler(word)) {
        result.scheduler = *scheduler;
        expectations.push_back(result);
      }
    }
  }

 private:
  std::optional<Scheduler> read_scheduler(const Word& word) {
    const std::optional<Scheduler> scheduler = scheduler_from_string(word.text);
    if (!scheduler) {
      reporter_.error(word.span, fmt::format("unknown scheduler '{}'", word.text),
                      did_you_mean(word.text, {"fair", "hsa", "obe", "lobe", "lockstep"},
                                   "the schedulers are fair, hsa, obe, lobe and lockstep"));
    }
    return scheduler;
  }

  std::optional<bool> read_answer(const ExpectationNode& node) {
    const ExpectItemNode& item = node.items.front();
    if (node.items.size() > 1) {
      reporter_.error(node.items[1].word.span, "expected only one of terminates, stuck and Unknown under a scheduler");
    }
    if (item.number || item.location) {
      reporter_.error(item.word.span, fmt::format("'{}' takes no location and no number", item.word.text));
    }
    if (item.word.text == "terminates") return true;
    if (item.word.text == "stuck") return false;
    if (item.word.text != "Unknown") {
      reporter_.error(
          item.word.span, fmt::format("unknown expectation '{}' under a scheduler", item.word.text),
          did_you_mean(item.word.text, {"terminates", "stuck", "Unknown"}, "expect terminates, stuck or Unknown"));
    }
    return std::nullopt;
  }

  Reporter& reporter_;
};

template <typename T>
bool differ(const std::optional<T>& a, const std::optional<T>& b) {
  return a && b && *a != *b;
}

bool contradict(const Expectation& a, const Expectation& b) {
  return differ(a.frequency, b.frequency) || differ(a.race, b.race) || differ(a.executions, b.executions) ||
         differ(a.barrier_divergence, b.barrier_divergence) || differ(a.undefined, b.undefined);
}

/// Describes the place of an expectation: "in line 14", or "on the command line" if it has no line.
std::string place_of(SourceSpan span) {
  return span.line == 0 ? "on the command line" : fmt::format("in line {}", span.line);
}

void check_contradictions(const std::vector<Expectation>& expectations, Reporter& reporter) {
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Expectation& now = expectations[i];
      const Expectation& before = expectations[j];
      if (now.model != before.model || now.options != before.options || !contradict(now, before)) continue;
      reporter.error(now.span,
                     fmt::format("this contradicts the expectation of '{}' {}", now.model, place_of(before.span)));
      break;
    }
  }
}

void check_contradictions(const std::vector<TerminationExpectation>& expectations, Reporter& reporter) {
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const TerminationExpectation& now = expectations[i];
      const TerminationExpectation& before = expectations[j];
      const bool same_subject =
          now.model == before.model && now.options == before.options && now.scheduler == before.scheduler;
      if (!same_subject || now.terminates == before.terminates) continue;
      reporter.error(now.span, fmt::format("this contradicts the expectation of '{}' under {} {}", now.model,
                                           to_string(now.scheduler), place_of(before.span)));
      break;
    }
  }
}

void read_label(const LabelNode& node, Program& program, Reporter& reporter) {
  SuiteLabel label;
  label.suite = node.suite.text;
  label.race = node.verdict.text == "race";
  label.because = node.because;
  label.span = node.span;
  if (!label.race && node.verdict.text != "norace") {
    const std::string near = did_you_mean(node.verdict.text, {"race", "norace"});
    reporter.error(node.verdict.span, fmt::format("expected race or norace, found '{}'", node.verdict.text), near);
  }
  if (node.predictable) {
    label.predictable = true;
    if (node.predictable->text != "predictable") {
      reporter.error(node.predictable->span,
                     fmt::format("expected 'predictable' or nothing, found '{}'", node.predictable->text));
    }
  }
  program.labels.push_back(std::move(label));
}

void read_detection(const DetectionNode& node, Program& program, Reporter& reporter) {
  DetectExpectation detection;
  detection.detector = node.detector.text;
  detection.span = node.span;
  if (node.verdict.text == "race") {
    detection.verdict = DetectExpectation::Verdict::Race;
  } else if (node.verdict.text == "norace") {
    detection.verdict = DetectExpectation::Verdict::NoRace;
  } else if (node.verdict.text != "either") {
    reporter.error(node.verdict.span, fmt::format("expected race, norace or either, found '{}'", node.verdict.text),
                   did_you_mean(node.verdict.text, {"race", "norace", "either"}));
  }
  program.detections.push_back(std::move(detection));
}

}  // namespace

void read_expectations(const FileNode& file, Program& program, ConditionReader& conditions, Reporter& reporter) {
  const bool has_condition = !file.conditions.empty() || program.condition.proposition.has_value();
  ExpectationReader reader(conditions, reporter, has_condition);
  TerminationReader terminations(reporter);
  for (const ExpectationNode& node : file.expectations) {
    if (!node.schedulers.empty()) {
      terminations.read(node, program.terminations);
    } else {
      program.expectations.push_back(reader.read(node));
    }
  }
  check_contradictions(program.expectations, reporter);
  check_contradictions(program.terminations, reporter);
  for (const LabelNode& node : file.labels) read_label(node, program, reporter);
  for (const DetectionNode& node : file.detections) read_detection(node, program, reporter);
}

}  // namespace ambit::parser
