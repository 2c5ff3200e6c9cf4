#pragma once

#include <string>

namespace ambit::bench {

/// Litmus tests whose size grows with the number of threads, as text (docs/lab/performance.md).

/// T0 writes data and releases flag 1; each thread passes the flag on; the last thread reads the data. If `forbidden`,
/// the chain releases and acquires at device scope; otherwise it is relaxed.
std::string message_passing_chain(unsigned threads, bool forbidden);
/// Thread i writes x_i and reads x_(i+1). If `forbidden`, a fence.sc between the two accesses forbids that all threads
/// read 0; otherwise there is no fence, and the outcome is allowed.
std::string store_buffering_ring(unsigned threads, bool forbidden);
/// Like store_buffering_ring(), without a condition, so that a check finds all 2^threads outcomes.
std::string store_buffering_outcomes(unsigned threads);
/// Each thread adds 1 to one location. Condition: the addition of the first thread comes last.
std::string atomic_adds(unsigned threads);
/// Each thread adds 1 to one location. Condition: an addition is lost.
std::string lost_adds(unsigned threads);
/// `writers` threads store 1..n to one location, and a reader sees 1, 2, 3 in this order.
std::string many_writers(unsigned writers);
/// Two writers, and `readers` readers with acquire loads. One half of the readers sees the writes in one order, and the
/// other half in the opposite order.
std::string independent_reads(unsigned readers);

}  // namespace ambit::bench
