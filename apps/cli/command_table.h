#pragma once

namespace CLI {
class App;
}

namespace ambit::cli {

/// Declares all that `ambit` understands on `app`: its own options, the commands of docs/cli.md and theirs. Parsing
/// with `app` runs the command and stores its exit status (ExitCode) in `exit_code`. The program parses with it; the
/// manual pages and the shells' completions are written from it (apps/manual).
void declare_program(CLI::App& app, int& exit_code);

}  // namespace ambit::cli
