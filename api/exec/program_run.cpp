#include "api/exec/program_run.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>

#include "api/detectors.h"
#include "api/exec/repeated_runs.h"
#include "api/exec/temporary_folder.h"
#include "api/files.h"
#include "api/program_compiler.h"
#include "base/child_process.h"
#include "runner/cudart/fat_binary.h"
#include "runner/shadow/report_file.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The interval at which a thread that waits for a child process checks for the deadline and for interrupts.
constexpr std::chrono::duration<int, std::milli> kLook{100};

struct Ended {
  int status = 0;
  int signal = 0;
  bool has_timed_out = false;
  int start_error = 0;  ///< errno after exec failed; 0 if exec succeeded
};

/// Where the program's standard streams go.
enum class Streams : std::uint8_t {
  AsOurs,
  OutputMoved,  ///< the standard output goes to the standard error
  Nowhere,
};

void lead(Streams streams) {
  if (streams == Streams::OutputMoved) dup2(STDERR_FILENO, STDOUT_FILENO);
  if (streams != Streams::Nowhere) return;
  const int nowhere = open("/dev/null", O_RDWR);  // NOLINT: the descriptor belongs to the child
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
}

/// Starts a command with additional environment variables.
pid_t start(const std::vector<std::string>& command, const std::vector<std::pair<std::string, std::string>>& values,
            int error_pipe, Streams streams) {
  std::vector<char*> words;
  // NOLINT: exec requires this type
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  lead(streams);
  for (const auto& [name, value] : values) setenv(name.c_str(), value.c_str(), 1);
  execvp(words.front(), words.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = write(error_pipe, &error, sizeof error);
  _exit(127);
}

/// Waits until the child process has ended or its deadline has passed. An interrupt from the terminal usually reaches
/// the child as well. If the interrupt does not reach the child, this function sends SIGINT to the child a little
/// later.
Ended wait_for(pid_t child, std::optional<Clock::time_point> deadline, const std::atomic<bool>& interrupted) {
  Ended ended;
  const auto process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  bool was_interrupted = false;
  bool was_signalled = false;
  while (process >= 0) {
    pollfd wait{process, POLLIN, 0};
    if (poll(&wait, 1, kLook.count()) > 0) break;
    if (was_interrupted && !was_signalled) {
      ::kill(child, SIGINT);
      was_signalled = true;
    }
    was_interrupted = interrupted.load();
    if (deadline && Clock::now() >= *deadline) {
      ended.has_timed_out = true;
      ::kill(child, SIGKILL);
      break;
    }
  }
  if (process >= 0) close(process);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  return ended;
}

Result<Ended> run_command(const std::vector<std::string>& command,
                          const std::vector<std::pair<std::string, std::string>>& values, double seconds,
                          Streams streams, const std::atomic<bool>& interrupted) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return error_without_place("no process could be started", "close other programs");
  const pid_t child = start(command, values, ends[1], streams);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return error_without_place("no process could be started", "close other programs");
  }
  int error = 0;
  const bool has_failed = read(ends[0], &error, sizeof error) == sizeof error;
  close(ends[0]);
  std::optional<Clock::time_point> deadline;
  if (seconds > 0) deadline = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  const Ended ended = wait_for(child, deadline, interrupted);
  if (has_failed) {
    return error_without_place(fmt::format("{}: cannot be run: {}", command.front(), std::strerror(error)),
                               "name a program, a CUDA source (.cu) or PTX (.ptx)");
  }
  return ended;
}

/// Returns the path of the program's file. Searches for the file like a shell.
std::optional<std::string> program_file(const std::string& name) {
  if (name.find('/') != std::string::npos) return fs::exists(name) ? std::optional(name) : std::nullopt;
  return find_in_path(name);
}

