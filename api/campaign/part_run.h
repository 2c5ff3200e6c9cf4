#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/campaign/campaign.h"
#include "api/campaign/part_result.h"

namespace ambit::api {

/// Returns the command line of a part. `program`: path of the program. `log`: file for the log (Division::Shards).
std::vector<std::string> command_line(const Campaign& campaign, std::uint64_t part, const std::string& program,
                                      const std::string& log);

/// Runs a part in a child process, so that a crash ends only this part. Returns nothing if `interrupted` became true;
/// the child then ends within a quarter of a second. If the child crashes twice or produces no result, the returned
/// PartResult gives the reason.
std::optional<PartResult> run_part(const Campaign& campaign, std::uint64_t part, const std::string& program,
                                   const std::atomic<bool>& interrupted);

}  // namespace ambit::api
