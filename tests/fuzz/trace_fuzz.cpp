/// Feeds mutated traces (text, STD, binary, compressed) to the trace readers, and every accepted trace to every
/// detector. A crash, an exception, an error without a location or more than five seconds of CPU time for one input is
/// a failure. The fuzzer then writes the input to trace_fuzz_failure.bin.
///
///   ambit_trace_fuzz --seconds N --seed S          or, to run one input again:
///   ambit_trace_fuzz text|std|binary FILE

#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/support/files.h"
#include "tests/unit/detector/random_trace.h"
#include "trace/binary_trace.h"
#include "trace/open_trace.h"
#include "trace/std_trace.h"
#include "trace/text_trace.h"

#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace {

using namespace ambit;
using namespace ambit::fuzz;

constexpr unsigned kHangSeconds = 5;

enum class Form : std::uint8_t { Text, Std, Binary };

struct Input {
  std::string bytes;
  Form form = Form::Text;
};

// ---- initial traces ----

Trace make_trace(Random& random) {
  detector::RandomTraceOptions options{.threads_per_block = 3,
                                       .steps = 5 + below(random, 60),
                                       .barrier = static_cast<int>(below(random, 3)),
                                       .flag = static_cast<int>(below(random, 8)),
                                       .inferred = static_cast<int>(below(random, 8)),
                                       .scopes = below(random, 2) == 0,
                                       .forks = below(random, 4) == 0};
  return detector::random_trace(random(), options);
}

std::string to_text(const Trace& trace) {
  std::ostringstream out;
  trace::TextTraceWriter writer(out);
  static_cast<void>(writer.write(trace.tables, trace.events));
  static_cast<void>(writer.finish(trace.tables));
  return out.str();
}

std::string to_binary(const Trace& trace, bool compress) {
  std::ostringstream out;
  trace::BinaryTraceWriter writer(out, compress);
  static_cast<void>(writer.write(trace.tables, trace.events));
  static_cast<void>(writer.finish(trace.tables));
  return out.str();
}

/// Returns the trace in the STD format. Omits the events that this format cannot express.
std::string to_std(const Trace& trace) {
  std::string text;
  for (const TraceEvent& event : trace.events) {
    const char* op = event.is_access()                  ? (event.is_write() ? "w" : "r")
                     : event.op == TraceOp::LockAcquire ? "acq"
                     : event.op == TraceOp::LockRelease ? "rel"
                                                        : nullptr;
    if (op == nullptr) continue;
    text += fmt::format("T{}|{}({})|{}\n", event.thread, op, trace.tables.locations()[event.object].name, event.site);
  }
  return text;
}

Input make_input(Random& random) {
  const Trace trace = make_trace(random);
  switch (below(random, 4)) {
    case 0: return {to_std(trace), Form::Std};
    case 1: return {to_binary(trace, false), Form::Binary};
    case 2: return {to_binary(trace, trace::has_compression()), Form::Binary};
    default: return {to_text(trace), Form::Text};
  }
}

// ---- mutations ----

void mutate_lines(std::string& bytes, Random& random) {
  std::vector<std::string> lines;
  std::istringstream in(bytes);
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  if (lines.size() < 2) return;
  const std::size_t a = below(random, lines.size());
  const std::size_t b = below(random, lines.size());
  switch (below(random, 3)) {
    case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(a)); break;
    case 1: std::swap(lines[a], lines[b]); break;
    default: {
      std::string copy = lines[a];
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(b), std::move(copy));
      break;
    }
  }
  bytes.clear();
  for (const std::string& line : lines) bytes += line;
}

void mutate_bytes(std::string& bytes, Random& random) {
  const std::size_t at = below(random, bytes.size());
  constexpr unsigned char kEdges[] = {0, 1, 2, 3, 12, 0x7f, 0x80, 0xfe, 0xff};
  switch (below(random, 5)) {
    case 0: bytes[at] = static_cast<char>(random()); break;
    case 1: bytes[at] = static_cast<char>(kEdges[below(random, std::size(kEdges))]); break;
    case 2: bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << below(random, 8))); break;
    case 3: bytes.erase(at, 1 + below(random, 50)); break;
    default: bytes.insert(at, bytes.substr(below(random, bytes.size()), below(random, 50))); break;
  }
}

