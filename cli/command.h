#pragma once

#include <string>

namespace CLI {
class App;  // its header costs a second a file, so only files that declare options include it
}

namespace ambit::cli {

/// A new subcommand of `app`. In one place, as CLI11 is compiled anew wherever an App is made.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description);

}  // namespace ambit::cli
