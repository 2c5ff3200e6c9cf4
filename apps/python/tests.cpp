#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings.h"

namespace py = pybind11;

namespace ambit_python {
namespace {

using Texts = std::vector<std::string>;

std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

std::string test_representation(const ambit::Test& test) {
  const std::string condition = test.condition();
  return "<Test " + test.name() + ": " + joined(test.threads()) + (condition.empty() ? "" : "; " + condition) + ">";
}

ambit::ReadOptions options(unsigned max_threads, bool uninitialized, std::string launch, Texts defines) {
  return {.max_threads = max_threads,
          .uninitialized = uninitialized,
          .launch = std::move(launch),
          .defines = std::move(defines)};
}

/// Declares a Python function that reads a text or a file. Adds the keyword arguments that all such functions have.
template <typename Function, typename... Arguments>
void declare(py::module_& module, const char* name, const Function& function, const char* text,
             const Arguments&... arguments) {
  module.def(name, function, text, arguments..., py::kw_only(), py::arg("max_threads") = 1024,
             py::arg("uninitialized") = false, py::arg("launch") = "", py::arg("defines") = Texts());
}

}  // namespace

void declare_tests(py::module_& module) {
  using ambit::Test;
  py::class_<Test>(module, "Test", "A litmus test: threads placed in blocks, warps and GPUs, and a condition.")
      .def_property_readonly("name", &Test::name)
      .def_property_readonly("description", &Test::description)
      .def_property_readonly("file", &Test::file)
      .def_property_readonly("source", &Test::source, "the text of the file")
      .def_property_readonly("threads", &Test::threads)
      .def_property_readonly("observables", &Test::observables, "names of the values in an outcome: 'P1:r0', 'x'")
      .def_property_readonly("condition", &Test::condition, "'exists (P1:r0 == 1)'; '' if the test has no condition")
      .def_property_readonly("remarks", &Test::remarks,
                             "notes on parts of the text that Ambit does not interpret "
                             "literally")
      .def("__repr__", &test_representation);
  declare(
      module, "read",
      [](const py::object& file, unsigned threads, bool uninitialized, std::string launch, Texts defines) {
        return ambit::read(path_from(file), options(threads, uninitialized, std::move(launch), std::move(defines)));
      },
      "Reads a file that holds one test: CUDA litmus, CUDA source (.cu), PTX litmus, mixed-proxy .test.",
      py::arg("file"));
  declare(
      module, "read_all",
      [](const py::object& file, unsigned threads, bool uninitialized, std::string launch, Texts defines) {
        return ambit::read_all(path_from(file), options(threads, uninitialized, std::move(launch), std::move(defines)));
      },
      "Reads a file that can hold several tests.", py::arg("file"));
  declare(
      module, "parse",
      [](const std::string& text, const std::string& name, unsigned threads, bool uninitialized, std::string launch,
         Texts defines) {
        return ambit::parse(text, name, options(threads, uninitialized, std::move(launch), std::move(defines)));
      },
      "Reads the text of one test. Messages use `name` as the file name. The extension of `name` selects the language.",
      py::arg("text"), py::arg("name") = "<text>");
  declare(
      module, "parse_all",
      [](const std::string& text, const std::string& name, unsigned threads, bool uninitialized, std::string launch,
         Texts defines) {
        return ambit::parse_all(text, name, options(threads, uninitialized, std::move(launch), std::move(defines)));
      },
      "Reads a text that can hold several tests.", py::arg("text"), py::arg("name") = "<text>");
}

}  // namespace ambit_python
