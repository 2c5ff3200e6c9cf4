#pragma once

#include <optional>
#include <vector>

#include "base/context.h"
#include "model/eval/candidate.h"
#include "model/eval/concrete_domains.h"
#include "model/eval/orbits.h"
#include "model/eval/pair_order.h"
#include "model/eval/plan.h"
#include "model/eval/plan_machine.h"
#include "model/eval/recorder.h"

namespace ambit::eval {

/// Depth-first search over candidate executions. The search chooses a source for each read, the coherence order of each
/// location, and the orders that the model declares. While choices are open, the search tests the axioms on bounds of
/// their terms (plan.h), so that it abandons impossible choices early.
///
/// For each read, the search chooses one of the writes that are known so far, or excludes these writes and waits until
/// more writes are known. So the search visits each execution only once and guesses no values. A stateless model
/// checker adds reads to an execution graph in the same way (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL
/// 2022). Here, the graph has all writes of the unrolled program from the start, so no execution is visited twice. The
/// search guesses a value only if every read waits. All reads can wait if the model allows a cycle of reads and of
/// branches that depend on these reads.
///
/// With `orbits`, the search omits most executions that are images of visited executions under exchanges of threads.
/// After the search has tried a read with a source, it skips the images of this pair under exchanges that preserve the
/// earlier choices (symmetry breaking during search: Gent and Smith, ECAI 2000).
class Search {
 public:
  Search(const events::EventGraph& graph, const rules::Rules& rules, const Plan& plan,
         const events::Questions& questions, const Orbits& orbits, Context& context,
         std::optional<std::uint64_t> most_steps);

  /// Runs the search. If a limit of the context is reached, returns the answers found so far.
  events::Answers run();

 private:
  /// The goal of the search: complete executions, or prefixes in which a loop reaches its bound.
  enum class Mode : std::uint8_t { Complete, Prefix };

  // search_reads.cpp: the source of each read
  void search_all();
  void search(Mode mode);
  void search_prefixes();
  void choose_source();
  /// The writes from which a read can read at this point of the search.
  struct Sources {
    std::vector<events::EventId> known;
    std::vector<events::EventId> open;  ///< writes whose guard, location or value is still unknown
  };
  Sources sources_of(events::EventId read) const;
  void choose_source_of(events::EventId read, const Sources& sources);
  void choose_source_up_to_exchanges(events::EventId read, const Sources& sources);
  bool keeps_choices(const Orbits::Exchange& exchange) const;
  void choose_alternative(events::EventId choice);
  void guess_source(events::EventId read, const Sources& sources);
  void try_source(events::EventId read, events::EventId write, Value value, std::size_t choices);
  void go_on(std::size_t choices);
  bool meets_requirements() const;
  bool is_worth_testing() const;
  bool is_exact() const;
  bool prefix_is_possible() const;
  bool may_be_completed();
  void fill_executed_bounds();
  bool fill_source_bounds();
  enum class Fit : std::uint8_t { No, Open, Yes };
  Fit fit(events::EventId write, events::EventId read) const;
  void fill_coherence_bounds();
  void fill_order_bounds();
  void find_choices();
  void order_reads();

  // search_orders.cpp: coherence and declared orders
  void complete_sources();
  bool prepare_static(bool is_exact);
  void begin_coherence();
  void choose_coherence(std::size_t from);
  void complete_coherence();
  bool begin_orders();
  void try_some_orders();
  void choose_orders(std::size_t order, std::size_t from);
  bool force(PairOrder& order, Level open);
  bool passes_bounds(Level open);
  bool orders_may_add_answers();
  void compute_flag_terms(Level last);
  void complete_orders();
  void accept();
  void record_flags();
  events::Outcome outcome() const;
  events::Execution execution() const;

  bool should_stop();
  bool run(Level level) { return machine_.run(plan_.axiom_steps[static_cast<std::size_t>(level)]); }

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  const Plan& plan_;
  const events::Questions& questions_;
  const Orbits& orbits_;
  Context& context_;
  const std::uint64_t most_steps_;
  Dependents dependents_;
  std::size_t most_values_;  ///< maximum number of values of a read
  Domains domains_;
  Candidate candidate_;
  Machine machine_;
  Recorder recorder_;
  PairOrder coherence_;
  std::vector<PairOrder> orders_;

  Mode mode_ = Mode::Complete;
  /// For each read, the writes from which the read may read according to the domains.
  std::vector<std::vector<events::EventId>> writers_;
  std::vector<events::EventId> read_order_;  ///< the order in which the search tries open reads
  std::vector<events::EventSet> left_out_;   ///< for each read, the writes that the search has excluded as its source
  double coherence_choices_ = 1;
  bool has_guessed_ = false;  ///< whether the search has guessed a value on the current path
  bool guesses_ = false;      ///< whether the model allows cycles of reads and of dependent branches
  events::Relation may_cohere_;
  bool outcome_needs_memory_ = false;

  /// The inputs from which the machine computed its static terms.
  struct StaticState {
    bool is_exact = false;
    events::EventSet lower;
    events::EventSet upper;
    std::vector<std::uint8_t> conditions;
    bool passed = false;
    friend bool operator==(const StaticState&, const StaticState&) = default;
  };
  StaticState static_state_;
  bool has_static_state_ = false;
  StaticState wanted_state_;
  std::vector<events::NodeId> conditions_;
  std::array<bool, kLevels> flag_terms_known_{};
  bool accepted_ = false;  ///< with the current coherence, whether some choice of declared orders was accepted
  events::Outcome outcome_;

  std::optional<UnknownReason> stopped_;
  bool finished_ = false;
  std::uint64_t candidates_ = 0;
  std::uint64_t prunings_ = 0;
  std::uint64_t bound_tests_ = 0;
};

}  // namespace ambit::eval
