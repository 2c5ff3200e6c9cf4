#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "trace/binary_trace.h"
#include "trace/open_trace.h"
#include "trace/std_trace.h"
#include "trace/text_trace.h"

/// Functions that convert traces to text and to bytes, and back to traces.
namespace ambit::test {

inline std::string written(TraceWriter& writer, std::ostringstream& out, const Trace& trace) {
  EXPECT_TRUE(writer.write(trace.tables, trace.events).ok());
  EXPECT_TRUE(writer.finish(trace.tables).ok());
  return out.str();
}

/// Returns a whole trace in text form.
inline std::string text_of(const Trace& trace) {
  std::ostringstream out;
  trace::TextTraceWriter writer(out);
  return written(writer, out, trace);
}

/// Returns a whole trace in binary form.
inline std::string bytes_of(const Trace& trace, bool compress) {
  std::ostringstream out;
  trace::BinaryTraceWriter writer(out, compress);
  return written(writer, out, trace);
}

inline Result<Trace> from_text(const std::string& text) {
  trace::TextTraceReader reader(std::make_unique<std::istringstream>(text), "t.trace");
  return trace::read_all(reader);
}

inline Result<Trace> from_std(const std::string& text) {
  trace::StdTraceReader reader(std::make_unique<std::istringstream>(text), "t.std");
  return trace::read_all(reader);
}

inline Result<Trace> from_bytes(std::string bytes) {
  auto reader = trace::BinaryTraceReader::open(trace::MappedFile::from_bytes(std::move(bytes)), "t.btrace");
  if (!reader.ok()) return reader.errors();
  return trace::read_all(*reader.value());
}

/// Returns the trace that was read. An error fails the test.
inline Trace sound(const Result<Trace>& read) {
  EXPECT_TRUE(read.ok()) << (read.ok() ? "" : render(read.errors()));
  return read.ok() ? read.value() : Trace{};
}

}  // namespace ambit::test
