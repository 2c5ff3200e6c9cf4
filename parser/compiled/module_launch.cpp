#include "parser/compiled/module_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "base/plural.h"
#include "parser/compiled/declarations.h"
#include "parser/compiled/element_type.h"
#include "parser/compiled/launch_text.h"
#include "parser/compiled/launched_number.h"
#include "parser/compiled/mangled_name.h"
#include "parser/litmus/launch_sizes.h"
#include "parser/text/memory_table.h"

namespace ambit::parser::compiled {
namespace {

using assembly::Variable;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;

LaunchedArray::Numbers numbers_of(const LaunchArgumentNode& argument) {
  using Numbers = LaunchedArray::Numbers;
  const Type& type = argument.array.type;
  if (argument.type.empty() || type.is_pointer || type.structure != nullptr) return Numbers::Unknown;
  if (type.is_opaque) {
    return argument.type.find("bfloat16") == argument.type.npos ? Numbers::Floating : Numbers::BrainFloat;
  }
  return type.scalar.is_signed && !type.is_bool ? Numbers::Signed : Numbers::Unsigned;
}

class ModuleLaunchReader {
 public:
  ModuleLaunchReader(const assembly::Module& module, const std::string& text)
      : module_(module),
        written_{text, {1, 1, 0}},
        reporter_(std::make_shared<const SourceFile>(SourceFile{"--launch", text})),
        memory_(options_, reporter_, program_) {}

  Result<ModuleLaunch> read() {
    const std::optional<ParsedLaunch> parsed = parse_launch(written_, reporter_);
    if (!parsed || !is_one_launch(parsed->file)) return reporter_.take();
    const LaunchNode& node = parsed->node();
    kernel_ = find_kernel(module_, written_, reporter_);
    if (kernel_ == nullptr || !read_sizes(node) || !check_count(node)) return reporter_.take();
    made_.kernel = kernel_->name;
    const Declarations declarations(module_, *kernel_, node.arguments, kernel_->name);
    if (!declarations.check(node.arguments, reporter_)) return reporter_.take();
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
      const std::vector<ParameterField>& fields = declarations.fields(i);
      const bool is_struct = parameter(i).is_array && node.arguments[i].kind == LaunchArgumentNode::Kind::Fields;
      for (std::size_t j = 0; j < fields.size(); ++j) {
        const LaunchArgumentNode& argument = is_struct ? node.arguments[i].fields[j] : node.arguments[i];
        if (is_struct && fields[j].offset + fields[j].bytes > parameter(i).size()) {
          error(argument.span, fmt::format("this field is outside the kernel's parameter, which has {}",
                                           plural(parameter(i).size(), "byte")));
          return reporter_.take();
        }
        add(argument, fields[j], i);
      }
    }
    if (reporter_.has_errors()) return reporter_.take();
    return std::move(made_);
  }

 private:
  const Variable& parameter(std::size_t i) const { return module_.variables[kernel_->parameters[i].index]; }

  void error(const SourceSpan& span, std::string message, std::string hint = {}) {
    reporter_.error(span, std::move(message), std::move(hint));
  }

  bool is_one_launch(const FileNode& file) {
    const LaunchNode& node = file.launches.front();
    const bool has_more = file.launches.size() > 1 || !file.functions.empty() || !file.memory.empty() ||
                          !file.threads.empty() || !file.conditions.empty() || !file.expectations.empty() ||
                          !file.filters.empty() || !file.labels.empty() || !file.detections.empty() ||
                          !file.tensor_maps.empty() || !file.structs.empty();
    if (!has_more && !node.follows && !node.is_dependent && node.place.empty()) return true;
    error(node.span, "expected one launch and nothing else", "write kernel<<<2, 64>>>(int data[64] = 1, 5)");
    return false;
  }

  bool read_sizes(const LaunchNode& node) {
    const auto sizes = litmus::read_launch_sizes(node, memory_, reporter_);
    if (!sizes) return false;
    if (sizes->shared_bytes > Value{std::numeric_limits<std::uint32_t>::max()}) {
      error(node.dimensions[2].span, "the shared memory of a block is too large");
      return false;
    }
    made_.grid = sizes->grid;
    made_.block = sizes->block;
    made_.dynamic_shared_bytes = static_cast<std::uint32_t>(sizes->shared_bytes);
    return true;
  }

