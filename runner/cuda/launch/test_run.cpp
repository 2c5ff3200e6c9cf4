#include "runner/cuda/launch/test_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/assert.h"
#include "core/asynchronous.h"
#include "kernels/parameters.h"
#include "runner/cuda/emit/emit_kernel.h"
#include "runner/cuda/emit/hardware_mbarriers.h"
#include "runner/cuda/emit/in_gpu.h"
#include "runner/cuda/launch/tensor_maps.h"

namespace ambit::cuda {
namespace {

using ambit_kernel::Buffers;
using ambit_kernel::kTableSize;
using ambit_kernel::Parameters;
using Clock = std::chrono::steady_clock;

constexpr double kLaunchSeconds = 0.04;  ///< approximate duration of a launch; the host then checks for the end
constexpr std::uint32_t kMostRecorded = 1U << 15U;  ///< limit on the runs in one launch of the recorder
constexpr std::uint64_t kMaxRounds = 1U << 18U;
constexpr std::size_t kScratchpadBytes = std::size_t{16} << 20;
constexpr std::size_t kMostCleared = std::size_t{1} << 26;
constexpr std::size_t kRegionGap = 512;  ///< bytes between the copies of one cell and the copies of the next cell

/// Returns a device address for the kernel's parameters; the host must not dereference it.
template <typename T>
T* to_pointer(DevicePointer address) {
  return reinterpret_cast<T*>(address);
}

std::uint64_t launch_seed(std::uint64_t seed, std::uint64_t launch) {
  std::uint64_t h = seed + 0x9e3779b97f4a7c15ULL * (launch + 1);
  h = (h ^ (h >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27U)) * 0x94d049bb133111ebULL;
  return h ^ (h >> 31U);
}

bool has_updates(const Program& program) {
  return std::ranges::any_of(program.threads, [](const Thread& thread) {
    return std::ranges::any_of(thread.code,
                               [](const Instruction& one) { return std::holds_alternative<Rmw>(one.operation); });
  });
}

}  // namespace

std::vector<RunPart> parts_of(const Program& program, const RunOptions& options, const Stress& recorder) {
  std::vector<RunPart> parts = {
      {.stress = options.stress, .hardware_mbarriers = options.hardware_mbarriers, .stm = options.stm}};
  const bool has_hardware_mbarriers = options.hardware_mbarriers && has_mbarriers_of_atomics(program);
  const bool is_counted_only = is_asynchronous(program) || has_dependent_grids(program) || has_hardware_mbarriers ||
                               is_on_several_gpus(program) || program.first_transaction().has_value();
  if (options.tune_seconds > 0 || is_counted_only) return parts;
  if (options.record > 0) parts.push_back({.stress = recorder, .records = true});
  for (const std::string& name : options.in_gpu) {
    parts.push_back({.stress = options.stress, .detector = find_in_gpu_detector(name)});
    AMBIT_ASSERT(parts.back().detector != nullptr);
  }
  return parts;
}

TestRun::~TestRun() { free_all(); }

/// Runs one launch. Adjusts the number of rounds of the next launch, so that it takes about `seconds`.
Result<bool> TestRun::step(double seconds) {
  std::uint64_t rounds = next_rounds_;
  if (options_.rounds > 0 && options_.tune_seconds <= 0) rounds = std::min(rounds, options_.rounds - report_.rounds);
  const Result<double> took = launch(rounds);
  if (!took) return took.errors();
  const double factor = std::clamp(seconds / std::max(took.value(), 1e-6), 0.25, 16.0);
  next_rounds_ =
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(rounds) * factor), 1, kMaxRounds);
  return collect(took.value());
}

Result<RunReport> TestRun::run(const std::vector<RunPart>& parts, const OnProgress& on_progress) {
  for (const RunPart& part : parts) {
    part_ = part;
    const auto run_part = part.detector != nullptr ? &TestRun::detect
                          : part.records           ? &TestRun::record
                                                   : &TestRun::count;
    const Result<bool> goes_on = (this->*run_part)(on_progress);
    if (!goes_on) return goes_on.errors();
    if (!goes_on.value()) break;
  }
  if (on_progress) on_progress(report_);
  return std::move(report_);
}

