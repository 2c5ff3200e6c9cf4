#include "report/logs/herd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "core/proposition.h"
#include "report/logs/test_hash.h"
#include "report/results/condition_source.h"
#include "report/results/words.h"

namespace ambit::report {
namespace {

using events::Possibility;

/// Returns the number that a log uses for each thread. If all threads have names such as P3, returns the numbers in the
/// names. Otherwise, numbers the threads in order.
std::vector<std::string> thread_numbers(const Program& program) {
  std::vector<std::string> numbers;
  bool all_numbered = true;
  for (const Thread& thread : program.threads) {
    const std::string digits = thread.name.substr(std::min<std::size_t>(1, thread.name.size()));
    const bool is_number =
        !digits.empty() && digits.size() < 10 &&
        std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    all_numbered = all_numbered && is_number && thread.name.front() == 'P';
    numbers.push_back(digits);
  }
  for (std::size_t i = 0; i < numbers.size() && !all_numbered; ++i) numbers[i] = fmt::format("{}", i);
  return numbers;
}

/// Converts the name of shared memory from "b0:s" to "b0.s", because a colon separates a thread from its register.
std::string memory_name(const Program& program, const Location& cell) {
  std::string name = cell.name;
  std::replace(name.begin(), name.end(), ':', '.');
  return program.objects[cell.object].is_array ? name : "[" + name + "]";
}

class LogWriter {
 public:
  LogWriter(const TestResult& test, const ModelResult& result, std::string name)
      : program_(*test.program), verdict_(*result.verdict), name_(std::move(name)) {
    name_columns();
    count();
  }

  std::string write(double seconds) const {
    std::string text = fmt::format("Test {} {}\n", name_, herd_kind(program_.condition.quantifier));
    text += fmt::format("States {}\n", verdict_.answers.outcomes.size());
    for (const std::string& state : states()) text += state + "\n";
    text += condition_holds() ? "Ok\n" : "No\n";
    const bool swapped = program_.condition.quantifier == Quantifier::NotExists;
    text += fmt::format("Witnesses\nPositive: {} Negative: {}\n", swapped ? fails_ : holds_, swapped ? holds_ : fails_);
    for (const std::string& flag : flags()) text += fmt::format("Flag {}\n", flag);
    text += fmt::format("Condition {}\n", condition());
    const std::string_view frequency = holds_ == 0 ? "Never" : fails_ == 0 ? "Always" : "Sometimes";
    text += fmt::format("Observation {} {} {} {}\n", name_, frequency, holds_, fails_);
    text += fmt::format("Time {} {:.2f}\n", name_, seconds);
    if (!verdict_.answers.executions) text += fmt::format("Counted {} states\n", name_);
    return text + fmt::format("Hash={}\n\n", test_hash(program_));
  }

 private:
  struct ColumnName {
    bool is_memory = false;
    std::uint64_t thread = 0;
    std::string name;  ///< name of the register or cell
    std::size_t observable = 0;

    auto key() const { return std::tie(is_memory, thread, name); }
  };

  void name_columns() {
    names_ = log_columns(program_);
    const std::vector<std::string> numbers = thread_numbers(program_);
    for (std::size_t i = 0; i < program_.observables.size(); ++i) {
      const Observable& observable = program_.observables[i];
      ColumnName column{observable.kind == Observable::Kind::Memory, 0, {}, i};
      if (column.is_memory) {
        column.name = program_.locations[observable.location].name;
      } else {
        column.name = program_.threads[observable.thread].registers[observable.reg].name;
        column.thread = std::stoull(numbers[observable.thread]);
      }
      columns_.push_back(std::move(column));
    }
    std::sort(columns_.begin(), columns_.end(), [](const auto& a, const auto& b) { return a.key() < b.key(); });
  }

  /// Prints the number of executions or, if executions were not counted, the number of states.
  void count() {
    const events::Answers& answers = verdict_.answers;
    if (answers.executions && answers.executions_holding) {
      holds_ = *answers.executions_holding;
      fails_ = *answers.executions - holds_;
      return;
    }
    const std::optional<Expr>& proposition = program_.condition.proposition;
    for (const events::Outcome& outcome : answers.outcomes) {
      ++(!proposition || events::holds(*proposition, outcome) ? holds_ : fails_);
    }
  }

