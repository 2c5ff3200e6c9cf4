#include "runner/cuda/worker/worker_message.h"

#include <gtest/gtest.h>

#include <string>

namespace ambit::cuda {
namespace {

using MessageKind = WorkerMessage::Kind;

TEST(WorkerMessage, ReadsBackAsWritten) {
  for (const MessageKind kind : {MessageKind::Device, MessageKind::NoDevice, MessageKind::Alive, MessageKind::Progress,
                                 MessageKind::Finished, MessageKind::Failed}) {
    const WorkerMessage message{kind, 7, "a \"text\"\nof two lines"};
    const std::string line = to_line(message);
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "a message is one line";
    EXPECT_EQ(read_message(line), message);
  }
}

// The compiler's log may contain invalid UTF-8, but the message must still be valid.
TEST(WorkerMessage, TextWithInvalidUtf8IsSent) { EXPECT_TRUE(read_message(to_line({MessageKind::Failed, 0, "\xff"}))); }

TEST(WorkerMessage, TornMessageIsRejected) {
  const std::string line = to_line({MessageKind::Finished, 1, "text"});
  for (const std::string& other :
       {line.substr(0, line.size() / 2), line.substr(1), std::string("[]"), std::string("null"), std::string(),
        std::string(R"({"kind":"other","test":1,"text":""})"), std::string(R"({"kind":"alive","test":-1,"text":""})"),
        std::string(R"({"kind":"alive","text":""})")}) {
    EXPECT_FALSE(read_message(other)) << other;
  }
}

}  // namespace
}  // namespace ambit::cuda
