#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "tests/support/trace_text.h"
#include "trace/binary_trace.h"
#include "trace/open_trace.h"
#include "trace/std_trace.h"
#include "trace/text_trace.h"

// If a trace is cut, corrupt or contradictory, a reader must report an error with a location. This applies to each of
// the three formats. A reader must neither crash on such a trace nor accept it.
namespace ambit::trace {
namespace {

using test::bytes_of;
using test::from_bytes;
using test::from_std;
using test::from_text;

std::string error_of(const Result<Trace>& trace) {
  if (trace.ok()) return "no error";
  const std::string rendered = render(trace.errors());
  return rendered.substr(0, rendered.find('\n'));
}

/// Returns the message of the error, without its location.
std::string message_of(const Result<Trace>& trace) {
  const std::string error = error_of(trace);
  const std::size_t at = error.rfind(": ");
  return at == std::string::npos ? error : error.substr(at + 2);
}

/// Expects that `read` is a trace, or an error with a location.
void expect_located(const Result<Trace>& read, const std::string& place, std::size_t at) {
  if (read.ok()) return;
  EXPECT_NE(error_of(read).find(place), std::string::npos) << at << ": " << error_of(read);
}

/// Parses a trace from text. Does not check for contradictions between events.
Trace unchecked(const std::vector<std::string>& lines) {
  Trace trace;
  trace.tables.launch.grid = {2, 1, 1};
  trace.tables.launch.block = {4, 1, 1};
  for (const std::string& line : lines) {
    // Parses each line with a new reader, which does not know the earlier lines. Puts all events into one trace.
    const auto read = from_text("ambit-trace 1\nlaunch grid=2,1,1 block=4,1,1\n" + line + "\n");
    EXPECT_TRUE(read.ok()) << line << ": " << render(read.errors());
    if (!read.ok()) continue;
    TraceEvent event = read.value().events.at(0);
    const TraceThread& thread = read.value().tables.threads()[event.thread];
    event.thread = trace.tables.thread(0, static_cast<std::uint32_t>(thread.place.block), thread.index_in_block);
    const bool has_location = event.is_access() || event.op == TraceOp::LockAcquire || event.op == TraceOp::LockRelease;
    if (has_location) event.object = trace.tables.location(read.value().tables.locations()[event.object].name);
    event.site = kNoName;
    trace.events.push_back(event);
  }
  return trace;
}

// ---- contradictions ----

struct Contradiction {
  std::string what;
  std::vector<std::string> lines;  ///< the lines of a trace; the last line has the error
  std::string message;
};

std::vector<Contradiction> contradictions() {
  return {
      {"a lock taken twice", {"b0t0 acq l.gpu", "b1t0 acq l.gpu"}, "b1t0 acquires l while b0t0 holds it"},
      {"an exited thread arrives at a barrier", {"b0t0 exit", "b0t0 bar 0 mask=all"}, "b0t0 has already exited"},
      {"a second exit", {"b0t0 exit", "b0t0 exit"}, "b0t0 has already exited"},
      {"a step past an incomplete barrier",
       {"b0t0 bar 0 count=2", "b0t0 w x"},
       "b0t0 waits at barrier 0 of the block, where 1 of 2 threads have arrived"},
      {"a thread continues, but has skipped its barrier",
       {"b0t0 bar 0 mask=all", "b0t0 w x", "b0t1 w x"},
       "b0t1 continues, but a barrier of its block has completed without it"},
      {"two counts at one barrier",
       {"b0t0 bar 0 count=2", "b0t1 bar 0 count=3"},
       "barrier 0 of the block expects 3 threads here but 2 at an earlier arrival"},
      {"two arrivals without a wait",
       {"b0t0 bar.arrive 0 count=3", "b0t0 bar.arrive 0 count=3"},
       "b0t0 arrives a second time at barrier 0 of the block before the barrier has completed"},
  };
}

TEST(BadInput, ContradictionsInText) {
  for (const Contradiction& bad : contradictions()) {
    std::string text = "ambit-trace 1\nlaunch grid=2,1,1 block=4,1,1\n";
    for (const std::string& line : bad.lines) text += line + "\n";
    EXPECT_EQ(error_of(from_text(text)),
              "t.trace:" + std::to_string(bad.lines.size() + 2) + ":1: error: " + bad.message)
        << bad.what;
  }
}

// In a binary trace, the event that issues an operation gives its name. So these errors are possible only in text.
TEST(BadInput, OperationsInText) {
  const auto error = [](const std::string& lines) {
    return message_of(from_text("ambit-trace 1\nlaunch grid=2,1,1 block=4,1,1\n" + lines));
  };
  EXPECT_EQ(error("b0t0 issue.bulk b0t1.1\n"), "expected the name of the operation");
  EXPECT_EQ(error("b0t0 issue.bulk b0t0.0\n"), "expected the name of the operation");
  EXPECT_EQ(error("b0t0 issue.bulk b0t0.1\nb0t0 issue.bulk b0t0.1\n"), "b0t0.1 is issued a second time");
  EXPECT_EQ(error("b0t0 issue b0t0.1\nb0t0.1 bar 0\n"),
            "b0t0.1 is an operation, which only reads, writes, reduces and completes");
  EXPECT_EQ(error("b0t0 w.async x\n"), "b0t0 is a thread; only an asynchronous operation does this");
  EXPECT_EQ(error("b0t0 complete b\n"), "the phase is missing");
  EXPECT_EQ(error("b0t0 issue.heap b0t0.1\n"), "copy, bulk, matrix, tensor-load, tensor-store or tensor");
  EXPECT_EQ(error("b0t0 wait\n"), "copy, bulk, matrix, tensor-load, tensor-store or tensor");
  EXPECT_EQ(error("b0t0 wait.bulk pending=x\n"), "pending=1");
  EXPECT_EQ(error("b0t0 mbarrier.arrive.acquire.cta b=0\n"), "an arrival must be relaxed or release");
  EXPECT_EQ(error("b0t0 mbarrier.drop b\n"),
            "expected mbarrier.init, mbarrier.arrive.ORDER.SCOPE or mbarrier.wait.ORDER.SCOPE");
  EXPECT_EQ(error("b0t0 fence.proxy.texture\n"),
            "expected fence.proxy.async, with or without .global, .shared::cta or .shared::cluster");
}

TEST(BadInput, ContradictionsInBinary) {
  for (const Contradiction& bad : contradictions()) {
    const Trace trace = unchecked(bad.lines);
    const std::size_t last = bad.lines.size() - 1;
    const std::string expected = "t.btrace: error: event " + std::to_string(last) + " (byte " +
                                 std::to_string(40 * last) + " of the records): " + bad.message;
    EXPECT_EQ(error_of(from_bytes(bytes_of(trace, false))), expected) << bad.what;
    if (!has_compression()) continue;
    EXPECT_EQ(error_of(from_bytes(bytes_of(trace, true))), expected) << bad.what;
  }
}

TEST(BadInput, ValuesThatWereNeverWrittenInBinary) {
  Trace trace;
  trace.tables.launch.block = {2, 1, 1};
  TraceEvent event;
  event.thread = trace.tables.thread(0, 0, 0);
  event.object = trace.tables.location("x");
  event.has_value = true;
  event.value = 7;
  trace.events.push_back(event);
  EXPECT_EQ(error_of(from_bytes(bytes_of(trace, false))),
            "t.btrace: error: event 0 (byte 0 of the records): b0t0 reads 7 from x, which never held this value");
}

TEST(BadInput, ReleaseWithoutAcquireInBinary) {
  Trace trace;
  trace.tables.launch.block = {2, 1, 1};
  TraceEvent event;
  event.op = TraceOp::LockRelease;
  event.thread = trace.tables.thread(0, 0, 1);
  event.object = trace.tables.location("l");
  trace.events.push_back(event);
  EXPECT_EQ(error_of(from_bytes(bytes_of(trace, false))),
            "t.btrace: error: event 0 (byte 0 of the records): b0t1 releases l, which it does not hold");
}

TEST(BadInput, ContradictionsInStd) {
  EXPECT_EQ(error_of(from_std("T0|acq(L)|1\nT1|acq(L)|2\n")), "t.std:2:1: error: T1 acquires L while T0 holds it");
  EXPECT_EQ(error_of(from_std("T0|acq(L)|1\nT1|rel(L)|2\n")),
            "t.std:2:1: error: T1 releases L, which it does not hold");
  EXPECT_EQ(error_of(from_std("T0|fork(T0)|1\n")), "t.std:1:1: error: T0 forks or joins itself");
  EXPECT_EQ(error_of(from_std("T0|join(T1)|1\nT0|fork(T1)|2\n")), "t.std:2:1: error: T1 is forked after it was joined");
  EXPECT_EQ(error_of(from_std("T0|acq(L)|1\nT0|acq(L)|2\n")), "t.std:2:1: error: T0 already holds L");
}

// ---- cut and flipped files ----

/// Returns a trace that contains every kind of event and every kind of name.
Trace example() {
  const auto read = from_text(
      "ambit-trace 1\nlaunch grid=2,1,1 block=4,1,1 warp=2\ninit d=?\nobject wide size=8\n"
      "b0t0 w.volatile d=1 k.cu:1\nb0t0 fence.sc.gpu k.cu:2\nb0t0 rmw.relaxed.gpu.exch f:0->1\n"
      "b1t0 r.acquire.gpu f=1\nb1t0 red.relaxed.gpu.add c\nb1t0 rmw.relaxed.gpu.cas l:0!\nb0t1 acq m.cta\n"
      "b0t1 w wide[3]=-5\nb0t1 rel m.cta\nb0t0 bar 0 mask=all\nb0t1 bar 0 mask=all\nb0t2 bar 0 mask=all\n"
      "b0t3 bar 0 mask=all\nb0t2 w b0:s[1]\nb1t2 warpbar mask=0x3\nb1t3 warpbar mask=0x3\nb1t3 exit\n");
  return test::sound(read);
}

TEST(BadInput, EveryCutOfASealedTextIsAnError) {
  const std::string text = test::text_of(example());
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string error = error_of(from_text(text.substr(0, size)));
    // Every line needs a line end, so a text without its last line end is also an error.
    EXPECT_EQ(error.rfind("t.trace:", 0), 0U) << size << ": " << error;
  }
  EXPECT_TRUE(from_text(text).ok());
}

TEST(BadInput, EveryFlippedByteIsRefused) {
  const Trace trace = example();
  for (const bool compress : {false, true}) {
    if (compress && !has_compression()) continue;
    const std::string bytes = bytes_of(trace, compress);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const unsigned flip : {0x01U, 0x10U, 0x80U, 0xffU}) {
        std::string corrupt = bytes;
        corrupt[at] = static_cast<char>(static_cast<unsigned char>(corrupt[at]) ^ flip);
        const auto read = from_bytes(std::move(corrupt));
        if (read.ok()) {
          // Some bits of a zstd frame have no effect on the content of the file.
          EXPECT_TRUE(compress) << at;
          EXPECT_EQ(read.value().events, trace.events) << at;
          continue;
        }
        EXPECT_NE(error_of(read).find("byte "), std::string::npos) << at << ": " << error_of(read);
      }
    }
  }
}

