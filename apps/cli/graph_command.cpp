#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "api/files.h"
#include "apps/cli/commands.h"
#include "apps/cli/exit_code.h"
#include "apps/cli/graph_trace.h"
#include "apps/cli/question.h"
#include "apps/server/graphviz.h"
#include "report/draw/picture.h"
#include "trace/open_trace.h"

namespace ambit::cli {
namespace {

struct GraphCommand {
  Question question;
  api::TraceQuestion trace;
  bool all = false;
  std::string output = "-";
};

/// What is drawn: Graphviz' text, and what goes around it on a page.
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

int fail(const std::string& path, const std::string& message) {
  std::cerr << api::path_error(path, message).render();
  return kBadInput;
}

int write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
    return kOk;
  }
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  return out ? static_cast<int>(kOk) : fail(path, "cannot write the file");
}

int write_drawing(const std::string& path, const Drawn& drawn) {
  const std::string format = format_of(path);
  if (format == "dot") return write_text(path, drawn.dot);
  const bool is_page = format == "html";
  const server::Drawing drawing = server::draw(drawn.dot, is_page ? "svg" : format);
  if (!drawing.ok()) return fail(path, drawing.error);
  return write_text(path, is_page ? report::picture_page(drawn.title, drawing.bytes, drawn.below) : drawing.bytes);
}

int fail(const Diagnostics& errors) {
  std::cerr << render(errors);
  return kBadInput;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

int draw_trace(const GraphCommand& command) {
  const auto timeline = api::race_timeline(command.question.file, command.trace);
  if (!timeline.ok()) return fail(timeline.errors());
  return write_drawing(command.output,
                       {report::timeline_dot(timeline.value()), first_line(timeline.value().title), ""});
}

int draw_test(const GraphCommand& command) {
  const Result<AskedQuestion> asked = read_question(command.question);
  if (!asked.ok()) return fail(asked.errors());
  verdict::Checker checker;
  Context context;
  set_limits(command.question, context);
  const Result<Explained> explained = explain_question(asked.value(), checker, check_options(command.question),
                                                       {.full = true}, {.all = command.all}, context);
  if (!explained.ok()) return fail(explained.errors());
  if (!explained.value().picture) {
    std::cerr << "there is no execution to draw:\n" << explained.value().text;
    return kUnknown;
  }
  const report::Picture& picture = *explained.value().picture;
  return write_drawing(command.output,
                       {report::picture_dot(picture), first_line(picture.title), explained.value().text});
}

int run_graph(const GraphCommand& command) {
  const std::string format = format_of(command.output);
  if (format != "dot" && format != "svg" && format != "png" && format != "html") {
    return fail(command.output, "the name of a picture ends in .svg, .png, .dot or .html");
  }
  return trace::is_trace_name(command.question.file) ? draw_trace(command) : draw_test(command);
}

/// Options of tests are refused with a trace, and those of traces with a test.
void require_one_kind(const CLI::App& command, const std::string& file) {
  const bool is_trace = trace::is_trace_name(file);
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    const bool is_common = name == "FILE" || name == "--help" || name == "--output";
    if (option->count() == 0 || is_common) continue;
    const bool is_of_traces = option->get_group() == kTraceOptions;
    if (is_of_traces == is_trace) continue;
    throw CLI::ValidationError(name, is_trace ? "only tests have this option, and the file is a trace"
                                              : "only traces (.trace, .btrace, .std) have this option");
  }
}

}  // namespace

Action declare_graph(CLI::App& command) {
  const auto options = std::make_shared<GraphCommand>();
  add_question_options(command, options->question);
  command.get_option("FILE")
      ->description(
          "A test (.litmus, .test, .cu), - for a test on the standard input, or a trace (.trace, .btrace, .std)")
      ->option_text("TEST|TRACE");
  command.add_flag("--all", options->all, "Draw initial values and every pair of reads-from, coherence and from-reads");
  command
      .add_option("-o,--output", options->output,
                  "File to write: .svg, .png, .html or .dot. Default: dot text to the "
                  "standard output")
      ->type_name("FILE");
  add_trace_options(command, options->trace);
  return [&command, options] {
    require_one_kind(command, options->question.file);
    return run_graph(*options);
  };
}

}  // namespace ambit::cli
