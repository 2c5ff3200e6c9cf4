#include "api/judge/file_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "api/check/inquiry.h"
#include "api/check/launch_texts.h"
#include "api/check/question_turns.h"
#include "api/compiled_source.h"
#include "api/edit/repair.h"
#include "api/files.h"
#include "api/judge/model_judgement.h"
#include "api/judge/virtual_runs.h"
#include "api/source_lines.h"
#include "base/deadline_flag.h"
#include "base/trimmed.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

using report::Judged;
using report::JudgedVerdict;
using report::JudgingTool;

// Each constant is the share of a file's time at which a step of the judgement must end. If a step ends early, the next
// steps get the remaining time.
constexpr double kReadingEnd = 0.3;
constexpr double kCheckingEnd = 0.3;          ///< for kernels: leaves time for other tools
constexpr double kCheckingEndOfTests = 0.75;  ///< for litmus tests
constexpr double kSmallerEnd = 0.5;
constexpr double kRunningEnd = 0.7;
constexpr double kCheckingAgainEnd = 0.85;
/// Time limit of the first check of a kernel. If a kernel exceeds this limit, a smaller launch often has a fault.
constexpr std::chrono::seconds kLongestFirstCheck{8};
/// Time limit of the search for a patch.
constexpr std::chrono::seconds kLongestSearch{15};

std::chrono::milliseconds until(FileJudge::Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - FileJudge::Clock::now());
  return std::max(left, std::chrono::milliseconds(1));
}

/// Divides the time until `end` into `count` equal shares. Returns the time at which the first share ends.
FileJudge::Clock::time_point share(FileJudge::Clock::time_point end, std::size_t count) {
  return FileJudge::Clock::now() + until(end) / static_cast<std::int64_t>(std::max<std::size_t>(count, 1));
}

/// Destroys a checker on another thread, because freeing its memory can take seconds.
void discard(std::unique_ptr<verdict::Checker> checker) {
  std::thread([gone = std::move(checker)]() mutable { gone.reset(); }).detach();
}

bool ran_into_limit(const report::ModelResult& result) {
  return result.verdict &&
         (result.verdict->unknown == UnknownReason::Timeout || result.verdict->unknown == UnknownReason::Memory ||
          result.verdict->unknown == UnknownReason::Interrupted);
}

Judged unreadable(const std::string& file, const Diagnostics& errors) {
  Judged judged;
  judged.file = file;
  judged.verdict = JudgedVerdict::Unreadable;
  const Diagnostic& first = errors.front();
  judged.reason = first.hint.empty() ? first.message : fmt::format("{} (hint: {})", first.message, first.hint);
  if (first.file != nullptr && first.span.line != 0) {
    judged.places.push_back(
        {first.file->path, first.span.line, first.span.column, trimmed_line(*first.file, first.span.line), {}, {}});
  }
  judged.remarks = errors;
  return judged;
}

Judged not_asked(const std::string& file) {
  Judged judged;
  judged.file = file;
  judged.reason = kNotAnswered;
  return judged;
}

/// Replaces the verdict of `judged` by a fault that another tool found. Keeps the previous answer as an attempt.
void replace(Judged& judged, const Judged& fault) {
  if (judged.tool) judged.attempts.push_back({*judged.tool, {}, judged.reason});
  if (judged.verdict == JudgedVerdict::Unreadable) {
    judged.attempts.push_back({JudgingTool::Check, {}, "the models cannot read the kernel: " + judged.reason});
  }
  judged.verdict = fault.verdict;
  judged.also = fault.also;
  judged.reason = fault.reason;
  judged.places = fault.places;
  judged.races = fault.races;
  judged.location = fault.location;
  judged.replay = fault.replay;
  judged.coverage = fault.coverage;
  judged.tool = fault.tool;
  judged.assumptions.insert(judged.assumptions.end(), fault.assumptions.begin(), fault.assumptions.end());
}

