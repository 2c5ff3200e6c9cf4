#include "tests/compiled_kernels/random_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>
#include <utility>

namespace ambit::compiled_kernels {
namespace {

/// Cells that a kernel can access by an index.
struct Array {
  std::string name;
  unsigned elements = 1;  ///< a power of two
  std::vector<std::string> fields = {};
  bool is_read_only = false;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : seed_(seed), random_(seed) {}

  RandomKernel make() {
    choose_shape();
    const std::string globals = make_arrays();
    std::string body = make_begin();
    budget_ = 5 + below(5);
    while (budget_ > 0) body += statement(1);
    body += fmt::format("  out[{}] = {};\n", global_thread(), fmt::join(variables_, " * 3 + "));
    RandomKernel made;
    made.name = fmt::format("k{}", seed_);
    made.blocks = blocks_;
    made.threads = threads_;
    made.number = static_cast<int>(below(4));
    std::string parameters;
    std::string arguments;
    for (const Array& array : arrays_) {
      if (!is_argument(array)) continue;
      parameters += fmt::format("{} *{}, ", array.fields.empty() ? "int" : type_of(array), array.name);
      arguments += fmt::format("{}[{}], ", array.name, array.elements);
      made.buffers.push_back({array.name, array.elements, array.fields});
    }
    parameters += "int *out, int n";
    arguments += fmt::format("out[{}], {}", blocks_ * threads_, made.number);
    made.buffers.push_back({"out", blocks_ * threads_});
    made.buffers.insert(made.buffers.end(), device_.begin(), device_.end());
    made.text = fmt::format("{}extern \"C\" __global__ void {}({}) {{\n{}}}\n", globals, made.name, parameters, body);
    made.launch = fmt::format("{}<<<{}, {}>>>({})", made.name, blocks_, threads_, arguments);
    return made;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }

  // ---- shape and memory ----
  void choose_shape() {
    constexpr unsigned kShapes[6][2] = {{1, 2}, {1, 2}, {2, 1}, {1, 3}, {2, 2}, {1, 4}};
    const auto& shape = kShapes[below(6)];
    blocks_ = shape[0];
    threads_ = shape[1];
    is_disciplined_ = below(3) != 0;
  }

  static bool is_shared(const Array& array) { return array.name.starts_with("s"); }
  bool is_argument(const Array& array) const { return array.name.starts_with("g") || array.name.starts_with("t"); }
  std::string type_of(const Array& array) const { return fmt::format("S{}_{}", array.fields.size(), seed_); }

  std::string make_arrays() {
    const std::vector<std::string> two = {"a", "b"};
    const std::vector<std::string> three = {"a", "b", "c"};
    std::string text;
    arrays_.push_back({"g", 4});
    if (!one_in(3)) arrays_.push_back({"t", 2, one_in(2) ? two : three});
    if (!one_in(3)) arrays_.push_back({"s", 4});
    if (one_in(3)) arrays_.push_back({"st", 2, one_in(3) ? three : two});
    if (one_in(3)) arrays_.push_back({fmt::format("c{}", seed_), 4, {}, true});
    if (one_in(3)) arrays_.push_back({fmt::format("d{}", seed_), 2});
    bool has_struct[4] = {};
    for (const Array& array : arrays_) {
      if (array.fields.empty() || std::exchange(has_struct[array.fields.size()], true)) continue;
      text += fmt::format("struct {} {{ int {}; }};\n", type_of(array), fmt::join(array.fields, ", "));
    }
    for (const Array& array : arrays_) {
      if (array.name.starts_with("c")) text += fmt::format("__constant__ int {}[4] = {{1, 0, 3, 2}};\n", array.name);
      if (!array.name.starts_with("d")) continue;
      text += fmt::format("__device__ int {}[2] = {{1, 2}};\n", array.name);
      device_.push_back({array.name, 2, {}, false, {1, 2}});
    }
    return text;
  }

