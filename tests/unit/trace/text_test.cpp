#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/trace_text.h"
#include "trace/open_trace.h"
#include "trace/text_trace.h"

namespace ambit::trace {
namespace {

/// Parses `text` as a trace. Returns the first line of the error message, or "no error".
std::string text_error(const std::string& text) {
  const auto trace = test::from_text(text);
  if (trace.ok()) return "no error";
  const std::string rendered = render(trace.errors());
  return rendered.substr(0, rendered.find('\n'));
}

std::string with_header(const std::string& events) {
  return "ambit-trace 1\nlaunch grid=2,1,1 block=33,1,1 warp=32\n" + events;
}

TEST(TextTrace, ReadsTheExampleOfTheDocumentation) {
  const auto read =
      test::from_text(with_header("# seq thread  op                 site\n"
                                  "b0t0   w.volatile data[0]=1      kernel.cu:18\n"
                                  "b0t0   fence.sc.gpu              kernel.cu:19\n"
                                  "b0t0   rmw.relaxed.gpu flag:0->1 kernel.cu:20     # exch\n"
                                  "b1t0   rmw.relaxed.gpu flag:1->0 kernel.cu:24\n"
                                  "b1t0   r.volatile data[0]=1      kernel.cu:26\n"
                                  "b1t0   bar 0 mask=all            kernel.cu:27\n"
                                  "b1t0   exit\n"));
  ASSERT_TRUE(read.ok()) << render(read.errors());
  const Trace& trace = read.value();
  ASSERT_EQ(trace.events.size(), 7U);
  EXPECT_TRUE(trace.events[0].is_volatile);
  EXPECT_FALSE(trace.events[0].is_atomic());
  EXPECT_EQ(trace.events[0].value, 1);
  EXPECT_EQ(trace.tables.sites()[trace.events[0].site], "kernel.cu:18");
  EXPECT_EQ(trace.events[1].op, TraceOp::Fence);
  EXPECT_EQ(trace.events[1].order, Order::SeqCst);
  EXPECT_EQ(trace.events[1].scope, Scope::Device);
  EXPECT_EQ(trace.events[2].old_value, 0);
  EXPECT_EQ(trace.events[2].value, 1);
  EXPECT_TRUE(trace.events[2].is_atomic());
  EXPECT_EQ(trace.events[3].object, trace.events[2].object);
  EXPECT_EQ(trace.events[5].op, TraceOp::Barrier);
  EXPECT_EQ(trace.events[6].op, TraceOp::Exit);
  EXPECT_EQ(trace.tables.threads()[trace.events[6].thread].place.block, 1);
}

TEST(TextTrace, SharedMemoryAndAddresses) {
  const auto read =
      test::from_text(with_header("b1t32 w b1:s[3]=7\nb1t32 w 0x1000\nb1t32 rmw.relaxed.cta.cas b1:s[1]:->1\n"));
  ASSERT_TRUE(read.ok()) << render(read.errors());
  const auto& locations = read.value().tables.locations();
  EXPECT_EQ(locations[0].space, MemorySpace::Shared);
  EXPECT_EQ(locations[0].block, 1);
  EXPECT_EQ(locations[0].offset, 12U) << "elements of 4 bytes";
  EXPECT_EQ(locations[1].offset, 0x1000U);
  EXPECT_EQ(locations[2].name, "b1:s[1]");
  EXPECT_FALSE(read.value().events[2].has_old_value);
  EXPECT_TRUE(read.value().events[2].has_value);
  // In a block of 33 threads, the last thread is lane 0 of warp 1.
  EXPECT_EQ(read.value().tables.threads()[0].place.warp, 1);
  EXPECT_EQ(read.value().tables.threads()[0].place.lane, 0);
}

TEST(TextTrace, RoundTrip) {
  const std::string events =
      "b0t0 w.volatile data[0]=1 k:1\nb0t0 r data[0]\nb0t0 w.release.cta f=2\nb1t0 r.acquire.sys f=2\n"
      "b0t0 rmw.acq_rel.cluster.add c:0->-5 k:2\nb1t0 rmw.relaxed.gpu.cas l:0!\nb1t0 red.relaxed.gpu.add c\n"
      "b0t0 fence.acq_rel.cta\nb0t1 acq l.cta\nb0t1 rel l.cta\nb0t0 warpbar mask=0x00000003\n"
      "b0t1 warpbar mask=0x00000003\nb0t0 bar 1 count=2\nb0t1 bar.arrive 1 count=2 k:3\nb0t1 bar.grid 0 mask=all\n"
      "b1t0 exit\n";
  const auto first = test::from_text(with_header("init d=?\nobject wide size=8\n" + events));
  ASSERT_TRUE(first.ok()) << render(first.errors());
  const std::string text = test::text_of(first.value());
  EXPECT_NE(text.find("\n" + events + "end 16\n"), std::string::npos) << text;
  const auto second = test::from_text(text);
  ASSERT_TRUE(second.ok()) << render(second.errors());
  EXPECT_EQ(first.value().events, second.value().events);
  EXPECT_EQ(second.value().tables.objects()[0].element_size, 8U) << "the first object in the trace is `wide`";
  EXPECT_FALSE(second.value().tables.initial_values().at(0).has_value());
}

TEST(TextTrace, MalformedLinesAreLocated) {
  EXPECT_EQ(text_error(""), "t.trace:1:1: error: the file is empty");
  EXPECT_EQ(text_error("trace 1\n"), "t.trace:1:1: error: expected 'ambit-trace'");
  EXPECT_EQ(text_error("ambit-trace 2\n"), "t.trace:1:13: error: unknown version of the trace format");
  EXPECT_EQ(text_error("ambit-trace 1\nb0t0 exit\n"), "t.trace:2:1: error: the launch line is missing");
  EXPECT_EQ(text_error(with_header("b0t33 exit\n")), "t.trace:3:1: error: b0t33 is outside the launch");
  EXPECT_EQ(text_error(with_header("b2t0 exit\n")), "t.trace:3:1: error: b2t0 is outside the launch");
  EXPECT_EQ(text_error(with_header("P0 exit\n")), "t.trace:3:1: error: unknown thread 'P0'");
  EXPECT_EQ(text_error(with_header("b0t0 x y\n")),
            "t.trace:3:6: error: unknown operation 'x': expected r, w, rmw, red, fence, bar, warpbar, acq, rel, txn, "
            "fork, join, "
            "exit, issue, commit, wait, complete or mbarrier");
  EXPECT_EQ(text_error(with_header("b0t0 w\n")), "t.trace:3:6: error: 'w' needs an operand");
  EXPECT_EQ(text_error(with_header("b0t0 w x=one\n")), "t.trace:3:8: error: expected a value, found 'one'");
  EXPECT_EQ(text_error(with_header("b0t0 r.release.gpu x\n")), "t.trace:3:6: error: a read cannot be release");
  EXPECT_EQ(text_error(with_header("b0t0 fence.sc.warp\n")),
            "t.trace:3:6: error: unknown scope 'warp': expected cta, cluster, gpu or sys");
  EXPECT_EQ(text_error(with_header("b0t0 fence.relaxed.gpu\n")), "t.trace:3:6: error: a fence cannot be relaxed");
  EXPECT_EQ(text_error(with_header("b0t0 rmw.relaxed.gpu x:1->y\n")), "t.trace:3:22: error: malformed values");
  EXPECT_EQ(text_error(with_header("b0t0 rmw.relaxed.gpu.add x:1!\n")),
            "t.trace:3:26: error: only a compare-exchange can fail");
  EXPECT_EQ(text_error(with_header("b0t0 w x a:1 b\n")),
            "t.trace:3:14: error: unexpected text after the place in the source");
  EXPECT_EQ(text_error(with_header("b0t0 bar\n")),
            "t.trace:3:6: error: expected the number of the barrier, as in bar 0");
}

TEST(TextTrace, ReservedCharactersAreNotPartOfAName) {
  for (const char* operation : {"w x:0->1", "w x!", "r x>1", "acq x!", "rmw.relaxed.gpu x>", "rmw.relaxed.gpu x=1"}) {
    const std::size_t column = std::string(operation).find(' ') + 7;
    EXPECT_EQ(text_error(with_header(std::string("b0t0 ") + operation + "\n")),
              "t.trace:3:" + std::to_string(column) + ": error: expected the name of a location")
        << operation;
  }
  EXPECT_EQ(text_error(with_header("init x!=1\n")),
            "t.trace:3:6: error: expected LOCATION=VALUE, or LOCATION=? for an unknown value");
  EXPECT_EQ(text_error(with_header("b0t0 w x%3A0-%3E1\n")), "no error");
  const std::string named = "ambit-trace 1\nlaunch threads=named block=2\n";
  for (const char c : {'\0', '\v', '\x7f'}) {
    EXPECT_EQ(text_error(with_header(std::string("b0t0 w x") + c + "\n")),
              "t.trace:3:8: error: expected the name of a location");
    EXPECT_EQ(text_error(named + "thread A" + c + " at b0t0\n"),
              "t.trace:3:8: error: unexpected control character in the name of a thread");
  }
}

TEST(TextTrace, OnlyAnObjectHasASize) {
  const auto error = [](const std::string& name) { return text_error(with_header("object " + name + " size=1\n")); };
  for (const char* name : {"b0:s", "g1b0:s", "s[0]", "s[03]", "0x10", "s=1", "s!", "%730x%00=", "d[03].c"}) {
    EXPECT_EQ(error(name), "t.trace:3:8: error: expected the name of an object") << name;
  }
  for (const char* name : {"s", "t[1].c", "s%3D1", "a%20b", "b0"}) EXPECT_EQ(error(name), "no error") << name;
}

TEST(TextTrace, ABarrierIsOfOneKind) {
  for (const char* word : {"bar.cluster.grid", "bar.grid.cluster", "bar.grid.grid", "bar.arrive.arrive",
                           "bar.arrive.grid", "bar.arrive.", "bar."}) {
    EXPECT_EQ(
        text_error(with_header(std::string("b0t0 ") + word + " 0\n")).rfind("t.trace:3:6: error: unknown barrier ", 0),
        0U)
        << word;
  }
  for (const char* word : {"bar", "bar.arrive", "bar.cluster.arrive", "bar.grid", "bar.grid.arrive"}) {
    EXPECT_EQ(text_error(with_header(std::string("b0t0 ") + word + " 0\n")), "no error") << word;
  }
}

/// In text, a name can be three times longer than in the trace. The length of a line is limited.
TEST(TextTrace, NoLineIsWrittenThatCannotBeRead) {
  for (const std::size_t size : {std::size_t{21843}, std::size_t{21844}, std::size_t{30000}}) {
    const auto read = test::from_text(with_header("b0t0 w " + std::string(size, '%') + "\n"));
    ASSERT_TRUE(read.ok()) << render(read.errors());
    std::ostringstream out;
    TextTraceWriter writer(out);
    const bool fits = 7 + 3 * size <= 65536;
    const auto written = writer.write(read.value().tables, read.value().events);
    EXPECT_EQ(written.ok(), fits) << size;
    EXPECT_EQ(writer.finish(read.value().tables).ok(), fits) << "a cut trace cannot be finished";
    if (fits) {
      EXPECT_EQ(text_error(out.str()), "no error");
    }
  }
  Trace trace;
  trace.tables.set_initial_value(trace.tables.location(std::string(70000, 'x')), std::nullopt);
  std::ostringstream out;
  EXPECT_FALSE(TextTraceWriter(out).write(trace.tables, {}).ok()) << "the init line is too long";
}

TEST(TextTrace, TruncatedFilesAreErrors) {
  EXPECT_EQ(text_error(with_header("b0t0 w x=1")), "t.trace:3:1: error: the file ends in the middle of a line");
  const std::string sealed = "ambit-trace 1 sealed\nlaunch block=2\nb0t0 w x\n";
  EXPECT_EQ(text_error(sealed),
            "t.trace:4:1: error: the file is truncated: it ends after 1 events without an end line");
  EXPECT_EQ(text_error(sealed + "end 2\n"), "t.trace:4:5: error: the file has 1 events, the end line says 2");
  EXPECT_EQ(text_error(sealed + "end 1\nb0t0 w x\n"), "t.trace:5:1: error: unexpected text after the end line");
  EXPECT_EQ(text_error(sealed + "end 1\n"), "no error");
}

TEST(TextTrace, ContradictionsAreLocated) {
  EXPECT_EQ(text_error(with_header("b0t0 rel l.gpu\n")), "t.trace:3:1: error: b0t0 releases l, which it does not hold");
  EXPECT_EQ(text_error(with_header("b0t0 acq l.gpu\nb1t0 acq l.gpu\n")),
            "t.trace:4:1: error: b1t0 acquires l while b0t0 holds it");
  EXPECT_EQ(text_error(with_header("b0t0 acq l\nb0t0 acq l\n")), "t.trace:4:1: error: b0t0 already holds l");
  EXPECT_EQ(text_error(with_header("b0t0 exit\nb0t0 bar 0 mask=all\n")), "t.trace:4:1: error: b0t0 has already exited");
  EXPECT_EQ(text_error(with_header("b0t0 r x=1\n")),
            "t.trace:3:1: error: b0t0 reads 1 from x, which never held this value");
  EXPECT_EQ(text_error(with_header("b0t0 w x=1\nb0t0 rmw.relaxed.gpu x:2->3\n")),
            "t.trace:4:1: error: b0t0 reads 2 from x, which never held this value");
  const std::string named = "ambit-trace 1\nlaunch threads=named block=2\n";
  EXPECT_EQ(text_error(named + "thread A at b0t0\nthread B at b0t0\n"),
            "t.trace:4:13: error: the thread A has the same place");
  EXPECT_EQ(text_error(named + "thread A at b0t0\nthread A at b0t1\n"), "t.trace:4:8: error: two threads are named A");
  EXPECT_EQ(text_error(named + "thread A at b0t2\n"), "t.trace:3:13: error: b0t2 is outside the launch");
}

TEST(TextTrace, ConsistentTracesAreAccepted) {
  // Locks of block scope in different blocks may be held at the same time.
  EXPECT_EQ(text_error(with_header("b0t0 acq l.cta\nb1t0 acq l.cta\n")), "no error");
  // A read may return a stale value, if the location had this value at an earlier time.
  EXPECT_EQ(text_error(with_header("b0t0 w x=1\nb0t0 w x=2\nb1t0 r x=1\nb1t0 r x=0\n")), "no error");
  // The initial contents of shared memory are unknown. After a write without a value, the value of x is unknown.
  EXPECT_EQ(text_error(with_header("b0t0 r b0:s[0]=9\n")), "no error");
  EXPECT_EQ(text_error(with_header("b0t0 w x\nb0t0 r x=9\n")), "no error");
  EXPECT_EQ(text_error(with_header("init x=9\nb0t0 r x=9\n")), "no error");
  EXPECT_EQ(text_error(with_header("init x=9\nb0t0 r x=0\n")),
            "t.trace:4:1: error: b0t0 reads 0 from x, which never held this value");
  // A trace may end inside a critical section or at a barrier.
  EXPECT_EQ(text_error(with_header("b0t0 acq l.gpu\nb0t1 bar 0 mask=all\n")), "no error");
}

TEST(TextTrace, BarrierContradictions) {
  EXPECT_EQ(text_error(with_header("b0t0 bar 0 count=2\nb0t0 w x\n")),
            "t.trace:4:1: error: b0t0 waits at barrier 0 of the block, where 1 of 2 threads have arrived");
  EXPECT_EQ(text_error(with_header("b0t0 bar 0 mask=all\nb0t1 w y\nb0t0 w x\nb0t1 w x\n")),
            "t.trace:6:1: error: b0t1 continues, but a barrier of its block has completed without it");
  // Before the barrier completes, b0t1 may act. When the barrier completes, b0t1 has exited.
  EXPECT_EQ(text_error(with_header("b0t0 bar 0 mask=all\nb0t1 w y\nb0t1 exit\nb0t0 w x\n")), "no error");
  EXPECT_EQ(text_error(with_header("b0t0 bar 0 mask=all\nb0t0 w x\nb1t0 w x\n")), "no error") << "another block";
  EXPECT_EQ(text_error(with_header("b0t0 warpbar mask=0x2\n")),
            "t.trace:3:1: error: b0t0 is lane 0, which is not in the mask of the warp barrier");
  EXPECT_EQ(text_error(with_header("b0t0 warpbar mask=0x3\nb0t0 w x\nb0t1 w x\n")),
            "t.trace:5:1: error: b0t1 continues, but a warp barrier that waits for its lane has completed without it");
  // A mask has 32 bits. The exit of lane 40 must not affect lane 8, although 40 modulo 32 is 8.
  EXPECT_EQ(text_error("ambit-trace 1\nlaunch grid=1,1,1 block=64,1,1 warp=64\nb0t40 exit\nb0t0 warpbar mask=0x103\n"
                       "b0t1 warpbar mask=0x103\nb0t0 w x\nb0t8 w x\n"),
            "t.trace:7:1: error: b0t8 continues, but a warp barrier that waits for its lane has completed without it");
}

std::vector<std::string> names_of(const std::string& events) {
  const auto read = test::from_text(with_header(events));
  EXPECT_TRUE(read.ok()) << render(read.errors());
  std::vector<std::string> names;
  if (!read.ok()) return names;
  for (const TraceEvent& event : read.value().events) {
    names.push_back(read.value().tables.locations()[event.object].name);
  }
  return names;
}

TEST(TextTrace, ACellHasOneName) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of("b0t0 w d[03]\nb0t0 w d[3]\nb0t0 w d[0x3]\n"), (Names{"d[3]", "d[3]", "d[3]"}));
  EXPECT_EQ(names_of("b0t0 w 0x7f00\nb0t0 w 0x7F00\nb0t0 w 0x07f00\n"), (Names{"0x7f00", "0x7f00", "0x7f00"}));
  EXPECT_EQ(names_of("b0t0 w g0b0:s[1]\nb0t0 w b00:s[1]\n"), (Names{"b0:s[1]", "b0:s[1]"}));
  EXPECT_EQ(names_of("b0t0 w t[01].c[2]\nb0t0 w t[1].c[2]\n"), (Names{"t[1].c[2]", "t[1].c[2]"}));
  // The names x and x[0] denote one location. Its name is the name that comes first in the trace.
  EXPECT_EQ(names_of("b0t0 w y\nb0t0 w y[0]\nb0t0 w z[0]\nb0t0 w z\n"), (Names{"y", "y", "z[0]", "z[0]"}));
  EXPECT_EQ(names_of("b0t0 w d[1]\nb0t0 w d[2]\nb0t0 w b0:d[1]\nb1t0 w b1:d[1]\n"),
            (Names{"d[1]", "d[2]", "b0:d[1]", "b1:d[1]"}));
  EXPECT_EQ(text_error(with_header("init y=1\nb0t0 r y[0]=1\n")), "no error");
}

