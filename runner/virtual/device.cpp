#include "runner/virtual/device.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "ptx/module.h"
#include "runner/virtual/address.h"
#include "runner/virtual/decoder.h"
#include "runner/virtual/machine.h"
#include "runner/virtual/occupancy.h"
#include "runner/virtual/spread_launch.h"

namespace ambit::virtual_gpu {
namespace {

/// Launch limits of compute capability 9.0.
constexpr std::uint64_t kLargestGridX = 0x7fffffff;
constexpr std::uint64_t kLargestGridYZ = 65535;

/// If a launch on several threads is stopped, the launch has no report. To get a report, one thread runs the launch
/// from the beginning for at most this time.
constexpr std::chrono::milliseconds kGraceAfterStop{100};

struct LoadedKernel {
  KernelInfo info;
  std::uint32_t function = 0;  ///< number of the function in Module::functions
  std::unique_ptr<KernelCode> code;
  SpreadKnowledge spreading;
};

struct LoadedModule {
  std::shared_ptr<const ptx::Module> module;
  std::vector<std::uint64_t> addresses;  ///< addresses of global and constant variables
  std::vector<Symbol> symbols;
  std::vector<LoadedKernel> kernels;
};

/// The instructions of one translated function.
struct SiteRange {
  std::uint32_t first = 0;
  std::uint32_t module = 0;
  std::uint32_t function = 0;
};

Extent extent_of(const std::optional<ptx::Dimensions>& dimensions) {
  if (!dimensions) return {0, 0, 0};
  return {(*dimensions)[0], (*dimensions)[1], (*dimensions)[2]};
}

/// Returns the number in a target: 90 for "sm_90a, debug". Returns 0 if there is no number.
std::uint32_t number_of(std::string_view target) {
  std::uint32_t number = 0;
  for (const char one : target.substr(std::min<std::size_t>(target.find('_'), target.size() - 1) + 1)) {
    if (one < '0' || one > '9') break;
    number = 10 * number + static_cast<std::uint32_t>(one - '0');
  }
  return number;
}

KernelInfo info_of(const ptx::Module& module, const ptx::Function& function) {
  KernelInfo info;
  info.target = module.target.empty() ? 0 : number_of(module.target);
  info.name = function.name;
  const std::vector<std::uint32_t> offsets = parameter_offsets(module, function);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto bytes = static_cast<std::uint32_t>(module.variables[function.parameters[i].index].size());
    info.parameters.push_back({offsets[i], bytes});
  }
  info.parameter_bytes = offsets.back();
  for (const ptx::Type type : function.registers) info.registers += std::max(slot_bytes(type) / 4, 1U);
  if (function.maximum_threads) {
    info.maximum_threads =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(extent_of(function.maximum_threads).count(), 1024));
  }
  info.required_block = extent_of(function.required_threads);
  info.required_cluster = extent_of(function.required_cluster);
  for (const std::uint32_t index : function.variables) {
    const ptx::Variable& variable = module.variables[index];
    if (variable.space == ptx::Space::Local) info.local_bytes += static_cast<std::uint32_t>(variable.size());
  }
  // Counts shared variables outside functions if the kernel uses them. A launch checks the total size again.
  std::map<std::uint32_t, bool> used;
  for (const ptx::Instruction& instruction : function.instructions) {
    for (const ptx::Operand& operand : instruction.operands) {
      const bool is_variable =
          operand.kind == ptx::Operand::Kind::Variable ||
          (operand.kind == ptx::Operand::Kind::Address && operand.base == ptx::Operand::Base::Variable);
      if (is_variable && module.variables[operand.index].space == ptx::Space::Shared) used[operand.index] = true;
    }
  }
  for (const auto& [index, is_used] : used) {
    const ptx::Variable& variable = module.variables[index];
    const std::uint64_t alignment = std::max<std::uint64_t>(variable.alignment, 1);
    info.static_shared_bytes = static_cast<std::uint32_t>(
        (info.static_shared_bytes + alignment - 1) / alignment * alignment + variable.size());
  }
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space == ptx::Space::Const) info.constant_bytes += variable.size();
  }
  return info;
}

