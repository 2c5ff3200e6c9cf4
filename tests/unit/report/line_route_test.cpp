#include "report/draw/line_route.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace ambit::report {
namespace {

struct Point {
  double x = 0;
  double y = 0;
};

Point parse(const std::string& text) {
  const std::size_t comma = text.find(',');
  return {std::stod(text.substr(0, comma)), std::stod(text.substr(comma + 1))};
}

/// Returns points on the curves of a Graphviz attribute `pos`, which are cubic. The attribute has no arrow head.
std::vector<Point> along(const std::string& pos) {
  std::istringstream words(pos);
  std::vector<Point> controls;
  for (std::string word; words >> word;) controls.push_back(parse(word));
  EXPECT_EQ(controls.size() % 3, 1U) << pos;
  std::vector<Point> result;
  for (std::size_t i = 0; i + 3 < controls.size(); i += 3) {
    for (int step = 0; step <= 20; ++step) {
      const double t = step / 20.0;
      const double s = 1 - t;
      const auto blend = [&](auto coordinate) {
        return s * s * s * coordinate(controls[i]) + 3 * s * s * t * coordinate(controls[i + 1]) +
               3 * s * t * t * coordinate(controls[i + 2]) + t * t * t * coordinate(controls[i + 3]);
      };
      result.push_back({blend([](const Point& p) { return p.x; }), blend([](const Point& p) { return p.y; })});
    }
  }
  return result;
}

bool is_inside(const Box& box, const Point& point) {
  return point.x > box.left() && point.x < box.right() && point.y > box.bottom() && point.y < box.top();
}

bool crosses(const std::string& pos, const Box& box) {
  const std::vector<Point> points = along(pos);
  return std::any_of(points.begin(), points.end(), [&](const Point& point) { return is_inside(box, point); });
}

const Box kLeft{0, 0, 20, 10};
const Box kRight{100, 0, 20, 10};

// The line leads from the right side of one box (x = 10) to the left side of another box (x = 90). The arrow head has
// length 7. The inner control points of a straight cubic curve are at 1/3 and 2/3 of its length.
TEST(LineRoute, GoesStraightFromBorderToBorder) {
  EXPECT_EQ(routed_line({kLeft}, {kRight}, 7, {}, 0), "e,90.0,0.0 10.0,0.0 34.3,0.0 58.7,0.0 83.0,0.0");
  EXPECT_EQ(routed_line({kLeft}, {kRight}, 0, {}, 0), "10.0,0.0 36.7,0.0 63.3,0.0 90.0,0.0");
  const Box beside{50, 30, 20, 10};
  EXPECT_EQ(routed_line({kLeft}, {kRight}, 0, std::vector{beside}, 0), "10.0,0.0 36.7,0.0 63.3,0.0 90.0,0.0");
}

// A straight line leads from a right side to another right side, which is 60 lower and 10 further to the right.
TEST(LineRoute, StartsAndEndsAtARightSide) {
  const Box below{10, -60, 20, 10};
  EXPECT_EQ(routed_line({kLeft, true}, {below, true}, 0, {}, 0), "10.0,0.0 13.3,-20.0 16.7,-40.0 20.0,-60.0");
}

// The obstacle extends from y = -2 to y = 8, so the route below it is shorter.
TEST(LineRoute, GoesAroundObstacles) {
  const Box between{50, 3, 20, 10};
  for (const std::size_t lane : {0U, 1U, 2U}) {
    const std::string pos = routed_line({kLeft}, {kRight}, 0, std::vector{between}, lane);
    EXPECT_FALSE(crosses(pos, between)) << pos;
    const std::vector<Point> points = along(pos);
    EXPECT_TRUE(std::all_of(points.begin(), points.end(), [](const Point& point) { return point.y < 5; })) << pos;
  }
  EXPECT_NE(routed_line({kLeft}, {kRight}, 0, std::vector{between}, 0),
            routed_line({kLeft}, {kRight}, 0, std::vector{between}, 1));
}

// If the route only avoided the first box, it would cross the second box. So it must avoid both boxes.
TEST(LineRoute, GoesAroundObstaclesOfADetour) {
  const std::vector<Box> others{{50, 3, 20, 10}, {50, -12, 20, 18}};
  const std::string pos = routed_line({kLeft}, {kRight}, 0, others, 0);
  for (const Box& box : others) EXPECT_FALSE(crosses(pos, box)) << pos;
}

// In a layout, the gap between two boxes, one above the other, is at least 7 points. Only the first lane fits through
// this gap. So a route of another lane uses the first lane in the gap.
TEST(LineRoute, FitsThroughTheGapsOfALayout) {
  const std::vector<Box> wall{{50, 103.5, 20, 200}, {50, -103.5, 20, 200}};
  for (const std::size_t lane : {0U, 1U, 2U}) {
    const std::string pos = routed_line({{0, 40, 20, 10}}, {{100, 40, 20, 10}}, 0, wall, lane);
    for (const Box& box : wall) EXPECT_FALSE(crosses(pos, box)) << pos;
  }
}

TEST(LineRoute, GoesStraightIfThereIsNoWay) {
  const std::vector<Box> around{{100, 30, 80, 10}, {100, -30, 80, 10}, {60, 0, 10, 70}, {140, 0, 10, 70}};
  EXPECT_EQ(routed_line({kLeft}, {kRight}, 0, around, 0), "10.0,0.0 36.7,0.0 63.3,0.0 90.0,0.0");
}

}  // namespace
}  // namespace ambit::report