  bool check_count(const LaunchNode& node) {
    const std::size_t wanted = kernel_->parameters.size();
    if (node.arguments.size() == wanted) return true;
    error(node.span,
          fmt::format("the kernel '{}' has {}, but {} passed here", written_.kernel(), plural(wanted, "parameter"),
                      plural(node.arguments.size(), "argument is", "arguments are")),
          "write an array, such as data[64], for each pointer, and a number for each other parameter");
    return false;
  }

  void add(const LaunchArgumentNode& argument, const ParameterField& field, std::size_t i) {
    LaunchedValue value;
    value.parameter = i;
    value.offset = field.offset;
    value.bytes = field.bytes;
    const bool is_address = argument.is_array() || field.is_memory;
    if (is_address && !field.is_memory) {
      return error(argument.span,
                   fmt::format("argument {} is an array, but the kernel's parameter has {}", i + 1,
                               plural(parameter(i).size(), "byte")),
                   "write an array, such as data[64], for each pointer, and a number for each other parameter");
    }
    if (argument.kind == LaunchArgumentNode::Kind::Fields) {
      return error(argument.span, fmt::format("argument {} is a list of fields, but the parameter is a number", i + 1));
    }
    if (argument.is_array()) {
      if (!add_array(argument, field, i, value)) return;
    } else if (is_address) {
      if (!find_address(argument.value, value)) return;
    } else if (field.bytes == 0) {
      return error(argument.span,
                   fmt::format("argument {} is a number, but the kernel's parameter has no size", i + 1));
    } else {
      const ElementType type = {std::min(field.bytes, 8U), field.is_floating, false};
      const auto bits = launched_number(argument.value, type, {}, memory_, reporter_);
      if (!bits) return;
      value.value = *bits;
      value.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(type.bytes, parameter(i).size()));
    }
    made_.values.push_back(std::move(value));
  }

  bool add_array(const LaunchArgumentNode& argument, const ParameterField& field, std::size_t i, LaunchedValue& value) {
    const Declarator& declared = argument.array;
    const std::optional<ElementType> element = type_of(argument, field, i);
    const std::optional<std::uint64_t> length = length_of(argument);
    if (!element || !length) return false;
    LaunchedArray array;
    array.name = declared.name.text;
    array.argument = i;
    array.bytes = element->bytes;
    array.numbers = numbers_of(argument);
    array.length = *length;
    value.kind = LaunchedValue::Kind::Array;
    const auto known = std::ranges::find(made_.arrays, array.name, &LaunchedArray::name);
    const bool is_known = known != made_.arrays.end() && !array.name.empty();
    const bool is_same = is_known && known->bytes == array.bytes && known->length == array.length;
    if (is_same && declared.initializer == Declarator::Initializer::None) {
      value.array = static_cast<std::size_t>(known - made_.arrays.begin());
      return true;
    }
    if (is_known) {
      error(argument.span,
            is_same ? fmt::format("'{}' already exists, so this argument cannot change its contents", array.name)
                    : fmt::format("'{}' is already declared differently", array.name),
            fmt::format("to pass it to the kernel, write {0} or &{0}[0]", array.name));
      return false;
    }
    if (!read_contents(argument, *element, array)) return false;
    value.array = made_.arrays.size();
    made_.arrays.push_back(std::move(array));
    return true;
  }

  std::optional<ElementType> type_of(const LaunchArgumentNode& argument, const ParameterField& field, std::size_t i) {
    const Type& type = argument.array.type;
    if (!argument.type.empty()) {
      const std::uint64_t bytes = type.is_pointer ? 8 : memory_.size_of(type);
      return ElementType{static_cast<std::uint32_t>(bytes), type.is_opaque && !type.is_pointer, false};
    }
    const auto element = element_type(module_, *kernel_, i, field.offset);
    const std::string_view name = argument.array.name.text;
    if (!element) {
      error(argument.span, fmt::format("the kernel's accesses do not show the type of the elements of '{}'", name),
            fmt::format("write the type: int {}[...]", name));
    }
    return element;
  }

