#include "runner/cuda/emit/emit_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/asynchronous.h"
#include "core/wide_value.h"
#include "runner/cuda/emit/emit_barriers.h"
#include "runner/cuda/emit/emit_cells.h"
#include "runner/cuda/emit/emit_names.h"
#include "runner/cuda/emit/emit_regions.h"
#include "runner/cuda/emit/emit_tensor.h"
#include "runner/cuda/emit/emit_thread.h"
#include "runner/cuda/emit/emit_transactions.h"
#include "runner/cuda/emit/hardware_mbarriers.h"
#include "runner/cuda/emit/kernel_files.h"
#include "runner/cuda/emit/warpgroups.h"

namespace ambit::cuda {
namespace {

/// A loop resets a longer array of equal initial values. Every other array has one statement for each cell.
constexpr std::uint32_t kLongestList = 8;
/// Limit on the cells of an array that preload() reads.
constexpr std::uint32_t kMostPreloaded = 8;
/// Limit on a block's shared memory. The driver grants more memory only on a special request.
constexpr std::size_t kMaxSharedBytes = std::size_t{40} << 10;

/// Minimum size of a global object that asynchronous operations copy, in bytes: the alignment of bulk copies.
constexpr std::uint32_t kLeastObject = 16;

class KernelEmitter {
 public:
  KernelEmitter(const Program& program, Layout layout) : program_(program) { kernel_.layout = std::move(layout); }

  Result<Kernel> emit() {
    const Layout& layout = kernel_.layout;
    if (layout.shape.detector != nullptr) {
      Result<InGpuTest> test = make_in_gpu_test(program_);
      if (!test) return test.errors();
      in_gpu_ = std::move(test).value();
      kernel_.test_size = in_gpu_->size;
    }
    count_aliases();
    shared_ = find_shared_cells(program_, layout, errors_);
    if (layout.is_asynchronous) refuse_mbarrier_values();
    kernel_.tensor_maps = kernel_tensor_maps(program_, errors_);
    BarrierMapping barriers(program_, layout, errors_);
    const std::string threads = emit_threads(barriers);
    if (layout.is_asynchronous) refuse_states();
    if (layout.cluster_blocks > 1) kernel_.lowest_arch = std::max(kernel_.lowest_arch, 90U);
    kernel_.is_specific = kernel_.is_specific || layout.group_warps > 1;
    find_size();
    if (!errors_.empty()) return std::move(errors_);
    kernel_.source = title() + constants() + kernel_text("parameters.h") + "\n" + kernel_text("recording.h") + "\n" +
                     detector() + kernel_text("arithmetic.cuh") + "\n" + wide_cells() + kernel_text("harness.cuh") +
                     detection() + (layout.is_asynchronous ? kernel_text("asynchronous.cuh") : std::string()) +
                     (program_.tensor_maps.empty() ? std::string() : "\n" + kernel_text("tensor_maps.cuh")) +
                     (layout.group_warps > 1 ? kernel_text("groups.cuh") : std::string()) + transactions() +
                     "\n// ---- the test ----\n\n" + locate() + threads + roles() + memory() +
                     run_without_thread(barriers.cluster_arrivals()) + "\n" + kernel_text("kernel.cuh") + "\n" +
                     kernel_text(layout.has_dependent_grids() ? "grids.cuh" : "rounds.cuh");
    return std::move(kernel_);
  }

 private:
  /// Returns the functions of all threads.
  std::string emit_threads(BarrierMapping& barriers) {
    std::string text;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      EmittedThread thread =
          emit_thread(program_, t, kernel_.layout, shared_, barriers, in_gpu_ ? &*in_gpu_ : nullptr, errors_);
      text += thread.text + "\n";
      has_flags_ = has_flags_ || thread.has_flags;
      kernel_.instructions.push_back(std::move(thread.instructions));
      kernel_.is_straight.push_back(thread.is_straight);
      kernel_.lowest_arch = std::max(kernel_.lowest_arch, thread.lowest_arch);
      kernel_.is_specific = kernel_.is_specific || thread.is_specific;
    }
    return text;
  }

  /// Counts the aliases of objects. Every cell in global memory gets this number of additional virtual addresses.
  void count_aliases() {
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      const MemoryObject& object = program_.objects[id];
      if (!object.alias_of) continue;
      kernel_.aliases = std::max(kernel_.aliases, alias_number(program_, id));
      if (object.space == MemorySpace::Global) continue;
      errors_.push_back(
          {program_.source, object.span,
           fmt::format("'{}' is a second virtual address of shared memory: not run on hardware", object.name),
           "the models support this test"});
    }
  }

