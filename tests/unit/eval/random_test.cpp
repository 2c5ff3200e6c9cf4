#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/eval/enumerate.h"
#include "model/eval/evaluator.h"
#include "tests/support/dice.h"
#include "tests/support/models.h"
#include "tests/support/programs.h"
#include "tests/unit/eval/brute_force.h"

namespace ambit::eval {
namespace {

using test::Dice;
using testing::ModelBuilder;
using testing::ProgramBuilder;

/// Returns a program of two or three threads, with a few statements over x and y.
ProgramBuilder random_program(Dice& dice) {
  ProgramBuilder p({"x", "y"});
  const std::vector<std::string> locations = {"x", "y"};
  const std::vector<Order> orders = {Order::Weak, Order::Relaxed};
  const std::size_t threads = 2 + dice.below(2);
  for (std::size_t t = 0; t < threads; ++t) {
    p.thread(static_cast<int>(dice.below(2)));
    const std::size_t statements = 1 + dice.below(threads == 2 ? 3 : 2);
    for (std::size_t s = 0; s < statements; ++s) {
      const std::string location = dice.pick(locations);
      const std::string reg = "r" + std::to_string(dice.below(2));
      switch (dice.below(9)) {
        case 0:
        case 1: p.store(location, static_cast<Value>(1 + dice.below(2)), dice.pick(orders)); break;
        case 2:
        case 3: p.load(reg, location, dice.pick(orders)); break;
        case 4: p.store_register(location, reg, static_cast<Value>(dice.below(2))); break;
        case 5: p.rmw(reg, dice.chance(50) ? RmwOp::Add : RmwOp::CompareExchange, location, 1, 0); break;
        case 6: p.fence(); break;
        case 7:
          p.load(reg, location).if_equal(reg, static_cast<Value>(dice.below(2)), 1);
          p.store(dice.pick(locations), 1);
          break;
        default: p.spin_until(location, 1); break;
      }
    }
  }
  return p;
}

/// Generates random terms over the base relations and sets, fixed points, orders, and axioms of all kinds.
class RandomModel {
 public:
  RandomModel(Dice& dice, bool with_order) : dice_(dice), model_("random") {
    sets_ = {model_.set(BaseSet::Read),  model_.set(BaseSet::Write),        model_.set(BaseSet::Universe),
             model_.set(BaseSet::Fence), model_.set(BaseSet::InitialWrite), model_.set(BaseSet::Atomic)};
    relations_ = {model_.po(),
                  model_.rf(),
                  model_.co(),
                  model_.fr(),
                  model_.loc(),
                  model_.rmw(),
                  model_.base(BaseRelation::External),
                  model_.base(BaseRelation::SameBlock),
                  model_.base(BaseRelation::ControlDependency),
                  model_.base(BaseRelation::Identity)};
    if (with_order) {
      const auto order = model_.order_on(model_.set(dice.chance(50) ? BaseSet::Fence : BaseSet::Atomic));
      if (dice.chance(50)) relations_.push_back(order);
      relations_.push_back(model_.both(order, model_.base(BaseRelation::External)));
    }
    for (int i = 0; i < 12; ++i) grow();
    if (dice.chance(40)) {
      add_fixpoints();
      for (int i = 0; i < 4; ++i) grow();
    }
    for (std::size_t i = 0; i < 1 + dice.below(3); ++i) add_axiom();
    model_.flag_not_empty(late_relation());
  }

  const ModelBuilder& model() const { return model_; }

 private:
  rules::TermId relation() { return dice_.pick(relations_); }
  rules::TermId late_relation() { return relations_[relations_.size() - 1 - dice_.below(6)]; }

