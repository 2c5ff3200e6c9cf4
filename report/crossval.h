#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/source.h"
#include "report/style.h"

namespace ambit::report {

/// What one model says of a test.
struct CrossModel {
  std::string model;
  std::optional<bool> race;  ///< nothing: it has no notion of a race, or its answer is Unknown
  std::uint64_t allowed = 0;
  bool is_complete = true;             ///< false: perhaps more outcomes are allowed
  std::uint64_t seen = 0;              ///< allowed outcomes that hardware showed
  std::vector<std::string> forbidden;  ///< outcomes that hardware showed and the model does not allow, with counts
};

/// What one detector says of the recorded runs.
struct CrossDetector {
  std::string detector;
  std::uint64_t racy = 0;  ///< traces with a race
};

/// One test: models, detectors and hardware side by side. A line of the campaign's file.
struct CrossRow {
  std::string file;
  std::string test;
  std::string label;  ///< "race", "norace" of the suite; empty: none
  std::string device;
  std::string error;  ///< why it was not run; empty: it was
  std::uint64_t runs = 0;
  std::uint64_t outcomes = 0;  ///< that differ
  std::uint64_t recorded = 0;  ///< runs of the recorder
  std::uint64_t traces = 0;    ///< sequences that differ
  std::uint64_t weak = 0;      ///< recordings that no sequence explains
  std::vector<CrossModel> models;
  std::vector<CrossDetector> detectors;

  bool has_forbidden() const;
};

/// The table as text; tests whose outcomes a model forbids come first and loudest.
std::string crossval_text(std::span<const CrossRow> rows, const Style& style);
/// The same as one HTML page that explains itself.
std::string crossval_html(std::span<const CrossRow> rows);
/// One line of JSON without its end.
std::string crossval_json(const CrossRow& row);
/// The rows of a campaign's file. A last line that was cut off is left out. Errors: any other line that is no row.
Result<std::vector<CrossRow>> read_crossval(const SourceFilePtr& source);

}  // namespace ambit::report
