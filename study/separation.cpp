#include "study/separation.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ambit::study {

std::string_view to_string(Aspect aspect) {
  constexpr std::array<std::string_view, kAspects.size()> kNames = {"race", "outcome", "race-free-outcome", "run"};
  return kNames[static_cast<std::size_t>(aspect)];
}

std::vector<std::string> usual_families(bool with_locks) {
  std::vector<std::string> families = {
      "plain",
      "R,W,R.rlx.gpu,W.rlx.gpu",
      "R,W,R.rlx.cta,W.rlx.cta,R.rlx.gpu,W.rlx.gpu",
      "R.rlx.gpu,W.rlx.gpu,U.rlx.gpu,U.rlx.cta",
      "R.vol,W.vol",
      "R.rlx.gpu,W.rlx.gpu,F.sc.gpu,F.sc.cta",
      "R.sc.gpu,W.sc.gpu,R.sc.cta,W.sc.cta",
      "W,R.if,W.rel.gpu,R.acq.gpu,W.rel.cta,R.acq.cta",
      "W,R.if,W.rlx.gpu,W.rlx.gpu.if,R.rlx.gpu,F.sc.gpu",
      "W,R.if,W.rel.gpu,W.rlx.gpu.if,R.acq.gpu,R.rlx.gpu",
      "W,R.if,W.rel.gpu.if,W.rel.cta,R.acq.gpu,R.acq.cta",
      "W,R.if,W.rel.gpu,R.acq.gpu,B",
  };
  if (with_locks) {
    families.insert(families.begin() + 1,
                    {"R,W,L.gpu,N.gpu", "R,W,L.gpu,N.gpu,L.cta,N.cta", "R,W,B", "W,L.gpu,N.gpu,B"});
  }
  return families;
}

std::optional<Separation> difference(const Sight& first, const Sight& second, Aspect aspect) {
  if (!first.is_known || !second.is_known) return std::nullopt;
  Separation result;
  result.aspect = aspect;
  switch (aspect) {
    case Aspect::Race:
      if (first.race == std::optional(true) && second.race == std::optional(false)) return result;
      return std::nullopt;
    case Aspect::Safe:
      if (first.race.value_or(false) || second.race.value_or(false)) return std::nullopt;
      [[fallthrough]];
    case Aspect::Outcome:
      for (const events::Outcome& outcome : first.outcomes) {
        if (std::binary_search(second.outcomes.begin(), second.outcomes.end(), outcome)) continue;
        result.outcome = outcome;
        return result;
      }
      return std::nullopt;
    case Aspect::Run:
      for (std::size_t run = 0; run < std::min(first.by_run.size(), second.by_run.size()); ++run) {
        if (!first.by_run[run] || second.by_run[run]) continue;
        result.run = run;
        return result;
      }
      return std::nullopt;
  }
  return std::nullopt;
}

bool makes_sense(const Subject& first, const Subject& second, Aspect aspect) {
  switch (aspect) {
    case Aspect::Race: return first.speaks_of_races() && second.speaks_of_races();
    case Aspect::Outcome:
    case Aspect::Safe: return first.is_model() && second.is_model();
    case Aspect::Run: return !first.is_model() && !second.is_model();
  }
  return false;
}

namespace {

/// A work item: all programs of one family with a given size.
struct Item {
  std::size_t family = 0;
  unsigned size = 0;
  double states = 0;  ///< estimated number of states of the enumeration
  bool is_done = false;
};

class Sweeper {
 public:
  Sweeper(const Observer& observer, const SweepOptions& options) : observer_(observer), options_(options) {
    const auto& subjects = observer.subjects();
    for (std::size_t a = 0; a < subjects.size(); ++a) {
      for (std::size_t b = 0; b < subjects.size(); ++b) {
        for (const Aspect aspect : kAspects) {
          const bool requested = !options.is_wanted || options.is_wanted(a, b, aspect);
          if (a == b || !requested || !makes_sense(subjects[a], subjects[b], aspect)) continue;
          Separation wanted;
          wanted.first = a;
          wanted.second = b;
          wanted.aspect = aspect;
          wanted.size = kNone;
          best_.push_back(std::move(wanted));
        }
      }
    }
  }

