#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"

namespace ambit::report {

/// The meaning of an arrow in a picture. Each kind of arrow has its own colour. Colour-blind readers can distinguish
/// these colours (Okabe and Ito, "Color Universal Design").
enum class ArrowKind : std::uint8_t { ProgramOrder, ReadsFrom, Coherence, FromReads, Barrier, Named, Other, Race };

struct Arrow {
  events::EventId from = events::kNoEvent;
  events::EventId to = events::kNoEvent;
  ArrowKind kind = ArrowKind::Other;
  std::string label;
  std::string meaning = {};  ///< for Named and Other: the relation in words, for the legend; may be empty
  bool matters = false;      ///< whether the arrow is on the explained cycle or path; such an arrow is thick
};

/// A missing fence. The picture shows it between two events of a thread.
struct Ghost {
  events::EventId before = events::kNoEvent;  ///< the event that would follow the fence
  std::string text;
};

/// An execution to draw. Each thread is a column, inside its block and gpu. Events follow each other downwards in
/// program order.
struct Picture {
  std::string title;
  std::shared_ptr<const events::EventGraph> graph;
  events::Execution execution;
  std::vector<Arrow> arrows;
  std::vector<events::EventId> marked;  ///< events at which a chain breaks; they have a different background
  std::vector<Ghost> ghosts;
};

struct PictureOptions {
  bool all = false;  ///< whether to show initial writes and every pair of coherence and from-reads
};

/// Returns the execution that an explanation shows. For an allowed outcome, returns an execution with the outcome. For
/// a forbidden outcome, returns the nearest execution, with the cycle that forbids the outcome. Returns nothing if
/// there is no execution to show (unreachable, unknown).
std::optional<Picture> picture_of(const explain::OutcomeExplanation& explanation, std::string_view question,
                                  const PictureOptions& options);
/// Returns an execution with the first race, its paths and its missing link. If there is no race, returns an execution
/// with the chain that orders a conflicting pair.
std::optional<Picture> picture_of(const explain::RaceExplanation& explanation, const PictureOptions& options);

/// Returns the picture in the DOT language with fixed positions, as input for `neato -n2`. The text depends only on the
/// picture.
std::string picture_dot(const Picture& picture);

/// Returns an HTML page with a picture (SVG text). The text `explanation` (which may be empty) follows the picture. The
/// page loads no other files.
std::string picture_page(std::string_view title, std::string_view svg, std::string_view explanation);

/// Converts an SVG file from Graphviz into SVG that a page can include. Removes the parts that only a separate file
/// needs, and the names that would occur repeatedly on a page with several pictures.
std::string inline_svg(std::string_view svg);

}  // namespace ambit::report
