#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/child_process.h"

namespace ambit::api {

/// A drawing by Graphviz, or an error.
struct Drawing {
  std::string bytes;
  std::string error;  ///< a sentence; empty: drawn

  bool ok() const { return error.empty(); }
};

/// Limits for pictures of trusted tests: one text holds many pictures of a site.
inline constexpr ChildLimits kDrawingLimits{
    .time = std::chrono::minutes(2), .memory = std::uint64_t{4} << 30U, .output = std::size_t{512} << 20U};

/// Draws graphs in Graphviz' language with fixed positions (report::picture_dot), in a format of Graphviz ("svg",
/// "png"). Runs the program `neato`, found in PATH, under `limits`; it cannot write files. The drawings of several
/// graphs follow each other in the order of the graphs. Thread-safe.
Drawing draw(const std::string& dot, const std::string& format, const ChildLimits& limits = kDrawingLimits,
             const Waiter& waiter = {});

/// Splits SVG drawings that follow each other.
std::vector<std::string> split_drawings(const std::string& svg);

}  // namespace ambit::api
