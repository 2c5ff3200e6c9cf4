#include "runner/cuda/emit/emit_regions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/assert.h"
#include "runner/cuda/emit/emit_cells.h"
#include "runner/cuda/emit/emit_names.h"
#include "runner/cuda/emit/in_gpu.h"
#include "runner/cuda/emit/kernel_files.h"
#include "runner/sim/barrier_table.h"
#include "runner/sim/ldetector_regions.h"

namespace ambit::cuda {
namespace {

/// The words of a RunState after the cells and the threads' positions: registers, then arrivals at warp barriers.
class Words {
 public:
  explicit Words(const Program& program) : barriers_(program) {
    for (const Thread& thread : program.threads) {
      first_register_.push_back(count_);
      count_ += thread.registers.size();
    }
  }

  const sim::Barriers& barriers() const { return barriers_; }
  std::size_t count() const { return count_; }
  std::size_t of_register(std::size_t thread, RegisterId reg) const { return first_register_[thread] + reg; }
  /// Returns the index of the word that counts a thread's arrivals at a barrier.
  std::size_t of_arrivals(std::uint32_t barrier, std::uint32_t thread) {
    const auto [word, is_new] = arrivals_.try_emplace({barrier, thread}, count_);
    count_ += is_new ? 1 : 0;
    return word->second;
  }

 private:
  sim::Barriers barriers_;
  std::vector<std::size_t> first_register_;  ///< for each thread, the index of the word of its first register
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> arrivals_;
  std::size_t count_ = 0;
};

/// Writes the function that executes the steps of one thread. The thread's position is 2i + 1 before instruction i, and
/// 2i + 2 while the thread waits at a barrier in instruction i.
class StepEmitter {
 public:
  StepEmitter(const Program& program, std::uint32_t number, bool has_other_lanes, const InGpuTest& test, Words& words)
      : program_(program),
        thread_(program.threads[number]),
        number_(number),
        has_other_lanes_(has_other_lanes),
        test_(test),
        words_(words),
        names_(register_names(thread_)) {
    for (const Instruction& instruction : thread_.code) {
      if (const auto* branch = std::get_if<Branch>(&instruction.operation)) targets_.insert(branch->target);
      if (const auto* jump = std::get_if<Jump>(&instruction.operation)) targets_.insert(jump->target);
    }
  }

  std::string emit() {
    const ThreadPlace& at = thread_.place;
    text_ = fmt::format("/// {}: block {}, warp {}, lane {}.\n", thread_.name, at.block, at.warp, at.lane);
    text_ += fmt::format("__device__ __forceinline__ Step step_{}(WarpRun& run) {{\n", number_);
    for (RegisterId r = 0; r < names_.size(); ++r) {
      line("{0} {1} = ({0})run.word({2});", type_name(thread_.registers[r].type), names_[r],
           words_.of_register(number_, r));
    }
    line("ThreadPosition at = kExited;");
    line("Step how = Step::Done;");
    if (computes_addresses(thread_)) line("unsigned cell = kNone;");
    line("switch (run.position({})) {{", number_);
    line("case 0:;");
    std::uint32_t last_line = 0;
    for (index_ = 0; index_ < thread_.code.size(); ++index_) {
      write_label();
      text_ += source_comment(program_, thread_.code[index_].span, last_line);
      std::visit([this](const auto& operation) { write(operation); }, thread_.code[index_].operation);
    }
    write_label();
    line("}}");
    text_ += "stop:\n";
    line("run.set_position({}, at);", number_);
    for (RegisterId r = 0; r < names_.size(); ++r)
      line("run.word({}) = {};", words_.of_register(number_, r), names_[r]);
    line("return how;");
    return text_ + "}\n\n";
  }

 private:
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += "  " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }
  void write_label() {
    if (targets_.contains(index_)) text_ += fmt::format("L{}:;\n", index_);
  }
  std::string written(const Expr& expr) const { return expression(expr, thread_, names_); }
  std::size_t before() const { return 2 * index_ + 1; }
  std::size_t within() const { return 2 * index_ + 2; }

