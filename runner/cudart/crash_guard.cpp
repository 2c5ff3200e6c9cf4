#include "runner/cudart/crash_guard.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runner/shadow/report_file.h"

namespace ambit::cudart {

/// A signal handler can access only objects with static storage and may call few functions. Therefore the text of the
/// note is prepared in advance, except for the signal's number.
struct GuardState {
  static constexpr std::size_t kNumberOfSignals = 5;
  std::array<struct sigaction, kNumberOfSignals> before = {};
  stack_t stack_before = {};
  pid_t thread = 0;
  int report_file = -1;
  const virtual_gpu::Memory* memory = nullptr;
  std::string note;  ///< text of the note up to the signal's number
  std::string host_note;
  std::array<char, 64U << 10U> stack = {};  ///< a stack for the handler, because the thread's own stack may be full

  static GuardState& get() {
    static GuardState instance;
    return instance;
  }
  /// Returns whether the guarded thread caused the fault.
  bool is_own(const siginfo_t& info) const {
    if (gettid() != thread) return false;
    return info.si_code > 0 || (info.si_code == SI_TKILL && info.si_pid == getpid());
  }
  bool is_host_memory(const siginfo_t& info) const {
    if (info.si_signo != SIGSEGV && info.si_signo != SIGBUS) return false;
    const auto* found = memory->find(reinterpret_cast<std::uint64_t>(info.si_addr), 1);
    return found != nullptr && found->kind == virtual_gpu::AllocationKind::Host;
  }
  void append(const std::string& begin, int number) const {
    char line[8192];
    std::size_t end = std::min(begin.size(), sizeof line - 8);
    std::memcpy(line, begin.data(), end);
    if (number >= 10) line[end++] = static_cast<char>('0' + number / 10);
    line[end++] = static_cast<char>('0' + number % 10);
    line[end++] = '}';
    line[end++] = '\n';
    [[maybe_unused]] const ssize_t ignored = write(report_file, line, end);
  }
  static void on_signal(int number, siginfo_t* info, void* /*context*/) {
    const GuardState& state = get();
    const auto& numbers = CrashGuard::kNumbers;
    const auto index = static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), number) - numbers.begin());
    if (state.report_file >= 0 && state.is_own(*info))
      state.append(state.is_host_memory(*info) ? state.host_note : state.note, number);
    // A fault occurs again after the handler returns; a signal from a process does not, so raise() repeats the signal.
    sigaction(number, &state.before[index], nullptr);
    if (info->si_code <= 0) raise(number);
  }
};

CrashGuard::CrashGuard(int report_file, const std::string& kernel, std::uint64_t launch,
                       const virtual_gpu::Memory& memory) {
  static_assert(kNumbers.size() == GuardState::kNumberOfSignals);
  GuardState& state = GuardState::get();
  state.thread = gettid();
  state.report_file = report_file;
  state.memory = &memory;
  state.note = shadow::crash_note(kernel, launch, false);
  state.host_note = shadow::crash_note(kernel, launch, true);
  stack_t stack = {};
  stack.ss_sp = state.stack.data();
  stack.ss_size = state.stack.size();
  sigaltstack(&stack, &state.stack_before);
  struct sigaction action = {};
  action.sa_sigaction = GuardState::on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  for (std::size_t i = 0; i < kNumbers.size(); ++i) sigaction(kNumbers[i], &action, &state.before[i]);
}

CrashGuard::~CrashGuard() {
  GuardState& state = GuardState::get();
  for (std::size_t i = 0; i < kNumbers.size(); ++i) sigaction(kNumbers[i], &state.before[i], nullptr);
  sigaltstack(&state.stack_before, nullptr);
  state.thread = 0;
}

}  // namespace ambit::cudart
