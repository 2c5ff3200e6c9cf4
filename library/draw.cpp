#include <ambit/draw.h>

#include "api/graphviz.h"
#include "api/race_timeline.h"
#include "library/internals.h"

namespace AMBIT_NAMESPACE {
namespace {

std::string drawn(const std::string& dot, const std::string& format) {
  return guarded([&] {
    api::Drawing drawing = api::draw(dot, format);
    if (!drawing.ok()) raise({{nullptr, {}, drawing.error, ""}});
    return std::move(drawing.bytes);
  });
}

}  // namespace

std::string Picture::svg() const { return drawn(dot_, "svg"); }
std::string Picture::png() const { return drawn(dot_, "png"); }

Picture draw_trace(const std::string& file, const TraceDrawing& drawing) {
  return guarded([&] {
    const api::TraceQuestion question{
        .detectors = {.names = drawing.detectors},
        .timeline = {.events = drawing.events, .threads = drawing.threads, .clocks = drawing.clocks}};
    const report::Timeline timeline = taken(api::race_timeline(file, question));
    return Picture(timeline.title, report::timeline_dot(timeline));
  });
}

}  // namespace AMBIT_NAMESPACE