  /// Begins a step. If the warp has other lanes, the function returns here, so that these lanes can take their steps.
  void begin_step() {
    if (has_other_lanes_) stop_at(fmt::format("{}", before()), before());
  }
  void stop_at(const std::string& position, std::size_t place) {
    line("at = {};", position);
    line("goto stop;");
    line("case {}:;", place);
  }
  void give_up(const std::string& condition) {
    line("if ({}) {{", condition);
    line("  how = Step::GaveUp;");
    line("  goto stop;");
    line("}}");
  }

  struct Where {
    std::string location;    ///< number of the location, as C++ text
    bool is_certain = true;  ///< `location` is never kNone
  };
  Where locate(const MemoryAccess& access) {
    if (!access.address.is_constant()) {
      line("cell = location_of({});", written(access.address));
      return {"cell", false};
    }
    const std::optional<LocationId> location = program_.location_at(access.address.constant);
    return {location ? fmt::format("{} /* {} */", *location, program_.locations[*location].name) : "kNone",
            location.has_value()};
  }
  std::string site() const { return fmt::format("{}, {}", number_, test_.events[number_][index_].site); }

  void assign(RegisterId target, const std::string& value) {
    line("{} = ({})({});", names_[target], type_name(thread_.registers[target].type), value);
  }
  void write(const Assign& one) { assign(one.target, written(one.value)); }
  void write(const Load& load) {
    begin_step();
    const Where from = locate(load.access);
    const std::string value = fmt::format("run.load({}, {})", site(), from.location);
    assign(load.target, from.is_certain ? value : fmt::format("{} == kNone ? 0 : {}", from.location, value));
  }
  void write(const Store& store) {
    begin_step();
    const Where to = locate(store.access);
    line("{}run.store({}, {}, ({})({}));", to.is_certain ? "" : fmt::format("if ({} != kNone) ", to.location), site(),
         to.location, type_name(store.access.type), written(store.value));
  }
  void write(const Rmw& /*rmw*/) { AMBIT_ASSERT(false && "ldetector refuses atomics"); }
  void write(const Fence& /*fence*/) { begin_step(); }
  void write(const ProxyFence& /*fence*/) {}
  void write(const TransactionBegin& /*begin*/) { AMBIT_ASSERT(false && "ldetector refuses transactions"); }
  void write(const TransactionEnd& /*end*/) {}
  void write(const Branch& branch) {
    jump(branch.target, fmt::format("if ({}) ", condition(branch.condition, thread_, names_)));
  }
  void write(const Jump& go) { jump(go.target, ""); }
  void jump(std::size_t target, const std::string& condition) {
    if (target > index_) return line("{}goto L{};", condition, target);
    line("{}{{", condition);
    give_up("!run.may_jump_back()");
    line("goto L{};", target);
    line("}}");
  }
  void write(const Assume& assume) { give_up(fmt::format("!({})", condition(assume.condition, thread_, names_))); }
  void write(const Assert& /*assertion*/) {}
  void write(const AsyncStep& /*step*/) { AMBIT_ASSERT(false && "ldetector refuses asynchronous operations"); }

  void write(const Barrier& barrier) {
    const auto found = words_.barriers().find(number_, barrier, 0);
    AMBIT_ASSERT(found);
    begin_step();
    const std::uint32_t everyone = words_.barriers().everyone(*found);
    if (barrier.kind == BarrierKind::Block) {
      return stop_at(fmt::format("at_barrier({}, {}, {})", within(), *found, std::min(everyone, 0xffffU)), within());
    }
    // As in the models, a barrier for zero threads never completes.
    if (everyone == 0) return give_up("true");
    if (!has_other_lanes_) return;
    const std::string mine = fmt::format("run.word({})", words_.of_arrivals(*found, number_));
    line("++{};", mine);
    stop_at(fmt::format("{}", within()), within());
    std::vector<std::string> arrived;
    for (const std::uint32_t member : words_.barriers().members(*found)) {
      arrived.push_back(fmt::format("(run.word({}) >= {})", words_.of_arrivals(*found, member), mine));
    }
    line("if ({} < {}) {{", fmt::join(arrived, " + "), everyone);
    line("  at = {};", within());
    line("  how = Step::Waits;");
    line("  goto stop;");
    line("}}");
  }

