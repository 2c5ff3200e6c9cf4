#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <map>
#include <utility>

#include "parser/text/tokens.h"
#include "parser/text/tree_builder.h"

namespace ambit::parser {
namespace {

std::optional<Op> binary_operator(std::string_view text) {
  static const std::map<std::string_view, Op> kOperators = {
      {"*", Op::Multiply},    {"/", Op::Divide},     {"%", Op::Remainder},     {"+", Op::Add},
      {"-", Op::Subtract},    {"<<", Op::ShiftLeft}, {">>", Op::ShiftRight},   {"<", Op::Less},
      {"<=", Op::LessEqual},  {">", Op::Greater},    {">=", Op::GreaterEqual}, {"==", Op::Equal},
      {"!=", Op::NotEqual},   {"&", Op::BitAnd},     {"^", Op::BitXor},        {"|", Op::BitOr},
      {"&&", Op::LogicalAnd}, {"||", Op::LogicalOr}, {"/\\", Op::LogicalAnd},  {"\\/", Op::LogicalOr},
  };
  const auto found = kOperators.find(text);
  return found == kOperators.end() ? std::nullopt : std::optional(found->second);
}

/// Returns the value and C++ type of an integer literal; nothing if the value does not fit any type.
std::optional<std::pair<Value, ScalarType>> literal(std::string_view text) {
  bool is_unsigned = false;
  bool is_long = false;
  while (text.find_last_of("uUlL") == text.size() - 1) {
    (text.back() == 'u' || text.back() == 'U' ? is_unsigned : is_long) = true;
    text.remove_suffix(1);
  }
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    base = text[1] == 'x' || text[1] == 'X' ? 16 : text[1] == 'b' || text[1] == 'B' ? 2 : 8;
    text.remove_prefix(base == 8 ? 1 : 2);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  // The type is the first type in the list that can represent the value [lex.icon]. A decimal literal without u is
  // signed.
  for (const ScalarType type : {kInt, kUnsigned, kLongLong, kUnsignedLongLong}) {
    if (is_long && type.bits == 32) continue;
    if (type.is_signed ? is_unsigned : (!is_unsigned && base == 10)) continue;
    const std::uint64_t most = type.is_signed    ? (std::uint64_t{1} << (type.bits - 1U)) - 1
                               : type.bits == 64 ? std::numeric_limits<std::uint64_t>::max()
                                                 : (std::uint64_t{1} << type.bits) - 1;
    if (value <= most) return std::pair(static_cast<Value>(value), type);
  }
  return std::nullopt;
}

}  // namespace

std::vector<ExprNode> TreeReader::read_exprs(const std::vector<LitmusParser::ExprContext*>& contexts,
                                             std::size_t first) {
  std::vector<ExprNode> nodes;
  for (std::size_t i = first; i < contexts.size(); ++i) nodes.push_back(read_expr(*contexts[i]));
  return nodes;
}

ExprNode TreeReader::read_integer(const antlr4::Token& token) {
  ExprNode node;
  node.kind = ExprKind::Integer;
  node.span = span_of(token);
  if (const auto read = literal(text(token))) {
    node.value = read->first;
    node.scalar = read->second;
  } else {
    const bool octal =
        text(token).size() > 1 && text(token)[0] == '0' && text(token).find_first_of("89") != std::string_view::npos;
    reporter_.error(node.span,
                    octal ? fmt::format("'{}' is not a number: a leading 0 means octal", text(token))
                          : fmt::format("the number {} is out of range: it needs more than 64 bits", text(token)));
  }
  return node;
}

ExprNode TreeReader::read_floating(const antlr4::Token& token) {
  ExprNode node;
  node.kind = ExprKind::Floating;
  node.span = span_of(token);
  node.name = text(token);
  node.type.is_opaque = file_.has_opaque_values = true;
  const char last = text(token).back();
  if (last != 'f' && last != 'F') node.type.scalar = kLongLong;
  return node;
}

ExprNode TreeReader::read_expr(LitmusParser::ExprContext& context) {
  if (context.primary() != nullptr) return read_primary(*context.primary());
  if (context.op != nullptr) return read_operator(context);
  ExprNode node;  // '(' type ')' expr
  node.kind = ExprKind::Cast;
  node.span = span(context);
  node.type = read_specifiers(context.specifier()).type;
  apply_pointers(context.pointer(), node.type);
  node.children.push_back(read_expr(*context.expr(0)));
  return node;
}

ExprNode TreeReader::read_prefix(LitmusParser::ExprContext& context, ExprNode node) {
  const std::string_view op = text(*context.op);
  node.children = read_exprs(context.expr());
  if (op == "++" || op == "--") {
    node.kind = ExprKind::Increment;
    node.is_prefix = true;
    node.is_decrement = op == "--";
    return node;
  }
  node.kind = ExprKind::Unary;
  static const std::map<std::string_view, UnaryOp> kOperators = {
      {"+", UnaryOp::Plus},   {"-", UnaryOp::Negate},      {"!", UnaryOp::LogicalNot},
      {"~", UnaryOp::BitNot}, {"*", UnaryOp::Dereference}, {"&", UnaryOp::AddressOf}};
  node.unary = kOperators.at(op);
  return node;
}

ExprNode TreeReader::read_operator(LitmusParser::ExprContext& context) {
  ExprNode node;
  node.span = span(context);
  if (context.op == context.start) return read_prefix(context, std::move(node));
  const std::string_view op = text(*context.op);
  node.children = read_exprs(context.expr());
  if (op == "++" || op == "--") {
    node.kind = ExprKind::Increment;
    node.is_decrement = op == "--";
  } else if (op == "(") {
    node.kind = ExprKind::Call;
  } else if (op == "[") {
    node.kind = ExprKind::Index;
  } else if (op == "." || op == "->") {
    node.kind = ExprKind::Member;
    node.name = text(*context.name());
    node.is_arrow = op == "->";
  } else if (op == "?") {
    node.kind = ExprKind::Conditional;
  } else if (const std::optional<Op> binary = binary_operator(op)) {
    node.kind = ExprKind::Binary;
    node.op = *binary;
  } else {
    node.kind = ExprKind::Assign;
    if (op != "=") node.compound = binary_operator(op.substr(0, op.size() - 1));
  }
  return node;
}

ExprNode TreeReader::read_primary(LitmusParser::PrimaryContext& context) {
  if (context.name() != nullptr) {
    ExprNode node;
    node.kind = ExprKind::Name;
    node.span = span(context);
    node.name = text(context);
    return node;
  }
  if (context.INTEGER() != nullptr) return read_integer(*context.INTEGER()->getSymbol());
  if (context.FLOATING() != nullptr) return read_floating(*context.FLOATING()->getSymbol());
  if (context.VERSION() != nullptr) return read_floating(*context.VERSION()->getSymbol());
  ExprNode node;
  node.span = span(context);
  if (context.TYPE_NAME() != nullptr) {
    node.kind = ExprKind::Construct;
    read_struct_type(word(*context.TYPE_NAME()->getSymbol()), node.type);
    node.children = context.braces() != nullptr ? read_values(*context.braces()) : read_exprs(context.expr());
    return node;
  }
  if (!context.STRING().empty()) {
    node.kind = ExprKind::Text;
    const std::string_view first = text(*context.STRING().front()->getSymbol());
    const std::string_view last = text(*context.STRING().back()->getSymbol());
    node.name = std::string_view(first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data()));
    return node;
  }
  if (context.lambda() != nullptr) return read_lambda(*context.lambda());
  if (text(*context.start) != "(") return read_cast(context, std::move(node));
  if (context.expr().size() == 1) return read_expr(*context.expr(0));
  node.kind = ExprKind::Comma;
  node.children = read_exprs(context.expr());
  return node;
}

