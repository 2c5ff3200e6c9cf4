#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/rules/rules.h"
#include "model/rules/shipped.h"

namespace ambit::rules {
namespace {

TEST(Shipped, ModelsAreTheFilesThatBeginWithATitle) {
  std::set<std::string> titled;
  for (const ShippedFile& file : shipped_files()) {
    ASSERT_TRUE(file.name.ends_with(".cat")) << file.name;
    if (file.text.starts_with('"')) titled.emplace(file.name.substr(0, file.name.size() - 4));
  }
  const auto models = shipped_models();
  EXPECT_EQ(titled, std::set<std::string>(models.begin(), models.end()));
}

TEST(Shipped, ModelsAreInTheOrderOfTheTables) {
  const auto models = shipped_models();
  const std::vector<std::string> expected = {"sc",      "hrf-direct", "hrf-indirect",    "hrf-relaxed", "ptx",
                                             "ptx-9.0", "ptx-7.5",    "ptx-6.0",         "cuda-cpp",    "scoped-hb",
                                             "gwcp",    "sc-tm",      "hrf-indirect-tm", "ptx-tm",      "ptx-observed"};
  EXPECT_EQ(std::vector<std::string>(models.begin(), models.end()), expected);
}

TEST(Prune, KeepsWhatAxiomsFlagsAndOrdersUse) {
  Rules rules;
  const TermId po = rules.intern(BaseRelationTerm{BaseRelation::ProgramOrder}, Kind::Relation);
  const TermId rf = rules.intern(BaseRelationTerm{BaseRelation::ReadsFrom}, Kind::Relation);
  const TermId unused = rules.intern(FixpointTerm{0}, Kind::Relation);
  const TermId used = rules.intern(FixpointTerm{1}, Kind::Relation);
  const TermId unused_body = rules.intern(Union{rf, unused}, Kind::Relation);
  const TermId used_body = rules.intern(Union{po, rules.intern(Sequence{used, used}, Kind::Relation)}, Kind::Relation);
  rules.fixpoints = {{"unused", 0, unused, unused_body}, {"used", 1, used, used_body}};
  rules.definitions = {{"unused", unused}, {"used", used}};
  rules.axioms = {{"a", rules::Test::Acyclic, false, used, {}}};

  const Rules kept = prune(rules);
  ASSERT_EQ(kept.fixpoints.size(), 1U);
  EXPECT_EQ(kept.fixpoints[0].name, "used");
  EXPECT_EQ(kept.fixpoints[0].group, 0U);
  EXPECT_EQ(kept.terms.size(), 4U) << "po, used, used ; used, po | used ; used";
  EXPECT_EQ(kept.terms[kept.axioms[0].term], Term(FixpointTerm{0}));
  EXPECT_EQ(kept.fixpoints[0].variable, kept.axioms[0].term);
  EXPECT_EQ(to_string(kept, kept.fixpoints[0].body), "po | used ; used");
  ASSERT_EQ(kept.definitions.size(), 1U);
  EXPECT_EQ(kept.definitions[0].name, "used");
}

}  // namespace
}  // namespace ambit::rules
