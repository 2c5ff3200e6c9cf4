#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "trace/binary_layout.h"
#include "trace/binary_trace.h"
#include "trace/well_formed.h"

#ifdef AMBIT_HAS_ZSTD
#include <zstd.h>
#endif

namespace ambit::trace {
namespace {

Diagnostic file_error(const std::string& name, std::string message) {
  return {std::make_shared<const SourceFile>(SourceFile{name, ""}), {}, std::move(message), ""};
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Footer {
  std::uint64_t events_offset = 0;
  std::uint64_t event_bytes = 0;
  std::uint64_t events = 0;
  std::uint64_t tables_offset = 0;
  std::uint64_t table_bytes = 0;
};

}  // namespace

Result<std::unique_ptr<MappedFile>> MappedFile::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // does not block on a pipe
  struct stat status = {};
  if (file < 0 || ::fstat(file, &status) != 0) {
    const std::string message = fmt::format("cannot open the file: {}", std::strerror(errno));
    if (file >= 0) ::close(file);
    return file_error(path, message);
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(file);
    return file_error(path, "not a regular file: Ambit maps binary traces into memory");
  }
  auto mapped = std::unique_ptr<MappedFile>(new MappedFile());
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size != 0) {
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED) {
      const std::string message = fmt::format("cannot map the file: {}", std::strerror(errno));
      ::close(file);
      return file_error(path, message);
    }
    ::madvise(memory, size, MADV_SEQUENTIAL);
    mapped->bytes_ = {static_cast<const std::byte*>(memory), size};
    mapped->is_mapped_ = true;
  }
  ::close(file);
  return mapped;
}

std::unique_ptr<MappedFile> MappedFile::from_bytes(std::string bytes) {
  auto file = std::unique_ptr<MappedFile>(new MappedFile());
  file->owned_ = std::move(bytes);
  file->bytes_ = std::as_bytes(std::span(file->owned_));
  return file;
}

