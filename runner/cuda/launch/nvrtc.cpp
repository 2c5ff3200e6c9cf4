#include "runner/cuda/launch/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>
#include <utility>

namespace ambit::cuda {
namespace {

using NvrtcProgram = void*;

std::vector<std::string> places() {
  std::vector<std::string> found;
  if (const char* chosen = std::getenv("AMBIT_NVRTC")) return {chosen};
  const std::vector<std::string> names = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  found.insert(found.end(), names.begin(), names.end());
  std::vector<std::string> homes;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* home = std::getenv(variable)) homes.emplace_back(home);
  }
  homes.emplace_back("/usr/local/cuda");
  for (const std::string& home : homes) {
    for (const char* folder : {"lib64", "lib"}) {
      for (const std::string& name : names) found.push_back(fmt::format("{}/{}/{}", home, folder, name));
    }
  }
  return found;
}

}  // namespace

struct Nvrtc::Functions {
  int (*version)(int*, int*) = nullptr;
  const char* (*error_text)(int) = nullptr;
  int (*create)(NvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*destroy)(NvrtcProgram*) = nullptr;
  int (*compile)(NvrtcProgram, int, const char* const*) = nullptr;
  int (*ptx_size)(NvrtcProgram, std::size_t*) = nullptr;
  int (*ptx)(NvrtcProgram, char*) = nullptr;
  int (*cubin_size)(NvrtcProgram, std::size_t*) = nullptr;
  int (*cubin)(NvrtcProgram, char*) = nullptr;
  int (*log_size)(NvrtcProgram, std::size_t*) = nullptr;
  int (*log)(NvrtcProgram, char*) = nullptr;

  /// Loads all functions. Returns the name of the first function that the library does not have, or an empty text.
  std::string load(void* library) {
    std::string missing;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (function == nullptr && missing.empty()) missing = name;
    };
    find(version, "nvrtcVersion");
    find(error_text, "nvrtcGetErrorString");
    find(create, "nvrtcCreateProgram");
    find(destroy, "nvrtcDestroyProgram");
    find(compile, "nvrtcCompileProgram");
    find(ptx_size, "nvrtcGetPTXSize");
    find(ptx, "nvrtcGetPTX");
    find(cubin_size, "nvrtcGetCUBINSize");
    find(cubin, "nvrtcGetCUBIN");
    find(log_size, "nvrtcGetProgramLogSize");
    find(log, "nvrtcGetProgramLog");
    return missing;
  }
};

Nvrtc::Nvrtc(void* library, std::string path, std::unique_ptr<Functions> functions)
    : library_(library), path_(std::move(path)), functions_(std::move(functions)) {}

Nvrtc::~Nvrtc() { dlclose(library_); }

Result<std::shared_ptr<const Nvrtc>> Nvrtc::open() {
  for (const std::string& path : places()) {
    // The library stays open, because leak checkers cannot attribute the allocations of a closed library.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) continue;
    auto functions = std::make_unique<Functions>();
    if (const std::string missing = functions->load(library); !missing.empty()) {
      dlclose(library);
      return Diagnostic{
          nullptr, {}, fmt::format("{} has no function {}", path, missing), "install CUDA 12 or 13"};
    }
    return std::shared_ptr<const Nvrtc>(new Nvrtc(library, path, std::move(functions)));
  }
  return Diagnostic{nullptr,
                    {},
                    "NVRTC, NVIDIA's runtime compiler, was not found",
                    "install it (cuda-nvrtc of CUDA 12 or 13) or give the path of libnvrtc.so in AMBIT_NVRTC"};
}

std::string Nvrtc::version() const {
  int major = 0;
  int minor = 0;
  functions_->version(&major, &minor);
  return fmt::format("{}.{}", major, minor);
}

Result<Nvrtc::Code> Nvrtc::compile(const std::string& source, const std::string& name, std::uint32_t arch,
                                   Target target, bool is_specific) const {
  const auto start = std::chrono::steady_clock::now();
  NvrtcProgram program = nullptr;
  const auto failed = [&](const char* what, int code) {
    return Diagnostic{nullptr, {}, fmt::format("{}: {} ({})", what, functions_->error_text(code), code), ""};
  };
  if (const int code = functions_->create(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr); code != 0) {
    return failed("nvrtcCreateProgram", code);
  }
  const std::string architecture =
      fmt::format("--gpu-architecture={}_{}{}", target == Target::Ptx ? "compute" : "sm", arch, is_specific ? "a" : "");
  std::vector<const char*> options = {architecture.c_str(), "--std=c++17", "--device-as-default-execution-space"};
  if (target == Target::MachineWithLines) options.push_back("--generate-line-info");
  const int compiled = functions_->compile(program, static_cast<int>(options.size()), options.data());
  const auto text = [&](auto size_of, auto get) {
    std::size_t size = 0;
    std::string result;
    if (size_of(program, &size) == 0 && size > 0) {
      result.resize(size);
      get(program, result.data());
    }
    return result;
  };
  Code code;
  if (compiled == 0) {
    code.ptx = text(functions_->ptx_size, functions_->ptx);
    if (target != Target::Ptx) code.cubin = text(functions_->cubin_size, functions_->cubin);
  }
  const std::string log = compiled == 0 ? std::string() : text(functions_->log_size, functions_->log);
  functions_->destroy(&program);
  if (compiled != 0) {
    Diagnostic error = failed("nvrtcCompileProgram", compiled);
    error.message += "\n" + log.substr(0, log.find('\0'));
    return error;
  }
  code.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return code;
}

}  // namespace ambit::cuda
