#include "api/campaign/part_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "api/campaign/scratch_folder.h"
#include "base/child_process.h"
#include "base/descriptor.h"
#include "base/exchange.h"
#include "base/shared_file.h"
#include "base/trimmed.h"

namespace ambit::api {
namespace {

constexpr int kNotStarted = 127;

/// How a child process ended, and what it printed.
struct ChildEnd {
  bool is_interrupted = false;
  bool is_started = false;
  int status = 0;  ///< the status from waitpid()
  std::string out;
  std::string errors;
};

/// Blocks SIGINT and SIGTERM in a forked child; async-signal-safe. Slurm sends SIGTERM to all processes of a job. If a
/// part handled SIGTERM, the part would end with an incomplete result. Instead, the worker kills the part.
void block_interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
}

/// Runs a program until the program ends or `interrupted` becomes true. Sets no time or memory limit: each command of a
/// campaign sets its own limits.
ChildEnd run_program(const std::vector<std::string>& arguments, const std::atomic<bool>& interrupted) {
  ChildEnd end;
  Pipe in;
  Pipe out;
  const Descriptor errors(memfd_create("ambit-errors", MFD_CLOEXEC));
  if (!make_socket(in) || !make_pipe(out) || !errors.is_open()) return end;
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ChildProcess child([&] {
    enter_child(in.read.number(), out.write.number(), errors.number());
    block_interrupts();
    execv(argv[0], argv.data());
    _exit(kNotStarted);
  });
  if (!child.is_started()) return end;
  in.read.reset();
  out.write.reset();
  ChildLimits limits;
  limits.time = std::chrono::hours(24 * 365);
  limits.output = std::numeric_limits<std::size_t>::max();
  Waiter waiter;
  waiter.cancelled = &interrupted;
  const auto how =
      Exchange(std::move(in.write), std::move(out.read), "", limits, waiter).run(end.out, Exchange::Until::Closed);
  while (how == ChildResult::End::Exited && !child.has_ended() && !interrupted) usleep(2000);
  end.is_interrupted = how != ChildResult::End::Exited || !child.has_ended();
  end.status = child.kill();
  end.is_started = true;
  lseek(errors.number(), 0, SEEK_SET);
  while (read_some(errors.number(), end.errors)) {}
  return end;
}

bool is_document(const std::string& text, std::string_view list) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return json.is_object() && json.contains(list) && json[std::string(list)].is_array();
}

/// Returns the first lines of a text, for a message.
std::string beginning(const std::string& text) {
  constexpr std::size_t kLongest = 2000;
  return std::string(trimmed(text.substr(0, kLongest)));
}

/// Runs a part once.
std::optional<PartResult> run_once(const Campaign& campaign, std::uint64_t part, const std::string& program,
                                   const std::atomic<bool>& interrupted) {
  const bool has_log = campaign.command->division == Division::Shards;
  const ScratchFolder folder;
  const std::string log = folder.path() + "/log";
  ChildEnd end = run_program(command_line(campaign, part, program, log), interrupted);
  if (end.is_interrupted) return std::nullopt;
  PartResult result;
  result.part = part;
  if (!end.is_started) {
    result.failure = "the process could not be started";
  } else if (WIFSIGNALED(end.status)) {
    result.failure = fmt::format("signal {} ended the process", WTERMSIG(end.status));
  } else {
    result.status = WEXITSTATUS(end.status);
    result.output = has_log ? read_bytes(log).value_or("") : std::move(end.out);
    const bool has_result = has_log ? !result.output.empty() : is_document(result.output, campaign.command->list);
    if (!has_result) {
      const std::string errors = beginning(end.errors);
      result.failure = errors.empty() ? fmt::format("exit status {}, and no result", result.status) : errors;
    }
  }
  if (!result.failure.empty()) result.output.clear();
  return result;
}

}  // namespace

std::vector<std::string> command_line(const Campaign& campaign, std::uint64_t part, const std::string& program,
                                      const std::string& log) {
  std::vector<std::string> line = {program, std::string(campaign.command->name)};
  line.insert(line.end(), campaign.words.begin(), campaign.words.end());
  if (campaign.command->division == Division::Shards) {
    const std::string shard = fmt::format("{}/{}", part + 1, campaign.parts);
    for (const std::string& word : {std::string("--shard"), shard, std::string("--log"), log}) line.push_back(word);
    return line;
  }
  const std::string format(campaign.command->format);
  if (!format.empty() && std::ranges::find(campaign.words, format) == campaign.words.end()) line.push_back(format);
  line.emplace_back("--");  // the file's name may begin with '-'
  line.push_back(campaign.inputs.at(part).file);
  return line;
}

std::optional<PartResult> run_part(const Campaign& campaign, std::uint64_t part, const std::string& program,
                                   const std::atomic<bool>& interrupted) {
  auto result = run_once(campaign, part, program, interrupted);
  const bool has_crashed = result && !result->failure.empty() && result->status == 0;
  return has_crashed ? run_once(campaign, part, program, interrupted) : result;
}

}  // namespace ambit::api
