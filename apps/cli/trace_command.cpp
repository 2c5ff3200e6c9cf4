#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "api/files.h"
#include "apps/cli/commands.h"
#include "trace/binary_trace.h"
#include "trace/open_trace.h"
#include "trace/text_trace.h"

namespace ambit::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBatch = 4096;

/// Reads a trace to its end and passes every batch to `take`. Returns the number of events.
template <typename Take>
Result<std::uint64_t> read_through(TraceReader& reader, const Take& take) {
  std::vector<TraceEvent> events(kBatch);
  std::uint64_t total = 0;
  while (true) {
    const auto count = reader.read(events);
    if (!count.ok()) return count.errors();
    if (count.value() == 0) return total;
    total += count.value();
    const auto taken = take(std::span<const TraceEvent>(events.data(), count.value()));
    if (!taken.ok()) return taken.errors();
  }
}

std::unique_ptr<TraceWriter> make_writer(const std::string& path, std::ostream& out, bool compress) {
  if (path.ends_with(".btrace")) return std::make_unique<trace::BinaryTraceWriter>(out, compress);
  return std::make_unique<trace::TextTraceWriter>(out);
}

int fail(const Diagnostics& errors) {
  std::cerr << render(errors);
  return kBadInput;
}

/// The output for a trace. Writes a temporary file and renames it when the trace is complete, so that an error leaves
/// an existing file unchanged. Writes the standard output, pipes and devices directly, because nothing can be renamed
/// to them.
class Output {
 public:
  /// `path`: "-" for the standard output.
  explicit Output(const std::string& path) {
    std::error_code error;
    if (path == "-") return;
    const bool exists = fs::exists(path, error);
    // An existing file without write permission must cause an error. Renaming would replace the file, so Output opens
    // it directly.
    const bool is_own = exists && fs::is_regular_file(path, error) && ::access(path.c_str(), W_OK) == 0;
    if (!exists || is_own) {
      path_ = exists ? fs::canonical(path, error) : fs::path(path);  // follows links
      part_ = path_;
      part_ += ".part";
    }
    file_.emplace(part_.empty() ? fs::path(path) : part_, std::ios::binary);
  }
  ~Output() {
    std::error_code ignored;
    if (!part_.empty()) fs::remove(part_, ignored);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  std::ostream& stream() { return file_ ? static_cast<std::ostream&>(*file_) : std::cout; }
  /// Finishes the output. Returns whether everything was written and the file has its final name.
  bool commit() {
    stream().flush();
    if (file_) file_->close();
    std::error_code error;
    if (!stream()) return false;
    if (!part_.empty()) fs::rename(part_, path_, error);
    if (!error) part_.clear();
    return !error;
  }

 private:
  fs::path path_;  ///< final name of the file; empty if the output is written directly
  fs::path part_;
  std::optional<std::ofstream> file_;
};

/// Returns an error if the conversion is not possible.
std::optional<Diagnostic> conversion_error(const std::string& from, const std::string& to, bool compress) {
  if (compress && !to.ends_with(".btrace")) return api::path_error("--zstd", "applies only to .btrace output");
  if (compress && !trace::has_compression()) return api::path_error("--zstd", "this program was built without zstd");
  if (to.ends_with(".std")) return api::path_error(to, "the STD form cannot be written: choose .trace or .btrace");
  std::error_code ignored;
  if (fs::equivalent(from == "-" ? "/dev/stdin" : from, to, ignored)) {
    return api::path_error(to, "the output is the same file as the input");
  }
  return std::nullopt;
}

int convert(const std::string& from, const std::string& to, bool compress) {
  if (const auto error = conversion_error(from, to, compress)) return fail({*error});
  const auto reader = trace::open_trace(from);
  if (!reader.ok()) return fail(reader.errors());
  Output output(to);
  if (!output.stream()) return fail({api::path_error(to, "cannot write the file")});
  const auto writer = make_writer(to, output.stream(), compress);
  const auto events = read_through(*reader.value(), [&](std::span<const TraceEvent> batch) {
    return writer->write(reader.value()->tables(), batch);
  });
  if (!events.ok()) return fail(events.errors());
  const auto finished = writer->finish(reader.value()->tables());
  if (!finished.ok() && output.stream()) return fail(finished.errors());
  if (!finished.ok() || !output.commit()) return fail({api::path_error(to, "cannot write the file")});
  return kOk;
}

int check(const std::string& path) {
  const auto reader = trace::open_trace(path);
  if (!reader.ok()) return fail(reader.errors());
  const auto events = read_through(*reader.value(), [](std::span<const TraceEvent>) { return Result<bool>(true); });
  if (!events.ok()) return fail(events.errors());
  const TraceTables& tables = reader.value()->tables();
  std::cout << fmt::format("{}: {} events, {} threads, {} locations, {} sites\n", path, events.value(),
                           tables.threads().size(), tables.locations().size(), tables.sites().size());
  return kOk;
}

struct TraceCommand {
  std::string from;
  std::string to;
  bool compress = false;
};

}  // namespace

Action declare_trace(Command command) {
  command.require_command();
  const auto options = std::make_shared<TraceCommand>();
  const Command conversion =
      command.command("convert", "Write a trace in another form; the output file's extension selects the form");
  conversion.argument("IN", options->from, "A trace (.trace, .btrace, .std, or - for text)").required();
  conversion.argument("OUT", options->to, "The file to write (.trace, .btrace, or - for text)").required();
  conversion.flag("--zstd", options->compress, "Compress the events of a .btrace");
  const Command test = command.command("check", "Check whether a trace is well formed and consistent");
  test.argument("FILE", options->from, "A trace").required();
  return [options, conversion] {
    return conversion.is_given() ? convert(options->from, options->to, options->compress) : check(options->from);
  };
}

}  // namespace ambit::cli
