#include "trace/open_trace.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <istream>
#include <system_error>
#include <utility>

#include "base/stoppable_input.h"
#include "trace/binary_trace.h"
#include "trace/std_trace.h"
#include "trace/text_trace.h"

namespace ambit::trace {
namespace {

/// A stream that owns its buffer.
class InputStream : public std::istream {
 public:
  InputStream(Descriptor input, const std::atomic<bool>* stopped)
      : std::istream(nullptr), buffer_(std::move(input), stopped) {
    rdbuf(&buffer_);
  }

 private:
  StoppableInput buffer_;
};

Diagnostic opening_error(const std::string& path, std::string message) {
  return {std::make_shared<const SourceFile>(SourceFile{path, ""}), {}, std::move(message), ""};
}

}  // namespace

bool is_trace_name(const std::string& path) {
  return path.ends_with(".trace") || path.ends_with(".btrace") || path.ends_with(".std");
}

Result<std::unique_ptr<TraceReader>> open_trace(const std::string& path, const std::atomic<bool>* stopped) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return opening_error(path, "this is a directory, not a trace");
  if (path.ends_with(".btrace")) {
    auto file = MappedFile::open(path);
    if (!file.ok()) return file.errors();
    auto reader = BinaryTraceReader::open(std::move(file).value(), path);
    if (!reader.ok()) return reader.errors();
    return std::unique_ptr<TraceReader>(std::move(reader).value());
  }
  Descriptor input = path == "-" ? standard_input() : open_input(path);
  if (!input.is_open() && path != "-") {
    return opening_error(path, std::string("cannot open the file: ") + std::strerror(errno));
  }
  auto in = std::make_unique<InputStream>(std::move(input), stopped);
  const std::string name = path == "-" ? "<stdin>" : path;
  if (path.ends_with(".std")) {
    return std::unique_ptr<TraceReader>(std::make_unique<StdTraceReader>(std::move(in), name));
  }
  return std::unique_ptr<TraceReader>(std::make_unique<TextTraceReader>(std::move(in), name));
}

Result<Trace> read_all(TraceReader& reader) {
  Trace trace;
  std::array<TraceEvent, 1024> buffer;
  while (true) {
    const auto count = reader.read(buffer);
    if (!count.ok()) return count.errors();
    if (count.value() == 0) break;
    trace.events.insert(trace.events.end(), buffer.begin(),
                        buffer.begin() + static_cast<std::ptrdiff_t>(count.value()));
  }
  trace.tables = reader.tables();
  return trace;
}

}  // namespace ambit::trace
