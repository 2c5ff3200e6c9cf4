#include "report/logs/log_compare.h"
#include "base/plural.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace ambit::report {
namespace {

using Kind = TestComparison::Kind;
using States = std::map<LogState, std::uint64_t>;
using Names = std::set<std::string>;

Names names_of(const States& states) {
  Names names;
  for (const auto& [state, count] : states) {
    for (const auto& [name, value] : bindings_of(state)) names.insert(name);
  }
  return names;
}

/// Removes from the states all registers and cells except `names`, and merges states that become equal.
States restricted(const States& states, const Names& names) {
  States result;
  for (const auto& [state, count] : states) {
    std::map<std::string, std::string> kept = bindings_of(state);
    std::erase_if(kept, [&](const auto& binding) { return !names.contains(binding.first); });
    result[state_of(kept)] += count;
  }
  return result;
}

TestComparison::States missing(const States& from, const States& in) {
  TestComparison::States result;
  for (const auto& [state, count] : from) {
    if (!in.contains(state)) result.emplace_back(state, count);
  }
  return result;
}

/// Returns the result of a comparison. A log is cut if a loop ran further than the model unrolled it, so that the log
/// may lack states.
Kind kind_of(const TestComparison& test, bool is_first_cut, bool is_second_cut) {
  if (test.only_first.empty() && test.only_second.empty()) {
    return is_first_cut || is_second_cut ? Kind::Undecided : Kind::Same;
  }
  if (test.is_first_histogram == test.is_second_histogram) {
    const bool are_different =
        (!test.only_first.empty() && !is_second_cut) || (!test.only_second.empty() && !is_first_cut);
    return are_different ? Kind::Different : Kind::Undecided;
  }
  const auto& seen = test.is_first_histogram ? test.only_first : test.only_second;
  if (seen.empty()) return Kind::Unseen;
  const bool is_model_cut = test.is_first_histogram ? is_second_cut : is_first_cut;
  return is_model_cut ? Kind::Undecided : Kind::NotAllowed;
}

/// Removes from the states every register and cell that only one of the two tests has. Adds a warning about the removed
/// names. Returns false if the tests have no names in common.
bool restrict_to_common(const LoggedTest& first, const LoggedTest& second, States& a, States& b,
                        TestComparison& result) {
  const Names in_first = names_of(a);
  const Names in_second = names_of(b);
  // A log without states does not show which names it observes.
  if (in_first == in_second || first.states.empty() || second.states.empty()) return true;
  Names common;
  Names other;
  std::set_intersection(in_first.begin(), in_first.end(), in_second.begin(), in_second.end(),
                        std::inserter(common, common.end()));
  std::set_symmetric_difference(in_first.begin(), in_first.end(), in_second.begin(), in_second.end(),
                                std::inserter(other, other.end()));
  if (common.empty()) {
    result.warnings.emplace_back("the logs show no register or cell in common");
    return false;
  }
  result.warnings.push_back(fmt::format("only one log shows {}: not compared", fmt::join(other, ", ")));
  a = restricted(a, common);
  b = restricted(b, common);
  return true;
}

bool have_hashes(const LoggedTest& first, const LoggedTest& second) {
  return !first.hash.empty() && !second.hash.empty();
}

/// Compares two tests with the same name. `compares_hashes`: whether both logs compute hashes in the same way.
TestComparison compare_tests(const LoggedTest& first, const LoggedTest& second, bool compares_hashes) {
  TestComparison result;
  result.name = first.name;
  result.is_first_histogram = first.is_histogram;
  result.is_second_histogram = second.is_histogram;
  if (first.is_undecided || second.is_undecided) {
    result.kind = Kind::Undecided;
    result.has_first_answer = !first.is_undecided;
    result.has_second_answer = !second.is_undecided;
    return result;
  }
  if (compares_hashes && have_hashes(first, second) && first.hash != second.hash) {
    result.warnings.emplace_back("the hashes differ: these may be two tests of one name");
  }
  if (first.is_cut || second.is_cut) {
    result.warnings.emplace_back("a loop ran further than the model unrolled it: states may be missing");
  }
  States a = first.states;
  States b = second.states;
  if (!restrict_to_common(first, second, a, b, result)) {
    result.kind = Kind::Undecided;
    return result;
  }
  result.only_first = missing(a, b);
  result.only_second = missing(b, a);
  result.common = a.size() - result.only_first.size();
  result.kind = kind_of(result, first.is_cut, second.is_cut);
  return result;
}

TestComparison lone_test(const LoggedTest& test, bool in_first) {
  TestComparison result;
  result.name = test.name;
  result.kind = Kind::Missing;
  result.in_first = in_first;
  result.in_second = !in_first;
  return result;
}

class TextWriter {
 public:
  TextWriter(const LogComparison& comparison, const Style& style, bool quiet)
      : comparison_(comparison), style_(style), quiet_(quiet) {}

