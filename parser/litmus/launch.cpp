#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/plural.h"
#include "parser/litmus/launch_sizes.h"
#include "parser/litmus/operand.h"
#include "parser/litmus/threads.h"
#include "parser/text/constant_arithmetic.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {
namespace {

using Triple = ThreadSetting::Triple;

constexpr std::uint64_t kMaxBlockThreads = 1024;
constexpr std::uint32_t kWarpSize = 32;
constexpr std::uint32_t kFirstBoundary = 0x10000;  // greater than all barrier numbers in device code
constexpr std::uint64_t kMaxGpus = 1024;

/// Returns the product of the three sizes, or the largest number if the product overflows.
std::uint64_t volume(const Triple& triple) {
  std::uint64_t product = 1;
  for (const std::uint32_t size : triple) {
    if (product > std::numeric_limits<std::uint64_t>::max() / size) return std::numeric_limits<std::uint64_t>::max();
    product *= size;
  }
  return product;
}

/// Returns whether the thread has a memory access or a barrier, so that it has an event in some execution.
bool has_events(const Thread& thread) {
  return std::any_of(thread.code.begin(), thread.code.end(), [](const Instruction& instruction) {
    const Operation& operation = instruction.operation;
    return std::holds_alternative<Load>(operation) || std::holds_alternative<Store>(operation) ||
           std::holds_alternative<Rmw>(operation) || std::holds_alternative<Barrier>(operation) ||
           std::holds_alternative<Assert>(operation) || std::holds_alternative<Assume>(operation) ||
           std::holds_alternative<AsyncStep>(operation);
  });
}

class Launcher {
 public:
  using Counters = std::optional<ThreadSetting::Grid::Counters>;

  Launcher(Assembly& assembly, const LaunchNode& node)
      : assembly_(assembly), node_(node), reporter_(assembly.reporter) {}

  /// Adds the threads of the launch. `before` contains the counters of the launch that this launch depends on. If
  /// `has_dependent` is set, returns the counters of this launch.
  Counters launch(int grid, Counters before, bool has_dependent, ClusterNumbers& clusters) {
    kernel_ = find_kernel();
    if (kernel_ == nullptr || !read_gpu() || !read_dimensions() || !check_size() || !check_clusters() ||
        !bind_arguments()) {
      return {};
    }
    grid_ = {.own = has_dependent ? make_counters() : Counters(),
             .before = std::move(before),
             .number = grid,
             .span = node_.span};
    int first_block = 0;
    for (const BlockSize& block : assembly_.program.blocks) {
      if (block.gpu == gpu_) first_block = std::max(first_block, block.block + 1);
    }
    std::size_t with_events = 0;
    const auto blocks = static_cast<std::uint32_t>(volume(blocks_));
    const auto threads = static_cast<std::uint32_t>(volume(block_));
    for (std::uint32_t block = 0; block < blocks; ++block) {
      const int number = first_block + static_cast<int>(block);
      assembly_.program.blocks.push_back({gpu_, number, threads});
      if (kernel_->cluster_blocks > 1) {
        clusters.declare({gpu_, number}, first_block + static_cast<int>(block / kernel_->cluster_blocks));
      }
      for (std::uint32_t thread = 0; thread < threads; ++thread) {
        Thread lowered = lower(block, thread, first_block);
        if (reporter_.has_errors()) return {};  // all threads of the launch would report the same errors
        if (!has_events(lowered)) continue;
        ++with_events;
        check_thread_count(assembly_.options, assembly_.program.threads.size() + 1, node_.span, assembly_.reporter);
        if (reporter_.has_errors()) return {};
        assembly_.program.threads.push_back(std::move(lowered));
      }
    }
    // If no thread has events, the program gets one thread without events.
    if (with_events == 0) assembly_.program.threads.push_back(lower(0, 0, first_block));
    return grid_.own;
  }

 private:
  ThreadSetting::Grid::Counters make_counters() {
    const auto make = [&](std::string_view what, std::uint64_t length) {
      const std::string name = fmt::format("%grid{}_{}", &node_ - assembly_.file.launches.data(), what);
      MemoryTable& memory = assembly_.memory;
      MemoryEntry* made =
          memory.declare_launch_array(name, Type{.scalar = kInt}, static_cast<Value>(length), node_.span);
      return made == nullptr ? ObjectId{0} : memory.object(*made, {});
    };
    ThreadSetting::Grid::Counters counters;
    counters.started = make("started", volume(blocks_));
    counters.finished = make("finished", 1);
    counters.blocks = static_cast<Value>(volume(blocks_));
    counters.threads = static_cast<Value>(volume(block_));
    return counters;
  }

