#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <span>
#include <string>

#include "apps/cli/command_table.h"
#include "apps/cli/commands.h"
#include "apps/cli/usage.h"

namespace {

using namespace ambit::cli;

int run(int argc, char** argv) {
  CLI::App app;
  int exit_code = kOk;
  declare_program(app, exit_code);
  const std::span<char* const> words(argv, static_cast<std::size_t>(argc));
  if (words.size() < 2) {
    std::cerr << first_steps(app);
    return kBadInput;
  }
  if (const std::string error = unknown_command(app, words[1]); !error.empty()) {
    std::cerr << error;
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string wrong = error.get_exit_code() == 0 ? std::string() : unknown_option(app);
    if (!wrong.empty()) {
      std::cerr << wrong;
      return kBadInput;
    }
    return app.exit(error) == 0 ? kOk : kBadInput;  // --help and --version arrive here too
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = run(argc, argv);
    // An answer that could not be written is no answer. (A closed pipe ends the program by a signal.)
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
