#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit::api {

/// The file of a running campaign. Only one process at a time owns the file. The file grows by whole lines and is never
/// replaced. open() follows links.
class CampaignFile {
 public:
  CampaignFile() = default;
  ~CampaignFile();
  CampaignFile(const CampaignFile&) = delete;
  CampaignFile& operator=(const CampaignFile&) = delete;

  /// Opens or creates the file, and returns its text. Errors: the path is not a regular file, or its content is not
  /// text; another process owns the file; the file cannot be read or written.
  Result<SourceFilePtr> open(const std::string& path);

  /// Keeps only the first `bytes` bytes of the file: the next line overwrites the rest. Call after open().
  void cut(std::size_t bytes) { whole_ = bytes; }

  /// Appends a line, given without its line break. First writes the earlier lines that could not be written. Returns
  /// false, with errno set, if nothing was written; the file then still contains only whole lines.
  bool append(const std::string& line);

  /// Returns whether every line is in the file.
  bool is_whole() const { return waiting_.empty(); }

 private:
  int file_ = -1;
  std::size_t whole_ = 0;  ///< length of the whole lines in the file, in bytes
  std::string waiting_;    ///< lines that are not yet in the file
};

/// One log, merged from the logs of a campaign's shards.
struct MergedLogs {
  std::string text;
  std::vector<std::string> cut;      ///< files whose incomplete last line was left out
  std::vector<std::string> missing;  ///< missing parts: "shard 3 of 4 is missing: 12 tests without a result"
};

/// Merges logs that `ambit crossval --log` wrote, in any order. Errors: unreadable files; the logs belong to
/// different campaigns.
Result<MergedLogs> merge_logs(const std::vector<std::string>& paths);

}  // namespace ambit::api