  /// Rejects conditions on the state of an mbarrier, which is opaque on hardware.
  void refuse_mbarrier_values() {
    for (const Observable& observable : program_.observables) {
      if (observable.kind != Observable::Kind::Memory) continue;
      const MemoryObject& object = program_.objects[program_.locations[observable.location].object];
      if (!object.mbarrier) continue;
      errors_.push_back({program_.source, object.span,
                         fmt::format("the state of the mbarrier '{}' is opaque on hardware", object.name),
                         "write a condition that does not name the mbarrier"});
    }
  }

  /// Rejects conditions on the results of arrivals, because these results are mbarrier states and therefore opaque.
  void refuse_states() {
    for (const Observable& observable : program_.observables) {
      if (observable.kind != Observable::Kind::Register) continue;
      const Thread& thread = program_.threads[observable.thread];
      if (!state_registers(thread).contains(observable.reg)) continue;
      errors_.push_back({program_.source, thread.span,
                         fmt::format("{} is the state of an mbarrier, which is opaque on hardware", observable.name),
                         "write a condition that does not name the register"});
    }
  }

  void find_size() {
    const bool in_one_piece = kernel_.layout.is_asynchronous;
    kernel_.cells = has_transactions_ ? first_entry(program_) + program_.locations.size() : program_.locations.size();
    kernel_.starts_at_zero = !has_flags_;
    for (const Location& cell : program_.locations) {
      kernel_.widest_cell = std::max(kernel_.widest_cell, static_cast<std::uint32_t>(cell.type.bits) / 8);
      kernel_.starts_at_zero = kernel_.starts_at_zero && cell.initial == 0;
    }
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      if (!in_one_piece || program_.objects[id].space == MemorySpace::Shared) continue;
      const std::uint32_t bytes = std::max(bytes_of_object(program_, id), kLeastObject);
      kernel_.widest_cell = std::max(kernel_.widest_cell, std::bit_ceil(bytes));
      kernel_.starts_at_zero = kernel_.starts_at_zero && !map_in(program_, id);
    }
    kernel_.outcome_length = program_.observables.size() + 1;
    kernel_.shared_bytes = std::size_t{in_one_piece ? 1U : shared_cell_bytes()} * shared_.most *
                           kernel_.layout.slots() * kernel_.layout.shape.batch;
    if (kernel_.shared_bytes <= kMaxSharedBytes) return;
    const SourceSpan span = program_.objects.empty() ? SourceSpan{} : program_.objects[0].span;
    errors_.push_back(
        {program_.source, span,
         fmt::format("{} instances need {} bytes of shared memory, but a block has only {}",
                     kernel_.layout.slots() * kernel_.layout.shape.batch, kernel_.shared_bytes, kMaxSharedBytes),
         "run fewer instances at a time: --block-threads, --batch"});
  }

  bool has_wide_cells() const {
    return std::ranges::any_of(program_.locations, [](const Location& cell) { return is_wide(cell.type); });
  }
  std::uint32_t shared_cell_bytes() const { return has_wide_cells() ? 16 : 8; }

  /// Returns the constants for cells of 16 bytes.
  std::string wide_cells() const {
    if (!has_wide_cells()) return {};
    return fmt::format("constexpr unsigned long long kTornMark = {:#x};  // in values that represent torn reads\n",
                       kTornMark) +
           kernel_text("wide.cuh") + "\n";
  }

  std::string title() const {
    return fmt::format("// {}: many instances at a time. Made by ambit emit cuda.\n\n", program_.name);
  }

  std::string constants() const {
    const Layout& layout = kernel_.layout;
    const auto line = [](std::string_view type, std::string_view name, std::uint64_t value, std::string_view what) {
      return fmt::format("constexpr {} {} = {};  // {}\n", type, name, value, what);
    };
    std::string text;
    text += line("unsigned", "kBlockThreads", in_gpu_ ? layout.shape.block_threads : layout.most_threads,
                 "maximum number of threads in a block of the grid");
    text += line("unsigned", "kTestGpus", layout.gpus(), "GPUs of the test");
    text += line("bool", "kIsDivided", layout.gpus() > 1 || layout.has_dependent_grids() ? 1 : 0,
                 "the clusters of the test are in several grids");
    text += line("unsigned", "kTestClusters", layout.clusters.size(), "clusters, and blocks without a cluster");
    text += line("unsigned", "kClusterBlocks", layout.cluster_blocks, "blocks of a cluster");
    text += line("unsigned", "kTestBlocks", layout.blocks(), "blocks of the test");
    text += line("unsigned", "kTestWarps", layout.warps, "warps of a block of the test");
    text += line("unsigned", "kTestLanes", layout.instance_lanes(), "threads of a warp of the test");
    text += line("unsigned", "kGroupWarps", layout.group_warps, "maximum number of warps for a thread of the test");
    text += line("unsigned", "kTestThreads", program_.threads.size(), "threads of the test");
    text += line("unsigned", "kLogLength", log_length(program_),
                 "accesses and fences that a recording kernel stores for each thread");
    text += line("bool", "kHasShared", shared_.most > 0 ? 1 : 0, "the test has shared memory");
    text += line("unsigned", "kSharedCell", shared_cell_bytes(), "bytes of a cell of shared memory");
    text += line("unsigned", "kSharedAlignment", shared_.alignment, "bytes");
    text += line("bool", "kIsAsynchronous", layout.is_asynchronous ? 1 : 0, "the test has asynchronous operations");
    if (layout.is_asynchronous) text += line("unsigned", "kSharedBytes", shared_.most, "shared memory of an instance");
    text += line("unsigned", "kOutcomeLength", kernel_.outcome_length, "values of an outcome: observables and flags");
    text += fmt::format("#define AMBIT_HARNESS_SCOPE \"{}\"  // scope of the harness's own synchronisation\n",
                        layout.gpus() == 1 ? "gpu" : "sys");
    return text + "\n";
  }

  /// Returns the detector's rules and the code that connects them to the kernel.
  std::string detector() const {
    if (!in_gpu_) return {};
    return kernel_text("events.h") + "\n" + kernel_text("memory.h") + "\n" +
           kernel_text(kernel_.layout.shape.detector->file) + "\n" + kernel_text("watch.h") + "\n";
  }
  std::string detection() const {
    if (!in_gpu_) return {};
    return "\n// ---- the detector's tables of the test ----\n\n" +
           in_gpu_tables(*in_gpu_, *kernel_.layout.shape.detector) + kernel_text("race_table.cuh") + "\n" +
           kernel_text("detection.cuh");
  }

  /// Returns the code of the transactional memory.
  std::string transactions() const {
    if (!has_transactions_) return {};
    return fmt::format("constexpr unsigned kFirstEntry = {};  // cells before the shadow entries\n\n",
                       first_entry(program_)) +
           kernel_text("stm.cuh") + "\n" + kernel_text("transactions.cuh");
  }
  /// Returns statements that reset all shadow entries.
  std::string reset_entries() const {
    std::string text;
    for (std::size_t i = 0; has_transactions_ && i < program_.locations.size(); ++i) {
      text += fmt::format("  *reinterpret_cast<unsigned*>(at.cell({})) = 0;  // entry of {}\n",
                          first_entry(program_) + i, program_.locations[i].name);
    }
    return text;
  }

  std::string pointer(LocationId location) const {
    const auto shared = shared_.number.find(location);
    const std::string& name = program_.locations[location].name;
    if (kernel_.layout.is_asynchronous) {
      const Location& cell = program_.locations[location];
      const MemoryObject& object = program_.objects[cell.object];
      if (shared != shared_.number.end()) return fmt::format("shared_at(at, {} /* {} */)", shared->second, name);
      return fmt::format("(at.cell({} /* {} */) + {})", object.first, name,
                         cell.index * bytes_of_cell(program_, object));
    }
    return shared == shared_.number.end() ? fmt::format("at.cell({} /* {} */)", location, name)
                                          : fmt::format("at.shared_cell({} /* {} */)", shared->second, name);
  }
  std::string cell(LocationId location) const {
    return fmt::format("*reinterpret_cast<{}*>({})", cell_type_name(program_.locations[location].type),
                       pointer(location));
  }

  /// Returns the function that turns an address into a cell. As in the model, an address names an object and an
  /// element.
  std::string locate() const {
    if (std::none_of(program_.threads.begin(), program_.threads.end(), computes_addresses)) return {};
    std::string text =
        "/// Returns this instance's cell at an address, or null. The upper half of an address is the object's number\n"
        "/// plus one, the lower half is the element.\n"
        "__device__ __forceinline__ char* locate(const Instance& at, long long address) {\n"
        "  const unsigned element = static_cast<unsigned>(address);\n"
        "  switch (address >> 32) {\n";
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      const MemoryObject& object = program_.objects[id];
      const auto shared = shared_.number.find(object.first);
      if (object.space == MemorySpace::Shared && shared == shared_.number.end()) continue;
      std::string where = fmt::format("at.cell({} + element)", object.first);
      if (const std::uint32_t alias = alias_number(program_, id)) {
        where = fmt::format("at.alias({} + element, {})", object.first, alias);
      }
      if (shared != shared_.number.end()) where = fmt::format("at.shared_cell({} + element)", shared->second);
      text += fmt::format("    case {}: return element < {}u ? {} : nullptr;  // {}\n", id + 1, object.length, where,
                          object.name);
    }
    return text + "    default: return nullptr;\n  }\n}\n\n" + (in_gpu_ ? in_gpu_locations(program_) : std::string());
  }

  /// Returns two functions: the first finds the test's thread for a place, the second runs this thread.
  std::string roles() const {
    std::string find =
        "/// Returns the test's thread at a place of the scope tree, or -1.\n"
        "__device__ __forceinline__ int role_of(unsigned place, unsigned warp, unsigned lane) {\n";
    std::string run = "__device__ __forceinline__ void run_role(int role, const Instance& at) {\n  switch (role) {\n";
    const Layout& layout = kernel_.layout;
    for (std::size_t c = 0; c < layout.clusters.size(); ++c) {
      for (std::size_t b = 0; b < layout.clusters[c].size(); ++b) {
        const TestBlock& block = layout.clusters[c][b];
        for (std::size_t w = 0; w < block.warps.size(); ++w) {
          for (std::size_t l = 0; l < block.warps[w].size() && layout.group_warps == 1; ++l) {
            find += fmt::format("  if (place == {} && warp == {} && lane == {}) return {};\n", layout.place(c, b), w, l,
                                block.warps[w][l]);
          }
        }
        if (layout.group_warps == 1) continue;
        const std::vector<std::size_t> warps = warps_in_groups(program_, block.threads());
        for (std::size_t w = 0; w < warps.size(); ++w) {
          find += fmt::format("  if (place == {} && warp == {}) return {};\n", layout.place(c, b), w, warps[w]);
        }
      }
    }
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      run += fmt::format("    case {}: return play_{}(at);\n", t, t);
    }
    return find + "  return -1;\n}\n\n" + run + "  }\n}\n\n";
  }

  /// Returns the initial value of an mbarrier. If the program itself initialises the mbarrier, the initial memory does
  /// not contain the mbarrier.
  std::string initial_mbarrier(const MemoryObject& object) const {
    const auto initialises = [&](const Instruction& instruction) {
      const auto& machine = instruction.machine;
      return machine != nullptr && machine->name.starts_with("mbarrier.init") &&
             object_of(machine->operands.front().value.constant) == program_.locations[object.first].object;
    };
    const bool is_own = std::ranges::any_of(
        program_.threads, [&](const Thread& thread) { return std::ranges::any_of(thread.code, initialises); });
    std::string text;
    for (LocationId i = object.first; i < object.first + object.length; ++i) {
      text += fmt::format("  reset_mbarrier({}, {});\n", pointer(i), is_own ? 0 : object.mbarrier->arrivals);
    }
    return text;
  }

  /// Returns statements that give an object its initial values. If many values are equal, a loop sets them.
  std::string initial_values(const MemoryObject& object) const {
    const Location& first = program_.locations[object.first];
    if (object.mbarrier && kernel_.layout.is_asynchronous) return initial_mbarrier(object);
    if (const auto map = map_in(program_, first.object)) {  // a copy in shared memory is reset by its user
      if (object.space == MemorySpace::Shared) return {};
      return fmt::format("  reset_map({}, {});\n  release_maps();\n", pointer(object.first),
                         made_map_text(program_, *map));
    }
    bool is_uniform = true;
    std::string text;
    for (LocationId i = object.first; i < object.first + object.length; ++i) {
      const Location& location = program_.locations[i];
      is_uniform = is_uniform && location.initial == first.initial;
      if (object.space == MemorySpace::Shared && !shared_.number.contains(i)) continue;
      text += fmt::format("  {} = {};\n", cell(i), literal(location.initial, location.type));
    }
    if (!is_uniform || object.length <= kLongestList || text.empty()) return text;
    if (kernel_.layout.is_asynchronous) {
      return fmt::format("  for (unsigned i = 0; i < {}; ++i) reinterpret_cast<{}*>({})[i] = {};\n", object.length,
                         cell_type_name(first.type), pointer(object.first), literal(first.initial, first.type));
    }
    const auto number = shared_.number.find(object.first);
    const bool is_shared = number != shared_.number.end();
    return fmt::format("  for (unsigned i = 0; i < {}; ++i) *reinterpret_cast<{}*>(at.{}({} + i)) = {};  // {}\n",
                       object.length, cell_type_name(first.type), is_shared ? "shared_cell" : "cell",
                       is_shared ? number->second : object.first, literal(first.initial, first.type), object.name);
  }

  /// Returns the functions that reset an instance's cells, load them into the cache and read the outcome.
  std::string memory() const {
    std::string reset = "__device__ __forceinline__ void reset(const Instance& at) {\n";
    if (in_gpu_) {
      reset = "__device__ __forceinline__ void read_outcome(const Instance& at, long long* values);\n\n" + reset +
              end_of_detection();
    }
    std::string preload =
        "/// Brings the instance's cells into this SM's cache.\n"
        "__device__ __forceinline__ void preload(const Instance& at) {\n";
    for (const MemoryObject& object : program_.objects) {
      if (object.alias_of || object.space == MemorySpace::Shared) continue;
      reset += initial_values(object);
      for (std::uint32_t i = 0; i < std::min(object.length, kMostPreloaded); ++i) {
        preload += fmt::format("  (void)*static_cast<volatile char*>({});\n", pointer(object.first + i));
      }
    }
    reset += reset_entries();
    reset += has_flags_ ? "  at.buffers.flags[at.number] = 0;\n}\n\n" : "}\n\n";
    return reset + preload + "}\n\n" + reset_shared() + keep_shared() + read();
  }

  std::string reset_shared() const {
    std::map<std::uint32_t, std::string> values;  // by place
    for (const MemoryObject& object : program_.objects) {
      if (object.alias_of || object.space != MemorySpace::Shared) continue;
      const auto place = shared_.place.find(program_.locations[object.first].object);
      if (place != shared_.place.end()) values[place->second] += initial_values(object);
    }
    std::string text =
        "__device__ __forceinline__ void reset_shared(unsigned place, const Instance& at) {\n  switch (place) {\n";
    for (const auto& [place, value] : values) text += fmt::format("    case {}:\n{}      break;\n", place, value);
    return text + "    default: break;\n  }\n}\n\n";
  }

  /// Returns code that determines how the instance ended, and passes the result to end_detection(). The races of an
  /// instance count only if the instance has completed.
  std::string end_of_detection() const {
    std::string text = "  RunEnd end = RunEnd::Whole;\n";
    if (const auto& filter = program_.condition.filter) {
      Thread observables;
      std::vector<std::string> values;
      for (std::size_t i = 0; i < program_.observables.size(); ++i) {
        observables.registers.push_back({program_.observables[i].name, program_.observables[i].type});
        values.push_back(fmt::format("({})values[{}]", type_name(program_.observables[i].type), i));
      }
      text += "  long long values[kOutcomeLength];\n  read_outcome(at, values);\n";
      text += fmt::format("  if (!({})) end = RunEnd::LeftOut;\n", condition(*filter, observables, values));
    }
    if (has_flags_) {
      text += "  if ((at.buffers.flags[at.number] & kDropped) != 0) end = RunEnd::LeftOut;\n";
      text += "  if ((at.buffers.flags[at.number] & kStepBound) != 0) end = RunEnd::GivenUp;\n";
    }
    return text + "  end_detection(at, end);\n";
  }

  std::string keep_shared() const {
    std::string text = "__device__ __forceinline__ void keep_shared_results(unsigned place, const Instance& at) {\n";
    for (std::size_t i = 0; i < program_.observables.size(); ++i) {
      const Observable& observable = program_.observables[i];
      if (observable.kind != Observable::Kind::Memory) continue;
      const ObjectId object = program_.locations[observable.location].object;
      const auto place = shared_.place.find(object);
      if (place == shared_.place.end()) continue;
      text += fmt::format("  if (place == {}) *at.result{}({}) = {};\n", place->second,
                          observable.type.bits >= 64 ? 64 : 32, i, cell(observable.location));
    }
    return text + "}\n\n";
  }

  std::string read() const {
    std::string text = "__device__ __forceinline__ void read_outcome(const Instance& at, long long* values) {\n";
    for (std::size_t i = 0; i < program_.observables.size(); ++i) {
      const Observable& observable = program_.observables[i];
      const bool is_memory = observable.kind == Observable::Kind::Memory;
      const bool is_shared =
          is_memory && program_.objects[program_.locations[observable.location].object].space == MemorySpace::Shared;
      std::string value;
      if (is_shared && !shared_.number.contains(observable.location)) {
        value = literal(program_.locations[observable.location].initial, kLongLong);  // no instruction writes the cell
      } else if (is_memory && !is_shared) {
        value = cell(observable.location);
      } else {
        value =
            fmt::format("({})*at.result{}({})", type_name(observable.type), observable.type.bits >= 64 ? 64 : 32, i);
      }
      text += fmt::format("  values[{}] = {};  // {}\n", i, value, observable.name);
    }
    text += fmt::format("  values[{}] = {};\n}}\n\n", program_.observables.size(),
                        has_flags_ ? "at.buffers.flags[at.number]" : "0");
    return text;
  }

  /// Returns the function for threads of the grid that run no thread of the test. These idle threads arrive at the
  /// barriers of their cluster.
  std::string run_without_thread(std::size_t arrivals) const {
    std::string text = "__device__ __forceinline__ void run_without_thread(const Parameters& parameters) {\n";
    if (arrivals > 0) {
      text += fmt::format("  for (unsigned i = 0; i < {} * parameters.batch; ++i) {{\n", arrivals);
      text += "    asm volatile(\"barrier.cluster.arrive;\" ::: \"memory\");\n";
      text += "    asm volatile(\"barrier.cluster.wait;\" ::: \"memory\");\n  }\n";
    }
    return text + "}\n";
  }

  const Program& program_;
  SharedCells shared_;
  std::optional<InGpuTest> in_gpu_;  ///< present if the kernel contains a detector
  Diagnostics errors_;
  Kernel kernel_;
  bool has_flags_ = false;  ///< some thread may set Instance::flag
  bool has_transactions_ = program_.first_transaction().has_value();
};

}  // namespace

