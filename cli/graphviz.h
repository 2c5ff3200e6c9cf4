#pragma once

#include <optional>
#include <string>

namespace ambit::cli {

/// Draws a picture (report::picture_dot) with Graphviz' program `neato` into the file `path`, in one of its formats
/// ("svg", "png"). What went wrong, in a sentence; nothing when the file is there.
std::optional<std::string> draw(const std::string& dot, const std::string& format, const std::string& path);

}  // namespace ambit::cli
