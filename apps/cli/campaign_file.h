#pragma once

#include <cstddef>
#include <string>

#include "core/source.h"

namespace ambit::cli {

/// A campaign's file while it is written. One process at a time has it, and it only grows, whole lines at a time: the
/// file itself is written, wherever its name leads, and never replaced by another.
class CampaignFile {
 public:
  CampaignFile() = default;
  ~CampaignFile();
  CampaignFile(const CampaignFile&) = delete;
  CampaignFile& operator=(const CampaignFile&) = delete;

  /// Opens it, makes it where there is none, and returns what it holds. Errors: it is no regular file or no text,
  /// another process has it, it cannot be read and written.
  Result<SourceFilePtr> open(const std::string& path);

  /// What is behind its first `bytes` bytes goes with the next line. After open().
  void cut(std::size_t bytes) { whole_ = bytes; }

  /// Appends a line, given without its end, with the lines before it that could not be written. False, with errno set:
  /// it is not written; what is in the file is whole lines as before.
  bool append(const std::string& line);

  /// Every line is in the file.
  bool is_whole() const { return waiting_.empty(); }

 private:
  int file_ = -1;
  std::size_t whole_ = 0;  ///< bytes of whole lines
  std::string waiting_;    ///< lines to write behind them
};

}  // namespace ambit::cli
