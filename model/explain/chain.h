#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/vocabulary.h"
#include "model/events/event_graph.h"

namespace ambit::explain {

/// One step from an event to another, and what it rests on.
struct Link {
  /// A property of the two events that the relation demands besides its steps.
  struct Property {
    std::string name;    ///< as the model calls it: "mut"
    std::string phrase;  ///< in the model's words: "the scope of each includes the other's thread"
  };

  enum class Kind : std::uint8_t {
    Base,   ///< a base relation: program order, reads-from ...
    Order,  ///< a total order that the model declares
    /// A relation that the model defines: `parts` lead from `from` to `to`. Without parts: it relates an event to
    /// itself (a release pattern of one access). Without a name: parts that share properties.
    Named,
    Condition,  ///< a property of the two events (a product of sets, a complement): `name` is its text
  };
  events::EventId from = events::kNoEvent;
  events::EventId to = events::kNoEvent;
  Kind kind = Kind::Base;
  std::string name;  ///< as the model calls it: "rf", "fence-order", "hb"
  std::optional<BaseRelation> base;
  bool is_reversed = false;  ///< the relation contains the pair in the opposite direction
  std::string phrase;        ///< Named, Condition: rules::Definition::phrase
  bool is_narrower = false;  ///< Named: the relation demands more than its parts (a composition, an intersection)
  std::vector<Property> properties;  ///< those that have a phrase
  std::vector<Link> parts;

  bool is_role() const { return kind == Kind::Named && !phrase.empty() && phrase.find('$') == std::string::npos; }
};

/// Steps one after the other: each begins where the one before ends.
using Chain = std::vector<Link>;

/// The chain down to base relations and conditions: no link has parts.
Chain flatten(const Chain& chain);

/// The chain in its first few steps: as long as it is one named link that only strings other relations together
/// (happens-before, but not "synchronizes with"), that link's parts take its place.
Chain unwrap(const Chain& chain);

}  // namespace ambit::explain
