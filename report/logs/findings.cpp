#include "report/logs/findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/plural.h"
#include "model/termination/termination.h"
#include "model/verdict/judgement.h"
#include "model/verdict/races.h"
#include "report/results/race_groups.h"
#include "report/results/words.h"
#include "report/text/termination_text.h"

namespace ambit::report {
namespace {

using events::Possibility;
using verdict::Status;
using Level = Finding::Level;

/// A finding, and the models that produce it.
struct OfModels {
  Finding finding;
  std::vector<std::string> models;
  std::string head;  ///< the message before the models: "race on x"
  std::string tail;  ///< the message after the models
  std::string kind;  ///< a text that distinguishes findings with the same rule and place
};

/// Collects the findings of one test.
class TestFindings {
 public:
  explicit TestFindings(const TestResult& test) : test_(test), program_(*test.program) {}

  std::vector<Finding> gather() {
    for (const ModelResult& result : test_.results) {
      if (result.verdict) {
        races(result);
        incidents(result);
      }
      if (result.termination) waits(result);
      if (result.judgement.status == Status::Fail) unmet(result);
      if (result.judgement.status == Status::Unknown) unknown(result);
    }
    std::vector<Finding> findings;
    for (OfModels& one : found_) {
      one.finding.message = fmt::format("{} under {}{}", one.head, fmt::join(one.models, ", "), one.tail);
      findings.push_back(std::move(one.finding));
    }
    return findings;
  }

 private:
  /// Adds a finding of a model. If another model already has the same finding, only adds the model to this finding.
  void add(const std::string& model, OfModels one) {
    const Finding& finding = one.finding;
    const auto is_same = [&](const OfModels& other) {
      return other.finding.rule == finding.rule && other.finding.subject == finding.subject && other.head == one.head &&
             other.kind == one.kind &&
             std::ranges::equal(other.finding.places, finding.places, {}, &FindingPlace::span, &FindingPlace::span);
    };
    const auto known = std::ranges::find_if(found_, is_same);
    if (known == found_.end()) {
      one.models = {model};
      found_.push_back(std::move(one));
      return;
    }
    if (std::ranges::find(known->models, model) == known->models.end()) known->models.push_back(model);
    known->finding.level = std::max(known->finding.level, finding.level);
    if (known->finding.details.empty()) known->finding.details = finding.details;
  }

  FindingPlace place(SourceSpan span, std::string message = {}) const {
    if (program_.source && span.line > 0) {  // cuts the span of a condition at the end of its first line
      const auto line = static_cast<std::uint32_t>(program_.source->line(span.line).size());
      span.length = std::min(span.length, line + 1 - std::min(span.column, line + 1));
    }
    return {test_.file, span, std::string(source_text(program_, span)), std::move(message)};
  }

  /// Returns whether some expectation of the test for the model satisfies `holds`.
  template <typename Holds>
  bool is_expected(const rules::Rules& rules, Holds holds) const {
    return std::ranges::any_of(program_.expectations, [&](const Expectation& expectation) {
      return verdict::concerns(expectation, rules) && holds(expectation);
    });
  }

  void races(const ModelResult& result) {
    const verdict::Verdict& verdict = *result.verdict;
    const events::EventGraph& graph = *verdict.graph;
    const rules::Rules& rules = *verdict.rules;
    if (is_expected(rules, [](const Expectation& one) { return one.race.value_or(false); })) return;
    const bool is_failure = is_expected(rules, [](const Expectation& one) { return one.race && !*one.race; });
    const auto side = [&](const events::FlaggedPair& pair, events::EventId event) {
      return place(graph.events[event].span,
                   fmt::format("{}: {}", graph.thread_name(event), access_text(graph, *pair.witness, event)));
    };
    std::vector<verdict::Race> flags = verdict::races(verdict);
    const std::vector<verdict::Race> others = verdict::other_flags(verdict);
    flags.insert(flags.end(), others.begin(), others.end());
    for (const RaceGroup& group : race_groups(verdict, flags)) {
      const verdict::Race& race = group.races.front();
      const bool is_race = race.flag.ends_with("race");
      OfModels one;
      one.finding.rule = race.flag;
      one.finding.level = is_race && is_failure ? Level::Error : Level::Warning;
      one.finding.subject = fmt::format("{}|{}", test_.name(), group.cells);
      one.finding.places.push_back(side(*race.pair, race.pair->first));
      if (race.pair->second != race.pair->first) one.finding.places.push_back(side(*race.pair, race.pair->second));
      if (is_race && is_explained(result, graph, group)) one.finding.details = result.explanation;
      one.head = (is_race ? "race" : race.flag) + (group.cells.empty() ? "" : " on " + group.cells);
      one.tail = fmt::format(": {}", fmt::join(sides(one.finding.places), " and "));
      if (const std::string pairs = thread_pairs_text(group); !pairs.empty()) {
        one.tail += fmt::format(", one of {}", pairs);
      }
      add(result.model, std::move(one));
    }
  }