bool is_global(const ptx::Variable& variable) {
  return variable.space == ptx::Space::Global || variable.space == ptx::Space::Const;
}

}  // namespace

struct Device::State {
  explicit State(std::uint64_t capacity) : memory(capacity) {}

  Memory memory;
  ExecutionOptions options;
  Observer* observer = nullptr;
  std::vector<LoadedModule> modules;
  std::vector<SiteRange> sites;
  std::uint32_t site_count = 0;
  std::uint32_t launches = 0;
  std::uint64_t generation = 1;
  std::uint64_t heap_in_use = 0;
  std::uint64_t grid_workspace = 0;

  /// Returns the address of the counter of cooperative_groups' grid barrier. Clears the counter for a launch.
  std::uint64_t cleared_workspace() {
    constexpr std::uint64_t kBytes = 8;
    if (grid_workspace == 0) grid_workspace = memory.allocate(kBytes, AllocationKind::Variable, {}, "grid barrier");
    if (grid_workspace != 0) memory.set(grid_workspace, 0, kBytes);
    return grid_workspace;
  }
  void initialise(LoadedModule& loaded);
  std::optional<Diagnostic> translate(std::uint32_t module, LoadedKernel& kernel);
  std::optional<Diagnostic> check(const Launch& launch, const LoadedKernel& kernel, const LaunchInfo& info) const;
  LaunchReport execute(const MachineParts& parts, const LoadedModule& loaded, LoadedKernel& kernel) const;
};

Device::Device(std::uint64_t memory_capacity) : state_(std::make_unique<State>(memory_capacity)) {}
Device::~Device() = default;

Memory& Device::memory() { return state_->memory; }
const Memory& Device::memory() const { return state_->memory; }
ExecutionOptions& Device::options() { return state_->options; }
void Device::set_observer(Observer* observer) {
  state_->observer = observer;
  state_->memory.set_observer(observer);
}

/// Stores the initial values of variables, then replaces symbols in them by addresses.
void Device::State::initialise(LoadedModule& loaded) {
  const ptx::Module& module = *loaded.module;
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (!is_global(variable) || variable.size() == 0) continue;
    // PTX initialises global and constant variables with zeros.
    std::vector<std::uint8_t> bytes(variable.size());
    std::copy(variable.initial.begin(), variable.initial.end(), bytes.begin());
    for (const ptx::Relocation& relocation : variable.relocations) {
      const std::uint64_t symbol = relocation.is_function ? window_base(Window::Function) | relocation.symbol
                                                          : loaded.addresses[relocation.symbol];
      const std::uint64_t value = (symbol + static_cast<std::uint64_t>(relocation.addend)) >> relocation.shift;
      if (relocation.offset + relocation.size > bytes.size()) continue;
      std::memcpy(bytes.data() + relocation.offset, &value, std::min<std::size_t>(relocation.size, 8));
    }
    memory.copy_to_device(loaded.addresses[i], bytes.data(), bytes.size());
  }
}