  static Triple coordinates(std::uint32_t linear, const Triple& dim) {
    return {linear % dim[0], linear / dim[0] % dim[1], linear / dim[0] / dim[1]};
  }

  const FunctionNode* find_kernel() {
    const FunctionNode* found = assembly_.functions.find(node_.kernel.text);
    if (found == nullptr) {
      const auto kernels = assembly_.functions.names(true);
      error(node_.kernel.span, fmt::format("unknown kernel '{}'", node_.kernel.text),
            did_you_mean(node_.kernel.text, kernels, one_of("the kernels of this file are", kernels)));
    } else if (!found->is_kernel) {
      error(node_.kernel.span, fmt::format("'{}' is not a kernel", node_.kernel.text), "declare it __global__");
    } else if (!found->body) {
      error(node_.kernel.span, fmt::format("the kernel '{}' is declared but not defined", node_.kernel.text));
    } else {
      return found;
    }
    return nullptr;
  }

  /// Reads `on gpu N`. A launch without `on gpu` is on GPU 0.
  bool read_gpu() {
    for (const PlaceWord& word : node_.place) {
      if (word.level.text != "gpu" || node_.place.size() > 1) {
        error(node_.place.size() > 1 && word.level.text == "gpu" ? node_.place[1].level.span : word.level.span,
              "expected only the gpu of the launch", "write launch k<<<1, 2>>>() on gpu 1;");
        return false;
      }
      if (word.number >= kMaxGpus) {
        error(word.number_span, fmt::format("gpu {} does not exist: the highest is {}", word.number, kMaxGpus - 1));
        return false;
      }
      gpu_ = static_cast<int>(word.number);
    }
    return true;
  }

  bool read_dimensions() {
    const std::optional<LaunchSizes> sizes = read_launch_sizes(node_, assembly_.memory, reporter_);
    if (!sizes) return false;
    assembly_.memory.set_dynamic_shared(sizes->shared_bytes, node_.span);
    blocks_ = sizes->grid;
    block_ = sizes->block;
    return true;
  }

  bool check_size() {
    const std::uint64_t blocks = volume(blocks_);
    const std::uint64_t threads = volume(block_);
    const bool saturated = blocks > std::numeric_limits<std::uint64_t>::max() / threads;
    const std::uint64_t total = saturated ? std::numeric_limits<std::uint64_t>::max() : blocks * threads;
    const std::uint64_t most = assembly_.options.max_launched_threads;
    if (total > most) {
      error(node_.span,
            fmt::format("this launch has {}{} threads, more than the limit of {}", saturated ? "at least " : "", total,
                        most),
            "raise the limit with --max-threads");
      return false;
    }
    if (threads > kMaxBlockThreads) {
      error(node_.dimensions[1].span,
            fmt::format("this launch has blocks of {} threads; CUDA's limit is {}", threads, kMaxBlockThreads));
      return false;
    }
    return true;
  }

  /// Checks that the grid consists of whole clusters along x.
  bool check_clusters() {
    const std::uint32_t size = kernel_->cluster_blocks;
    if (size == 1 || (blocks_[0] % size == 0 && blocks_[1] == 1 && blocks_[2] == 1)) return true;
    error(node_.dimensions[0].span, fmt::format("a kernel with clusters of {0} blocks needs a grid of one dimension "
                                                "whose size is a multiple of {0}",
                                                size));
    return false;
  }

  bool bind_arguments() {
    if (node_.arguments.size() != kernel_->parameters.size()) {
      const std::size_t wanted = kernel_->parameters.size();
      error(node_.span,
            fmt::format("the kernel '{}' has {}, but {} passed here", kernel_->name.text, plural(wanted, "parameter"),
                        plural(node_.arguments.size(), "argument is", "arguments are")));
      return false;
    }
    for (std::size_t i = 0; i < node_.arguments.size(); ++i) {
      const Declarator& parameter = kernel_->parameters[i];
      std::optional<Operand> bound = bind(node_.arguments[i], parameter);
      if (!bound) return false;
      arguments_.push_back(*std::move(bound));
    }
    return true;
  }