  const Program& program_;
  const Thread& thread_;
  std::uint32_t number_;
  bool has_other_lanes_;
  const InGpuTest& test_;
  Words& words_;
  std::vector<std::string> names_;
  std::set<std::size_t> targets_;
  std::string text_;
  std::size_t index_ = 0;
};

std::string tables(const Program& program, const InGpuTest& test, const std::vector<sim::ldetection::Block>& blocks) {
  std::vector<std::uint32_t> threads;
  std::vector<std::size_t> first_thread = {0};
  std::vector<std::size_t> first_warp = {0};
  for (const sim::ldetection::Block& block : blocks) {
    for (const std::vector<std::uint32_t>& warp : block.warps) {
      threads.insert(threads.end(), warp.begin(), warp.end());
      first_thread.push_back(threads.size());
    }
    first_warp.push_back(first_thread.size() - 1);
  }
  std::vector<std::string> initial;
  for (const Location& location : program.locations) initial.push_back(literal(location.initial, {64, true}));
  std::string text;
  const auto table = [&](std::string_view type, std::string_view name, const auto& values) {
    text += fmt::format("__constant__ {} {}[] = {{{}}};\n", type, name, fmt::join(values, ", "));
  };
  table("unsigned char", "kThreads", threads);
  table("unsigned char", "kFirstThread", first_thread);
  table("unsigned char", "kFirstWarp", first_warp);
  table("unsigned char", "kIsShared", test.is_shared);
  table("long long", "kInitial", initial);
  return text + "\n";
}

/// Returns the layout of a kernel in which one thread runs a whole test.
Layout layout_of_one(Shape shape) {
  Layout layout;
  layout.clusters = {{TestBlock{0, {{0}}}}};
  layout.gpu_clusters = {1};
  layout.shape = shape;
  layout.shape.batch = 1;
  layout.shape.block_threads = std::max(shape.block_threads / 32, 1U) * 32;
  return layout;
}

}  // namespace

Result<Kernel> emit_regions(const Program& program, Shape shape) {
  if (auto remarks = examine(program, *shape.detector); !remarks) return remarks.errors();
  const InGpuTest test = make_in_gpu_test(program).value();
  const auto blocks = sim::ldetection::blocks_of(program);
  Words words(program);
  std::string steps;
  std::string machine =
      "struct TestMachine {\n"
      "  RegionTest test() const { return {kTestSize, {kThreads, kFirstThread, kFirstWarp}, kIsShared, kInitial}; }\n"
      "  Step step(WarpRun& run, unsigned thread) const {\n    switch (thread) {\n";
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const bool has_other_lanes = std::ranges::any_of(blocks, [&](const auto& block) {
      return std::ranges::any_of(
          block.warps, [&](const auto& warp) { return warp.size() > 1 && std::ranges::find(warp, t) != warp.end(); });
    });
    steps += StepEmitter(program, t, has_other_lanes, test, words).emit();
    machine += fmt::format("      case {}: return step_{}(run);\n", t, t);
  }
  machine += "      default: return Step::GaveUp;\n    }\n  }\n};\n\n";
  Kernel kernel;
  kernel.layout = layout_of_one(shape);
  kernel.test_size = test.size;
  kernel.test_size.words = static_cast<std::uint32_t>(words.count());
  const ambit_kernel::TestSize& size = kernel.test_size;
  kernel.source =
      fmt::format("// {}: many runs at a time, by ldetector. Made by ambit emit cuda.\n\n", program.name) +
      fmt::format("constexpr unsigned kBlockThreads = {};  // threads of a block of the grid\n\n",
                  kernel.layout.shape.block_threads) +
      kernel_text("parameters.h") + "\n" + kernel_text("events.h") + "\n" + kernel_text("memory.h") + "\n" +
      kernel_text(shape.detector->file) + "\n" + kernel_text("arithmetic.cuh") + "\n" + kernel_text("race_table.cuh") +
      "\n// ---- the test ----\n\n" +
      fmt::format("constexpr TestSize kTestSize = {{{}, {}, {}, {}, {}, {}, {}, {}}};\n", size.threads, size.warps,
                  size.lanes, size.blocks, size.granules, size.barriers, size.locations, size.words) +
      tables(program, test, blocks) + in_gpu_locations(program) + steps + machine + kernel_text("regions.cuh");
  kernel.instructions.resize(program.threads.size());
  kernel.is_straight.resize(program.threads.size(), false);
  return kernel;
}

}  // namespace ambit::cuda