Result<bool> TestRun::count(const OnProgress& on_progress) {
  if (!options_.sets.empty()) return count_sets(on_progress);
  if (auto ready = use(options_.stress); !ready) return ready.errors();
  began_ = Clock::now();
  double changed = 0;
  while (wants_more()) {
    if (options_.vary && report_.kernel_seconds - changed > kLaunchSeconds * 2) {
      changed = report_.kernel_seconds;
      if (auto ready = change(); !ready) return ready.errors();
      if (!wants_more()) break;
    }
    const bool is_spread = options_.alternate && !options_.vary && report_.launches % 4 == 3;
    if (options_.alternate && !options_.vary) {
      stress_ = is_spread ? spread_out(options_.stress, options_.fixed) : options_.stress;
    }
    report_.current = stress_;
    if (on_progress && !on_progress(report_)) return false;
    // The rounds of a spread-out launch take longer, so the number of rounds is adjusted separately.
    if (is_spread) std::swap(next_rounds_, spread_rounds_);
    const Result<bool> stepped = step(options_.vary ? std::min(kLaunchSeconds, seconds_left()) : kLaunchSeconds);
    if (is_spread) std::swap(next_rounds_, spread_rounds_);
    if (!stepped) return stepped.errors();
  }
  return true;
}

Result<bool> TestRun::count_sets(const OnProgress& on_progress) {
  const double share = options_.seconds / static_cast<double>(options_.sets.size());
  for (const Stress& set : options_.sets) {
    if (auto ready = use(set); !ready) {
      if (report_.launches == 0) return ready.errors();
      // If this set of parameters is impossible, the other sets still run.
      if (is_on_several_gpus()) report_.notes.push_back(ready.errors().front().message);
      continue;
    }
    const double end = report_.kernel_seconds + share;
    while (report_.kernel_seconds < end) {
      report_.current = stress_;
      if (on_progress && !on_progress(report_)) return false;
      if (auto stepped = step(std::min(kLaunchSeconds, end - report_.kernel_seconds)); !stepped) return stepped;
      if (has_seen_all()) return true;
    }
  }
  return true;
}

bool TestRun::has_seen_all() const {
  const auto& seen = report_.histogram.outcomes;
  return !options_.until.empty() &&
         std::ranges::all_of(options_.until, [&](const auto& outcome) { return seen.contains(outcome); });
}

/// Returns whether the outcome is a target, which violates a `forall` condition or satisfies any other condition.
bool TestRun::is_target(const std::vector<Value>& outcome) const {
  const Condition& condition = program_.condition;
  if (!condition.proposition) return false;
  return (evaluate(*condition.proposition, outcome) != 0) != (condition.quantifier == Quantifier::Forall);
}

/// Returns the part of RunOptions::seconds that is left, or the duration of a launch if there is no limit. If the
/// parameters vary, the time between launches counts, too.
double TestRun::seconds_left() const {
  if (options_.seconds <= 0) return kLaunchSeconds;
  const double wall = std::chrono::duration<double>(Clock::now() - began_).count();
  return options_.seconds - (options_.vary ? std::max(wall, report_.kernel_seconds) : report_.kernel_seconds);
}

bool TestRun::wants_more() const {
  if (options_.rounds > 0 && report_.rounds >= options_.rounds) return false;
  return seconds_left() > 0;
}

/// Draws new parameters. Keeps the old parameters if the new parameters are impossible, for example if a block is too
/// small for the test.
Result<bool> TestRun::change() {
  const Stress before = stress_;
  Result<bool> ready = use(random_() % 4 == 0 ? options_.stress : draw(random_, options_.stress, options_.fixed));
  return ready ? ready : use(before);
}

