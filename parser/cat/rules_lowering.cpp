#include "parser/cat/rules_lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "model/rules/terms.h"
#include "parser/text/nesting.h"

namespace ambit::parser::cat {
namespace {

using rules::Kind;
using rules::TermId;

const Denotation kBad{std::nullopt, 0, true};
const Denotation kEmpty{std::nullopt, 0, false};

std::string_view sign_of(Operator op) {
  switch (op) {
    case Operator::Union: return "|";
    case Operator::Sequence: return ";";
    case Operator::Difference: return "\\";
    case Operator::Intersection: return "&";
    case Operator::Product:
    case Operator::ReflexiveClosure: return "*";
    case Operator::Complement: return "~";
    case Operator::Closure: return "+";
    case Operator::Optional: return "?";
    case Operator::Inverse: return "^-1";
    case Operator::Identity: return "[ ]";
    case Operator::Empty:
    case Operator::Name:
    case Operator::Call:
    case Operator::Attempt:
    case Operator::Choice: break;
  }
  return "if";
}

}  // namespace

std::string_view name_of(Kind kind) { return kind == Kind::Set ? "a set" : "a relation"; }

bool is_builtin_function(std::string_view name) { return std::ranges::count(kBuiltinFunctions, name) > 0; }

void ErrorList::add(const Unit& unit, SourceSpan span, const std::string& message, std::string hint) {
  const std::string key = fmt::format("{}:{}:{}:{}", unit.source->path, span.line, span.column, message);
  if (!seen_.insert(key).second) return;
  all_.push_back(
      {unit.source, span,
       unit.included_from.empty() ? message : fmt::format("{} (included from {})", message, unit.included_from),
       std::move(hint)});
}

void Lowering::error(SourceSpan span, const std::string& message, std::string hint) {
  if (!call_place_.empty()) {
    hint += fmt::format("{}in the function called at {}", hint.empty() ? "" : "; ", call_place_);
  }
  errors_.add(*unit_, span, message, std::move(hint));
}

std::string Lowering::text_of(const Expression& expression) const {
  constexpr std::size_t kLongest = 40;
  const std::string_view line = unit_->source->line(expression.span.line);
  const std::size_t start = std::min<std::size_t>(expression.span.column - 1, line.size());
  const std::string_view text = line.substr(start, expression.span.length);
  return text.size() <= kLongest ? std::string(text) : std::string(text.substr(0, kLongest - 3)) + "...";
}

Denotation Lowering::lower(const Unit& unit, const Expression& expression) {
  unit_ = &unit;
  return lower(expression);
}

std::optional<TermId> Lowering::lower_as(Kind wanted, const Unit& unit, const Expression& expression,
                                         std::string_view user) {
  return as(wanted, lower(unit, expression), expression, user);
}

TermId Lowering::term_of(const Denotation& value, Kind kind) {
  return value.kind ? value.term : rules_.intern(rules::Empty{}, kind);
}

std::optional<TermId> Lowering::as(Kind wanted, const Denotation& value, const Expression& expression,
                                   std::string_view user) {
  if (value.bad) return std::nullopt;
  if (!value.kind || *value.kind == wanted) return term_of(value, wanted);
  error(expression.span,
        fmt::format("{} needs {}, but '{}' is {}", user, name_of(wanted), text_of(expression), name_of(*value.kind)),
        wanted == Kind::Relation ? "write [S] for the identity on a set S, S * T for all pairs of two sets"
                                 : "write domain(r) or range(r) for a set");
  return std::nullopt;
}

Denotation Lowering::lower(const Expression& expression) {
  if (++steps_ > kMaxSteps || rules_.terms.size() > kMaxTerms) {
    if (!too_large_) {
      error(expression.span,
            fmt::format("the model is too large: it has more than {} terms after expansion of its functions",
                        static_cast<std::size_t>(kMaxTerms)));
    }
    too_large_ = true;
    return kBad;
  }
  return lower_node(expression);
}

Denotation Lowering::lower_node(const Expression& expression) {
  switch (expression.op) {
    case Operator::Union:
    case Operator::Sequence:
    case Operator::Difference:
    case Operator::Intersection:
    case Operator::Product: return lower_chain(expression);
    case Operator::Complement:
    case Operator::Closure:
    case Operator::ReflexiveClosure:
    case Operator::Optional:
    case Operator::Inverse:
    case Operator::Identity: return lower_unary(expression);
    case Operator::Empty: return kEmpty;
    case Operator::Name: return lower_name(expression);
    case Operator::Call: return lower_call(expression);
    case Operator::Choice: return lower_choice(expression);
    case Operator::Attempt: return lower_attempt(expression);
  }
  AMBIT_ASSERT(false);
  return kBad;
}

Denotation Lowering::join_kinds(const Expression& expression, std::size_t sign, const Denotation& a,
                                const Denotation& b, const Expression& left, const Expression& right) {
  if (a.bad || b.bad) return kBad;
  if (a.kind && b.kind && *a.kind != *b.kind) {
    error(expression.operators.empty() ? expression.span : expression.operators[sign],
          fmt::format("'{}' needs two sets or two relations, but '{}' is {} and '{}' is {}", sign_of(expression.op),
                      text_of(left), name_of(*a.kind), text_of(right), name_of(*b.kind)),
          "write [S] for the identity on a set S, S * T for all pairs of two sets");
    return kBad;
  }
  return {a.kind ? a.kind : b.kind, 0, false};
}

Denotation Lowering::lower_chain(const Expression& expression) {
  Denotation left = lower(expression.arguments[0]);
  for (std::size_t i = 1; i < expression.arguments.size(); ++i) {
    const Expression& before = expression.arguments[i - 1];
    const Expression& operand = expression.arguments[i];
    const Denotation right = lower(operand);
    const std::string user = fmt::format("'{}'", sign_of(expression.op));
    if (expression.op == Operator::Sequence || expression.op == Operator::Product) {
      const Kind kind = expression.op == Operator::Product ? Kind::Set : Kind::Relation;
      const std::optional<TermId> a = as(kind, left, i == 1 ? before : expression, user);
      const std::optional<TermId> b = as(kind, right, operand, user);
      if (!a || !b) {
        left = kBad;
      } else {
        left = kind == Kind::Set ? relation(rules::Product{*a, *b}) : relation(rules::Sequence{*a, *b});
      }
      continue;
    }
    const Denotation joined = join_kinds(expression, i - 1, left, right, before, operand);
    const bool allowed = expression.op != Operator::Difference || check_recursion(expression, i - 1, right);
    if (joined.bad || !allowed) {
      left = kBad;
    } else if (joined.kind) {
      const TermId a = term_of(left, *joined.kind);
      const TermId b = term_of(right, *joined.kind);
      const rules::Term term = expression.op == Operator::Union          ? rules::Term(rules::Union{a, b})
                               : expression.op == Operator::Intersection ? rules::Term(rules::Intersection{a, b})
                                                                         : rules::Term(rules::Difference{a, b});
      left = {joined.kind, rules_.intern(term, *joined.kind)};
    }
  }
  return left;
}

Denotation Lowering::lower_unary(const Expression& expression) {
  const Expression& operand = expression.arguments[0];
  const Denotation value = lower(operand);
  if (value.bad) return kBad;
  if (expression.op == Operator::Complement) {
    if (!value.kind) {
      error(expression.span, "this 0 is ambiguous: it can be a set or a relation",
            "write _ for all events, _ * _ for all pairs");
      return kBad;
    }
    if (!check_recursion(expression, 0, value)) return kBad;
    return {value.kind, rules_.intern(rules::Complement{value.term}, *value.kind)};
  }
  const Kind wanted = expression.op == Operator::Identity ? Kind::Set : Kind::Relation;
  const std::optional<TermId> term = as(wanted, value, operand, fmt::format("'{}'", sign_of(expression.op)));
  if (!term) return kBad;
  switch (expression.op) {
    case Operator::Closure: return relation(rules::TransitiveClosure{*term});
    case Operator::ReflexiveClosure: return relation(rules::Optional{relation(rules::TransitiveClosure{*term}).term});
    case Operator::Optional: return relation(rules::Optional{*term});
    case Operator::Inverse: return relation(rules::Inverse{*term});
    default: return relation(rules::SetIdentity{*term});
  }
}

Denotation Lowering::lower_name(const Expression& expression) {
  const std::string& name = expression.name.text;
  if (parameters_ != nullptr) {
    if (const auto parameter = parameters_->find(name); parameter != parameters_->end()) return parameter->second;
  }
  if (const auto known = names_.find(name); known != names_.end()) {
    if (const auto* value = std::get_if<Denotation>(&known->second.meaning)) return *value;
    const LetStatement& let = *std::get<Function>(known->second.meaning).let;
    error(expression.span, fmt::format("'{}' is a function of {}", name, plural(let.parameters.size(), "parameter")),
          fmt::format("write {}(...)", name));
    return kBad;
  }
  if (const auto set = base_set_from_string(name)) {
    return {Kind::Set, rules_.intern(rules::BaseSetTerm{*set}, Kind::Set)};
  }
  if (const auto base = base_relation_from_string(name)) return relation(rules::BaseRelationTerm{*base});
  unknown_name(expression.name);
  return kBad;
}

Denotation Lowering::lower_call(const Expression& expression) {
  const std::string& name = expression.name.text;
  if (is_builtin_function(name)) return lower_end(expression);
  const auto known = names_.find(name);
  const auto* function = known == names_.end() ? nullptr : std::get_if<Function>(&known->second.meaning);
  if (function == nullptr) {
    if (known != names_.end() && known->second.is_damaged) return kBad;
    const bool is_value = known != names_.end() || base_set_from_string(name) || base_relation_from_string(name);
    if (is_value) {
      error(expression.name.span, fmt::format("'{}' is not a function", name), "write r ; s to compose relations");
    } else {
      unknown_name(expression.name);
    }
    return kBad;
  }
  Parameters arguments;
  bool bad = function->bad;
  const std::vector<Word>& parameters = function->let->parameters;
  if (expression.arguments.size() != parameters.size()) {
    error(expression.span, fmt::format("'{}' takes {}, found {}", name, plural(parameters.size(), "argument"),
                                       expression.arguments.size()));
    bad = true;
  }
  for (std::size_t i = 0; i < expression.arguments.size(); ++i) {
    const Denotation argument = lower(expression.arguments[i]);
    bad = bad || argument.bad;
    if (!bad) arguments.emplace(parameters[i].text, argument);
  }
  return bad ? kBad : expand(expression, *function, arguments);
}

Denotation Lowering::lower_end(const Expression& expression) {
  const std::string& name = expression.name.text;
  if (expression.arguments.size() != 1) {
    error(expression.span, fmt::format("'{}' takes 1 argument, found {}", name, expression.arguments.size()));
    return kBad;
  }
  const std::optional<TermId> term =
      as(Kind::Relation, lower(expression.arguments[0]), expression.arguments[0], fmt::format("'{}'", name));
  if (!term) return kBad;
  return {Kind::Set, name == "domain" ? rules_.intern(rules::Domain{*term}, Kind::Set)
                                      : rules_.intern(rules::Range{*term}, Kind::Set)};
}

Denotation Lowering::expand(const Expression& call, const Function& function, const Parameters& arguments) {
  if (call_depth_ == kMaxNesting) {
    error(call.span, fmt::format("nested too deeply: more than {} levels", kMaxNesting));
    return kBad;
  }
  const Unit* const outer_unit = unit_;
  const Parameters* const outer_parameters = parameters_;
  const std::string outer_place = call_place_;
  if (call_place_.empty()) call_place_ = fmt::format("{}:{}", unit_->source->path, call.span.line);
  unit_ = function.unit;
  parameters_ = &arguments;
  ++call_depth_;
  const Denotation result = lower(function.let->body);
  --call_depth_;
  parameters_ = outer_parameters;
  unit_ = outer_unit;
  call_place_ = outer_place;
  if (function.let->phrase && !result.bad && result.kind == Kind::Relation) {
    rules_.calls.push_back({function.let->name.text, result.term, function.let->phrase->text});
  }
  return result;
}

Denotation Lowering::lower_choice(const Expression& expression) {
  // Both branches are checked, but only the chosen branch becomes part of the rules. Definitions that only the rejected
  // branch uses are removed at the end.
  const Denotation yes = lower(expression.arguments[0]);
  const Denotation no = lower(expression.arguments[1]);
  const std::optional<bool> first = is_chosen(expression.name, expression.value);
  if (!first) return kBad;
  const Denotation joined = join_kinds(expression, 0, yes, no, expression.arguments[0], expression.arguments[1]);
  if (joined.bad) return kBad;
  Denotation chosen = *first ? yes : no;
  if (!chosen.kind && joined.kind) chosen = {joined.kind, term_of(chosen, *joined.kind)};
  return chosen;
}

std::optional<bool> Lowering::is_chosen(const Unit& unit, const Word& option, const Word& value) {
  unit_ = &unit;
  return is_chosen(option, value);
}

std::optional<bool> Lowering::is_chosen(const Word& name, const Word& value) {
  std::vector<std::string_view> known;
  for (const rules::ModelOption& option : rules_.options) {
    known.push_back(option.name);
    if (option.name != name.text) continue;
    if (std::find(option.values.begin(), option.values.end(), value.text) != option.values.end()) {
      return option.chosen == value.text;
    }
    error(value.span, fmt::format("option '{}' has no value '{}'", option.name, value.text),
          fmt::format("its values are {}", fmt::join(option.values, ", ")));
    return std::nullopt;
  }
  if (may_be_damaged(name.text)) return std::nullopt;
  const std::string_view near = nearest_name(name.text, known);
  error(name.span, fmt::format("unknown option '{}'", name.text),
        near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  return std::nullopt;
}

}  // namespace ambit::parser::cat
