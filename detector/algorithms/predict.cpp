#include "detector/algorithms/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "detector/algorithms/happens_before.h"
#include "detector/options.h"

namespace ambit::detector {

Predict::Predict(const TraceTables& tables, const PredictOptions& options)
    : tables_(tables), options_(options), builder_(tables, options.model), log_(tables) {
  // Happens-before always uses Mutual overlap. If the predictions used another overlap, the races of happens-before
  // would contradict the predictions.
  if (options.adds_unordered && options.model.overlap == Overlap::Mutual) {
    happens_before_ = std::make_unique<HappensBefore<PlainClocks>>(tables);
  }
  context_.dump_directory = options.dump_directory;
}

void Predict::on(const Observation& observation) {
  builder_.on(observation);
  if (happens_before_) happens_before_->on(observation);
}

void Predict::finish(std::span<const Action> rest, const SyncInference& inference) {
  model_ = builder_.finish(rest);
  search_ = std::make_unique<QuickSearch>(model_);
  context_.set_timeout(options_.timeout);
  std::vector<std::vector<std::size_t>> earlier(tables_.locations().size());
  for (std::size_t j = 0; j < model_.accesses.size(); ++j) {
    auto& same_location = earlier[model_.accesses[j].location];
    for (const std::size_t i : same_location) consider(model_.accesses[i], model_.accesses[j], inference);
    same_location.push_back(j);
  }
  solver_.reset();
  if (happens_before_) {
    happens_before_->finish(rest, inference);
    add_unordered();
  }
  add_remarks();
}

Predict::PairKey Predict::key_of(const RaceAccess& first, const RaceAccess& second, std::uint32_t location) {
  const auto of = [](const RaceAccess& access) {
    return access.site != kNoName ? SiteKey{access.site, kNoName, false}
                                  : SiteKey{kNoName, access.thread, access.is_write};
  };
  const bool has_sites = first.site != kNoName && second.site != kNoName;
  return {of(first), of(second), has_sites ? kNoName : location};
}

bool Predict::is_candidate(const RunModel::Access& first, const RunModel::Access& second) const {
  const RaceSide& a = first.side;
  const RaceSide& b = second.side;
  if (a.thread == b.thread || (!a.is_write && !b.is_write)) return false;
  const auto& threads = tables_.threads();
  return !(a.is_atomic && b.is_atomic &&
           same_instance(threads[a.thread].place, threads[b.thread].place, narrower(a.scope, b.scope)));
}

Predict::Verdict Predict::decide(std::uint32_t a, std::uint32_t b, StepOrder& order) {
  if (search_->cannot_meet(a, b)) return Verdict::Impossible;
  if (auto found = search_->in_run_order(a, b)) {
    // If the trace is inconsistent, the order of its own events may not be a correct reordering.
    if (model_.own_order_is_kept || !find_flaw(model_, *found, a, b, options_.keeps_section_order)) {
      order = std::move(*found);
      return Verdict::Possible;
    }
  } else if (options_.keeps_section_order && model_.own_order_is_kept && options_.model.reads == ReadsKept::Writer) {
    return Verdict::Impossible;
  }
  if (!solver_) {
    const solver::ReorderingOptions wanted{options_.keeps_section_order};
    solver_ = std::make_unique<solver::ReorderingSolver>(model_.problem, wanted, context_);
  }
  solver::ReorderingAnswer answer = solver_->query(a, b);
  order = std::move(answer.order);
  lacks_solver_ = answer.unknown == UnknownReason::Unsupported;
  return answer.verdict;
}

void Predict::consider(const RunModel::Access& first, const RunModel::Access& second, const SyncInference& inference) {
  if (!is_candidate(first, second)) return;
  const auto access = [](const RaceSide& side) {
    return RaceAccess{side.thread, side.site, side.event, side.is_write, side.is_atomic};
  };
  const PairKey key = key_of(access(first.side), access(second.side), first.location);
  if (found_.contains(key)) return;
  StepOrder order;
  const Verdict verdict = context_.should_stop(1000) ? Verdict::Unknown : decide(first.step, second.step, order);
  if (verdict == Verdict::Unknown) undecided_.insert(key);
  if (verdict != Verdict::Possible) return;
  AMBIT_ASSERT(!find_flaw(model_, order, first.step, second.step, options_.keeps_section_order));
  found_.insert(key);
  undecided_.erase(key);
  const RaceKind kind = explain(first.side, second.side, first.location, inference).kind;
  log_.add(first.side, second.side, first.location, kind, how(first, second, order));
  races_.push_back(log_.reports().back());
  races_.back().witness = expand(model_, builder_.events(), order, first.step, second.step);
}

std::string Predict::how(const RunModel::Access& first, const RunModel::Access& second, const StepOrder& order) const {
  const auto name = [&](std::uint32_t thread) { return tables_.threads()[thread].name; };
  std::vector<std::size_t> at(model_.steps.size(), model_.steps.size());
  for (std::size_t i = 0; i < order.size(); ++i) at[order[i]] = i;
  for (const auto& exclusion : model_.problem.exclusions) {
    const RunModel::Section& a = model_.sections[exclusion.first];
    const RunModel::Section& b = model_.sections[exclusion.second];
    if (at[b.acquire] == model_.steps.size() || at[a.acquire] < at[b.acquire]) continue;
    return fmt::format("both are next if {} takes {} before {} does", name(b.thread), tables_.locations()[b.lock].name,
                       name(a.thread));
  }
  return fmt::format("both are next if {} waits before its access until {} reaches its own access",
                     name(first.side.thread), name(second.side.thread));
}

void Predict::add_unordered() {
  for (RaceReport race : happens_before_->races()) {
    const PairKey key = key_of(race.first, race.second, race.location);
    if (found_.contains(key)) continue;
    race.sentence += undecided_.contains(key) || race.second.event >= builder_.kept()
                         ? "; it is unknown whether a reordering brings them together"
                         : "; no reordering of this run brings them together, but nothing synchronises them";
    races_.push_back(std::move(race));
  }
}

void Predict::add_remarks() {
  if (builder_.seen() > builder_.kept()) {
    remarks_.push_back(fmt::format("only the first {} of {} events were searched; nothing is known about the rest",
                                   builder_.kept(), builder_.seen()));
  }
  if (!undecided_.empty()) {
    remarks_.push_back(fmt::format("{} {} pairs of places undecided: it is unknown whether they race",
                                   lacks_solver_ ? "the lack of Z3 left" : "the timeout left", undecided_.size()));
  }
}

namespace {

OptionTable<PredictOptions> reordering_options() {
  OptionTable<PredictOptions> options;
  options.choice(
      "rf", [](PredictOptions & o) -> auto& { return o.model.reads; },
      {{"exact", ReadsKept::Writer}, {"value", ReadsKept::Value}},
      "a read must find the same write, or any write of the same value");
  add_overlap_option(
      options, [](PredictOptions & o) -> auto& { return o.model.overlap; });
  options.number(
      "limit", [](PredictOptions & o) -> auto& { return o.model.limit; }, {1000, 100, 10000, 100000},
      "how many events of the trace are searched, from its start");
  using std::chrono::seconds;
  return options.choice("timeout", &PredictOptions::timeout,
                        {{"10", seconds(10)}, {"1", seconds(1)}, {"60", seconds(60)}, {"600", seconds(600)}},
                        "time limit for one trace, in seconds");
}

}  // namespace

std::unique_ptr<Detector> make_oracle(const TraceTables& tables) {
  return std::make_unique<Predict>(tables, PredictOptions{.adds_unordered = true});
}

DetectorDescription predict() {
  const auto options = reordering_options().choice(
      "unordered", &PredictOptions::adds_unordered, {{"yes", true}, {"no", false}},
      "add pairs that no reordering brings together if happens-before leaves them unordered");
  return {.name = "predict",
          .source = "after Huang, Meredith, Rosu, PLDI 2014",
          .summary = "every race that some reordering of the run shows",
          .options = options.described(),
          .claims = Claims::WitnessedRaces,
          .make = options.maker<Predict>()};
}

DetectorDescription syncp() {
  const auto options = reordering_options();
  return {.name = "syncp",
          .source = "Mathur, Pavlogiannis, Viswanathan, POPL 2021",
          .summary = "races of reorderings that keep the order of critical sections",
          .options = options.described(),
          .claims = Claims::WitnessedRaces,
          .make = [options](const TraceTables& tables, const GivenOptions& given) {
            PredictOptions wanted = options.read(given);
            wanted.keeps_section_order = true;
            return std::make_unique<Predict>(tables, wanted);
          }};
}

}  // namespace ambit::detector