Result<bool> TestRun::use(const Stress& stress) {
  stress_ = stress;
  if (!cuda::is_on_several_gpus(program_)) stress_.cell_memory = 0;
  next_rounds_ = 1;
  return prepare();
}

void TestRun::free_memory() {
  for (const DevicePointer pointer : loaded_.memory) driver_.release(pointer);
  loaded_.memory.clear();
  loaded_.scratchpads.clear();
  driver_.release(loaded_.mapped);
}

/// Allocates the cells. Each cell has one virtual address, and one additional virtual address for each alias of an
/// object. With several GPUs, the cells are in the memory that Stress::cell_memory selects.
Result<bool> TestRun::allocate_cells() {
  const std::size_t cells = std::max<std::size_t>(loaded_.kernel.cells, 1);
  const std::size_t gpus = loaded_.kernel.layout.gpus();
  const auto where = static_cast<CellMemory>(stress_.cell_memory);
  std::size_t part_bytes = cell_bytes_;
  std::vector<std::size_t> homes = {where == CellMemory::LastGpu && gpus > 1 ? gpus - 1 : 0};
  if (where == CellMemory::InTurn && gpus > 1) {
    homes.resize(cells);
    for (std::size_t cell = 0; cell < cells; ++cell) homes[cell] = cell % gpus;
    part_bytes = loaded_.parameters.region;
  }
  if (where == CellMemory::Host && has_updates(program_)) {
    Result<bool> atomic = driver_.has_atomics_on_host();
    if (!atomic) return atomic;
    if (!atomic.value()) {
      return Diagnostic{program_.source, {}, "these GPUs do not support atomics on cells in host memory", ""};
    }
  }
  auto memory = where == CellMemory::Host && gpus > 1
                    ? driver_.allocate_on_host(cell_bytes_)
                    : driver_.allocate_mapped(part_bytes, homes, loaded_.kernel.aliases + std::size_t{1});
  if (!memory) return memory.errors();
  loaded_.mapped = std::move(memory).value();
  loaded_.buffers.cells = to_pointer<char>(loaded_.mapped.pointer);
  loaded_.parameters.alias_span = loaded_.mapped.span;
  return driver_.clear(loaded_.mapped.pointer, cell_bytes_);
}

void TestRun::free_all() {
  free_memory();
  for (Driver::Grid& grid : loaded_.grids) driver_.unload(grid.function);
  if (loaded_.counter) driver_.unload(loaded_.counter->function);
}

Result<bool> TestRun::prepare() {
  Result<Kernel> kernel = emit_largest(program_, part_.shape(stress_));
  if (!kernel) return kernel.errors();
  free_memory();
  if (!loaded_.grids.empty() && kernel.value().source == loaded_.kernel.source) {
    Loaded before = std::exchange(loaded_, {});
    loaded_.grids = std::move(before.grids);
    loaded_.counter = before.counter;
    loaded_.kernel = std::move(kernel).value();
  } else if (auto loaded = load(std::move(kernel).value()); !loaded) {
    return loaded;
  }
  if (auto sized = choose_size(); !sized) return sized;
  return allocate_all();
}

Result<bool> TestRun::load(Kernel kernel) {
  const Result<KernelCode> code = kernels_.make(kernel, program_);
  if (!code) return code.errors();
  report_.compile_milliseconds += code.value().milliseconds;
  report_.compiled = report_.compiled || code.value().is_new;
  free_all();
  loaded_ = {};
  loaded_.kernel = std::move(kernel);
  if (loaded_.kernel.layout.gpus() > devices_.size()) {
    return Diagnostic{program_.source, program_.threads.back().span,
                      fmt::format("the test uses {} GPUs, but {} available", loaded_.kernel.layout.gpus(),
                                  devices_.size() == 1 ? "only one is" : fmt::format("only {} are", devices_.size())),
                      "ambit devices lists the GPUs; --device names several, as in --device 0,1"};
  }
  if (is_on_several_gpus()) {
    const auto last = devices_.begin() + static_cast<std::ptrdiff_t>(loaded_.kernel.layout.gpus());
    if (auto ready = driver_.use_together({devices_.begin(), last}); !ready) return ready;
  }
  return loaded_.kernel.layout.has_dependent_grids() ? load_dependent(code.value().cubin)
                                                     : load_grids(code.value().cubin);
}

