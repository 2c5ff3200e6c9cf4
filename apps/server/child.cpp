#include "apps/server/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "apps/server/descriptor.h"
#include "apps/server/exchange.h"

namespace ambit::server {
namespace {

constexpr int kFirstOther = STDERR_FILENO + 1;
constexpr int kThreads = 2;       // of a child that answers: see ChildLimits::time
constexpr int kNotStarted = 127;  // as shells say it

void limit(decltype(RLIMIT_CPU) what, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(what, &both);
}

/// For execv(): points into `arguments`.
std::vector<char*> pointers_of(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// The status of a child that has closed its output. One that then does not end, though it `should`, is killed.
int wait_for(pid_t child, bool should) {
  constexpr int kPatience = 200;  // times 5 ms
  int status = 0;
  for (int i = 0; should && i < kPatience; ++i) {
    if (waitpid(child, &status, WNOHANG) == child) return status;
    usleep(i == 0 ? 500 : 5000);
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input, const ChildLimits& limits,
                      const Waiter& waiter) {
  ChildResult result;
  Pipe in;
  Pipe out;
  if (!make_socket(in) || !make_pipe(out)) return result;
  const std::vector<char*> argv = pointers_of(arguments);
  const pid_t child = fork();
  if (child < 0) return result;
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);  // an interrupt from the terminal is ours to answer: neato would write a picture cut short, status 0
    enter_child(in.read.number(), out.write.number());
    take_limits(limits);
    execv(argv[0], argv.data());
    _exit(kNotStarted);
  }
  in.read.reset();
  out.write.reset();
  result.end = Exchange(std::move(in.write), std::move(out.read), input, limits, waiter)
                   .run(result.out, Exchange::Until::Closed);
  const int status = wait_for(child, result.end == ChildResult::End::Exited);
  if (result.end != ChildResult::End::Exited) return result;
  if (!WIFEXITED(status)) {
    result.end = ChildResult::End::Crashed;
  } else {
    result.status = WEXITSTATUS(status);
  }
  return result;
}

pid_t start_program(const std::vector<std::string>& arguments, int in) {
  const std::vector<char*> argv = pointers_of(arguments);
  const pid_t child = fork();
  if (child != 0) return child;
  enter_child(in, open("/dev/null", O_WRONLY));
  execv(argv[0], argv.data());
  _exit(kNotStarted);
}

void enter_child(int in, int out) {
  const int input = fcntl(in, F_DUPFD, kFirstOther);  // where they were standard streams themselves
  const int output = fcntl(out, F_DUPFD, kFirstOther);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (input < 0 || output < 0 || nowhere < 0) _exit(kNotStarted);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close_range(kFirstOther, ~0U, 0);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_IGN);  // a cache that cannot be written (fontconfig) is no reason to die
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void take_limits(const ChildLimits& limits) {
#ifndef __SANITIZE_ADDRESS__  // which takes terabytes of addresses
  limit(RLIMIT_AS, limits.memory);
#endif
  limit(RLIMIT_CPU, static_cast<rlim_t>(kThreads * limits.time.count() / 1000 + 2));
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
}

void forbid_opening() { limit(RLIMIT_NOFILE, 0); }

}  // namespace ambit::server
