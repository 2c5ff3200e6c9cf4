#include "detector/external/external_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "detector/external/answered_run.h"

namespace ambit::external {
namespace {

/// The number of events in each batch that is sent to the program.
constexpr std::size_t kBatch = 4096;

}  // namespace

/// Sends one run to a process of a program and collects the answers.
class ProgramDetector : public detector::Detector {
 public:
  ProgramDetector(ExternalProgram& program, const TraceTables& tables, RunName run)
      : program_(program),
        tables_(tables),
        run_(std::move(run)),
        writer_(program.description_.form),
        answered_(tables) {
    if (std::string why = program_.refusal(run_); !why.empty()) {
      failure_ = std::move(why);
      return;
    }
    batch_.reserve(kBatch);
    process_ = program_.take_process();
    if (process_ == nullptr) {
      process_ = std::make_unique<DetectorProcess>(program_.description_.arguments, program_.patience_);
      writer_.begin_stream(program_.description_.options);
    }
    waited_before_ = process_->waited();
    process_->begin_run();
  }
  ~ProgramDetector() override {
    if (process_ == nullptr) return;
    program_.count_wait(process_->waited() - waited_before_);
    if (is_answered_) program_.give_back(std::move(process_));  // a program without an answer may still be busy
  }
  ProgramDetector(const ProgramDetector&) = delete;
  ProgramDetector& operator=(const ProgramDetector&) = delete;

  detector::SyncInference::Depth depth() const override { return detector::SyncInference::Depth::Sections; }
  bool looks_at_actions() const override { return false; }
  void on(const detector::Observation& observation) override {
    if (process_ == nullptr) return;
    answered_.add(observation.event);
    batch_.push_back(observation.event);
    if (batch_.size() == kBatch) send_batch();
  }
  void finish(std::span<const detector::Action> /*rest*/, const detector::SyncInference& /*inference*/) override {
    if (process_ == nullptr) return;
    send_batch();
    if (process_ == nullptr) return;
    if (const auto ended = writer_.end_run(tables_); !ended.ok()) return break_off(ended.errors().front().message);
    if (!process_->send(std::exchange(writer_.bytes(), {}))) return process_failed();
    take_answers();
  }
  /// Returns no races after a failure, because answers before the failure may also be wrong.
  std::vector<RaceReport> races() const override { return failure_ ? std::vector<RaceReport>() : answered_.races(); }
  std::vector<std::string> own_remarks() const override { return answered_.remarks(); }
  bool is_unfinished() const override { return answered_.is_open() || failure_ || is_interrupted_ || !is_answered_; }
  std::optional<std::string> failure() const override { return failure_; }

 private:
  void send_batch() {
    // The first batch begins the run, because a trace file's launch is unknown until its first event has been read.
    if (!std::exchange(has_begun_, true)) writer_.begin_run(run_, tables_);
    if (const auto written = writer_.events(tables_, batch_); !written.ok()) {
      return break_off(written.errors().front().message);
    }
    batch_.clear();
    const bool is_sent = process_->send(writer_.bytes());
    writer_.bytes().clear();
    if (!is_sent) process_failed();
  }

  void take_answers() {
    while (const auto line = process_->line()) {
      const auto answer = read_answer(*line);
      if (const auto* wrong = std::get_if<std::string>(&answer)) return break_off(*wrong);
      const bool is_end = std::visit([this](const auto& one) { return take(one); }, std::get<Answer>(answer));
      if (is_end || process_ == nullptr) return;
    }
    process_failed();
  }

  // Each overload handles an answer and returns whether the run has ended.

  template <typename Finding>
  bool take(const Finding& finding) {
    if (const std::string wrong = answered_.take(finding); !wrong.empty()) break_off(wrong);
    return false;
  }
  bool take(const EndOfRun& end) {
    if (end.run != run_.number) {
      break_off(fmt::format("answers the end of run {}, expected run {}", end.run, run_.number));
    } else {
      is_answered_ = true;
    }
    return true;
  }

  void process_failed() {
    if (process_->end() == DetectorProcess::End::Interrupted) {
      is_interrupted_ = true;
      program_.count_wait(process_->waited() - waited_before_);
      process_.reset();
      return;
    }
    break_off(process_->why(), process_->end() == DetectorProcess::End::Slow);
  }

  /// Records that the program failed on this run, and ends its process.
  void break_off(const std::string& why, bool is_final = false) {
    failure_ = fmt::format("run {}: {}", run_.number, why);
    program_.fail(run_, *failure_, is_final);
    program_.count_wait(process_->waited() - waited_before_);
    process_.reset();
  }

  ExternalProgram& program_;
  const TraceTables& tables_;
  RunName run_;
  RunStreamWriter writer_;
  AnsweredRun answered_;
  std::unique_ptr<DetectorProcess> process_;  ///< null if the program has failed, or must not receive the run
  std::chrono::nanoseconds waited_before_{0};
  std::vector<TraceEvent> batch_;
  std::optional<std::string> failure_;
  bool has_begun_ = false;
  bool is_answered_ = false;
  bool is_interrupted_ = false;
};

ExternalProgram::ExternalProgram(ProgramDescription description, Patience patience)
    : description_(std::move(description)), patience_(patience) {}

std::unique_ptr<detector::Detector> ExternalProgram::make(const TraceTables& tables, const RunName& run) {
  return std::make_unique<ProgramDetector>(*this, tables, run);
}

std::uint64_t ExternalProgram::peak_memory() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t peak = 0;
  for (const auto& [thread, processes] : idle_) {
    for (const auto& process : processes) peak = std::max(peak, process->peak_memory());
  }
  return peak;
}

void ExternalProgram::end_here() {
  std::vector<std::unique_ptr<DetectorProcess>> ended;  // destroyed after the unlock, because destructors take time
  const std::lock_guard<std::mutex> lock(mutex_);
  ended.swap(idle_[std::this_thread::get_id()]);
}

std::unique_ptr<DetectorProcess> ExternalProgram::take_process() {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& idle = idle_[std::this_thread::get_id()];
  if (idle.empty()) return nullptr;
  std::unique_ptr<DetectorProcess> process = std::move(idle.back());
  idle.pop_back();
  return process;
}

void ExternalProgram::give_back(std::unique_ptr<DetectorProcess> process) {
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_[std::this_thread::get_id()].push_back(std::move(process));
}

void ExternalProgram::fail(const RunName& run, const std::string& why, bool is_final) {
  const std::lock_guard<std::mutex> lock(mutex_);
  failed_tests_.try_emplace(run.test, why);
  if (is_final && given_up_.empty()) given_up_ = fmt::format("not run after test {}, {}", run.test, why);
}

std::string ExternalProgram::refusal(const RunName& run) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto failed = failed_tests_.find(run.test);
  return failed == failed_tests_.end() ? given_up_ : failed->second;
}

void ExternalProgram::count_wait(std::chrono::nanoseconds waited) {
  const std::lock_guard<std::mutex> lock(mutex_);
  waited_[std::this_thread::get_id()] += waited;
}

std::chrono::nanoseconds ExternalProgram::waited_here() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto waited = waited_.find(std::this_thread::get_id());
  return waited == waited_.end() ? std::chrono::nanoseconds(0) : waited->second;
}

}  // namespace ambit::external
