#include "report/json/json.h"
#include "report/json/json_text.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

Json figure_json(const ScoreboardFigure& figure, const ScoreboardSuite& suite) {
  return {{"suite", suite.name},
          {"racy", figure.racy},
          {"found", figure.found},
          {"race_free", figure.race_free},
          {"false_positives", figure.false_positives},
          {"no_answer", figure.no_answer},
          {"page", text_or_null(figure.page)}};
}

}  // namespace

std::string scoreboard_json(const Scoreboard& board, std::string_view version) {
  Json json = {{"ambit", version}, {"format", 1}, {"suites", Json::array()}, {"rows", Json::array()}};
  for (const ScoreboardSuite& suite : board.suites) {
    json["suites"].push_back({{"suite", suite.name},
                              {"racy", suite.racy},
                              {"race_free", suite.race_free},
                              {"not_run", suite.not_run},
                              {"command", suite.command}});
  }
  for (const ScoreboardRow& row : board.rows) {
    Json figures = Json::array();
    for (std::size_t i = 0; i < row.figures.size(); ++i) {
      figures.push_back(figure_json(row.figures[i], board.suites[i]));
    }
    json["rows"].push_back({{"name", row.name},
                            {"kind", row.is_tool ? "tool" : "detector"},
                            {"about", text_or_null(row.about)},
                            {"figures", std::move(figures)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ambit::report
