#include "trace/open_trace.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "trace/binary_trace.h"
#include "trace/std_trace.h"
#include "trace/text_trace.h"

namespace ambit::trace {

bool is_trace_name(const std::string& path) {
  return path.ends_with(".trace") || path.ends_with(".btrace") || path.ends_with(".std");
}

Result<std::unique_ptr<TraceReader>> open_trace(const std::string& path) {
  if (path.ends_with(".btrace")) {
    auto file = MappedFile::open(path);
    if (!file.ok()) return file.errors();
    auto reader = BinaryTraceReader::open(std::move(file).value(), path);
    if (!reader.ok()) return reader.errors();
    return std::unique_ptr<TraceReader>(std::move(reader).value());
  }
  std::unique_ptr<std::istream> in;
  if (path == "-") {
    in = std::make_unique<std::istream>(std::cin.rdbuf());
  } else {
    in = std::make_unique<std::ifstream>(path, std::ios::binary);
    if (!*in) {
      return Diagnostic{std::make_shared<const SourceFile>(SourceFile{path, ""}),
                        {},
                        std::string("cannot open the file: ") + std::strerror(errno),
                        ""};
    }
  }
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
