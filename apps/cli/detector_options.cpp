#include "apps/cli/detector_options.h"

#include <CLI/CLI.hpp>

namespace ambit::cli {

void add_detector_options(CLI::App& command, api::DetectorSelection& selection) {
  command.add_option("--detector", selection.names, "The detectors to run, or all")
      ->capture_default_str()
      ->type_name("NAME[,NAME]");
  command.add_option("-O", selection.options, "An option of a detector, such as gwcp.overlap=either")
      ->type_name("DETECTOR.OPTION=VALUE")
      ->allow_extra_args(false);
}

}  // namespace ambit::cli
