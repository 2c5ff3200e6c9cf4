#include <unistd.h>

#include <memory>
#include <string>

#include "apps/cli/commands.h"
#include "detector/external/plugin_host.h"

namespace ambit::cli {

Action declare_plugin(Command command) {
  const auto library = std::make_shared<std::string>();
  command
      .argument("FILE.so", *library, "The library, which exports ambit_detector_plugin() (docs/detectors/protocol.md)")
      .required();
  return [library] {
    const auto served = external::serve_plugin(*library, STDIN_FILENO, STDOUT_FILENO);
    return served.ok() ? static_cast<int>(kOk) : bad_input(served.errors());
  };
}

}  // namespace ambit::cli
