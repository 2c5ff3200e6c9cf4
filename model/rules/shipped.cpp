#include "model/rules/shipped.h"

#include <array>

namespace ambit::rules {

std::span<const std::string_view> shipped_models() {
  // The order of models in all tables of verdicts: from the strongest guarantee to the weakest, then the predictive
  // models. A test compares this list with the shipped files that have a title.
  static constexpr std::array<std::string_view, 15> kModels = {
      "sc",      "hrf-direct", "hrf-indirect",    "hrf-relaxed", "ptx",
      "ptx-9.0", "ptx-7.5",    "ptx-6.0",         "cuda-cpp",    "scoped-hb",
      "gwcp",    "sc-tm",      "hrf-indirect-tm", "ptx-tm",      "ptx-observed"};
  return kModels;
}

}  // namespace ambit::rules
