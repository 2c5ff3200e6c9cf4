#include <ambit/draw.h>

#include "api/check/race_timeline.h"
#include "api/graphviz.h"
#include "library/internals.h"

namespace AMBIT_NAMESPACE {
namespace {

std::string drawn(const std::string& dot, const std::string& format, const std::stop_token& token) {
  return guarded([&] {
    const StopFlag stop(token);
    api::Drawing drawing = api::draw(dot, format, api::kDrawingLimits, {.cancelled = &stop.flag()});
    if (!drawing.ok()) raise({{nullptr, {}, drawing.error, ""}});
    return std::move(drawing.bytes);
  });
}

}  // namespace

std::string Picture::svg(const std::stop_token& stop) const { return drawn(dot_, "svg", stop); }
std::string Picture::png(const std::stop_token& stop) const { return drawn(dot_, "png", stop); }

Picture draw_trace(const std::string& file, const TraceDrawing& drawing) {
  return guarded([&] {
    const StopFlag stop(drawing.stop);
    const api::TraceQuestion question{
        .detectors = {.names = drawing.detectors},
        .timeline = {.events = drawing.events, .threads = drawing.threads, .clocks = drawing.clocks}};
    const report::Timeline timeline = taken(api::race_timeline(file, question, stop.flag()));
    return Picture(timeline.title, report::timeline_dot(timeline));
  });
}

}  // namespace AMBIT_NAMESPACE
