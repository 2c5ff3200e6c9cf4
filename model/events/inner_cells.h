#pragma once

#include <memory>

#include "core/context.h"
#include "core/program.h"
#include "model/events/event_graph.h"

namespace ambit::events {

/// The program without the cells inside of ranges that only whole asynchronous operations touch: of such a range the
/// first cell stands for all, under the name "s[4..1023]". A tile of 1,024 elements of which threads read four then has
/// five cells, and a copy of it five elements. What holds of the first cell holds of the others: every access that may
/// reach one of them reaches all of them, in the same operation, whose elements are copied alike.
///
/// A range ends where an operation on it begins or ends, where any other access, the condition, the filter or an
/// expectation names a cell, and where the other end of a copy has such a place. The threads are followed once with the
/// ends of each range only, to know where each access may go. Returns the program itself where no operation has as many
/// elements as kFewestCells, where fewer cells would go, where the program has aliases, and where the limits of
/// `context` are reached.
std::shared_ptr<const Program> without_inner_cells(const std::shared_ptr<const Program>& program,
                                                   const GraphOptions& options, Context& context);

inline constexpr std::size_t kFewestCells = 64;

}  // namespace ambit::events
