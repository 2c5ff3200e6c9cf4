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
  CommandLine line = declare_program();
  const std::span<char* const> words(argv, static_cast<std::size_t>(argc));
  if (words.size() < 2) {
    std::cerr << first_steps(line.program());
    return kBadInput;
  }
  if (const std::string error = unknown_command(line.program(), words[1]); !error.empty()) {
    std::cerr << error;
    return kBadInput;
  }
  if (const std::string error = misread_option(line.program(), words); !error.empty()) {
    std::cerr << error;
    return kBadInput;
  }
  try {
    return line.run(argc, argv);
  } catch (const UsageError& error) {
    const std::string wrong = wrong_use(line.program());
    std::cerr << (wrong.empty() ? std::string(error.what()) + "\nRun with --help for more information.\n" : wrong);
    return kBadInput;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = run(argc, argv);
    // If the program cannot write its answer, this is an error. (If the output is a closed pipe, a signal ends it.)
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