Result<std::uint32_t> Device::load(std::shared_ptr<const ptx::Module> module) {
  LoadedModule loaded;
  loaded.module = std::move(module);
  loaded.addresses.resize(loaded.module->variables.size());
  for (std::size_t i = 0; i < loaded.module->variables.size(); ++i) {
    const ptx::Variable& variable = loaded.module->variables[i];
    if (!is_global(variable)) continue;
    if (variable.linkage == ptx::Linkage::Extern) {
      Diagnostic missing = error_without_place(fmt::format("no module defines the variable '{}'", variable.name),
                                               "link the modules of the program first");
      missing.file = variable.file;
      missing.span = variable.place;
      return missing;
    }
    const bool is_constant = variable.space == ptx::Space::Const;
    const auto kind = is_constant ? AllocationKind::Constant : AllocationKind::Variable;
    const std::uint64_t address = variable.is_managed
                                      ? state_->memory.allocate_managed(variable.size(), variable.name)
                                      : state_->memory.allocate(variable.size(), kind, {}, variable.name);
    if (address == 0) return error_without_place(fmt::format("no memory for the variable '{}'", variable.name));
    loaded.addresses[i] = address;
    const std::uint32_t number = state_->memory.find(address, 1)->number;
    loaded.symbols.push_back({variable.name, address, variable.size(), is_constant, number});
  }
  for (std::size_t i = 0; i < loaded.module->functions.size(); ++i) {
    const ptx::Function& function = loaded.module->functions[i];
    if (!function.is_entry || !function.has_body) continue;
    LoadedKernel kernel;
    kernel.function = static_cast<std::uint32_t>(i);
    kernel.info = info_of(*loaded.module, function);
    loaded.kernels.push_back(std::move(kernel));
  }
  state_->initialise(loaded);
  state_->modules.push_back(std::move(loaded));
  return static_cast<std::uint32_t>(state_->modules.size() - 1);
}

const std::vector<Symbol>& Device::symbols(std::uint32_t module) const { return state_->modules[module].symbols; }

const Symbol* Device::find_symbol(std::uint32_t module, std::string_view name) const {
  for (const Symbol& symbol : symbols(module)) {
    if (symbol.name == name) return &symbol;
  }
  return nullptr;
}

std::vector<std::string> Device::kernels(std::uint32_t module) const {
  std::vector<std::string> names;
  for (const LoadedKernel& kernel : state_->modules[module].kernels) names.push_back(kernel.info.name);
  return names;
}

const KernelInfo* Device::find_kernel(std::uint32_t module, std::string_view name) const {
  if (module >= state_->modules.size()) return nullptr;
  for (const LoadedKernel& kernel : state_->modules[module].kernels) {
    if (kernel.info.name == name) return &kernel.info;
  }
  return nullptr;
}

std::optional<Diagnostic> Device::State::translate(std::uint32_t module, LoadedKernel& kernel) {
  if (kernel.code != nullptr) return std::nullopt;
  const LoadedModule& loaded = modules[module];
  auto decoded = decode_kernel(*loaded.module, kernel.function, loaded.addresses, site_count);
  if (!decoded.ok()) return decoded.errors().front();
  kernel.code = std::move(decoded).value();
  for (const auto& function : kernel.code->functions) {
    sites.push_back({function->first_site, module, function->number});
    site_count = function->first_site + static_cast<std::uint32_t>(function->instructions.size());
  }
  kernel.info.static_shared_bytes = kernel.code->static_shared_bytes;
  kernel.info.local_bytes = static_cast<std::uint32_t>(kernel.code->local_bytes);
  return std::nullopt;
}

