#include <ambit/ambit.h>
#include <pybind11/pybind11.h>

#include "apps/python/bindings.h"

/// The extension module of the package `ambit` (docs/guide/python.md). A part must be declared after the parts with the
/// types that it uses. Otherwise, the signatures in docstrings would show the names of C++ types.
PYBIND11_MODULE(_ambit, module) {
  module.attr("__version__") = std::string(ambit::version());
  ambit_python::declare_errors(module);
  ambit_python::declare_tests(module);
  ambit_python::declare_models(module);
  ambit_python::declare_check(module);
  ambit_python::declare_outcomes(module);
  ambit_python::declare_explain(module);
  ambit_python::declare_detect(module);
  ambit_python::declare_judge(module);
}
