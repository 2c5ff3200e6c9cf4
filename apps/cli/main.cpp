#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "apps/cli/check_command.h"
#include "apps/cli/command.h"
#include "apps/cli/compare_command.h"
#include "apps/cli/crossval_command.h"
#include "apps/cli/detect_command.h"
#include "apps/cli/devices_command.h"
#include "apps/cli/emit_command.h"
#include "apps/cli/exit_code.h"
#include "apps/cli/explain_command.h"
#include "apps/cli/graph_command.h"
#include "apps/cli/lsp_command.h"
#include "apps/cli/map_command.h"
#include "apps/cli/merge_command.h"
#include "apps/cli/models_command.h"
#include "apps/cli/outcomes_command.h"
#include "apps/cli/run_command.h"
#include "apps/cli/serve_command.h"
#include "apps/cli/trace_command.h"
#include "apps/cli/validate_command.h"

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
