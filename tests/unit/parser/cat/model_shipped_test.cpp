#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "model/rules/base_terms.h"
#include "model/rules/rules.h"
#include "model/rules/shipped.h"
#include "parser/parse.h"

namespace ambit::parser {
namespace {

using rules::Rules;

std::shared_ptr<const Rules> load(const std::string& name, const std::map<std::string, std::string>& options = {}) {
  const auto model = load_model(name, options);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : render(model.errors()));
  return model.ok() ? model.value() : nullptr;
}

template <typename Named>
std::vector<std::string> names(const std::vector<Named>& items) {
  std::vector<std::string> out;
  for (const Named& item : items) out.push_back(item.name);
  return out;
}
using Names = std::vector<std::string>;

using Choice = std::map<std::string, std::string>;

/// For each choice and each value of the option, returns the choice extended by the value.
std::vector<Choice> with_each_value(const std::vector<Choice>& choices, const rules::ModelOption& option) {
  std::vector<Choice> wider;
  for (const Choice& choice : choices) {
    for (const std::string& value : option.values) {
      wider.push_back(choice);
      wider.back()[option.name] = value;
    }
  }
  return wider;
}

/// Returns all combinations of option values. For more than eight options, returns all combinations for each pair of
/// options; all other options have their defaults.
std::vector<Choice> combinations(const std::vector<rules::ModelOption>& options) {
  std::vector<Choice> all = {{}};
  if (options.size() <= 8) {
    for (const rules::ModelOption& option : options) all = with_each_value(all, option);
    return all;
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const std::vector<Choice> pair = with_each_value(with_each_value({{}}, options[i]), options[k]);
      all.insert(all.end(), pair.begin(), pair.end());
    }
  }
  return all;
}

TEST(ShippedModels, EachLoadsWithEveryCombinationOfItsOptions) {
  for (const std::string_view name : rules::shipped_models()) {
    const auto plain = load(std::string(name));
    ASSERT_NE(plain, nullptr);
    EXPECT_EQ(plain->name, name);
    EXPECT_FALSE(plain->title.empty());
    for (const Choice& choice : combinations(plain->options)) {
      const auto model = load(std::string(name), choice);
      ASSERT_NE(model, nullptr);
      for (const rules::ModelOption& option : model->options) {
        const auto given = choice.find(option.name);
        EXPECT_EQ(option.chosen, given == choice.end() ? option.values.front() : given->second);
      }
    }
  }
}

// If a program has no asynchronous operations, the model loses its terms about such operations. The model keeps its
// axioms and flags in their order.
TEST(ShippedModels, WithoutMembersTheirTermsGo) {
  const auto whole = load("ptx");
  rules::BaseTerms empty;
  for (const BaseSet set : {BaseSet::AsyncProxy, BaseSet::ProxyFence, BaseSet::Asynchronous, BaseSet::Mbarrier,
                            BaseSet::MbarrierInitFence, BaseSet::ReleaseProxyFence, BaseSet::AcquireProxyFence,
                            BaseSet::TensormapProxy, BaseSet::SharedFence, BaseSet::LaterArrival}) {
    empty.sets.set(static_cast<std::size_t>(set));
  }
  for (const BaseRelation relation : {BaseRelation::Issue, BaseRelation::GroupWait, BaseRelation::MbarrierPhase}) {
    empty.relations.set(static_cast<std::size_t>(relation));
  }
  const rules::Rules fitted = rules::without_members(*whole, empty);
  const rules::BaseTerms left = rules::base_terms(fitted);
  EXPECT_TRUE((left.sets & empty.sets).none());
  EXPECT_TRUE((left.relations & empty.relations).none());
  EXPECT_FALSE(left.relations.test(static_cast<std::size_t>(BaseRelation::Tracking)))
      << "the model must not use the relation `Tracking`";
  EXPECT_LT(fitted.terms.size(), whole->terms.size() * 3 / 4);
  EXPECT_EQ(names(fitted.axioms), names(whole->axioms));
  EXPECT_EQ(names(fitted.flags), names(whole->flags));
  EXPECT_EQ(fitted.orders.size(), whole->orders.size());
}

