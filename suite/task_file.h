#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/source.h"

namespace ambit::suite {

/// How random inputs fill an array.
struct Fill {
  enum class Kind : std::uint8_t {
    OfLaunch,     ///< the contents that the launch gives
    Uniform,      ///< real numbers from `low` up to, but not including, `high`
    Integers,     ///< integers from `low` to `high`
    Permutation,  ///< the integers from 0 to the array's length - 1 in random order
  } kind = Kind::OfLaunch;
  double low = 0;
  double high = 0;
};

/// Limits on the difference of floating-point results: |result - expected| <= absolute + relative * |expected|. A
/// member without a value has the default of the array's type.
struct Tolerance {
  std::optional<double> absolute;
  std::optional<double> relative;
};

/// An array of the launch of a task.
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

/// A task of `ambit judge --suite`: how to launch the reference and the candidates, and how to compare their results
/// (docs/reference/judge-suite.md).
struct TaskFile {
  SourceFilePtr text;
  std::string launch;                           ///< in the form of --launch
  std::map<std::string, std::string> launches;  ///< maps the name of a candidate's file to the candidate's own launch
  std::map<std::string, TaskArray> arrays;      ///< by the array's name in the launch
  std::uint64_t inputs = 5;                     ///< number of random inputs
  std::uint64_t seed = 1;
  double timeout_seconds = 30;  ///< for all runs and checks of one candidate

  /// Returns an error at a field: "/arrays/out".
  Diagnostic error_at(const std::string& path, std::string message, std::string hint = {}) const;
};

/// Reads a file task.json. Errors: the text is not JSON; a field is missing, unknown, repeated, or has a wrong value.
Result<TaskFile> read_task_file(const SourceFilePtr& source);

}  // namespace ambit::suite