  /// Returns whether the explanation concerns a race of the group.
  static bool is_explained(const ModelResult& result, const events::EventGraph& graph, const RaceGroup& group) {
    return std::ranges::any_of(group.races, [&](const verdict::Race& race) {
      const std::array spans = {graph.events[race.pair->first].span, graph.events[race.pair->second].span};
      return std::ranges::is_permutation(spans, result.explained);
    });
  }

  /// Describes each of the two accesses of a race: "P0: W x (line 7)".
  static std::vector<std::string> sides(const std::vector<FindingPlace>& places) {
    std::vector<std::string> texts;
    for (const FindingPlace& one : places) texts.push_back(fmt::format("{} (line {})", one.message, one.span.line));
    return texts;
  }

  void incidents(const ModelResult& result) {
    using Kind = events::Incident::Kind;
    const verdict::Verdict& verdict = *result.verdict;
    const auto expects_divergence = [](const Expectation& one) { return one.barrier_divergence.value_or(false); };
    const auto excludes_divergence = [](const Expectation& one) { return !one.barrier_divergence.value_or(true); };
    for (std::size_t i = 0; i < verdict.graph->incidents.size() && i < verdict.answers.incidents.size(); ++i) {
      if (verdict.answers.incidents[i].possibility != Possibility::Possible) continue;
      const events::Incident& incident = verdict.graph->incidents[i];
      const bool is_divergence = incident.kind == Kind::BarrierDivergence;
      if (is_divergence && is_expected(*verdict.rules, expects_divergence)) continue;
      OfModels one;
      one.head = std::string(to_string(incident.kind));
      one.finding.rule = one.head;
      std::ranges::replace(one.finding.rule, ' ', '-');
      const bool is_failure = is_divergence && is_expected(*verdict.rules, excludes_divergence);
      one.finding.level = is_failure ? Level::Error : Level::Warning;
      one.finding.subject = test_.name();
      one.finding.places.push_back(place(incident.span));
      one.tail = ": " + incident.message;
      one.kind = incident.message;
      add(result.model, std::move(one));
    }
  }

  static bool may_not_end(const termination::TerminationVerdict& verdict) {
    return verdict.termination == termination::Termination::DoesNotTerminate ||
           verdict.termination == termination::Termination::Livelock;
  }

  void waits(const ModelResult& result) {
    const termination::TerminationVerdict& verdict = *result.termination;
    if (!may_not_end(verdict) || result.judgement.status == Status::Ok) return;
    if (verdict.waits.empty() && !verdict.livelock) return;
    OfModels one;
    one.finding.rule = "may-not-terminate";
    one.finding.level = result.judgement.status == Status::Fail ? Level::Error : Level::Warning;
    one.finding.subject = test_.name();
    for (const termination::Wait& wait : verdict.waits) {
      one.finding.places.push_back(place(wait.span, program_.threads[wait.thread].name + " waits here"));
    }
    if (verdict.livelock) {
      const EndlessRun::Step& step = verdict.livelock->cycle.front();
      const Thread& thread = program_.threads[step.thread];
      one.finding.places.push_back(place(thread.code[step.instruction].span, thread.name + " repeats this step"));
    }
    one.head = "the test may not end";
    one.tail = ": " + termination_summary(verdict);
    one.kind = one.tail;
    add(result.model, std::move(one));
  }

  /// Adds a finding for each failed expectation that no other finding covers.
  void unmet(const ModelResult& result) {
    std::vector<std::string> reasons = result.judgement.reasons;
    if (result.verdict && result.verdict->race == Possibility::Possible) std::erase(reasons, verdict::kExpectedNoRace);
    if (reasons.empty() || (result.termination && may_not_end(*result.termination))) return;
    OfModels one;
    one.finding.rule = "failed-expectation";
    one.finding.level = Level::Error;
    one.finding.subject = test_.name();
    one.finding.places.push_back(question_place(result));
    one.head = "a failed expectation";
    one.tail = fmt::format(": {}", fmt::join(reasons, "; "));
    one.kind = one.tail;
    add(result.model, std::move(one));
  }

