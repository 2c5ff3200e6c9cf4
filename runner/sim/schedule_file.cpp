#include "runner/sim/schedule_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/trimmed.h"
#include "runner/sim/engine.h"
#include "runner/sim/run_record.h"

namespace ambit::sim {
namespace {

constexpr std::string_view kTitle = "ambit-schedule 1";

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Sets a number. Returns false if the text is not a number from 0 to `most`.
bool set_number(unsigned& target, std::string_view value, std::uint64_t most) {
  const auto found = number(value);
  if (found && *found <= most) target = static_cast<unsigned>(*found);
  return found && *found <= most;
}

template <typename Enum>
bool set_word(Enum& target, const std::optional<Enum>& value) {
  if (value) target = *value;
  return value.has_value();
}

class Reader {
 public:
  Reader(SourceFilePtr source, const Options& defaults) {
    schedule_.source = std::move(source);
    schedule_.options = defaults;
  }

  Result<Schedule> read() {
    std::string_view rest = schedule_.source->text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      ++line_;
      if (line.empty() || line.front() == '#') continue;
      if (auto error = take(line)) return *error;
    }
    if (!has_title_) return complain("a schedule begins with the line '" + std::string(kTitle) + "'", "");
    if (!expected_) return complain("the line 'steps N' is missing", "the file may be truncated");
    if (schedule_.steps.size() < *expected_) {
      return complain(fmt::format("{} steps are announced, but there are {}", *expected_, schedule_.steps.size()),
                      "the file may be truncated");
    }
    return std::move(schedule_);
  }

 private:
  Diagnostic complain(std::string message, std::string hint) const {
    return {schedule_.source, {std::max(line_, 1U), 1, 1}, std::move(message), std::move(hint)};
  }

  std::optional<Diagnostic> take(std::string_view line) {
    if (!has_title_) {
      has_title_ = line == kTitle;
      if (has_title_) return std::nullopt;
      return complain(fmt::format("expected '{}', found '{}'", kTitle, line),
                      "ambit run --schedule-out writes schedules");
    }
    if (!expected_) return take_setting(line);
    if (schedule_.steps.size() == *expected_) {
      return complain(fmt::format("{} steps are announced, but there are more", *expected_), "");
    }
    schedule_.steps.push_back({std::string(line), line_});
    return std::nullopt;
  }

  std::optional<Diagnostic> take_setting(std::string_view line) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view name = line.substr(0, space);
    const std::string_view value = trimmed(line.substr(space));
    Options& options = schedule_.options;
    bool ok = true;
    if (name == "test") {
      schedule_.test = value;
    } else if (name == "memory") {
      ok = set_word(options.memory, memory_from_string(value));
    } else if (name == "warps") {
      ok = set_word(options.warps, warps_from_string(value));
    } else if (name == "conflicts") {
      ok = value == "lazy" || value == "eager";
      options.conflicts = value == "eager" ? ConflictKind::Eager : ConflictKind::Lazy;
    } else if (name == "blocks-per-multiprocessor") {
      ok = set_number(options.blocks_per_multiprocessor, value, 1U << 16U);
    } else if (name == "store-buffer") {
      ok = set_number(options.store_buffer, value, 64);
    } else if (name == "warm-caches") {
      ok = value == "yes" || value == "no";
      options.warm_caches = value == "yes";
    } else if (name == "steps") {
      expected_ = number(value);
      ok = expected_.has_value();
    } else {
      return complain(
          fmt::format("there is no setting '{}'", name),
          "settings are test, memory, warps, conflicts, blocks-per-multiprocessor, store-buffer, warm-caches; "
          "then 'steps N'");
    }
    if (ok) return std::nullopt;
    return complain(fmt::format("'{}' is not a value of {}", value, name), "");
  }

  Schedule schedule_;
  std::uint32_t line_ = 0;
  bool has_title_ = false;
  std::optional<std::uint64_t> expected_;
};

Diagnostic does_not_fit(const Engine& engine, const Schedule& schedule, const Schedule::Step& step,
                        const std::vector<Choice>& choices) {
  std::string possible;
  for (const Choice& choice : choices) possible += (possible.empty() ? "" : ", ") + engine.name(choice);
  const SourceSpan span{step.line, 1, static_cast<std::uint32_t>(step.text.size())};
  const std::string message = choices.empty()
                                  ? fmt::format("the run has ended before '{}'", step.text)
                                  : fmt::format("'{}' cannot happen here; expected one of: {}", step.text, possible);
  return {schedule.source, span, message, "the schedule does not fit the test: has the test been changed?"};
}

}  // namespace

std::string schedule_text(const Program& program, const Options& options, const std::vector<std::string>& steps) {
  std::string text = fmt::format("{}\ntest {}\nmemory {}\nwarps {}\n", kTitle, program.name, to_string(options.memory),
                                 to_string(options.warps));
  if (options.conflicts == ConflictKind::Eager) text += "conflicts eager\n";
  if (options.memory == MemoryKind::Gpu) {
    text += fmt::format("blocks-per-multiprocessor {}\nstore-buffer {}\nwarm-caches {}\n",
                        options.blocks_per_multiprocessor, options.store_buffer, options.warm_caches ? "yes" : "no");
  }
  text += fmt::format("steps {}\n", steps.size());
  for (const std::string& step : steps) text += step + "\n";
  return text;
}

Result<Schedule> read_schedule(SourceFilePtr source, const Options& defaults) {
  return Reader(std::move(source), defaults).read();
}

Result<Simulation> replay(std::shared_ptr<const Program> program, const Schedule& schedule, const OnRun& on_run) {
  if (!schedule.test.empty() && schedule.test != program->name) {
    return Diagnostic{
        schedule.source,
        {},
        fmt::format("the schedule belongs to test '{}', and this is test '{}'", schedule.test, program->name),
        "the line 'test NAME' names the test of a schedule"};
  }
  const auto engine = Engine::create(std::move(program), schedule.options);
  if (!engine.ok()) return engine.errors();
  RunRecord record(*engine.value(), on_run);
  State state;
  engine.value()->reset(state);
  std::vector<Choice> choices;
  std::vector<Choice> path;
  std::vector<StepEvent> events;
  const auto find_choices = [&] {
    choices.clear();
    if (!state.is_dropped && !state.is_endless) engine.value()->find_choices(state, choices);
  };
  for (const Schedule::Step& step : schedule.steps) {
    find_choices();
    const auto choice = std::find_if(choices.begin(), choices.end(),
                                     [&](const Choice& c) { return engine.value()->name(c) == step.text; });
    if (choice == choices.end()) return does_not_fit(*engine.value(), schedule, step, choices);
    const StepEvent event = engine.value()->apply(state, *choice);
    path.push_back(*choice);
    if (choice->kind == Choice::Kind::Step) events.push_back(event);
  }
  find_choices();
  record.result().why_not = "one run of a schedule file";
  record.finish(state, path, events, !choices.empty());
  return record.take();
}

}  // namespace ambit::sim
