#pragma once

#include <memory>

#include "base/context.h"
#include "core/program.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// If only whole asynchronous operations access a range of cells, replaces the range by one cell. Returns the new
/// program. The cell has a name such as "s[4..1023]". If threads read four elements of a tile of 1,024 elements, the
/// new tile has five cells, and a copy of the tile has five elements. The reduction is exact: an operation that may
/// access one cell of a range accesses the whole range in the same way, and no other operation accesses the range.
///
/// A range ends where an operation begins or ends, and where the corresponding range on the other side of a copy ends.
/// A range also ends at a cell that another access, the condition, the filter or an expectation uses. To find the
/// targets of each access, the function walks the threads once, with only the first and the last cell of each range.
/// Returns the original program if no operation has kFewestCells elements, if fewer than this number of cells would
/// disappear, if the program has aliases, or if a limit of `context` is reached.
std::shared_ptr<const Program> without_inner_cells(const std::shared_ptr<const Program>& program,
                                                   const GraphOptions& options, Context& context);

inline constexpr std::size_t kFewestCells = 64;

}  // namespace ambit::events
