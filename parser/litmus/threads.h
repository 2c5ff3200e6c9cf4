#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"
#include "parser/litmus/thread_lowering.h"
#include "parser/text/memory_table.h"
#include "parser/text/placement.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

/// What all threads of one test share while they are made.
struct Assembly {
  const FileNode& file;
  const ProgramOptions& options;
  Reporter& reporter;
  Program& program;
  MemoryTable& memory;
  FunctionTable& functions;
  WorkBudget budget;
  std::set<const void*> checked;  ///< dead code whose errors have been reported
};

/// Adds the threads that the file places explicitly: `P0 @ block 0 { ... }`.
void add_placed_threads(Assembly& assembly, ClusterNumbers& clusters);

/// Adds the threads of every launch that have an event. Launched blocks are numbered on from the highest placed one,
/// one launch after the other.
void add_launched_threads(Assembly& assembly);

}  // namespace ambit::parser::litmus
