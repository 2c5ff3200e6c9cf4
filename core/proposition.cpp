#include "core/proposition.h"

#include <fmt/format.h>

namespace ambit {
namespace {

/// Precedence of the operators in the grammar of conditions. A higher value binds tighter.
enum Binding : int {
  kLoosest,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEquality,
  kRelation,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kTightest
};

Binding binding_of(Op op) {
  switch (op) {
    case Op::LogicalOr: return kOr;
    case Op::LogicalAnd: return kAnd;
    case Op::BitOr: return kBitOr;
    case Op::BitXor: return kBitXor;
    case Op::BitAnd: return kBitAnd;
    case Op::Equal:
    case Op::NotEqual: return kEquality;
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual: return kRelation;
    case Op::ShiftLeft:
    case Op::ShiftRight: return kShift;
    case Op::Add:
    case Op::Subtract: return kSum;
    case Op::Multiply:
    case Op::Divide:
    case Op::Remainder: return kProduct;
    default: return kUnary;
  }
}

class Writer {
 public:
  Writer(const std::vector<std::string>& names, PropositionSyntax syntax, const CellOfAddress& cell_of)
      : names_(names), is_herd_(syntax == PropositionSyntax::Herd), cell_of_(cell_of) {}

  /// Adds parentheses if the expression's precedence is lower than `around`.
  std::string text(const Expr& expr, Binding around) const {
    switch (expr.op) {
      case Op::Const: return constant(expr);
      case Op::Register: return names_[expr.reg];
      case Op::Cast: return text(expr.arguments[0], around);
      case Op::Negate: return "-" + text(expr.arguments[0], kUnary);
      case Op::LogicalNot:
        return is_herd_ ? fmt::format("not ({})", text(expr.arguments[0], kLoosest))
                        : "!" + text(expr.arguments[0], kUnary);
      case Op::NotEqual:
        if (is_herd_) return fmt::format("not ({})", binary(expr, "=", kEquality));
        break;
      default: break;
    }
    const Binding binding = binding_of(expr.op);
    const std::string result = binary(expr, spelling(expr.op), binding);
    return binding < around ? "(" + result + ")" : result;
  }

 private:
  std::string constant(const Expr& expr) const {
    const Value value = expr.constant;
    const auto cell = cell_of_ && expr.type.bits == 64 ? cell_of_(value) : std::nullopt;
    if (cell) return (is_herd_ ? "" : "&") + *cell;
    if (!expr.type.is_signed && value < 0) return fmt::format("{}u", static_cast<std::uint64_t>(value));
    return fmt::format("{}", value);
  }

  std::string spelling(Op op) const {
    if (!is_herd_) return fmt::format(" {} ", to_string(op));
    if (op == Op::Equal) return "=";
    if (op == Op::LogicalAnd) return " /\\ ";
    if (op == Op::LogicalOr) return " \\/ ";
    return std::string(to_string(op));
  }

  /// All operators except && and || associate to the left only, so a - (b - c) keeps its parentheses.
  std::string binary(const Expr& expr, std::string_view operation, Binding binding) const {
    const bool associates = expr.op == Op::LogicalAnd || expr.op == Op::LogicalOr;
    const auto right = associates ? binding : static_cast<Binding>(binding + 1);
    return fmt::format("{}{}{}", text(expr.arguments[0], binding), operation, text(expr.arguments[1], right));
  }

  const std::vector<std::string>& names_;
  bool is_herd_;
  const CellOfAddress& cell_of_;
};

}  // namespace

std::string proposition_text(const Expr& proposition, const std::vector<std::string>& names, PropositionSyntax syntax,
                             const CellOfAddress& cell_of) {
  return Writer(names, syntax, cell_of).text(proposition, kLoosest);
}

std::string_view herd_kind(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::Exists: return "Allowed";
    case Quantifier::NotExists: return "Forbidden";
    case Quantifier::None:
    case Quantifier::Forall: break;
  }
  return "Required";
}

}  // namespace ambit
