#include <fmt/format.h>

#include <utility>

#include "parser/text/tree_builder.h"

namespace ambit::parser {
namespace {

constexpr std::string_view kContentsHint = "write data[4] = 7, or data[4] = {1, 2}";

/// Returns whether the expression has the form `data[4]`.
bool names_array(const ExprNode& node) {
  return node.kind == ExprKind::Index && node.children.front().kind == ExprKind::Name;
}

/// Sets the initial value of all elements of `array` to `value`.
void fill_array(Declarator& array, ExprNode value) {
  array.initializer = Declarator::Initializer::Braces;
  array.repeats_last = true;
  array.values.push_back(std::move(value));
}

LaunchArgumentNode argument_of(ExprNode node);

std::vector<LaunchArgumentNode> arguments_of(std::vector<ExprNode> nodes) {
  std::vector<LaunchArgumentNode> arguments;
  for (ExprNode& node : nodes) arguments.push_back(argument_of(std::move(node)));
  return arguments;
}

/// Converts an expression to a launch argument: `data[4]`, `data[4] = 7`, `S{data[4], 7}` or a value.
LaunchArgumentNode argument_of(ExprNode node) {
  using Kind = LaunchArgumentNode::Kind;
  LaunchArgumentNode made;
  made.span = node.span;
  if (node.kind == ExprKind::Braces || node.kind == ExprKind::Construct) {
    made.kind = Kind::Fields;
    made.structure = node.type.structure;
    made.fields = arguments_of(std::move(node.children));
    return made;
  }
  const bool is_filled = node.kind == ExprKind::Assign && !node.compound && names_array(node.children.front());
  if (!is_filled && !names_array(node)) {
    made.value = std::move(node);
    return made;
  }
  made.kind = Kind::Array;
  made.array.is_array = true;
  ExprNode& array = is_filled ? node.children[0] : node;
  made.array.name = {array.children[0].name, array.children[0].span};
  made.array.length = std::move(array.children[1]);
  if (is_filled) fill_array(made.array, std::move(node.children[1]));
  return made;
}

}  // namespace

void TreeReader::read_launch(LitmusParser::LaunchContext& launch) {
  LaunchNode node;
  node.kernel = word(*launch.name());
  node.span = span(launch);
  node.follows = text(*launch.start) == "then";
  node.is_dependent = text(*launch.start) == "dependent";
  node.dimensions = read_exprs(launch.expr());
  for (LitmusParser::PlaceWordContext* context : launch.placeWord()) node.place.push_back(read_place_word(*context));
  node.arguments = read_launch_arguments(launch.launchArguments());
  file_.launches.push_back(std::move(node));
}

std::vector<LaunchArgumentNode> TreeReader::read_launch_arguments(LitmusParser::LaunchArgumentsContext* context) {
  std::vector<LaunchArgumentNode> arguments;
  if (context == nullptr) return arguments;
  for (LitmusParser::LaunchArgumentContext* one : context->launchArgument()) {
    arguments.push_back(read_launch_argument(*one));
  }
  return arguments;
}

LaunchArgumentNode TreeReader::read_launch_argument(LitmusParser::LaunchArgumentContext& context) {
  if (context.arrayBound() != nullptr) return read_launch_array(context);
  LaunchArgumentNode node;
  if (context.expr() == nullptr) {
    node.kind = LaunchArgumentNode::Kind::Fields;
    node.fields = read_launch_arguments(context.launchArguments());
  } else {
    node = argument_of(read_expr(*context.expr()));
    if (context.braces() != nullptr) read_contents(context, node.array);
    const bool is_assigned = node.kind == LaunchArgumentNode::Kind::Value &&
                             (node.value.kind == ExprKind::Assign || context.braces() != nullptr);
    if (is_assigned)
      reporter_.error(span(context), "only an array of a launch has contents", std::string(kContentsHint));
  }
  node.span = span(context);
  return node;
}

/// Reads an array argument of a launch: `int data[4]` or `int[4] = 7`.
LaunchArgumentNode TreeReader::read_launch_array(LitmusParser::LaunchArgumentContext& context) {
  LaunchArgumentNode node;
  node.kind = LaunchArgumentNode::Kind::Array;
  node.span = span(context);
  const Specifiers specifiers = read_specifiers(context.specifier());
  Declarator& array = node.array;
  array.type = specifiers.type;
  apply_pointers(context.pointer(), array.type);
  const antlr4::ParserRuleContext& last = context.pointer().empty()
                                              ? static_cast<antlr4::ParserRuleContext&>(*context.specifier().back())
                                              : *context.pointer().back();
  const std::size_t begin = context.start->getStartIndex();
  node.type = std::string_view(source_.text).substr(begin, last.stop->getStopIndex() + 1 - begin);
  const Storage& storage = specifiers.storage;
  if (storage.is_shared || storage.is_kernel || storage.is_extern || storage.is_constant_memory) {
    reporter_.error(node.span, "an array of a launch is in global memory", "write its type alone: int data[4]");
  } else if (array.type.is_void || array.type.is_auto || array.type.is_reference || array.type.is_atomic_ref) {
    reporter_.error(node.span, fmt::format("an array of a launch cannot have elements of type '{}'", node.type),
                    "write the type of its elements: int data[4]");
  }
  array.name = context.name() != nullptr ? declared_name(*context.name()) : Word{{}, node.span};
  array.is_array = true;
  if (context.arrayBound()->expr() != nullptr) array.length = read_expr(*context.arrayBound()->expr());
  read_contents(context, array);
  if (!array.length && (array.initializer == Declarator::Initializer::None || array.repeats_last)) {
    reporter_.error(span(*context.arrayBound()), "an array of a launch needs its length", "write int data[4]");
  }
  return node;
}

/// Reads the contents of an array argument: `= {1, 2}` or `= 7`. If the argument has no type, the grammar reads `= 7`
/// as a part of the expression.
void TreeReader::read_contents(LitmusParser::LaunchArgumentContext& context, Declarator& array) {
  if (context.braces() != nullptr) {
    read_braces(*context.braces(), array);
  } else if (context.expr() != nullptr) {
    fill_array(array, read_expr(*context.expr()));
  }
}

}  // namespace ambit::parser
