// The search for reorderings of a run needs Z3, which is not part of the static playground.
#include "model/solver/reordering_solver.h"

namespace ambit::solver {

struct ReorderingSolver::State {};

ReorderingSolver::ReorderingSolver(const ReorderingProblem&, const ReorderingOptions&, Context&) {}
ReorderingSolver::~ReorderingSolver() = default;

ReorderingAnswer ReorderingSolver::query(std::uint32_t, std::uint32_t) {
  return {.unknown = UnknownReason::Unsupported};
}

}  // namespace ambit::solver
