#include "runner/cuda/worker/isolated.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "base/child_process.h"
#include "base/descriptor.h"
#include "runner/cuda/launch/runner.h"
#include "runner/cuda/worker/report_json.h"
#include "runner/cuda/worker/worker_message.h"

namespace ambit::cuda {
namespace {

using Clock = std::chrono::steady_clock;

using MessageKind = WorkerMessage::Kind;

/// Number of tests whose kernels are compiled in advance while another test runs, if there are enough cores.
constexpr std::size_t kMostAhead = 4;

std::string plain_text(const Diagnostics& errors) {
  std::string text;
  for (const Diagnostic& error : errors) text += error.render();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// ---- the worker ----

class Worker {
 public:
  Worker(const Campaign& campaign, int out) : campaign_(campaign), out_(out) {}

  void work(std::size_t first) {
    auto runner = Runner::open(campaign_.devices, campaign_.cache_folder, campaign_.checks_machine_code);
    if (!runner) return send(MessageKind::NoDevice, first, error_text(runner.errors().front()));
    send(MessageKind::Device, first, device_text(runner.value()->device()));
    const std::size_t ahead = std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, kMostAhead);
    for (std::size_t test = first; test < campaign_.tests.size(); ++test) {
      send(MessageKind::Alive, test, "");
      for (std::size_t next = test + 1; next <= test + ahead && next < campaign_.tests.size(); ++next) {
        runner.value()->compile_ahead(*campaign_.tests[next], campaign_.options);
      }
      last_report_ = Clock::now();
      const auto report = runner.value()->run(*campaign_.tests[test], campaign_.options, [&](const RunReport& so_far) {
        tell(test, so_far);
        return true;
      });
      if (report) {
        send(MessageKind::Finished, test, report_to_json(report.value()));
        continue;
      }
      send(MessageKind::Failed, test, plain_text(report.errors()));
      // After a kernel's fault, every call in the context returns that fault.
      if (!runner.value()->is_healthy()) return;
    }
  }

 private:
  void tell(std::size_t test, const RunReport& report) {
    const bool is_new = report.launches == 0 || !(report.current == reported_);
    if (!is_new && Clock::now() - last_report_ < std::chrono::milliseconds(200))
      return send(MessageKind::Alive, test, "");
    last_report_ = Clock::now();
    reported_ = report.current;
    send(MessageKind::Progress, test, report_to_json(report));
  }

  void send(MessageKind kind, std::size_t test, const std::string& text) {
    if (!write_all(out_, to_line({kind, test, text}))) _exit(1);
  }

  const Campaign& campaign_;
  int out_;
  Clock::time_point last_report_;
  Stress reported_;
};

// ---- the parent ----

class Parent {
 public:
  Parent(const Campaign& campaign, const CampaignEvents& events, const Context& context)
      : campaign_(campaign), events_(events), context_(context) {}

  Result<bool> run() {
    while (next_ < campaign_.tests.size() && !context_.is_cancelled()) {
      if (auto started = start(); !started) return started;
      if (auto watched = watch(); !watched) return watched;
      child_.kill();  // the next worker needs the device
    }
    return true;
  }

 private:
  Result<bool> start() {
    Pipe pipe;
    if (!make_pipe(pipe)) return Diagnostic{nullptr, {}, fmt::format("pipe: {}", std::strerror(errno)), ""};
    child_ = ChildProcess([&] {
      pipe.read.reset();
      Worker(campaign_, pipe.write.number()).work(next_);
    });
    if (!child_.is_started()) return Diagnostic{nullptr, {}, fmt::format("fork: {}", std::strerror(errno)), ""};
    in_ = std::move(pipe.read);
    buffer_.clear();
    is_understood_ = true;
    report_ = {};
    last_sign_ = Clock::now();
    return true;
  }

  /// Receives the messages of a worker until the worker ends.
  Result<bool> watch() {
    while (next_ < campaign_.tests.size()) {
      if (context_.is_cancelled()) {
        end(TestEnd::Kind::Interrupted, "");
        return true;
      }
      pollfd waiting{in_.number(), POLLIN, 0};
      const int ready = poll(&waiting, 1, 100);
      if (ready <= 0) {
        // Checks the timeout only after poll() has found no data, because this process may have been busy with the last
        // test's report.
        const double silent = std::chrono::duration<double>(Clock::now() - last_sign_).count();
        if (silent > campaign_.timeout_seconds) {
          end(TestEnd::Kind::Hang, fmt::format("no message for {:.0f} s: the launch was abandoned", silent));
          return true;
        }
        continue;
      }
      if (!read_some(in_.number(), buffer_)) {
        if (!is_expected_end_) end(TestEnd::Kind::Crash, "the worker process died");
        is_expected_end_ = false;
        return true;
      }
      last_sign_ = Clock::now();
      if (auto taken = take_lines(); !taken) return taken;
      if (!is_understood_) {
        end(TestEnd::Kind::Crash, "the worker process sent a malformed message and was stopped");
        return true;
      }
    }
    return true;
  }

  Result<bool> take_lines() {
    std::size_t begin = 0;
    for (std::size_t end = 0; is_understood_ && (end = buffer_.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      const auto message = read_message(std::string_view(buffer_).substr(begin, end - begin));
      // Rejects a message about another test, because the message's result would be assigned to this test.
      is_understood_ = message && message->test == next_;
      if (!is_understood_) break;
      if (auto taken = take(*message); !taken) return taken;
    }
    buffer_.erase(0, begin);
    return true;
  }

  Result<bool> take(const WorkerMessage& message) {
    is_expected_end_ = message.kind == MessageKind::Failed;
    switch (message.kind) {
      case MessageKind::Alive: break;
      case MessageKind::NoDevice: return read_error(message.text);
      case MessageKind::Device: report_device(message.text); break;
      case MessageKind::Failed: end(TestEnd::Kind::Failed, message.text); break;
      case MessageKind::Progress:
      case MessageKind::Finished: {
        Result<RunReport> report = report_from_json(message.text);
        is_understood_ = report.ok() || message.kind == MessageKind::Progress;
        if (!report.ok()) break;
        report_ = std::move(report).value();
        if (message.kind == MessageKind::Finished) {
          end(TestEnd::Kind::Finished, "");
        } else if (events_.on_progress) {
          events_.on_progress(next_, report_);
        }
        break;
      }
    }
    return true;
  }

  void report_device(const std::string& text) {
    if (events_.on_device && !has_reported_device_) events_.on_device(read_device(text));
    has_reported_device_ = true;
  }

  void end(TestEnd::Kind kind, std::string message) {
    if (events_.on_end) events_.on_end(next_, {kind, std::move(message), std::move(report_)});
    report_ = {};
    ++next_;
  }

  const Campaign& campaign_;
  const CampaignEvents& events_;
  const Context& context_;
  std::size_t next_ = 0;  ///< number of the current test
  ChildProcess child_;
  Descriptor in_;
  std::string buffer_;
  RunReport report_;
  Clock::time_point last_sign_;
  bool has_reported_device_ = false;
  bool is_expected_end_ = false;
  bool is_understood_ = true;  ///< all messages of the worker so far were valid
};

}  // namespace

Result<bool> run_campaign(const Campaign& campaign, const CampaignEvents& events, const Context& context) {
  return Parent(campaign, events, context).run();
}

}  // namespace ambit::cuda