  void grow() {
    switch (dice_.below(14)) {
      case 0: relations_.push_back(model_.any(relation(), relation())); break;
      case 1: relations_.push_back(model_.both(relation(), relation())); break;
      case 2: relations_.push_back(model_.without(relation(), relation())); break;
      case 3:
      case 4: relations_.push_back(model_.sequence(relation(), relation())); break;
      case 5: relations_.push_back(model_.inverse(relation())); break;
      case 6: relations_.push_back(model_.closure(relation())); break;
      case 7: relations_.push_back(model_.optional(relation())); break;
      case 8: relations_.push_back(model_.identity(dice_.pick(sets_))); break;
      case 9: relations_.push_back(model_.product(dice_.pick(sets_), dice_.pick(sets_))); break;
      case 10: relations_.push_back(model_.complement(relation())); break;
      case 11: sets_.push_back(dice_.chance(50) ? model_.domain(relation()) : model_.range(relation())); break;
      case 12: sets_.push_back(model_.without(dice_.pick(sets_), dice_.pick(sets_))); break;
      default: relations_.push_back(model_.sequence(model_.identity(dice_.pick(sets_)), relation())); break;
    }
  }

  void add_fixpoints() {
    const auto a = model_.variable("a", 0);
    const auto b = model_.variable("b", 0);
    const auto c = model_.variable("c", 1);
    // a = r | (b ; r') \ r'';  b = r & ext | (a ; b);  c = a | (c ; ~(r \ c))
    model_.body(a, model_.any(relation(), model_.without(model_.sequence(b, relation()), relation())));
    model_.body(b, model_.any(model_.both(relation(), relation()), model_.sequence(a, b)));
    const auto complement = model_.complement(model_.without(relation(), c));
    model_.body(c, model_.any(a, model_.sequence(c, complement)));
    relations_.insert(relations_.end(), {a, b, c});
  }

  void add_axiom() {
    const bool negated = dice_.chance(15);
    switch (dice_.below(3)) {
      case 0: model_.acyclic(late_relation(), "a", negated); break;
      case 1: model_.irreflexive(late_relation(), "i", negated); break;
      default: model_.empty(model_.without(late_relation(), relation()), "e", negated); break;
    }
  }

  Dice& dice_;
  ModelBuilder model_;
  std::vector<rules::TermId> sets_;
  std::vector<rules::TermId> relations_;
};

/// For all questions, compares the enumerator's answers with the definition. Returns the number of allowed executions.
std::uint64_t compare(const events::EventGraph& graph, const ModelBuilder& model) {
  Context context;
  events::Questions questions;
  questions.outcomes = true;
  questions.count = true;
  const events::Answers answers = enumerate(graph, model.rules, questions, context);
  const testing::BruteForce expected = testing::enumerate_by_force(graph, model.rules);
  EXPECT_EQ(answers.executions, expected.executions);
  EXPECT_EQ(answers.outcomes, expected.outcomes);
  for (std::size_t i = 0; i < expected.flags.size(); ++i) {
    std::vector<std::pair<events::EventId, events::EventId>> pairs;
    for (const auto& pair : answers.flags[i].pairs) {
      pairs.emplace_back(pair.first, pair.second);
      EXPECT_EQ(find_flaw(graph, model.rules, *pair.witness), std::nullopt);
    }
    EXPECT_EQ(pairs, expected.flags[i]);
  }
  if (answers.any.witness) {
    EXPECT_EQ(find_flaw(graph, model.rules, *answers.any.witness), std::nullopt);
  }
  return expected.executions;
}

TEST(Random, EnumeratorAgreesWithBruteForce) {
  constexpr double kLargest = 1500;
  unsigned compared = 0;
  unsigned allowed = 0;
  for (unsigned seed = 0; compared < 400; ++seed) {
    Dice dice(seed);
    const events::EventGraph graph = random_program(dice).graph();
    const RandomModel random(dice, dice.chance(40));
    if (testing::brute_force_size(graph, random.model().rules) > kLargest) continue;
    ++compared;
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (compare(graph, random.model()) > 0) ++allowed;
    if (HasFailure()) return;
  }
  EXPECT_GT(allowed, 70U);  // many models allow at least one execution
}

TEST(Random, FixedModelsAgreeWithBruteForce) {
  constexpr double kLargest = 3000;
  unsigned compared = 0;
  for (unsigned seed = 5000; compared < 150; ++seed) {
    Dice dice(seed);
    const events::EventGraph graph = random_program(dice).graph();
    const ModelBuilder model = dice.chance(50) ? testing::sequential_consistency() : testing::coherence_only();
    if (testing::brute_force_size(graph, model.rules) > kLargest) continue;
    ++compared;
    SCOPED_TRACE("seed " + std::to_string(seed));
    compare(graph, model);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace ambit::eval
