#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "api/crossval_judge.h"
#include "report/logs/campaign_log.h"

namespace ambit::cli {

/// Writes the pages of a campaign into `folder`: the table, and a page for each row. `corpus` holds the tests by their
/// numbers, `judge` those that were asked. False: they cannot be written, which it has said on standard error.
bool write_crossval_site(const std::string& folder, const std::vector<report::CrossRow>& rows,
                         std::span<const report::CorpusTest> corpus, const api::CrossvalJudge& judge,
                         const std::atomic<bool>& interrupted);

}  // namespace ambit::cli
