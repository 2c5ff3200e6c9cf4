#include <array>
#include <string>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

std::string_view to_string(Engine engine) {
  constexpr std::array<std::string_view, 3> kNames = {"auto", "smt", "explicit"};
  return kNames[static_cast<std::size_t>(engine)];
}

std::string model_name(const rules::Rules& rules) {
  std::string chosen;
  for (const rules::ModelOption& option : rules.options) {
    if (option.values.empty() || option.chosen == option.values.front()) continue;
    chosen += (chosen.empty() ? "" : ",") + option.name + "=" + option.chosen;
  }
  return chosen.empty() ? rules.name : rules.name + "(" + chosen + ")";
}

}  // namespace ambit::verdict
