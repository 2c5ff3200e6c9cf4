#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/child_process.h"

namespace ambit::api {

/// The output of Graphviz, or an error.
struct Drawing {
  std::string bytes;
  std::string error;  ///< a sentence; empty if Graphviz succeeded

  bool ok() const { return error.empty(); }
};

/// Limits for drawing trusted tests. One call of draw() may draw many pictures for a site.
inline constexpr ChildLimits kDrawingLimits{
    .time = std::chrono::minutes(2), .memory = std::uint64_t{4} << 30U, .output = std::size_t{512} << 20U};

/// Draws graphs with Graphviz. The graphs are in the DOT language with fixed positions (report::picture_dot). `format`
/// is an output format of Graphviz ("svg", "png"). Runs the program `neato`, found in PATH, under `limits`; `neato`
/// cannot write files. Returns the drawings in the order of the graphs. Thread-safe.
Drawing draw(const std::string& dot, const std::string& format, const ChildLimits& limits = kDrawingLimits,
             const Waiter& waiter = {});

/// Splits a text that contains several SVG drawings into single drawings.
std::vector<std::string> split_drawings(const std::string& svg);

}  // namespace ambit::api