/// Describes the judgement of a smaller launch without a fault.
std::string description_of(const Judged& judged) {
  if (judged.verdict == JudgedVerdict::NoRace || judged.verdict == JudgedVerdict::NoFault) {
    return "no fault with this launch: " + judged.reason;
  }
  return judged.reason;
}

/// Returns whether a smaller launch may have this fault only because the kernel needs all its threads: a barrier lacks
/// participants, or a thread waits for a thread that the launch does not have.
bool may_lack_threads(JudgedVerdict verdict) {
  return verdict == JudgedVerdict::Divergence || verdict == JudgedVerdict::Undefined ||
         verdict == JudgedVerdict::Deadlock;
}

bool is_confirmed(const repair::Proposal& proposal) {
  const auto refuses = [](const repair::EngineAnswer& answer) { return !answer.confirms && answer.why_not.empty(); };
  const auto confirms = [](const repair::EngineAnswer& answer) { return answer.confirms && answer.launch.empty(); };
  return std::ranges::any_of(proposal.answers, confirms) && std::ranges::none_of(proposal.answers, refuses);
}

}  // namespace

std::vector<Judged> FileJudge::judge(const std::string& file, Clock::time_point end) {
  file_ = file == "-" ? "<stdin>" : file;
  if (stop_.load() || Clock::now() >= end) return {not_asked(file_)};
  source_ = nullptr;
  launch_.clear();
  unoptimised_ = nullptr;
  questions_.clear();
  const Clock::time_point begin = Clock::now();
  const auto at = [&](double part) {
    return begin + std::chrono::duration_cast<Clock::duration>((end - begin) * part);
  };
  auto source = read_input(file, stop_);
  if (!source.ok()) return {unreadable(file_, source.errors())};
  source_ = source.value();
  read(at(kReadingEnd));
  check_all(has_kernels(*source_) ? std::min(at(kCheckingEnd), Clock::now() + kLongestFirstCheck)
                                  : at(kCheckingEndOfTests));
  if (has_kernels(*source_)) {
    if (steps_.tries_smaller_launches) try_smaller_launches(at(kSmallerEnd));
    if (steps_.runs_launch) run_launch(at(kRunningEnd));
    check_again(at(kCheckingAgainEnd));
  }
  if (steps_.finds_patches) find_patches(end);
  add_replay_commands();
  std::vector<Judged> result;
  for (Question& question : questions_) result.push_back(std::move(question.judged));
  questions_.clear();
  return result;
}

CheckingOptions FileJudge::checking(Clock::time_point end) const {
  CheckingOptions options = options_;
  options.timeout_seconds = std::chrono::duration<double>(until(end)).count();
  return options;
}

void FileJudge::read(Clock::time_point end) {
  const DeadlineFlag late(stop_, until(end));
  const auto programs = read_programs(file_, source_, program_options(options_), options_.reading, late.flag());
  if (has_kernels(*source_)) {
    launch_ = launch_text(source_, options_, programs.ok() ? programs.value().front().get() : nullptr);
  }
  if (!programs.ok()) {
    questions_.push_back({nullptr, nullptr, unreadable(file_, programs.errors())});
    questions_.back().judged.launch = launch_;
    return;
  }
  for (const ProgramPtr& program : programs.value()) add_questions(program);
}

void FileJudge::add_questions(const ProgramPtr& program) {
  auto models = models_.empty() ? store_.default_models(*program) : Result<std::vector<parser::RulesPtr>>(models_);
  if (!models.ok()) {
    questions_.push_back({nullptr, nullptr, unreadable(file_, models.errors())});
    return;
  }
  for (const parser::RulesPtr& rules : models.value()) {
    Question question{program, rules, judged_program(file_, *program, launch_)};
    question.judged.model = verdict::model_name(*rules);
    question.judged.reason = kNotAnswered;
    questions_.push_back(std::move(question));
  }
}

report::ModelResult FileJudge::check(const ProgramPtr& program, const parser::RulesPtr& rules, Clock::time_point end) {
  auto checker = std::make_unique<verdict::Checker>();
  Context context;
  const CheckingOptions options = checking(end);
  set_limits(context, options, stop_);
  report::ModelResult result =
      answer_inquiry({rules}, program, OutcomesQuestion::Never, engine_options(options), *checker, context);
  if (ran_into_limit(result)) discard(std::move(checker));
  return result;
}

