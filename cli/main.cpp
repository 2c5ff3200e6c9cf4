#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "cli/check.h"
#include "cli/command.h"
#include "cli/compare.h"
#include "cli/crossval.h"
#include "cli/detect.h"
#include "cli/devices.h"
#include "cli/emit.h"
#include "cli/exit_code.h"
#include "cli/explain.h"
#include "cli/graph.h"
#include "cli/lsp.h"
#include "cli/map.h"
#include "cli/merge.h"
#include "cli/models.h"
#include "cli/outcomes.h"
#include "cli/run.h"
#include "cli/serve.h"
#include "cli/trace.h"
#include "cli/validate.h"

namespace {

using namespace ambit::cli;

int run(int argc, char** argv) {
  CLI::App app("Ambit: what a scoped GPU program can do under a memory model, and whether it races", "ambit");
  app.set_version_flag("--version", fmt::format("ambit {}", AMBIT_VERSION));
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  int exit_code = kOk;
  add_check(app, exit_code);
  add_outcomes(app, exit_code);
  add_run(app, exit_code);
  add_explain(app, exit_code);
  add_graph(app, exit_code);
  add_compare(app, exit_code);
  add_map(app, exit_code);
  add_emit(app, exit_code);
  add_devices(app, exit_code);
  add_crossval(app, exit_code);
  add_merge(app, exit_code);
  add_models(app, exit_code);
  add_detect(app, exit_code);
  add_validate(app, exit_code);
  add_trace(app, exit_code);
  add_lsp(app, exit_code);
  add_serve(app, exit_code);
  check_numbers(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kBadInput;  // --help and --version arrive here too
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = run(argc, argv);
    // What nobody could read is no answer. (A pipe that was closed ends the program by a signal.)
    if (exit_code != kInternalError && !std::cout.flush()) {
      std::cerr << "error: cannot write to the standard output\n  hint: is the disk full?\n";
      return kBadInput;
    }
    return exit_code;
  } catch (const std::exception& error) {
    std::cerr << "internal error: " << error.what()
              << "\nThis is a bug in Ambit: please report it with the command line, its input and this message.\n";
    return kInternalError;
  }
}