void mutate(Input& input, Random& random) {
  static const Dictionary pieces("trace.dict");
  for (std::size_t times = below(random, 6); times > 0 && !input.bytes.empty(); --times) {
    if (input.form == Form::Binary || below(random, 4) == 0) {
      mutate_bytes(input.bytes, random);
    } else if (below(random, 2) == 0) {
      mutate_lines(input.bytes, random);
    } else {
      input.bytes.insert(below(random, input.bytes.size()), pieces.any(random));
    }
  }
}

// ---- running one input ----

Result<Trace> read(const Input& input) {
  if (input.form == Form::Binary) {
    auto reader = trace::BinaryTraceReader::open(trace::MappedFile::from_bytes(input.bytes), "fuzz.btrace");
    if (!reader.ok()) return reader.errors();
    return trace::read_all(*reader.value());
  }
  auto in = std::make_unique<std::istringstream>(input.bytes);
  if (input.form == Form::Std) {
    trace::StdTraceReader reader(std::move(in), "fuzz.std");
    return trace::read_all(reader);
  }
  trace::TextTraceReader reader(std::move(in), "fuzz.trace");
  return trace::read_all(reader);
}

/// Returns whether the message has a location, such as "fuzz.trace:3:1: error", "fuzz.btrace: error: byte 8: ..." or
/// "event 2 (byte 80 of the records)".
bool is_located(const std::string& message) {
  return message.find("byte ") != std::string::npos || message.rfind("fuzz.trace:", 0) == 0 ||
         message.rfind("fuzz.std:", 0) == 0;
}

void detect(const Trace& trace) {
  std::vector<std::unique_ptr<detector::Detector>> detectors;
  for (const auto& description : detector::detectors()) {
    if (description.looks_at == detector::LooksAt::Programs) continue;
    detectors.push_back(std::move(detector::make_detector(description.name, {}, trace.tables).value()));
  }
  MemoryTraceReader reader(trace);
  if (!detector::replay(reader, detectors).ok()) throw std::runtime_error("a trace in memory cannot be read");
  for (const auto& each : detectors) {
    for (const RaceReport& race : each->races()) {
      if (race.sentence.empty()) throw std::runtime_error("a race without a sentence");
    }
  }
}

bool run(const Input& input, std::uint64_t& accepted) {
  return survives(input.bytes, kHangSeconds, [&] {
    const auto trace = read(input);
    if (trace.ok()) {
      ++accepted;
      detect(trace.value());
      return true;
    }
    const std::string message = render(trace.errors());
    if (!is_located(message)) fmt::print(stderr, "FAILED: an error without a place: {}\n", message);
    return is_located(message);
  });
}

int run_file(const std::string& form, const std::string& path) {
  const Input input{test::contents(path), form == "binary" ? Form::Binary : form == "std" ? Form::Std : Form::Text};
  std::uint64_t accepted = 0;
  const bool good = run(input, accepted);
  fmt::print("{}, {}\n", good ? "no failure" : "failure", accepted == 0 ? "rejected" : "accepted");
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  catch_signals("trace_fuzz_failure.bin");
  const Options options = read_options(
      "ambit_trace_fuzz [--seconds N] [--seed N]\nambit_trace_fuzz text|binary|std FILE: that file alone", argc, argv);
  if (options.paths.size() == 2) return run_file(options.paths[0], options.paths[1]);
  Random random(options.seed);
  std::uint64_t count = 0;
  std::uint64_t accepted = 0;
  const bool good = repeat(options.seconds, [&] {
    ++count;
    Input input = make_input(random);
    mutate(input, random);
    return run(input, accepted);
  });
  if (!good) return 1;
  fmt::print("{} inputs, {} of them traces, seed {}: no failure\n", count, accepted, options.seed);
  return 0;
}
