#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "api/check/explanation.h"
#include "api/check/race_timeline.h"
#include "api/files.h"
#include "api/graphviz.h"
#include "apps/cli/commands.h"
#include "apps/cli/explained.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/remarks.h"
#include "base/number_text.h"
#include "report/draw/picture.h"
#include "trace/open_trace.h"

namespace ambit::cli {
namespace {

/// Heading that --help shows above the options that apply only to traces.
constexpr const char* kTraceOptions = "Traces";

/// Reads an event range, "12-80" or "12".
std::optional<std::pair<std::uint64_t, std::uint64_t>> range_from(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto first = number_from_text(text.substr(0, dash));
  const auto last = dash == text.size() ? first : number_from_text(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return std::pair(*first, *last);
}

/// Declares the options that apply only to traces. `question` must outlive the command.
void add_trace_options(Command command, api::TraceQuestion& question) {
  add_detector_options(command, question.detectors);
  command.find_option("--detector").describe("The detectors whose races are drawn, or all");
  command
      .option(
          "--events",
          [&question](const std::string& text) {
            question.timeline.events = range_from(text);
            if (!question.timeline.events) {
              throw UsageError("--events", fmt::format("expected FIRST-LAST, counted from 0, not '{}'", text));
            }
          },
          "The range of events to draw, counted from 0")
      .value_name("FIRST-LAST");
  command.option("--threads", question.timeline.threads, "The threads to draw")
      .separated_by(',')
      .one_value_each()
      .value_name("NAME[,NAME]");
  command.flag("--clocks", question.timeline.clocks, "Draw the vector clock after each event");
  for (const char* name : {"--detector", "-O", "--events", "--threads", "--clocks"}) {
    command.find_option(name).group(kTraceOptions);
  }
}

struct GraphCommand {
  api::ExplainRequest request;
  api::TraceQuestion trace;
  bool all = false;
  std::string output = "-";
};

/// A drawing in the DOT language, and the text around the drawing on a page.
struct Drawn {
  std::string dot;
  std::string title;
  std::string below;
};

std::string format_of(const std::string& path) {
  if (path == "-") return "dot";
  std::string extension = std::filesystem::path(path).extension().string();
  return extension.empty() ? extension : extension.substr(1);
}

int write_drawing(const std::string& path, const Drawn& drawn) {
  const std::string format = format_of(path);
  std::string text = drawn.dot;
  if (format != "dot") {
    const bool is_page = format == "html";
    api::Drawing drawing = api::draw(drawn.dot, is_page ? "svg" : format);
    if (!drawing.ok()) return bad_input({api::path_error(path, drawing.error)});
    text = is_page ? report::picture_page(drawn.title, drawing.bytes, drawn.below) : std::move(drawing.bytes);
  }
  if (path == "-") {
    std::cout << text;
    return kOk;
  }
  const auto error = api::write_file(path, text);
  return error ? bad_input({*error}) : static_cast<int>(kOk);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

int draw_trace(const GraphCommand& command) {
  const auto timeline = api::race_timeline(command.request.file, command.trace, interrupt_flag());
  if (!timeline.ok()) return bad_input(timeline.errors());
  return write_drawing(command.output,
                       {report::timeline_dot(timeline.value()), first_line(timeline.value().title), ""});
}

int draw_test(const GraphCommand& command) {
  auto question = api::read_question(command.request, interrupt_flag());
  if (!question.ok()) return bad_input(question.errors());
  const auto explanation = explained(command.request, question.value(), {});
  if (!explanation.ok()) return bad_input(explanation.errors());
  print_remarks(*question.value().program);
  const std::string text = explanation.value().text({}, {.full = true});
  const auto picture = explanation.value().picture({.all = command.all});
  if (!picture) {
    std::cerr << "there is no execution to draw:\n" << text;
    return ended(kUnknown);
  }
  return ended(write_drawing(command.output, {report::picture_dot(*picture), first_line(picture->title), text}));
}

int run_graph(const GraphCommand& command) {
  const std::string format = format_of(command.output);
  if (format != "dot" && format != "svg" && format != "png" && format != "html") {
    return bad_input({api::path_error(command.output, "expected a file name that ends in .svg, .png, .dot or .html")});
  }
  return trace::is_trace_name(command.request.file) ? draw_trace(command) : draw_test(command);
}

/// Rejects options that do not apply to the input: options for tests if the input is a trace, and options for traces if
/// the input is a test.
void require_one_kind(Command command, const std::string& file) {
  const bool is_trace = trace::is_trace_name(file);
  for (const Option option : command.options()) {
    const std::string name = option.name();
    const bool is_common = name == "FILE" || name == "--help" || name == "--output";
    if (!option.is_given() || is_common) continue;
    const bool is_of_traces = option.group() == kTraceOptions;
    if (is_of_traces == is_trace) continue;
    throw UsageError(name, is_trace ? "applies only to tests, and the file is a trace"
                                    : "applies only to traces (.trace, .btrace, .std)");
  }
}

}  // namespace

Action declare_graph(Command command) {
  const auto options = std::make_shared<GraphCommand>();
  add_question_options(command, options->request);
  command.find_option("FILE")
      .describe("A test (.litmus, .test, .cu), - for a test on the standard input, or a trace (.trace, .btrace, .std)")
      .shown_as("TEST|TRACE");
  command.flag("--all", options->all, "Draw initial values and every pair of reads-from, coherence and from-reads");
  command
      .option("-o,--output", options->output,
              "File to write: .svg, .png, .html or .dot. By default, writes DOT text to the standard output")
      .value_name("FILE")
      .check(file_or_output);
  add_trace_options(command, options->trace);
  return [command, options] {
    require_one_kind(command, options->request.file);
    return run_graph(*options);
  };
}

}  // namespace ambit::cli
