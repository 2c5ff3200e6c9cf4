#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "api/campaign/campaign.h"
#include "api/campaign/job_file.h"
#include "api/campaign/merge.h"
#include "api/campaign/worker.h"
#include "api/files.h"
#include "apps/cli/campaign_words.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "base/deadline_flag.h"
#include "base/plural.h"

namespace ambit::cli {
namespace {

namespace fs = std::filesystem;

struct CampaignCommand {
  std::string folder;
  std::vector<std::string> words;  ///< words of the command line to share
  api::CampaignRequest request;
  api::JobSystem system = api::JobSystem::Slurm;
  std::uint64_t workers = 4;
  std::string output;  ///< output file; if empty, the standard output
  double seconds = 0;  ///< time limit of a worker; 0 for no limit
  bool quiet = false;
};

std::string own_program() { return fs::read_symlink("/proc/self/exe").string(); }

int run_new(CampaignCommand& command, Command declared) {
  CommandWords divided = divide_command_line(command.words);
  api::CampaignRequest& request = command.request;
  request.command = divided.command;
  request.options = divided.options;
  const auto* known = api::find_campaign_command(divided.command, divided.options);
  if (known != nullptr && known->division == api::Division::Files) {
    if (declared.find_option("--parts").is_given()) {
      throw UsageError("--parts", fmt::format("ambit {} has a part for each file", divided.command));
    }
    request.words = divided.rest;
    request.paths = divided.arguments;
  } else {
    request.words.assign(command.words.begin() + 1, command.words.end());
  }
  request.version = AMBIT_VERSION;
  request.program_path = own_program();
  const auto made = api::create_campaign(command.folder, request);
  if (!made.ok()) return bad_input(made.errors());
  const api::Campaign& campaign = made.value();
  std::cout << fmt::format("{} in {}\n", plural(campaign.parts, "part"), plural(campaign.chunks(), "chunk"))
            << fmt::format("a worker:  ambit campaign work {}\n", command.folder)
            << fmt::format("job files: ambit campaign jobs {} slurm|mpi|kubernetes\n", command.folder);
  return kOk;
}

int run_work(const CampaignCommand& command) {
  std::optional<Progress> progress;
  api::WorkRequest request{.folder = command.folder, .version = AMBIT_VERSION, .program_path = own_program()};
  request.on_progress = [&](std::uint64_t done, std::uint64_t all, const std::string& current) {
    if (!progress) progress.emplace(Progress::mode_of(command.quiet), all);
    progress->show(done, current);
  };
  const auto limit = std::chrono::milliseconds(static_cast<std::int64_t>(command.seconds * 1000));
  const DeadlineFlag stopped(catch_interrupts(), command.seconds > 0 ? std::optional(limit) : std::nullopt);
  const auto done = api::work_on_campaign(request, stopped.flag());
  if (progress) progress->clear();
  if (!done.ok()) return bad_input(done.errors());
  if (!command.quiet) std::cout << plural(done.value().parts, "result") << " of this worker\n";
  if (done.value().is_complete) {
    if (!command.quiet) std::cout << "complete: " << done.value().result << "\n";
    return kOk;
  }
  std::cerr << "stopped: the chunk of this worker is in the queue again\n";
  return kUnknown;
}

int run_status(const CampaignCommand& command) {
  const auto status = api::campaign_status(command.folder);
  if (!status.ok()) return bad_input(status.errors());
  const api::CampaignStatus& now = status.value();
  std::cout << fmt::format("{}\n{} of {} done, {} in the queue, {} with workers\n", now.command, now.done,
                           plural(now.parts, "part"), plural(now.queued, "chunk"), now.working.size());
  for (const std::string& worker : now.working) std::cout << "  " << worker << "\n";
  if (!now.result.empty()) std::cout << "result: " << now.result << "\n";
  return now.done == now.parts ? kOk : kUnknown;
}

int run_merge(const CampaignCommand& command) {
  const auto merged = api::merge_campaign(command.folder);
  if (!merged.ok()) return bad_input(merged.errors());
  const api::CampaignResult& result = merged.value();
  for (const std::string& failed : result.failed) std::cerr << "no result of " << failed << "\n";
  if (!result.missing.empty()) {
    std::cerr << fmt::format("{} without a result, the first is {}\n", plural(result.missing.size(), "part"),
                             result.missing.front());
  }
  if (command.output.empty()) {
    std::cout << result.text << std::flush;
  } else if (const auto error = api::write_file(command.output, result.text)) {
    return bad_input({*error});
  }
  return result.status;
}

int run_jobs(const CampaignCommand& command) {
  const auto campaign = api::read_campaign(command.folder);
  if (!campaign.ok()) return bad_input(campaign.errors());
  std::cout << api::job_file({.system = command.system,
                              .folder = fs::canonical(command.folder).string(),
                              .directory = fs::current_path().string(),
                              .program = own_program(),
                              .workers = command.workers});
  return kOk;
}

using Options = std::shared_ptr<CampaignCommand>;

Option add_folder(Command command, const Options& options) {
  return command.argument("FOLDER", options->folder, "The campaign's folder, which all workers can access").required();
}

Command declare_new(Command parent, const Options& options) {
  Command command = parent.command("new", "Make a campaign, which divides the work of a command among workers");
  add_folder(command, options);
  command
      .option("--parts", options->request.parts,
              "Number of parts for exhaust, crossval and validate --tool. Other commands have one part for each file")
      .value_name("N")
      .range(1, 65536)
      .show_default();
  command.option("--chunk", options->request.chunk, "Number of parts that a worker takes at once")
      .value_name("N")
      .range(1, 1000000)
      .show_default("by the number of parts");
  command
      .option("--lease", options->request.lease_seconds,
              "Seconds without a heartbeat after which a worker counts as dead")
      .value_name("SECONDS")
      .positive()
      .show_default();
  command.argument("COMMAND", options->words, "After --: the command to share, with its arguments and options")
      .required()
      .shown_as("-- COMMAND...");
  return command;
}

Command declare_work(Command parent, const Options& options) {
  Command command = parent.command("work", "Work on a campaign until every part has a result");
  add_folder(command, options);
  command.option("--timeout", options->seconds, "Stop after this time, and return the chunk to the queue")
      .value_name("SECONDS")
      .positive();
  command.flag("-q,--quiet", options->quiet, "Print no progress");
  return command;
}

Command declare_merge_of(Command parent, const Options& options) {
  Command command = parent.command("merge", "Print the results as if one process had run the command");
  add_folder(command, options);
  command.option("-o,--output", options->output, "Write to this file").value_name("FILE").check(file_can_be_written);
  return command;
}

void declare_jobs(Command parent, const Options& options) {
  Command command = parent.command("jobs", "Print a job file that starts workers in the current folder");
  add_folder(command, options);
  command
      .choice(
          "SYSTEM", {"slurm", "mpi", "kubernetes"},
          [&given = *options](const std::string& name) {
            given.system = name == "slurm" ? api::JobSystem::Slurm
                           : name == "mpi" ? api::JobSystem::Mpi
                                           : api::JobSystem::Kubernetes;
          },
          "A script for sbatch, a script with mpirun, or a Job for kubectl")
      .required();
  command.option("--workers", options->workers, "Number of workers").value_name("N").range(1, 100000).show_default();
}

}  // namespace

Action declare_campaign(Command command) {
  command.require_command();
  const auto options = std::make_shared<CampaignCommand>();
  const Command making = declare_new(command, options);
  const Command work = declare_work(command, options);
  const Command status = command.command("status", "Print how many parts are done, and which parts the workers run");
  add_folder(status, options);
  const Command merge = declare_merge_of(command, options);
  declare_jobs(command, options);
  return [options, making, work, status, merge] {
    if (making.is_given()) return run_new(*options, making);
    if (work.is_given()) return run_work(*options);
    if (status.is_given()) return run_status(*options);
    return merge.is_given() ? run_merge(*options) : run_jobs(*options);
  };
}

}  // namespace ambit::cli