  std::string write() {
    std::size_t width = 0;
    for (const TestComparison& test : comparison_.tests) width = std::max(width, test.name.size());
    for (const TestComparison& test : comparison_.tests) {
      if (quiet_ && test.kind == Kind::Same && test.warnings.empty()) continue;
      line(test, width);
      for (const std::string& warning : test.warnings) out_ += "  " + style_.doubtful("warning: " + warning) + "\n";
      states(test, true);
      states(test, false);
    }
    for (const std::string& note : comparison_.notes) out_ += style_.faint("note: " + note) + "\n";
    return out_ + totals();
  }

 private:
  void line(const TestComparison& test, std::size_t width) {
    const std::string kind = pad(to_string(test.kind), 11);
    out_ += test.kind == Kind::Same         ? style_.good(kind)
            : test.kind == Kind::NotAllowed ? style_.bad(kind)
                                            : style_.doubtful(kind);
    out_ += "  " + pad(test.name, width) + "  ";
    if (test.kind == Kind::Missing) {
      out_ += fmt::format("only in {}\n", test.in_first ? comparison_.first : comparison_.second);
    } else if (!test.has_first_answer && !test.has_second_answer) {
      out_ += "no answer in either\n";
    } else if (!test.has_first_answer || !test.has_second_answer) {
      out_ += fmt::format("no answer in {}\n", test.has_first_answer ? comparison_.second : comparison_.first);
    } else {
      out_ += plural(test.common, "state") + " in both\n";
    }
  }

  void states(const TestComparison& test, bool of_first) {
    const TestComparison::States& states = of_first ? test.only_first : test.only_second;
    if (states.empty()) return;
    const bool is_seen = of_first ? test.is_first_histogram : test.is_second_histogram;
    const bool is_other_seen = of_first ? test.is_second_histogram : test.is_first_histogram;
    const std::string& in = of_first ? comparison_.first : comparison_.second;
    const std::string& not_in = of_first ? comparison_.second : comparison_.first;
    std::string title = fmt::format("only in {}", in);
    if (is_seen && !is_other_seen) {
      title = test.kind == Kind::NotAllowed ? style_.bad(fmt::format("seen in {}, but not allowed by {}", in, not_in))
                                            : fmt::format("seen in {}, not known to be allowed by {}", in, not_in);
    } else if (!is_seen && is_other_seen) {
      title = fmt::format("allowed by {}, not seen in {}", in, not_in);
    }
    out_ += "  " + title + "\n";
    for (const auto& [state, count] : states) {
      out_ += "    " + (state.empty() ? "(nothing is observed)" : state);
      if (is_seen) out_ += "  " + plural(count, "time");
      out_ += "\n";
    }
  }