  /// Initialises shared memory before the first barrier.
  std::string make_begin() {
    std::string text;
    std::string values;
    for (const Array& array : arrays_) {
      if (!is_shared(array)) continue;
      text += fmt::format("  __shared__ {} {}[{}];\n", array.fields.empty() ? "int" : type_of(array), array.name,
                          array.elements);
      for (unsigned i = 0; i < array.elements; ++i) {
        const std::vector<std::string> fields = array.fields.empty() ? std::vector<std::string>{""} : array.fields;
        for (const std::string& field : fields) {
          values += fmt::format("    {}[{}]{}{} = {};\n", array.name, i, field.empty() ? "" : ".", field, below(3));
        }
      }
    }
    if (!values.empty()) text += fmt::format("  if (threadIdx.x == 0) {{\n{}  }}\n  __syncthreads();\n", values);
    text += "  int x0 = n;\n";
    variables_ = {"x0"};
    return text;
  }

  std::string global_thread() const {
    if (blocks_ == 1) return "threadIdx.x";
    return threads_ == 1 ? "blockIdx.x" : fmt::format("blockIdx.x * {} + threadIdx.x", threads_);
  }
  std::string thread() const { return threads_ == 1 ? "(int)blockIdx.x" : "(int)threadIdx.x"; }

  // ---- expressions ----
  std::string value(unsigned depth = 1) {
    if (depth == 0 || one_in(3)) {
      switch (below(4)) {
        case 0: return std::to_string(below(4));
        case 1: return thread();
        case 2: return loop_.empty() ? "n" : loop_;
        default: return pick(variables_);
      }
    }
    const std::vector<std::string> operators = {"+", "-", "^", "&", "*", "|", "<", "==", "%", ">>"};
    const std::string& op = pick(operators);
    if (op == "%") return fmt::format("({} % 3)", pick(variables_));
    if (op == ">>") return fmt::format("({} >> 1)", value(depth - 1));
    const std::string left = value(depth - 1);
    const std::string right = value(depth - 1);
    return fmt::format("({} {} {})", left, op, right);
  }

  std::string condition() {
    const std::vector<std::string> operators = {"==", "!=", "<", ">"};
    if (one_in(3)) return fmt::format("({} & 1) != 0", value());
    const std::string left = one_in(2) ? thread() : value();
    const std::string& op = pick(operators);
    return fmt::format("{} {} {}", left, op, below(3));
  }

  std::string index(unsigned elements) {
    const bool has_own = threads_ * blocks_ <= elements && (blocks_ == 1 || threads_ == 1);
    if (has_own && (is_disciplined_ ? !one_in(4) : one_in(3))) return thread();
    if (!loop_.empty() && one_in(3)) return fmt::format("({} + {}) & {}", loop_, below(3), elements - 1);
    if (one_in(3)) return std::to_string(below(elements));
    return fmt::format("{} & {}", value(), elements - 1);
  }

  const Array& array(bool for_writing) {
    for (;;) {
      const Array& found = pick(arrays_);
      if (!for_writing || !found.is_read_only) return found;
    }
  }

  std::string cell(const Array& array) {
    const std::string element = fmt::format("{}[{}]", array.name, index(array.elements));
    return array.fields.empty() ? element : fmt::format("{}.{}", element, pick(array.fields));
  }

  /// An address of an int.
  std::string address() { return "&" + cell(array(true)); }

  // ---- statements ----
  std::string spaces(unsigned depth) const { return std::string(2 * depth, ' '); }

  std::string fresh(unsigned depth, const std::string& expr) {
    // The scope of a name that is declared in an inner block ends with the block. An inner block therefore assigns to
    // an outer variable instead of declaring a new variable.
    if (depth > 1 || variables_.size() > 4) return fmt::format("{}{} = {};\n", spaces(depth), pick(variables_), expr);
    std::string name = fmt::format("x{}", variables_.size());
    std::string text = fmt::format("{}int {} = {};\n", spaces(depth), name, expr);
    variables_.push_back(std::move(name));
    return text;
  }

