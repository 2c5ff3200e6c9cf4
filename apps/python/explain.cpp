#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings.h"
#include "apps/python/heed_signals.h"

namespace py = pybind11;

namespace ambit_python {
namespace {

using ambit::Explanation;
using ambit::Picture;

void declare_explanations(py::module_& module) {
  py::class_<Picture>(module, "Picture", "A picture in the DOT language. All positions are fixed.")
      .def_property_readonly("title", &Picture::title)
      .def_property_readonly("dot", &Picture::dot, "input for `neato -n2`")
      .def(
          "svg",
          [](const Picture& picture) {
            return heeding_signals([&](const std::stop_token& stop) { return picture.svg(stop); });
          },
          "The picture as SVG. Graphviz must be installed.")
      .def(
          "png",
          [](const Picture& picture) {
            return py::bytes(heeding_signals([&](const std::stop_token& stop) { return picture.png(stop); }));
          },
          "The picture as PNG. Graphviz must be installed.")
      .def("__repr__", [](const Picture& picture) { return "<Picture " + first_line(picture.title()) + ">"; });
  py::class_<Explanation>(module, "Explanation", "Why a model allows or forbids an outcome, or why a program races.")
      .def_property_readonly(
          "possibility", [](const Explanation& of) { return std::string(to_string(of.possibility())); },
          "'Possible', 'Impossible' or 'Unknown'")
      .def_property_readonly("text", &Explanation::text, "the explanation in plain English, at most 40 lines")
      .def_property_readonly("full_text", &Explanation::full_text, "the explanation with every path, pair and step")
      .def_property_readonly("json", &Explanation::json,
                             "as `ambit explain --json` prints it (docs/reference/cli/explain.md)")
      .def("__repr__", [](const Explanation& of) { return trimmed(of.text()); });
}

}  // namespace

void declare_explain(py::module_& module) {
  declare_explanations(module);
  module.def(
      "explain",
      [](const ambit::Test& test, const py::object& model, std::optional<std::string> outcome, bool race,
         unsigned unroll, const std::string& engine, double seconds, std::uint64_t memory_limit) {
        const std::vector<ambit::Model> requested = models_from(model);
        if (requested.size() != 1) throw py::value_error("explain works with one model at a time");
        ambit::ExplainOptions options{
            .outcome = std::move(outcome), .race = race, .solving = solving(unroll, engine, {seconds, memory_limit})};
        return heeding_signals([&](std::stop_token stop) {
          options.solving.limits.stop = std::move(stop);
          return ambit::explain(test, requested.front(), options);
        });
      },
      "Explains a model's answer about an outcome ('P1:r0 == 1 && x == 2'), about the race, or about the test's own "
      "question.",
      py::arg("test"), py::arg("model"), py::kw_only(), py::arg("outcome") = py::none(), py::arg("race") = false,
      py::arg("unroll") = 3, py::arg("engine") = "auto", py::arg("seconds") = 60.0,
      py::arg("memory_limit") = std::uint64_t{4} << 30);
  module.def(
      "draw", &ambit::draw,
      "Draws the execution of an explanation. `all` adds initial values and every pair of rf, co and fr. Returns "
      "None if there is no execution to draw.",
      py::arg("explanation"), py::kw_only(), py::arg("all") = false);
  module.def(
      "draw_trace",
      [](const py::object& file, const std::string& detectors,
         const std::optional<std::pair<std::uint64_t, std::uint64_t>>& events, const std::vector<std::string>& threads,
         bool clocks) {
        const std::string path = path_from(file);
        return heeding_signals([&](std::stop_token stop) {
          return ambit::draw_trace(path, {.detectors = detectors,
                                          .events = events,
                                          .threads = threads,
                                          .clocks = clocks,
                                          .stop = std::move(stop)});
        });
      },
      "Draws a trace (.trace, .btrace, .std) as a timeline, with the races that detectors report.", py::arg("file"),
      py::kw_only(), py::arg("detectors") = "gwcp", py::arg("events") = py::none(),
      py::arg("threads") = std::vector<std::string>(), py::arg("clocks") = false);
}

}  // namespace ambit_python
