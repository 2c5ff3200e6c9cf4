#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::api {

/// The file of a running campaign. One process at a time owns it. It only grows, by whole lines. Links are followed,
/// and the file is never replaced.
class CampaignFile {
 public:
  CampaignFile() = default;
  ~CampaignFile();
  CampaignFile(const CampaignFile&) = delete;
  CampaignFile& operator=(const CampaignFile&) = delete;

  /// Opens or creates the file, and returns its text. Errors: it is not a regular file or not text, another process
  /// owns it, it cannot be read or written.
  Result<SourceFilePtr> open(const std::string& path);

  /// After open(): the next line overwrites what follows the first `bytes` bytes.
  void cut(std::size_t bytes) { whole_ = bytes; }

  /// Appends a line, given without its end, after the earlier lines that could not be written. Returns false, with
  /// errno set, if nothing was written; the file then still holds whole lines only.
  bool append(const std::string& line);

  /// Returns whether every line is in the file.
  bool is_whole() const { return waiting_.empty(); }

 private:
  int file_ = -1;
  std::size_t whole_ = 0;  ///< bytes of whole lines
  std::string waiting_;    ///< lines to write after the whole lines
};

/// The logs of a campaign's shards as one log.
struct MergedLogs {
  std::string text;
  std::vector<std::string> cut;      ///< files whose last line is incomplete; it is left out
  std::vector<std::string> missing;  ///< missing parts: "shard 3 of 4 is missing: 12 tests without a result"
};

/// Merges logs that `ambit crossval --log` wrote, in any order. Errors: those of the files; logs of different
/// campaigns.
Result<MergedLogs> merge_logs(const std::vector<std::string>& paths);

}  // namespace ambit::api
