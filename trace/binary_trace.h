#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>

#include "core/trace.h"
#include "trace/trace_checker.h"

namespace ambit::trace {

// The binary format (.btrace): a header of 64 bytes, the events as records of 40 bytes (or one zstd stream of them),
// the names, a checksum of 8 bytes, a footer of 48 bytes. All numbers are little-endian. Layout:
// docs/reference/traces.md.

/// Returns whether this build can read and write compressed events.
bool has_compression();

/// The bytes of a mapped file, or bytes in memory.
class MappedFile {
 public:
  /// Maps a file. Returns an error if the file cannot be opened or mapped, or is not a regular file (a pipe).
  static Result<std::unique_ptr<MappedFile>> open(const std::string& path);
  static std::unique_ptr<MappedFile> from_bytes(std::string bytes);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  MappedFile() = default;
  std::span<const std::byte> bytes_;
  bool is_mapped_ = false;
  std::string owned_;
};

/// Decompresses a stream of records in pieces.
class RecordSource;
class Checksum;

class BinaryTraceReader : public TraceReader {
 public:
  /// Reads the header, the names and the footer. Returns an error with the byte offset if the file is not a binary
  /// trace, truncated or corrupt.
  static Result<std::unique_ptr<BinaryTraceReader>> open(std::unique_ptr<MappedFile> file, std::string name);
  ~BinaryTraceReader() override;
  BinaryTraceReader(const BinaryTraceReader&) = delete;
  BinaryTraceReader& operator=(const BinaryTraceReader&) = delete;

  const TraceTables& tables() const override { return tables_; }
  Result<std::size_t> read(std::span<TraceEvent> events) override;
  std::uint64_t event_count() const { return event_count_; }

 private:
  BinaryTraceReader() = default;
  Diagnostic error_at(std::uint64_t event, const std::string& message) const;
  /// Returns the error of the whole file. It is known after the last event.
  std::optional<Diagnostic> check_end() const;

  std::string name_;
  std::unique_ptr<MappedFile> file_;
  std::unique_ptr<RecordSource> records_;
  std::unique_ptr<Checksum> checksum_;  ///< null if the file has no checksum
  TraceTables tables_;
  TraceChecker checker_;
  std::uint64_t event_count_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t tables_offset_ = 0;
  bool has_ended_ = false;
};

class BinaryTraceWriter : public TraceWriter {
 public:
  /// `out` must outlive the writer and be open in binary mode. `compress` requires has_compression().
  BinaryTraceWriter(std::ostream& out, bool compress);
  ~BinaryTraceWriter() override;
  BinaryTraceWriter(const BinaryTraceWriter&) = delete;
  BinaryTraceWriter& operator=(const BinaryTraceWriter&) = delete;
  Result<bool> write(const TraceTables& tables, std::span<const TraceEvent> events) override;
  Result<bool> finish(const TraceTables& tables) override;

 private:
  struct Compressor;
  void write_header(const TraceTables& tables);
  void put(const std::string& bytes, bool is_last);

  std::ostream& out_;
  std::unique_ptr<Compressor> compressor_;
  std::unique_ptr<Checksum> checksum_;
  std::string header_;
  std::uint64_t events_ = 0;
  std::uint64_t event_bytes_ = 0;
};

}  // namespace ambit::trace