Result<bool> TestRun::load_grids(const std::string& cubin) {
  for (std::size_t gpu = 0; gpu < loaded_.kernel.layout.gpus(); ++gpu) {
    auto function = driver_.load(cubin, "ambit_test", Driver::Compiled::Optimised, gpu);
    if (!function) return function.errors();
    loaded_.grids.push_back({.function = function.value(), .shape = {}});
  }
  return true;
}

/// Sets the shape of the grid on a GPU of the test. Returns the number of blocks of this grid.
Result<std::uint32_t> TestRun::size_of_grid(std::size_t gpu) {
  const Layout& layout = loaded_.kernel.layout;
  LaunchShape& shape = loaded_.grids[gpu].shape;
  shape = {.blocks = 1,
           .block_threads = layout.shape.block_threads,
           .cluster_blocks = layout.cluster_blocks,
           .shared_bytes = static_cast<std::uint32_t>(loaded_.kernel.shared_bytes)};
  const Result<std::uint32_t> resident = driver_.resident_blocks(loaded_.grids[gpu].function, shape);
  if (!resident) return resident.errors();
  // Grids on one device share the device.
  const auto last = devices_.begin() + static_cast<std::ptrdiff_t>(layout.gpus());
  const auto sharers = is_on_several_gpus() ? std::count(devices_.begin(), last, devices_[gpu]) : 1;
  const std::uint32_t most = resident.value() / static_cast<std::uint32_t>(sharers);
  const std::uint32_t smallest = layout.gpu_clusters[gpu] * layout.cluster_blocks;
  if (most < smallest) {
    return Diagnostic{program_.source,
                      {},
                      fmt::format("the test needs {} resident blocks, but the device holds only {}", smallest, most),
                      "use fewer threads in a block"};
  }
  const std::uint32_t wanted = std::max(most * stress_.occupancy_percent / 100, smallest);
  shape.blocks = wanted / layout.cluster_blocks * layout.cluster_blocks;
  return shape.blocks;
}

Result<bool> TestRun::choose_size() {
  const Layout& layout = loaded_.kernel.layout;
  if (layout.has_dependent_grids()) return choose_size_of_dependent();
  std::uint32_t groups = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t gpu = 0; gpu < loaded_.grids.size(); ++gpu) {
    const Result<std::uint32_t> blocks = size_of_grid(gpu);
    if (!blocks) return blocks.errors();
    const std::uint32_t units = blocks.value() / layout.cluster_blocks;
    groups = std::min(groups, units * stress_.testing_percent / 100 / layout.gpu_clusters[gpu]);
  }
  groups = std::max(groups, 1U);
  if (part_.records) groups = std::min(groups, std::max(kMostRecorded / layout.slots() / layout.shape.batch, 1U));
  return set_groups(groups);
}

/// Returns whether the copies of each cell are adjacent. Cells can be in the memory of different GPUs only if the
/// copies of each cell are adjacent.
bool TestRun::is_apart() const {
  return stress_.layout == 0 ||
         (is_on_several_gpus() && static_cast<CellMemory>(stress_.cell_memory) == CellMemory::InTurn);
}