  bool condition_holds() const {
    switch (program_.condition.quantifier) {
      case Quantifier::Exists: return holds_ > 0;
      case Quantifier::NotExists: return holds_ == 0;
      case Quantifier::None:
      case Quantifier::Forall: break;
    }
    return fails_ == 0;
  }

  std::vector<std::string> states() const {
    std::vector<std::vector<Value>> rows;
    for (const events::Outcome& outcome : verdict_.answers.outcomes) {
      rows.emplace_back();
      for (const ColumnName& column : columns_) rows.back().push_back(outcome[column.observable]);
    }
    std::sort(rows.begin(), rows.end());
    std::vector<std::string> states;
    for (const std::vector<Value>& row : rows) {
      std::string line;
      for (std::size_t c = 0; c < row.size(); ++c) {
        const std::size_t observable = columns_[c].observable;
        std::string value = value_text(program_, row[c], program_.observables[observable].type);
        if (value.starts_with('&')) value.erase(0, 1);
        line += fmt::format("{}{}={};", c == 0 ? "" : " ", names_[observable], value);
      }
      states.push_back(std::move(line));
    }
    return states;
  }

  std::string condition() const {
    const Condition& condition = program_.condition;
    if (!condition.proposition) return "forall (true)";
    const std::string_view quantifier =
        condition.quantifier == Quantifier::None ? "forall" : to_string(condition.quantifier);
    return fmt::format("{} ({})", quantifier,
                       proposition_text(*condition.proposition, names_, PropositionSyntax::Herd,
                                        [&](Value value) { return program_.pointer_name(value); }));
  }

  /// Returns the flags of the model and the kinds of incidents, sorted by name.
  std::set<std::string> flags() const {
    std::set<std::string> names;
    const auto& flags = verdict_.answers.flags;
    for (std::size_t i = 0; i < flags.size() && i < verdict_.rules->flags.size(); ++i) {
      if (flags[i].possibility == Possibility::Possible) names.insert(verdict_.rules->flags[i].name);
    }
    const auto& incidents = verdict_.answers.incidents;
    for (std::size_t i = 0; i < incidents.size() && i < verdict_.graph->incidents.size(); ++i) {
      if (incidents[i].possibility != Possibility::Possible) continue;
      std::string name(to_string(verdict_.graph->incidents[i].kind));
      std::replace(name.begin(), name.end(), ' ', '-');
      names.insert(std::move(name));
    }
    return names;
  }

  const Program& program_;
  const verdict::Verdict& verdict_;
  std::string name_;
  std::vector<std::string> names_;  ///< for each observable, its name in the log
  std::vector<ColumnName> columns_;
  std::uint64_t holds_ = 0;
  std::uint64_t fails_ = 0;
};

}  // namespace

std::vector<std::string> log_columns(const Program& program) {
  const std::vector<std::string> numbers = thread_numbers(program);
  std::vector<std::string> names;
  for (const Observable& one : program.observables) {
    names.push_back(
        one.kind == Observable::Kind::Memory
            ? memory_name(program, program.locations[one.location])
            : fmt::format("{}:{}", numbers[one.thread], program.threads[one.thread].registers[one.reg].name));
  }
  return names;
}

std::string log_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) {
        return std::isalnum(c) == 0 && std::string_view("_/.-+[]").find(static_cast<char>(c)) == std::string_view::npos;
      },
      '_');
  return name;
}

bool is_decided(const ModelResult& result) { return result.verdict && !result.verdict->unknown; }

std::string LogNames::name_of(const TestResult& test) {
  const std::string wanted = log_name(test.name());
  const std::string identity =
      test.program ? test_hash(*test.program) + '\n' + condition_source(*test.program) : std::string();
  std::string name = wanted;
  for (std::size_t number = 2; tests_.try_emplace(name, identity).first->second != identity; ++number) {
    name = fmt::format("{}.{}", wanted, number);
  }
  return name;
}

std::string herd_log(const TestResult& test, const ModelResult& result, const std::string& name, double seconds) {
  if (result.termination) return {};
  if (is_decided(result)) return LogWriter(test, result, name).write(seconds);
  std::string why = "there is no verdict";
  if (result.verdict) why = unknown_text(*result.verdict->unknown, result.verdict->unknown_detail);
  return fmt::format("Undecided {} under {}: {}\n\n", name, result.model, why);
}

}  // namespace ambit::report
