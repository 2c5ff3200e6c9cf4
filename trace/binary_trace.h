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

// The binary format (.btrace) consists of a header of 64 bytes, the events as records of 40 bytes, the names, a
// checksum of 8 bytes, and a footer of 48 bytes. The records may be compressed to one zstd stream. All numbers are
// little-endian. docs/reference/traces.md describes the layout.

/// Returns whether this build can read and write compressed events.
bool has_compression();

/// The contents of a file that is mapped into memory, or other bytes in memory.
class MappedFile {
 public:
  /// Maps a file. Errors: the file cannot be opened or mapped; it is not a regular file, for example a pipe.
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
  /// trace, is truncated or is corrupt.
  static Result<std::unique_ptr<BinaryTraceReader>> open(std::unique_ptr<MappedFile> file, std::string name);
  ~BinaryTraceReader() override;
  BinaryTraceReader(const BinaryTraceReader&) = delete;
  BinaryTraceReader& operator=(const BinaryTraceReader&) = delete;

  const TraceTables& tables() const override { return tables_; }
  Result<std::size_t> read(std::span<TraceEvent> events) override;

 private:
  BinaryTraceReader() = default;
  Diagnostic error_at(std::uint64_t event, const std::string& message) const;
  /// Checks the whole file after the last event. Returns an error, or nothing.
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
