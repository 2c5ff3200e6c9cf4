#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "trace/text_trace.h"

namespace ambit::test {

/// A whole trace in the text form.
inline std::string text_of(const Trace& trace) {
  std::ostringstream out;
  trace::TextTraceWriter writer(out);
  EXPECT_TRUE(writer.write(trace.tables, trace.events).ok());
  EXPECT_TRUE(writer.finish(trace.tables).ok());
  return out.str();
}

}  // namespace ambit::test
