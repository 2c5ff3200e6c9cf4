#include "runner/standalone/standalone.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/asynchronous.h"
#include "core/expectation_text.h"
#include "core/proposition.h"
#include "core/wide_value.h"
#include "runner/cuda/emit/emit_names.h"
#include "runner/cuda/emit/warpgroups.h"
#include "runner/standalone/barrier_text.h"
#include "runner/standalone/host_text.h"
#include "runner/standalone/kernels_text.h"
#include "runner/standalone/launch_shape.h"
#include "runner/standalone/machine_parts.h"
#include "runner/standalone/thread_text.h"
#include "runner/standalone/values.h"

namespace ambit::standalone {
namespace {

/// The end of a kernel. This code waits, because some copies may still be pending, and no copy may outlive the block.
constexpr std::string_view kRest = R"(#ifndef __AMBIT__
  asm volatile("cp.async.wait_all;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" : : : "memory");
  __nanosleep(10000);
#endif
)";

/// Writes the program for a test that has separate code for each thread.
class ThreadsWriter {
 public:
  ThreadsWriter(const Program& program, const LogStyle& log) : program_(program), log_(log) {}

  Result<std::string> write() {
    const auto shape = launch_shape(program_);
    if (!shape) return shape.errors();
    shape_ = shape.value();
    if (has_opaque()) return std::move(errors_);
    declarations_ = find_declarations(program_);
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      threads_.push_back(thread_text(program_, t, declarations_, errors_));
    }
    const std::string memory = memory_text();
    const std::string kernel = kernel_text();
    if (!errors_.empty()) return std::move(errors_);
    const auto some = [&](auto member) {
      return std::any_of(threads_.begin(), threads_.end(), [&](const ThreadText& one) { return one.*member; });
    };
    std::string text =
        title_text(program_, some(&ThreadText::needs_sm_90a)) +
        includes_text(some(&ThreadText::uses_atomic_ref), some(&ThreadText::uses_groups) || meets_in_cluster());
    std::string code = "\n" + memory + "\n";
    if (some(&ThreadText::uses_clusters)) code += std::string(cluster_functions()) + "\n";
    if (has_groups_) code += std::string(group_functions()) + "\n";
    for (const ThreadText& thread : threads_) code += thread.definition + "\n";
    code += kernel + "\n" + annotations();
    text += renaming_text(code) + code;
    return text + "\n#ifndef __AMBIT__\n" + host_text(program_, host()) + "#endif\n";
  }

 private:
  void fail(SourceSpan span, std::string message) {
    errors_.push_back({program_.source, span, std::move(message), {}});
  }

  bool has_opaque() {
    for (const MemoryObject& object : program_.objects) {
      if (object.is_opaque) fail(object.span, "Ambit does not print threads with floating-point values: use a kernel");
    }
    return !errors_.empty();
  }

  // ---- memory ----

  bool is_first_of_name(ObjectId id) const {
    for (ObjectId other = 0; other < id; ++other) {
      if (variable_name(program_.objects[other]) == variable_name(program_.objects[id])) return false;
    }
    return true;
  }

