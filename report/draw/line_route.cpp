#include "report/draw/line_route.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ambit::report {
namespace {

/// For each lane, the distance between a line and the boxes that it passes. The first distance is less than half the
/// smallest distance between two boxes of a layout.
constexpr std::array<double, 3> kMargins = {3, 7, 10};
/// Distance from a line's corner at which the rounding of the corner begins.
constexpr double kRounding = 16;

struct Point {
  double x = 0;
  double y = 0;
};

Point between(const Point& a, const Point& b, double part) {
  return {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

double distance(const Point& a, const Point& b) { return std::hypot(b.x - a.x, b.y - a.y); }

/// The part of a line that is inside a box, as fractions of the line's length (Liang and Barsky 1984).
struct Inside {
  double begin = 0;
  double end = 1;
  bool is_empty() const { return begin >= end; }
};

Inside inside(const Box& box, const Point& a, const Point& b) {
  Inside result;
  const auto clip = [&](double from, double to, double low, double high) {
    const double step = to - from;
    if (step == 0) {
      if (from <= low || from >= high) result.end = result.begin;
      return;
    }
    const auto [first, second] = std::minmax({(low - from) / step, (high - from) / step});
    result.begin = std::max(result.begin, first);
    result.end = std::min(result.end, second);
  };
  clip(a.x, b.x, box.left(), box.right());
  clip(a.y, b.y, box.bottom(), box.top());
  return result;
}

Box larger(const Box& box, double margin) { return {box.x, box.y, box.width + 2 * margin, box.height + 2 * margin}; }

bool is_hit(const Box& box, double margin, const Point& a, const Point& b) {
  // The box grows by slightly less than the margin, so that lines may run along the corners of the margin.
  return !inside(larger(box, margin * 0.9), a, b).is_empty();
}

/// Finds the shortest route with Dijkstra's algorithm. The nodes of the graph are the corners of the boxes.
class Router {
 public:
  Router(const Point& from, const Point& to, std::span<const Box> boxes, double margin)
      : boxes_(boxes), margin_(margin), points_{from, to} {
    for (const Box& each : boxes) {
      const Box box = larger(each, margin);
      for (const Point& corner : {Point{box.left(), box.top()}, Point{box.right(), box.top()},
                                  Point{box.right(), box.bottom()}, Point{box.left(), box.bottom()}}) {
        points_.push_back(corner);
      }
    }
  }

  /// Returns the points of the route, including both ends. Returns no points if there is no route.
  std::vector<Point> find() {
    const std::size_t count = points_.size();
    std::vector<double> length(count, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> before(count, 0);
    std::vector<bool> done(count, false);
    length[0] = 0;
    while (!done[1]) {
      std::size_t at = count;
      for (std::size_t i = 0; i < count; ++i) {
        if (!done[i] && std::isfinite(length[i]) && (at == count || length[i] < length[at])) at = i;
      }
      if (at == count) return {};
      done[at] = true;
      for (std::size_t next = 0; next < count; ++next) {
        const double there = length[at] + distance(points_[at], points_[next]);
        if (done[next] || there >= length[next] || !is_free(points_[at], points_[next])) continue;
        length[next] = there;
        before[next] = at;
      }
    }
    std::vector<Point> way = {points_[1]};
    for (std::size_t at = 1; at != 0; at = before[at]) way.push_back(points_[before[at]]);
    std::reverse(way.begin(), way.end());
    return way;
  }

 private:
  bool is_free(const Point& a, const Point& b) const {
    return std::none_of(boxes_.begin(), boxes_.end(), [&](const Box& box) { return is_hit(box, margin_, a, b); });
  }

  std::span<const Box> boxes_;
  double margin_;
  std::vector<Point> points_;  ///< both ends of the line, followed by the corners of the boxes
};

/// Returns the points of a route; nothing if there is no route. To save time, considers only boxes that earlier
/// attempts crossed.
std::vector<Point> find_way(const Point& from, const Point& to, std::span<const Box> others, double margin) {
  std::vector<Box> near;
  std::vector<bool> is_near(others.size(), false);
  std::vector<Point> way = {from, to};
  while (true) {
    bool found = false;
    for (std::size_t i = 0; i < others.size(); ++i) {
      for (std::size_t p = 0; !is_near[i] && p + 1 < way.size(); ++p) {
        if (!is_hit(others[i], margin, way[p], way[p + 1])) continue;
        is_near[i] = true;
        found = true;
        near.push_back(others[i]);
      }
    }
    if (!found || way.empty()) return way;
    way = Router(from, to, near, margin).find();
  }
}

Point anchor(const LineEnd& end) {
  return end.at_right_side ? Point{end.box.right(), end.box.y} : Point{end.box.x, end.box.y};
}

/// Returns the point where a line to `next` leaves the box.
Point leaving(const LineEnd& end, const Point& next) {
  const Point at = anchor(end);
  return end.at_right_side ? at : between(at, next, inside(end.box, at, next).end);
}

class CurveWriter {
 public:
  explicit CurveWriter(const Point& start) : at_(start), text_(write(start)) {}

  void line_to(const Point& to) { curve(between(at_, to, 1.0 / 3), between(at_, to, 2.0 / 3), to); }
  /// Appends a quadratic curve with the control point `turn`.
  void round(const Point& turn, const Point& to) { curve(between(at_, turn, 2.0 / 3), between(to, turn, 2.0 / 3), to); }
  const std::string& text() const { return text_; }
  static std::string write(const Point& point) { return fmt::format("{:.1f},{:.1f}", point.x, point.y); }

 private:
  void curve(const Point& first, const Point& second, const Point& to) {
    for (const Point& point : {first, second, to}) text_ += " " + write(point);
    at_ = to;
  }

  Point at_;
  std::string text_;
};

}  // namespace

std::string routed_line(const LineEnd& from, const LineEnd& to, double head_length, std::span<const Box> others,
                        std::size_t lane) {
  std::vector<Point> way = find_way(anchor(from), anchor(to), others, kMargins[lane % kMargins.size()]);
  if (way.empty()) way = find_way(anchor(from), anchor(to), others, kMargins.front());
  if (way.empty()) way = {anchor(from), anchor(to)};
  const Point tip = leaving(to, way[way.size() - 2]);
  way.front() = leaving(from, way[1]);
  const double last = std::max(distance(way[way.size() - 2], tip), 1e-3);
  way.back() = between(tip, way[way.size() - 2], std::min(0.9, head_length / last));
  CurveWriter writer(way.front());
  for (std::size_t i = 1; i + 1 < way.size(); ++i) {
    const double before = distance(way[i - 1], way[i]);
    const double after = distance(way[i], way[i + 1]);
    const double radius = std::min({kRounding, before / 2, after / 2});
    writer.line_to(between(way[i], way[i - 1], radius / std::max(before, 1e-3)));
    writer.round(way[i], between(way[i], way[i + 1], radius / std::max(after, 1e-3)));
  }
  writer.line_to(way.back());
  return head_length > 0 ? "e," + CurveWriter::write(tip) + " " + writer.text() : writer.text();
}

}  // namespace ambit::report
