#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parser/text/tokens.h"
#include "parser/text/tree_builder.h"

namespace ambit::parser {

std::string_view TreeReader::text(const antlr4::Token& token) const {
  return std::string_view(source_.text).substr(token.getStartIndex(), token.getStopIndex() + 1 - token.getStartIndex());
}

std::string_view TreeReader::text(const antlr4::ParserRuleContext& context) const {
  const std::size_t begin = context.start->getStartIndex();
  return std::string_view(source_.text).substr(begin, context.stop->getStopIndex() + 1 - begin);
}

/// Returns the span of a construct. If the construct has several lines, returns the span of the first token.
SourceSpan TreeReader::span(const antlr4::ParserRuleContext& context) const {
  SourceSpan span = span_of(*context.start);
  if (context.stop == nullptr) return span;
  const SourceSpan last = span_of(*context.stop);
  if (last.line == span.line && last.column >= span.column) {
    span.length = std::max(span.length, last.column + last.length - span.column);
  }
  return span;
}

Word TreeReader::word(const antlr4::Token& token) const { return {text(token), span_of(token)}; }
Word TreeReader::word(const antlr4::ParserRuleContext& context) const { return {text(context), span(context)}; }

FileNode TreeReader::read(LitmusParser::ProgramContext& program) {
  file_ = {};
  for (antlr4::tree::ParseTree* child : program.children) {
    auto* item = dynamic_cast<LitmusParser::ItemContext*>(child);
    auto* content = item == nullptr || item->children.empty()
                        ? nullptr
                        : dynamic_cast<antlr4::ParserRuleContext*>(item->children.front());
    if (content != nullptr) {
      read_item(*content);
    } else if (child != nullptr && damage_.in(*child)) {
      taint_names(*child, reporter_);
    }
  }
  return std::move(file_);
}

FileNode TreeReader::read(LitmusParser::TailContext& tail) {
  file_ = {};
  for (antlr4::tree::ParseTree* child : tail.children) {
    if (auto* item = dynamic_cast<antlr4::ParserRuleContext*>(child)) read_item(*item);
  }
  return std::move(file_);
}

FileNode TreeReader::read(LitmusParser::CommandsContext& commands) {
  file_ = {};
  for (LitmusParser::CommandContext* command : commands.command()) {
    if (damage_.in(*command)) continue;
    file_.commands.push_back({word(*command->ID(0)->getSymbol()), read_prop(*command->prop()),
                              word(*command->ID(1)->getSymbol()), word(*command->name())});
  }
  return std::move(file_);
}

FileNode TreeReader::read(LitmusParser::PropContext& proposition) {
  file_ = {};
  file_.conditions.push_back(
      {.quantifier = Quantifier::Exists, .proposition = read_prop(proposition), .span = span(proposition), .last = {}});
  return std::move(file_);
}

/// Returns whether an item must be skipped because of a syntax error. An error in a body or a memory block does not
/// skip the item, because the reader of the body or block skips only the incorrect parts.
bool TreeReader::skip_damaged(antlr4::ParserRuleContext& item) {
  if (!damage_.in(item) || item.getRuleIndex() == LitmusParser::RuleMemoryBlock) return false;
  if (item.getRuleIndex() == LitmusParser::RuleStructure) {
    file_.has_damaged_struct = true;
    return true;
  }
  const bool has_code =
      item.getRuleIndex() == LitmusParser::RuleThread || item.getRuleIndex() == LitmusParser::RuleFileDeclaration;
  if (has_code && damage_.only_in_statements(item)) return false;
  if (has_code || item.getRuleIndex() == LitmusParser::RuleLaunch) taint_names(item, reporter_);
  return true;
}

void TreeReader::read_item(antlr4::ParserRuleContext& item) {
  if (skip_damaged(item)) return;
  switch (item.getRuleIndex()) {
    case LitmusParser::RuleMemoryBlock: return read_memory_block(dynamic_cast<LitmusParser::MemoryBlockContext&>(item));
    case LitmusParser::RuleStructure: return read_structure(dynamic_cast<LitmusParser::StructureContext&>(item));
    case LitmusParser::RuleThread: return read_thread(dynamic_cast<LitmusParser::ThreadContext&>(item));
    case LitmusParser::RuleFileDeclaration:
      return read_file_declaration(dynamic_cast<LitmusParser::FileDeclarationContext&>(item));
    case LitmusParser::RuleLaunch: return read_launch(dynamic_cast<LitmusParser::LaunchContext&>(item));
    case LitmusParser::RuleTensorMap: return read_tensor_map(dynamic_cast<LitmusParser::TensorMapContext&>(item));
    case LitmusParser::RuleFilter:
      file_.filters.push_back({.quantifier = Quantifier::None,
                               .proposition = read_prop(*dynamic_cast<LitmusParser::FilterContext&>(item).prop()),
                               .span = span(item),
                               .last = {}});
      return;
    case LitmusParser::RuleObserved: return read_observed(dynamic_cast<LitmusParser::ObservedContext&>(item));
    case LitmusParser::RuleCondition: return read_condition(dynamic_cast<LitmusParser::ConditionContext&>(item));
    case LitmusParser::RuleExpectation: return read_expectation(dynamic_cast<LitmusParser::ExpectationContext&>(item));
    case LitmusParser::RuleSuiteLabel: return read_label(dynamic_cast<LitmusParser::SuiteLabelContext&>(item));
    case LitmusParser::RuleDetection: return read_detection(dynamic_cast<LitmusParser::DetectionContext&>(item));
    default: AMBIT_ASSERT(false && "an item of the grammar");
  }
}

void TreeReader::read_observed(LitmusParser::ObservedContext& observed) {
  for (LitmusParser::LocationContext* location : observed.location()) {
    file_.observed.push_back(read_location(*location));
  }
}

void TreeReader::read_memory_block(LitmusParser::MemoryBlockContext& block) {
  for (LitmusParser::MemoryDeclarationContext* context : block.memoryDeclaration()) {
    if (damage_.in(*context)) {
      taint_names(*context, reporter_);
      continue;
    }
    Specifiers specifiers = read_specifiers(context->specifier());
    if (context->VOLATILE() != nullptr) specifiers.type.is_volatile = true;
    const std::size_t storage_at = context->VOLATILE() != nullptr ? 1 : 0;
    const bool shared = context->children[storage_at]->getText() == "shared";
    Declaration declaration;
    declaration.storage = specifiers.storage;
    declaration.storage.is_shared = shared;
    declaration.storage.is_device = !shared;
    for (LitmusParser::DeclaratorContext* declarator : context->declarator()) {
      declaration.declarators.push_back(read_declarator(*declarator, specifiers.type));
    }
    file_.memory.push_back(std::move(declaration));
  }
}

void TreeReader::read_structure(LitmusParser::StructureContext& context) {
  const Word name = word(*context.TYPE_NAME()->getSymbol());
  const bool known = std::any_of(file_.structs.begin(), file_.structs.end(),
                                 [&](const StructNode& other) { return other.name.text == name.text; });
  if (known) reporter_.error(name.span, fmt::format("the struct '{}' is defined twice", name.text));
  StructNode& made = file_.structs.emplace_back();  // before the fields, because fields may name the struct
  made.name = name;
  for (LitmusParser::DeclarationContext* field : context.declaration()) {
    Declaration declaration = read_declaration(*field);
    if (declaration.storage.is_shared || declaration.storage.is_device || declaration.storage.is_extern) {
      reporter_.error(span(*field), "a field cannot have a storage class",
                      "declare the variable of the struct type as __device__ or __shared__");
    }
    for (Declarator& declarator : declaration.declarators) made.fields.push_back(std::move(declarator));
  }
  if (made.fields.empty()) {
    reporter_.error(name.span, fmt::format("the struct '{}' has no fields", name.text));
  }
}

PlaceWord TreeReader::read_place_word(LitmusParser::PlaceWordContext& context) {
  const antlr4::Token& number = *context.INTEGER()->getSymbol();
  const ExprNode value = read_integer(number);
  return {word(*context.ID()->getSymbol()), static_cast<std::uint64_t>(value.value), span_of(number)};
}

void TreeReader::read_thread(LitmusParser::ThreadContext& thread) {
  ThreadNode node;
  node.name = word(*thread.ID()->getSymbol());
  if (node.name.text.find("::") != std::string_view::npos) {
    reporter_.error(node.name.span, fmt::format("'{}' cannot be the name of a thread", node.name.text));
  }
  for (LitmusParser::PlaceWordContext* context : thread.placeWord()) node.place.push_back(read_place_word(*context));
  node.body = read_block(*thread.block());
  file_.threads.push_back(std::move(node));
}

void TreeReader::read_file_declaration(LitmusParser::FileDeclarationContext& context) {
  const Specifiers specifiers = read_specifiers(context.specifier());
  Type type = specifiers.type;
  apply_pointers(context.pointer(), type);
  if (context.function() != nullptr) {
    file_.functions.push_back(read_function(context, specifiers.storage, type));
    return;
  }
  LitmusParser::FileVariablesContext& variables = *context.fileVariables();
  Declaration declaration;
  declaration.storage = specifiers.storage;
  Declarator first;
  first.type = type;
  first.name = declared_name(*context.name());
  read_bounds(variables.arrayBound(), first);
  if (variables.expr() != nullptr) {
    first.initializer = Declarator::Initializer::Value;
    first.values.push_back(read_expr(*variables.expr()));
  } else if (variables.braces() != nullptr) {
    read_braces(*variables.braces(), first);
  }
  declaration.declarators.push_back(std::move(first));
  for (LitmusParser::DeclaratorContext* declarator : variables.declarator()) {
    declaration.declarators.push_back(read_declarator(*declarator, specifiers.type));
  }
  const Storage& storage = declaration.storage;
  if (storage.is_kernel || (!storage.is_device && !storage.is_shared && !storage.is_constant)) {
    reporter_.error(declaration.declarators.front().name.span,
                    fmt::format("'{}' is neither __device__ nor __shared__", declaration.declarators.front().name.text),
                    "declare it as __device__ (global memory), __shared__ or constexpr");
  }
  file_.memory.push_back(std::move(declaration));
}

std::vector<Declarator> TreeReader::read_parameters(const std::vector<LitmusParser::ParameterContext*>& parameters) {
  std::vector<Declarator> read;
  for (LitmusParser::ParameterContext* parameter : parameters) {
    const Specifiers specifiers = read_specifiers(parameter->specifier());
    // f(void) has no parameters
    if (specifiers.type.is_void && parameter->pointer().empty() && parameter->name() == nullptr) continue;
    Declarator declarator;
    declarator.type = specifiers.type;
    apply_pointers(parameter->pointer(), declarator.type);
    if (!parameter->arrayBound().empty()) {
      read_bounds(parameter->arrayBound(), declarator);
      declarator.is_array = false;
      if (can_be_in_memory(declarator.type)) declarator.type = cell_of_pointers(declarator.type);
      declarator.type.is_pointer = true;
    }
    declarator.name = parameter->name() != nullptr ? declared_name(*parameter->name()) : Word{{}, span(*parameter)};
    const bool is_address = declarator.type.is_pointer && !declarator.type.target;  // void *p
    if (declarator.type.is_void && !is_address) reporter_.error(span(*parameter), "a parameter cannot be of type void");
    if (parameter->expr() != nullptr) {  // a default argument
      declarator.initializer = Declarator::Initializer::Value;
      declarator.values.push_back(read_expr(*parameter->expr()));
    }
    read.push_back(std::move(declarator));
  }
  return read;
}

FunctionNode TreeReader::read_function(LitmusParser::FileDeclarationContext& context, const Storage& storage,
                                       const Type& type) {
  FunctionNode node;
  node.name = declared_name(*context.name());
  node.is_kernel = storage.is_kernel;
  node.cluster_blocks = storage.cluster_blocks;
  node.return_type = type;
  if (node.is_kernel && !type.is_void) {
    reporter_.error(node.name.span, fmt::format("the kernel '{}' must return void", node.name.text));
  }
  LitmusParser::FunctionContext& function = *context.function();
  node.parameters = read_parameters(function.parameter());
  if (function.block() != nullptr) node.body = read_block(*function.block());
  return node;
}

void TreeReader::read_tensor_map(LitmusParser::TensorMapContext& context) {
  TensorMapNode node;
  node.name = word(*context.name(0));
  node.array = word(*context.name(1));
  if (context.arrayBound() != nullptr) {
    if (context.arrayBound()->expr() == nullptr) {
      return reporter_.error(span(*context.arrayBound()), "expected the index of the tensor map between the brackets");
    }
    node.index = read_expr(*context.arrayBound()->expr());
  }
  node.sizes = read_values(*context.braces(0));
  node.box = read_values(*context.braces(1));
  file_.tensor_maps.push_back(std::move(node));
}

void TreeReader::read_condition(LitmusParser::ConditionContext& condition) {
  const std::string quantifier = condition.quantifier()->getText();
  ConditionNode node;
  node.quantifier = quantifier == "exists"   ? Quantifier::Exists
                    : quantifier == "forall" ? Quantifier::Forall
                                             : Quantifier::NotExists;
  node.proposition = read_prop(*condition.prop());
  node.span = span(*condition.prop());
  node.last = span_of(*condition.prop()->stop);
  file_.conditions.push_back(std::move(node));
}

std::string TreeReader::because(LitmusParser::BecauseContext* context) const {
  if (context == nullptr) return {};
  const std::string_view quoted = text(*context->STRING()->getSymbol());
  return std::string(quoted.substr(1, quoted.size() - 2));
}

void TreeReader::read_expectation(LitmusParser::ExpectationContext& context) {
  ExpectationNode node;
  node.span = span(context);
  LitmusParser::ModelReferenceContext& reference = *context.modelReference();
  if (reference.STRING() != nullptr) {
    node.model = word(*reference.STRING()->getSymbol());
    node.model.text = node.model.text.substr(1, node.model.text.size() - 2);
  } else {
    node.model = word(*reference.modelName());
  }
  for (LitmusParser::ModelOptionContext* option : reference.modelOption()) {
    node.options.emplace_back(word(*option->modelName(0)), word(*option->modelName(1)));
  }
  if (LitmusParser::SchedulingContext* scheduling = reference.scheduling()) {
    for (antlr4::tree::TerminalNode* id : scheduling->ID()) node.schedulers.push_back(word(*id->getSymbol()));
  }
  for (LitmusParser::ExpectItemContext* item : context.expectItem()) {
    ExpectItemNode read;
    read.word = word(*item->name());
    if (item->INTEGER() != nullptr) {
      read.number = static_cast<std::uint64_t>(read_integer(*item->INTEGER()->getSymbol()).value);
    }
    if (item->location() != nullptr) read.location = read_location(*item->location());
    node.items.push_back(std::move(read));
  }
  node.because = because(context.because());
  file_.expectations.push_back(std::move(node));
}

void TreeReader::read_label(LitmusParser::SuiteLabelContext& context) {
  LabelNode node;
  node.suite = word(*context.modelName());
  node.verdict = word(*context.ID(0)->getSymbol());
  if (context.ID().size() > 1) node.predictable = word(*context.ID(1)->getSymbol());
  node.because = because(context.because());
  node.span = span(context);
  file_.labels.push_back(std::move(node));
}

void TreeReader::read_detection(LitmusParser::DetectionContext& context) {
  file_.detections.push_back({word(*context.modelName()), word(*context.ID()->getSymbol()), span(context)});
}

}  // namespace ambit::parser
