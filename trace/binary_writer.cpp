
#include "trace/binary_layout.h"
#include "trace/binary_trace.h"

#ifdef AMBIT_HAS_ZSTD
#include <zstd.h>
#endif

namespace ambit::trace {

bool has_compression() {
#ifdef AMBIT_HAS_ZSTD
  return true;
#else
  return false;
#endif
}

#ifdef AMBIT_HAS_ZSTD
struct BinaryTraceWriter::Compressor {
  Compressor() : stream(ZSTD_createCStream()), buffer(ZSTD_CStreamOutSize(), '\0') {}
  ~Compressor() { ZSTD_freeCStream(stream); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  /// Compresses `bytes` and passes the finished output to `sink`.
  template <typename Sink>
  void run(const std::string& bytes, bool is_last, const Sink& sink) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
      left = ZSTD_compressStream2(stream, &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
      AMBIT_ASSERT(ZSTD_isError(left) == 0);
      sink(buffer.data(), out.pos);
    } while (is_last ? left != 0 : in.pos < in.size);
  }

  ZSTD_CStream* stream;
  std::string buffer;
};
#else
struct BinaryTraceWriter::Compressor {};
#endif

BinaryTraceWriter::BinaryTraceWriter(std::ostream& out, bool compress)
    : out_(out), checksum_(std::make_unique<Checksum>()) {
  AMBIT_ASSERT(!compress || has_compression());
  if (compress) compressor_ = std::make_unique<Compressor>();
}

BinaryTraceWriter::~BinaryTraceWriter() = default;

void BinaryTraceWriter::write_header(const TraceTables& tables) {
  ByteWriter header;
  header.bytes = kHeaderMagic;
  header.number(kVersion);
  header.number(kHasChecksum | (compressor_ ? kCompressed : 0U));
  header.number(static_cast<std::uint32_t>(kRecordSize));
  encode_launch(tables.launch, header);
  header.bytes.resize(kHeaderSize, '\0');
  header_ = std::move(header.bytes);
  out_ << header_;
}

void BinaryTraceWriter::put(const std::string& bytes, bool is_last) {
#ifdef AMBIT_HAS_ZSTD
  if (compressor_) {
    compressor_->run(bytes, is_last, [this](const char* data, std::size_t size) {
      out_.write(data, static_cast<std::streamsize>(size));
      event_bytes_ += size;
    });
    return;
  }
#endif
  static_cast<void>(is_last);
  out_ << bytes;
  event_bytes_ += bytes.size();
}

Result<bool> BinaryTraceWriter::write(const TraceTables& tables, std::span<const TraceEvent> events) {
  if (header_.empty()) write_header(tables);
  std::string bytes(events.size() * kRecordSize, '\0');
  for (std::size_t i = 0; i < events.size(); ++i) {
    auto* const record = reinterpret_cast<std::byte*>(bytes.data()) + i * kRecordSize;
    encode(events[i], record);
    checksum_->record(record);
  }
  if (!bytes.empty()) put(bytes, false);
  events_ += events.size();
  return true;
}

Result<bool> BinaryTraceWriter::finish(const TraceTables& tables) {
  if (auto written = write(tables, {}); !written.ok()) return written;
  if (compressor_) put({}, true);
  ByteWriter names;
  encode_tables(tables, names);
  ByteWriter footer;
  footer.number(static_cast<std::uint64_t>(kHeaderSize));
  footer.number(event_bytes_);
  footer.number(events_);
  footer.number(kHeaderSize + event_bytes_);
  footer.number(static_cast<std::uint64_t>(names.bytes.size()));
  footer.bytes += kFooterMagic;
  const auto bytes_of = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  ByteWriter checksum;
  checksum.number(checksum_->finish({bytes_of(header_), bytes_of(names.bytes), bytes_of(footer.bytes)}));
  out_ << names.bytes << checksum.bytes << footer.bytes;
  out_.flush();
  if (!out_) {
    return Diagnostic{std::make_shared<const SourceFile>(SourceFile{"<output>", ""}), {}, "cannot write the trace", ""};
  }
  return true;
}

}  // namespace ambit::trace
