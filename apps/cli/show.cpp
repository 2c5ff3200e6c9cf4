#include "apps/cli/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/files.h"
#include "apps/cli/terminal.h"
#include "report/results/words.h"
#include "runner/sim/engine.h"
#include "runner/sim/picker.h"
#include "runner/sim/trace_maker.h"
#include "trace/text_trace.h"

namespace ambit::cli {
namespace {

class Show {
 public:
  Show(const sim::Engine& engine, const std::optional<sim::Schedule>& schedule, std::istream& in, std::ostream& out)
      : engine_(engine), schedule_(schedule), traces_(engine.program()), picker_(engine), in_(in), out_(out) {}

  void run() {
    engine_.reset(state_);
    picker_.begin(0);
    out_ << fmt::format("{}  memory {}\n\n", engine_.program().name, to_string(engine_.options().memory));
    print_state();
    for (step_ = 0; step_ < engine_.options().max_steps; ++step_) {
      find_choices();
      if (choices_.empty()) break;
      print_choices();
      const auto choice = next_choice();
      if (!choice) return;
      take(*choice);
    }
    print_end();
  }

 private:
  void find_choices() {
    choices_.clear();
    if (!state_.is_dropped && !state_.is_endless) engine_.find_choices(state_, choices_);
  }

  void print_state() {
    const sim::MemoryContents contents = engine_.machine().memory().contents(state_.memory);
    for (const std::string& line : sim::lines_of(contents, engine_.program())) out_ << "  " << line << "\n";
  }

  void print_choices() {
    out_ << "  next   ";
    for (std::size_t i = 0; i < choices_.size(); ++i) out_ << fmt::format(" [{}] {}", i + 1, engine_.name(choices_[i]));
    out_ << "\n";
  }

  /// Returns the next choice in the schedule; nothing at the end of a schedule file.
  std::optional<sim::Choice> planned() {
    if (!schedule_) return picker_.pick(choices_);
    if (step_ >= schedule_->steps.size()) return std::nullopt;
    const auto found = std::find_if(choices_.begin(), choices_.end(), [&](const sim::Choice& choice) {
      return engine_.name(choice) == schedule_->steps[step_].text;
    });
    return found == choices_.end() ? std::nullopt : std::optional(*found);
  }

  std::optional<sim::Choice> next_choice() {
    if (!is_terminal(0)) return planned();
    for (std::string line; out_ << "> " << std::flush && std::getline(in_, line);) {
      if (line == "q") return std::nullopt;
      const bool is_number =
          !line.empty() && line.size() < 6 && line.find_first_not_of("0123456789") == std::string::npos;
      const std::size_t number = is_number ? std::stoul(line) : 0;
      if (number > 0 && number <= choices_.size()) return choices_[number - 1];
      if (line.empty()) {
        if (auto choice = planned()) return choice;
        out_ << "the schedule has no choice for this step: enter a number\n";
        continue;
      }
      out_ << fmt::format("Enter: next step; 1 to {}: choose; q: quit\n", choices_.size());
    }
    return std::nullopt;
  }

  /// Returns the step as an event in the notation of traces: "P0 w x=1 mp.litmus:8"; empty if traces have no event for
  /// the step.
  std::string event_text(const sim::StepEvent& event) const {
    const Trace trace = traces_.make({event}, state_);
    std::string text;
    for (const TraceEvent& one : trace.events) {
      text += (text.empty() ? "" : "; ") + trace::to_text(one, trace.tables);
    }
    if (event.kind != sim::StepEvent::Kind::Pass) return text;
    const std::string passes = engine_.program().threads[event.thread].name + " passes the barrier";
    return text.empty() ? passes : passes + "; " + text;
  }

  void take(const sim::Choice& choice) {
    std::string what = engine_.name(choice);
    const sim::StepEvent event = engine_.apply(state_, choice);
    if (choice.kind == sim::Choice::Kind::Step) {
      const std::string text = event_text(event);
      if (!text.empty()) what = text;
      if (choice.way > 0) what += fmt::format("  (way {})", choice.way);
    }
    out_ << fmt::format("\n{}. {}\n", step_ + 1, what);
    print_state();
  }

  void print_end() {
    const Program& program = engine_.program();
    find_choices();
    out_ << "\n";
    if (state_.is_dropped) {
      out_ << "this run does not count: an assumption does not hold\n";
    } else if (!choices_.empty() || state_.is_endless) {
      out_ << "stopped at the bound on steps\n";
    } else if (!engine_.all_exited(state_)) {
      out_ << "deadlock: no step is possible; threads that have not ended:";
      for (std::size_t t = 0; t < state_.threads.size(); ++t) {
        if (!state_.threads[t].has_exited) out_ << " " << program.threads[t].name;
      }
      out_ << "\n";
    } else {
      out_ << "end: " << report::outcome_text(program, engine_.machine().outcome(state_)) << "\n";
    }
  }

  const sim::Engine& engine_;
  const std::optional<sim::Schedule>& schedule_;
  sim::TraceMaker traces_;
  sim::Picker picker_;
  std::istream& in_;
  std::ostream& out_;
  sim::State state_;
  std::vector<sim::Choice> choices_;
  std::size_t step_ = 0;
};

}  // namespace

std::string show_run(const std::shared_ptr<const Program>& program, const sim::Options& options,
                     const std::optional<sim::Schedule>& schedule, std::istream& in, std::ostream& out) {
  if (!schedule && options.schedule == sim::ScheduleKind::Exhaustive) {
    return api::path_error("--show", "shows a single run, but --schedule exhaustive has many runs").render();
  }
  if (schedule) {
    const auto fits = sim::replay(program, *schedule);
    if (!fits.ok()) return render(fits.errors());
  }
  const auto engine = sim::Engine::create(program, options);
  if (!engine.ok()) return render(engine.errors());
  Show(*engine.value(), schedule, in, out).run();
  return {};
}

}  // namespace ambit::cli
