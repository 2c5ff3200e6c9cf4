#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>

#include "api/files.h"
#include "apps/cli/commands.h"
#include "apps/cli/exit_code.h"
#include "core/plural.h"
#include "report/json/crossval_json.h"
#include "report/logs/campaign_log.h"

namespace ambit::cli {
namespace {

struct MergeCommand {
  std::vector<std::string> logs;
  std::string output;  ///< empty: the standard output
};

int fail(const Diagnostics& errors) {
  std::cerr << render(errors);
  return kBadInput;
}

std::string tests_without(std::uint64_t tests) { return plural(tests, "test") + " without a result"; }

/// "shard 3 of 4 is missing: 12 tests without a result".
std::string text_of(const report::MissingShard& missing) {
  if (missing.shards == 1) return "the campaign is not finished: " + tests_without(missing.tests);
  return fmt::format("shard {} of {} is {}: {}", missing.shard, missing.shards,
                     missing.is_begun ? "not finished" : "missing", tests_without(missing.tests));
}

int run_merge(const MergeCommand& command) {
  std::vector<report::CampaignLog> logs;
  Diagnostics errors;
  for (const std::string& path : command.logs) {
    const auto source = api::read_results(path);
    auto log = source.ok() ? report::read_campaign(source.value()) : Result<report::CampaignLog>(source.errors());
    if (!log.ok()) {
      errors.insert(errors.end(), log.errors().begin(), log.errors().end());
      continue;
    }
    if (log.value().is_cut) std::cerr << path << ": the last line was cut off and is left out\n";
    logs.push_back(std::move(log).value());
  }
  if (!errors.empty()) return fail(errors);
  const auto merged = report::merge_campaigns(logs);
  if (!merged.ok()) return fail(merged.errors());
  std::string text = report::campaign_json(merged.value().header) + "\n";
  for (const report::CrossRow& row : merged.value().rows) text += report::crossval_json(row) + "\n";
  if (command.output.empty()) {
    std::cout << text << std::flush;
  } else {
    std::ofstream out(command.output);
    out << text;
    out.close();
    if (!out) return fail({api::path_error(command.output, "cannot write the file")});
  }
  for (const report::MissingShard& missing : merged.value().missing) std::cerr << text_of(missing) << "\n";
  return merged.value().missing.empty() ? kOk : kUnknown;
}

}  // namespace

Action declare_merge(CLI::App& command) {
  const auto options = std::make_shared<MergeCommand>();
  command.add_option("LOGS", options->logs, "Files that ambit crossval --log wrote")->required()->option_text("LOG...");
  command.add_option("-o,--output", options->output, "Write to this file")->type_name("FILE");
  return [options] { return run_merge(*options); };
}

}  // namespace ambit::cli
