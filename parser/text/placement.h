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

/// Assigns cluster numbers. Each block that is not in a declared cluster gets a separate cluster (core/scope.h).
class ClusterNumbers {
 public:
  /// Declares that the block is in a cluster. Returns false if the block is already in another cluster.
  bool declare(BlockId block, int cluster);
  int cluster_of(BlockId block) const;

 private:
  std::map<BlockId, int> declared_;
  std::map<int, int> first_free_;  // first free number on each gpu
};

/// The name of a thread, and the words after `@` that describe its place.
struct PlaceRequest {
  Word name;
  const std::vector<PlaceWord>* place = nullptr;
};
struct PlacedThread {
  std::size_t index = 0;  ///< index of the request
  ThreadPlace place;      ///< place without the cluster; ClusterNumbers assigns the clusters later
};

/// Finds a place for each thread, and counts the threads of each block. `block_word` is the word for a block in the
/// file's language. Errors: a level is unknown; the block is missing; two threads have the same place or name; the test
/// has too many threads. A thread that has an error is not in the result.
std::vector<PlacedThread> place_threads(const std::vector<PlaceRequest>& requests, std::string_view block_word,
                                        const ProgramOptions& options, Program& program, ClusterNumbers& clusters,
                                        Reporter& reporter);

/// Reports an error if `count` is greater than ProgramOptions::max_threads.
void check_thread_count(const ProgramOptions& options, std::size_t count, SourceSpan where, Reporter& reporter);

}  // namespace ambit::parser
