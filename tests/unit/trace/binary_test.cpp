#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "tests/support/trace_text.h"
#include "trace/binary_trace.h"
#include "trace/open_trace.h"
#include "trace/std_trace.h"

namespace ambit::trace {
namespace {

/// Generates random accesses and fences that use every field.
Trace random_trace(unsigned seed, std::size_t size) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Trace trace;
  trace.tables.launch.grid = {3, 1, 1};
  trace.tables.launch.block = {40, 1, 1};
  for (std::uint32_t i = 0; i < 20; ++i) {
    trace.tables.set_initial_value(trace.tables.location("d[" + std::to_string(i) + "]"), std::nullopt);
    trace.tables.site("k.cu:" + std::to_string(i));
  }
  while (trace.events.size() < size) {
    TraceEvent event;
    event.op = static_cast<TraceOp>(below(5));
    event.rmw = event.is_update() ? static_cast<TraceRmw>(below(12)) : TraceRmw::Generic;
    event.order = event.op == TraceOp::Fence ? Order::SeqCst
                  : event.is_update()        ? Order::Relaxed
                                             : static_cast<Order>(below(2));
    event.scope = static_cast<Scope>(1 + below(4));
    event.thread = trace.tables.thread(0, below(3), below(40));
    event.object = event.op == TraceOp::Fence ? kNoName : below(20);
    event.site = below(2) == 0 ? kNoName : below(20);
    event.has_value = event.is_write();
    event.value = static_cast<Value>((std::uint64_t{below(9)} << 40U)) - 5;
    trace.events.push_back(event);
  }
  return trace;
}

std::string to_bytes(const Trace& trace, bool compress) {
  std::ostringstream out;
  BinaryTraceWriter writer(out, compress);
  const std::span<const TraceEvent> events(trace.events);
  for (std::size_t at = 0; at < events.size(); at += 100) {
    EXPECT_TRUE(writer.write(trace.tables, events.subspan(at, std::min<std::size_t>(100, events.size() - at))).ok());
  }
  EXPECT_TRUE(writer.finish(trace.tables).ok());
  return out.str();
}

std::string binary_error(std::string bytes) {
  const auto trace = test::from_bytes(std::move(bytes));
  return trace.ok() ? "no error" : render(trace.errors());
}

TEST(BinaryTrace, RoundTrip) {
  const Trace trace = random_trace(1, 5000);
  for (const bool compress : {false, true}) {
    if (compress && !has_compression()) continue;
    const auto read = test::from_bytes(to_bytes(trace, compress));
    ASSERT_TRUE(read.ok()) << render(read.errors());
    EXPECT_EQ(read.value().events, trace.events);
    EXPECT_EQ(read.value().tables.launch, trace.tables.launch);
    ASSERT_EQ(read.value().tables.threads().size(), trace.tables.threads().size());
    for (std::size_t i = 0; i < trace.tables.threads().size(); ++i) {
      EXPECT_EQ(read.value().tables.threads()[i].place, trace.tables.threads()[i].place);
    }
    EXPECT_EQ(read.value().tables.sites(), trace.tables.sites());
    EXPECT_EQ(read.value().tables.initial_values(), trace.tables.initial_values());
  }
}

TEST(BinaryTrace, EveryCutIsAnError) {
  const Trace trace = random_trace(2, 50);
  for (const bool compress : {false, true}) {
    if (compress && !has_compression()) continue;
    const std::string bytes = to_bytes(trace, compress);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_NE(binary_error(bytes.substr(0, size)).find("byte "), std::string::npos) << size;
    }
  }
}

TEST(BinaryTrace, CorruptRecordsAreNamed) {
  const std::string bytes = to_bytes(random_trace(3, 50), false);
  const auto with = [&](std::size_t at, char value) {
    std::string copy = bytes;
    copy[at] = value;
    return copy;
  };
  // The header has 64 bytes and each record has 40 bytes, so record 2 begins at byte 64 + 2*40.
  EXPECT_EQ(binary_error(with(64 + 80, 23)),
            "t.btrace: error: event 2 (byte 80 of the records): unknown operation number 23\n");
  EXPECT_EQ(binary_error(with(64 + 80 + 3, 9)),
            "t.btrace: error: event 2 (byte 80 of the records): unknown scope number 9\n");
  EXPECT_NE(binary_error(with(64 + 80 + 11, 1)).find("unknown thread number"), std::string::npos);
  EXPECT_EQ(binary_error(with(0, 'X')),
            "t.btrace: error: byte 0: not a binary trace: expected AMBTRACE at the beginning\n");
  EXPECT_EQ(binary_error(with(8, 2)), "t.btrace: error: byte 8: unknown format version 2\n");
}

TEST(BinaryTrace, ArbitraryBytesNeverCrash) {
  const std::string plain = to_bytes(random_trace(4, 30), false);
  std::mt19937 random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = plain;
    for (int flips = 0; flips < 3; ++flips) bytes[random() % bytes.size()] = static_cast<char>(random());
    static_cast<void>(binary_error(std::move(bytes)));
  }
}

TEST(StdTrace, ReadsEveryOperation) {
  const auto read =
      test::from_std("T0|fork(T1)|1\nT0|acq(L)|2\nT0|w(V1)|3\nT0|rel(L)|4\nT1|r(V1)|345\nT0|join(T1)|6\n");
  ASSERT_TRUE(read.ok()) << render(read.errors());
  const Trace& trace = read.value();
  ASSERT_EQ(trace.events.size(), 6U);
  EXPECT_EQ(trace.events[0].op, TraceOp::Fork);
  EXPECT_EQ(trace.tables.threads()[trace.events[0].object].name, "T1");
  EXPECT_EQ(trace.events[4].thread, trace.events[0].object);
  EXPECT_EQ(trace.events[2].object, trace.events[4].object);
  EXPECT_EQ(trace.tables.sites()[trace.events[4].site], "345");
  EXPECT_FALSE(trace.events[2].is_atomic());
}

TEST(StdTrace, Errors) {
  const auto error = [](const std::string& text) {
    const auto read = test::from_std(text);
    if (read.ok()) return std::string("no error");
    const std::string all = render(read.errors());
    return all.substr(0, all.find('\n'));
  };
  EXPECT_EQ(error("T0|r(V1)|1\nT0|r V1|2\n"), "t.std:2:4: error: expected THREAD|OPERATION(OPERAND)|PLACE");
  EXPECT_EQ(error("T0|rel(L)|1\n"), "t.std:1:1: error: T0 releases L, which it does not hold");
  EXPECT_EQ(error("T0|x(L)|1\n"), "t.std:1:4: error: unknown operation 'x': expected r, w, acq, rel, fork or join");
  EXPECT_EQ(error("T1|w(x)|1\nT0|fork(T1)|2\n"), "t.std:2:1: error: T1 is forked after its first event");
  EXPECT_EQ(error("T0|fork(T1)|1\nT0|fork(T1)|2\n"), "t.std:2:1: error: T1 is forked a second time");
  EXPECT_EQ(error("T1|w(x)|1\nT0|join(T1)|2\nT1|w(x)|3\n"), "t.std:3:1: error: T1 is already joined");
}

}  // namespace
}  // namespace ambit::trace
