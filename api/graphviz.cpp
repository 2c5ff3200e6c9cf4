#include "api/graphviz.h"

#include <string_view>
#include <utility>

namespace ambit::api {
Drawing draw(const std::string& dot, const std::string& format, const ChildLimits& limits, const Waiter& waiter) {
  const auto neato = find_in_path("neato");
  if (!neato) {
    return {{}, "Graphviz' program 'neato' is not installed (package graphviz); a .dot file needs no program"};
  }
  constexpr const char* kStopped = "'neato' was stopped before it had drawn the picture";
  if (waiter.cancelled != nullptr && waiter.cancelled->load(std::memory_order_relaxed)) return {{}, kStopped};
  const std::string resolution = "-Gdpi=" + std::string(format == "png" ? "144" : "72");
  ChildResult child = run_child({*neato, "-n2", "-q", "-T" + format, resolution}, dot, limits, waiter);
  if (child.end == ChildResult::End::TimedOut) return {{}, "'neato' was stopped: it took too long"};
  if (child.end == ChildResult::End::Abandoned) return {{}, kStopped};
  const bool is_good = child.end == ChildResult::End::Exited && child.status == 0 && !child.out.empty();
  if (!is_good) return {{}, "'neato' could not draw the picture"};
  return {std::move(child.out), {}};
}

std::vector<std::string> split_drawings(const std::string& svg) {
  constexpr std::string_view kEnd = "</svg>\n";  // text in a drawing cannot contain "</svg>": Graphviz escapes '<'
  std::vector<std::string> drawings;
  std::size_t begin = 0;
  for (std::size_t at = svg.find(kEnd); at != std::string::npos; at = svg.find(kEnd, begin)) {
    drawings.push_back(svg.substr(begin, at + kEnd.size() - begin));
    begin = at + kEnd.size();
  }
  return drawings;
}

}  // namespace ambit::api
