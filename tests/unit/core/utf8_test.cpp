#include "base/utf8.h"

#include <gtest/gtest.h>

namespace ambit {
namespace {

// Tests the first bytes of sequences, and the ranges of the second byte (RFC 3629, section 4).
TEST(Utf8, LengthsOfWellFormedSequences) {
  EXPECT_EQ(utf8_length("a", 0), 1U);
  EXPECT_EQ(utf8_length("\xC3\xA9", 0), 2U);          // An e with an acute accent.
  EXPECT_EQ(utf8_length("x\xE2\x82\xAC", 1), 3U);     // The euro sign.
  EXPECT_EQ(utf8_length("\xF0\x9F\x98\x80", 0), 4U);  // U+1F600
}

TEST(Utf8, WhatIsNone) {
  EXPECT_EQ(utf8_length("", 0), 0U);
  EXPECT_EQ(utf8_length("a", 1), 0U);
  EXPECT_EQ(utf8_length("\xFF", 0), 0U);
  EXPECT_EQ(utf8_length("\x82", 0), 0U);              // A continuation byte without a first byte.
  EXPECT_EQ(utf8_length("\xC3", 0), 0U);              // A truncated sequence.
  EXPECT_EQ(utf8_length("\xC0\xAF", 0), 0U);          // An overlong sequence.
  EXPECT_EQ(utf8_length("\xED\xA0\x80", 0), 0U);      // Half of a surrogate pair.
  EXPECT_EQ(utf8_length("\xF4\x90\x80\x80", 0), 0U);  // Past U+10FFFF.
}

}  // namespace
}  // namespace ambit
