#include "runner/standalone/kernels_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "core/asynchronous.h"
#include "runner/standalone/host_text.h"

namespace ambit::standalone {
namespace {

using parser::KernelText;

/// Returns the variable that contains a cell: "data" for "data[1]", "s" for "s.a".
std::string root_of(const std::string& cell) { return cell.substr(0, cell.find_first_of(".[")); }

/// Returns whether the host can read the observable after the run.
bool is_visible(const Program& program, const Observable& observable) {
  if (observable.kind == Observable::Kind::Register) return false;
  const MemoryObject& object = program.objects[program.locations[observable.location].object];
  return object.space == MemorySpace::Global && !object.is_opaque;
}

/// Returns whether nvcc accepts the code only for sm_90a: wgmma, changes of tensor maps, copies to several blocks.
bool needs_sm_90a(const Program& program, const std::string& code) {
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      const auto* step = std::get_if<AsyncStep>(&instruction.operation);
      if (step != nullptr && (step->group == AsyncGroup::Matrix || step->completions.size() > 1)) return true;
    }
  }
  return code.find("tensormap_replace") != std::string::npos || code.find("tensormap.replace") != std::string::npos;
}

/// Expands `{1, ...}`, which repeats the last value in the litmus language.
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

/// Returns whether an argument is an array of 64-bit numbers whose type in the kernel may differ. `uint64_t` is
/// `unsigned long`, but Ambit declares the array as `unsigned long long`.
bool needs_conversion(const KernelText& kernels, const std::string& argument) {
  if (kernels.code.find("64_t") == std::string::npos && kernels.code.find("size_t") == std::string::npos) return false;
  const std::string name = argument.substr(0, argument.find(' '));
  const auto array = std::ranges::find(kernels.arrays, name, &KernelText::Array::name);
  return array != kernels.arrays.end() && array->declaration.find("long long") != std::string::npos;
}

/// Returns the arguments of a launch.
std::string arguments_text(const KernelText& kernels, const KernelText::Launch& launch) {
  std::vector<std::string> written;
  for (const std::string& argument : launch.arguments) {
    written.push_back(needs_conversion(kernels, argument) ? fmt::format("pointer({})", argument) : argument);
  }
  return fmt::format("{}", fmt::join(written, ", "));
}

constexpr std::string_view kPointer = R"(
namespace host {
// The address of 64-bit numbers. It converts to a pointer to each 64-bit type.
struct Pointer {
  void *at;
  template <class T>
  operator T *() const {
    static_assert(sizeof(T) == 8, "numbers of 64 bits");
    return static_cast<T *>(at);
  }
};
template <class T>
Pointer pointer(T &array) {
  return {(void *)&array};
}
}  // namespace host
)";

/// Returns statements that launch the kernels. Each concurrent launch has its own stream.
std::string launch_statements(const KernelText& kernels) {
  std::string text;
  for (const KernelText::Array& array : kernels.arrays) {
    text += fmt::format("  auto &{} = on_device(memory::{});\n", array.name, array.name);
  }
  for (const std::string& name : kernels.variables) text += fmt::format("  auto &{} = on_device(::{});\n", name, name);
  for (const KernelText::Array& array : kernels.arrays) text += fmt::format("  (void)&{};\n", array.name);
  for (const std::string& name : kernels.variables) text += fmt::format("  (void)&{};\n", name);
  for (const KernelText::TensorMap& map : kernels.tensor_maps) {
    const std::string made =
        fmt::format("tensor_map({}, {{{}}}, {{{}}})", map.array, fmt::join(map.sizes, ", "), fmt::join(map.box, ", "));
    if (!map.is_variable) {
      text += fmt::format("  const CUtensorMap {} = {};\n", map.name, made);
      continue;
    }
    text += fmt::format("  {{\n    const CUtensorMap map = {};\n", made);
    text +=
        fmt::format("    check(cudaMemcpy((void *)&{}, &map, sizeof map, cudaMemcpyHostToDevice));\n  }}\n", map.name);
  }
  const bool is_cooperative = kernels.code.find("this_grid") != std::string::npos;
  const std::size_t after =
      static_cast<std::size_t>(std::count_if(kernels.launches.begin(), kernels.launches.end(),
                                             [](const KernelText::Launch& one) { return one.follows; })) +
      1;
  const bool in_streams = after < kernels.launches.size();
  for (std::size_t i = 0; i < kernels.launches.size(); ++i) {
    const KernelText::Launch& one = kernels.launches[i];
    if (in_streams && one.follows) text += "  check(cudaDeviceSynchronize());\n";
    const std::string bytes = one.bytes.empty() ? "0" : one.bytes;
    if (is_cooperative) {
      text += fmt::format("  launch_cooperative({}, {}, {}, {}{}{});\n", one.kernel, one.grid, one.block, bytes,
                          one.arguments.empty() ? "" : ", ", arguments_text(kernels, one));
      continue;
    }
    const std::string stream = in_streams          ? fmt::format(", {}, stream({})", bytes, i)
                               : one.bytes.empty() ? ""
                                                   : ", " + one.bytes;
    text +=
        fmt::format("  {}<<<{}, {}{}>>>({});\n", one.kernel, one.grid, one.block, stream, arguments_text(kernels, one));
  }
  return text;
}

