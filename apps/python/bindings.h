#pragma once

#include <ambit/ambit.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ambit_python {

void declare_errors(pybind11::module_& module);
void declare_tests(pybind11::module_& module);
void declare_models(pybind11::module_& module);
void declare_check(pybind11::module_& module);
void declare_outcomes(pybind11::module_& module);
void declare_explain(pybind11::module_& module);
void declare_detect(pybind11::module_& module);
void declare_judge(pybind11::module_& module);

/// Converts a Python argument into models: None, a name, a Model, or a list of names and Models.
std::vector<ambit::Model> models_from(const pybind11::object& given);

/// Converts a Python argument into a path. The argument is a string or an object with __fspath__.
std::string path_from(const pybind11::object& file);

/// Keyword arguments that several functions share.
struct Limits {
  double seconds;
  std::uint64_t memory_limit;
};
/// Returns the settings for checking a test under a model. Raises ValueError if the engine is unknown.
ambit::Solving solving(unsigned unroll, const std::string& engine, const Limits& limits);

/// The simulator's settings, in the words of the command line.
struct SimulatingWords {
  std::string memory;
  std::string schedule;
  std::string warps;
  std::uint64_t seed;
  std::uint64_t runs;
  std::uint64_t max_runs;
  std::uint64_t max_steps;
};
/// Converts the words into settings. Raises ValueError if a word is unknown.
ambit::Simulating simulating(const SimulatingWords& words);

/// Converts a word into a schedule for the virtual GPU. Raises ValueError if the word is unknown.
ambit::Schedule schedule_of_program(const std::string& word);

/// Returns a text without its final line break.
std::string trimmed(std::string text);
std::string first_line(const std::string& text);

}  // namespace ambit_python
