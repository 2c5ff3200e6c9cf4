#include "base/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "base/descriptor.h"

namespace ambit {
namespace {

constexpr int kFirstOther = STDERR_FILENO + 1;
constexpr int kThreads = 2;       // A child that answers requests runs two threads (ChildLimits::time).
constexpr int kNotStarted = 127;  // A shell that cannot start a program also returns 127.

/// The address sanitizer reserves terabytes of address space, so a limit on the address space would end the process.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kHasAddressSanitizer = true;  // g++
#elif defined(__has_feature)
constexpr bool kHasAddressSanitizer = __has_feature(address_sanitizer);  // clang++
#else
constexpr bool kHasAddressSanitizer = false;
#endif

void limit(decltype(RLIMIT_CPU) what, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(what, &both);
}

/// Returns pointers into `arguments`, for execv().
std::vector<char*> pointers_of(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Waits up to a second for the end of a child that has closed its output.
void wait_for(const ChildProcess& child) {
  constexpr int kPatience = 200;  // times 5 ms
  for (int i = 0; i < kPatience && !child.has_ended(); ++i) usleep(i == 0 ? 500 : 5000);
}

}  // namespace

ChildProcess::ChildProcess(const std::function<void()>& work, Life life) {
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ != 0) {
    if (id_ > 0) setpgid(id_, id_);  // both processes call setpgid, because either may run first
    return;
  }
  setpgid(0, 0);
  if (life == Life::OfThread) prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (life == Life::OfThread && getppid() != parent) _exit(1);  // the parent died before prctl
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) signal(number, SIG_DFL);
  [&]() noexcept { work(); }();  // an exception must not unwind the copy of the parent's stack
  _exit(0);
}

bool ChildProcess::has_ended() const {
  siginfo_t about{};  // WNOWAIT: the process stays a zombie and keeps its id until kill()
  return id_ <= 0 ||
         (waitid(P_PID, static_cast<id_t>(id_), &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid == id_);
}

int ChildProcess::kill() {
  int status = 0;
  if (id_ <= 0) return status;
  ::kill(-id_, SIGKILL);
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {}
  id_ = -1;
  return status;
}

ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input, const ChildLimits& limits,
                      const Waiter& waiter, Errors errors) {
  ChildResult result;
  Pipe in;
  Pipe out;
  if (!make_socket(in) || !make_pipe(out)) return result;
  const std::vector<char*> argv = pointers_of(arguments);
  ChildProcess child([&] {
    enter_child(in.read.number(), out.write.number(), errors);
    take_limits(limits);
    execv(argv[0], argv.data());
    _exit(kNotStarted);
  });
  if (!child.is_started()) return result;
  in.read.reset();
  out.write.reset();
  result.end = Exchange(std::move(in.write), std::move(out.read), input, limits, waiter)
                   .run(result.out, Exchange::Until::Closed);
  if (result.end != ChildResult::End::Exited) return result;
  wait_for(child);
  const int status = child.kill();
  if (!WIFEXITED(status)) {
    result.end = ChildResult::End::Crashed;
  } else {
    result.status = WEXITSTATUS(status);
  }
  return result;
}

ChildProcess start_program(const std::vector<std::string>& arguments, int in) {
  const std::vector<char*> argv = pointers_of(arguments);
  return ChildProcess(
      [&] {
        enter_child(in, open("/dev/null", O_WRONLY));
        execv(argv[0], argv.data());
        _exit(kNotStarted);
      },
      ChildProcess::Life::Own);
}

void enter_child(int in, int out, Errors errors) {
  enter_child(in, out, errors == Errors::Kept ? out : open("/dev/null", O_WRONLY));
}

void enter_child(int in, int out, int errors) {
  const int input = fcntl(in, F_DUPFD, kFirstOther);  // the descriptors `in` and `out` may already be standard streams
  const int output = fcntl(out, F_DUPFD, kFirstOther);
  const int error_output = fcntl(errors, F_DUPFD, kFirstOther);
  if (input < 0 || output < 0 || error_output < 0) _exit(kNotStarted);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(error_output, STDERR_FILENO);
  close_range(kFirstOther, ~0U, 0);
  signal(SIGXFSZ, SIG_IGN);  // without this call, a failed write to a cache (fontconfig) would kill the process
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void take_limits(const ChildLimits& limits) {
  if (!kHasAddressSanitizer) limit(RLIMIT_AS, limits.memory);
  limit(RLIMIT_CPU, static_cast<rlim_t>(kThreads * limits.time.count() / 1000 + 2));
  if (!limits.can_write_files) limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
}

void forbid_opening() {
  // The undefined-behaviour sanitizer opens a pipe to test whether an object is readable. A build that has the address
  // sanitizer also has the undefined-behaviour sanitizer.
  if (!kHasAddressSanitizer) limit(RLIMIT_NOFILE, 0);
}

std::optional<std::string> find_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): no code in Ambit sets PATH
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = (folder.empty() ? "." : folder) + "/" + program;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

}  // namespace ambit