/// Refuses programs that use the static runtime or the driver API, because the replacement does not receive their
/// calls.
std::optional<Diagnostic> refuse_static(const std::string& file) {
  const auto names = cudart::elf_section(file, ".dynstr");
  if (!names.ok()) return std::nullopt;
  const auto& bytes = names.value();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.find("libcuda.so") != std::string_view::npos) {
    return error_without_place(
        file + ": the program uses the driver API (libcuda.so), which `ambit exec` does not replace",
        "call the runtime API instead, or run the kernels alone: ambit exec --launch");
  }
  const auto code = cudart::elf_section(file, ".nv_fatbin");
  if (!code.ok() || code.value().empty()) return std::nullopt;
  if (text.find("libcudart.so") != std::string_view::npos) return std::nullopt;
  return error_without_place(
      file + ": the CUDA runtime is linked statically, so Ambit cannot replace it",
      "link again with nvcc -cudart shared (CMake: set CMAKE_CUDA_RUNTIME_LIBRARY to Shared), or run "
      "ambit nvcc");
}

/// Records how a run ended. Ignores the exit status of a run that RunCount added (`is_extra`), because the run may
/// lack the program's input. If such a run ends differently from the first run, the report mentions the
/// difference.
void note_end(const Ended& ended, std::uint64_t seed, bool is_extra, ProgramOutcome& outcome) {
  if (!is_extra) {
    if (ended.status != 0) outcome.status = ended.status;
    if (ended.signal != 0) outcome.signal = ended.signal;
    return;
  }
  if (ended.status == outcome.status && ended.signal == outcome.signal) return;
  const std::string how =
      ended.signal != 0 ? fmt::format("by signal {}", ended.signal) : fmt::format("with status {}", ended.status);
  outcome.report.remarks.push_back(
      fmt::format("the run with seed {} ended {}, unlike the first (status {})", seed, how, outcome.status));
}

ProgramReport report_of(const fs::path& file) {
  if (!fs::exists(file)) return {};
  auto read = shadow::read_report(file.string());
  if (read.ok()) return std::move(read.value());
  ProgramReport damaged;
  damaged.errors.push_back(render(read.errors()));
  return damaged;
}

/// Runs a program with the replacement runtime library.
class ProgramRuns {
 public:
  /// `request`: its command must begin with the program's path. `temporary`: a folder for reports. `library`: the
  /// runtime library's folder.
  ProgramRuns(const ProgramRequest& request, fs::path temporary, const std::string& library,
              const std::atomic<bool>& interrupted)
      : request_(request), temporary_(std::move(temporary)), watch_(request.watch), interrupted_(interrupted) {
    const char* known = std::getenv("LD_LIBRARY_PATH");
    library_path_ = library + (known != nullptr && *known != '\0' ? ":" + std::string(known) : "");
    watch_.timeout_milliseconds = static_cast<std::uint64_t>(request.timeout_seconds * 1000);
  }

  Result<ProgramReport> once(const SingleRun& run, ProgramOutcome& outcome) {
    const fs::path file = temporary_ / fmt::format("report-{}", number_++);
    watch_.report_file = file.string();
    watch_.schedule.seed = run.seed;
    watch_.strengthening = run.strengthening;
    // The runtime library ends a kernel at the time limit. If the program still runs half a second later, the program
    // is killed.
    const double host_seconds = request_.timeout_seconds > 0 ? request_.timeout_seconds + 0.5 : 0;
    const Streams streams = run.is_extra            ? Streams::Nowhere
                            : request_.moves_output ? Streams::OutputMoved
                                                    : Streams::AsOurs;
    const auto ended = run_command(request_.command,
                                   {{"LD_LIBRARY_PATH", library_path_}, {shadow::kOptionsVariable, watch_.to_text()}},
                                   host_seconds, streams, interrupted_);
    if (!ended.ok()) return ended.errors();
    note_end(ended.value(), run.seed, run.is_extra, outcome);
    outcome.has_timed_out = outcome.has_timed_out || ended.value().has_timed_out;
    return report_of(file);
  }

 private:
  const ProgramRequest& request_;
  const fs::path temporary_;
  shadow::WatchOptions watch_;
  const std::atomic<bool>& interrupted_;
  std::string library_path_;
  int number_ = 0;
};

