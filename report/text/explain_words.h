#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/events/execution.h"
#include "model/explain/chain.h"
#include "model/explain/race_causes.h"
#include "model/explain/repair.h"

namespace ambit::report {

/// Describes in words what events did and how one leads to another.
class EventWords {
 public:
  EventWords(const events::EventGraph& graph, const events::Execution& execution)
      : graph_(graph), execution_(execution) {}

  /// "P0's write of x = 1 (line 4)", "b1t0's fence of block scope (line 9)", "the initial value of x".
  std::string noun(events::EventId event) const;
  /// "the write at line 4".
  std::string short_noun(events::EventId event) const;
  /// One sentence a link, base relations only: program order, which write a read saw, ... Links
  /// between the halves of one atomic operation are left out.
  std::vector<std::string> sentences(const explain::Chain& chain) const;
  /// The chain in one sentence, thread by thread: "P0 executes its fence of device scope (line 4) and sets f to 1
  /// (line 5); P1 reads that value (line 9) and continues to line 10". Nothing if some link has no such words.
  std::optional<std::string> one_sentence(const explain::Chain& chain) const;
  /// The same with the model's own relations named, each with its base relations below it, indented by two.
  std::vector<std::string> outline(const explain::Chain& chain, bool deep) const;

 private:
  std::string sentence(const explain::Link& link) const;
  std::optional<std::string> step(const explain::Link& link, bool is_same_thread, bool is_last) const;
  std::string walk(events::EventId from, events::EventId to, bool is_last) const;
  void append(const explain::Chain& chain, std::size_t indent, bool deep, std::vector<std::string>& lines) const;

  const events::EventGraph& graph_;
  const events::Execution& execution_;
};

/// The chain flattened, with "what a read saw" followed by "what overwrote it" taken as from-reads.
explain::Chain readable(const events::EventGraph& graph, const explain::Chain& chain);

/// "lines 4, 7 and 9"; "line 4".
std::string lines_text(std::vector<std::uint32_t> lines);

}  // namespace ambit::report
