#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/child_process.h"

namespace ambit::api {

/// What Graphviz made of a text, or why there is nothing.
struct Drawing {
  std::string bytes;
  std::string error;  ///< a sentence; empty: drawn

  bool ok() const { return error.empty(); }
};

/// Limits for pictures of one's own: a site's worth of them in one text.
inline constexpr ChildLimits kDrawingLimits{
    .time = std::chrono::minutes(2), .memory = std::uint64_t{4} << 30U, .output = std::size_t{512} << 20U};

/// Draws graphs in Graphviz' language whose positions are fixed (report::picture_dot) with its program `neato`, which
/// is looked for in PATH, in one of its formats ("svg", "png"). The drawings of several graphs stand one after the
/// other, in their order. `neato` runs under `limits` and can write no file. Safe for several threads.
Drawing draw(const std::string& dot, const std::string& format, const ChildLimits& limits = kDrawingLimits,
             const Waiter& waiter = {});

/// Several SVG drawings that stand one after the other, each by itself.
std::vector<std::string> split_drawings(const std::string& svg);

}  // namespace ambit::api