TEST(ShippedModels, AxiomsAndFlagsByName) {
  EXPECT_EQ(names(load("sc")->axioms), (Names{"sc", "atomicity"}));
  EXPECT_EQ(names(load("sc")->flags), Names{});
  for (const char* hrf : {"hrf-direct", "hrf-indirect"}) {
    EXPECT_EQ(names(load(hrf)->axioms), (Names{"sc", "atomicity"}));
    EXPECT_EQ(names(load(hrf)->flags), Names{"heterogeneous-race"});
  }
  EXPECT_EQ(names(load("hrf-relaxed")->axioms),
            (Names{"coherence", "atomicity", "no-thin-air", "sc", "hhb", "hhb-coherence"}));
  EXPECT_EQ(names(load("hrf-relaxed")->flags), Names{"heterogeneous-race"});
  for (const char* ptx : {"ptx", "ptx-9.0", "ptx-7.5", "ptx-6.0"}) {
    EXPECT_EQ(names(load(ptx)->axioms),
              (Names{"coherence", "fence-sc", "atomicity", "no-thin-air", "sc-per-location", "causality"}));
  }
  EXPECT_EQ(names(load("ptx")->flags), (Names{"data-race", "mbarrier-init-race", "incomplete-copy-race",
                                              "mbarrier-ahead-misuse", "pending-exit-misuse"}));
  EXPECT_EQ(names(load("ptx-9.0")->flags), Names{"data-race"});
  EXPECT_EQ(names(load("sc-tm")->axioms), (Names{"sc", "atomicity", "isolation", "txn-order", "opacity"}));
  EXPECT_EQ(names(load("sc-tm")->flags), Names{});
  EXPECT_EQ(names(load("hrf-indirect-tm")->axioms), (Names{"sc", "atomicity", "isolation", "txn-order", "opacity"}));
  EXPECT_EQ(names(load("hrf-indirect-tm")->flags), Names{"heterogeneous-race"});
  EXPECT_EQ(names(load("ptx-observed")->axioms),
            (Names{"coherence", "fence-sc", "atomicity", "no-thin-air", "sc-per-location", "causality", "block-order",
                   "cells", "device-order", "updates"}));
  EXPECT_EQ(names(load("ptx-observed")->flags), names(load("ptx")->flags));
  EXPECT_EQ(names(load("ptx-tm")->axioms),
            (Names{"coherence", "fence-sc", "atomicity", "no-thin-air", "sc-per-location", "causality", "isolation",
                   "txn-order", "opacity"}));
  EXPECT_EQ(names(load("ptx-tm")->flags), Names{"data-race"});
  EXPECT_EQ(names(load("cuda-cpp")->axioms), (Names{"coherence", "atomicity", "no-thin-air", "seq-cst"}));
  EXPECT_EQ(names(load("cuda-cpp")->flags), Names{"data-race"});
  EXPECT_EQ(names(load("scoped-hb")->flags), Names{"scoped-race"});
  EXPECT_EQ(names(load("gwcp")->flags), Names{"predictive-race"});
  // A flag is no race if it reports misuse or a feature that some PTX version lacks. Every other flag is a race.
  for (const std::string_view name : rules::shipped_models()) {
    const auto model = load(std::string(name));
    for (const rules::Flag& flag : model->flags) {
      EXPECT_NE(flag.is_race(), flag.is_misuse() || flag.name.find("-came-with-") != std::string::npos) << flag.name;
    }
  }
}

