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

/// A thread's name with what stands behind its @.
struct PlaceRequest {
  Word name;
  const std::vector<PlaceWord>* place = nullptr;
};
struct PlacedThread {
  std::size_t index = 0;  ///< of the request
  ThreadPlace place;      ///< its cluster is still open: ClusterNumbers knows it when all threads are placed
};

/// Finds a place for each thread and counts the threads of each block. `block_word`: what the file's language calls a
/// block. Errors (then without a place): unknown levels, no block, two threads in one place or of one name, too many.
std::vector<PlacedThread> place_threads(const std::vector<PlaceRequest>& requests, std::string_view block_word,
                                        const ProgramOptions& options, Program& program, ClusterNumbers& clusters,
                                        Reporter& reporter);

/// Adds the threads that the file places explicitly: `P0 @ block 0 { ... }`.
void add_placed_threads(Assembly& assembly, ClusterNumbers& clusters);

/// Adds the threads of every launch that have an event. Launched blocks are numbered on from the highest placed one,
/// one launch after the other.
void add_launched_threads(Assembly& assembly);

/// Errors when there are more than ProgramOptions::max_threads.
void check_thread_count(const ProgramOptions& options, std::size_t count, SourceSpan where, Reporter& reporter);

}  // namespace ambit::parser::litmus