TEST(TextTrace, SharedMemoryOfBlocksThatAreNot) {
  // The launch has two blocks. 4294967296 is 2^32, so it must not become block number 0.
  for (const char* name : {"b2:s", "g1b0:s", "b2147483648:s", "b4294967296:s"}) {
    EXPECT_EQ(text_error(with_header("b0t0 w " + std::string(name) + "\n")),
              "t.trace:3:8: error: the block of " + std::string(name) + " is outside the launch");
  }
}

TEST(TextTrace, LaunchesThatAreTooLarge) {
  const auto launch = [](const std::string& items) {
    return text_error("ambit-trace 1\nlaunch " + items + "\nb0t0 w x\n");
  };
  const std::string too_large = "t.trace:2:1: error: the launch is too large for every device";
  EXPECT_EQ(launch("gpus=257 block=1"), too_large);
  EXPECT_EQ(launch("grid=2097152,2097152,4194304"), too_large) << "2^64 blocks: in 64 bits, this number would be 0";
  EXPECT_EQ(launch("block=2097153"), too_large);
  EXPECT_EQ(text_error("ambit-trace 1\nlaunch gpus=256\ng255b0t0 w x\n"), "no error");
  // A block may have 2^21 threads, so 2097151 is the highest thread number.
  const std::string any_number = "ambit-trace 1\nlaunch grid=2 block=0 threads=named\n";
  EXPECT_EQ(text_error(any_number + "thread A at b0t2097151\nA w x\n"), "no error");
  EXPECT_EQ(text_error(any_number + "thread A at b0t2097152\nA w x\n"),
            "t.trace:3:13: error: b0t2097152 is outside the launch");
  EXPECT_EQ(launch("grid=1 block=2 grid=2"), "t.trace:2:23: error: the launch line has two 'grid'");
}