/// Returns the file without its checksum. Older versions of Ambit wrote such files.
std::string without_checksum(std::string bytes) {
  bytes.erase(bytes.size() - 48 - 8, 8);
  bytes[12] = static_cast<char>(static_cast<unsigned char>(bytes[12]) & ~2U);
  return bytes;
}

TEST(BadInput, FilesWithoutAChecksumAreReadAndTheirCountIsChecked) {
  for (const bool compress : {false, true}) {
    if (compress && !has_compression()) continue;
    std::string bytes = without_checksum(bytes_of(example(), compress));
    const auto read = from_bytes(bytes);
    ASSERT_TRUE(read.ok()) << render(read.errors());
    ASSERT_EQ(read.value().events.size(), 17U);
    bytes[bytes.size() - 48 + 16] = 1;  // the number of events
    const std::string error = error_of(from_bytes(bytes));
    EXPECT_NE(error.find(compress ? "the file has more events than the 1 in its footer"
                                  : "the footer does not match the file"),
              std::string::npos)
        << error;
  }
}

TEST(BadInput, RecordsThatTextCannotExpress) {
  const auto error = [](TraceEvent event) {
    Trace trace;
    trace.tables.launch.block = {2, 1, 1};
    event.thread = trace.tables.thread(0, 0, 0);
    if (event.is_access() || event.op == TraceOp::LockAcquire) event.object = trace.tables.location("x");
    trace.events.push_back(event);
    return message_of(from_bytes(bytes_of(trace, false)));
  };
  TraceEvent event;
  EXPECT_EQ(error(event), "no error");
  event.arrive_only = true;
  EXPECT_EQ(error(event), "only a barrier can be an arrival");
  event = {};
  event.is_failed = true;
  EXPECT_EQ(error(event), "only a compare-exchange can fail");
  event = {};
  event.is_volatile = true;
  EXPECT_EQ(error(event), "a volatile access cannot have an order or a scope") << "the event's order is weak";
  event = {};
  event.op = TraceOp::Write;
  event.order = Order::Acquire;
  EXPECT_EQ(error(event), "a write cannot be acquire");
  event = {};
  event.op = TraceOp::Rmw;
  EXPECT_EQ(error(event), "a read-modify-write cannot be weak");
  event = {};
  event.op = TraceOp::Fence;
  EXPECT_EQ(error(event), "a fence cannot be weak");
  event.order = Order::SeqCst;
  EXPECT_EQ(error(event), "no error");
  event.has_value = true;
  EXPECT_EQ(error(event), "only an access can have this field");
  event = {};
  event.op = TraceOp::Barrier;
  event.object = 0;
  EXPECT_EQ(error(event), "a barrier must have block, cluster or grid scope") << "the event's scope is the system";
  event.scope = Scope::Block;
  EXPECT_EQ(error(event), "no error");
  event.object = 65536;
  EXPECT_EQ(error(event), "the barrier number 65536 is too large");
  event = {};
  event.op = TraceOp::WarpBarrier;
  EXPECT_EQ(error(event), "the warp barrier has no lanes");
  event = {};
  event.op = TraceOp::LockAcquire;
  event.scope = Scope::Thread;
  EXPECT_EQ(error(event), "a lock cannot have thread scope");
}