  /// Returns the type of a parameter in this launch. A `void *` points to the type of the memory that the launch
  /// passes.
  Type type_in_launch(const LaunchArgumentNode& node, const Declarator& parameter) {
    if (!parameter.type.is_pointer || !parameter.type.is_void) return parameter.type;
    std::optional<Type> element;
    if (node.is_array() && !node.type.empty()) {
      element = can_be_in_memory(node.array.type) ? cell_of_pointers(node.array.type) : node.array.type;
    } else if (!node.is_array()) {
      const ExprNode* name = &node.value;
      while (name->kind != ExprKind::Name && !name->children.empty()) name = &name->children.front();
      const MemoryEntry* entry = name->kind == ExprKind::Name ? assembly_.memory.find(name->name) : nullptr;
      if (entry != nullptr && !entry->constant) element = entry->type;
    }
    if (!element || element->is_pointer) return parameter.type;
    element->is_pointer = true;
    element->is_volatile |= parameter.type.is_volatile;
    return *element;
  }

  std::optional<Operand> bind(const LaunchArgumentNode& node, const Declarator& declared) {
    Declarator parameter = declared;
    parameter.type = type_in_launch(node, declared);
    const bool is_fields = node.kind == LaunchArgumentNode::Kind::Fields;
    if (is_struct_value(parameter.type) && !parameter.type.is_reference) return bind_struct(node, parameter);
    if (parameter.type.is_tensor_map && !parameter.type.is_pointer) {
      return bind_tensor_map(is_fields || node.is_array() ? nullptr : &node.value, node.span, parameter);
    }
    std::optional<Expr> bound;
    if (node.is_array()) {
      bound = bind_array(node, parameter);
    } else if (is_fields) {
      return error(node.span, fmt::format("the argument for '{}' must be {}, but this is a list of fields",
                                          parameter.name.text, parameter.type.is_pointer ? "memory" : "a number"));
    } else {
      bound = parameter.type.is_pointer ? bind_pointer(node.value, parameter) : bind_number(node.value, parameter);
    }
    if (!bound) return std::nullopt;
    return Operand(*std::move(bound), parameter.type);
  }

