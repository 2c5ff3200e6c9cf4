#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <variant>
#include <vector>

#include "apps/python/bindings.h"
#include "apps/python/heed_signals.h"

namespace py = pybind11;

namespace ambit_python {
namespace {

using ambit::DetectedAccess;
using ambit::DetectedRace;
using ambit::DetectionResult;
using ambit::Detector;
using ambit::Findings;
using Texts = std::vector<std::string>;

template <typename Result>
std::string race_word(const Result& result) {
  return std::string(to_string(result.race));
}

void declare_detection_results(py::module_& module) {
  py::class_<Detector>(module, "Detector", "A race detector that a publication describes.")
      .def_readonly("name", &Detector::name)
      .def_readonly("summary", &Detector::summary)
      .def_readonly("publication", &Detector::publication)
      .def_readonly("options", &Detector::options)
      .def("__repr__", [](const Detector& one) { return "<Detector " + one.name + ": " + one.summary + ">"; });
  py::class_<DetectedAccess>(module, "DetectedAccess", "One side of a race that a detector reports.")
      .def_readonly("thread", &DetectedAccess::thread, "'' if the detector does not record the thread")
      .def_readonly("site", &DetectedAccess::site, "'mp.litmus:8'; '' if the detector does not record the site")
      .def_readonly("is_write", &DetectedAccess::is_write)
      .def_readonly("is_atomic", &DetectedAccess::is_atomic)
      .def("__repr__", [](const DetectedAccess& access) {
        return "<DetectedAccess " + access.thread + (access.is_write ? " write " : " read ") + access.site + ">";
      });
  py::class_<DetectedRace>(module, "DetectedRace", "Two accesses that a detector reports as unordered.")
      .def_readonly("location", &DetectedRace::location)
      .def_readonly("kind", &DetectedRace::kind, "'missing fence', 'no common lock' ...")
      .def_readonly("level", &DetectedRace::level, "'warp', 'block' or 'device'")
      .def_readonly("first", &DetectedRace::first)
      .def_readonly("second", &DetectedRace::second)
      .def_readonly("runs", &DetectedRace::runs, "number of runs of the test in which the detector reported the race")
      .def_readonly("sentence", &DetectedRace::sentence)
      .def("__repr__", [](const DetectedRace& race) { return "<DetectedRace " + race.sentence + ">"; });
  py::class_<Findings>(module, "Findings", "The findings of one detector.")
      .def_readonly("detector", &Findings::detector)
      .def_property_readonly("race", &race_word<Findings>, "'NoRace', 'Race' or 'Unknown'")
      .def_readonly("races", &Findings::races)
      .def_readonly("racy_runs", &Findings::racy_runs,
                    "number of runs of the test in which the detector reported a "
                    "race")
      .def_readonly("remarks", &Findings::remarks)
      .def_readonly("not_judged", &Findings::not_judged, "why the detector has no answer; '' if it has an answer")
      .def("__repr__", [](const Findings& findings) {
        return "<Findings " + findings.detector + ": " + race_word(findings) + ">";
      });
  py::class_<DetectionResult>(module, "DetectionResult",
                              "The findings of detectors in a trace, or in the runs of a test.")
      .def_readonly("source", &DetectionResult::source)
      .def_property_readonly("race", &race_word<DetectionResult>,
                             "verdict of all detectors together: 'NoRace', 'Race' or 'Unknown'")
      .def_readonly("findings", &DetectionResult::findings)
      .def_readonly("events", &DetectionResult::events, "of a trace")
      .def_readonly("runs", &DetectionResult::runs, "of a test")
      .def_readonly("runs_are", &DetectionResult::runs_are,
                    "which runs were tried: 'all schedules that differ, sc memory'")
      .def_readonly("incomplete", &DetectionResult::incomplete, "why the runs cannot exclude a race")
      .def_readonly("json", &DetectionResult::json, "as `ambit detect --json` prints it (docs/reference/json.md)")
      .def("__repr__", [](const DetectionResult& result) { return trimmed(result.text); });
}

/// Names of detectors: a text with commas between the names, or a list.
using Names = std::variant<std::string, Texts>;
std::string joined(const Names& names) {
  if (const auto* text = std::get_if<std::string>(&names)) return *text;
  std::string text;
  for (const std::string& name : std::get<Texts>(names)) text += (text.empty() ? "" : ",") + name;
  return text;
}

}  // namespace

void declare_detect(py::module_& module) {
  declare_detection_results(module);
  module.def("detectors", &ambit::detectors, "All detectors.");
  const ambit::Simulating defaults;
  module.def(
      "detect",
      [](const ambit::Test& test, const Names& detectors, const Texts& options, const std::string& memory,
         const std::string& schedule, const std::string& warps, std::uint64_t seed, std::uint64_t runs,
         std::uint64_t max_runs, std::uint64_t max_steps) {
        ambit::DetectOptions how{.detectors = joined(detectors),
                                 .options = options,
                                 .simulating = simulating({memory, schedule, warps, seed, runs, max_runs, max_steps})};
        return heeding_signals([&](std::stop_token stop) {
          how.stop = std::move(stop);
          return ambit::detect(test, how);
        });
      },
      "Runs a test on the simulator (by default all schedules) and replays every run to detectors.", py::arg("test"),
      py::arg("detectors") = "all", py::kw_only(), py::arg("options") = Texts(), py::arg("memory") = "sc",
      py::arg("schedule") = "exhaustive", py::arg("warps") = "independent", py::arg("seed") = defaults.seed,
      py::arg("runs") = defaults.runs, py::arg("max_runs") = defaults.max_runs,
      py::arg("max_steps") = defaults.max_steps);
  module.def(
      "detect_trace",
      [](const py::object& file, const Names& detectors, const Texts& options) {
        const std::string path = path_from(file);
        return heeding_signals([&](std::stop_token stop) {
          return ambit::detect_trace(path,
                                     {.detectors = joined(detectors), .options = options, .stop = std::move(stop)});
        });
      },
      "Replays a trace (.trace, .btrace, .std) to detectors.", py::arg("file"), py::arg("detectors") = "all",
      py::kw_only(), py::arg("options") = Texts());
}

}  // namespace ambit_python
