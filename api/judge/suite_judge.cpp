#include "api/judge/suite_judge.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

#include "api/exec/temporary_folder.h"
#include "api/judge/candidate_judge.h"
#include "api/judge/suite_tasks.h"
#include "base/child_process.h"
#include "base/context.h"
#include "parser/cat/model_store.h"
#include "report/json/kernel_scores_json.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using Clock = Context::Clock;
using report::KernelScore;
using report::KernelVerdict;

/// The interval, in microseconds, at which the parent checks whether child processes have ended.
constexpr useconds_t kLook = 10'000;
/// A child process that is still running this number of seconds after the time limit of its task is killed.
constexpr double kGraceSeconds = 2;

/// A file to judge.
struct Job {
  std::size_t task = 0;
  std::optional<std::size_t> candidate;  ///< absent for the reference
  enum class State : std::uint8_t { Waiting, Running, Done } state = State::Waiting;
};

class SuiteRun {
 public:
  SuiteRun(const SuiteRequest& request, std::vector<SuiteTask> tasks, fs::path folder,
           const std::atomic<bool>& interrupted)
      : request_(request), tasks_(std::move(tasks)), folder_(std::move(folder)), interrupted_(interrupted) {
    scores_.suite = request.folder;
    scores_.timeout_seconds = request.timeout_seconds;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      report::ScoredTask& scored = scores_.tasks.emplace_back();
      scored.name = tasks_[i].name;
      scored.reference = unanswered(tasks_[i].reference);
      jobs_.push_back({i, std::nullopt});
      for (std::size_t j = 0; j < tasks_[i].candidates.size(); ++j) {
        scored.candidates.push_back(unanswered(tasks_[i].candidates[j]));
        jobs_.push_back({i, j});
      }
    }
  }

  report::KernelScores run() {
    const Clock::time_point begin = Clock::now();
    while (count(Job::State::Done) < jobs_.size()) {
      if (interrupted_.load()) {
        scores_.was_interrupted = true;
        break;
      }
      if (request_.timeout_seconds && Clock::now() - begin >= time_limit(*request_.timeout_seconds)) {
        scores_.has_timed_out = true;
        break;
      }
      start_jobs();
      show_progress();
      usleep(kLook);
      end_jobs();
    }
    return std::move(scores_);  // the destructors of the child processes kill them
  }

 private:
  struct Child {
    std::size_t job = 0;
    ChildProcess process;
    std::string answer;  ///< the file for its score
  };

  static KernelScore unanswered(const std::string& file) {
    KernelScore score;
    score.file = file;
    score.reason = "not judged: the time of the command was over, or the command was interrupted";
    return score;
  }

  std::size_t count(Job::State state) const {
    return static_cast<std::size_t>(std::ranges::count(jobs_, state, &Job::state));
  }

  KernelScore& score_of(const Job& job) {
    report::ScoredTask& task = scores_.tasks[job.task];
    return job.candidate ? task.candidates[*job.candidate] : task.reference;
  }

  /// Returns whether the candidate's reference was judged.
  bool is_ready(const Job& job) const {
    return !job.candidate || std::ranges::any_of(jobs_, [&](const Job& other) {
      return other.task == job.task && !other.candidate && other.state == Job::State::Done;
    });
  }

  void show_progress() {
    if (!request_.progress || children_.empty()) return;
    const Job& job = jobs_[children_.front().job];
    request_.progress(count(Job::State::Done), jobs_.size(),
                      fmt::format("{}/{}", tasks_[job.task].name, score_of(job).file));
  }

  void start_jobs() {
    for (std::size_t i = 0; i < jobs_.size() && children_.size() < request_.jobs; ++i) {
      if (jobs_[i].state != Job::State::Waiting || !is_ready(jobs_[i])) continue;
      if (!start(i)) {
        score_of(jobs_[i]).reason = "no process could be started (hint: close other programs)";
        jobs_[i].state = Job::State::Done;
      }
    }
  }

  bool start(std::size_t index) {
    Job& job = jobs_[index];
    const fs::path folder = folder_ / fmt::format("job-{}", index);
    std::error_code error;
    if (!fs::create_directory(folder, error)) return false;
    const std::string answer = (folder / "score.json").string();
    ChildProcess process([&] { judge_in_child(job, folder.string(), answer); });
    if (!process.is_started()) return false;
    children_.push_back({index, std::move(process), answer});
    job.state = Job::State::Running;
    return true;
  }

  /// Judges a file in the child process, and writes its score.
  void judge_in_child(const Job& job, const std::string& folder, const std::string& answer) const {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // The parent removes this folder, even after it has killed the child. NOLINTNEXTLINE(concurrency-mt-unsafe)
    setenv("TMPDIR", folder.c_str(), 1);
    const SuiteTask& task = tasks_[job.task];
    const std::string expected = (folder_ / fmt::format("expected-{}", job.task)).string();
    KernelScore score;
    try {
      CandidateJudge judge(task, request_.checking, expected, folder, interrupted_);
      judge.set_limit_begins(
          [&] { alarm(static_cast<unsigned>(std::ceil(task.file.timeout_seconds + kGraceSeconds))); });
      score = job.candidate ? judge.judge_candidate(task.candidates[*job.candidate]) : judge.judge_reference();
    } catch (const std::bad_alloc&) {
      score = unanswered(job.candidate ? task.candidates[*job.candidate] : task.reference);
      score.reason = "memory ran out";
    }
    std::ofstream(answer, std::ios::binary) << report::kernel_score_json(score);
  }

  void end_jobs() {
    for (std::size_t i = children_.size(); i-- > 0;) {
      if (!children_[i].process.has_ended()) continue;
      Child child = std::move(children_[i]);
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
      const int status = child.process.kill();
      Job& job = jobs_[child.job];
      job.state = Job::State::Done;
      read_score(child.answer, status, job);
      std::error_code ignored;
      fs::remove_all(fs::path(child.answer).parent_path(), ignored);
    }
  }

  void read_score(const std::string& answer, int status, const Job& job) {
    KernelScore& score = score_of(job);
    std::ifstream in(answer, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    if (auto read = report::read_kernel_score(text)) {
      score = std::move(*read);
      return;
    }
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGALRM) {
      score.verdict = KernelVerdict::TimedOut;
      score.reason = fmt::format("did not end within {} seconds (hint: raise timeout_seconds in task.json)",
                                 tasks_[job.task].file.timeout_seconds);
    } else if (signal == SIGKILL) {
      score.reason = "the system killed the process; memory may have run out";
    } else {
      scores_.has_failed = true;
      score.reason =
          fmt::format("internal error: signal {}. This is a bug in Ambit: please report it with this file", signal);
    }
  }

  const SuiteRequest& request_;
  const std::vector<SuiteTask> tasks_;
  const fs::path folder_;
  const std::atomic<bool>& interrupted_;
  std::vector<Job> jobs_;
  std::vector<Child> children_;
  report::KernelScores scores_;
};

}  // namespace

Result<report::KernelScores> judge_suite(const SuiteRequest& request, const std::atomic<bool>& interrupted) {
  auto tasks = read_suite(request.folder, interrupted);
  if (!tasks.ok()) return tasks.errors();
  if (!request.checking.models.empty()) {
    parser::ModelStore store;
    const auto models = store.load_all(request.checking.models);
    if (!models.ok()) return models.errors();
  }
  const TemporaryFolder folder;
  if (folder.path().empty()) {
    return error_without_place("no temporary folder could be made", "set TMPDIR to a folder with free space");
  }
  return SuiteRun(request, std::move(tasks.value()), folder.path(), interrupted).run();
}

int exit_status(const report::KernelScores& scores) {
  const auto counts = scores.counts();
  const auto is_counted_wrong = [](const auto& one) { return one.second > 0 && report::is_wrong(one.first); };
  if (scores.has_failed) return 4;
  if (std::ranges::any_of(counts, is_counted_wrong)) return 1;
  if (scores.has_useless_reference()) return 2;
  return counts.contains(KernelVerdict::Unknown) || counts.contains(KernelVerdict::TimedOut) ? 3 : 0;
}

}  // namespace ambit::api
