#include "api/campaign/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "api/campaign/campaign.h"
#include "api/campaign/merge.h"
#include "api/campaign/part_result.h"
#include "api/campaign/part_run.h"
#include "api/campaign/work_queue.h"
#include "api/files.h"
#include "base/shared_file.h"
#include "report/logs/test_hash.h"

namespace ambit::api {
namespace {

using Clock = std::chrono::steady_clock;

/// Writes a worker's heartbeat four times in each lease time, on its own thread. If a heartbeat cannot be written, it
/// counts as missed. The destructor removes the heartbeat.
class Heart {
 public:
  Heart(WorkQueue queue, std::string worker, std::chrono::milliseconds lease_time)
      : queue_(std::move(queue)), worker_(std::move(worker)), period_(lease_time / 4) {
    thread_ = std::thread([this] { run(); });
  }
  Heart(const Heart&) = delete;
  Heart& operator=(const Heart&) = delete;
  ~Heart() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_stopped_ = true;
    }
    stopped_.notify_one();
    thread_.join();
    queue_.forget(worker_);
  }

 private:
  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stopped_.wait_for(lock, period_, [this] { return is_stopped_; })) {
      lock.unlock();
      queue_.beat();
      lock.lock();
    }
  }

  WorkQueue queue_;  ///< used only by the heartbeat thread
  std::string worker_;
  std::chrono::milliseconds period_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool is_stopped_ = false;
  std::thread thread_;
};

std::optional<Diagnostic> wrong_program(const Campaign& campaign, const WorkRequest& request) {
  const std::string own = program_hash(request.program_path);
  if (campaign.program == own) return std::nullopt;
  Diagnostic error =
      path_error(request.folder,
                 fmt::format("another program made this campaign: Ambit {} with hash {}, but this is Ambit {} with "
                             "hash {}",
                             campaign.version, campaign.program, request.version, own));
  error.hint = "start the program that made the campaign, or make a new campaign";
  return error;
}

class Worker {
 public:
  Worker(const WorkRequest& request, Campaign campaign, const std::atomic<bool>& interrupted)
      : request_(request),
        campaign_(std::move(campaign)),
        interrupted_(interrupted),
        name_(unique_process_name()),
        queue_(request.folder, name_),
        results_(request.folder),
        watch_(campaign_.lease_time) {}

  /// Returns the error that stops this worker, if any.
  std::optional<Diagnostic> run() {
    if (!queue_.beat()) {
      return path_error(request_.folder, fmt::format("cannot write into the folder: {}", std::strerror(errno)));
    }
    const Heart heart(queue_, name_, campaign_.lease_time);
    while (!interrupted_ && !is_complete_) {
      return_expired();
      const auto ticket = queue_.take();
      if (!ticket) {
        wait();
      } else if (auto error = run_chunk(*ticket)) {
        queue_.give_back(*ticket);
        return error;
      }
    }
    return std::nullopt;
  }

  const WorkDone& done() const { return done_; }
  bool is_complete() const { return is_complete_; }

 private:
  /// Runs the parts of a chunk that have no result yet. Gives the ticket back after an interrupt.
  std::optional<Diagnostic> run_chunk(const Ticket& ticket) {
    const std::uint64_t begin = ticket.chunk * campaign_.chunk;
    const std::uint64_t end = std::min(begin + campaign_.chunk, campaign_.parts);
    for (std::uint64_t part = begin; part < end; ++part) {
      if (results_.has(part)) continue;
      if (!queue_.holds(ticket)) return std::nullopt;  // the lease expired, and the chunk is with another worker
      show(campaign_.part_name(part));
      if (auto changed = changed_input(part)) return changed;
      const auto result = run_part(campaign_, part, request_.program_path, interrupted_);
      if (!result) {
        queue_.give_back(ticket);
        return std::nullopt;
      }
      if (auto error = publish(*result)) return error;
    }
    queue_.finish(ticket);
    return std::nullopt;
  }

  std::optional<Diagnostic> publish(const PartResult& result) {
    const bool is_wrong_use = !result.failure.empty() && result.status == 2;  // every part fails in this way
    if (is_wrong_use)
      return path_error(request_.folder, "the command line of the campaign is wrong: " + result.failure);
    if (!results_.has(result.part)) forget_merged(request_.folder, campaign_);
    switch (results_.publish(result)) {
      case Publication::Done: ++done_.parts; return std::nullopt;
      case Publication::Existed: return std::nullopt;
      case Publication::Failed: break;
    }
    Diagnostic error =
        path_error(results_.path(result.part), fmt::format("cannot write the result: {}", std::strerror(errno)));
    error.hint = "the folder must be on a file system with hard links, and have space";
    return error;
  }

