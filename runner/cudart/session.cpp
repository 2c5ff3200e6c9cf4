#include "runner/cudart/session.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/demangled.h"
#include "base/hash.h"
#include "ptx/module.h"
#include "runner/cudart/crash_guard.h"
#include "runner/cudart/fat_binary.h"
#include "runner/cudart/launch_signals.h"

namespace ambit::cudart {
namespace {

// Each thread has its own error for cudaGetLastError.
thread_local Error last_error = cudaSuccess;

shadow::WatchOptions options_from_environment() {
  const char* text = std::getenv(shadow::kOptionsVariable);
  if (text == nullptr) return {};
  auto options = shadow::WatchOptions::from_text(text);
  if (options.ok()) return std::move(options.value());
  std::fputs(render(options.errors()).c_str(), stderr);
  return {};
}

/// Returns the file of the program or library that contains an address.
std::string file_of(const void* address) {
  Dl_info info;
  char path[PATH_MAX];
  if (dladdr(address, &info) != 0 && info.dli_fname != nullptr && realpath(info.dli_fname, path) != nullptr)
    return path;
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string("program");
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Session& Session::get() {
  static Session* const session = new Session();  // NOLINT: lives as long as the process
  return *session;
}

Session::Session() : options_(options_from_environment()), device_(options_.device_memory) {
  watch_ = std::make_unique<shadow::Watch>(options_, device_);
  device_.options().schedule = options_.schedule;
  device_.options().memory = options_.memory;
  device_.options().step_budget = options_.step_budget;
  device_.options().threads = options_.threads;
  device_.options().others_can_store = [this] { return watch_->order().has_streams() || memory().has_host_memory(); };
  if (options_.timeout_milliseconds != 0) {
    context_.set_timeout(std::chrono::milliseconds(options_.timeout_milliseconds));
  }
  context_.set_cancellation(&LaunchSignals::has_come());
  std::atexit([] { Session::get().watch_->flush(true); });
}

// ---- registration ----

Binary* Session::add_binary(const FatBinaryWrapper* wrapper) {
  binaries_.push_back(std::make_unique<Binary>());
  binaries_.back()->wrapper = wrapper;
  return binaries_.back().get();
}

Kernel* Session::find_kernel(const void* function) {
  const auto found = kernels_.find(function);
  if (found != kernels_.end()) return &found->second;
  // The address may be a handle: the address of one of these Kernel objects.
  for (auto& [host_function, kernel] : kernels_) {
    if (&kernel == function) return &kernel;
  }
  return nullptr;
}

Result<std::shared_ptr<const ptx::Module>> Session::module_of(const Binary& binary) const {
  const std::string file = file_of(binary.wrapper);
  const std::string name = base_name(file);
  const std::uint64_t size = fat_binary_size(binary.wrapper->data);
  if (binary.wrapper->magic != kWrapperMagic || size == 0) {
    return Diagnostic{nullptr, {}, name + ": damaged fat binary", "compile it again"};
  }
  auto entries = read_fat_binaries({static_cast<const std::byte*>(binary.wrapper->data), size}, name);
  if (!entries.ok()) return entries.errors();
  auto ptx = ptx_of(std::move(entries.value()), name);
  if (!ptx.ok()) {
    // A program that nvcc linked from several files (-rdc=true) registers only machine code. The PTX of the object
    // files is in a section of the program's file.
    const auto section = elf_section(file, "__nv_relfatbin");
    if (!section.ok() || section.value().empty()) return ptx.errors();
    auto relocatable = read_fat_binaries(section.value(), name);
    if (!relocatable.ok()) return relocatable.errors();
    ptx = ptx_of(std::move(relocatable.value()), name);
    if (!ptx.ok()) return ptx.errors();
  }
  std::vector<ptx::Module> modules;
  for (FatEntry& entry : ptx.value()) {
    auto module = ptx::read_module(std::move(entry.text), entry.name.empty() ? name + ".ptx" : entry.name + ".ptx");
    if (!module.ok()) return module.errors();
    modules.push_back(std::move(module.value()));
  }
  if (modules.size() == 1) return std::make_shared<const ptx::Module>(std::move(modules.front()));
  auto linked = ptx::link(modules);
  if (!linked.ok()) return linked.errors();
  return std::make_shared<const ptx::Module>(std::move(linked.value()));
}

Error Session::load(Binary& binary) {
  if (binary.module) return cudaSuccess;
  if (binary.failure != cudaSuccess) return binary.failure;
  auto module = module_of(binary);
  if (!module.ok()) {
    binary.failure = cudaErrorNoKernelImageForDevice;
    watch_->error(render(module.errors()));
    return binary.failure;
  }
  const auto loaded = device_.load(module.value());
  if (!loaded.ok()) {
    binary.failure = cudaErrorSymbolNotFound;
    watch_->error(render(loaded.errors()));
    return binary.failure;
  }
  binary.module = loaded.value();
  return cudaSuccess;
}

Error Session::loaded_kernel(const void* function, Kernel*& kernel, const virtual_gpu::KernelInfo*& info) {
  kernel = find_kernel(function);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (const Error error = load(*kernel->binary); error != cudaSuccess) return error;
  info = device_.find_kernel(*kernel->binary->module, kernel->name);
  if (info != nullptr) return cudaSuccess;
  watch_->error(fmt::format("{}: the PTX of the program has no such kernel", demangled(kernel->name)));
  return cudaErrorInvalidDeviceFunction;
}

Error Session::find_symbol(const void* variable, virtual_gpu::Symbol& symbol) {
  const auto found = variables_.find(variable);
  if (found == variables_.end()) return cudaErrorInvalidSymbol;
  if (const Error error = load(*found->second.binary); error != cudaSuccess) return error;
  const auto* known = device_.find_symbol(*found->second.binary->module, found->second.name);
  if (known == nullptr) return cudaErrorInvalidSymbol;
  symbol = *known;
  return cudaSuccess;
}

void Session::place_managed_variables() {
  for (auto& [address, variable] : variables_) {
    if (variable.managed == nullptr || *variable.managed != nullptr) continue;
    virtual_gpu::Symbol symbol;
    if (find_symbol(address, symbol) != cudaSuccess) continue;
    *variable.managed = memory().host_pointer(symbol.address, symbol.bytes);
  }
}

// ---- launches ----

Error Session::check_shape(const LaunchRequest& request, const Kernel& kernel, const virtual_gpu::KernelInfo& info) {
  const auto& [grid, block] = std::pair(request.grid, request.block);
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0) return cudaErrorInvalidConfiguration;
  if (threads > 1024 || block.x > 1024 || block.y > 1024 || block.z > 64) return cudaErrorInvalidConfiguration;
  if (grid.x > 0x7fffffffU || grid.y > 65535 || grid.z > 65535) return cudaErrorInvalidConfiguration;
  if (threads > info.maximum_threads) return cudaErrorInvalidConfiguration;
  const std::uint64_t shared = info.static_shared_bytes + request.dynamic_shared_bytes;
  if (shared > static_cast<std::uint64_t>(std::max(kernel.maximum_dynamic_shared_bytes, 48 << 10))) {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

Error Session::launch(const LaunchRequest& request) {
  if (sticky_ != cudaSuccess) return note(sticky_);
  Kernel* kernel = nullptr;
  const virtual_gpu::KernelInfo* info = nullptr;
  if (const Error error = loaded_kernel(request.function, kernel, info); error != cudaSuccess) return note(error);
  if (const Error error = check_shape(request, *kernel, *info); error != cudaSuccess) return note(error);
  virtual_gpu::Launch launch;
  launch.module = *kernel->binary->module;
  launch.kernel = kernel->name;
  launch.grid = {request.grid.x, request.grid.y, request.grid.z};
  launch.block = {request.block.x, request.block.y, request.block.z};
  launch.cluster = {request.cluster.x, request.cluster.y, request.cluster.z};
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(request.dynamic_shared_bytes);
  launch.is_cooperative = request.is_cooperative;
  launch.stream = reinterpret_cast<std::uint64_t>(request.stream);
  launch.parameters.resize(info->parameter_bytes);
  for (std::size_t i = 0; i < info->parameters.size(); ++i) {
    const virtual_gpu::KernelParameter& parameter = info->parameters[i];
    std::memcpy(launch.parameters.data() + parameter.offset, request.arguments[i], parameter.bytes);
  }
  // Each launch of a run has its own schedule.
  device_.options().schedule.seed = combine_hash(options_.schedule.seed, ++launches_);
  std::fflush(stdout);  // writes the host's earlier output before the kernel's output
  watch_->issue(stream_number(request.stream));
  const LaunchSignals signals;  // raises a received signal after the report is written
  const auto report = [&] {
    const CrashGuard guard(watch_->report_file(), demangled(kernel->name), launches_, device_.memory());
    return device_.launch(launch, context_);
  }();
  if (!report.ok()) {
    watch_->error(render(report.errors()));
    return note(cudaErrorNotSupported);
  }
  watch_->launched(kernel->name, report.value());
  if (report.value().end == virtual_gpu::LaunchEnd::Interrupted) watch_->flush(false);
  if (report.value().end == virtual_gpu::LaunchEnd::Stalled && memory().has_host_memory()) {
    end_if_host_waits(kernel->name);
  }
  return end_of(report.value(), kernel->name);
}

/// Handles a launch that has stalled. The host may poll memory for a value that the kernel has not stored.
void Session::end_if_host_waits(const std::string& kernel) {
  waiting_host_.watch([this, name = demangled(kernel)] {
    const std::lock_guard<std::recursive_mutex> guard(lock_);
    watch_->error(
        fmt::format("Ambit ended the program: {} had stalled, and the host called no runtime function for "
                    "some seconds, as if the host waited for the kernel",
                    name));
    watch_->flush(true);
    std::fflush(nullptr);
    std::_Exit(EXIT_FAILURE);
  });
}

Error Session::end_of(const virtual_gpu::LaunchReport& report, const std::string& kernel) {
  using End = virtual_gpu::LaunchEnd;
  Error error = cudaSuccess;
  switch (report.end) {
    case End::Completed: return cudaSuccess;
    case End::IllegalAddress: error = cudaErrorIllegalAddress; break;
    case End::MisalignedAddress: error = cudaErrorMisalignedAddress; break;
    case End::Assertion: error = cudaErrorAssert; break;
    case End::Trap: error = cudaErrorLaunchFailure; break;
    case End::IllegalInstruction: error = cudaErrorIllegalInstruction; break;
    case End::Deadlock:
    case End::Stalled:
    case End::StepBudget:
    case End::Timeout:
    case End::Interrupted: error = cudaErrorLaunchTimeout; break;
  }
  if (options_.report_file.empty()) {
    const std::string what =
        report.findings.empty() ? std::string(to_string(report.end)) : report.findings.back().message;
    std::fputs(fmt::format("ambit: {}: {}\n", demangled(kernel), what).c_str(), stderr);
  }
  // As on a GPU, the launch itself succeeds, and the next call returns the error.
  sticky_ = error;
  return cudaSuccess;
}

// ---- errors ----

Error Session::note(Error error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}
Error Session::take_last_error() {
  if (sticky_ != cudaSuccess) return sticky_;
  return std::exchange(last_error, cudaSuccess);
}
Error Session::peek_last_error() const { return sticky_ != cudaSuccess ? sticky_ : last_error; }

Error Session::not_supported(const char* function) {
  if (!named_missing_[function]) {
    named_missing_[function] = true;
    const std::string text = fmt::format("the program calls {}, which the runtime library lacks", function);
    if (options_.report_file.empty()) std::fputs(("ambit: " + text + "\n").c_str(), stderr);
    watch_->remark(text);
  }
  return note(cudaErrorNotSupported);
}

}  // namespace ambit::cudart
