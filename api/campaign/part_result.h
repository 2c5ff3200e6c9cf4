#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/shared_file.h"
#include "base/source.h"

namespace ambit::api {

/// The result of one part of a campaign. A result depends only on the part, never on the worker or on the time.
struct PartResult {
  std::uint64_t part = 0;
  int status = 0;       ///< exit status of the command
  std::string failure;  ///< why the command has no result; empty if it has a result
  std::string output;   ///< the JSON document or the log that the command produced
};

/// The results of a campaign: one file for each part, in a folder that several machines share.
class PartResults {
 public:
  /// Makes the folder.
  static std::optional<Diagnostic> create(const std::string& folder);

  /// `folder`: the folder of the campaign.
  explicit PartResults(std::string folder) : folder_(std::move(folder)) {}

  bool has(std::uint64_t part) const;
  /// Returns the number of results. Lists the folder.
  std::size_t count() const;
  /// Writes a result, unless the part already has one. The first result of a part is final.
  Publication publish(const PartResult& result) const;
  /// Reads the result of a part. Errors: the part has no result, or the file is damaged.
  Result<PartResult> read(std::uint64_t part) const;
  /// Returns the path of the file with the result of a part.
  std::string path(std::uint64_t part) const;

 private:
  std::string folder_;
};

}  // namespace ambit::api