TEST(BadInput, RecordsThatTextWouldTruncate) {
  const auto error = [](TraceEvent event) {
    Trace trace;
    trace.tables.launch.block = {2, 1, 1};
    event.thread = trace.tables.thread(0, 0, 0);
    if (event.is_access()) event.object = trace.tables.location("x");
    trace.events.push_back(event);
    return message_of(from_bytes(without_checksum(bytes_of(trace, false))));
  };
  for (const TraceOp op : {TraceOp::Rmw, TraceOp::Reduction}) {
    TraceEvent event;
    event.op = op;
    event.order = Order::Relaxed;
    EXPECT_EQ(error(event), "no error");
    event.is_volatile = true;
    EXPECT_EQ(error(event), "a read-modify-write cannot be volatile");
  }
  TraceEvent event;
  event.op = TraceOp::Rmw;
  event.order = Order::Relaxed;
  event.rmw = TraceRmw::CompareExchange;
  event.is_failed = true;
  EXPECT_EQ(error(event), "no error");
  event.has_value = true;
  EXPECT_EQ(error(event), "a failed compare-exchange cannot write");
  for (const TraceOp op : {TraceOp::Write, TraceOp::Fence, TraceOp::Exit}) {
    event = {};
    event.op = op;
    if (op == TraceOp::Fence) event.order = Order::SeqCst;
    EXPECT_EQ(error(event), "no error");
    event.count = 9;
    EXPECT_EQ(error(event), "only a barrier can have a count");
  }
  for (const TraceOp op : {TraceOp::Exit, TraceOp::WarpBarrier}) {
    event = {};
    event.op = op;
    event.count = op == TraceOp::WarpBarrier ? kAllLanes : 0;
    EXPECT_EQ(error(event), "no error");
    event.object = 0;
    EXPECT_EQ(error(event),
              op == TraceOp::Exit ? "an exit cannot have a location" : "a warp barrier cannot have a number");
    event.object = kNoName;
    event.order = Order::SeqCst;
    EXPECT_EQ(error(event), "this operation cannot have an order");
  }
}