TEST(TextTrace, MemoryIsDeclaredOnceBeforeItsUse) {
  const std::string size = "the size of a is given twice, or after the first use";
  EXPECT_EQ(text_error(with_header("b0t0 w a[2]\nobject a size=8\n")), "t.trace:4:8: error: " + size);
  EXPECT_EQ(text_error(with_header("object a size=8\nobject a size=8\n")), "t.trace:4:8: error: " + size);
  const std::string start = "the initial value of x is given twice, or after the first use";
  EXPECT_EQ(text_error(with_header("b0t0 w x\ninit x=1\n")), "t.trace:4:6: error: " + start);
  EXPECT_EQ(text_error(with_header("init x=1\ninit x=?\n")), "t.trace:4:6: error: " + start);
  EXPECT_EQ(text_error(with_header("init x=1\ninit x[0]=2\n")), "t.trace:4:6: error: " + start);
  EXPECT_EQ(text_error(with_header("object a size=8\ninit a[1]=2\nb0t0 r a[1]=2\n")), "no error");
}

TEST(TextTrace, NamesAreOneWordEach) {
  Trace trace;
  trace.tables.launch.block = {3, 1, 1};
  trace.tables.launch.only_named_threads = true;
  trace.tables.set_element_size("a b", 8);
  trace.tables.set_element_size("c>d", 8);
  TraceEvent event;
  event.op = TraceOp::Write;
  for (const char* name : {"T%200", "T 0", "init"}) {  // "T%200" is also the encoded form of "T 0"
    event.thread = trace.tables.add_thread(name, 0, 0, static_cast<std::uint32_t>(trace.tables.threads().size()));
    for (const char* location : {"a b[1]", "x=1", "100%", "x%20y", "x y", "l!", "c>d[1]"}) {
      event.object = trace.tables.location(location);
      for (const char* site : {"my dir/no sh.cu:1", "#12", "tab\there:3"}) {
        event.site = trace.tables.site(site);
        trace.events.push_back(event);
      }
    }
  }
  const std::string text = test::text_of(trace);
  EXPECT_NE(text.find("\nT%200 w a%20b[1] my%20dir/no%20sh.cu:1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n%69nit w x%3D1 %2312\n"), std::string::npos) << text;
  const auto read = test::from_text(text);
  ASSERT_TRUE(read.ok()) << render(read.errors());
  const TraceTables& tables = read.value().tables;
  EXPECT_EQ(read.value().events, trace.events) << "both traces number names in order of first appearance";
  EXPECT_EQ(tables.sites(), trace.tables.sites());
  EXPECT_EQ(tables.threads()[0].name, "T%200");
  EXPECT_EQ(tables.threads()[1].name, "T 0");
  EXPECT_EQ(tables.threads()[2].name, "init");
  ASSERT_EQ(tables.locations().size(), trace.tables.locations().size());
  for (std::size_t i = 0; i < tables.locations().size(); ++i) {
    EXPECT_EQ(tables.locations()[i].name, trace.tables.locations()[i].name);
    EXPECT_EQ(tables.locations()[i].offset, trace.tables.locations()[i].offset);
  }
}