ExprNode TreeReader::read_lambda(LitmusParser::LambdaContext& context) {
  const auto lambda = std::make_shared<LambdaNode>();
  FunctionNode& function = lambda->function;
  function.name = {"lambda", span_of(*context.start)};
  function.return_type.is_auto = context.specifier().empty();
  if (!context.specifier().empty()) function.return_type = read_specifiers(context.specifier()).type;
  apply_pointers(context.pointer(), function.return_type);
  for (LitmusParser::CaptureContext* capture : context.capture()) {
    const bool is_reference = text(*capture->start) == "&";
    if (capture->name() != nullptr) {
      (is_reference ? lambda->references : lambda->copies).push_back(word(*capture->name()));
    } else {
      (is_reference ? lambda->refers_to_all : lambda->copies_all) = true;
    }
  }
  function.parameters = read_parameters(context.parameter());
  function.body = read_block(*context.block());
  ExprNode node;
  node.kind = ExprKind::Lambda;
  node.span = span_of(*context.start);
  node.type.lambda = lambda.get();
  node.lambda = lambda;
  return node;
}

/// Reads sizeof(T), T(e), static_cast<T>(e) and similar casts, and cuda::atomic_ref<T>(x).
ExprNode TreeReader::read_cast(LitmusParser::PrimaryContext& context, ExprNode node) {
  if (context.atomicType() != nullptr) {
    node.kind = ExprKind::AtomicRef;
    read_atomic_type(*context.atomicType(), node.type);
  } else if (context.TYPE() != nullptr) {
    node.kind = ExprKind::Cast;
    read_type_words({word(*context.TYPE()->getSymbol())}, node.type);
  } else {
    const bool is_size = text(*context.start) == "sizeof";
    const bool is_alignment = text(*context.start) == "alignof";
    node.kind = is_size ? ExprKind::SizeOf : is_alignment ? ExprKind::AlignOf : ExprKind::Cast;
    if (!context.specifier().empty()) node.type = read_specifiers(context.specifier()).type;
    apply_pointers(context.pointer(), node.type);
  }
  if (!context.expr().empty()) node.children.push_back(read_expr(*context.expr(0)));
  return node;
}