TEST(BadInput, SharedMemoryOfBlocksThatAreNot) {
  for (const char* name : {"b2:s", "g1b0:s", "b2147483648:s", "b4294967296:s"}) {
    const std::string expected = "the block of " + std::string(name) + " is outside the launch";
    EXPECT_EQ(error_of(from_std("T0|w(" + std::string(name) + ")|1\n")), "t.std:1:6: error: " + expected);
    Trace trace;
    trace.tables.launch.grid = {2, 1, 1};
    trace.tables.location(name);
    EXPECT_EQ(message_of(from_bytes(bytes_of(trace, false))), expected);
  }
  EXPECT_EQ(error_of(from_std("T0|w(b0:s)|1\n")), "no error");
}

TEST(BadInput, ObjectsThatTextCannotName) {
  const auto error = [](const std::string& object, std::uint32_t size) {
    Trace trace;
    trace.tables.launch.block = {2, 1, 1};
    trace.tables.set_element_size(object, size);
    return message_of(from_bytes(bytes_of(trace, false)));
  };
  for (const char* name : {"b0:s", "s[0]", "0x10"}) {
    EXPECT_EQ(error(name, 8), "unknown object " + std::string(name));
  }
  EXPECT_EQ(error("", 8), "unknown object ");
  EXPECT_EQ(error("", 1), "no error");
  EXPECT_EQ(error("t[1].c", 8), "no error");
  EXPECT_EQ(error("s[0]", 4), "no error") << "of the location s[0][1]";
}