  std::string totals() const {
    std::array<std::size_t, 6> counts{};
    for (const TestComparison& test : comparison_.tests) ++counts[static_cast<std::size_t>(test.kind)];
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > 0) parts.push_back(fmt::format("{} {}", counts[i], to_string(static_cast<Kind>(i))));
    }
    return fmt::format("{} and {}: {}: {}\n", comparison_.first, comparison_.second,
                       plural(comparison_.tests.size(), "test"), fmt::join(parts, ", "));
  }

  const LogComparison& comparison_;
  const Style& style_;
  bool quiet_;
  std::string out_;
};

nlohmann::ordered_json states_json(const TestComparison::States& states, bool is_histogram) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [state, count] : states) {
    nlohmann::ordered_json json;
    json["state"] = bindings_of(state);
    if (is_histogram) json["times"] = count;
    list.push_back(std::move(json));
  }
  return list;
}

nlohmann::ordered_json comparison_json(const LogComparison& comparison) {
  nlohmann::ordered_json json;
  json["first"] = comparison.first;
  json["second"] = comparison.second;
  json["same"] = comparison.all_same();
  if (!comparison.notes.empty()) json["notes"] = comparison.notes;
  json["tests"] = nlohmann::ordered_json::array();
  for (const TestComparison& test : comparison.tests) {
    nlohmann::ordered_json entry;
    entry["name"] = test.name;
    entry["kind"] = to_string(test.kind);
    entry["in_first"] = test.in_first;
    entry["in_second"] = test.in_second;
    entry["common"] = test.common;
    entry["only_first"] = states_json(test.only_first, test.is_first_histogram);
    entry["only_second"] = states_json(test.only_second, test.is_second_histogram);
    entry["warnings"] = test.warnings;
    json["tests"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

std::string_view to_string(TestComparison::Kind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"NOT ALLOWED", "different", "undecided",
                                                      "unseen",      "missing",   "same"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool LogComparison::all_same() const {
  return std::all_of(tests.begin(), tests.end(), [](const auto& test) { return test.kind == Kind::Same; });
}

bool LogComparison::none_different() const {
  return std::all_of(tests.begin(), tests.end(),
                     [](const auto& test) { return test.kind == Kind::Same || test.kind == Kind::Undecided; });
}

LogComparison compare_logs(const OutcomeLog& first, const OutcomeLog& second) {
  LogComparison result{first.path, second.path, {}, {}};
  // Different tools compute hashes differently. Two logs from the same tool have some hash in common.
  bool has_hashes = false;
  bool has_equal_hashes = false;
  for (const auto& [name, test] : first.tests) {
    const auto other = second.tests.find(name);
    if (other == second.tests.end() || !have_hashes(test, other->second)) continue;
    has_hashes = true;
    has_equal_hashes |= test.hash == other->second.hash;
  }
  if (has_hashes && !has_equal_hashes) {
    result.notes.emplace_back(
        "no test has the same hash in both logs: expected for logs of different tools, otherwise these are different "
        "tests");
  }
  for (const auto& [name, test] : first.tests) {
    const auto other = second.tests.find(name);
    result.tests.push_back(other == second.tests.end() ? lone_test(test, true)
                                                       : compare_tests(test, other->second, has_equal_hashes));
  }
  for (const auto& [name, test] : second.tests) {
    if (!first.tests.contains(name)) result.tests.push_back(lone_test(test, false));
  }
  std::sort(result.tests.begin(), result.tests.end(), [](const TestComparison& a, const TestComparison& b) {
    return std::tie(a.kind, a.name) < std::tie(b.kind, b.name);
  });
  return result;
}

std::string comparison_text(const LogComparison& comparison, const Style& style, bool quiet) {
  return TextWriter(comparison, style, quiet).write();
}

std::string comparisons_json(std::string_view version, const std::vector<LogComparison>& comparisons,
                             const std::vector<std::string>& errors) {
  nlohmann::ordered_json document;
  document["ambit"] = version;
  document["format"] = 1;
  document["comparisons"] = nlohmann::ordered_json::array();
  for (const LogComparison& comparison : comparisons) document["comparisons"].push_back(comparison_json(comparison));
  if (!errors.empty()) document["errors"] = errors;
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ambit::report
