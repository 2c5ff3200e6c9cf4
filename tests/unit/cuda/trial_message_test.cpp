#include "runner/cuda/stress/trial_message.h"

#include <gtest/gtest.h>

#include <string>

namespace ambit::cuda {
namespace {

TrialMessage message() {
  TrialMessage message{.test = 3, .seed = 0x9e3779b97f4a7c15ULL, .seconds = 0.1, .is_first = true};
  message.sets = {{}, {.block_threads = 64, .scatter_percent = 100, .cold = 1}};
  message.until = {{1, 0}, {-1, 5000000000}};
  return message;
}

TEST(TrialMessage, ReadsBackAsWritten) {
  const std::string line = to_line(message());
  EXPECT_EQ(line.find('\n'), line.size() - 1) << "a message is one line";
  EXPECT_EQ(read_trial(line), message());
}

TEST(TrialMessage, TornMessageIsRejected) {
  const std::string line = to_line(message());
  EXPECT_FALSE(read_trial(line.substr(0, line.size() / 2)));
  EXPECT_FALSE(read_trial(""));
  EXPECT_FALSE(read_trial("{}"));
}

}  // namespace
}  // namespace ambit::cuda