MappedFile::~MappedFile() {
  if (is_mapped_) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

/// Returns the records of a trace one by one, decompressed if necessary.
class RecordSource {
 public:
  RecordSource(std::span<const std::byte> bytes, bool is_compressed) : bytes_(bytes) {
#ifdef AMBIT_HAS_ZSTD
    if (is_compressed) {
      stream_ = ZSTD_createDStream();
      buffer_.resize(kRecordSize * 4096);
    }
#else
    AMBIT_ASSERT(!is_compressed);
#endif
  }
  ~RecordSource() {
#ifdef AMBIT_HAS_ZSTD
    ZSTD_freeDStream(stream_);
#endif
  }
  RecordSource(const RecordSource&) = delete;
  RecordSource& operator=(const RecordSource&) = delete;

  /// Returns the next record; null if the input has ended or cannot be decompressed.
  const std::byte* next() {
#ifdef AMBIT_HAS_ZSTD
    if (stream_ != nullptr && filled_ - at_ < kRecordSize && !fill()) return nullptr;
    if (stream_ != nullptr) {
      at_ += kRecordSize;
      return buffer_.data() + at_ - kRecordSize;
    }
#endif
    if (bytes_.size() - at_ < kRecordSize) return nullptr;
    at_ += kRecordSize;
    return bytes_.data() + at_ - kRecordSize;
  }

  /// Returns whether no bytes follow the last record.
  bool is_at_end() {
#ifdef AMBIT_HAS_ZSTD
    if (stream_ != nullptr) return at_ == filled_ && !fill() && filled_ == 0 && is_whole_ && consumed_ == bytes_.size();
#endif
    return at_ == bytes_.size();
  }

 private:
#ifdef AMBIT_HAS_ZSTD
  bool fill() {
    std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
    filled_ -= at_;
    at_ = 0;
    while (filled_ < kRecordSize) {
      if (is_whole_) return false;
      ZSTD_inBuffer in{bytes_.data(), bytes_.size(), consumed_};
      ZSTD_outBuffer out{buffer_.data(), buffer_.size(), filled_};
      const std::size_t status = ZSTD_decompressStream(stream_, &out, &in);
      const bool has_progress = in.pos != consumed_ || out.pos != filled_;
      consumed_ = in.pos;
      filled_ = out.pos;
      is_whole_ = status == 0;
      if (ZSTD_isError(status) != 0 || (!has_progress && filled_ < kRecordSize)) return false;
    }
    return true;
  }
  ZSTD_DStream* stream_ = nullptr;
  std::vector<std::byte> buffer_;
  std::size_t filled_ = 0;
  std::size_t consumed_ = 0;
  bool is_whole_ = false;  ///< whether the zstd stream is complete
#endif
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

namespace {

/// Reads the header and the footer. Returns an error message if the header and the footer contradict each other or the
/// size of the file; otherwise, an empty text.
std::string read_frame(std::span<const std::byte> bytes, LaunchGeometry& launch, std::uint32_t& flags, Footer& footer) {
  if (bytes.size() < kHeaderMagic.size() || text_of(bytes.first(kHeaderMagic.size())) != kHeaderMagic) {
    return "byte 0: not a binary trace: expected AMBTRACE at the beginning";
  }
  if (bytes.size() < kHeaderSize + kFooterSize) {
    return fmt::format("byte {}: the file ends inside its header", bytes.size());
  }
  ByteReader header(bytes.first(kHeaderSize).subspan(kHeaderMagic.size()));
  const auto version = header.number<std::uint32_t>();
  if (version != kVersion) return fmt::format("byte 8: unknown format version {}", version);
  flags = header.number<std::uint32_t>();
  if (flags > (kCompressed | kHasChecksum)) return fmt::format("byte 12: unknown flags {:#x}", flags);
  if (header.number<std::uint32_t>() != kRecordSize) return "byte 16: unknown record size";
  const bool is_launch = decode_launch(header, launch);
  if (!is_launch || header.number<std::uint32_t>() != 0) return "byte 56: reserved bits are set";
  if (const auto flaw = launch_flaw(launch)) return fmt::format("byte 20: {}", *flaw);
  const std::size_t end = bytes.size() - kFooterSize;
  if (text_of(bytes.subspan(bytes.size() - kFooterMagic.size())) != kFooterMagic) {
    return fmt::format("byte {}: the file is truncated: it has no footer", bytes.size());
  }
  ByteReader in(bytes.subspan(end));
  footer.events_offset = in.number<std::uint64_t>();
  footer.event_bytes = in.number<std::uint64_t>();
  footer.events = in.number<std::uint64_t>();
  footer.tables_offset = in.number<std::uint64_t>();
  footer.table_bytes = in.number<std::uint64_t>();
  const std::size_t checksum_bytes = (flags & kHasChecksum) != 0 ? kChecksumSize : 0;
  const bool fits = footer.events_offset == kHeaderSize && footer.event_bytes <= end - kHeaderSize &&
                    footer.tables_offset == kHeaderSize + footer.event_bytes &&
                    end - footer.tables_offset >= checksum_bytes &&
                    footer.table_bytes == end - footer.tables_offset - checksum_bytes;
  const bool has_records = (flags & kCompressed) != 0 ||
                           (footer.event_bytes % kRecordSize == 0 && footer.event_bytes / kRecordSize == footer.events);
  if (!fits || !has_records) return fmt::format("byte {}: the footer does not match the file", end);
  return {};
}

}  // namespace

BinaryTraceReader::~BinaryTraceReader() = default;

Result<std::unique_ptr<BinaryTraceReader>> BinaryTraceReader::open(std::unique_ptr<MappedFile> file, std::string name) {
  auto reader = std::unique_ptr<BinaryTraceReader>(new BinaryTraceReader());
  const std::span<const std::byte> bytes = file->bytes();
  std::uint32_t flags = 0;
  Footer footer;
  if (std::string error = read_frame(bytes, reader->tables_.launch, flags, footer); !error.empty()) {
    return file_error(name, std::move(error));
  }
  if ((flags & kCompressed) != 0 && !has_compression()) {
    return file_error(name, "the events are compressed, and this build of ambit has no zstd");
  }
  ByteReader in(bytes.subspan(footer.tables_offset, footer.table_bytes));
  std::string flaw = decode_tables(in, reader->tables_);
  if (flaw.empty() && in.at() != footer.table_bytes) flaw = "unexpected bytes after the names";
  if (!flaw.empty()) return file_error(name, fmt::format("byte {}: {}", footer.tables_offset + in.at(), flaw));
  reader->records_ = std::make_unique<RecordSource>(bytes.subspan(footer.events_offset, footer.event_bytes),
                                                    (flags & kCompressed) != 0);
  if ((flags & kHasChecksum) != 0) reader->checksum_ = std::make_unique<Checksum>();
  reader->event_count_ = footer.events;
  reader->tables_offset_ = footer.tables_offset;
  reader->name_ = std::move(name);
  reader->file_ = std::move(file);
  return reader;
}

Diagnostic BinaryTraceReader::error_at(std::uint64_t event, const std::string& message) const {
  return file_error(name_, fmt::format("event {} (byte {} of the records): {}", event, event * kRecordSize, message));
}

std::optional<Diagnostic> BinaryTraceReader::check_end() const {
  if (!records_->is_at_end()) {
    return file_error(name_, fmt::format("byte {}: the file has more events than the {} in its footer", tables_offset_,
                                         event_count_));
  }
  if (!checksum_) return std::nullopt;
  const std::span<const std::byte> bytes = file_->bytes();
  const std::size_t at = bytes.size() - kFooterSize - kChecksumSize;
  const std::uint64_t sum = checksum_->finish(
      {bytes.first(kHeaderSize), bytes.subspan(tables_offset_, at - tables_offset_), bytes.last(kFooterSize)});
  ByteReader stored(bytes.subspan(at, kChecksumSize));
  if (stored.number<std::uint64_t>() == sum) return std::nullopt;
  return file_error(name_, fmt::format("byte {}: the file is damaged: the checksum does not match", at));
}

Result<std::size_t> BinaryTraceReader::read(std::span<TraceEvent> events) {
  std::size_t count = 0;
  for (; count < events.size() && next_ < event_count_; ++count, ++next_) {
    const std::byte* record = records_->next();
    if (record == nullptr) return error_at(next_, "the compressed events are corrupt or truncated");
    if (checksum_) checksum_->record(record);
    TraceEvent& event = events[count];
    if (auto error = decode(record, tables_, event)) return error_at(next_, *error);
    if (auto error = checker_.check(event, tables_)) return error_at(next_, *error);
  }
  if (next_ == event_count_ && !has_ended_) {
    if (auto error = check_end()) return std::move(*error);
    has_ended_ = true;
  }
  return count;
}

}  // namespace ambit::trace
