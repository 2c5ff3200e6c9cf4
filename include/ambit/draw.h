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

/// A picture in the language of Graphviz. The position of each node is fixed.
class AMBIT_API Picture {
 public:
  Picture(std::string title, std::string dot) : title_(std::move(title)), dot_(std::move(dot)) {}
  const std::string& title() const { return title_; }
  /// Input for `neato -n2`.
  const std::string& dot() const { return dot_; }
  /// Runs Graphviz' `neato`, which must be in PATH, and returns its output. Throws Error if `neato` is not installed,
  /// or if `stop` is triggered.
  std::string svg(const std::stop_token& stop = {}) const;
  std::string png(const std::stop_token& stop = {}) const;

 private:
  std::string title_;
  std::string dot_;
};

/// The part of a trace to draw, and the detectors whose races are shown.
struct TraceDrawing {
  std::string detectors = "gwcp";  ///< "barracuda,gwcp", or "all"
  /// First and last event, 0-based. If absent, the drawing shows all events of a short trace, or the events around the
  /// races of a longer trace.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> events = std::nullopt;
  std::vector<std::string> threads = {};  ///< threads to draw; if empty, the threads that race
  bool clocks = false;                    ///< whether to show vector clocks after each event
  std::stop_token stop = {};
};

/// Draws a trace file (.trace, .btrace, .std) as a timeline, with the races that detectors report. Throws Error, for
/// example if `stop` is triggered.
AMBIT_API Picture draw_trace(const std::string& file, const TraceDrawing& drawing = {});

}  // namespace AMBIT_NAMESPACE