/// Code that makes a tensor map from the description in a comment: a plain tile without swizzling.
constexpr std::string_view kTensorMaps = R"(
namespace host {
template <class T>
CUtensorMapDataType tensor_type() {
  if (std::is_floating_point<T>::value) return sizeof(T) == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  if (sizeof(T) == 1) return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  if (sizeof(T) == 2) return CU_TENSOR_MAP_DATA_TYPE_UINT16;
  if (sizeof(T) == 4) return std::is_signed<T>::value ? CU_TENSOR_MAP_DATA_TYPE_INT32 : CU_TENSOR_MAP_DATA_TYPE_UINT32;
  return std::is_signed<T>::value ? CU_TENSOR_MAP_DATA_TYPE_INT64 : CU_TENSOR_MAP_DATA_TYPE_UINT64;
}

template <class T>
CUtensorMap tensor_map(T &array, std::vector<cuuint64_t> sizes, std::vector<cuuint32_t> box) {
  using Element = typename std::remove_all_extents<T>::type;
  static_assert(std::is_arithmetic<Element>::value, "a tensor of numbers");
  decltype(&cuTensorMapEncodeTiled) encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found);
  std::vector<cuuint64_t> strides;
  for (cuuint64_t size : sizes) strides.push_back((strides.empty() ? sizeof(Element) : strides.back()) * size);
  const std::vector<cuuint32_t> steps(sizes.size(), 1);
  CUtensorMap map;
  if (encode == nullptr ||
      encode(&map, tensor_type<Element>(), (cuuint32_t)sizes.size(), (void *)&array, sizes.data(), strides.data(),
             box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    std::fprintf(stderr, "error: cuTensorMapEncodeTiled failed\n");
    std::_Exit(2);
  }
  return map;
}
}  // namespace host
)";

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
  std::string text =
      title_text(program, needs_sm_90a(program, kernels.code)) + includes_text(uses_atomics, uses_groups);
  if (!kernels.tensor_maps.empty()) text += "#include <type_traits>\n#include <cuda.h>\n";
  // main is generated below.
  if (kernels.has_host_code) text += "#ifndef __AMBIT__\n#define main main_of_the_test\n#endif\n";
  text += renaming_text(kernels.code) + "\n" + kernels.code + "\n#ifndef __AMBIT__\n";
  if (kernels.has_host_code) text += "#undef main\n";
  if (!kernels.arrays.empty()) {
    text += "namespace memory {\n";
    const std::string_view alignment =
        is_asynchronous(program) ? "alignas(16) " : "";  // alignment that bulk copies require
    for (const KernelText::Array& array : kernels.arrays) {
      text += fmt::format("{}{}\n", alignment, without_repetition(program, array));
    }
    text += "}  // namespace memory\n";
  }
  const bool in_streams = part.launches.find("stream(") != std::string::npos;
  if (part.launches.find(" pointer(") != std::string::npos || part.launches.find("(pointer(") != std::string::npos) {
    text += kPointer;
  }
  if (in_streams) text += kStreams;
  if (!kernels.tensor_maps.empty()) text += kTensorMaps;
  if (part.launches.find("launch_cooperative(") != std::string::npos) text += kCooperative;
  return text + host_text(program, part) + "#endif\n";
}

}  // namespace ambit::standalone
