#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"

namespace ambit::report {

/// What an arrow of a picture means; each has a colour of its own that colour-blind readers can tell apart (Okabe and
/// Ito, "Color Universal Design").
enum class ArrowKind : std::uint8_t { ProgramOrder, ReadsFrom, Coherence, FromReads, Barrier, Named, Other, Race };

struct Arrow {
  events::EventId from = events::kNoEvent;
  events::EventId to = events::kNoEvent;
  ArrowKind kind = ArrowKind::Other;
  std::string label;
  bool matters = false;  ///< on the explained cycle or path: drawn thick
};

/// A fence that is not there, drawn between events of a thread.
struct Ghost {
  events::EventId before = events::kNoEvent;  ///< the event that it should stand before
  std::string text;
};

/// An execution to be drawn: threads as columns in their blocks and gpus, events downwards in program order.
struct Picture {
  std::string title;
  std::shared_ptr<const events::EventGraph> graph;
  events::Execution execution;
  std::vector<Arrow> arrows;
  std::vector<events::EventId> marked;  ///< events with a background of their own: where a chain breaks
  std::vector<Ghost> ghosts;
};

struct PictureOptions {
  bool all = false;  ///< initial writes, and every pair of coherence and from-reads
};

/// The execution that an explanation is about: the allowed one, or the nearest one to a forbidden outcome with the
/// cycle that forbids it. Nothing where there is no execution to show (unreachable, unknown).
std::optional<Picture> picture_of(const explain::OutcomeExplanation& explanation, std::string_view question,
                                  const PictureOptions& options);
/// The first race with its paths and missing link, or an execution with the chain that orders a conflicting pair.
std::optional<Picture> picture_of(const explain::RaceExplanation& explanation, const PictureOptions& options);

/// The picture in Graphviz' language, with every position fixed: to be drawn by `neato -n2`. The same picture gives the
/// same text.
std::string picture_dot(const Picture& picture);

/// A page that holds a picture (SVG text), the explanation below it (if it is not empty), and nothing from elsewhere.
std::string picture_page(std::string_view title, std::string_view svg, std::string_view explanation);

/// SVG as Graphviz writes it, to stand within a page: without what only a file of its own needs, and without names that
/// several pictures of one page would share.
std::string inline_svg(std::string_view svg);

}  // namespace ambit::report
