#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"
#include "parser/litmus_ast.h"
#include "parser/litmus_lower.h"
#include "parser/litmus_memory.h"

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

/// Numbers clusters so that a block outside every declared one has its own (core/scope.h).
class ClusterNumbers {
 public:
  /// Errors: the block is already in another cluster.
  bool declare(BlockId block, int cluster);
  int cluster_of(BlockId block) const;

 private:
  std::map<BlockId, int> declared_;
  std::map<int, int> first_free_;  // by gpu
};

/// Adds the threads that the file places explicitly: `P0 @ block 0 { ... }`.
void add_placed_threads(Assembly& assembly, ClusterNumbers& clusters);

/// Adds the threads of every launch that have an event. Launched blocks are numbered on from the highest placed one,
/// one launch after the other.
void add_launched_threads(Assembly& assembly);

/// Errors when there are more than ProgramOptions::max_threads.
void check_thread_count(Assembly& assembly, std::size_t count, SourceSpan where);

}  // namespace ambit::parser::litmus
