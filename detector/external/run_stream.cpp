#include "detector/external/run_stream.h"

#include <fmt/format.h>

#include <cstring>
#include <sstream>

#include "trace/text_trace.h"
#include "trace/text_words.h"

namespace ambit::external {

/// The trace of a run as text.
class RunStreamWriter::TextRun {
 public:
  Result<bool> write(const TraceTables& tables, std::span<const TraceEvent> events, std::string& into) {
    return moved(writer_.write(tables, events), into);
  }
  Result<bool> finish(const TraceTables& tables, std::string& into) { return moved(writer_.finish(tables), into); }

 private:
  Result<bool> moved(Result<bool> written, std::string& into) {
    into += out_.view();
    out_.str({});
    return written;
  }

  std::ostringstream out_;
  trace::TextTraceWriter writer_{out_};
};

RunStreamWriter::RunStreamWriter(StreamForm form) : form_(form) {}
RunStreamWriter::~RunStreamWriter() = default;

template <typename Fill>
void RunStreamWriter::frame(FrameKind kind, const Fill& fill) {
  const std::size_t begin = out_.bytes.size();
  out_.number(static_cast<std::uint32_t>(kind));
  out_.number(std::uint32_t{0});  // space for the frame's size, which is set below
  fill();
  const auto size = static_cast<std::uint32_t>(out_.bytes.size() - begin - kFrameAlignment);
  std::memcpy(out_.bytes.data() + begin + sizeof(std::uint32_t), &size, sizeof size);
  while ((out_.bytes.size() - begin) % kFrameAlignment != 0) out_.bytes.push_back('\0');
}

void RunStreamWriter::begin_stream(const std::map<std::string, std::string>& options) {
  if (form_ == StreamForm::Text) {
    out_.bytes += fmt::format("ambit-detect {} text\n", kProtocol);
    for (const auto& [name, value] : options) {
      out_.bytes += fmt::format("option {} {}\n", trace::escaped(name), trace::escaped(value));
    }
    return;
  }
  out_.bytes += kStreamMagic;
  out_.number(kProtocol);
  out_.number(static_cast<std::uint32_t>(trace::kRecordSize));
  for (const auto& [name, value] : options) {
    frame(FrameKind::Option, [&, &name = name, &value = value] {
      out_.text(name);
      out_.text(value);
    });
  }
}

void RunStreamWriter::begin_run(const RunName& run, const TraceTables& tables) {
  events_ = 0;
  known_ = {};
  if (form_ == StreamForm::Text) {
    out_.bytes += fmt::format("run {} {}\n", run.number, trace::escaped(run.test));
    text_ = std::make_unique<TextRun>();
    return;
  }
  frame(FrameKind::Run, [&] {
    out_.number(run.number);
    trace::encode_launch(tables.launch, out_);
    out_.text(run.test);
  });
}

void RunStreamWriter::names(const TraceTables& tables) {
  const trace::KnownNames all = trace::KnownNames::of(tables);
  if (all == known_) return;
  frame(FrameKind::Names, [&] { encode_tables(tables, out_, known_); });
  known_ = all;
}

Result<bool> RunStreamWriter::events(const TraceTables& tables, std::span<const TraceEvent> events) {
  events_ += events.size();
  if (form_ == StreamForm::Text) return text_->write(tables, events, out_.bytes);
  names(tables);
  frame(FrameKind::Events, [&] {
    const std::size_t begin = out_.bytes.size();
    out_.bytes.resize(begin + events.size() * trace::kRecordSize);
    auto* record = reinterpret_cast<std::byte*>(out_.bytes.data() + begin);
    for (const TraceEvent& event : events) {
      trace::encode(event, record);
      record += trace::kRecordSize;
    }
  });
  return true;
}

Result<bool> RunStreamWriter::end_run(const TraceTables& tables) {
  if (form_ == StreamForm::Text) return text_->finish(tables, out_.bytes);
  names(tables);
  frame(FrameKind::End, [&] { out_.number(events_); });
  return true;
}

}  // namespace ambit::external
