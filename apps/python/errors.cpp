#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>

#include "apps/python/bindings.h"

namespace py = pybind11;

namespace ambit_python {
namespace {

/// Raises the Python exception. Its attributes are `problems`, and the place, message and hint of the first problem.
void raise(const py::handle& type, const ambit::Error& error) {
  const py::object raised = type(error.what());
  const ambit::Problem& first = error.problems().front();
  raised.attr("problems") = py::cast(error.problems());
  raised.attr("file") = first.file;
  raised.attr("line") = first.line;
  raised.attr("column") = first.column;
  raised.attr("message") = first.message;
  raised.attr("hint") = first.hint;
  PyErr_SetObject(type.ptr(), raised.ptr());
}

}  // namespace

void declare_errors(py::module_& module) {
  py::class_<ambit::Problem>(module, "Problem",
                             "One error in the input: its place, the message, and a hint on how to fix it.")
      .def_readonly("file", &ambit::Problem::file,
                    "file as the caller named it; '' if the error has no place in a text")
      .def_readonly("line", &ambit::Problem::line, "1-based; 0 if unknown")
      .def_readonly("column", &ambit::Problem::column, "1-based column, in characters; 0 if unknown")
      .def_readonly("message", &ambit::Problem::message)
      .def_readonly("hint", &ambit::Problem::hint, "'' without a hint")
      .def("__repr__", [](const ambit::Problem& problem) { return "<Problem " + first_line(problem.text) + ">"; })
      .def("__str__", [](const ambit::Problem& problem) { return trimmed(problem.text); });
  // This object is never destroyed, because Python never unloads the module.
  static const py::handle type = py::exception<ambit::Error>(module, "Error", PyExc_ValueError).release();
  type.attr("__doc__") =
      "Raised for a malformed test, an unknown model, a file that cannot be read. `problems` has all errors; `file`, "
      "`line`, "
      "`column`, `message` and `hint` describe the first error.";
  py::register_exception_translator(
      [](std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param): pybind11 requires this signature
        try {
          if (thrown) std::rethrow_exception(thrown);
        } catch (const ambit::Error& error) {
          raise(type, error);
        }
      });
}

}  // namespace ambit_python
