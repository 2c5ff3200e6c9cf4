#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "detector/algorithms/boyer.h"
#include "detector/algorithms/causal_order.h"
#include "detector/algorithms/haccrg.h"
#include "detector/algorithms/happens_before.h"
#include "detector/algorithms/iguard.h"
#include "detector/algorithms/ldetector.h"
#include "detector/algorithms/predict.h"
#include "detector/algorithms/registry.h"
#include "detector/algorithms/scord.h"

namespace ambit::detector {
const std::vector<DetectorDescription>& detectors() {
  static const std::vector<DetectorDescription> all{boyer(), haccrg(), srg(),     scord(), iguard(),   barracuda(),
                                                    gwcp(),  wcp(),    predict(), syncp(), ldetector()};
  return all;
}

const DetectorDescription* find_detector(std::string_view name) {
  const auto found = std::ranges::find(detectors(), name, &DetectorDescription::name);
  return found == detectors().end() ? nullptr : &*found;
}

std::optional<Diagnostic> check_options(const std::string& name, const GivenOptions& options) {
  const DetectorDescription* detector = find_detector(name);
  if (detector == nullptr) {
    std::vector<std::string> names;
    std::ranges::transform(detectors(), std::back_inserter(names), &DetectorDescription::name);
    return error_without_place(fmt::format("unknown detector '{}'", name),
                               fmt::format("detectors: {}", fmt::join(names, ", ")));
  }
  for (const auto& [key, value] : options) {
    const auto known = std::ranges::find(detector->options, key, &DetectorOption::name);
    if (known == detector->options.end()) {
      return error_without_place(fmt::format("detector '{}' has no option '{}'", name, key),
                                 "ambit detect --list prints the options");
    }
    if (std::ranges::find(known->values, value) == known->values.end()) {
      return error_without_place(fmt::format("option '{}' of detector '{}' cannot be '{}'", key, name, value),
                                 fmt::format("values: {}", fmt::join(known->values, ", ")));
    }
  }
  return std::nullopt;
}

Result<std::unique_ptr<Detector>> make_detector(const std::string& name, const GivenOptions& options,
                                                const TraceTables& tables) {
  if (auto wrong = check_options(name, options)) return Diagnostics{std::move(*wrong)};
  const DetectorDescription& detector = *find_detector(name);
  if (detector.looks_at == LooksAt::Programs) {
    return Diagnostics{error_without_place(fmt::format("detector '{}' judges programs, not traces", name),
                                           "name a test or a CUDA source instead")};
  }
  return detector.make(tables, options);
}

}  // namespace ambit::detector
