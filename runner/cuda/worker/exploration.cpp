#include "runner/cuda/worker/exploration.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/child_process.h"
#include "base/descriptor.h"
#include "base/hash.h"
#include "runner/cuda/launch/runner.h"
#include "runner/cuda/stress/profiles.h"
#include "runner/cuda/stress/trial_message.h"
#include "runner/cuda/worker/report_json.h"
#include "runner/cuda/worker/worker_message.h"

namespace ambit::cuda {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = WorkerMessage::Kind;

/// Number of tests whose kernels are compiled in advance, while another test runs.
constexpr std::size_t kMostCompiledAhead = 16;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// ---- the worker ----

/// Receives trials in the worker process, runs them, and sends the results.
class TrialWorker {
 public:
  TrialWorker(const Campaign& campaign, int parent) : campaign_(campaign), parent_(parent) {}

  void work() {
    auto runner = Runner::open(campaign_.devices, campaign_.cache_folder, campaign_.checks_machine_code);
    if (!runner) return send(Kind::NoDevice, 0, error_text(runner.errors().front()));
    runner.value()->keep_kernels();
    send(Kind::Device, 0, device_text(runner.value()->device()));
    std::string buffer;
    while (true) {
      const std::size_t end = buffer.find('\n');
      if (end == std::string::npos) {
        if (!read_some(parent_, buffer)) return;
        continue;
      }
      const auto trial = read_trial(std::string_view(buffer).substr(0, end));
      buffer.erase(0, end + 1);
      if (!trial || trial->test >= campaign_.tests.size()) return;
      if (!run(*runner.value(), *trial)) return;
    }
  }

 private:
  /// Returns false if the context is unusable.
  bool run(Runner& runner, const TrialMessage& trial) {
    if (trial.is_first) compile_ahead(runner, trial.test);
    RunOptions options = options_of(trial);
    last_sign_ = Clock::now();
    const auto report = runner.run(*campaign_.tests[trial.test], options, [&](const RunReport&) {
      if (seconds_since(last_sign_) > 0.2) {
        last_sign_ = Clock::now();
        send(Kind::Alive, trial.test, "");
      }
      return true;
    });
    if (report) {
      send(Kind::Finished, trial.test, report_to_json(report.value()));
      return true;
    }
    std::string text;
    for (const Diagnostic& error : report.errors()) text += error.render();
    while (text.ends_with('\n')) text.pop_back();
    send(Kind::Failed, trial.test, text);
    return runner.is_healthy();
  }

  RunOptions options_of(const TrialMessage& trial) const {
    RunOptions options = campaign_.options;
    options.sets = trial.sets;
    options.until = trial.until;
    options.seconds = trial.seconds;
    options.seed = trial.seed;
    options.rounds = 0;
    options.by_device = false;
    if (trial.is_first) return options;
    options.record = 0;
    options.in_gpu.clear();
    return options;
  }

  void compile_ahead(Runner& runner, std::size_t test) {
    const std::size_t ahead = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostCompiledAhead);
    for (; ahead_ <= test + ahead && ahead_ < campaign_.tests.size(); ++ahead_) {
      if (ahead_ > test) runner.compile_ahead(*campaign_.tests[ahead_], campaign_.options);
    }
  }

  void send(Kind kind, std::size_t test, const std::string& text) {
    if (!write_all(parent_, to_line({kind, test, text}))) _exit(1);
  }

  const Campaign& campaign_;
  int parent_;
  std::size_t ahead_ = 0;  ///< tests with smaller numbers are compiled, or their compilation has started
  Clock::time_point last_sign_;
};

// ---- the parent ----

class Explorers {
 public:
  Explorers(const Campaign& campaign, Exploration exploration, const ExplorationEvents& events, const Context& context)
      : campaign_(campaign),
        exploration_(std::move(exploration)),
        seed_(seed_of(campaign_, exploration_)),
        events_(events),
        context_(context) {}

  Result<bool> run() {
    for (std::size_t test = 0; test < campaign_.tests.size(); ++test) {
      exploration_.tests[test].shape = shape_of(*campaign_.tests[test]);
    }
    began_ = Clock::now();
    while (!context_.is_cancelled()) {
      if (!child_.is_started()) {
        if (auto started = start(); !started) return started;
        if (!child_.is_started()) return true;  // cancelled
      }
      const auto trial = explorer_->next(spent());
      if (!trial) return true;
      if (auto done = run(*trial); !done) return done;
    }
    return true;
  }

 private:
  double spent() const { return exploration_.spent + seconds_since(began_); }

  /// Starts a worker and waits for its device message.
  Result<bool> start() {
    Pipe pair;
    if (!make_socket(pair)) return Diagnostic{nullptr, {}, fmt::format("socketpair: {}", std::strerror(errno)), ""};
    child_ = ChildProcess([&] {
      pair.read.reset();
      TrialWorker(campaign_, pair.write.number()).work();
    });
    if (!child_.is_started()) return Diagnostic{nullptr, {}, fmt::format("fork: {}", std::strerror(errno)), ""};
    worker_ = std::move(pair.read);
    may_have_ended_ = false;
    buffer_.clear();
    while (true) {
      const Answer answer = wait();
      if (answer.kind == Answer::Kind::Cancelled) {
        child_.kill();
        return true;
      }
      if (answer.kind != Answer::Kind::Message) return Diagnostic{nullptr, {}, "the worker process did not start", ""};
      if (answer.message.kind == Kind::NoDevice) return read_error(answer.message.text);
      if (answer.message.kind != Kind::Device) continue;
      const DeviceInfo device = read_device(answer.message.text);
      if (!explorer_) {
        explorer_.emplace(exploration_.tests, portfolio_for(device.name), campaign_.options.fixed, exploration_.budget,
                          seed_);
        if (events_.on_device) events_.on_device(device);
      }
      return true;
    }
  }