  void unknown(const ModelResult& result) {
    std::vector<std::string> reasons = result.judgement.reasons;
    if (result.verdict && result.verdict->unknown) {
      reasons.push_back(unknown_text(*result.verdict->unknown, result.verdict->unknown_detail));
    }
    if (result.termination && result.termination->unknown) {
      reasons.push_back(unknown_text(*result.termination->unknown, result.termination->unknown_detail));
    }
    OfModels one;
    one.finding.rule = "unknown";
    one.finding.subject = test_.name();
    one.finding.places.push_back(question_place(result));
    one.head = "the answer is not known";
    one.tail = fmt::format(": {}", fmt::join(reasons, "; "));
    one.kind = one.tail;
    add(result.model, std::move(one));
  }

  /// Returns the place of the first expectation for the model. If the file has no expectation for the model, returns
  /// the place of the condition.
  FindingPlace question_place(const ModelResult& result) const {
    if (result.verdict) {
      for (const Expectation& one : program_.expectations) {
        if (one.span.line > 0 && verdict::concerns(one, *result.verdict->rules)) return place(one.span);
      }
    }
    if (result.termination) {
      for (const TerminationExpectation& one : program_.terminations) {
        if (one.span.line > 0 && termination::concerns(one, *result.termination->rules)) return place(one.span);
      }
    }
    return place(program_.condition.span);
  }

  const TestResult& test_;
  const Program& program_;
  std::vector<OfModels> found_;
};

/// Returns the place that a site of a trace names. A site has the form "file:line" or "file:line:column".
FindingPlace place_of_site(std::string_view site, const std::string& file, const SourceLine& source_line) {
  FindingPlace place{file, {}, source_line(site), {}};
  std::vector<std::uint32_t> numbers;
  while (numbers.size() < 2) {
    const std::size_t colon = site.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == site.size() || site.size() - colon > 9) break;
    const std::string_view digits = site.substr(colon + 1);
    if (!std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; })) break;
    numbers.insert(numbers.begin(), static_cast<std::uint32_t>(std::stoul(std::string(digits))));
    site = site.substr(0, colon);
  }
  if (numbers.empty() || site.empty()) return place;
  place.file = std::string(site);
  place.span.line = numbers[0];
  if (numbers.size() > 1) place.span.column = numbers[1];
  return place;
}

FindingPlace place_of(const RaceAccess& access, const DetectionResult& result, const SourceLine& source_line) {
  const std::string_view site =
      access.site == kNoName ? std::string_view() : std::string_view(result.tables.sites()[access.site]);
  FindingPlace place = place_of_site(site, result.file, source_line);
  const std::string thread = access.thread == kNoName ? "a thread" : result.tables.threads()[access.thread].name;
  place.message =
      fmt::format("{}: {}{}", thread, access.is_atomic ? "atomic " : "", access.is_write ? "write" : "read");
  return place;
}

/// The reports, by any detector, of a race between the same two places of the source.
struct DetectedPair {
  std::vector<RaceReport> races;
  std::vector<std::string> detectors;  ///< for each race, the detector that reported it
};

/// Removes duplicates from a list of names.
std::vector<std::string> distinct(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  }
  return all;
}

/// Describes what all detectors report about a pair: ": missing fence, device level, found by a, b". If the kinds
/// differ, names the detectors for each kind: ", device level: missing fence (a), not atomic (b)".
std::string kinds_text(const DetectedPair& pair) {
  std::vector<std::pair<RaceKind, std::vector<std::string>>> kinds;
  std::vector<std::string> levels;
  for (std::size_t i = 0; i < pair.races.size(); ++i) {
    const RaceReport& race = pair.races[i];
    auto known = std::ranges::find(kinds, race.kind, &std::pair<RaceKind, std::vector<std::string>>::first);
    if (known == kinds.end()) known = kinds.insert(known, {race.kind, {}});
    known->second.push_back(pair.detectors[i]);
    levels.emplace_back(to_string(race.level));
  }
  const std::string level = fmt::format("{} level", fmt::join(distinct(levels), " or "));
  if (kinds.size() == 1) {
    return fmt::format(": {}, {}, found by {}", to_string(kinds.front().first), level,
                       fmt::join(distinct(pair.detectors), ", "));
  }
  std::vector<std::string> texts;
  for (const auto& [kind, detectors] : kinds) {
    texts.push_back(fmt::format("{} ({})", to_string(kind), fmt::join(distinct(detectors), ", ")));
  }
  return fmt::format(", {}: {}", level, fmt::join(texts, ", "));
}

