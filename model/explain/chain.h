#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/vocabulary.h"
#include "model/events/event_graph.h"

namespace ambit::explain {

/// One step from an event to another event, with its justification.
struct Link {
  /// A property of the two events that the relation requires in addition to its steps.
  struct Property {
    std::string name;    ///< the model's name of the property: "mut"
    std::string phrase;  ///< the model's phrase: "the scope of each includes the other's thread"
  };

  enum class Kind : std::uint8_t {
    Base,   ///< a base relation: program order, reads-from ...
    Order,  ///< a total order that the model declares
    /// A relation that the model defines. Its `parts` lead from `from` to `to`. A link without parts relates an
    /// event to itself (a release pattern of one access). A link without a name groups parts that have common
    /// properties.
    Named,
    Condition,  ///< a property of the two events (a product of sets, a complement); `name` is its text
  };
  events::EventId from = events::kNoEvent;
  events::EventId to = events::kNoEvent;
  Kind kind = Kind::Base;
  std::string name;  ///< the model's name: "rf", "fence-order", "hb"
  std::optional<BaseRelation> base;
  bool is_reversed = false;  ///< the relation contains the pair in the opposite direction
  std::string phrase;        ///< for Named and Condition, the phrase in rules::Definition
  bool is_narrower = false;  ///< for Named, the relation requires more than its parts (composition, intersection)
  std::vector<Property> properties;  ///< those properties that have a phrase
  std::vector<Link> parts;

  bool is_role() const { return kind == Kind::Named && !phrase.empty() && phrase.find('$') == std::string::npos; }
};

/// Consecutive steps. Each step begins where the previous step ends.
using Chain = std::vector<Link>;

/// Expands the chain to base relations and conditions, so that no link has parts.
Chain flatten(const Chain& chain);

/// Returns the top-level steps of the chain. While the chain is a single named link that only concatenates other
/// relations (happens-before, but not "synchronizes with"), replaces the link by its parts.
Chain unwrap(const Chain& chain);

}  // namespace ambit::explain
