#include "cli/backend.h"

#include <CLI/CLI.hpp>
#include <string>

namespace ambit::cli {

void add_backend_option(CLI::App& command, Backend& backend) {
  const bool is_cuda = backend == Backend::Cuda;
  command
      .add_option_function<std::string>(
          "--backend", [&backend](const std::string& name) { backend = name == "cuda" ? Backend::Cuda : Backend::Sim; },
          is_cuda ? "sim: the built-in simulator; cuda: a GPU (default)"
                  : "sim: the built-in simulator (default); cuda: a GPU")
      ->check(CLI::IsMember({"sim", "cuda"}))
      ->type_name("BACKEND");
}

void add_memory_option(CLI::App& command, sim::Options& options) {
  command
      .add_option_function<std::string>(
          "--memory", [&options](const std::string& name) { options.memory = *sim::memory_from_string(name); },
          "sc: one memory; gpu: store buffers and caches (default gpu)")
      ->check(CLI::IsMember({"sc", "gpu"}))
      ->type_name("MEMORY");
}

}  // namespace ambit::cli