  /// An access of a cell, written as an lvalue.
  std::string access(unsigned depth, const std::string& cell, bool is_writable) {
    spend();
    const unsigned kind = below(is_writable ? 10 : 3);
    if (kind < 3) return fresh(depth, cell);
    if (kind < 6) return fmt::format("{}{} = {};\n", spaces(depth), cell, value());
    if (kind == 6) return fresh(depth, fmt::format("*(volatile int *)&{}", cell));
    const std::string target = cell.starts_with("*") ? cell.substr(1) : "&" + cell;
    const std::vector<std::string> names = {"atomicAdd", "atomicExch", "atomicMax", "atomicOr", "atomicAdd_block"};
    const std::string operand = value();
    if (one_in(4)) return fresh(depth, fmt::format("atomicCAS({}, {}, {})", target, below(2), operand));
    const std::string call = fmt::format("{}({}, {})", pick(names), target, operand);
    return one_in(2) ? fmt::format("{}{};\n", spaces(depth), call) : fresh(depth, call);
  }

  void spend() { budget_ -= budget_ > cost_ ? cost_ : budget_; }

  std::string block(unsigned depth, unsigned most) {
    std::string text;
    for (unsigned i = 0; i < 1 + below(most); ++i) text += statement(depth);
    return text;
  }

  std::string statement(unsigned depth) {
    const unsigned kind = below(depth > 2 ? 4 : 14);
    if (kind < 4) {
      const Array& chosen = array(false);
      return access(depth, cell(chosen), !chosen.is_read_only);
    }
    if (kind == 4) return branch(depth);
    if (kind == 5) return loop(depth);
    if (kind < 8 && depth == 1) return barrier(depth);
    if (kind == 8) return fresh(depth, value(2));
    if (kind == 9) return struct_pointer(depth);
    return pointer(depth);
  }

  std::string barrier(unsigned depth) {
    if (budget_ > 0) --budget_;
    return spaces(depth) + (one_in(4) ? "__threadfence();\n" : "__syncthreads();\n");
  }

  std::string branch(unsigned depth) {
    const std::string decision = condition();
    std::string text = fmt::format("{}if ({}) {{\n{}", spaces(depth), decision, block(depth + 1, 2));
    if (one_in(2)) text += fmt::format("{}}} else {{\n{}", spaces(depth), block(depth + 1, 2));
    return text + spaces(depth) + "}\n";
  }

  std::string loop(unsigned depth) {
    if (!loop_.empty()) return branch(depth);
    loop_ = "i";
    const unsigned count = 2 + below(2);
    cost_ = count;
    std::string text = fmt::format("{}for (int i = 0; i < {}; ++i) {{\n{}", spaces(depth), count, block(depth + 1, 2));
    if (one_in(3) && depth == 1) text += spaces(depth + 1) + "__syncthreads();\n";
    loop_.clear();
    cost_ = 1;
    return text + spaces(depth) + "}\n";
  }

  std::string pointer_name() { return fmt::format("p{}", pointers_++); }

  /// A pointer that several statements set, and accesses through the pointer.
  std::string pointer(unsigned depth) {
    const std::string name = pointer_name();
    std::string text;
    const std::string pad = spaces(depth);
    const unsigned kind = below(4);
    if (kind == 3) return moving_pointer(depth, name);
    const std::string decision = condition();
    const std::string first = address();
    const std::string second = address();
    const std::string inner = spaces(depth + 1);
    const std::string before_first = kind == 2 ? access(depth + 1, cell(array(true)), true) : "";
    const std::string before_second = kind != 0 && !one_in(3) ? access(depth + 1, cell(array(true)), true) : "";
    if (kind == 0) {
      text = fmt::format("{}int *{} = {} ? {} : {};\n", pad, name, decision, first, second);
    } else if (kind == 1) {
      text = fmt::format("{0}int *{1} = {2};\n{0}if ({3}) {{\n{4}{5}{1} = {6};\n{0}}}\n", pad, name, first, decision,
                         before_second, inner, second);
    } else {
      text = fmt::format("{0}int *{1};\n{0}if ({2}) {{\n{3}{4}{1} = {5};\n{0}}} else {{\n{6}{4}{1} = {7};\n{0}}}\n",
                         pad, name, decision, before_first, inner, first, before_second, second);
    }
    text += access(depth, "*" + name, true);
    if (one_in(3)) text += access(depth, "*" + name, true);
    return text;
  }