  /// Binds a list of fields to a struct parameter: `S{1, data[4]}` to a struct with a number and a pointer.
  std::optional<Operand> bind_struct(const LaunchArgumentNode& node, const Declarator& parameter) {
    const StructNode& structure = *parameter.type.structure;
    const std::vector<StructLayout::Field>& fields = assembly_.memory.layout(structure).fields;
    const bool listed =
        node.kind == LaunchArgumentNode::Kind::Fields && (node.structure == nullptr || node.structure == &structure);
    if (!listed || node.fields.size() != fields.size()) {
      return error(node.span,
                   fmt::format("the argument for '{}' must be a list of the fields of '{}'", parameter.name.text,
                               structure.name.text),
                   fmt::format("write {}{{...}} with {}", structure.name.text, plural(fields.size(), "value")));
    }
    Operand whole(Expr{}, Type{.structure = &structure});
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].is_array) {
        return error(node.fields[i].span, "arrays in structs that are passed to kernels are not supported");
      }
      Declarator field;
      field.type = is_struct_value(fields[i].type) ? fields[i].type : cell_type(fields[i].type);
      field.name = {fields[i].name, parameter.name.span};
      if (field.type.is_tensor_map && !field.type.is_pointer) {
        return error(node.fields[i].span, "tensor maps in structs that are passed to kernels are not supported",
                     "pass each as a parameter: const __grid_constant__ CUtensorMap t");
      }
      std::optional<Operand> bound = bind(node.fields[i], field);
      if (!bound) return std::nullopt;
      if (is_struct_value(field.type)) {
        whole.fields.insert(whole.fields.end(), bound->fields.begin(), bound->fields.end());
      } else {
        whole.fields.push_back(*std::move(bound));
      }
    }
    return whole;
  }

  /// Binds the tensor map `t` to a parameter const __grid_constant__ CUtensorMap. The address of the parameter is the
  /// address of the map.
  std::optional<Operand> bind_tensor_map(const ExprNode* node, SourceSpan span, const Declarator& parameter) {
    const bool is_name = node != nullptr && node->kind == ExprKind::Name;
    MemoryEntry* entry = is_name ? assembly_.memory.find(node->name) : nullptr;
    if (entry == nullptr || !entry->type.is_tensor_map || entry->is_array || entry->is_shared) {
      return error(span, fmt::format("the argument for '{}' must be the name of a tensor map", parameter.name.text),
                   is_name ? fmt::format("declare it: {} = tensormap(g, {{4,4}}, {{2,2}});", node->name)
                           : "declare a map and pass its name: t = tensormap(g, {4,4}, {2,2});");
    }
    return Operand(Expr::make_constant(make_address(assembly_.memory.object(*entry, {}), 0), kAddress), parameter.type);
  }

  std::optional<Expr> bind_number(const ExprNode& node, const Declarator& parameter) {
    if (parameter.type.is_reference || parameter.type.is_atomic_ref || parameter.type.atomic_scope) {
      return error(parameter.name.span, fmt::format("the kernel parameter '{}' must be a number, a pointer or a struct",
                                                    parameter.name.text));
    }
    if (parameter.type.is_opaque && is_arithmetic_constant(node, assembly_.memory)) {
      return Operand::opaque(parameter.type).expr;
    }
    const std::optional<Expr> value = fold_constant(node, assembly_.memory);
    if (!value) return error(node.span, fmt::format("the argument for '{}' must be a constant", parameter.name.text));
    if (!parameter.type.is_bool &&
        !check_range(value->constant, value->result_type(), parameter.type, node.span, reporter_)) {
      return std::nullopt;
    }
    return Expr::make_constant(parameter.type.is_bool ? Value{value->constant != 0} : value->constant,
                               parameter.type.scalar);
  }

  /// Allocates the array that an argument `data[4]`, `int data[4] = 7` or `int[4]` creates.
  std::optional<Expr> bind_array(const LaunchArgumentNode& node, const Declarator& parameter) {
    if (!parameter.type.is_pointer) {
      return error(node.span, fmt::format("the argument for '{}' must be a constant", parameter.name.text),
                   "only the argument for a pointer can be an array");
    }
    Declarator array = node.array;
    if (array.name.text.empty() && !take_name(parameter, array)) return std::nullopt;
    Type element = parameter.type;
    element.is_pointer = false;
    element.is_volatile = false;  // the pointer is volatile, not the allocation
    if (!node.type.empty()) {
      const Type given = can_be_in_memory(array.type) ? cell_of_pointers(array.type) : array.type;
      if (element.is_void || !is_same_object_type(given, element) ||
          (given.is_volatile && !parameter.type.is_volatile)) {
        return error(node.span,
                     fmt::format("'{}' has elements of type {}, but the parameter '{}' points to {}", array.name.text,
                                 to_string(given), parameter.name.text, to_string(element)),
                     fmt::format("leave out the type, or write {} {}[N]", to_string(element), array.name.text));
      }
    }
    if (element.is_void) {
      return error(node.span,
                   fmt::format("the parameter '{}' points to void, so this array needs a type", parameter.name.text),
                   fmt::format("write the type: int {}[N]", array.name.text));
    }
    MemoryTable& memory = assembly_.memory;
    const std::optional<Expr> length = array.length ? fold_constant(*array.length, memory)
                                                    : Expr::make_constant(static_cast<Value>(array.values.size()));
    if (!length) return error(array.length->span, "the number in brackets must be a constant");
    const bool has_contents = array.initializer != Declarator::Initializer::None;
    MemoryEntry* made = memory.declare_launch_array(array.name.text, element, length->constant, node.span,
                                                    has_contents ? &array : nullptr);
    if (made == nullptr) return std::nullopt;
    return Expr::make_constant(make_address(memory.object(*made, {}), 0), kAddress);
  }

  /// If an array has no name, gives it the name of the kernel's parameter.
  bool take_name(const Declarator& parameter, Declarator& array) {
    const std::string_view name = parameter.name.text;
    if (!name.empty() && assembly_.memory.find(name) == nullptr) {
      array.name.text = name;
      return true;
    }
    error(array.name.span,
          name.empty() ? "this array needs a name, because the kernel's parameter has none"
                       : fmt::format("this array needs a name, because there is already memory with the name of its "
                                     "parameter, '{}'",
                                     name),
          "write the name after the type: int data[4]");
    return false;
  }

  std::nullopt_t error_of_memory(SourceSpan span, const Declarator& parameter) {
    return error(span, fmt::format("the argument for the pointer '{}' must be memory", parameter.name.text),
                 "data[N] allocates N elements; data or &x passes declared memory");
  }

  /// Binds the address of declared memory, `data`, `&x` or `&data[1]`, to a pointer parameter.
  std::optional<Expr> bind_pointer(const ExprNode& node, const Declarator& parameter) {
    Type element = parameter.type;
    element.is_pointer = false;
    const bool address = node.kind == ExprKind::Unary && node.unary == UnaryOp::AddressOf;
    const ExprNode& object = address ? node.children.front() : node;
    const bool indexed = object.kind == ExprKind::Index && object.children[0].kind == ExprKind::Name;
    const ExprNode& name = indexed ? object.children[0] : object;
    if (name.kind != ExprKind::Name || element.is_void) return error_of_memory(node.span, parameter);
    std::optional<Expr> number;
    if (indexed) {
      number = fold_constant(object.children[1], assembly_.memory);
      if (!number) return error(object.children[1].span, "the number in brackets must be a constant");
    }
    return bind_declared(name, node.span, number ? number->constant : 0, element, address);
  }

  std::optional<Expr> bind_declared(const ExprNode& name, SourceSpan span, Value index, const Type& element,
                                    bool address) {
    MemoryTable& memory = assembly_.memory;
    MemoryEntry* entry = memory.find(name.name);
    if (entry == nullptr || entry->constant || entry->is_shared) {
      return error(
          name.span,
          entry == nullptr ? fmt::format("unknown name '{}'", name.name)
                           : fmt::format("'{}' is not global memory", name.name),
          entry == nullptr ? fmt::format("write {}[N] to allocate N elements for this launch", name.name) : "");
    }
    // An argument that names a tensor map passes the address of the map in GPU memory.
    if (!entry->is_array && !address && !entry->type.is_tensor_map) {
      return error(span, fmt::format("'{}' is not a pointer", name.name), fmt::format("write &{}", name.name));
    }
    if (!is_same_object_type(entry->type, element) || (entry->type.is_volatile && !element.is_volatile)) {
      return error(span, fmt::format("'{}' is {}, but the parameter points to {}", name.name, to_string(entry->type),
                                     to_string(element)));
    }
    if (index < 0 || index >= entry->length) {
      return error(span, fmt::format("index {} is out of range: '{}' has {}", index, name.name,
                                     plural(entry->length, "element")));
    }
    return Expr::make_constant(make_address(memory.object(*entry, {}), static_cast<std::uint32_t>(index)), kAddress);
  }

  std::nullopt_t error(SourceSpan span, std::string message, std::string hint = {}) {
    reporter_.error(span, std::move(message), std::move(hint));
    return std::nullopt;
  }

  Thread lower(std::uint32_t block, std::uint32_t thread, int first_block) {
    ThreadSetting setting;
    const int number = first_block + static_cast<int>(block);
    setting.name = gpu_ == 0 ? fmt::format("b{}t{}", number, thread) : fmt::format("g{}b{}t{}", gpu_, number, thread);
    setting.place = {gpu_, 0, number, static_cast<int>(thread / kWarpSize), static_cast<int>(thread % kWarpSize)};
    setting.kernel = ThreadSetting::Coordinates{coordinates(thread, block_), coordinates(block, blocks_), block_,
                                                blocks_, kernel_->cluster_blocks};
    setting.grid = grid_;
    setting.grid.block = block;
    if (assembly_.maker != nullptr) return assembly_.maker->make(assembly_, setting, *kernel_, arguments_);
    return lower_thread(assembly_, std::move(setting), *kernel_, arguments_);
  }

  Assembly& assembly_;
  const LaunchNode& node_;
  Reporter& reporter_;
  const FunctionNode* kernel_ = nullptr;
  int gpu_ = 0;
  ThreadSetting::Grid grid_;
  Triple blocks_ = {1, 1, 1};
  Triple block_ = {1, 1, 1};
  std::vector<Operand> arguments_;
};

