#include "cli/trace.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/exit_code.h"
#include "cli/files.h"
#include "trace/binary_trace.h"
#include "trace/open_trace.h"
#include "trace/text_trace.h"

namespace ambit::cli {
namespace {

constexpr std::size_t kBatch = 4096;

/// Reads a trace to its end, handing every batch to `take`; how many events there were.
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

int convert(const std::string& from, const std::string& to, bool compress) {
  if (compress && !trace::has_compression()) {
    return fail({path_error("--zstd", "this program was built without zstd")});
  }
  std::error_code ignored;
  if (std::filesystem::equivalent(from, to, ignored)) return fail({path_error(to, "this is the trace to be read")});
  const auto reader = trace::open_trace(from);
  if (!reader.ok()) return fail(reader.errors());
  std::optional<std::ofstream> file;
  if (to != "-") {
    file.emplace(to, std::ios::binary);
    if (!*file) return fail({path_error(to, "cannot write the file")});
  }
  std::ostream& out = file ? static_cast<std::ostream&>(*file) : std::cout;
  const auto writer = make_writer(to, out, compress);
  const auto events = read_through(*reader.value(), [&](std::span<const TraceEvent> batch) {
    return writer->write(reader.value()->tables(), batch);
  });
  if (!events.ok()) {
    if (file && std::filesystem::is_regular_file(to, ignored)) std::filesystem::remove(to, ignored);
    return fail(events.errors());
  }
  const auto finished = writer->finish(reader.value()->tables());
  if (!finished.ok()) return fail(finished.errors());
  out.flush();
  if (!out) return fail({path_error(to, "cannot write the file")});
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

void add_trace(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(app, "trace", "Check traces, and convert them between text and binary");
  command->require_subcommand(1);
  const auto options = std::make_shared<TraceCommand>();
  CLI::App* convert_command = add_command(*command, "convert", "Write a trace in another form, by the file's ending");
  convert_command->add_option("IN", options->from, "A trace (.trace, .btrace, .std, or - for text)")
      ->required()
      ->option_text("IN");
  convert_command->add_option("OUT", options->to, "The file to write (.trace, .btrace, or - for text)")
      ->required()
      ->option_text("OUT");
  convert_command->add_flag("--zstd", options->compress, "Compress the events of a .btrace");
  convert_command->callback(
      [options, &exit_code] { exit_code = convert(options->from, options->to, options->compress); });
  CLI::App* check_command = add_command(*command, "check", "Say whether a trace is well formed and consistent");
  check_command->add_option("FILE", options->from, "A trace")->required()->option_text("FILE");
  check_command->callback([options, &exit_code] { exit_code = check(options->from); });
}

}  // namespace ambit::cli
