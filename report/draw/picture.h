#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"

namespace ambit::report {

/// The meaning of an arrow in a picture. Colour-blind readers can distinguish the arrows' colours (Okabe and Ito,
/// "Color Universal Design").
enum class ArrowKind : std::uint8_t { ProgramOrder, ReadsFrom, Coherence, FromReads, Barrier, Named, Other, Race };

struct Arrow {
  events::EventId from = events::kNoEvent;
  events::EventId to = events::kNoEvent;
  ArrowKind kind = ArrowKind::Other;
  std::string label;
  bool matters = false;  ///< whether the arrow is on the explained cycle or path; such an arrow is thick
};

/// A missing fence, drawn between events of a thread.
struct Ghost {
  events::EventId before = events::kNoEvent;  ///< the event after the fence's place
  std::string text;
};

/// An execution to draw. Threads are columns in their blocks and gpus; events follow each other downwards in program
/// order.
struct Picture {
  std::string title;
  std::shared_ptr<const events::EventGraph> graph;
  events::Execution execution;
  std::vector<Arrow> arrows;
  std::vector<events::EventId> marked;  ///< events with another background, because a chain breaks there
  std::vector<Ghost> ghosts;
};

struct PictureOptions {
  bool all = false;  ///< whether to show initial writes and every pair of coherence and from-reads
};

/// Returns the execution that an explanation is about: the allowed execution, or the execution nearest to a forbidden
/// outcome with the cycle that forbids it. Returns nothing if there is no execution to show (unreachable, unknown).
std::optional<Picture> picture_of(const explain::OutcomeExplanation& explanation, std::string_view question,
                                  const PictureOptions& options);
/// Returns the first race with its paths and missing link. If there is no race, returns an execution with the chain
/// that orders a conflicting pair.
std::optional<Picture> picture_of(const explain::RaceExplanation& explanation, const PictureOptions& options);

/// Returns the picture in Graphviz' language, with every position fixed: input for `neato -n2`. The text depends only
/// on the picture.
std::string picture_dot(const Picture& picture);

/// Returns a page that contains a picture (SVG text) and below it the explanation, unless this is empty. The page loads
/// no other files.
std::string picture_page(std::string_view title, std::string_view svg, std::string_view explanation);

/// Returns Graphviz' SVG in a form for inclusion in a page: without the parts that only a separate file needs, and
/// without names that several pictures of one page would share.
std::string inline_svg(std::string_view svg);

}  // namespace ambit::report
