#pragma once

#include <cstdint>
#include <vector>

#include "model/smt/formula.h"

namespace ambit::smt {

/// An edge that exists if its literal is true.
struct Edge {
  std::uint32_t from;
  std::uint32_t to;
  Lit literal;
};

/// Strongly connected components of the graph of all edges: the component number of each node, and whether each
/// component has a cycle (several nodes, or an edge from its node to itself).
struct Components {
  std::vector<std::uint32_t> of;
  std::vector<bool> cyclic;
};
Components strong_components(std::size_t nodes, const std::vector<Edge>& edges);

enum class AcyclicityEncoding : std::uint8_t {
  Smaller,  ///< vertex elimination, unless ranks need far fewer clauses (large and dense graphs)
  Elimination,
  Ranks,  ///< a binary number (rank) for each node, increasing along edges: propagates less; size n^2 log n, not n^3
};

/// Requires that the edges with true literals form no cycle.
///
/// Uses vertex elimination (Rankooh and Rintanen, "Propositional Encodings of Acyclicity and Reachability by Using
/// Vertex Elimination", AAAI 2022): removes nodes one by one, starting with the node that makes the fewest new edges.
/// Each path through the removed node (u -> v -> w) becomes an edge u -> w, and u -> v -> u is forbidden. The size is
/// linear on chains and rings, and at most cubic. Constant edges (kTrue) need no new variables.
void require_acyclic(Literals& literals, std::size_t nodes, const std::vector<Edge>& edges,
                     AcyclicityEncoding encoding = AcyclicityEncoding::Smaller);

}  // namespace ambit::smt