TEST(BadInput, ABinaryTraceIsARegularFile) {
  const auto file = MappedFile::open("/dev/null");
  ASSERT_FALSE(file.ok());
  EXPECT_NE(render(file.errors()).find("/dev/null: error: not a regular file"), std::string::npos);
}

TEST(BadInput, EveryFlippedCharacterIsReadOrLocated) {
  const std::string text = test::text_of(example());
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char other : {'\0', '\n', ' ', '=', '9', 'z', '\xff'}) {
      std::string corrupt = text;
      corrupt[at] = other;
      const auto read = from_text(corrupt);
      expect_located(read, "t.trace:", at);
    }
  }
}

TEST(BadInput, ImpossibleCountsDoNotHang) {
  const std::string bytes = bytes_of(example(), false);
  // Any 8 bytes may be a count, an offset or a size. No value may cause an excessive allocation or a long loop.
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 4) {
    for (const std::uint64_t value : {std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 60U,
                                      std::uint64_t{1} << 32U, std::uint64_t{0xffffffffU}}) {
      std::string corrupt = bytes;
      for (std::size_t i = 0; i < 8; ++i) corrupt[at + i] = static_cast<char>(value >> (8 * i));
      const auto read = from_bytes(std::move(corrupt));
      expect_located(read, "byte ", at);
    }
  }
}

/// A stream that delivers its text and then fails, as if a disk had a read error.
class FailingBuffer : public std::stringbuf {
 public:
  using std::stringbuf::stringbuf;

 protected:
  int_type underflow() override {
    const int_type next = std::stringbuf::underflow();
    if (next == traits_type::eof()) throw std::runtime_error("no more");
    return next;
  }
};
class FailingStream : public std::istream {
 public:
  explicit FailingStream(const std::string& text) : std::istream(nullptr), buffer_(text, std::ios::in) {
    rdbuf(&buffer_);
  }

 private:
  FailingBuffer buffer_;
};

TEST(BadInput, AReadErrorIsNotTheEnd) {
  TextTraceReader text(std::make_unique<FailingStream>("ambit-trace 1\nlaunch block=2\nb0t0 w x\n"), "t.trace");
  EXPECT_EQ(error_of(read_all(text)), "t.trace:1:1: error: the rest of the file cannot be read")
      << "the text before the failure of a stream is lost";
  StdTraceReader std_reader(std::make_unique<FailingStream>("T0|w(x)|1\n"), "t.std");
  EXPECT_EQ(error_of(read_all(std_reader)), "t.std:1:1: error: the rest of the file cannot be read");
}

