#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/vocabulary.h"
#include "model/events/event_graph.h"

namespace ambit::explain {

/// One step from an event to another, and its justification.
struct Link {
  /// A property of the two events that the relation requires besides its steps.
  struct Property {
    std::string name;    ///< as the model calls it: "mut"
    std::string phrase;  ///< in the model's words: "the scope of each includes the other's thread"
  };

  enum class Kind : std::uint8_t {
    Base,   ///< a base relation: program order, reads-from ...
    Order,  ///< a total order that the model declares
    /// A relation that the model defines: `parts` lead from `from` to `to`. Without parts, it relates an event to
    /// itself (a release pattern of one access). Without a name, the parts share properties.
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
  bool is_narrower = false;  ///< Named: the relation requires more than its parts (a composition, an intersection)
  std::vector<Property> properties;  ///< those that have a phrase
  std::vector<Link> parts;

  bool is_role() const { return kind == Kind::Named && !phrase.empty() && phrase.find('$') == std::string::npos; }
};

/// Consecutive steps: each begins where the previous one ends.
using Chain = std::vector<Link>;

/// Returns the chain expanded to base relations and conditions: no link has parts.
Chain flatten(const Chain& chain);

/// Returns the first few steps of the chain: while it is one named link that only concatenates other relations
/// (happens-before, but not "synchronizes with"), the parts of that link replace it.
Chain unwrap(const Chain& chain);

}  // namespace ambit::explain
