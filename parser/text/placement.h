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

/// Numbers clusters so that each block outside every declared cluster has its own cluster (core/scope.h).
class ClusterNumbers {
 public:
  /// Puts the block into a cluster. Errors: the block is already in another cluster.
  bool declare(BlockId block, int cluster);
  int cluster_of(BlockId block) const;

 private:
  std::map<BlockId, int> declared_;
  std::map<int, int> first_free_;  // by gpu
};

/// A thread's name with the place words after its @.
struct PlaceRequest {
  Word name;
  const std::vector<PlaceWord>* place = nullptr;
};
struct PlacedThread {
  std::size_t index = 0;  ///< of the request
  ThreadPlace place;      ///< without its cluster, which ClusterNumbers assigns when all threads are placed
};

/// Finds a place for each thread and counts the threads of each block. `block_word`: the word for a block in the file's
/// language. Errors (the thread then has no place): an unknown level, no block, two threads in one place or with one
/// name, too many threads.
std::vector<PlacedThread> place_threads(const std::vector<PlaceRequest>& requests, std::string_view block_word,
                                        const ProgramOptions& options, Program& program, ClusterNumbers& clusters,
                                        Reporter& reporter);

/// Reports an error when there are more than ProgramOptions::max_threads threads.
void check_thread_count(const ProgramOptions& options, std::size_t count, SourceSpan where, Reporter& reporter);

}  // namespace ambit::parser
