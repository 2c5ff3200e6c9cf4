#include <fmt/format.h>

#include <unordered_map>

#include "model/rules/rules.h"

namespace ambit::rules {
namespace {

/// The precedence of operators from the lowest to the highest, as in parser/cat/grammar/Cat.g4.
enum class Binding : std::uint8_t { Union, Sequence, Difference, Intersection, Product, Prefix, Postfix, Primary };

Binding tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

class Printer {
 public:
  explicit Printer(const Rules& rules) : rules_(rules) {
    for (const Definition& definition : rules.definitions) names_.try_emplace(definition.term, definition.name);
  }

  std::string print(TermId term, Binding context) const {
    if (const auto name = names_.find(term); name != names_.end()) return std::string(name->second);
    return std::visit([&](const auto& op) { return text(op, context); }, rules_.terms[term]);
  }

 private:
  std::string text(const BaseSetTerm& op, Binding) const { return std::string(ambit::to_string(op.set)); }
  std::string text(const BaseRelationTerm& op, Binding) const { return std::string(ambit::to_string(op.relation)); }
  std::string text(const OrderTerm& op, Binding) const { return rules_.orders[op.order].name; }
  std::string text(const FixpointTerm& op, Binding) const { return rules_.fixpoints[op.fixpoint].name; }
  std::string text(const Empty&, Binding) const { return "0"; }
  std::string text(const Union& op, Binding context) const { return infix(op, "|", Binding::Union, context); }
  std::string text(const Intersection& op, Binding context) const {
    return infix(op, "&", Binding::Intersection, context);
  }
  std::string text(const Difference& op, Binding context) const {
    return infix(op, "\\", Binding::Difference, context);
  }
  std::string text(const Sequence& op, Binding context) const { return infix(op, ";", Binding::Sequence, context); }
  std::string text(const Product& op, Binding context) const { return infix(op, "*", Binding::Product, context); }
  std::string text(const Complement& op, Binding context) const {
    return brackets("~" + print(op.argument, Binding::Prefix), Binding::Prefix, context);
  }
  std::string text(const Inverse& op, Binding) const { return print(op.argument, Binding::Postfix) + "^-1"; }
  std::string text(const TransitiveClosure& op, Binding) const { return print(op.argument, Binding::Postfix) + "+"; }
  std::string text(const Optional& op, Binding) const {
    const auto* closure = std::get_if<TransitiveClosure>(&rules_.terms[op.argument]);
    if (closure != nullptr && !names_.contains(op.argument)) return print(closure->argument, Binding::Postfix) + "*";
    return print(op.argument, Binding::Postfix) + "?";
  }
  std::string text(const SetIdentity& op, Binding) const { return fmt::format("[{}]", print(op.set, Binding::Union)); }
  std::string text(const Domain& op, Binding) const {
    return fmt::format("domain({})", print(op.argument, Binding::Union));
  }
  std::string text(const Range& op, Binding) const {
    return fmt::format("range({})", print(op.argument, Binding::Union));
  }

  /// Prints a chain of one operator. `context` is the lowest precedence that needs no brackets at this point. Chains
  /// associate to the left.
  template <typename Operator>
  std::string infix(const Operator& op, const char* sign, Binding own, Binding context) const {
    return brackets(fmt::format("{} {} {}", print(op.left, own), sign, print(op.right, tighter(own))), own, context);
  }
  static std::string brackets(const std::string& inner, Binding own, Binding context) {
    return own < context ? "(" + inner + ")" : inner;
  }

  const Rules& rules_;
  std::unordered_map<TermId, std::string_view> names_;
};

}  // namespace

std::string to_string(const Rules& rules, TermId term) { return Printer(rules).print(term, Binding::Union); }

}  // namespace ambit::rules