  /// Returns the number of bytes at the start of the variable that wgmma products read.
  std::uint32_t bytes_of_factor(const MemoryObject& variable) const {
    std::uint32_t bytes = 0;
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      const bool is_same = variable_name(program_.objects[id]) == variable_name(variable);
      if (is_same) bytes = std::max(bytes, cuda::bytes_of_factor(program_, id));
    }
    return bytes;
  }

  /// Returns "= {1, 2}"; empty if all values are 0.
  std::string initializer(const MemoryObject& object) {
    std::vector<std::string> values;
    std::size_t used = 0;
    for (std::uint32_t i = 0; i < object.length; ++i) {
      const Location& cell = program_.locations[object.first + i];
      if (cell.type.bits == 64 && program_.location_at(cell.initial)) fail(object.span, "an address in memory");
      values.push_back(cuda::literal(cell.initial, cell.type));
      if (cell.initial != 0) used = i + 1;
    }
    if (used == 0) return {};
    if (!object.is_array) return " = " + values.front();
    values.resize(used);
    return fmt::format(" = {{{}}}", fmt::join(values, ", "));
  }

  void check_cells(const MemoryObject& object) {
    if (is_wide(object.type)) return fail(object.span, "CUDA C++ has no plain single access of 16 bytes");
    for (std::uint32_t i = 0; i < object.length; ++i) {
      const Location& cell = program_.locations[object.first + i];
      const std::string name = object.is_array ? fmt::format("{}[{}]", object.name, i) : object.name;
      if (cell.name != name || cell.type != object.type) {
        return fail(object.span, "Ambit does not print threads that use structs or arrays of arrays: use a kernel");
      }
    }
  }

  std::string memory_text() {
    std::string text;
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      const MemoryObject& object = program_.objects[id];
      if (object.alias_of) {
        fail(object.span, "CUDA C++ cannot give a variable a second virtual address");
        continue;
      }
      check_cells(object);
      if (!is_first_of_name(id)) continue;
      const bool is_shared = object.space == MemorySpace::Shared;
      const std::string length = object.is_array ? fmt::format("[{}]", object.length) : "";
      // Bulk copies require sizes and addresses that are multiples of 16 bytes. The state of an mbarrier has 64 bits,
      // even if the test's cell has a different size.
      const bool is_state = is_asynchronous_ && object.mbarrier;
      const std::string declaration =
          fmt::format("{}{} {}{} {}{}", is_asynchronous_ && !is_state ? "alignas(16) " : "",
                      is_shared ? "__shared__" : "__device__", declarations_.is_volatile[id] ? "volatile " : "",
                      is_state ? "unsigned long long" : cuda::type_name(object.type), variable_name(object), length);
      if (is_state) {
        text += declaration + ";\n";
        continue;
      }
      const std::string initial = initializer(object);
      const std::uint32_t cells = bytes_of_factor(object) * 8 / object.type.bits;
      if (cells > object.length && !object.is_array) fail(object.span, "this factor of wgmma is not an array");
      const std::string on_hardware = cells > object.length
                                          ? declaration.substr(0, declaration.rfind('[')) + fmt::format("[{}]", cells)
                                          : declaration;
      if (is_shared && (!initial.empty() || on_hardware != declaration)) {
        text += fmt::format("#ifdef __AMBIT__\n{}{};\n#else\n{};\n#endif\n", declaration, initial, on_hardware);
      } else {
        text += declaration + initial + ";\n";
      }
    }
    const std::size_t results = registers() + shared_cells().size();
    const bool drops =
        std::any_of(threads_.begin(), threads_.end(), [](const ThreadText& one) { return one.drops_runs; });
    if (results == 0 && !drops) return text;
    text += "\n#ifdef __AMBIT__\n#define OBSERVE(number, value)\n#else\n";
    if (results > 0) {
      text += fmt::format("__device__ long long observed[{}];\n", results);
      text += "#define OBSERVE(number, value) observed[number] = (long long)(value)\n";
    }
    // A run that violates an assumption does not count.
    if (drops) text += "__device__ int is_dropped;\n#define assume(e) if (!(e)) { is_dropped = 1; return; }\n";
    return text + "#endif\n";
  }

  // ---- results ----

  std::size_t registers() const {
    return static_cast<std::size_t>(
        std::count_if(program_.observables.begin(), program_.observables.end(),
                      [](const Observable& one) { return one.kind == Observable::Kind::Register; }));
  }
  /// Returns the observables that are cells of shared memory.
  std::vector<std::size_t> shared_cells() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < program_.observables.size(); ++i) {
      const Observable& one = program_.observables[i];
      if (one.kind == Observable::Kind::Register) continue;
      const MemoryObject& object = program_.objects[program_.locations[one.location].object];
      if (object.space == MemorySpace::Shared) found.push_back(i);
    }
    return found;
  }
  /// Returns the index of a register or shared cell among the results.
  std::size_t result_number(std::size_t observable) const {
    const auto in_array = [&](std::size_t i) {
      const Observable& one = program_.observables[i];
      return one.kind == Observable::Kind::Register ||
             program_.objects[program_.locations[one.location].object].space == MemorySpace::Shared;
    };
    std::size_t number = 0;
    for (std::size_t i = 0; i < observable; ++i) number += in_array(i) ? 1 : 0;
    return number;
  }

  // ---- the kernel ----

  std::string place_test(std::size_t t) const {
    const Thread& thread = program_.threads[t];
    std::string text;
    if (shape_.blocks > 1) text = fmt::format("blockIdx.x == {} && ", thread.place.block);
    if (!has_groups_) return text + fmt::format("threadIdx.x == {}", shape_.firsts[t]);
    return text + fmt::format("{}({}, {})", cuda::lanes_of(thread) > 1 ? "IS_GROUP" : "IS_THREAD", shape_.firsts[t],
                              LaunchShape::thread_of(thread.place));
  }

  /// Returns whether the blocks of a cluster need a barrier before and after the test. Before the test, the blocks
  /// initialise mbarriers that other blocks use. After the test, operations of other blocks may still access the memory
  /// of a block whose threads have ended.
  bool meets_in_cluster() const { return is_asynchronous_ && shape_.cluster > 1; }

  std::string register_name(std::size_t thread, RegisterId reg) const {
    return fmt::format("{}_{}", threads_[thread].name, identifiers(program_.threads[thread])[reg]);
  }

  std::string call_text(std::size_t t) const {
    std::string declarations;
    std::vector<std::string> arguments;
    std::string results;
    std::set<RegisterId> seen;
    for (std::size_t i = 0; i < program_.observables.size(); ++i) {
      const Observable& one = program_.observables[i];
      if (one.kind != Observable::Kind::Register || one.thread != t) continue;
      const std::string name = register_name(t, one.reg);
      results += fmt::format("    {}OBSERVE({}, {});\n", cuda::lanes_of(program_.threads[t]) > 1 ? "if (LEADS) " : "",
                             result_number(i), name);
      seen.insert(one.reg);
    }
    for (const RegisterId reg : seen) {
      const std::string name = register_name(t, reg);
      declarations += fmt::format("    {} {} = 0;\n", cuda::type_name(program_.threads[t].registers[reg].type), name);
      arguments.push_back(name);
    }
    return fmt::format("{}    {}({});\n{}", declarations, threads_[t].name, fmt::join(arguments, ", "), results);
  }

  /// Returns the code of threads that are in the launch but not in the test. These idle threads arrive at the
  /// barriers of their block, so that the barriers complete. Threads that the test declares without code do not
  /// arrive.
  std::string idle_text() {
    std::string text;
    std::set<int> blocks;
    for (const Thread& thread : program_.threads) blocks.insert(thread.place.block);
    for (const int block : blocks) {
      std::uint32_t acting = 0;        // The number of threads of the test in the block.
      std::uint32_t acting_lanes = 0;  // The number of launched threads that execute the test's threads.
      for (const Thread& one : program_.threads) {
        if (one.place.block != block) continue;
        ++acting;
        acting_lanes += cuda::lanes_of(one);
      }
      const auto launched = std::find_if(program_.blocks.begin(), program_.blocks.end(),
                                         [&](const BlockSize& one) { return one.block == block; });
      const bool all_act = acting == shape_.read_threads && acting_lanes == shape_.threads;
      if (all_act || (launched != program_.blocks.end() && launched->threads > acting)) continue;
      const auto barriers = block_barriers(program_, block);
      if (!barriers) {
        fail(
            program_.threads.front().span,
            fmt::format("a barrier that some threads of block {} may skip or repeat: the other threads of its warps do "
                        "not know whether they must arrive",
                        block));
        continue;
      }
      if (barriers->empty()) continue;
      has_idle_ = true;
      text += fmt::format(" else if (blockIdx.x == {}) {{\n", block);
      for (const std::string& one : *barriers) text += fmt::format("    {}\n", one);
      text += "  }";
    }
    return text;
  }

  std::string kernel_text() {
    const std::string cluster = shape_.cluster > 1 ? fmt::format("__cluster_dims__({}) ", shape_.cluster) : "";
    std::string text = fmt::format("__global__ {}void test_kernel() {{\n", cluster);
    const std::string initial = shared_values();
    if (!initial.empty()) {
      text +=
          fmt::format("#ifndef __AMBIT__\n  if (threadIdx.x == 0) {{\n{}{}  }}\n  __syncthreads();\n#endif\n", initial,
                      is_asynchronous_ ? "    asm volatile(\"fence.proxy.async;\" : : : \"memory\");\n" : "");
    }
    if (is_asynchronous_) text += mbarrier_text(program_, meets_in_cluster());
    if (meets_in_cluster()) text += "  cooperative_groups::this_cluster().sync();\n";
    text += has_groups_ ? "  FIND_GROUP();\n  " : "  ";
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      text += fmt::format("{}if ({}) {{\n{}  }}", t == 0 ? "" : " else ", place_test(t), call_text(t));
    }
    text += idle_text() + "\n";
    if (is_asynchronous_) text += kRest;
    if (meets_in_cluster()) text += "#ifndef __AMBIT__\n  cooperative_groups::this_cluster().sync();\n#endif\n";
    const std::vector<std::size_t> shared = shared_cells();
    if (shared.empty()) return text + "}\n";
    text += "#ifndef __AMBIT__\n  __syncthreads();\n";
    for (const std::size_t i : shared) {
      const Location& cell = program_.locations[program_.observables[i].location];
      const std::string name = name_with_block(cell);
      const std::size_t colon = name.find(':');
      text += fmt::format("  if (blockIdx.x == {} && threadIdx.x == 0) OBSERVE({}, {});\n", block_of(name),
                          result_number(i), name.substr(colon + 1));
    }
    return text + "#endif\n}\n";
  }

  /// Returns the name of a cell with its block: "b1:s[0]". In the test, a cell in the shared memory of a named block is
  /// "s[0]".
  std::string name_with_block(const Location& cell) const {
    const MemoryObject& object = program_.objects[cell.object];
    const bool has_block = !object.home || cell.name.find(':') != std::string::npos;
    return has_block ? cell.name : fmt::format("b{}:{}", object.home->block, cell.name);
  }

  /// Returns the block in a name: "1" for "b1:s[0]".
  static std::string block_of(const std::string& name) { return name.substr(1, name.find(':') - 1); }

  /// Returns code that stores the test's initial values into shared memory, which CUDA does not initialise.
  std::string shared_values() const {
    std::string text;
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      const MemoryObject& object = program_.objects[id];
      if (object.space != MemorySpace::Shared || object.alias_of || !is_first_of_name(id)) continue;
      if (is_asynchronous_ && object.mbarrier) continue;
      for (std::uint32_t i = 0; i < object.length; ++i) {
        const Location& cell = program_.locations[object.first + i];
        text += fmt::format("    {} = {};\n", cell.name.substr(cell.name.find(':') + 1),
                            cuda::literal(cell.initial, cell.type));
      }
    }
    return text;
  }

  // ---- comments for Ambit ----

  std::vector<std::string> annotation_names() const {
    std::vector<std::string> names;
    for (const Observable& one : program_.observables) {
      if (one.kind == Observable::Kind::Memory) {
        names.push_back(name_with_block(program_.locations[one.location]));
        continue;
      }
      const ThreadPlace& place = program_.threads[one.thread].place;
      names.push_back(
          fmt::format("b{}t{}:{}", place.block, LaunchShape::thread_of(place), register_name(one.thread, one.reg)));
    }
    return names;
  }

  std::string annotations() const {
    std::vector<std::string> lines = {
        fmt::format("launch test_kernel<<<{}, {}>>>();", shape_.blocks, shape_.read_threads)};
    const std::vector<std::string> names = annotation_names();
    const Condition& condition = program_.condition;
    if (condition.filter) {
      lines.push_back(fmt::format("filter ({})", proposition_text(*condition.filter, names, PropositionSyntax::C)));
    }
    if (condition.proposition && condition.quantifier != Quantifier::None) {
      lines.push_back(fmt::format("{} ({})", to_string(condition.quantifier),
                                  proposition_text(*condition.proposition, names, PropositionSyntax::C)));
    }
    const auto location_name = [&](LocationId location) { return name_with_block(program_.locations[location]); };
    for (const Expectation& one : program_.expectations) lines.push_back(expectation_text(one, location_name));
    for (const TerminationExpectation& one : program_.terminations) {
      // Under this scheduler, idle lanes of a warp can change the result.
      if (one.scheduler != Scheduler::Lockstep || !has_idle_) lines.push_back(expectation_text(one));
    }
    for (const SuiteLabel& one : program_.labels) lines.push_back(label_text(one));
    for (const DetectExpectation& one : program_.detections) lines.push_back(detection_text(one));
    std::string text;
    for (const std::string& line : lines) {
      if (!line.empty()) text += "// ambit: " + line + "\n";
    }
    return text;
  }

  // ---- the host ----

  HostPart host() const {
    HostPart part{.name = log_.test};
    std::set<std::string> observed;
    bool has_results = false;
    for (std::size_t i = 0; i < program_.observables.size(); ++i) {
      const Observable& one = program_.observables[i];
      const bool is_cell = one.kind == Observable::Kind::Memory;
      const Location* cell = is_cell ? &program_.locations[one.location] : nullptr;
      if (is_cell && program_.objects[cell->object].space == MemorySpace::Global) {
        observed.insert(program_.objects[cell->object].name);
        part.columns.push_back({log_.columns[i], cell->name});
      } else {
        has_results = true;
        part.columns.push_back({log_.columns[i], fmt::format("observed[{}]", result_number(i))});
      }
    }
    for (const MemoryObject& object : program_.objects) {
      if (object.space != MemorySpace::Global) continue;
      part.variables.push_back({object.name, "::" + object.name, observed.contains(object.name)});
    }
    if (has_results) part.variables.push_back({"observed", "::observed", true});
    for (const ThreadText& one : threads_) part.drops_runs = part.drops_runs || one.drops_runs;
    if (part.drops_runs) part.variables.push_back({"is_dropped", "::is_dropped"});
    part.launches =
        program_.has_grid_barrier()
            ? fmt::format("  check(cudaLaunchCooperativeKernel((void *)test_kernel, {}, {}, nullptr, 0, nullptr));\n",
                          shape_.blocks, shape_.threads)
            : fmt::format("  test_kernel<<<{}, {}>>>();\n", shape_.blocks, shape_.threads);
    return part;
  }

  const Program& program_;
  const LogStyle& log_;
  Diagnostics errors_;
  LaunchShape shape_;
  bool is_asynchronous_ = is_asynchronous(program_);
  bool has_groups_ = cuda::has_warpgroups(program_);
  bool has_idle_ = false;  ///< some launched threads are not in the test but arrive at the test's barriers
  Declarations declarations_;
  std::vector<ThreadText> threads_;
};

}  // namespace

Result<std::string> program_text(const Program& program, const std::optional<parser::KernelText>& kernels,
                                 const LogStyle& log) {
  if (auto error = grid_objection(program, "the printer of programs")) return *std::move(error);
  if (kernels) {
    if (auto text = kernels_text(program, *kernels, log)) return *std::move(text);
  }
  if (auto error = machine_objection(program)) return *std::move(error);
  return ThreadsWriter(program, log).write();
}

}  // namespace ambit::standalone