/// Adds a barrier between two stages of launches. The threads begin .. middle-1 of the first stage arrive at the end of
/// the thread. The threads middle .. end-1 of the next stage wait at the beginning of the thread.
void add_boundary(Assembly& assembly, std::size_t begin, std::size_t middle, std::size_t end, std::uint32_t number) {
  std::vector<Thread>& threads = assembly.program.threads;
  if (begin == middle || middle == end) return;
  Barrier barrier;
  barrier.kind = BarrierKind::Grid;
  barrier.id = kFirstBoundary + number;
  barrier.is_boundary = true;
  barrier.count = Expr::make_constant(static_cast<Value>(end - begin));
  for (std::size_t t = begin; t < end; ++t) {
    barrier.arrive_only = t < middle;
    std::vector<Instruction>& code = threads[t].code;
    const Instruction made{barrier, threads[t].span};
    if (barrier.arrive_only) {
      code.push_back(made);  // a jump to the end of the thread becomes a jump to the barrier
      continue;
    }
    for (Instruction& instruction : code) {
      if (auto* branch = std::get_if<Branch>(&instruction.operation)) ++branch->target;
      if (auto* jump = std::get_if<Jump>(&instruction.operation)) ++jump->target;
    }
    code.insert(code.begin(), made);
  }
}

