#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings.h"
#include "apps/python/heed_signals.h"

namespace py = pybind11;

namespace ambit_python {
namespace {

using Texts = std::vector<std::string>;

/// Returns a JSON document as a dict.
py::object dict_of(const std::string& document) { return py::module_::import("json").attr("loads")(document); }

/// Converts a Python argument into a list of texts. A text or an object with __fspath__ becomes a list with one text.
Texts texts_from(const py::object& given) {
  if (py::isinstance<py::list>(given)) return given.cast<Texts>();
  return {path_from(given)};
}

py::object judge(const py::object& paths, const py::object& models, const std::string& launch, const Texts& defines,
                 double seconds, std::uint64_t memory_limit) {
  ambit::JudgeOptions options{.models = texts_from(models), .launch = launch, .defines = defines};
  options.limits.seconds = seconds;
  options.limits.memory = memory_limit;
  const Texts files = texts_from(paths);
  return dict_of(heeding_signals([&](std::stop_token stop) {
    options.limits.stop = std::move(stop);
    return ambit::judge(files, options);
  }));
}

py::object exec(const py::object& file, const Texts& arguments, const std::string& launch, const std::string& detectors,
                const std::string& schedule, std::uint64_t seed, std::uint64_t runs, double seconds) {
  ambit::ExecOptions options{.launch = launch,
                             .arguments = arguments,
                             .detectors = detectors,
                             .schedule = schedule_of_program(schedule),
                             .seed = seed,
                             .runs = runs,
                             .seconds = seconds};
  const std::string path = path_from(file);
  return dict_of(heeding_signals([&](std::stop_token stop) {
    options.stop = std::move(stop);
    return ambit::exec(path, options);
  }));
}

}  // namespace

void declare_judge(py::module_& module) {
  module.def("judge", &judge,
             "Judges all tests and kernels in files and folders. Returns the document of `ambit judge` "
             "(docs/reference/judge.md). `seconds` is the time limit for all files together.",
             py::arg("paths"), py::arg("models") = Texts(), py::kw_only(), py::arg("launch") = "",
             py::arg("defines") = Texts(), py::arg("seconds") = 60.0, py::arg("memory_limit") = std::uint64_t{4} << 30);
  module.def(
      "fix",
      [](const ambit::Test& test, const py::object& model, std::optional<std::string> outcome, bool race,
         std::size_t proposals, const std::string& launch, const Texts& defines, unsigned unroll,
         const std::string& engine, double seconds, std::uint64_t memory_limit) {
        const std::vector<ambit::Model> requested = models_from(model);
        if (requested.size() != 1) throw py::value_error("fix works with one model at a time");
        ambit::FixOptions options{.outcome = std::move(outcome),
                                  .race = race,
                                  .proposals = proposals,
                                  .launch = launch,
                                  .defines = defines,
                                  .solving = solving(unroll, engine, {seconds, memory_limit})};
        return dict_of(heeding_signals([&](std::stop_token stop) {
          options.solving.limits.stop = std::move(stop);
          return ambit::fix(test, requested.front(), options);
        }));
      },
      "Finds the cheapest changes that remove a race or forbid an outcome. Returns the document of `ambit fix --json` "
      "(docs/reference/repair.md). `launch` and `defines`: the values that were used to read the test.",
      py::arg("test"), py::arg("model"), py::kw_only(), py::arg("outcome") = py::none(), py::arg("race") = false,
      py::arg("proposals") = std::size_t{1}, py::arg("launch") = "", py::arg("defines") = Texts(),
      py::arg("unroll") = 3, py::arg("engine") = "auto", py::arg("seconds") = 60.0,
      py::arg("memory_limit") = std::uint64_t{4} << 30);
  module.def("exec", &exec,
             "Runs a CUDA program, its source (.cu) or, with `launch`, one kernel (.ptx, .cu) on a virtual GPU under "
             "race detectors. Returns the document of `ambit exec --json` (docs/guide/real-programs.md).",
             py::arg("file"), py::arg("arguments") = Texts(), py::kw_only(), py::arg("launch") = "",
             py::arg("detectors") = "barracuda,gwcp", py::arg("schedule") = "random", py::arg("seed") = 1,
             py::arg("runs") = 0, py::arg("seconds") = 0.0);
}

}  // namespace ambit_python
