#include "cli/graph.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "cli/exit_code.h"
#include "cli/files.h"
#include "cli/graphviz.h"
#include "cli/question.h"
#include "report/explain.h"
#include "report/picture.h"

namespace ambit::cli {
namespace {

struct GraphCommand {
  Question question;
  bool all = false;
  std::string output = "-";
};

/// The picture, and the explanation that goes below it on a page.
struct Drawn {
  std::optional<report::Picture> picture;
  std::string explanation;
};

Result<Drawn> draw_question(const GraphCommand& command, const AskedQuestion& asked) {
  verdict::Checker checker;
  Context context;
  set_limits(command.question, context);
  const verdict::CheckOptions options = check_options(command.question);
  const report::PictureOptions picture_options{command.all};
  if (asked.about_race) {
    const auto explanation = explain::explain_race(checker, asked.program, asked.rules, options, {}, context);
    if (!explanation.ok()) return explanation.errors();
    return Drawn{report::picture_of(explanation.value(), picture_options),
                 report::race_explanation_text(explanation.value(), {}, {true})};
  }
  const auto explanation = explain::explain_outcome(checker, asked.program, asked.rules, options, context);
  if (!explanation.ok()) return explanation.errors();
  return Drawn{report::picture_of(explanation.value(), asked.text, picture_options),
               report::outcome_explanation_text(explanation.value(), asked.text, {}, {true})};
}

std::string format_of(const std::string& path) {
  if (path == "-") return "dot";
  std::string extension = std::filesystem::path(path).extension().string();
  return extension.empty() ? extension : extension.substr(1);
}

int fail(const std::string& path, const std::string& message) {
  std::cerr << path_error(path, message).render();
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

int write_page(const std::string& path, const Drawn& drawn, const std::string& dot) {
  const std::string svg_path =
      (std::filesystem::temp_directory_path() / fmt::format("ambit-{}.svg", getpid())).string();
  if (const auto error = draw(dot, "svg", svg_path)) return fail(path, *error);
  std::ifstream in(svg_path, std::ios::binary);
  std::ostringstream svg;
  svg << in.rdbuf();
  std::error_code ignored;
  std::filesystem::remove(svg_path, ignored);
  return write_text(path, report::picture_page(*drawn.picture, svg.str(), drawn.explanation));
}

int run_graph(const GraphCommand& command) {
  const std::string format = format_of(command.output);
  if (format != "dot" && format != "svg" && format != "png" && format != "html") {
    return fail(command.output, "the name of a picture ends in .svg, .png, .dot or .html");
  }
  const Result<AskedQuestion> asked = read_question(command.question);
  if (!asked.ok()) {
    std::cerr << render(asked.errors());
    return kBadInput;
  }
  const Result<Drawn> drawn = draw_question(command, asked.value());
  if (!drawn.ok()) {
    std::cerr << render(drawn.errors());
    return kBadInput;
  }
  if (!drawn.value().picture) {
    std::cerr << "there is no execution to draw:\n" << drawn.value().explanation;
    return kUnknown;
  }
  const std::string dot = report::picture_dot(*drawn.value().picture);
  if (format == "dot") return write_text(command.output, dot);
  if (format == "html") return write_page(command.output, drawn.value(), dot);
  const auto error = draw(dot, format, command.output);
  return error ? fail(command.output, *error) : static_cast<int>(kOk);
}

}  // namespace

void add_graph(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("graph", "Draw the execution that shows an outcome, a race or their absence");
  const auto options = std::make_shared<GraphCommand>();
  add_question_options(*command, options->question);
  command->add_flag("--all", options->all,
                    "Draw initial values and every pair of reads-from, coherence and from-reads");
  command
      ->add_option("-o,--output", options->output,
                   "File to write: .svg, .png, .html or .dot. Default: dot text to the "
                   "standard output")
      ->type_name("FILE");
  command->callback([options, &exit_code] { exit_code = run_graph(*options); });
}

}  // namespace ambit::cli