  Sweep run() {
    if (!read_families()) return std::move(sweep_);
    for (const synthesis::Skeleton& seed : options_.seeds) compare(seed);
    if (options_.random > 0) look_at_random();
    for (Item& item : items_) {
      if (sweep_.is_stopped || options_.random > 0) break;
      item.is_done = !matters(item) || look_at(item);
    }
    finish();
    return std::move(sweep_);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  bool read_families() {
    constexpr int kDescents = 500;
    for (const std::string& family : options_.families) {
      auto alphabet = synthesis::Alphabet::read(family, "--alphabet");
      if (!alphabet.ok()) {
        sweep_.error = render(alphabet.errors());
        return false;
      }
      alphabets_.push_back(std::move(alphabet).value());
      for (unsigned size = 2; size <= options_.bounds.events; ++size) {
        synthesis::Bounds bounds = options_.bounds;
        bounds.events = size;
        items_.push_back({alphabets_.size() - 1, size, estimated_states(bounds, alphabets_.back(), kDescents)});
      }
    }
    std::ranges::stable_sort(items_, {}, &Item::states);
    return true;
  }

  /// Returns whether the item can improve the result: some pair has no separation yet, or its best separation is larger
  /// than the item.
  bool matters(const Item& item) const {
    if (options_.stops_at_first) return item.size < smallest();
    return std::ranges::any_of(best_, [&](const Separation& one) { return one.size > item.size; });
  }
  std::size_t smallest() const { return best_.empty() ? 0 : std::ranges::min(best_, {}, &Separation::size).size; }

  void look_at_random() {
    constexpr std::uint64_t kAttempts = 20;  // number of attempts for each random program
    std::set<std::string> known;
    for (std::uint64_t i = 0; i < kAttempts * options_.random && known.size() < options_.random; ++i) {
      if (options_.is_over && options_.is_over()) sweep_.is_stopped = true;
      if (sweep_.is_stopped) return;
      const auto program = random_program(options_.bounds, alphabets_[i % alphabets_.size()], options_.random_seed + i);
      if (program && known.insert(name_of(*program)).second) compare(*program);
    }
  }

  /// Examines the programs of the item. Returns false if the sweep was stopped.
  bool look_at(const Item& item) {
    synthesis::Bounds bounds = options_.bounds;
    bounds.events = item.size;
    synthesis::for_each_program(bounds, alphabets_[item.family], [&](const synthesis::Skeleton& skeleton) {
      if (!matters(item)) return false;
      if (options_.is_over && options_.is_over()) {
        sweep_.is_stopped = true;
        return false;
      }
      if (skeleton.size() == item.size) compare(skeleton);
      return !sweep_.is_stopped;
    });
    return !sweep_.is_stopped;
  }

  void compare(const synthesis::Skeleton& skeleton) {
    ++sweep_.programs;
    const std::vector<Sight> sights = observer_.observe(observed_program(observer_, skeleton));
    for (std::size_t i = 0; i < sights.size() && sweep_.failure.empty(); ++i) {
      if (!sights[i].failure.empty()) sweep_.failure = observer_.subjects()[i].name + ": " + sights[i].failure;
    }
    if (!sweep_.failure.empty()) {
      sweep_.is_stopped = true;
      return;
    }
    for (Separation& best : best_) {
      if (best.size <= skeleton.size()) continue;
      auto found = difference(sights[best.first], sights[best.second], best.aspect);
      if (!found) continue;
      best.program = skeleton;
      best.outcome = std::move(found->outcome);
      best.run = found->run;
      best.size = skeleton.size();
    }
  }

  void finish() {
    for (unsigned size = 2; size <= options_.bounds.events; ++size) {
      const bool all = std::ranges::all_of(items_, [&](const Item& item) { return item.size != size || item.is_done; });
      if (!all) break;
      sweep_.complete = size;
    }
    for (std::size_t family = 0; family < alphabets_.size(); ++family) {
      unsigned done = 1;
      for (unsigned size = 2; size <= options_.bounds.events; ++size) {
        for (const Item& item : items_) {
          if (item.family == family && item.size == size && item.is_done && done == size - 1) done = size;
        }
      }
      sweep_.done.push_back(options_.families[family] + ": " + std::to_string(done));
    }
    std::ranges::stable_sort(best_, {}, &Separation::size);
    for (Separation& best : best_) {
      if (best.size != kNone && (!options_.stops_at_first || sweep_.found.empty()))
        sweep_.found.push_back(std::move(best));
    }
  }

  const Observer& observer_;
  const SweepOptions& options_;
  std::vector<synthesis::Alphabet> alphabets_;
  std::vector<Item> items_;
  std::vector<Separation> best_;  ///< best separation of each pair and aspect; the size is kNone before the first
  Sweep sweep_;
};

}  // namespace

std::shared_ptr<const Program> with_places(const Program& program) {
  auto placed = std::make_shared<Program>(program);
  placed->source = std::make_shared<const SourceFile>(SourceFile{placed->name, ""});
  for (std::uint32_t t = 0; t < placed->threads.size(); ++t) {
    std::uint32_t line = 0;
    for (Instruction& instruction : placed->threads[t].code) instruction.span = {(t + 1) * 1000 + ++line, 1, 1};
  }
  return placed;
}

std::shared_ptr<const Program> observed_program(const Observer& observer, const synthesis::Skeleton& skeleton) {
  auto program = synthesis::program_of(skeleton);
  return observer.has_detectors() ? with_places(*program) : program;
}

Sweep separate(const Observer& observer, const SweepOptions& options) { return Sweeper(observer, options).run(); }

}  // namespace ambit::study
