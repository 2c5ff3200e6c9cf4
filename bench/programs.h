#pragma once

#include <string>

namespace ambit::bench {

/// Litmus tests whose size grows with the number of threads, as text (docs/lab/performance.md).

/// T0 writes data and releases flag 1; each thread passes the flag on; the last thread reads the data. If `forbidden`
/// is true, the threads release and acquire at device scope; otherwise all accesses are relaxed.
std::string message_passing_chain(unsigned threads, bool forbidden);
/// Thread i writes x_i and reads x_(i+1). If `forbidden` is true, a fence.sc between the two accesses prevents that all
/// threads read 0. Otherwise there is no fence, and all threads may read 0.
std::string store_buffering_ring(unsigned threads, bool forbidden);
/// Like store_buffering_ring(), without a condition, so that a check finds all 2^threads outcomes.
std::string store_buffering_outcomes(unsigned threads);
/// Each thread adds 1 to one location. The condition: the first thread's addition comes last.
std::string atomic_adds(unsigned threads);
/// Each thread adds 1 to one location. The condition: an addition is lost.
std::string lost_adds(unsigned threads);
/// Writer threads (`writers`) store 1, 2, ... to one location, and a reader sees 1, 2, 3 in this order.
std::string many_writers(unsigned writers);
/// Two threads write, and `readers` threads read with acquire loads. One half of the readers sees the writes in one
/// order, and the other half in the opposite order.
std::string independent_reads(unsigned readers);

}  // namespace ambit::bench