std::uint32_t log_length(const Program& program) {
  constexpr std::size_t kLongestRun = 64;
  constexpr std::size_t kLeastOfThread = 16;
  return static_cast<std::uint32_t>(
      std::max(kLongestRun / std::max<std::size_t>(program.threads.size(), 1), kLeastOfThread));
}

std::string missing_on(const Kernel& kernel, std::uint32_t arch) {
  if (kernel.is_specific && arch != kernel.lowest_arch) {
    return fmt::format("this test's instructions exist on sm_{} only", kernel.lowest_arch);
  }
  return arch < kernel.lowest_arch ? fmt::format("this test's instructions need sm_{}", kernel.lowest_arch)
                                   : std::string();
}

Result<Kernel> emit(const Program& program, Shape shape) {
  const bool is_needed = is_on_hardware_mbarriers(program, shape) || has_dependent_grids(program);
  shape.hardware_mbarriers = false;
  if (is_needed && has_mbarriers_of_atomics(program)) {
    const Result<Program> changed = with_hardware_mbarriers(program);
    return changed ? emit(changed.value(), shape) : changed.errors();
  }
  if (const auto parted = with_own_warps(program)) return emit(*parted, shape);
  if (shape.detector != nullptr && shape.detector->runs_the_test) return emit_regions(program, shape);
  Result<Layout> layout = make_layout(program, shape);
  if (!layout) return layout.errors();
  return KernelEmitter(program, std::move(layout).value()).emit();
}

Result<Kernel> emit_largest(const Program& program, Shape shape) {
  Result<Kernel> wanted = emit(program, shape);
  if (wanted) return wanted;
  while (shape.batch > 1 || shape.block_threads > 32) {
    (shape.batch > 1 ? shape.batch : shape.block_threads) /= 2;
    Result<Kernel> smaller = emit(program, shape);
    if (smaller) return smaller;
  }
  return wanted;
}

}  // namespace ambit::cuda