  std::optional<std::uint64_t> length_of(const LaunchArgumentNode& argument) {
    const Declarator& array = argument.array;
    if (!array.length) return array.values.size();
    const std::optional<Expr> length = fold_constant(*array.length, memory_);
    if (!length) {
      error(array.length->span, "the number in brackets must be a constant");
      return std::nullopt;
    }
    if (length->constant >= 1 && static_cast<std::uint64_t>(length->constant) <= kMostBytes) {
      return static_cast<std::uint64_t>(length->constant);
    }
    error(array.length->span, fmt::format("an array of {} elements: expected 1 to {}", length->constant, kMostBytes));
    return std::nullopt;
  }

  bool read_contents(const LaunchArgumentNode& argument, const ElementType& element, LaunchedArray& array) {
    const Declarator& declared = argument.array;
    if (declared.values.size() > array.length) {
      error(declared.values[array.length].span, fmt::format("'{}' has {} but {} initial values", array.name,
                                                            plural(array.length, "element"), declared.values.size()));
      return false;
    }
    const bool is_number = argument.type.empty() || (!declared.type.is_pointer && declared.type.structure == nullptr);
    if (!declared.values.empty() && (!is_number || element.bytes > 8)) {
      error(argument.span, "only an array of numbers of at most 8 bytes can have initial values here");
      return false;
    }
    array.repeats = declared.repeats_last;
    for (const ExprNode& node : declared.values) {
      const auto bits = launched_number(node, element, argument.type, memory_, reporter_);
      if (!bits) return false;
      array.contents.push_back(declared.type.is_bool && !argument.type.empty() ? std::uint64_t{*bits != 0} : *bits);
    }
    return true;
  }

  /// Finds the memory that `x`, `&x` or `&data[1]` denotes: an array of the launch or a variable of the module.
  bool find_address(const ExprNode& node, LaunchedValue& value) {
    const ExprNode& object = node.kind == ExprKind::Unary ? node.children.front() : node;
    const bool is_indexed = object.kind == ExprKind::Index && object.children[0].kind == ExprKind::Name;
    const ExprNode& name = is_indexed ? object.children[0] : object;
    const std::optional<Expr> index = is_indexed ? fold_constant(object.children[1], memory_) : Expr::make_constant(0);
    if (name.kind != ExprKind::Name || !index) {
      error(node.span, "the argument for a pointer must be memory",
            "data[N] makes an array of N elements; &x passes a variable of the module");
      return false;
    }
    const auto array = std::ranges::find(made_.arrays, std::string(name.name), &LaunchedArray::name);
    if (array != made_.arrays.end()) {
      if (index->constant < 0 || static_cast<std::uint64_t>(index->constant) >= array->length) {
        error(node.span, fmt::format("index {} is out of range: '{}' has {}", index->constant, name.name,
                                     plural(array->length, "element")));
        return false;
      }
      value.kind = LaunchedValue::Kind::Array;
      value.array = static_cast<std::size_t>(array - made_.arrays.begin());
      value.value = static_cast<std::uint64_t>(index->constant) * array->bytes;
      return true;
    }
    return find_variable(name, *index, value);
  }

  bool find_variable(const ExprNode& name, const Expr& index, LaunchedValue& value) {
    const auto variable = std::ranges::find_if(module_.variables, [&](const Variable& one) {
      const bool is_global = one.space == assembly::Space::Global && one.function == assembly::kNone;
      return is_global && (one.name == name.name || plain_name(one.name) == name.name);
    });
    if (variable == module_.variables.end()) {
      error(name.span, fmt::format("unknown name '{}'", name.name),
            fmt::format("write {}[N] to make an array of N elements", name.name));
      return false;
    }
    if (index.constant != 0) {
      error(name.span, fmt::format("the size of the elements of '{}' is not known", name.name),
            fmt::format("pass its beginning: &{}", name.name));
      return false;
    }
    value.kind = LaunchedValue::Kind::Variable;
    value.variable = variable->name;
    return true;
  }

  const assembly::Module& module_;
  WrittenLaunch written_;
  ProgramOptions options_;
  Program program_;
  Reporter reporter_;
  MemoryTable memory_;
  const assembly::Function* kernel_ = nullptr;
  ModuleLaunch made_;
};

}  // namespace

Result<ModuleLaunch> read_module_launch(const assembly::Module& module, const std::string& launch) {
  return ModuleLaunchReader(module, launch).read();
}

}  // namespace ambit::parser::compiled
