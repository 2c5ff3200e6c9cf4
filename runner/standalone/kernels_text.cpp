#include "runner/standalone/kernels_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "runner/standalone/host_text.h"

namespace ambit::standalone {
namespace {

using parser::KernelText;

/// The variable of a cell: "data" of "data[1]", "s" of "s.a".
std::string root_of(const std::string& cell) { return cell.substr(0, cell.find_first_of(".[")); }

/// Whether the host can see the observable after the run.
bool is_visible(const Program& program, const Observable& observable) {
  if (observable.kind == Observable::Kind::Register) return false;
  const MemoryObject& object = program.objects[program.locations[observable.location].object];
  return object.space == MemorySpace::Global && !object.is_opaque;
}

/// `{1, ...}`, which repeats the last value in the litmus language, written out.
std::string without_repetition(const Program& program, const KernelText::Array& array) {
  const std::size_t open = array.declaration.find('{');
  const std::size_t dots = array.declaration.find("...");
  if (open == std::string::npos || dots == std::string::npos) return array.declaration;
  std::string values = array.declaration.substr(open + 1, dots - open - 1);
  const std::size_t comma = values.find_last_of(',');
  const std::size_t before = values.find_last_of(',', comma - 1);
  const std::string last = values.substr(before == std::string::npos ? 0 : before + 1,
                                         comma - (before == std::string::npos ? 0 : before + 1));
  const auto object = std::find_if(program.objects.begin(), program.objects.end(),
                                   [&](const MemoryObject& one) { return one.name == array.name; });
  const std::size_t length = object == program.objects.end() ? 0 : object->length;
  for (auto i = static_cast<std::size_t>(std::count(values.begin(), values.end(), ',')); i < length; ++i)
    values += last + ",";
  return fmt::format("{}{{{}}};", array.declaration.substr(0, open), values);
}

/// Statements that launch the kernels. Launches that run at the same time have streams of their own.
std::string launch_statements(const KernelText& kernels) {
  std::string text;
  for (const KernelText::Array& array : kernels.arrays) {
    text += fmt::format("  auto &{} = on_device(memory::{});\n", array.name, array.name);
  }
  for (const std::string& name : kernels.variables) text += fmt::format("  auto &{} = on_device(::{});\n", name, name);
  for (const KernelText::Array& array : kernels.arrays) text += fmt::format("  (void)&{};\n", array.name);
  for (const std::string& name : kernels.variables) text += fmt::format("  (void)&{};\n", name);
  const bool is_cooperative = kernels.code.find("this_grid") != std::string::npos;
  const std::size_t behind =
      static_cast<std::size_t>(std::count_if(kernels.launches.begin(), kernels.launches.end(),
                                             [](const KernelText::Launch& one) { return one.follows; })) +
      1;
  const bool in_streams = behind < kernels.launches.size();
  for (std::size_t i = 0; i < kernels.launches.size(); ++i) {
    const KernelText::Launch& one = kernels.launches[i];
    if (in_streams && one.follows) text += "  check(cudaDeviceSynchronize());\n";
    const std::string bytes = one.bytes.empty() ? "0" : one.bytes;
    if (is_cooperative) {
      text += fmt::format("  launch_cooperative({}, {}, {}, {}{}{});\n", one.kernel, one.grid, one.block, bytes,
                          one.arguments.empty() ? "" : ", ", fmt::join(one.arguments, ", "));
      continue;
    }
    const std::string stream = in_streams          ? fmt::format(", {}, stream({})", bytes, i)
                               : one.bytes.empty() ? ""
                                                   : ", " + one.bytes;
    text += fmt::format("  {}<<<{}, {}{}>>>({});\n", one.kernel, one.grid, one.block, stream,
                        fmt::join(one.arguments, ", "));
  }
  return text;
}

constexpr std::string_view kStreams = R"(
namespace host {
cudaStream_t stream(int number) {
  static std::map<int, cudaStream_t> streams;
  if (streams.count(number) == 0) cudaStreamCreate(&streams[number]);
  return streams[number];
}
}  // namespace host
)";

constexpr std::string_view kCooperative = R"(
namespace host {
template <class... P, class... A>
void launch_cooperative(void (*kernel)(P...), dim3 grid, dim3 block, size_t bytes, A... arguments) {
  cudaLaunchAttribute cooperative = {};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t shape = {};
  shape.gridDim = grid;
  shape.blockDim = block;
  shape.dynamicSmemBytes = bytes;
  shape.attrs = &cooperative;
  shape.numAttrs = 1;
  cudaLaunchKernelEx(&shape, kernel, static_cast<P>(arguments)...);
}
}  // namespace host
)";

}  // namespace

std::optional<std::string> kernels_text(const Program& program, const KernelText& kernels, const LogStyle& log) {
  HostPart part{.name = log.test};
  std::set<std::string> observed;
  for (std::size_t i = 0; i < program.observables.size(); ++i) {
    const Observable& one = program.observables[i];
    if (!is_visible(program, one)) {
      if (program.condition.proposition || program.condition.filter) return std::nullopt;
      continue;
    }
    const std::string& cell = program.locations[one.location].name;
    observed.insert(root_of(cell));
    part.columns.push_back({log.columns[i], cell});
  }
  for (const KernelText::Array& array : kernels.arrays) {
    part.variables.push_back({array.name, "::memory::" + array.name, observed.contains(array.name)});
  }
  for (const std::string& name : kernels.variables)
    part.variables.push_back({name, "::" + name, observed.contains(name)});
  part.launches = launch_statements(kernels);

  const bool uses_atomics = kernels.code.find("cuda::") != std::string::npos;
  const bool uses_groups = kernels.code.find("cooperative_groups") != std::string::npos;
  std::string text = title_text(program) + includes_text(uses_atomics, uses_groups);
  // Another main follows.
  if (kernels.has_host_code) text += "#ifndef __AMBIT__\n#define main main_of_the_test\n#endif\n";
  text += renaming_text(kernels.code) + "\n" + kernels.code + "\n#ifndef __AMBIT__\n";
  if (kernels.has_host_code) text += "#undef main\n";
  if (!kernels.arrays.empty()) {
    text += "namespace memory {\n";
    for (const KernelText::Array& array : kernels.arrays) text += without_repetition(program, array) + "\n";
    text += "}  // namespace memory\n";
  }
  const bool in_streams = part.launches.find("stream(") != std::string::npos;
  if (in_streams) text += kStreams;
  if (part.launches.find("launch_cooperative(") != std::string::npos) text += kCooperative;
  return text + host_text(program, part) + "#endif\n";
}

}  // namespace ambit::standalone
