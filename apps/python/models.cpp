#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings.h"

namespace py = pybind11;

namespace ambit_python {
namespace {

ambit::Model model_from(const py::handle& given) {
  if (py::isinstance<ambit::Model>(given)) return given.cast<ambit::Model>();
  if (py::isinstance<py::str>(given)) return ambit::Model(given.cast<std::string>());
  throw py::type_error("a model is a name or a Model, not " + py::repr(given).cast<std::string>());
}

}  // namespace

std::vector<ambit::Model> models_from(const py::object& given) {
  if (given.is_none()) return {};
  if (py::isinstance<ambit::Model>(given) || py::isinstance<py::str>(given)) return {model_from(given)};
  std::vector<ambit::Model> models;
  for (const py::handle one : given) models.push_back(model_from(one));
  return models;
}

void declare_models(py::module_& module) {
  using ambit::Model;
  using ambit::ModelOption;
  py::class_<ModelOption>(module, "ModelOption", "An option of a model or a detector.")
      .def_readonly("name", &ModelOption::name)
      .def_readonly("values", &ModelOption::values, "all values of the option; the first value is the default")
      .def_readonly("meaning", &ModelOption::meaning)
      .def("__repr__", [](const ModelOption& option) {
        std::string values;
        for (const std::string& value : option.values) values += (values.empty() ? "" : "|") + value;
        return "<ModelOption " + option.name + "=" + values + ": " + option.meaning + ">";
      });
  py::class_<Model>(module, "Model", "A memory model.")
      .def(py::init<const std::string&>(), py::arg("reference"),
           "A shipped model ('ptx'), which may have options ('hrf-relaxed(rlx=acquire)'), or the path of a .cat file.")
      .def_static("parse", &Model::parse, "Creates a model from its text.", py::arg("text"),
                  py::arg("name") = "<model>")
      .def_property_readonly("name", &Model::name, "the model's name, with the options that differ from their defaults")
      .def_property_readonly("title", &Model::title, "a description of the model in one line")
      .def_property_readonly("options", &Model::options)
      .def_property_readonly("speaks_of_races", &Model::speaks_of_races, "whether the model defines races")
      .def("__repr__", [](const Model& model) { return "<Model " + model.name() + ": " + model.title() + ">"; });
  module.def("models", &ambit::models, "The shipped models.");
}

}  // namespace ambit_python
