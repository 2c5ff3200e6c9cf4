#include "apps/cli/backend.h"

#include <CLI/CLI.hpp>
#include <string>

#include "apps/cli/options.h"

namespace ambit::cli {

void add_backend_option(CLI::App& command, api::Backend& backend) {
  const bool is_cuda = backend == api::Backend::Cuda;
  add_choice_option(
      command, "--backend", {"sim", "cuda"},
      [&backend](const std::string& name) { backend = name == "cuda" ? api::Backend::Cuda : api::Backend::Sim; },
      "sim: the built-in simulator; cuda: a GPU")
      ->default_str(is_cuda ? "cuda" : "sim");
}

void require_options_of(const CLI::App& command, api::Backend backend) {
  const bool is_cuda = backend == api::Backend::Cuda;
  for (const CLI::Option* option : command.get_options()) {
    const std::string& group = option->get_group();
    const bool is_misplaced = is_cuda ? group == kOnSimulator : group == kOnGpu || group == kStressOnGpu;
    if (option->count() == 0 || !is_misplaced) continue;
    throw CLI::ValidationError(option->get_name(),
                               is_cuda ? "has no effect on a GPU; it applies to --backend sim"
                                       : "has no effect on the simulator; it applies to --backend cuda");
  }
}

void add_memory_option(CLI::App& command, sim::Options& options) {
  add_choice_option(
      command, "--memory", {"sc", "gpu"},
      [&options](const std::string& name) { options.memory = *sim::memory_from_string(name); },
      "sc: one memory; gpu: store buffers and caches")
      ->default_str("gpu")
      ->group(kOnSimulator);
}

}  // namespace ambit::cli