ExprNode TreeReader::read_prop(LitmusParser::PropContext& context) {
  if (context.propAtom() != nullptr) return read_prop_atom(*context.propAtom());
  ExprNode node;
  node.span = span(context);
  for (LitmusParser::PropContext* child : context.prop()) node.children.push_back(read_prop(*child));
  const std::string_view op = text(*context.op);
  if (node.children.size() == 1) {
    node.kind = ExprKind::Unary;
    node.unary = op == "-" ? UnaryOp::Negate : UnaryOp::LogicalNot;
    return node;
  }
  node.kind = ExprKind::Binary;
  node.op = op == "=" ? Op::Equal : binary_operator(op).value();
  return node;
}

ExprNode TreeReader::read_prop_atom(LitmusParser::PropAtomContext& context) {
  if (context.prop() != nullptr) return read_prop(*context.prop());
  if (context.INTEGER() != nullptr) return read_integer(*context.INTEGER()->getSymbol());
  ExprNode named = read_location(*context.location());
  if (text(*context.start) != "&") return named;
  ExprNode address;  // &x, &pool[1]
  address.kind = ExprKind::Unary;
  address.unary = UnaryOp::AddressOf;
  address.span = span(context);
  address.children.push_back(std::move(named));
  return address;
}

ExprNode TreeReader::read_location(LitmusParser::LocationContext& context) {
  if (context.location() != nullptr) return read_location(*context.location());  // [x] means x
  ExprNode node;
  node.kind = ExprKind::Name;
  node.span = span(context);
  node.name = text(*context.name());
  if (context.threadName() != nullptr) node.qualifier = text(*context.threadName());
  if (!context.member().empty()) {  // s.a, or d0.b0.t0.r1, whose last part is the register
    node.path = text(context);
    node.name = text(*context.member().back()->name());
    node.qualifier = node.path.substr(0, node.path.rfind('.'));
    return node;
  }
  if (context.INTEGER().empty()) return node;
  ExprNode index;  // the children of this node are the name and all indices
  index.kind = ExprKind::Index;
  index.span = node.span;
  index.children.push_back(std::move(node));
  for (antlr4::tree::TerminalNode* number : context.INTEGER()) {
    index.children.push_back(read_integer(*number->getSymbol()));
  }
  return index;
}

}  // namespace ambit::parser