  /// Returns code with a pointer that a loop moves through an array. The pointer never moves past the end of the array.
  std::string moving_pointer(unsigned depth, const std::string& name) {
    std::vector<const Array*> numbers;
    for (const Array& array : arrays_) {
      if (array.fields.empty() && array.elements == 4) numbers.push_back(&array);
    }
    const Array& target = *pick(numbers);
    const std::string pad = spaces(depth);
    const std::string start = one_in(2) ? std::to_string(below(2)) : value() + " & 1";
    std::string text =
        fmt::format("{}{}int *{} = &{}[{}];\n", pad, target.is_read_only ? "const " : "", name, target.name, start);
    const std::string moved = fmt::format("{}  if ({}) ++{};\n", pad, condition(), name);
    cost_ = 2;
    const std::string used = access(depth + 1, one_in(2) ? "*" + name : name + "[1]", !target.is_read_only);
    cost_ = 1;
    // The pointer moves at most two steps from element 0 or 1, and only one step if the body accesses `name[1]`.
    const std::string step =
        used.find("[1]") == std::string::npos ? moved : fmt::format("{}  if (j == 0) ++{};\n", pad, name);
    const std::string both = one_in(2) ? step + used : used + step;
    return text + fmt::format("{}for (int j = 0; j < 2; ++j) {{\n{}{}}}\n", pad, both, pad);
  }

  std::string struct_pointer(unsigned depth) {
    std::vector<const Array*> structs;
    for (const Array& array : arrays_) {
      if (!array.fields.empty()) structs.push_back(&array);
    }
    if (structs.empty()) return pointer(depth);
    const Array& target = *pick(structs);
    const std::string name = pointer_name();
    const std::string pad = spaces(depth);
    const std::string decision = condition();
    const std::string first = index(2);
    const std::string second = index(2);
    std::string text = fmt::format("{}{} *{} = {} ? &{}[{}] : &{}[{}];\n", pad, type_of(target), name, decision,
                                   target.name, first, target.name, second);
    const std::string field = fmt::format("{}->{}", name, pick(target.fields));
    text += access(depth, field, true);
    const std::string other = fmt::format("{}->{}", name, pick(target.fields));
    if (one_in(2)) text += access(depth, other, true);
    return text;
  }

  std::uint64_t seed_;
  std::mt19937_64 random_;
  unsigned blocks_ = 1;
  unsigned threads_ = 1;
  bool is_disciplined_ = false;  ///< most accesses go to the thread's own elements
  unsigned budget_ = 0;          ///< number of accesses that a thread may still make
  unsigned cost_ = 1;            ///< cost of one access: the number of iterations of the enclosing loops
  unsigned pointers_ = 0;
  std::string loop_;
  std::vector<Array> arrays_;
  std::vector<Buffer> device_;
  std::vector<std::string> variables_;
};

}  // namespace

std::vector<std::string> Buffer::words() const {
  std::vector<std::string> names;
  for (unsigned i = 0; i < elements; ++i) {
    const std::string element = fmt::format("{}[{}]", name, i);
    if (fields.empty()) names.push_back(element);
    for (const std::string& field : fields) names.push_back(element + "." + field);
  }
  return names;
}

RandomKernel random_kernel(std::uint64_t seed) { return Generator(seed).make(); }

}  // namespace ambit::compiled_kernels