/// Checks the dimensions and parameters of a launch, as a GPU does.
std::optional<Diagnostic> Device::State::check(const Launch& launch, const LoadedKernel& kernel,
                                               const LaunchInfo& info) const {
  const Extent& grid = launch.grid;
  const Extent& block = launch.block;
  if (grid.count() == 0 || block.count() == 0)
    return error_without_place("a launch without threads", "all extents must be at least 1");
  if (block.count() > kernel.info.maximum_threads || block.x > 1024 || block.y > 1024 || block.z > 64) {
    return error_without_place(fmt::format("a block of {} x {} x {} threads; '{}' allows {}", block.x, block.y, block.z,
                                           kernel.info.name, kernel.info.maximum_threads));
  }
  if (grid.x > kLargestGridX || grid.y > kLargestGridYZ || grid.z > kLargestGridYZ || grid.count() > 0xffffffffU) {
    return error_without_place(fmt::format("a grid of {} x {} x {} blocks is too large", grid.x, grid.y, grid.z));
  }
  const Extent& required = kernel.info.required_block;
  if (required.count() != 0 && !(required == block)) {
    return error_without_place(fmt::format("'{}' requires blocks of {} x {} x {} threads", kernel.info.name, required.x,
                                           required.y, required.z));
  }
  const Extent& cluster = info.cluster;
  if (cluster.count() == 0 || cluster.count() > 16 || grid.x % cluster.x != 0 || grid.y % cluster.y != 0 ||
      grid.z % cluster.z != 0) {
    return error_without_place("the grid is not a multiple of the cluster, or the cluster has more than 16 blocks");
  }
  if (info.shared_bytes > kMostSharedOfBlock) {
    return error_without_place(
        fmt::format("{} bytes of shared memory for a block; there are {}", info.shared_bytes, kMostSharedOfBlock));
  }
  if (launch.parameters.size() != kernel.info.parameter_bytes) {
    return error_without_place(fmt::format("'{}' has {} bytes of parameters, the launch gives {}", kernel.info.name,
                                           kernel.info.parameter_bytes, launch.parameters.size()));
  }
  const std::uint64_t most =
      blocks_of_device(options.resident_threads, static_cast<std::uint32_t>(block.count()), info.shared_bytes);
  if (launch.is_cooperative && grid.count() > std::max<std::uint64_t>(most, 1)) {
    return error_without_place(
        fmt::format("a cooperative launch of {} blocks; the device holds {} at once", grid.count(), most),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor returns how many fit");
  }
  return std::nullopt;
}

/// Runs a launch on several threads if possible, otherwise on one thread.
LaunchReport Device::State::execute(const MachineParts& parts, const LoadedModule& loaded, LoadedKernel& kernel) const {
  const auto begin = std::chrono::steady_clock::now();
  std::optional<Context> late;
  look_at_code(kernel.spreading, *kernel.code);
  const bool spreads = is_worth_spreading(kernel.spreading, parts);
  LaunchReport report;
  bool is_done = false;
  if (spreads) {
    const auto make_code = [&] {
      const std::uint32_t first_site = kernel.code->functions[0]->first_site;
      return std::move(decode_kernel(*loaded.module, kernel.function, loaded.addresses, first_site, true)).value();
    };
    SpreadOutcome outcome = spread_launch(kernel.spreading, parts, make_code);
    is_done = outcome.report.has_value();
    if (is_done) report = *std::move(outcome.report);
    if (outcome.was_stopped) late = parts.context.with_grace(kGraceAfterStop);
  }
  if (!is_done) {
    MachineParts alone{parts.memory,
                       parts.options,
                       parts.observer,
                       parts.code,
                       parts.launch,
                       parts.info,
                       late ? *late : parts.context,
                       parts.generation,
                       parts.heap_in_use,
                       parts.grid_workspace};
    report = Machine(alone).run();
  }
  if (spreads)
    report.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  note_steps(kernel.spreading, parts, report);
  return report;
}

Result<LaunchReport> Device::launch(const Launch& launch, Context& context) {
  State& state = *state_;
  if (launch.module >= state.modules.size())
    return error_without_place(fmt::format("there is no module {}", launch.module));
  LoadedModule& loaded = state.modules[launch.module];
  const auto found = std::find_if(loaded.kernels.begin(), loaded.kernels.end(),
                                  [&](const LoadedKernel& kernel) { return kernel.info.name == launch.kernel; });
  if (found == loaded.kernels.end())
    return error_without_place(fmt::format("the module has no kernel '{}'", launch.kernel));
  if (auto refused = state.translate(launch.module, *found)) return *std::move(refused);
  LaunchInfo info;
  info.launch = state.launches;
  info.kernel = found->info.name;
  info.grid = launch.grid;
  info.block = launch.block;
  info.cluster = found->info.required_cluster.count() != 0 ? found->info.required_cluster : launch.cluster;
  info.warps_of_block = static_cast<std::uint32_t>((launch.block.count() + kLanes - 1) / kLanes);
  info.shared_bytes = launch.dynamic_shared_bytes == 0
                          ? found->code->static_shared_bytes
                          : found->code->dynamic_shared_offset + launch.dynamic_shared_bytes;
  info.shared = found->code->shared;
  info.stream = launch.stream;
  info.invalidates_barriers = found->code->invalidates_barriers;
  if (auto refused = state.check(launch, *found, info)) return *std::move(refused);
  const std::uint64_t workspace = launch.is_cooperative ? state.cleared_workspace() : 0;
  ++state.launches;
  ++state.generation;
  state.memory.drop_complete();
  if (state.observer != nullptr) state.observer->begin_launch(info);
  Observer* observer = state.observer != nullptr && state.observer->wants_events() ? state.observer : nullptr;
  LaunchReport report = state.execute({state.memory, state.options, observer, *found->code, launch, info, context,
                                       state.generation, state.heap_in_use, workspace},
                                      loaded, *found);
  if (state.observer != nullptr) state.observer->end_launch();
  return report;
}

std::uint32_t Device::site_count() const { return state_->site_count; }

Site Device::site(std::uint32_t number) const {
  Site site;
  const auto above = std::upper_bound(state_->sites.begin(), state_->sites.end(), number,
                                      [](std::uint32_t value, const SiteRange& range) { return value < range.first; });
  if (above == state_->sites.begin() || number >= state_->site_count) return site;
  const SiteRange& range = *(above - 1);
  const ptx::Module& module = *state_->modules[range.module].module;
  const ptx::Function& function = module.functions[range.function];
  site.function = function.name;
  site.module = function.file->path;
  const std::uint32_t index = number - range.first;
  if (index >= function.instructions.size()) {
    site.instruction = "ret";
    return site;
  }
  const ptx::Instruction& instruction = function.instructions[index];
  site.instruction = std::string(ptx::Module::text_of(function, instruction.spelling));
  site.ptx_line = instruction.place.line;
  site.ptx_column = instruction.place.column;
  const std::uint32_t user = ptx::user_place(module, instruction.source);
  for (std::uint32_t at = instruction.source; at != ptx::kNone; at = module.places[at].inlined_at) {
    const ptx::SourcePlace& place = module.places[at];
    if (at == user) site.user_place = site.places.size();
    site.places.push_back({place.file < module.files.size() ? module.files[place.file] : "", place.line, place.column,
                           place.function == ptx::kNone ? "" : module.strings[place.function]});
  }
  return site;
}

std::string Site::text() const {
  if (places.empty()) return fmt::format("{}, line {} of the PTX", function, ptx_line);
  const SitePlace& place = places[user_place];
  return fmt::format("{}:{}", place.file, place.line);
}

std::string_view to_string(LaunchEnd end) {
  switch (end) {
    case LaunchEnd::Completed: return "completed";
    case LaunchEnd::IllegalAddress: return "illegal address";
    case LaunchEnd::MisalignedAddress: return "misaligned address";
    case LaunchEnd::Assertion: return "assertion";
    case LaunchEnd::Trap: return "trap";
    case LaunchEnd::IllegalInstruction: return "illegal instruction";
    case LaunchEnd::Deadlock: return "deadlock";
    case LaunchEnd::Stalled: return "stalled";
    case LaunchEnd::StepBudget: return "step budget";
    case LaunchEnd::Timeout: return "timeout";
    case LaunchEnd::Interrupted: return "interrupted";
  }
  return "";
}

std::string_view to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::OutOfBounds: return "out of bounds";
    case FindingKind::UseAfterFree: return "use after free";
    case FindingKind::Misaligned: return "misaligned";
    case FindingKind::ReadOnly: return "read-only memory";
    case FindingKind::NotDevice: return "no device address";
    case FindingKind::Uninitialised: return "uninitialised";
    case FindingKind::BarrierDivergence: return "barrier divergence";
    case FindingKind::Deadlock: return "deadlock";
    case FindingKind::Assertion: return "assertion";
    case FindingKind::Trap: return "trap";
    case FindingKind::IllegalInstruction: return "illegal instruction";
  }
  return "";
}

}  // namespace ambit::virtual_gpu
