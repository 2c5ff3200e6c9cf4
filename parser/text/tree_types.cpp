#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

#include "core/ptx_mapping.h"
#include "parser/text/keywords.h"
#include "parser/text/tokens.h"
#include "parser/text/tree_builder.h"
#include "parser/text/vector_types.h"

namespace ambit::parser {
namespace {

std::string_view floating_name(const ScalarType& type) {
  return type.bits == 16 ? "half" : type.bits == 32 ? "float" : "double";
}

std::string_view integer_name(const ScalarType& type) {
  switch (type.bits) {
    case 8: return type.is_signed ? "char" : "unsigned char";
    case 16: return type.is_signed ? "short" : "unsigned short";
    case 32: return type.is_signed ? "int" : "unsigned int";
    default: return type.is_signed ? "long long" : "unsigned long long";
  }
}

std::optional<ScalarType> fixed_width(std::string_view word) {
  static const std::map<std::string_view, ScalarType> kTypes = {
      {"int8_t", {8, true}},   {"int16_t", {16, true}},   {"int32_t", {32, true}},   {"int64_t", {64, true}},
      {"uint8_t", {8, false}}, {"uint16_t", {16, false}}, {"uint32_t", {32, false}}, {"uint64_t", {64, false}},
      {"size_t", {64, false}}, {"uint", {32, false}},     {"intptr_t", {64, true}},  {"uintptr_t", {64, false}}};
  const auto found = kTypes.find(word);
  return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::string to_string(const Type& type) {
  if (type.is_void && !type.is_pointer) return "void";
  if (type.lambda != nullptr) return "a lambda";
  if (!type.variable.empty()) return fmt::format("{}{}", type.variable.substr(1), type.is_pointer ? "*" : "");
  if (type.group) return "a cooperative group";
  std::string name = type.target                 ? to_string(pointer_in(type))
                     : type.is_barrier           ? "cuda::barrier<cuda::thread_scope_block>"
                     : type.is_tensor_map        ? "CUtensorMap"
                     : type.structure != nullptr ? std::string(type.structure->name.text)
                     : type.is_bool              ? "bool"
                     : type.is_void              ? "void"
                     : type.is_opaque            ? std::string(floating_name(type.scalar))
                                                 : std::string(integer_name(type.scalar));
  if (type.atomic_scope) {
    name = fmt::format("cuda::atomic{}<{}, cuda::thread_scope_{}>", type.is_atomic_ref ? "_ref" : "", name,
                       ambit::to_string(*type.atomic_scope));
  }
  if (type.is_volatile) name = type.target ? name + " volatile" : "volatile " + name;
  if (type.is_pointer) name += "*";
  return name;
}

bool can_be_in_memory(const Type& pointer) {
  return pointer.is_pointer && !pointer.target && !pointer.is_void && !pointer.is_reference && !pointer.is_auto &&
         !pointer.is_atomic_ref;
}

Type cell_of_pointers(const Type& pointer) {
  Type cell{.scalar = kLongLong, .is_volatile = pointer.is_volatile_pointer};
  cell.target = PointerTarget{.structure = pointer.structure,
                              .scalar = pointer.scalar,
                              .is_bool = pointer.is_bool,
                              .is_opaque = pointer.is_opaque,
                              .is_volatile = pointer.is_volatile,
                              .is_barrier = pointer.is_barrier,
                              .is_tensor_map = pointer.is_tensor_map,
                              .atomic_scope = pointer.atomic_scope};
  return cell;
}

Type pointer_in(const Type& cell) {
  Type pointer{.scalar = cell.target->scalar,
               .is_bool = cell.target->is_bool,
               .is_opaque = cell.target->is_opaque,
               .is_volatile = cell.target->is_volatile,
               .atomic_scope = cell.target->atomic_scope,
               .is_pointer = true};
  pointer.structure = cell.target->structure;
  pointer.is_barrier = cell.target->is_barrier;
  pointer.is_tensor_map = cell.target->is_tensor_map;
  return pointer;
}

TreeReader::Specifiers TreeReader::read_specifiers(const std::vector<LitmusParser::SpecifierContext*>& contexts) {
  Specifiers result;
  std::vector<Word> type_words;
  bool has_atomic = false;
  std::optional<Word> structure;
  for (LitmusParser::SpecifierContext* context : contexts) {
    const Word read = word(*context);
    if (context->atomicType() != nullptr) {
      has_atomic = true;
      read_atomic_type(*context->atomicType(), result.type);
    } else if (context->barrierType() != nullptr) {
      has_atomic = true;
      read_barrier_type(*context->barrierType(), result.type);
    } else if (context->TENSOR_MAP_TYPE() != nullptr) {
      has_atomic = true;
      result.type.scalar = kUnsignedLongLong;
      result.type.is_tensor_map = result.type.is_opaque = file_.has_opaque_values = true;
    } else if (context->clusterSize() != nullptr) {
      result.storage.cluster_blocks = read_cluster_size(*context->clusterSize());
    } else if (context->VOLATILE() != nullptr) {
      result.type.is_volatile = true;
    } else if (context->TYPE_NAME() != nullptr) {
      structure = read;
      read_struct_type(read, result.type);
    } else if (context->TYPE() != nullptr) {
      type_words.push_back(read);
    } else if (read.text == "__device__" || read.text == "__constant__" || read.text == "__managed__") {
      result.storage.is_device = true;
      result.storage.is_constant_memory |= read.text == "__constant__";
    } else if (read.text == "__shared__") {
      result.storage.is_shared = true;
    } else if (read.text == "__global__") {
      result.storage.is_kernel = true;
    } else if (read.text == "const" || read.text == "constexpr") {
      result.storage.is_constant = true;
    } else if (read.text == "extern") {
      result.storage.is_extern = true;
    }
  }
  if (!has_atomic && !type_words.empty()) read_type_words(type_words, result.type);
  if ((has_atomic || structure) && (!type_words.empty() || (has_atomic && structure))) {
    reporter_.error(type_words.empty() ? structure->span : type_words.front().span, "this declaration has two types");
  }
  if (!has_atomic && !structure && type_words.empty()) {
    reporter_.error(span(*contexts.back()), "this declaration has no type",
                    "write the type before the name, for example int");
  }
  return result;
}

void TreeReader::read_struct_type(const Word& name, Type& type) {
  if (name.text.starts_with('$')) {
    type.variable = name.text;
    return;
  }
  for (const StructNode& known : file_.structs) {
    if (known.name.text == name.text) type.structure = &known;
  }
  if (type.structure == nullptr) type.structure = add_vector_type(name);
  if (type.structure == nullptr) {
    reporter_.error(name.span, fmt::format("the struct '{}' is used before its definition", name.text));
  }
}

/// Creates the struct for a CUDA vector type at the first use of the type. Returns null for other names.
const StructNode* TreeReader::add_vector_type(const Word& name) {
  const std::optional<VectorType> vector = vector_type(name.text);
  if (!vector) return nullptr;
  if (vector->element.is_opaque) file_.has_opaque_values = true;
  StructNode& made = file_.structs.emplace_back();
  made.name = name;
  made.alignment = vector->alignment;
  static constexpr std::string_view kFields = "xyzw";
  for (std::size_t i = 0; i < vector->length; ++i) {
    Declarator& field = made.fields.emplace_back();
    field.type = vector->element;
    field.name = {kFields.substr(i, 1), name.span};
  }
  return &made;
}

void TreeReader::read_type_words(const std::vector<Word>& words, Type& type) {
  std::map<std::string_view, int> count;
  std::string_view base;
  for (const Word& read : words) {
    const bool modifier =
        read.text == "unsigned" || read.text == "signed" || read.text == "long" || read.text == "short";
    const int most = read.text == "long" ? 2 : 1;
    if (++count[read.text] > most || (!modifier && !base.empty())) {
      reporter_.error(read.span, "these words do not form a type",
                      "the types are int, unsigned, long long, unsigned long long, char and short");
      return;
    }
    if (!modifier) base = read.text;
  }
  const auto has = [&](std::string_view name) { return count.contains(name); };
  const bool modified = has("unsigned") || has("signed") || has("long") || has("short");
  const bool modifiable = base.empty() || base == "int" || (base == "char" && !has("long") && !has("short"));
  if ((modified && !modifiable) || (has("long") && has("short")) || (has("unsigned") && has("signed"))) {
    reporter_.error(words.front().span, "these words do not form a type",
                    "the types are int, unsigned, long long, unsigned long long, char and short");
    return;
  }
  type.scalar = {32, !has("unsigned")};
  if (base == "char") type.scalar.bits = 8;
  if (has("short")) type.scalar.bits = 16;
  if (has("long")) type.scalar.bits = 64;
  if (base == "bool") {
    type.is_bool = true;
    type.scalar = {8, false};
  }
  if (base == "float" || base == "double" || base == "__half" || base == "__nv_bfloat16") {
    type.is_opaque = file_.has_opaque_values = true;
    type.scalar = {static_cast<std::uint8_t>(base == "float" ? 32 : base == "double" ? 64 : 16), true};
  }
  type.is_void = base == "void";
  type.is_auto = base == "auto";
  if (const std::optional<ScalarType> fixed = fixed_width(base)) type.scalar = *fixed;
}

void TreeReader::read_atomic_type(LitmusParser::AtomicTypeContext& context, Type& type) {
  const Word name = word(*context.ATOMIC_TYPE()->getSymbol());
  Specifiers inner = read_specifiers(context.specifier());
  apply_pointers(context.pointer(), inner.type);
  if (can_be_in_memory(inner.type)) inner.type = cell_of_pointers(inner.type);
  type.scalar = inner.type.scalar;
  type.is_opaque = inner.type.is_opaque;
  type.target = inner.type.target;
  type.is_atomic_ref = name.text.ends_with("_ref");
  type.atomic_scope = Scope::System;
  if (inner.type.atomic_scope || inner.type.structure != nullptr || inner.type.is_void || inner.type.is_auto ||
      inner.type.is_bool || inner.type.is_pointer) {
    reporter_.error(span(*context.specifier().front()),
                    fmt::format("{} needs an integer or pointer type, found {}", name.text, to_string(inner.type)));
  }
  if (context.name() == nullptr) return;
  const Word scope = word(*context.name());
  if (name.text.find("std::") != std::string_view::npos) {
    reporter_.error(scope.span, fmt::format("{} has no scope argument: its scope is system", name.text),
                    fmt::format("write cuda::atomic{}", type.is_atomic_ref ? "_ref" : ""));
  } else if (const std::optional<Scope> read = read_scope(scope.text)) {
    type.atomic_scope = read;
  } else {
    const std::size_t word = scope.text.rfind("thread_scope_");
    const auto meant = word == std::string_view::npos ? std::nullopt : scope_from_ptx(scope.text.substr(word + 13));
    reporter_.error(scope.span, fmt::format("unknown scope '{}'", scope.text),
                    meant ? fmt::format("did you mean 'cuda::thread_scope_{}'?", to_string(*meant))
                          : "the scopes are cuda::thread_scope_thread, _block, _cluster, _device and _system");
  }
}

/// Reads __cluster_dims__(2): the number of blocks in a cluster, at most 16.
std::uint32_t TreeReader::read_cluster_size(LitmusParser::ClusterSizeContext& context) {
  constexpr Value kMostBlocks = 16;
  const ExprNode number = read_integer(*context.INTEGER()->getSymbol());
  if (number.value >= 1 && number.value <= kMostBlocks) return static_cast<std::uint32_t>(number.value);
  reporter_.error(number.span, fmt::format("a cluster of {} blocks: expected 1 to {}", number.value, kMostBlocks));
  return 1;
}

/// Reads cuda::barrier<cuda::thread_scope_block>. Ambit does not support barriers with another scope, which are not
/// mbarrier objects.
void TreeReader::read_barrier_type(LitmusParser::BarrierTypeContext& context, Type& type) {
  type.scalar = kUnsignedLongLong;
  type.is_barrier = true;
  const std::optional<Word> scope = context.name() == nullptr ? std::nullopt : std::optional(word(*context.name()));
  if (scope && read_scope(scope->text) == Scope::Block) return;
  reporter_.error(scope ? scope->span : span(context), "Ambit reads barriers of a block only",
                  "write cuda::barrier<cuda::thread_scope_block>");
}

void TreeReader::apply_pointers(const std::vector<LitmusParser::PointerContext*>& pointers, Type& type) {
  for (LitmusParser::PointerContext* pointer : pointers) {
    const bool reference = text(*pointer->start) == "&";
    if (reference) {
      if (type.is_reference) {
        reporter_.error(span(*pointer), "references to references are not part of the litmus language");
      }
      type.is_reference = true;
      continue;
    }
    if (can_be_in_memory(type)) {
      type = cell_of_pointers(type);
    } else if (type.is_pointer) {
      reporter_.error(span(*pointer), type.is_void
                                          ? "pointers to void pointers are not part of the litmus language"
                                          : "pointers to pointers to pointers are not part of the litmus language");
    }
    type.is_pointer = true;
    type.is_volatile_pointer = !pointer->VOLATILE().empty();
  }
  if (type.is_pointer && type.is_reference) {
    reporter_.error(span(*pointers.back()), "references to pointers are not part of the litmus language");
    type.is_reference = false;
  }
}

Word TreeReader::declared_name(antlr4::ParserRuleContext& context) {
  const Word name = word(context);
  const auto* placed = dynamic_cast<const PlacedToken*>(context.start);
  const bool is_name = placed != nullptr && placed->is_name();
  if (!is_name && name.text.find("::") != std::string_view::npos) {
    reporter_.error(name.span, fmt::format("'{}' cannot be declared: the name contains '::'", name.text));
  }
  return name;
}

void TreeReader::read_bounds(const std::vector<LitmusParser::ArrayBoundContext*>& bounds, Declarator& declarator) {
  if (bounds.empty()) return;
  declarator.is_array = true;
  if (bounds.front()->expr() != nullptr) declarator.length = read_expr(*bounds.front()->expr());
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    if (bounds[i]->expr() == nullptr || i > 2) {
      reporter_.error(span(*bounds[i]), i > 2 ? "arrays have at most three dimensions"
                                              : "only the first dimension of an array may be left out");
      return;
    }
    declarator.inner_lengths.push_back(read_expr(*bounds[i]->expr()));
  }
}

void TreeReader::read_braces(LitmusParser::BracesContext& braces, Declarator& declarator) {
  declarator.initializer = Declarator::Initializer::Braces;
  declarator.values = read_values(braces);
  declarator.repeats_last =
      braces.children.size() > 2 && braces.children[braces.children.size() - 2]->getText() == "...";
}

std::vector<ExprNode> TreeReader::read_values(LitmusParser::BracesContext& braces) {
  std::vector<ExprNode> values;
  for (LitmusParser::BracedValueContext* context : braces.bracedValue()) values.push_back(read_value(*context));
  return values;
}

ExprNode TreeReader::read_value(LitmusParser::BracedValueContext& context) {
  if (context.expr() != nullptr) return read_expr(*context.expr());
  ExprNode node;
  node.kind = ExprKind::Braces;
  node.span = span(context);
  node.children = read_values(*context.braces());
  return node;
}

Declarator TreeReader::read_declarator(LitmusParser::DeclaratorContext& context, const Type& base) {
  Declarator declarator;
  declarator.type = base;
  declarator.name = declared_name(*context.name());
  apply_pointers(context.pointer(), declarator.type);
  read_bounds(context.arrayBound(), declarator);
  if (declarator.type.is_void && !declarator.type.is_pointer) {
    reporter_.error(declarator.name.span, fmt::format("'{}' cannot be of type void", declarator.name.text));
  }
  LitmusParser::InitializerContext* initializer = context.initializer();
  if (initializer == nullptr) return declarator;
  if (initializer->braces() != nullptr) {
    read_braces(*initializer->braces(), declarator);
    return declarator;
  }
  declarator.initializer =
      text(*initializer->start) == "=" ? Declarator::Initializer::Value : Declarator::Initializer::Parentheses;
  declarator.values = read_exprs(initializer->expr());
  return declarator;
}

Declaration TreeReader::read_declaration(LitmusParser::DeclarationContext& context) {
  const Specifiers specifiers = read_specifiers(context.specifier());
  Declaration declaration;
  declaration.storage = specifiers.storage;
  for (LitmusParser::DeclaratorContext* declarator : context.declarator()) {
    declaration.declarators.push_back(read_declarator(*declarator, specifiers.type));
  }
  return declaration;
}

}  // namespace ambit::parser
