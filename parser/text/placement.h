#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "parser/text/memory_table.h"
#include "parser/text/program_options.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser {

/// Numbers clusters so that each block outside of the declared clusters has its own cluster (core/scope.h).
class ClusterNumbers {
 public:
  /// Puts the block into a cluster. Error: the block is in another cluster.
  bool declare(BlockId block, int cluster);
  int cluster_of(BlockId block) const;

 private:
  std::map<BlockId, int> declared_;
  std::map<int, int> first_free_;  // first free number on each gpu
};

/// A thread's name, and the place words after its @.
struct PlaceRequest {
  Word name;
  const std::vector<PlaceWord>* place = nullptr;
};
struct PlacedThread {
  std::size_t index = 0;  ///< index of the request
  ThreadPlace place;      ///< place without the cluster, which ClusterNumbers assigns when all threads are placed
};

/// Finds a place for each thread, and counts the threads of each block. `block_word` is the word for a block in the
/// file's language. A thread has no place after an error: a level is unknown, there is no block, two threads have the
/// same place or name, or there are too many threads.
std::vector<PlacedThread> place_threads(const std::vector<PlaceRequest>& requests, std::string_view block_word,
                                        const ProgramOptions& options, Program& program, ClusterNumbers& clusters,
                                        Reporter& reporter);

/// Reports an error if there are more than ProgramOptions::max_threads threads.
void check_thread_count(const ProgramOptions& options, std::size_t count, SourceSpan where, Reporter& reporter);

}  // namespace ambit::parser
