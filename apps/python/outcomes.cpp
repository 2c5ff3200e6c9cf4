#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings.h"
#include "apps/python/heed_signals.h"

namespace py = pybind11;

namespace ambit_python {
namespace {

using ambit::Outcome;
using ambit::OutcomesResult;
using ambit::SimulationResult;

/// An outcome. `values` and `allowed` are indexed by name.
struct NamedOutcome {
  py::dict values;
  std::string text;
  bool holds;
  py::dict allowed;  ///< for each model: True, False, or None if unknown
  std::uint64_t runs;
};

NamedOutcome named(const Outcome& outcome, const std::vector<std::string>& observables,
                   const std::vector<std::string>& models, std::uint64_t runs) {
  NamedOutcome one{{}, outcome.text, outcome.holds, {}, runs};
  for (std::size_t i = 0; i < observables.size(); ++i) one.values[py::str(observables[i])] = outcome.values[i];
  for (std::size_t i = 0; i < models.size(); ++i) {
    const ambit::Permission permission = outcome.permissions[i];
    const bool is_known = permission != ambit::Permission::Unknown;
    one.allowed[py::str(models[i])] =
        is_known ? py::object(py::bool_(permission == ambit::Permission::Allowed)) : py::object(py::none());
  }
  return one;
}

std::vector<NamedOutcome> allowed_outcomes(const OutcomesResult& result) {
  std::vector<NamedOutcome> all;
  for (const Outcome& one : result.outcomes) all.push_back(named(one, result.observables, result.models, 0));
  return all;
}

std::vector<NamedOutcome> seen_outcomes(const SimulationResult& result) {
  std::vector<NamedOutcome> all;
  for (const ambit::CountedOutcome& one : result.outcomes) {
    all.push_back(named(one.outcome, result.observables, result.models, one.runs));
  }
  return all;
}

void declare_outcome_results(py::module_& module) {
  py::class_<NamedOutcome>(module, "Outcome", "The final values of a test's observables.")
      .def_readonly("values", &NamedOutcome::values, "values by name: {'P1:r0': 1}")
      .def_readonly("text", &NamedOutcome::text, "'P1:r0 == 1, P1:r1 == 0'")
      .def_readonly("holds", &NamedOutcome::holds, "whether the outcome satisfies the test's condition")
      .def_readonly("allowed", &NamedOutcome::allowed, "for each model: True, False, or None if unknown")
      .def_readonly("runs", &NamedOutcome::runs, "number of runs with this outcome; 0 for an exhaustive search")
      .def("__repr__", [](const NamedOutcome& outcome) { return "<Outcome " + outcome.text + ">"; });
  py::class_<OutcomesResult>(module, "OutcomesResult", "The outcomes that models allow.")
      .def_readonly("observables", &OutcomesResult::observables)
      .def_readonly("models", &OutcomesResult::models)
      .def_readonly("unknown", &OutcomesResult::unknown,
                    "for each model, why there may be more outcomes; '' if all outcomes are known")
      .def_property_readonly("outcomes", &allowed_outcomes, "the outcomes that some model allows, sorted")
      .def_readonly("json", &OutcomesResult::json, "as `ambit outcomes --json` prints it (docs/reference/json.md)")
      .def("__repr__", [](const OutcomesResult& result) { return trimmed(result.text); });
  py::class_<SimulationResult>(module, "SimulationResult", "The results of the runs of a test on the simulator.")
      .def_readonly("observables", &SimulationResult::observables)
      .def_readonly("models", &SimulationResult::models)
      .def_property_readonly("outcomes", &seen_outcomes, "the observed outcomes, sorted by values")
      .def_readonly("runs", &SimulationResult::runs, "number of runs; 0 for an exhaustive search")
      .def_readonly("deadlocks", &SimulationResult::deadlocks, "number of runs in which some thread could not proceed")
      .def_readonly("bound_hits", &SimulationResult::bound_hits, "number of runs that stopped at the limit on steps")
      .def_readonly("dropped", &SimulationResult::dropped,
                    "number of runs in which an assumption or the filter was not met")
      .def_readonly("assertion_failures", &SimulationResult::assertion_failures)
      .def_readonly("out_of_bounds", &SimulationResult::out_of_bounds)
      .def_readonly("is_exhaustive", &SimulationResult::is_exhaustive, "whether the runs show every possible outcome")
      .def_readonly("incomplete", &SimulationResult::incomplete,
                    "for an exhaustive search: why there may be more outcomes")
      .def_readonly("json", &SimulationResult::json,
                    "an element of `tests`, as `ambit run --json` prints it (docs/reference/json.md)")
      .def("__repr__", [](const SimulationResult& result) { return trimmed(result.text); });
}

}  // namespace

void declare_outcomes(py::module_& module) {
  declare_outcome_results(module);
  module.def(
      "outcomes",
      [](const ambit::Test& test, const py::object& models, unsigned unroll, const std::string& engine, double seconds,
         std::uint64_t memory_limit) {
        const std::vector<ambit::Model> requested = models_from(models);
        ambit::Solving how = solving(unroll, engine, {seconds, memory_limit});
        return heeding_signals([&](std::stop_token stop) {
          how.limits.stop = std::move(stop);
          return ambit::outcomes(test, requested, how);
        });
      },
      "Finds the outcomes that models allow for a test.", py::arg("test"), py::arg("models") = py::none(),
      py::kw_only(), py::arg("unroll") = 3, py::arg("engine") = "auto", py::arg("seconds") = 60.0,
      py::arg("memory_limit") = std::uint64_t{4} << 30);
  const ambit::Simulating defaults;
  module.def(
      "simulate",
      [](const ambit::Test& test, const py::object& models, const std::string& memory, const std::string& schedule,
         const std::string& warps, std::uint64_t seed, std::uint64_t runs, std::uint64_t max_runs,
         std::uint64_t max_steps, double seconds, std::uint64_t memory_limit) {
        const std::vector<ambit::Model> requested = models_from(models);
        ambit::SimulateOptions options{
            .simulating = simulating({memory, schedule, warps, seed, runs, max_runs, max_steps}),
            .limits = {.seconds = seconds, .memory = memory_limit}};
        return heeding_signals([&](std::stop_token stop) {
          options.limits.stop = std::move(stop);
          return ambit::simulate(test, requested, options);
        });
      },
      "Runs a test on the simulator, and marks the outcomes that models forbid. `seconds` and `memory_limit` limit "
      "each model's check.",
      py::arg("test"), py::arg("models") = py::none(), py::kw_only(), py::arg("memory") = "gpu",
      py::arg("schedule") = "random", py::arg("warps") = "independent", py::arg("seed") = defaults.seed,
      py::arg("runs") = defaults.runs, py::arg("max_runs") = defaults.max_runs,
      py::arg("max_steps") = defaults.max_steps, py::arg("seconds") = 60.0,
      py::arg("memory_limit") = std::uint64_t{4} << 30);
}

}  // namespace ambit_python
