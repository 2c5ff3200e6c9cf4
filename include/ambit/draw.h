// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>
#include <ambit/limits.h>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace AMBIT_NAMESPACE {

/// A picture in Graphviz' language, with every position fixed.
class AMBIT_API Picture {
 public:
  Picture(std::string title, std::string dot) : title_(std::move(title)), dot_(std::move(dot)) {}
  const std::string& title() const { return title_; }
  /// Input for `neato -n2`.
  const std::string& dot() const { return dot_; }
  /// Returns the picture as drawn by Graphviz' `neato`, found in PATH. Throws Error if it is not installed or was
  /// stopped.
  std::string svg(const std::stop_token& stop = {}) const;
  std::string png(const std::stop_token& stop = {}) const;

 private:
  std::string title_;
  std::string dot_;
};

/// The part of a trace to draw, and the detectors whose races to show.
struct TraceDrawing {
  std::string detectors = "gwcp";  ///< "barracuda,gwcp", or "all"
  /// First and last event, 0-based. If absent: all events of a short trace, else the events around the races.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> events = std::nullopt;
  std::vector<std::string> threads = {};  ///< threads to draw; empty for the threads that race
  bool clocks = false;                    ///< whether to show vector clocks after each event
  std::stop_token stop = {};
};

/// Draws a trace file (.trace, .btrace, .std) as a timeline, with the races that detectors report. Throws Error, also
/// if it is stopped.
AMBIT_API Picture draw_trace(const std::string& file, const TraceDrawing& drawing = {});

}  // namespace AMBIT_NAMESPACE