void FileJudge::check_all(Clock::time_point end) {
  std::size_t left = questions_.size();
  for (Question& question : questions_) {
    const Clock::time_point mine = share(end, left--);
    if (question.program == nullptr || stop_.load() || Clock::now() >= end) continue;
    add_answer(check(question.program, question.rules, mine), question.program, question.judged);
  }
}

void FileJudge::check_again(Clock::time_point end) {
  const auto is_late = [](const Question& question) {
    const auto& checked = question.judged.checked;
    return question.judged.verdict == JudgedVerdict::Unknown && checked && checked->unknown == UnknownReason::Timeout;
  };
  auto left = static_cast<std::size_t>(std::ranges::count_if(questions_, is_late));
  for (Question& question : questions_) {
    if (!is_late(question)) continue;
    const Clock::time_point mine = share(end, left--);
    if (stop_.load() || Clock::now() >= end) return;
    Judged again = judged_program(file_, *question.program, launch_);
    add_answer(check(question.program, question.rules, mine), question.program, again);
    if (again.verdict == JudgedVerdict::Unknown) continue;
    again.attempts = std::move(question.judged.attempts);
    question.judged = std::move(again);
  }
}

std::size_t FileJudge::count_unknown() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      questions_, [](const Question& question) { return question.judged.verdict == JudgedVerdict::Unknown; }));
}

Result<SourceFilePtr> FileJudge::compile(bool is_optimised, Clock::time_point end) {
  if (parser::language_of(*source_) == parser::Language::CompiledModule) return source_;
  if (file_ == "<stdin>") return error_without_place("nvcc cannot read the standard input");
  const DeadlineFlag late(stop_, until(end));
  return compiled_source({.file = file_,
                          .ptx = options_.reading.ptx,
                          .defines = options_.defines,
                          .architecture = options_.reading.architecture,
                          .optimisation = is_optimised ? Optimisation::Full : Optimisation::None},
                         late.flag());
}

Result<FileJudge::ProgramPtr> FileJudge::read_with_launch(const std::string& launch, bool is_compiled) {
  parser::ProgramOptions options = program_options(options_);
  options.launch = launch;
  if (is_compiled && parser::language_of(*source_) == parser::Language::CudaSource) options.compiled = unoptimised_;
  return parser::parse_program(source_, options);
}

void FileJudge::try_smaller_launches(Clock::time_point end) {
  std::size_t left = count_unknown();
  for (Question& question : questions_) {
    if (question.judged.verdict != JudgedVerdict::Unknown || question.program == nullptr) continue;
    try_smaller_launches(question, share(end, left--));
  }
}

void FileJudge::try_smaller_launches(Question& question, Clock::time_point end) {
  const bool is_compiled = question.program->is_compiled;
  const std::vector<std::string> launches = smaller_launches(launch_);
  if (is_compiled && !launches.empty() && unoptimised_ == nullptr) {
    const auto ptx = compile(false, end);
    if (!ptx.ok()) return;
    unoptimised_ = ptx.value();
  }
  for (const std::string& launch : launches) {
    if (stop_.load() || Clock::now() >= end) return;
    const auto program = read_with_launch(launch, is_compiled);
    Judged& judged = question.judged;
    if (!program.ok()) {
      judged.attempts.push_back({judged.reading, launch, "unreadable: " + program.errors().front().message});
      continue;
    }
    Judged smaller = judged_program(file_, *program.value(), launch);
    add_answer(check(program.value(), question.rules, end), program.value(), smaller);
    if (!report::is_fault(smaller.verdict) || may_lack_threads(smaller.verdict)) {
      judged.attempts.push_back({judged.reading, launch, description_of(smaller)});
      continue;
    }
    replace(judged, smaller);
    judged.launch = launch;
    judged.is_smaller_launch = true;
    question.program = program.value();
    return;
  }
}

