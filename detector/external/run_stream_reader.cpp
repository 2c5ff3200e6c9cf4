#include "detector/external/run_stream_reader.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "trace/well_formed.h"

namespace ambit::external {
namespace {

constexpr std::size_t kReadBuffer = std::size_t{1} << 20U;
/// Limit on the size of a frame, in bytes. A frame contains one batch of events, or the names of one batch.
constexpr std::size_t kMaxFrame = std::size_t{1} << 28U;

std::size_t padded(std::size_t size) { return (size + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment; }

}  // namespace

Diagnostic RunStreamReader::error(std::string message) const {
  return {std::make_shared<const SourceFile>(SourceFile{"<stdin>", ""}),
          {},
          std::move(message),
          "docs/detectors/protocol.md describes the stream of runs"};
}

Result<bool> RunStreamReader::fill(std::size_t bytes) {
  if (filled_ - at_ >= bytes) return true;
  if (at_ > 0) std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
  filled_ -= at_;
  at_ = 0;
  if (buffer_.size() < std::max(bytes, kReadBuffer)) buffer_.resize(std::max(bytes, kReadBuffer));
  while (filled_ < bytes) {
    const ssize_t count = read(descriptor_, buffer_.data() + filled_, buffer_.size() - filled_);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      if (filled_ == 0) return false;
      return error("the stream of runs is truncated");
    }
    filled_ += static_cast<std::size_t>(count);
  }
  return true;
}

Result<std::optional<RunStreamReader::Frame>> RunStreamReader::frame() {
  if (pending_) return std::exchange(pending_, std::nullopt);
  const auto has_head = fill(kFrameAlignment);
  if (!has_head.ok()) return has_head.errors();
  if (!has_head.value()) return std::optional<Frame>();
  std::uint32_t kind = 0;
  std::uint32_t size = 0;
  std::memcpy(&kind, buffer_.data() + at_, sizeof kind);
  std::memcpy(&size, buffer_.data() + at_ + sizeof kind, sizeof size);
  if (kind < static_cast<std::uint32_t>(FrameKind::Option) || kind > static_cast<std::uint32_t>(FrameKind::End) ||
      size > kMaxFrame) {
    return error(fmt::format("unknown frame: kind {}, {} bytes", kind, size));
  }
  const auto is_whole = fill(kFrameAlignment + padded(size));
  if (!is_whole.ok()) return is_whole.errors();
  const std::span<const std::byte> payload(buffer_.data() + at_ + kFrameAlignment, size);
  at_ += kFrameAlignment + padded(size);
  return std::optional(Frame{static_cast<FrameKind>(kind), payload});
}

Result<bool> RunStreamReader::open() {
  const std::size_t head = kStreamMagic.size() + 2 * sizeof(std::uint32_t);
  const auto filled = fill(head);
  if (!filled.ok()) return filled.errors();
  if (!filled.value()) return error("expected a stream of runs in binary form, found the end of the input");
  trace::ByteReader in(std::span<const std::byte>(buffer_).subspan(at_, head));
  if (std::memcmp(buffer_.data() + at_, kStreamMagic.data(), kStreamMagic.size()) != 0) {
    return error("expected a stream of runs in binary form");
  }
  in.number<std::uint64_t>();
  const auto version = in.number<std::uint32_t>();
  const auto record = in.number<std::uint32_t>();
  if (version != kProtocol || record != trace::kRecordSize) {
    return error(fmt::format("the stream has version {} with events of {} bytes; expected version {} and {} bytes",
                             version, record, kProtocol, trace::kRecordSize));
  }
  at_ += head;
  while (true) {
    auto next = frame();
    if (!next.ok()) return next.errors();
    if (!next.value() || next.value()->kind != FrameKind::Option) {
      pending_ = next.value();
      return true;
    }
    trace::ByteReader option(next.value()->payload);
    const std::string name = option.text();
    options_[name] = option.text();
    if (!option.ok) return error("an option is truncated");
  }
}

Result<bool> RunStreamReader::begin(std::span<const std::byte> payload) {
  trace::ByteReader in(payload);
  tables_ = {};
  events_ = 0;
  run_.number = in.number<std::uint64_t>();
  const bool is_launch = trace::decode_launch(in, tables_.launch);
  run_.test = in.text();
  if (!in.ok) return error("the beginning of a run is truncated");
  if (!is_launch) return error("a launch has unknown bits set");
  if (auto flaw = trace::launch_flaw(tables_.launch)) return error(std::move(*flaw));
  return true;
}

Result<bool> RunStreamReader::next_run() {
  const auto next = frame();
  if (!next.ok()) return next.errors();
  if (!next.value()) return false;
  if (next.value()->kind != FrameKind::Run) return error("expected the beginning of a run");
  return begin(next.value()->payload);
}

Result<std::span<const std::byte>> RunStreamReader::records() {
  while (true) {
    const auto next = frame();
    if (!next.ok()) return next.errors();
    if (!next.value()) return error("the stream of runs ends inside a run");
    const std::span<const std::byte> payload = next.value()->payload;
    switch (next.value()->kind) {
      case FrameKind::Names: {
        trace::ByteReader in(payload);
        if (std::string flaw = trace::decode_tables(in, tables_); !flaw.empty()) return error(std::move(flaw));
        break;
      }
      case FrameKind::Events:
        if (payload.size() % trace::kRecordSize != 0) return error("an event is truncated");
        events_ += payload.size() / trace::kRecordSize;
        if (!payload.empty()) return payload;
        break;
      case FrameKind::End: {
        trace::ByteReader in(payload);
        if (in.number<std::uint64_t>() != events_) return error("a run has lost events");
        return std::span<const std::byte>();
      }
      case FrameKind::Option:
      case FrameKind::Run: return error("a run begins inside another run");
    }
  }
}

Result<std::size_t> StreamedRun::read(std::span<TraceEvent> events) {
  if (left_.empty()) {
    const auto records = stream_.records();
    if (!records.ok()) return records.errors();
    left_ = records.value();
  }
  const std::size_t count = std::min(events.size(), left_.size() / trace::kRecordSize);
  for (std::size_t i = 0; i < count; ++i) {
    if (auto flaw = trace::decode(left_.data() + i * trace::kRecordSize, tables(), events[i])) {
      return Diagnostic{std::make_shared<const SourceFile>(SourceFile{"<stdin>", ""}), {}, std::move(*flaw), ""};
    }
  }
  left_ = left_.subspan(count * trace::kRecordSize);
  return count;
}

}  // namespace ambit::external