Result<bool> TestRun::set_groups(std::uint32_t groups) {
  const Layout& layout = loaded_.kernel.layout;
  Parameters& parameters = loaded_.parameters;
  parameters.groups = groups;
  parameters.batch = layout.shape.batch;
  parameters.slots = layout.slots();
  parameters.warp_groups = layout.warp_groups();
  parameters.slot_mask = std::bit_ceil(groups * layout.slots() * layout.shape.batch) - 1;
  const std::uint64_t widest = loaded_.kernel.widest_cell;  // every copy is aligned to this size
  const std::uint64_t stride = (std::max<std::uint64_t>(stress_.stride, widest) + widest - 1) / widest * widest;
  const std::uint64_t cells = std::max<std::size_t>(loaded_.kernel.cells, 1);
  const std::uint64_t copies = std::uint64_t{parameters.slot_mask} + 1;
  parameters.stride = static_cast<unsigned>(is_apart() ? stride : stride * cells);
  parameters.region = is_apart() ? copies * stride + kRegionGap : stride;
  if (is_on_several_gpus() && static_cast<CellMemory>(stress_.cell_memory) == CellMemory::InTurn) {
    const Result<std::size_t> unit = driver_.mapping_unit();
    if (!unit) return unit.errors();
    parameters.region = (parameters.region + unit.value() - 1) / unit.value() * unit.value();
  }
  cell_bytes_ = is_apart() ? parameters.region * cells : copies * stride * cells;
  return true;
}

std::uint32_t TestRun::instances() const {
  const Layout& layout = loaded_.kernel.layout;
  return loaded_.parameters.groups * layout.slots() * layout.shape.batch;
}

/// Allocates the kernel's memory. Reduces the number of instances if the device has too little memory.
Result<bool> TestRun::allocate_all() {
  for (;;) {
    Result<bool> done = try_allocate();
    if (done || !driver_.is_out_of_memory() || loaded_.parameters.groups == 1) return done;
    free_memory();
    if (auto set = set_groups(loaded_.parameters.groups / 2); !set) return set;
    const std::string note = fmt::format("not enough device memory: only {} instances in a round", instances());
    if (std::find(report_.notes.begin(), report_.notes.end(), note) == report_.notes.end())
      report_.notes.push_back(note);
  }
}

Result<bool> TestRun::try_allocate() {
  const Parameters& parameters = loaded_.parameters;
  const std::size_t copies = std::size_t{parameters.slot_mask} + 1;
  const std::size_t length = loaded_.kernel.outcome_length;
  Buffers& buffers = loaded_.buffers;
  Diagnostics errors;
  const auto get = [&](auto*& pointer, std::size_t bytes, std::size_t gpu = 0) {
    if (!errors.empty()) return;
    Result<DevicePointer> memory = driver_.allocate(std::max<std::size_t>(bytes, 16), gpu);
    if (!memory) {
      errors = memory.errors();
      return;
    }
    loaded_.memory.push_back(memory.value());
    if (auto cleared = driver_.clear(memory.value(), std::max<std::size_t>(bytes, 16)); !cleared) {
      errors = cleared.errors();
    }
    pointer = to_pointer<std::remove_pointer_t<std::remove_reference_t<decltype(pointer)>>>(memory.value());
  };
  if (loaded_.kernel.aliases == 0 && !is_on_several_gpus()) {
    get(buffers.cells, cell_bytes_);
  } else if (auto done = allocate_cells(); !done) {
    return done;
  }
  get(buffers.results, 8 * copies * length);
  get(buffers.flags, 4 * copies);
  for (std::size_t gpu = 0; gpu < loaded_.kernel.layout.gpus(); ++gpu) {
    get(loaded_.scratchpads.emplace_back(), kScratchpadBytes, gpu);
  }
  get(buffers.grid_barrier, 4);
  get(buffers.alignment, 4 * std::size_t{parameters.groups});
  get(buffers.keys, std::size_t{8} * kTableSize);
  get(buffers.counts, std::size_t{8} * kTableSize);
  get(buffers.values, std::size_t{8} * kTableSize * length);
  get(buffers.totals, 16);
  if (part_.records) {
    const std::size_t threads = copies * program_.threads.size();
    get(buffers.log, threads * log_length(program_) * sizeof(ambit_kernel::LogEntry));
    get(buffers.log_lengths, 4 * threads);
    get(buffers.tickets, 4);
  }
  if (part_.detector != nullptr) {
    get(buffers.detection.memory, part_.detector->bytes(loaded_.kernel.test_size, copies));
    get(buffers.detection.turns, 8 * copies);
    get(buffers.detection.races, std::size_t{8} * ambit_kernel::kRaceTableSize);
    get(buffers.detection.counts, std::size_t{8} * ambit_kernel::kRaceTableSize);
    get(buffers.detection.totals, 32);
  }
  if (const std::size_t maps = loaded_.kernel.tensor_maps.size(); maps > 0) {
    get(buffers.tensor_maps, maps * copies * sizeof(TensorMapBytes));
  }
  if (!errors.empty()) return errors;
  if (auto made = write_tensor_maps(driver_, loaded_.kernel, parameters, buffers); !made) return made;
  counts_before_.fill(0);
  uncounted_before_ = 0;
  return true;
}

