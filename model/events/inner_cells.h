#pragma once

#include <memory>

#include "base/context.h"
#include "core/program.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// Returns the program with one cell for each range that only whole asynchronous operations touch. The cell has the
/// name "s[4..1023]". If threads read four elements of a tile of 1,024 elements, the tile has five cells, and a copy of
/// the tile has five elements. The reduction is exact: an operation that may access one cell of a range accesses all
/// cells of the range in the same way, and no other access reaches them.
///
/// A range ends where an operation on it begins or ends; at a cell that another access, the condition, the filter or an
/// expectation names; and where a range on the other side of a copy ends. To find the targets of each access, the
/// function follows the threads once, with only the first and the last cell of each range. Returns the program itself
/// if no operation has kFewestCells elements, if fewer cells would disappear, if the program has aliases, or if a limit
/// of `context` is reached.
std::shared_ptr<const Program> without_inner_cells(const std::shared_ptr<const Program>& program,
                                                   const GraphOptions& options, Context& context);

inline constexpr std::size_t kFewestCells = 64;

}  // namespace ambit::events
