#include "report/json/outcome_json.h"

namespace ambit::report {

nlohmann::ordered_json number_json(Value value, ScalarType type) {
  if (type == kUnsignedLongLong) return static_cast<std::uint64_t>(value);
  return value;
}

nlohmann::ordered_json outcome_json(const Program& program, const std::vector<Value>& outcome) {
  auto json = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < outcome.size(); ++i) {
    json[program.observables[i].name] = number_json(outcome[i], program.observables[i].type);
  }
  return json;
}

}  // namespace ambit::report