/// Sets a launch's parameters according to the stress.
void TestRun::fill_parameters() {
  Parameters& parameters = loaded_.parameters;
  parameters.seed = seed_;
  parameters.max_steps = options_.max_steps;
  parameters.alignment_spins = stress_.alignment_spins;
  parameters.shuffle_percent = stress_.shuffle_percent;
  parameters.scatter_percent = stress_.scatter_percent;
  parameters.preload_percent = stress_.preload_percent;
  parameters.pre_stress_percent = stress_.pre_stress_percent;
  parameters.pre_stress_iterations = stress_.pre_stress_iterations;
  parameters.pre_stress_pattern = stress_.pre_stress_pattern;
  parameters.stress_percent = stress_.stress_percent;
  parameters.stress_iterations = stress_.stress_iterations;
  parameters.stress_pattern = stress_.stress_pattern;
  parameters.stress_lines = stress_.stress_lines;
  parameters.stress_line_bytes = stress_.stress_line_bytes;
  parameters.delay_ticks = stress_.delay_ticks;
  choose_permutations(parameters, loaded_.kernel.layout.slots(), seed_, stress_.permute != 0);
}

/// Sets the arguments of each GPU's grid.
void TestRun::fill_arguments(std::vector<GridArguments>& arguments, unsigned& first_round) {
  const Layout& layout = loaded_.kernel.layout;
  Parameters of_grid = loaded_.parameters;
  of_grid.blocks = 0;
  for (const Driver::Grid& grid : loaded_.grids) of_grid.blocks += grid.shape.blocks;
  for (std::size_t gpu = 0; gpu < arguments.size(); ++gpu) {
    GridArguments& one = arguments[gpu];
    of_grid.gpu = static_cast<unsigned>(gpu);
    of_grid.clusters = layout.gpu_clusters[gpu];
    one.parameters = of_grid;
    one.buffers = loaded_.buffers;
    one.buffers.scratchpad = loaded_.scratchpads[gpu];
    one.pointers = {&one.parameters, &one.buffers, &first_round};
    loaded_.grids[gpu].arguments = one.pointers.data();
    of_grid.first_cluster += of_grid.clusters;
    of_grid.first_block += loaded_.grids[gpu].shape.blocks;
  }
}

/// Runs `rounds` rounds in one launch. With Stress::cold, each round has its own launch.
Result<double> TestRun::launch(std::uint64_t rounds) {
  Parameters& parameters = loaded_.parameters;
  seed_ = launch_seed(options_.seed, report_.launches);
  fill_parameters();
  rounds_ = rounds;
  if (loaded_.counter) return launch_dependent(rounds);
  const bool is_cold = stress_.cold != 0 && !part_.records && part_.detector == nullptr;
  // The driver can only clear cells to 0. If the cells exceed all caches, the driver need not clear the cells.
  const bool clears = is_cold && loaded_.kernel.starts_at_zero && cell_bytes_ <= kMostCleared;
  parameters.rounds = is_cold ? 1 : static_cast<unsigned>(rounds);
  parameters.is_reset = clears ? 1 : 0;
  unsigned first_round = 0;
  std::vector<GridArguments> arguments(loaded_.grids.size());
  fill_arguments(arguments, first_round);
  const auto clear = [&](const void* pointer, std::size_t bytes) {
    return driver_.clear(reinterpret_cast<DevicePointer>(pointer), bytes);
  };
  const auto before = [&](std::uint64_t launch) -> Result<bool> {
    first_round = static_cast<unsigned>(launch);
    if (clears) {
      if (auto cleared = clear(loaded_.buffers.cells, cell_bytes_); !cleared) return cleared;
    }
    if (auto cleared = clear(loaded_.buffers.grid_barrier, 4); !cleared) return cleared;
    return clear(loaded_.buffers.alignment, 4 * std::size_t{parameters.groups});
  };
  return driver_.launch(loaded_.grids, is_cold ? rounds : 1, before);
}