/// Adds a barrier between consecutive stages. `stages` contains the index of the first thread of each stage. The last
/// entry of `stages` is the end of the last stage.
void separate(Assembly& assembly, const std::vector<std::size_t>& stages) {
  for (std::size_t i = stages.front(); i < stages.back(); ++i) {
    for (const Instruction& instruction : assembly.program.threads[i].code) {
      const auto* barrier = std::get_if<Barrier>(&instruction.operation);
      if (barrier == nullptr || barrier->kind != BarrierKind::Grid) continue;
      assembly.reporter.error(instruction.span, "a grid barrier is not supported if the test has several launches",
                              "check the launches one by one");
      return;
    }
  }
  std::vector<std::size_t> nonempty;  // the first thread of each stage that has threads, then the end
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    if (stages[i] != stages[i + 1]) nonempty.push_back(stages[i]);
  }
  nonempty.push_back(stages.back());
  for (std::size_t i = 0; i + 2 < nonempty.size(); ++i) {
    add_boundary(assembly, nonempty[i], nonempty[i + 1], nonempty[i + 2], static_cast<std::uint32_t>(i));
  }
}

/// Checks that a dependent launch has exactly one launch that it can depend on. `others` is the number of earlier
/// launches in the stage that are not dependent.
bool can_depend(const LaunchNode& node, std::size_t others, Assembly& assembly) {
  if (!node.is_dependent || others == 1) return true;
  assembly.reporter.error(
      node.span, others == 0
                     ? "there is no launch before this dependent launch"
                     : "several launches run before this dependent launch: it is unclear which launch it depends on");
  return false;
}

}  // namespace

/// Adds the threads of all launches. A stage contains concurrent launches, or a launch and its dependent launches. Each
/// stage begins when the previous stage has ended.
void add_launched_threads(Assembly& assembly, ClusterNumbers& clusters) {
  std::vector<std::size_t> stages = {assembly.program.threads.size()};
  const std::vector<LaunchNode>& launches = assembly.file.launches;
  std::size_t others = 0;  // number of launches in the stage that are not dependent
  Launcher::Counters before;
  const bool has_grids = std::ranges::any_of(launches, &LaunchNode::is_dependent);
  int grid = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const LaunchNode& node = launches[i];
    if (node.follows) {
      stages.push_back(assembly.program.threads.size());
      others = 0;
    }
    if (!can_depend(node, others, assembly)) return;
    if (!node.is_dependent) ++others;
    const bool has_dependent = i + 1 < launches.size() && launches[i + 1].is_dependent;
    if (!node.is_dependent) before.reset();
    if (has_grids && i > 0) grid += node.is_dependent ? 1 : 2;
    before = Launcher(assembly, node).launch(grid, std::move(before), has_dependent, clusters);
  }
  stages.push_back(assembly.program.threads.size());
  if (stages.size() > 2 && !assembly.reporter.has_errors()) separate(assembly, stages);
  if (!assembly.file.launches.empty()) return;
  for (const FunctionNode& function : assembly.file.functions) {
    if (!function.is_kernel || !function.body) continue;
    assembly.reporter.error(function.name.span, fmt::format("the kernel '{}' is never launched", function.name.text),
                            fmt::format("write launch {}<<<blocks, threads>>>(...);", function.name.text));
  }
}

void add_placed_threads(Assembly& assembly, ClusterNumbers& clusters) {
  std::vector<PlaceRequest> requests;
  for (const ThreadNode& node : assembly.file.threads) requests.push_back({node.name, &node.place});
  for (const PlacedThread& thread :
       place_threads(requests, "block", assembly.options, assembly.program, clusters, assembly.reporter)) {
    const ThreadNode& node = assembly.file.threads[thread.index];
    assembly.program.threads.push_back(
        lower_thread(assembly, {.name = std::string(node.name.text), .place = thread.place}, node));
  }
}

}  // namespace ambit::parser::litmus
