#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/source.h"

namespace ambit::suite {

/// Describes how Ambit fills an array with random inputs.
struct Fill {
  enum class Kind : std::uint8_t {
    OfLaunch,     ///< the contents that the launch text gives
    Uniform,      ///< real numbers from `low` up to, but not including, `high`
    Integers,     ///< integers from `low` to `high`
    Permutation,  ///< the integers from 0 to the array's length - 1 in random order
  } kind = Kind::OfLaunch;
  double low = 0;
  double high = 0;
};

/// The largest allowed error of floating-point results: |result - expected| <= absolute + relative * |expected|. If a
/// member has no value, the default for the array's type applies.
struct Tolerance {
  std::optional<double> absolute;
  std::optional<double> relative;
};

/// Describes one array in the launch of a task.
struct TaskArray {
  enum class Direction : std::uint8_t {
    In,       ///< the kernel must leave the array unchanged
    Out,      ///< uninitialised before the launch, a result afterwards
    InOut,    ///< filled before the launch, a result afterwards
    Scratch,  ///< uninitialised before the launch, ignored afterwards
  } direction = Direction::In;
  Fill fill;
  Tolerance tolerance;
};

/// A task of `ambit judge --suite`. It describes how Ambit launches the reference and the candidates, and how Ambit
/// compares the results (docs/reference/judge-suite.md).
struct TaskFile {
  SourceFilePtr text;
  std::string launch;                           ///< the launch, written as for --launch
  std::map<std::string, std::string> launches;  ///< maps the name of a candidate's file to the candidate's own launch
  std::map<std::string, TaskArray> arrays;      ///< maps an array's name in the launch to its description
  std::uint64_t inputs = 5;                     ///< the number of random inputs
  std::uint64_t seed = 1;
  double timeout_seconds = 30;  ///< time limit for all runs and checks of one candidate

  /// Returns an error at the field with a path such as "/arrays/out".
  Diagnostic error_at(const std::string& path, std::string message, std::string hint = {}) const;
};

/// Reads a file task.json. Errors: the text is not JSON; a field is missing, unknown, repeated, or has a wrong value.
Result<TaskFile> read_task_file(const SourceFilePtr& source);

}  // namespace ambit::suite