/// If all detectors describe the pair with the same sentence, returns this sentence; otherwise, an empty text.
std::string shared_sentence(const DetectedPair& pair) {
  const std::string& sentence = pair.races.front().sentence;
  for (const std::string& detector : pair.detectors) {
    bool has_said_it = false;
    for (std::size_t i = 0; i < pair.races.size(); ++i) {
      has_said_it = has_said_it || (pair.detectors[i] == detector && pair.races[i].sentence == sentence);
    }
    if (!has_said_it) return {};
  }
  return sentence;
}

Finding finding_of(const DetectedPair& pair, const DetectionResult& result, const SourceLine& source_line) {
  const RaceReport& race = pair.races.front();
  const std::string cells = cells_of(pair.races, result.tables);
  Finding finding;
  finding.rule = "data-race";
  finding.level = Finding::Level::Error;
  finding.places = {place_of(race.first, result, source_line), place_of(race.second, result, source_line)};
  finding.subject = fmt::format("{}|{}", result.source, cells);
  finding.message = fmt::format("race on {}{}", cells, kinds_text(pair));
  if (const std::string sentence = shared_sentence(pair); !sentence.empty()) finding.message += ": " + sentence;
  const std::size_t thread_pairs = count_thread_pairs(pair.races);
  if (thread_pairs > 1) {
    finding.message += fmt::format(", and {} more", plural(thread_pairs - 1, "pair of threads", "pairs of threads"));
  }
  return finding;
}

}  // namespace

std::vector<Finding> findings_of(const TestResult& test) {
  return test.program ? TestFindings(test).gather() : std::vector<Finding>();
}

/// Returns the findings about one of the test's results.
static std::vector<Finding> findings_about(const TestResult& test, const ModelResult& result) {
  TestResult one;
  one.file = test.file;
  one.program = test.program;
  one.results.push_back(result);
  return findings_of(one);
}

bool has_fault(const TestResult& test, const ModelResult& result) {
  constexpr std::array<std::string_view, 3> kRules = {"barrier-divergence", "assertion-failed", "out-of-bounds"};
  return std::ranges::any_of(findings_about(test, result),
                             [&](const Finding& one) { return std::ranges::count(kRules, one.rule) > 0; });
}

std::string first_place(const TestResult& test, const ModelResult& result) {
  if (!test.program) return test.file;
  const std::vector<Finding> findings = findings_about(test, result);
  const std::uint32_t line = findings.empty() ? 0 : findings.front().places.front().span.line;
  return line == 0 ? test.file : fmt::format("{}:{}", test.file, line);
}

std::vector<Finding> findings_of(const DetectionResult& result, const SourceLine& source_line) {
  std::vector<DetectedPair> pairs;
  std::vector<std::string> undecided;
  for (const DetectorFindings& findings : result.detectors) {
    if (findings.races.empty() && findings.is_open) undecided.push_back(findings.detector + " gave up");
    for (const RaceReport& race : findings.races) {
      auto known = std::ranges::find_if(pairs, [&](const DetectedPair& one) {
        return is_same_race(one.races.front(), race) || is_same_pair(one.races.front(), race, result.tables);
      });
      if (known == pairs.end()) known = pairs.insert(known, DetectedPair{});
      known->races.push_back(race);
      known->detectors.push_back(findings.detector);
    }
  }
  std::vector<Finding> all;
  for (const DetectedPair& pair : pairs) all.push_back(finding_of(pair, result, source_line));
  if (!result.incomplete.empty()) undecided.push_back(result.incomplete);
  if (!pairs.empty() || undecided.empty()) return all;
  Finding finding;
  finding.rule = "unknown";
  finding.places = {{result.file, {}, {}, {}}};
  finding.subject = result.source;
  finding.message = fmt::format("it is not known whether {} has a race: {}", result.source, fmt::join(undecided, "; "));
  all.push_back(std::move(finding));
  return all;
}

}  // namespace ambit::report
