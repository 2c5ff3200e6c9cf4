#include <pybind11/pybind11.h>

#include <initializer_list>
#include <utility>

#include "apps/python/bindings.h"

namespace py = pybind11;

namespace ambit_python {
namespace {

/// Returns the value that a word names. Raises ValueError if the word is unknown.
template <typename Value>
Value value_of(const char* argument, const std::string& word,
               std::initializer_list<std::pair<const char*, Value>> words) {
  std::string known;
  for (const auto& [name, value] : words) {
    if (word == name) return value;
    known += (known.empty() ? "'" : ", '") + std::string(name) + "'";
  }
  throw py::value_error(std::string(argument) + " is one of " + known + ", not '" + word + "'");
}

}  // namespace

ambit::Solving solving(unsigned unroll, const std::string& engine, const Limits& limits) {
  using ambit::Engine;
  return {.unroll = unroll,
          .engine = value_of<Engine>("engine", engine,
                                     {{"auto", Engine::Auto}, {"smt", Engine::Smt}, {"explicit", Engine::Explicit}}),
          .limits = {.seconds = limits.seconds, .memory = limits.memory_limit}};
}

ambit::Simulating simulating(const SimulatingWords& words) {
  using ambit::Memory;
  using ambit::Schedule;
  using ambit::Warps;
  return {.memory = value_of<Memory>("memory", words.memory, {{"sc", Memory::Sc}, {"gpu", Memory::Gpu}}),
          .schedule = value_of<Schedule>("schedule", words.schedule,
                                         {{"random", Schedule::Random},
                                          {"rr", Schedule::RoundRobin},
                                          {"pct", Schedule::Pct},
                                          {"exhaustive", Schedule::Exhaustive}}),
          .warps = value_of<Warps>("warps", words.warps,
                                   {{"independent", Warps::Independent}, {"lockstep", Warps::Lockstep}}),
          .seed = words.seed,
          .runs = words.runs,
          .max_runs = words.max_runs,
          .max_steps = words.max_steps};
}

ambit::Schedule schedule_of_program(const std::string& word) {
  using ambit::Schedule;
  return value_of<Schedule>("schedule", word,
                            {{"random", Schedule::Random}, {"rr", Schedule::RoundRobin}, {"pct", Schedule::Pct}});
}

std::string path_from(const py::object& file) {
  return py::module_::import("os").attr("fspath")(file).cast<std::string>();
}

std::string trimmed(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace ambit_python
