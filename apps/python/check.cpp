#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings.h"
#include "apps/python/heed_signals.h"

namespace py = pybind11;

namespace ambit_python {
namespace {

using ambit::Verdict;
using Texts = std::vector<std::string>;

template <typename Enum>
auto word(Enum Verdict::*member) {
  return [member](const Verdict& verdict) { return std::string(to_string(verdict.*member)); };
}

std::string representation(const ambit::Race& race) {
  const auto side = [](const ambit::Access& access) {
    return access.thread + " " + access.operation + " (line " + std::to_string(access.line) + ")";
  };
  return "<Race on " + race.location + ": " + side(race.first) + ", " + side(race.second) + ">";
}

void declare_parts(py::module_& module) {
  using ambit::Access;
  using ambit::Incident;
  using ambit::Race;
  py::class_<Access>(module, "Access", "One side of a race.")
      .def_readonly("thread", &Access::thread)
      .def_readonly("operation", &Access::operation, "'W x'")
      .def_readonly("line", &Access::line, "1-based line in the test's text; 0 if unknown")
      .def_readonly("source", &Access::source, "text of the line, without surrounding white space")
      .def("__repr__", [](const Access& access) {
        return "<Access " + access.thread + " " + access.operation + ", line " + std::to_string(access.line) + ": " +
               access.source + ">";
      });
  py::class_<Race>(module, "Race", "Two accesses that race in an execution that the model allows.")
      .def_readonly("flag", &Race::flag, "the model's name for the race: 'data-race'")
      .def_readonly("location", &Race::location)
      .def_readonly("first", &Race::first)
      .def_readonly("second", &Race::second)
      .def_readonly("witness", &Race::witness, "an execution with the race, as text")
      .def("__repr__", &representation);
  py::class_<Incident>(module, "Incident", "A failed assertion, an access out of bounds, a divergent barrier.")
      .def_readonly("kind", &Incident::kind)
      .def_readonly("message", &Incident::message)
      .def_readonly("line", &Incident::line)
      .def_readonly("is_certain", &Incident::is_certain, "False if Ambit cannot decide whether the incident can happen")
      .def("__repr__", [](const Incident& incident) {
        return "<Incident line " + std::to_string(incident.line) + ": " + incident.kind + ": " + incident.message + ">";
      });
}

void declare_verdict(py::module_& module) {
  py::class_<Verdict>(module, "Verdict", "A model's verdict on a test.")
      .def_readonly("model", &Verdict::model)
      .def_readonly("scheduler", &Verdict::scheduler,
                    "the scheduler, if the question is about termination; otherwise ''")
      .def_property_readonly("status", word(&Verdict::status), "'Ok', 'Fail', 'NothingExpected' or 'Unknown'")
      .def_readonly("reasons", &Verdict::reasons, "expectations that are not met or undecided")
      .def_property_readonly("answer", word(&Verdict::answer),
                             "'Never', 'Sometimes', 'Always', 'NoExecution', 'Unknown' or 'NotAsked'")
      .def_readonly("condition_holds", &Verdict::condition_holds,
                    "whether the condition holds; None if unknown or if there is no condition")
      .def_property_readonly("race", word(&Verdict::race), "'NoRace', 'Race', 'Unknown' or 'NotAsked'")
      .def_readonly("races", &Verdict::races)
      .def_readonly("incidents", &Verdict::incidents)
      .def_property_readonly("ending", word(&Verdict::ending), "'Terminates', 'Stuck', 'Unknown' or 'NotAsked'")
      .def_readonly("unknown", &Verdict::unknown,
                    "why an answer is unknown, and what to do about it; '' if no answer is unknown")
      .def_readonly("witness", &Verdict::witness, "an execution in which the condition holds; '' if it never holds")
      .def_readonly("text", &Verdict::text)
      .def("__repr__", [](const Verdict& verdict) { return first_line(verdict.text); })
      .def("__str__", [](const Verdict& verdict) { return trimmed(verdict.text); });
}

/// Returns each verdict as one line or, if `in_full` is true, with all details.
std::string text_of(const ambit::CheckResult& result, bool in_full) {
  std::string text;
  for (const Verdict& verdict : result) {
    text += (text.empty() ? ""
             : in_full    ? "\n\n"
                          : "\n") +
            (in_full ? trimmed(verdict.text) : first_line(verdict.text));
  }
  return text;
}

const Verdict& verdict_of(const ambit::CheckResult& result, const std::string& model) {
  for (const Verdict& verdict : result) {
    if (verdict.model == model) return verdict;
  }
  throw py::key_error(model);
}

const Verdict& verdict_at(const ambit::CheckResult& result, std::int64_t index) {
  const auto size = static_cast<std::int64_t>(result.size());
  const std::int64_t at = index < 0 ? index + size : index;
  if (at < 0 || at >= size) throw py::index_error("there are " + std::to_string(size) + " verdicts");
  return result[static_cast<std::size_t>(at)];
}

void declare_result(py::module_& module) {
  using ambit::CheckResult;
  constexpr auto kInside = py::return_value_policy::reference_internal;
  py::class_<CheckResult>(module, "CheckResult", "Verdicts in the order of the models.")
      .def_readonly("verdicts", &CheckResult::verdicts)
      .def_property_readonly(
          "status", [](const CheckResult& result) { return std::string(to_string(result.status)); },
          "the worst status of the verdicts, from 'Fail' over 'Unknown' and 'Ok' to 'NothingExpected'")
      .def_readonly("json", &CheckResult::json, "as `ambit check --json` prints it (docs/reference/json.md)")
      .def("__len__", &CheckResult::size)
      .def("__getitem__", &verdict_at, py::arg("index"), kInside)
      .def("__getitem__", &verdict_of, py::arg("model"), kInside)
      .def(
          "__iter__", [](const CheckResult& result) { return py::make_iterator(result.begin(), result.end()); },
          py::keep_alive<0, 1>())
      .def("__repr__", [](const CheckResult& result) { return text_of(result, false); })
      .def("__str__", [](const CheckResult& result) { return text_of(result, true); });
}

}  // namespace

void declare_check(py::module_& module) {
  declare_parts(module);
  declare_verdict(module);
  declare_result(module);
  module.def(
      "check",
      [](const ambit::Test& test, const py::object& models, unsigned unroll, const std::string& engine, double seconds,
         std::uint64_t memory_limit, bool only_termination, const Texts& schedulers) {
        const std::vector<ambit::Model> requested = models_from(models);
        ambit::CheckOptions options{.solving = solving(unroll, engine, {seconds, memory_limit}),
                                    .only_termination = only_termination,
                                    .schedulers = schedulers};
        return heeding_signals([&](std::stop_token stop) {
          options.solving.limits.stop = std::move(stop);
          return ambit::check(test, requested, options);
        });
      },
      "Checks a test under models. By default, checks under the models that the test's expectations name. If "
      "the test has no expectations, checks under the default models.",
      py::arg("test"), py::arg("models") = py::none(), py::kw_only(), py::arg("unroll") = 3, py::arg("engine") = "auto",
      py::arg("seconds") = 60.0, py::arg("memory_limit") = std::uint64_t{4} << 30, py::arg("only_termination") = false,
      py::arg("schedulers") = Texts());
}

}  // namespace ambit_python
