#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "model/verdict/verdict.h"

namespace ambit::cli {

/// What `check` and `outcomes` have in common: models, engine, limits.
struct CheckingOptions {
  std::vector<std::string> models;  ///< as written, one a model: "ptx", "hrf-relaxed(incl=nest)", "my.cat"
  verdict::Engine engine = verdict::Engine::Auto;
  unsigned unroll = 3;
  bool uninitialized = false;
  unsigned max_threads = 64;
  double timeout_seconds = 60;  ///< for one (test, model)
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::string dump_directory;
};

/// Declares the common options on a subcommand; `options` must outlive it.
void add_checking_options(CLI::App& command, CheckingOptions& options);

/// "a,b(x=1,y=2),c" taken apart at the commas outside parentheses; empty parts are dropped.
std::vector<std::string> split_models(const std::string& text);

}  // namespace ambit::cli
