#include <memory>

#include "detector/algorithms/causal_barriers.h"
#include "detector/algorithms/causal_order.h"
#include "detector/algorithms/causal_sections.h"
#include "detector/algorithms/causal_warps.h"

namespace ambit::detector {

template class CausalOrder<PlainClocks>;
template class CausalOrder<CompressedClocks>;
template class CausalOrder<PatchedClocks, LaunchHistory>;

namespace {

struct GwcpOptions : CausalOptions {
  bool compresses = false;
};

}  // namespace

DetectorDescription gwcp() {
  OptionTable<GwcpOptions> options;
  add_overlap_option(options, &GwcpOptions::overlap)
      .choice("barrier", &GwcpOptions::barrier, {{"hard", BarrierRule::Hard}, {"literal", BarrierRule::Literal}},
              "a barrier orders events like program order, or as the printed rule does");
  add_clock_options(options);
  return {.name = "gwcp",
          .source = "PreDataR",
          .summary = "weak causal precedence with scopes and barriers: predicts races of other schedules",
          .options = options.described(),
          .claims = Claims::FirstRace,
          .orders_operations = true,
          .make = clock_maker<CausalOrder>(options)};
}

DetectorDescription wcp() {
  return {.name = "wcp",
          .source = "Kini, Mathur, Viswanathan, PLDI 2017",
          .summary = "weak causal precedence of CPU programs: ignores scopes",
          .claims = Claims::FirstRace,
          .orders_operations = true,
          .make = [](const TraceTables& tables, const GivenOptions& /*given*/) {
            return std::make_unique<CausalOrder<PlainClocks>>(tables, CausalOptions{.overlap = Overlap::All});
          }};
}

}  // namespace ambit::detector