/// Adds the counts of the last launch to the report.
Result<bool> TestRun::collect(double seconds) {
  std::array<std::uint64_t, kTableSize> counts{};
  std::array<std::uint64_t, 2> totals{};
  const std::size_t length = loaded_.kernel.outcome_length;
  std::vector<Value> values(kTableSize * length);
  const auto read = [&](void* to, const void* from, std::size_t bytes) {
    return driver_.read(to, reinterpret_cast<DevicePointer>(from), bytes);
  };
  if (auto done = read(counts.data(), loaded_.buffers.counts, sizeof(counts)); !done) return done;
  if (auto done = read(totals.data(), loaded_.buffers.totals, sizeof(totals)); !done) return done;
  if (auto done = read(values.data(), loaded_.buffers.values, 8 * values.size()); !done) return done;
  std::uint64_t seen = totals[1] - uncounted_before_;
  report_.uncounted += seen;
  uncounted_before_ = totals[1];
  for (std::size_t i = 0; i < kTableSize; ++i) {
    const std::uint64_t fresh = counts[i] - counts_before_[i];
    if (fresh == 0) continue;
    counts_before_[i] = counts[i];
    seen += fresh;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * length);
    add({begin, begin + static_cast<std::ptrdiff_t>(length - 1)},
        static_cast<unsigned>(values[i * length + length - 1]), fresh, seconds);
  }
  const std::uint64_t expected = std::uint64_t{instances()} * rounds_;
  AMBIT_ASSERT(seen == expected);  // no instance is lost or counted twice
  report_.instances += expected;
  report_.rounds += rounds_;
  report_.kernel_seconds += seconds;
  ++report_.launches;
  return true;
}

void TestRun::add(std::vector<Value> outcome, unsigned flags, std::uint64_t count, double seconds) {
  Histogram& histogram = report_.histogram;
  if ((flags & ambit_kernel::kStepBound) != 0) {
    histogram.bound_hits += count;
    return;
  }
  const auto& filter = program_.condition.filter;
  if ((flags & ambit_kernel::kDropped) != 0 || (filter && evaluate(*filter, outcome) == 0)) {
    histogram.dropped += count;
    return;
  }
  if ((flags & ambit_kernel::kAsserted) != 0) histogram.assertion_failures += count;
  if ((flags & ambit_kernel::kOutOfBounds) != 0) histogram.out_of_bounds += count;
  histogram.outcomes[outcome] += count;
  if (is_target(outcome)) target_count_ += count;
  auto place = std::find_if(report_.sightings.begin(), report_.sightings.end(),
                            [&](const Sighting& sighting) { return sighting.values == outcome; });
  if (place == report_.sightings.end()) {
    place = report_.sightings.insert(place, {.values = std::move(outcome),
                                             .first_instance = report_.instances,
                                             .first = stress_,
                                             .first_seed = seed_,
                                             .best = stress_});
  }
  place->count += count;
  const double rate = static_cast<double>(count) / std::max(seconds, 1e-6);
  if (rate > place->best_rate) {
    place->best_rate = rate;
    place->best = stress_;
  }
}

}  // namespace ambit::cuda
