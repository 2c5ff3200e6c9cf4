#include "apps/cli/backend.h"

#include <CLI/CLI.hpp>
#include <string>

namespace ambit::cli {

void add_backend_option(CLI::App& command, api::Backend& backend) {
  const bool is_cuda = backend == api::Backend::Cuda;
  command
      .add_option_function<std::string>(
          "--backend",
          [&backend](const std::string& name) { backend = name == "cuda" ? api::Backend::Cuda : api::Backend::Sim; },
          is_cuda ? "sim: the built-in simulator; cuda: a GPU (default)"
                  : "sim: the built-in simulator (default); cuda: a GPU")
      ->check(CLI::IsMember({"sim", "cuda"}))
      ->type_name("BACKEND");
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
  command
      .add_option_function<std::string>(
          "--memory", [&options](const std::string& name) { options.memory = *sim::memory_from_string(name); },
          "sc: one memory; gpu: store buffers and caches (default gpu)")
      ->check(CLI::IsMember({"sc", "gpu"}))
      ->type_name("MEMORY")
      ->group(kOnSimulator);
}

}  // namespace ambit::cli
