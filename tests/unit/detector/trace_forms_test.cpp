#include <gtest/gtest.h>

#include "tests/support/trace_text.h"
#include "tests/unit/detector/random_trace.h"
#include "trace/binary_trace.h"
#include "trace/open_trace.h"
#include "trace/text_trace.h"

// Converts random traces through every format that can express them. No order of conversions may lose anything.
namespace ambit::trace {
namespace {

/// Returns a line for each event, with names instead of numbers, so that traces with different numbering can be
/// compared.
std::string listing(const Trace& trace) {
  std::string lines;
  for (const TraceEvent& event : trace.events) lines += trace::to_text(event, trace.tables) + "\n";
  return lines;
}

TEST(TraceForms, RandomTracesKeepAllTheyHold) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    detector::RandomTraceOptions options{.threads_per_block = 3,
                                         .steps = 80,
                                         .barrier = 1,
                                         .flag = 6,
                                         .inferred = 8,
                                         .scopes = true,
                                         .forks = seed % 3 == 0};
    const Trace trace = detector::random_trace(seed, options);
    const std::string text = test::text_of(trace);
    const Trace read = test::sound(test::from_text(text));
    ASSERT_EQ(listing(read), listing(trace));
    EXPECT_EQ(read.tables.launch, trace.tables.launch);
    EXPECT_EQ(test::text_of(read), text);
    for (const bool compress : {false, true}) {
      if (compress && !has_compression()) continue;
      // The binary form keeps the numbers, too.
      const Trace direct = test::sound(test::from_bytes(test::bytes_of(trace, compress)));
      ASSERT_EQ(direct.events, trace.events);
      EXPECT_EQ(direct.tables.sites(), trace.tables.sites());
      const Trace through_text = test::sound(test::from_bytes(test::bytes_of(read, compress)));
      ASSERT_EQ(through_text.events, read.events);
      EXPECT_EQ(test::text_of(through_text), text);
    }
  }
}

}  // namespace
}  // namespace ambit::trace
