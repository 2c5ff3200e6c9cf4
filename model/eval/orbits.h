#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "model/events/execution.h"
#include "model/events/symmetry.h"

namespace ambit::eval {

/// Applies exchanges of threads and blocks to events and executions (events::Symmetry).
class Orbits {
 public:
  using Pair = std::pair<events::EventId, events::EventId>;

  /// Makes an object without exchanges.
  Orbits() = default;
  Orbits(const events::EventGraph& graph, const events::Symmetry& symmetry);

  bool is_trivial() const { return classes_.empty(); }

  /// An exchange of two units (threads or blocks) of a class.
  struct Exchange {
    std::size_t of;
    std::uint32_t a;
    std::uint32_t b;
  };
  /// Returns all exchanges.
  const std::vector<Exchange>& exchanges() const { return exchanges_; }
  events::EventId image(const Exchange& exchange, events::EventId e) const;

  /// Returns the pairs to which sequences of these exchanges map `pair`, including `pair` itself.
  std::vector<Pair> of(Pair pair, std::span<const Exchange> exchanges) const;

  /// Calls visit(image, execution) for each pair to which exchanges map `pair`, except `pair` itself. The arguments of
  /// `visit` are the images of the pair and of the execution.
  void for_each_image(Pair pair, const events::Execution& execution,
                      const std::function<void(Pair, const events::Execution&)>& visit) const;

 private:
  /// A class of threads, or of whole blocks, that can be exchanged.
  struct Class {
    std::vector<events::Symmetry::Unit> units;
    /// For each event, its unit and its position in the unit; kNowhere if the event is in no unit.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> place;
  };

  static constexpr std::uint32_t kNowhere = 0xffffffffU;

  Pair image(const Exchange& exchange, Pair pair) const {
    return {image(exchange, pair.first), image(exchange, pair.second)};
  }
  events::Execution image(const Exchange& exchange, const events::Execution& from) const;

  std::vector<Class> classes_;
  std::vector<Exchange> exchanges_;
};

}  // namespace ambit::eval
