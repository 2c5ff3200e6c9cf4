#include <iostream>
#include <memory>

#include "api/files.h"
#include "api/hardware/campaign_file.h"
#include "apps/cli/commands.h"
#include "apps/cli/options.h"

namespace ambit::cli {
namespace {

struct MergeCommand {
  std::vector<std::string> logs;
  std::string output;  ///< if empty, the standard output
};

int fail(const Diagnostics& errors) {
  std::cerr << render(errors);
  return kBadInput;
}

int run_merge(const MergeCommand& command) {
  const Result<api::MergedLogs> merged = api::merge_logs(command.logs);
  if (!merged.ok()) return fail(merged.errors());
  for (const std::string& path : merged.value().cut) {
    std::cerr << path << ": ignored the last line, which is incomplete\n";
  }
  if (command.output.empty()) {
    std::cout << merged.value().text << std::flush;
  } else if (const auto error = api::write_file(command.output, merged.value().text)) {
    return fail({*error});
  }
  for (const std::string& missing : merged.value().missing) std::cerr << missing << "\n";
  return merged.value().missing.empty() ? kOk : kUnknown;
}

}  // namespace

Action declare_merge(Command command) {
  const auto options = std::make_shared<MergeCommand>();
  command.argument("LOGS", options->logs, "Files that ambit crossval --log wrote").required().shown_as("LOG...");
  command.option("-o,--output", options->output, "Write to this file").value_name("FILE").check(file_can_be_written);
  return [options] { return run_merge(*options); };
}

}  // namespace ambit::cli