  std::optional<Diagnostic> changed_input(std::uint64_t part) const {
    if (campaign_.command->division != Division::Files) return std::nullopt;
    const CampaignInput& input = campaign_.inputs[part];
    const auto bytes = read_bytes(input.file);
    if (!bytes) {
      Diagnostic error = path_error(input.file, fmt::format("cannot read the file: {}", std::strerror(errno)));
      error.hint = "start the worker in the folder in which ambit campaign new was started";
      return error;
    }
    if (report::text_hash(*bytes) == input.hash) return std::nullopt;
    Diagnostic error = path_error(input.file, "the file has changed since the campaign was made");
    error.hint = "make a new campaign";
    return error;
  }

  /// Returns the tickets of workers that have died to the queue.
  void return_expired() {
    const auto leases = queue_.leases();
    const auto now = Clock::now();
    for (const Lease& lease : leases) {
      if (lease.worker == name_ || !watch_.has_expired(lease, queue_.heartbeat_of(lease.worker), now)) continue;
      queue_.expire(lease);
      queue_.forget(lease.worker);
    }
    watch_.keep_only(leases);
  }

  /// Waits for other workers, because the queue is empty.
  void wait() {
    show("waiting for other workers");
    if (results_.count() >= campaign_.parts && !has_missing_part()) {
      is_complete_ = true;
      return;
    }
    restore_lost_tickets();
    // The pause is short, so that an interrupt takes effect soon, but long enough not to overload a shared file server.
    const auto pause = std::clamp<std::chrono::milliseconds>(campaign_.lease_time / 20, std::chrono::milliseconds(20),
                                                             std::chrono::milliseconds(3000));
    const auto until = Clock::now() + pause;
    while (!interrupted_ && Clock::now() < until) {
      std::this_thread::sleep_for(std::min(pause, std::chrono::milliseconds(100)));
    }
  }

  bool has_missing_part() const {
    for (std::uint64_t part = 0; part < campaign_.parts; ++part) {
      if (!results_.has(part)) return true;
    }
    return false;
  }

  /// Makes tickets for parts that have neither a result nor a ticket: for example, the user removed a damaged result. A
  /// listing of a shared folder can be old, so the worker first waits for a lease time. A superfluous ticket is
  /// harmless, because only the first result of a part counts.
  void restore_lost_tickets() {
    const auto now = Clock::now();
    const bool has_tickets = !queue_.leases().empty() || !queue_.queued().empty();
    if (has_tickets || !lost_since_) lost_since_ = now;
    if (now - *lost_since_ < campaign_.lease_time) return;
    lost_since_.reset();
    for (std::uint64_t part = 0; part < campaign_.parts; ++part) {
      if (!results_.has(part)) queue_.add(part / campaign_.chunk);
    }
  }

  void show(const std::string& current) {
    if (!request_.on_progress) return;
    const auto now = Clock::now();
    if (now >= next_count_) {
      known_done_ = results_.count();
      next_count_ = now + std::chrono::seconds(2);
    }
    request_.on_progress(known_done_, campaign_.parts, current);
  }

  const WorkRequest& request_;
  const Campaign campaign_;
  const std::atomic<bool>& interrupted_;
  const std::string name_;
  WorkQueue queue_;
  PartResults results_;
  LeaseWatch watch_;
  WorkDone done_;
  bool is_complete_ = false;
  std::optional<Clock::time_point> lost_since_;  ///< when this worker first saw a part without result or ticket
  std::uint64_t known_done_ = 0;
  Clock::time_point next_count_{};
};

}  // namespace

Result<WorkDone> work_on_campaign(const WorkRequest& request, const std::atomic<bool>& interrupted) {
  auto campaign = read_campaign(request.folder);
  if (!campaign.ok()) return campaign.errors();
  if (auto wrong = wrong_program(campaign.value(), request)) return *std::move(wrong);
  WorkDone done;
  {
    Worker worker(request, campaign.value(), interrupted);
    if (auto error = worker.run()) return *std::move(error);
    done = worker.done();
    done.is_complete = worker.is_complete();
  }
  if (!done.is_complete) return done;
  const auto path = write_merged(request.folder);
  if (!path.ok()) return path.errors();
  done.result = path.value();
  return done;
}

}  // namespace ambit::api
