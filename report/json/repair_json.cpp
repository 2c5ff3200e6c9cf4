#include <nlohmann/json.hpp>

#include "report/json/json.h"

namespace ambit::report {
namespace {

using nlohmann::ordered_json;
using repair::RepairReport;

const char* state_word(RepairReport::State state) {
  switch (state) {
    case RepairReport::State::NothingToDo: return "nothing-to-do";
    case RepairReport::State::Found: return "found";
    case RepairReport::State::None: return "none";
    case RepairReport::State::Unknown: break;
  }
  return "unknown";
}

ordered_json proposal_json(const repair::Proposal& proposal) {
  ordered_json engines = ordered_json::array();
  for (const repair::EngineAnswer& answer : proposal.answers) {
    engines.push_back({{"engine", answer.engine}, {"confirms", answer.confirms}, {"unknown", answer.why_not}});
    if (!answer.launch.empty()) engines.back()["launch"] = answer.launch;
  }
  ordered_json result = {
      {"cost", proposal.cost}, {"changes", proposal.changes}, {"engines", std::move(engines)}, {"diff", proposal.diff}};
  if (proposal.changes_data) result["keeps_outcomes"] = proposal.keeps_outcomes ? ordered_json(true) : ordered_json();
  return result;
}

}  // namespace

std::string repair_json(const RepairReport& report, std::string_view version) {
  ordered_json proposals = ordered_json::array();
  for (const repair::Proposal& proposal : report.proposals) proposals.push_back(proposal_json(proposal));
  const ordered_json document = {
      {"ambit", version},
      {"format", 1},
      {"file", report.file},
      {"test", report.test},
      {"model", report.model},
      {report.direction == RepairReport::Direction::Fix ? "goal" : "keeps", report.goal},
      {"state", state_word(report.state)},
      {"cheapest", report.is_cheapest},
      {"places", report.places},
      {"checked", report.checked},
      {"undecided", report.undecided},
      {"unknown", report.why_unknown},
      {"proposals", std::move(proposals)},
      {"needed", report.needed},
      {"barriers", report.barriers},
      {"notes", report.notes},
  };
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ambit::report