  std::vector<Stress> portfolio_for(const std::string& device) const {
    std::vector<Stress> sets = portfolio(device);
    for (Stress& set : sets) set_fixed(set, campaign_.options.fixed);
    return sets;
  }

  /// The result of a wait for the worker.
  struct Answer {
    enum class Kind : std::uint8_t { Message, Silent, Gone, Cancelled } kind = Kind::Message;
    WorkerMessage message = {};
  };

  Result<bool> run(const Trial& trial) {
    if (events_.on_trial) events_.on_trial(trial.test, explorer_->lacking(), spent());
    TrialMessage message{.test = trial.test,
                         .seed = seed_ + 0x9e3779b97f4a7c15ULL * ++trials_,
                         .seconds = trial.seconds,
                         .is_first = trial.is_first,
                         .until = explorer_->missing(trial.test)};
    for (const std::size_t set : trial.sets) message.sets.push_back(explorer_->set(set));
    const Clock::time_point requested = Clock::now();
    send_to_worker(to_line(message));
    std::optional<TestEnd> end;
    while (!end) {
      const Answer answer = wait();
      if (answer.kind == Answer::Kind::Cancelled) return true;
      if (answer.kind == Answer::Kind::Gone && may_have_ended_) {
        // An earlier test may have caused the fault that ended the worker. Therefore the current test runs again.
        if (auto started = start(); !started || !child_.is_started()) return started;
        send_to_worker(to_line(message));
        continue;
      }
      end = end_of(trial, answer);
    }
    may_have_ended_ = end->kind == TestEnd::Kind::Failed;
    if (end->kind == TestEnd::Kind::Finished) {
      explorer_->take(trial, end->report);
    } else {
      explorer_->drop(trial.test);
    }
    // The next worker process begins with a new CUDA context.
    if (end->kind == TestEnd::Kind::Hang || end->kind == TestEnd::Kind::Crash) child_.kill();
    if (events_.on_end) events_.on_end(trial.test, *end, seconds_since(requested));
    return true;
  }

  /// Returns how a trial ended, according to the worker's answer. Returns nothing if the trial continues.
  std::optional<TestEnd> end_of(const Trial& trial, const Answer& answer) const {
    TestEnd end;
    switch (answer.kind) {
      case Answer::Kind::Silent:
        end.kind = TestEnd::Kind::Hang;
        end.message = fmt::format("no message for {:.0f} s: the launch was abandoned", campaign_.timeout_seconds);
        return end;
      case Answer::Kind::Cancelled:
      case Answer::Kind::Gone:
        end.kind = TestEnd::Kind::Crash;
        end.message = "the worker process died";
        return end;
      case Answer::Kind::Message: break;
    }
    if (answer.message.kind == Kind::Alive && answer.message.test == trial.test) return std::nullopt;
    return read_end(trial, answer.message);
  }

  void send_to_worker(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(worker_.number(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  static TestEnd read_end(const Trial& trial, const WorkerMessage& message) {
    TestEnd end;
    if (message.test == trial.test && message.kind == Kind::Failed) {
      end.kind = TestEnd::Kind::Failed;
      end.message = message.text;
      return end;
    }
    Result<RunReport> report = report_from_json(message.text);
    if (message.test == trial.test && message.kind == Kind::Finished && report) {
      end.report = std::move(report).value();
      return end;
    }
    end.kind = TestEnd::Kind::Crash;
    end.message = "the worker process sent a malformed message and was stopped";
    return end;
  }

  Answer wait() {
    Clock::time_point last_sign = Clock::now();
    while (true) {
      if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
        auto message = read_message(std::string_view(buffer_).substr(0, end));
        buffer_.erase(0, end + 1);
        // An unreadable message is not assigned to any test.
        return {.message = message ? *std::move(message) : WorkerMessage{Kind::Failed, campaign_.tests.size(), ""}};
      }
      if (context_.is_cancelled()) return {.kind = Answer::Kind::Cancelled};
      pollfd waiting{worker_.number(), POLLIN, 0};
      if (poll(&waiting, 1, 100) <= 0) {
        if (seconds_since(last_sign) > campaign_.timeout_seconds) return {.kind = Answer::Kind::Silent};
        continue;
      }
      if (!read_some(worker_.number(), buffer_)) return {.kind = Answer::Kind::Gone};
      last_sign = Clock::now();
    }
  }

  /// Returns the seed of a campaign. A continued campaign uses a different seed, so that it draws different parameter
  /// sets.
  static std::uint64_t seed_of(const Campaign& campaign, const Exploration& exploration) {
    const auto spent = static_cast<std::uint64_t>(std::llround(exploration.spent * 1000));
    return spent == 0 ? campaign.options.seed : combine_hash(campaign.options.seed, spent);
  }

  const Campaign& campaign_;
  Exploration exploration_;
  std::uint64_t seed_;
  const ExplorationEvents& events_;
  const Context& context_;
  std::optional<Explorer> explorer_;
  ChildProcess child_;
  Descriptor worker_;
  std::string buffer_;
  Clock::time_point began_;
  std::uint64_t trials_ = 0;
  bool may_have_ended_ = false;  ///< the worker may have ended after the previous test failed
};

}  // namespace

Result<bool> run_exploration(const Campaign& campaign, Exploration exploration, const ExplorationEvents& events,
                             const Context& context) {
  return Explorers(campaign, std::move(exploration), events, context).run();
}

}  // namespace ambit::cuda
