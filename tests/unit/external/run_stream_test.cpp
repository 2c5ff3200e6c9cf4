#include "detector/external/run_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "detector/external/run_stream_reader.h"
#include "trace/open_trace.h"

namespace ambit::external {
namespace {

using ::testing::HasSubstr;

/// Returns a trace of two threads with named places. New names appear in the second half of the events.
Trace sample_trace() {
  Trace trace;
  trace.tables.launch.grid = {2, 1, 1};
  trace.tables.launch.block = {4, 1, 1};
  for (std::uint32_t i = 0; i < 6; ++i) {
    TraceEvent event;
    event.op = i % 2 == 0 ? TraceOp::Write : TraceOp::Read;
    event.thread = trace.tables.thread(0, i / 3, i % 3);
    event.object = trace.tables.location("data[" + std::to_string(i / 2) + "]");
    event.site = trace.tables.site("my dir/a.cu:" + std::to_string(i));
    event.has_value = true;
    event.value = i % 2 == 0 ? i : i - 1;
    trace.events.push_back(event);
  }
  trace.tables.set_initial_value(0, std::nullopt);
  return trace;
}

/// Returns a stream with two runs of the trace.
std::string stream_of(const Trace& trace, StreamForm form) {
  RunStreamWriter writer(form);
  writer.begin_stream({{"window", "4"}});
  for (const std::uint64_t number : {3U, 9U}) {
    writer.begin_run({"my test", number}, trace.tables);
    EXPECT_TRUE(writer.events(trace.tables, std::span(trace.events).first(2)).ok());
    EXPECT_TRUE(writer.events(trace.tables, std::span(trace.events).subspan(2)).ok());
    EXPECT_TRUE(writer.end_run(trace.tables).ok());
  }
  return writer.bytes();
}

/// Returns the read end of a pipe that contains `bytes`.
Descriptor pipe_with(const std::string& bytes) {
  Pipe pipe;
  EXPECT_TRUE(make_pipe(pipe));
  EXPECT_TRUE(write_all(pipe.write.number(), bytes));
  return std::move(pipe.read);
}

/// Reads a whole stream. Returns the error; empty if there is no error.
std::string error_of(const std::string& bytes) {
  const Descriptor in = pipe_with(bytes);
  RunStreamReader reader(in.number());
  if (const auto opened = reader.open(); !opened.ok()) return opened.errors().front().message;
  while (true) {
    const auto next = reader.next_run();
    if (!next.ok()) return next.errors().front().message;
    if (!next.value()) return {};
    StreamedRun run(reader);
    const auto trace = trace::read_all(run);
    if (!trace.ok()) return trace.errors().front().message;
  }
}

TEST(RunStream, BinaryRunsAreReadAsTheyWereWritten) {
  const Trace trace = sample_trace();
  const Descriptor in = pipe_with(stream_of(trace, StreamForm::Binary));
  RunStreamReader reader(in.number());
  ASSERT_TRUE(reader.open().ok());
  EXPECT_EQ(reader.options(), (std::map<std::string, std::string>{{"window", "4"}}));
  for (const std::uint64_t number : {3U, 9U}) {
    ASSERT_TRUE(reader.next_run().value());
    EXPECT_EQ(reader.run().test, "my test");
    EXPECT_EQ(reader.run().number, number);
    StreamedRun run(reader);
    const auto read = trace::read_all(run);
    ASSERT_TRUE(read.ok()) << render(read.errors());
    EXPECT_EQ(read.value().events, trace.events);
    EXPECT_EQ(read.value().tables.launch, trace.tables.launch);
    EXPECT_EQ(read.value().tables.sites(), trace.tables.sites());
    EXPECT_EQ(read.value().tables.locations().size(), trace.tables.locations().size());
    EXPECT_EQ(read.value().tables.initial_values(), trace.tables.initial_values());
    EXPECT_EQ(reader.events(), trace.events.size());
  }
  EXPECT_FALSE(reader.next_run().value());
}

TEST(RunStream, TextHasALineForEachRun) {
  const std::string text = stream_of(sample_trace(), StreamForm::Text);
  EXPECT_THAT(text,
              testing::StartsWith("ambit-detect 1 text\noption window 4\nrun 3 my%20test\nambit-trace 1 sealed\n"));
  EXPECT_THAT(text, HasSubstr("\nend 6\nrun 9 my%20test\nambit-trace 1 sealed\n"));
  EXPECT_THAT(text, HasSubstr("b0t0 w data[0]=0 my%20dir/a.cu:0\n"));
}

TEST(RunStream, ADamagedStreamIsAnError) {
  const std::string whole = stream_of(sample_trace(), StreamForm::Binary);
  EXPECT_EQ(error_of(whole), "");
  EXPECT_THAT(error_of(""), HasSubstr("found the end of the input"));
  EXPECT_THAT(error_of("ambit-detect 1 text\n"), HasSubstr("expected a stream of runs in binary form"));
  std::string other_version = whole;
  other_version[8] = 2;
  EXPECT_THAT(error_of(other_version), HasSubstr("the stream has version 2"));
  for (std::size_t size = 17; size < whole.size(); size += 7) {
    const std::string error = error_of(whole.substr(0, size));
    // A stream may end only between two runs.
    EXPECT_TRUE(!error.empty() || size == whole.size() / 2 + 8) << size;
  }
  for (std::size_t at = 16; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    error_of(damaged);  // the reader may return anything, but must not crash
  }
}

}  // namespace
}  // namespace ambit::external