TEST(ShippedModels, OptionsWithTheirDefaults) {
  const auto default_of = [](const char* model, const char* option) -> std::string {
    const auto loaded = load(model);
    for (const rules::ModelOption& o : loaded->options) {
      if (o.name == option) return o.chosen;
    }
    return "(none)";
  };
  for (const char* hrf : {"hrf-direct", "hrf-indirect"}) {
    EXPECT_EQ(default_of(hrf, "rlx"), "sync");
    EXPECT_EQ(default_of(hrf, "barrier"), "cta");
  }
  EXPECT_EQ(default_of("hrf-relaxed", "incl"), "mut");
  EXPECT_EQ(default_of("hrf-relaxed", "transitivity"), "indirect");
  EXPECT_EQ(default_of("hrf-relaxed", "fence-sc"), "off");
  EXPECT_EQ(default_of("gwcp", "overlap"), "mut");
  EXPECT_EQ(default_of("gwcp", "barrier"), "hard");
  EXPECT_EQ(default_of("scoped-hb", "overlap"), "mut");
  for (const char* ptx : {"ptx", "ptx-9.0", "ptx-7.5", "ptx-6.0"}) {
    EXPECT_EQ(default_of(ptx, "sc-fences"), "patterns");
    EXPECT_EQ(default_of(ptx, "red"), "release");
    EXPECT_EQ(default_of(ptx, "cas"), "read");
    EXPECT_EQ(default_of(ptx, "barrier"), "cta");
    EXPECT_EQ(default_of(ptx, "causality"), "documented");
    EXPECT_EQ(default_of(ptx, "sc-per-location"), "on");
    EXPECT_EQ(default_of(ptx, "coherence"), "partial");
  }
  EXPECT_EQ(default_of("ptx", "fence-axiom"), "base");
  EXPECT_EQ(default_of("cuda-cpp", "release-sequence"), "cpp20");
  EXPECT_EQ(default_of("cuda-cpp", "thin-air"), "rc11");
}

TEST(ShippedModels, OnlyPtxNeedsTheAbiMappingAndAnOrder) {
  for (const std::string_view name : rules::shipped_models()) {
    const auto model = load(std::string(name));
    EXPECT_EQ(model->mappings.seq_cst_as_fences, name.starts_with("ptx")) << name;
    EXPECT_EQ(model->orders.size(), name.starts_with("ptx") ? 1U : 0U) << name;
  }
}

TEST(ShippedModels, EveryFixedPointIsMonotoneInItsGroup) {
  for (const std::string_view name : rules::shipped_models()) {
    const auto model =
        load(std::string(name), name == "hrf-relaxed" ? std::map<std::string, std::string>{{"transitivity", "direct"}}
                                                      : std::map<std::string, std::string>{});
    for (const rules::Fixpoint& fixpoint : model->fixpoints) {
      std::vector<bool> sources(model->terms.size(), false);
      for (const rules::Fixpoint& other : model->fixpoints) {
        if (other.group == fixpoint.group) sources[other.variable] = true;
      }
      EXPECT_EQ(monotonicity(*model, sources)[fixpoint.body], rules::Monotonicity::Increasing) << fixpoint.name;
    }
  }
  EXPECT_EQ(load("gwcp")->fixpoints.size(), 1U);
  EXPECT_EQ(load("hrf-relaxed", {{"transitivity", "direct"}})->fixpoints.size(), 2U);
}

/// If the value of a term depends only on the program, the term must be static. Otherwise an engine would compute it
/// again for each execution.
TEST(ShippedModels, SharedDefinitionsAreStatic) {
  for (const std::string_view name : rules::shipped_models()) {
    const auto model = load(std::string(name));
    const std::vector<bool> is_static = static_terms(*model);
    constexpr std::array known = {"inc",
                                  "mut",
                                  "eqinst",
                                  "nest",
                                  "cnf",
                                  "po-loc",
                                  "across",
                                  "ms",
                                  "release",
                                  "acquire",
                                  "candidate",
                                  "overlapping",
                                  "data-conflict",
                                  "conflict",
                                  "lock-word",
                                  "hard",
                                  "acquire-pattern",
                                  "release-pattern",
                                  "section-of-release"};
    constexpr std::array chosen = {"com", "hb", "hhb", "causality", "base-causality", "core", "handover", "coh"};
    for (const rules::Definition& definition : model->definitions) {
      const bool is_known = std::find(known.begin(), known.end(), definition.name) != known.end();
      const bool is_chosen = std::find(chosen.begin(), chosen.end(), definition.name) != chosen.end();
      if (is_known && !(name == "gwcp" && definition.name == "hard")) {
        EXPECT_TRUE(is_static[definition.term]) << name << " " << definition.name;
      }
      if (is_chosen) {
        EXPECT_FALSE(is_static[definition.term]) << name << " " << definition.name;
      }
    }
  }
}

}  // namespace
}  // namespace ambit::parser