void FileJudge::run_launch(Clock::time_point end) {
  const auto is_open = [](const Question& question) {
    return question.judged.verdict == JudgedVerdict::Unknown || question.judged.verdict == JudgedVerdict::Unreadable;
  };
  if (std::ranges::none_of(questions_, is_open) || launch_.empty() || stop_.load() || Clock::now() >= end) return;
  const auto ptx = compile(true, end);
  VirtualRuns found;
  if (ptx.ok()) {
    found = run_virtually({file_, source_, ptx.value(), launch_}, until(end), stop_);
  } else {
    found.description = "the launch cannot run on the virtual GPU: " + ptx.errors().front().message;
  }
  for (Question& question : questions_) {
    Judged& judged = question.judged;
    if (!is_open(question)) continue;
    if (found.has_fault) {
      replace(judged, found.fault);
      continue;
    }
    judged.attempts.push_back({JudgingTool::Exec, {}, found.description});
    if (found.runs > 0 && !judged.coverage)
      judged.coverage = report::Coverage{report::Coverage::Kind::Sampled, found.runs};
  }
}

void FileJudge::find_patches(Clock::time_point end) {
  const auto wants_patch = [](const Question& question) {
    return question.judged.verdict == JudgedVerdict::Race && question.judged.tool != JudgingTool::Exec;
  };
  auto left = static_cast<std::size_t>(std::ranges::count_if(questions_, wants_patch));
  for (Question& question : questions_) {
    if (question.judged.verdict == JudgedVerdict::Race && !wants_patch(question)) {
      question.judged.why_no_patch = "patches need the answer of a model";
    }
    if (!wants_patch(question)) continue;
    find_patch(question, std::min(share(end, left--), Clock::now() + kLongestSearch));
  }
}

void FileJudge::find_patch(Question& question, Clock::time_point end) {
  Judged& judged = question.judged;
  if (question.program->is_compiled) {
    judged.why_no_patch = "changes are made in sources that Ambit's own reader reads, and this verdict is about PTX";
    return;
  }
  if (stop_.load() || Clock::now() >= end) {
    judged.why_no_patch = "no time was left for the search";
    return;
  }
  CheckingOptions options = checking(end);
  if (judged.is_smaller_launch) options.launch = judged.launch;
  const auto found = fix_program(question.program, question.rules, options, stop_);
  if (!found.ok()) {
    judged.why_no_patch = found.errors().front().message;
    return;
  }
  const auto& proposals = found.value().proposals;
  const auto proposal = std::ranges::find_if(proposals, is_confirmed);
  if (proposal == proposals.end()) {
    const bool is_none = found.value().state == repair::RepairReport::State::None;
    judged.why_no_patch = is_none                             ? "no changes of synchronisation remove the race"
                          : found.value().why_unknown.empty() ? "no confirmed patch was found in time"
                                                              : found.value().why_unknown;
    return;
  }
  report::JudgedPatch patch{
      proposal->diff, proposal->changes, proposal->cost, found.value().is_cheapest && proposal == proposals.begin(), {},
      std::nullopt};
  for (const repair::EngineAnswer& answer : proposal->answers) {
    if (answer.confirms && answer.launch.empty()) patch.confirmed_by.push_back(answer.engine);
  }
  if (proposal->changes_data) patch.keeps_outcomes = proposal->keeps_outcomes;
  judged.patch = std::move(patch);
}

void FileJudge::add_replay_commands() {
  for (Question& question : questions_) {
    Judged& judged = question.judged;
    if (!judged.replay || !judged.replay->command.empty()) continue;
    std::vector<std::string>& command = judged.replay->command;
    command = {"ambit", "check", file_, "--model", judged.model, "--witness"};
    if (judged.is_smaller_launch || !options_.launch.empty()) {
      command.insert(command.end(), {"--launch", judged.launch});
    }
    for (const std::string& define : options_.defines) command.insert(command.end(), {"-D", define});
  }
}

}  // namespace ambit::api