TEST(TextTrace, TheScopeOfOneThread) {
  const std::string events = "b0t0 rmw.relaxed.thread.add x:0->1\nb0t0 fence.sc.thread\n";
  const auto read = test::from_text(with_header(events));
  ASSERT_TRUE(read.ok()) << render(read.errors());
  EXPECT_EQ(read.value().events[0].scope, Scope::Thread);
  EXPECT_NE(test::text_of(read.value()).find("\n" + events + "end 2\n"), std::string::npos);
}

TEST(TextTrace, TransactionsAreReadAndWritten) {
  const std::string events =
      "b0t0 txn.begin.gpu a.cu:1\nb0t0 w x=1\nb0t0 txn.abort\nb0t0 txn.begin.cta\nb0t0 txn.commit\n";
  const auto read = test::from_text(with_header(events));
  ASSERT_TRUE(read.ok()) << render(read.errors());
  const Trace& trace = read.value();
  EXPECT_EQ(trace.events[0].op, TraceOp::TransactionBegin);
  EXPECT_EQ(trace.events[0].scope, Scope::Device);
  EXPECT_EQ(trace.tables.locations()[trace.events[0].object].name, kTransactionLock);
  std::string lines;
  for (const TraceEvent& event : trace.events) lines += to_text(event, trace.tables) + "\n";
  EXPECT_EQ(lines, events);
  const auto again = test::from_bytes(test::bytes_of(trace, false));
  ASSERT_TRUE(again.ok()) << render(again.errors());
  EXPECT_EQ(again.value().events, trace.events);
}

TEST(TextTrace, TransactionsThatContradictThemselves) {
  const auto error = [](const std::string& events) { return text_error(with_header(events)); };
  EXPECT_NE(error("b0t0 txn.commit\n").find("ends a transaction that has not begun"), std::string::npos);
  EXPECT_NE(error("b0t0 txn.begin.gpu\nb0t0 txn.begin.gpu\n").find("inside another"), std::string::npos);
  EXPECT_NE(error("b0t0 txn.begin.gpu\nb0t0 exit\n").find("without a commit"), std::string::npos);
  EXPECT_NE(error("b0t0 txn.begin\n").find("expected a scope"), std::string::npos);
  EXPECT_NE(error("b0t0 txn.end\n").find("unknown step of a transaction"), std::string::npos);
}

}  // namespace
}  // namespace ambit::trace