TEST(BadInput, LinesAreBounded) {
  // The reader's buffer has 256 KiB. Some lines of the test end inside the buffer, and some extend beyond its end. One
  // line has no line end.
  const std::string head = "ambit-trace 1\nlaunch block=2\n";
  for (const std::size_t size : {std::size_t{65536}, std::size_t{65537}, std::size_t{300000}, std::size_t{3000000}}) {
    const std::string line = "b0t0 w " + std::string(size - 7, 'x');
    const std::string expected = size <= 65536 ? "no error" : "t.trace:3:1: error: line too long";
    EXPECT_EQ(error_of(from_text(head + line + "\nb0t1 r y\n")), expected) << size;
    EXPECT_EQ(error_of(from_text(head + line)),
              size <= 65536 ? "t.trace:3:1: error: the file ends in the middle of a line" : expected)
        << size;
  }
  const std::string whole = "b0t0 w " + std::string(65536 - 7, 'x');
  EXPECT_EQ(error_of(from_text(head + whole + "\r\n")), "no error");
  EXPECT_EQ(error_of(from_text(head + whole + "x\r\n")), "t.trace:3:1: error: line too long");
  EXPECT_EQ(error_of(from_text(head + whole + "\rx\n")), "t.trace:3:1: error: line too long");
  // Several lines cross the end of the buffer. The lines have different lengths.
  std::string text = head;
  for (std::size_t i = 0; i < 5000; ++i) text += "b0t0 w " + std::string(1 + i % 257, 'x') + "\n";
  const auto read = from_text(text);
  ASSERT_TRUE(read.ok()) << render(read.errors());
  EXPECT_EQ(read.value().events.size(), 5000U);
  EXPECT_EQ(read.value().tables.locations().size(), 257U);
}

TEST(BadInput, Std) {
  EXPECT_EQ(error_of(from_std("")), "t.std:1:1: error: the file is empty");
  EXPECT_EQ(error_of(from_std("T0|w(V1)|13\nT1|w(V1)|1")), "t.std:2:1: error: the file ends in the middle of a line");
  EXPECT_EQ(error_of(from_std("\xef\xbb\xbfT0|w(x)|1\n")), "t.std:1:1: error: unexpected byte order mark");
  EXPECT_EQ(error_of(from_std(" T0|w(x)|1\n")), "t.std:1:1: error: unexpected blanks around the name of a thread");
  EXPECT_EQ(error_of(from_std("T0|w(x)|1\nT0 |r(x)|2\n")),
            "t.std:2:1: error: unexpected blanks around the name of a thread");
  EXPECT_EQ(error_of(from_std("T0|fork( T1)|1\n")), "t.std:1:9: error: unexpected blanks around the name of a thread");
  EXPECT_EQ(error_of(from_std("T0|rw(x)|1\n")),
            "t.std:1:4: error: unknown operation 'rw': expected r, w, acq, rel, fork or join");
  const auto formless = from_std("T0|w(x)|1\nT0 w x\n");
  EXPECT_EQ(error_of(formless), "t.std:2:1: error: expected THREAD|OPERATION(OPERAND)|PLACE");
  EXPECT_NE(render(formless.errors()).find("hint: for example: T0|w(x)|12"), std::string::npos)
      << render(formless.errors());
  EXPECT_EQ(error_of(from_std("T0|w x|1\n")), "t.std:1:4: error: expected THREAD|OPERATION(OPERAND)|PLACE");
}

TEST(BadInput, StdCutAnywhere) {
  const std::string text = "T0|fork(T1)|1\nT0|acq(L)|2\nT0|w(V1)|3\nT0|rel(L)|4\nT1|r(V1)|345\nT0|join(T1)|6\n";
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto read = from_std(text.substr(0, size));
    // The text is a trace if it ends after a line.
    EXPECT_EQ(read.ok(), size != 0 && text[size - 1] == '\n') << size;
    expect_located(read, "t.std:", size);
  }
}

}  // namespace
}  // namespace ambit::trace
