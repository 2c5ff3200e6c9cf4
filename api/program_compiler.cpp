#include "api/program_compiler.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <optional>

#include "api/files.h"
#include "base/child_process.h"
#include "runner/cuda/emit/kernel_files.h"
#include "runner/cudart/fat_binary.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
constexpr int kLeastClang = 16;
constexpr int kLatestClang = 22;
/// The oldest architecture that supports cp.async and mbarrier. A later architecture cannot be the default: CUDA's
/// headers for sm_90 and later use bulk copies, which the virtual GPU does not support.
constexpr const char* kArchitecture = "sm_80";

std::string architecture_of(const ProgramSource& source) {
  return source.architecture.empty() ? kArchitecture : source.architecture;
}

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

ChildResult run_compiler(const std::vector<std::string>& command, const std::atomic<bool>& interrupted) {
  const ChildLimits limits{.time = std::chrono::minutes(10),
                           .memory = std::numeric_limits<std::uint64_t>::max(),
                           .output = std::size_t{16} << 20U,
                           .can_write_files = true};
  return run_child(command, "", limits, {.cancelled = &interrupted}, Errors::Kept);
}

/// Runs a compiler on a source. Returns an error if the compiler fails.
std::optional<Diagnostic> compile(const std::vector<std::string>& command, const std::string& file,
                                  const std::string& compiler, const std::atomic<bool>& interrupted) {
  const ChildResult ran = run_compiler(command, interrupted);
  std::cerr << ran.out << std::flush;
  if (ran.end != ChildResult::End::Exited) {
    return error_without_place(fmt::format("{}: {} did not end", file, compiler), "compile it without Ambit");
  }
  if (ran.status == 0) return std::nullopt;
  return error_without_place(fmt::format("{}: {} refuses it", file, compiler),
                             "see its messages above; --arch sm_90 compiles for a later GPU");
}

/// Returns the major version of the clang at a path; 0 if it does not run.
int clang_version(const std::string& clang, const std::atomic<bool>& interrupted) {
  const ChildResult ran = run_compiler({clang, "-dumpversion"}, interrupted);
  int version = 0;
  std::from_chars(ran.out.data(), ran.out.data() + ran.out.size(), version);
  return version;
}

std::optional<std::string> find_clang(const std::atomic<bool>& interrupted) {
  for (int version = kLatestClang; version >= kLeastClang; --version) {
    if (auto found = find_in_path(fmt::format("clang++-{}", version))) return found;
  }
  const auto plain = find_in_path("clang++");
  return plain && clang_version(*plain, interrupted) >= kLeastClang ? plain : std::nullopt;
}

/// Writes Ambit's CUDA headers under the file names that CUDA programs include.
std::optional<Diagnostic> write_headers(const fs::path& folder) {
  std::error_code error;
  fs::create_directory(folder, error);
  auto wrong = write_file((folder / "cuda_runtime.h").string(), std::string(cuda::kernel_text("clang_runtime.cuh")));
  if (!wrong) {
    wrong = write_file((folder / "cooperative_groups.h").string(),
                       std::string(cuda::kernel_text("clang_cooperative_groups.cuh")));
  }
  for (const char* name : {"cuda.h", "cuda_runtime_api.h", "device_launch_parameters.h"}) {
    if (!wrong) wrong = write_file((folder / name).string(), "#include \"cuda_runtime.h\"\n");
  }
  return wrong;
}

/// Compiles device code to PTX, puts the PTX into a fat binary, and compiles the host code with this binary. nvcc
/// performs the same steps, but also assembles the PTX.
Result<std::string> compile_with_clang(const std::string& clang, const ProgramSource& source, const std::string& folder,
                                       const std::string& runtime, const std::atomic<bool>& interrupted) {
  const fs::path headers = fs::path(folder) / "headers";
  const std::string program = (fs::path(folder) / fs::path(source.file).stem()).string();
  const std::string ptx = program + ".ptx";
  const std::string binary = program + ".fatbin";
  if (auto wrong = write_headers(headers)) return *wrong;
  std::vector<std::string> common{clang,
                                  "-x",
                                  "cuda",
                                  "--cuda-gpu-arch=" + architecture_of(source),
                                  "-nocudainc",
                                  "-nocudalib",
                                  "-Wno-unknown-cuda-version",
                                  "-Xclang",
                                  "-target-sdk-version=11.8",
                                  "-std=c++17",
                                  "-O2",
                                  "-I",
                                  headers,
                                  "-include",
                                  "cuda_runtime.h"};
  common.insert(common.end(), source.options.begin(), source.options.end());
  std::vector<std::string> device = common;
  device.insert(device.end(), {"--cuda-device-only", "-S", "-gline-tables-only", source.file, "-o", ptx});
  if (auto wrong = compile(device, source.file, "clang", interrupted)) return *wrong;
  const auto text = read_results(ptx);
  if (!text.ok()) return text.errors();
  if (auto wrong = write_file(binary, cudart::fat_binary_of(text.value()->text))) return *wrong;
  std::vector<std::string> host = common;
  host.insert(host.end(), {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", binary, source.file});
  host.insert(host.end(), {"-x", "none", runtime + "/libcudart.so.13", "-o", program});
  if (auto wrong = compile(host, source.file, "clang", interrupted)) return *wrong;
  return program;
}

}  // namespace

const std::vector<std::string>& nvcc_options() {
  static const std::vector<std::string> options{"-cudart", "shared", "-lineinfo"};
  return options;
}

Result<std::string> find_nvcc() {
  if (const auto given = environment("AMBIT_NVCC")) return *given;
  if (const auto found = find_in_path("nvcc")) return *found;
  const std::string usual = "/usr/local/cuda/bin/nvcc";
  if (fs::exists(usual)) return usual;
  return error_without_place(
      "a CUDA source needs a compiler: nvcc is not in the PATH, nor clang++ of version 16 or later",
      "install the CUDA toolkit or clang, set AMBIT_NVCC or AMBIT_CLANG, or name a program");
}

Result<std::string> compile_program(const ProgramSource& source, const std::string& folder, const std::string& runtime,
                                    const std::atomic<bool>& interrupted) {
  auto given = environment("AMBIT_CLANG");
  if (given && given->find('/') == std::string::npos) given = find_in_path(*given).value_or(*given);
  if (given && clang_version(*given, interrupted) < kLeastClang) {
    return error_without_place(fmt::format("AMBIT_CLANG: {} is not clang of version {} or later", *given, kLeastClang),
                               "name a clang++");
  }
  const auto nvcc = find_nvcc();
  const auto clang = given ? given : nvcc.ok() ? std::nullopt : find_clang(interrupted);
  if (clang) return compile_with_clang(*clang, source, folder, runtime, interrupted);
  if (!nvcc.ok()) return nvcc.errors();
  const std::string program = (fs::path(folder) / fs::path(source.file).stem()).string();
  std::vector<std::string> command{nvcc.value()};
  command.insert(command.end(), nvcc_options().begin(), nvcc_options().end());
  command.insert(command.end(), source.options.begin(), source.options.end());
  command.insert(command.end(), {"-arch=" + architecture_of(source), source.file, "-o", program});
  if (auto wrong = compile(command, source.file, "nvcc", interrupted)) return *wrong;
  return program;
}

}  // namespace ambit::api