/// Returns the folder that contains the program or the shared library with this code.
fs::path folder_of_this_code() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&runtime_folder), &info) == 0 || info.dli_fname == nullptr) return {};
  return fs::path(info.dli_fname).parent_path();
}

}  // namespace

Result<std::vector<shadow::WatchOptions::DetectorChoice>> program_detectors(const std::string& names,
                                                                            const std::vector<std::string>& options) {
  std::vector<shadow::WatchOptions::DetectorChoice> choices;
  if (names == "none") return choices;
  const auto chosen = chosen_trace_detectors({.names = names, .options = options});
  if (!chosen.ok()) return chosen.errors();
  for (const ChosenDetector& one : chosen.value()) choices.push_back({one.description->name, one.options});
  return choices;
}

Result<std::string> runtime_folder() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const fs::path here =
      fs::path(std::string(path, static_cast<std::size_t>(std::max<ssize_t>(length, 0)))).parent_path();
  const fs::path library = folder_of_this_code();
  for (const fs::path& folder : {here / "cudart", here / ".." / "lib" / "ambit" / "cudart",
                                 library / "ambit" / "cudart", library / ".." / "cudart"}) {
    if (fs::exists(folder / "libcudart.so.13")) return fs::weakly_canonical(folder).string();
  }
  return error_without_place("the replacement CUDA runtime is not installed next to this program",
                             "build the target ambit_cudart_13, or install Ambit again");
}

Result<ProgramOutcome> run_program(const ProgramRequest& request, const std::atomic<bool>& interrupted) {
  const bool is_source = request.command.front().ends_with(".cu");
  if (is_source && !fs::exists(request.command.front())) {
    return error_without_place(request.command.front() + ": no such file", "name a program, a CUDA source or PTX");
  }
  const auto folder = runtime_folder();
  if (!folder.ok()) return folder.errors();
  const auto suppressions = read_suppressions(request.suppressions, interrupted);
  if (!suppressions.ok()) return suppressions.errors();
  const TemporaryFolder temporary;
  if (temporary.path().empty())
    return error_without_place("no temporary folder could be made", "set TMPDIR to a folder with free space");
  ProgramRequest run = request;
  if (is_source) {
    auto program = compile_program({request.command.front(), request.compiler_options, request.architecture},
                                   temporary.path(), folder.value(), interrupted);
    if (!program.ok()) return program.errors();
    run.command.front() = program.value();
  }
  const auto file = program_file(run.command.front());
  if (!file) {
    const std::string& name = run.command.front();
    const bool is_executable = access(name.c_str(), X_OK) == 0;
    return error_without_place(
        name + (!is_executable && fs::exists(name) ? ": not an executable program" : ": no such program"),
        is_executable ? "write ./" + name : "name a program, a CUDA source (.cu) or PTX (.ptx)");
  }
  if (auto refused = refuse_static(*file)) return *refused;

  ProgramRuns runs(run, temporary.path(), folder.value(), interrupted);
  std::cout.flush();
  auto outcome = run_repeatedly(
      run, [&](const SingleRun& one, ProgramOutcome& ending) { return runs.once(one, ending); }, interrupted);
  if (!outcome.ok()) return outcome.errors();
  outcome.value().report.shorten_paths(fs::current_path().string());
  outcome.value().suppressed = suppress(outcome.value().report, suppressions.value());
  return outcome;
}

std::vector<SourceFilePtr> program_sources(const ProgramReport& report) {
  std::set<std::string> paths;
  const auto add = [&](const ProgramSite& site) {
    if (site.user_place < site.places.size()) paths.insert(site.places[site.user_place].file);
  };
  for (const ProgramRace& race : report.races) {
    add(race.first.site);
    add(race.second.site);
  }
  for (const ProgramFinding& finding : report.findings) add(finding.site);
  std::vector<SourceFilePtr> sources;
  for (const std::string& path : paths) {
    const auto read = read_results(path);
    if (read.ok()) sources.push_back(read.value());
  }
  return sources;
}

}  // namespace ambit::api
