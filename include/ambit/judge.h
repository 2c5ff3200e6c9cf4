// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>
#include <ambit/limits.h>
#include <ambit/model.h>
#include <ambit/simulate.h>
#include <ambit/test.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace AMBIT_NAMESPACE {

struct JudgeOptions {
  std::vector<std::string> models = {};   ///< names of models; if empty, each test has its default models
  std::string launch = {};                ///< for kernels: a launch that replaces the launch in the file
  std::vector<std::string> defines = {};  ///< for CUDA sources: "NAME" or "NAME=VALUE"
  Limits limits = {};                     ///< `seconds` is the time limit for all files together
};

/// Judges all tests and kernels of files and folders. Returns the JSON document of `ambit judge`
/// (docs/reference/judge.md). An unreadable file has the verdict "unreadable". Throws Error for an unknown model.
AMBIT_API std::string judge(const std::vector<std::string>& paths, const JudgeOptions& options = {});

struct FixOptions {
  std::optional<std::string> outcome = std::nullopt;  ///< the outcome to forbid: "P1:r0 == 1 && x == 2"
  bool race = false;                                  ///< remove races only
  std::size_t proposals = 1;                          ///< number of proposals to find
  /// For kernels: the launch and the macros that the caller used to read the test.
  std::string launch = {};
  std::vector<std::string> defines = {};
  Solving solving = {};  ///< the time limit applies to the whole search
};

/// Finds the cheapest changes that remove a race or forbid an outcome. Returns the JSON document of `ambit fix --json`
/// (docs/reference/repair.md). Throws Error if there is nothing to fix: no race and no condition.
AMBIT_API std::string fix(const Test& test, const Model& model, const FixOptions& options = {});

struct ExecOptions {
  std::string launch = {};                  ///< the launch of the kernel in a .ptx file, or of one kernel in a .cu file
  std::vector<std::string> arguments = {};  ///< arguments of the program
  std::string detectors = "barracuda,gwcp";
  Schedule schedule = Schedule::Random;  ///< one of Random, RoundRobin and Pct
  std::uint64_t seed = 1;                ///< seed of the first run's schedule
  std::uint64_t runs = 0;                ///< if 0, Ambit repeats the program until all runs took about a second
  double seconds = 0;                    ///< time limit of each run; 0 for no limit
  std::stop_token stop = {};             ///< a stop request ends the run within half a second
};

/// Runs a CUDA program, its source (.cu) or a kernel (.ptx) on a virtual GPU under race detectors. Returns the JSON
/// document of `ambit exec --json` (docs/guide/real-programs.md). The output of the program goes to the standard error.
/// Throws Error.
AMBIT_API std::string exec(const std::string& file, const ExecOptions& options = {});

}  // namespace AMBIT_NAMESPACE
