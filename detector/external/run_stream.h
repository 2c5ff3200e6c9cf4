#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "core/trace.h"
#include "trace/binary_layout.h"

namespace ambit::external {

/// The version of the protocol (docs/detectors/protocol.md).
inline constexpr std::uint32_t kProtocol = 1;

/// The name of a run: its test and its number.
struct RunName {
  std::string test;
  std::uint64_t number = 0;
};

enum class StreamForm : std::uint8_t { Text, Binary };

/// The parts of a binary stream.
enum class FrameKind : std::uint32_t { Option = 1, Run, Names, Events, End };
inline constexpr std::string_view kStreamMagic = "AMBITDET";
inline constexpr std::size_t kFrameAlignment = 8;  ///< in bytes; every frame begins at a multiple of this number

/// Writes runs one after the other as a stream (docs/detectors/protocol.md, "The stream"). The caller takes the written
/// bytes from `bytes()`.
class RunStreamWriter {
 public:
  explicit RunStreamWriter(StreamForm form);
  ~RunStreamWriter();
  RunStreamWriter(const RunStreamWriter&) = delete;
  RunStreamWriter& operator=(const RunStreamWriter&) = delete;

  /// Begins the stream. Must be called before the first run.
  void begin_stream(const std::map<std::string, std::string>& options);
  void begin_run(const RunName& run, const TraceTables& tables);
  /// Writes events. `tables` must be the tables that begin_run() received, and must contain every name that occurs in
  /// the events. Returns an error if a name is too long for the text form.
  Result<bool> events(const TraceTables& tables, std::span<const TraceEvent> events);
  Result<bool> end_run(const TraceTables& tables);

  std::string& bytes() { return out_.bytes; }

 private:
  class TextRun;
  void names(const TraceTables& tables);
  template <typename Fill>
  void frame(FrameKind kind, const Fill& fill);

  StreamForm form_;
  trace::ByteWriter out_;
  trace::KnownNames known_;
  std::uint64_t events_ = 0;
  std::unique_ptr<TextRun> text_;
};

}  // namespace ambit::external
