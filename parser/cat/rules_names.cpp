#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "model/rules/terms.h"
#include "parser/cat/rules_lowering.h"

// The names in a model file: definitions, lookup, and the check of recursive definitions.
namespace ambit::parser::cat {
namespace {

using rules::Kind;
using rules::TermId;

/// Returns a hint for a name that herd7 defines and Ambit does not; an empty string for other names.
std::string hint_for_herd_name(std::string_view name) {
  struct Word {
    std::string_view name;
    std::string_view instead;
  };
  static constexpr std::string_view kFence =
      "a fence of a CPU: the fences of GPUs are F & SC and F & AR, each with a scope";
  static constexpr std::array<Word, 49> kWords = {{
      {"rfe", "define it: let rfe = rf & ext, or include \"cos.cat\""},
      {"rfi", "define it: let rfi = rf & int, or include \"cos.cat\""},
      {"fre", "define it: let fre = fr & ext, or include \"cos.cat\""},
      {"fri", "define it: let fri = fr & int, or include \"cos.cat\""},
      {"coe", "define it: let coe = co & ext, or include \"cos.cat\""},
      {"coi", "define it: let coi = co & int, or include \"cos.cat\""},
      {"po-loc", "define it: let po-loc = po & loc, or include \"stdlib.cat\""},
      {"poloc", "define it: let poloc = po & loc"},
      {"com", "define it: let com = rf | co | fr, or include \"stdlib.cat\""},
      {"come", "define it: let come = (rf | co | fr) & ext"},
      {"ws", "Ambit's name is co"},
      {"mo", "Ambit's name is co"},
      {"sb", "Ambit's name is po"},
      {"rb", "Ambit's name is fr"},
      {"amo", "Ambit's name is rmw"},
      {"lxsx", "Ambit's name is rmw"},
      {"emptyset", "write 0"},
      {"FW", "no write follows a final write in co: define let FW = W \\ domain(co)"},
      {"RELEASE", "Ambit's name is REL; acq_rel has its own set, AR"},
      {"ACQUIRE", "Ambit's name is ACQ; acq_rel has its own set, AR"},
      {"L", "the set of releases is REL | AR | SC"},
      {"ACQ_REL", "Ambit's name is AR"},
      {"SEQ_CST", "Ambit's name is SC"},
      {"asw", "initial writes are first in co: no relation asw is needed"},
      {"fencerel", "define it: let fencerel(s) = po; [s]; po, or include \"fences.cat\""},
      {"toid", "write [S]"},
      {"linearisations", "declare an order: order x on S"},
      {"cross", "declare an order: order x on S"},
      {"RR", "define it: let RR(r) = r & (R * R), or include \"filters.cat\""},
      {"RW", "define it: let RW(r) = r & (R * W), or include \"filters.cat\""},
      {"RM", "define it: let RM(r) = r & (R * M), or include \"filters.cat\""},
      {"WR", "define it: let WR(r) = r & (W * R), or include \"filters.cat\""},
      {"WW", "define it: let WW(r) = r & (W * W), or include \"filters.cat\""},
      {"WM", "define it: let WM(r) = r & (W * M), or include \"filters.cat\""},
      {"MR", "define it: let MR(r) = r & (M * R), or include \"filters.cat\""},
      {"MW", "define it: let MW(r) = r & (M * W), or include \"filters.cat\""},
      {"MM", "define it: let MM(r) = r & (M * M), or include \"filters.cat\""},
      {"MA", "define it: let MA(r) = r & (M * A), or include \"filters.cat\""},
      {"AM", "define it: let AM(r) = r & (A * M), or include \"filters.cat\""},
      {"mfence", kFence},
      {"sync", kFence},
      {"lwsync", kFence},
      {"dmb", kFence},
      {"dmb.sy", kFence},
      {"MFENCE", kFence},
      {"sm", "write loc, because accesses never overlap partially"},
      {"si", "write id, because accesses never overlap partially"},
      {"generate_cos", "leave the statement out: co is built in"},
      {"same-thread", "Ambit's name is int"},
  }};
  const auto* found = std::find_if(kWords.begin(), kWords.end(), [&](const Word& word) { return word.name == name; });
  return found == kWords.end() ? std::string() : std::string(found->instead);
}

bool is_built_in(std::string_view name) {
  return is_builtin_function(name) || base_set_from_string(name) || base_relation_from_string(name);
}

}  // namespace

bool Lowering::declare(const Unit& unit, const Word& name, std::variant<Denotation, Function> meaning) {
  if (is_built_in(name.text)) {
    errors_.add(unit, name.span, fmt::format("'{}' is built in and cannot be defined", name.text));
    return false;
  }
  const auto [known, is_new] =
      names_.try_emplace(name.text, Name{meaning, fmt::format("{}:{}", unit.source->path, name.span.line)});
  if (!is_new && known->second.is_damaged) {
    known->second = {meaning, fmt::format("{}:{}", unit.source->path, name.span.line)};
    return true;
  }
  if (!is_new) {
    errors_.add(unit, name.span, fmt::format("'{}' is already defined at {}", name.text, known->second.place));
  }
  return is_new;
}

void Lowering::declare_damaged(const Unit& unit, const Word& name) {
  if (is_built_in(name.text)) return;
  has_damage_ = true;
  const std::string place = fmt::format("{}:{}", unit.source->path, name.span.line);
  names_.try_emplace(name.text, Name{Denotation{std::nullopt, 0, true}, place, true});
}

bool Lowering::may_be_damaged(std::string_view name) const {
  const auto known = names_.find(name);
  return known == names_.end() ? allows_unknown_names_ : known->second.is_damaged;
}

void Lowering::unknown_name(const Word& name, std::string hint) {
  if (allows_unknown_names_) return;
  std::vector<std::string_view> known;
  if (parameters_ != nullptr) {
    for (const auto& [parameter, value] : *parameters_) known.push_back(parameter);
  }
  for (const auto& [defined, meaning] : names_) known.push_back(defined);
  for (const std::string_view function : kBuiltinFunctions) known.push_back(function);
  for (const auto& entry : kBaseSets) known.push_back(entry.name);
  for (const auto& entry : kBaseRelations) known.push_back(entry.name);
  if (hint.empty()) hint = hint_for_herd_name(name.text);
  if (hint.empty()) {
    if (const std::string_view near = nearest_name(name.text, known); !near.empty()) {
      hint = fmt::format("did you mean '{}'?", near);
    }
  }
  error(name.span, fmt::format("unknown name '{}'", name.text), std::move(hint));
}

bool Lowering::check_function(const Unit& unit, const LetStatement& function) {
  unit_ = &unit;
  bool good = true;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Word& parameter = function.parameters[i];
    const bool twice = std::any_of(function.parameters.begin(), function.parameters.begin() + static_cast<long>(i),
                                   [&](const Word& other) { return other.text == parameter.text; });
    if (twice) error(parameter.span, fmt::format("two parameters are named '{}'", parameter.text));
    if (is_built_in(parameter.text)) {
      error(parameter.span, fmt::format("'{}' is built in and cannot be a parameter", parameter.text));
    }
    good = good && !twice && !is_built_in(parameter.text);
  }
  check_names(function.body, function, good);
  return good;
}

void Lowering::check_phrase(const Unit& unit, const std::optional<Word>& phrase) {
  if (!phrase) return;
  const std::string_view text = phrase->text;
  const bool first = text.find("$1") != std::string_view::npos;
  const bool second = text.find("$2") != std::string_view::npos;
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    const std::string_view name = text.substr(at, 2);
    if (name == "$1" || name == "$2") continue;
    errors_.add(unit, phrase->span, fmt::format("unexpected '{}' in a phrase", name),
                "$1 and $2 denote the two events");
    return;
  }
  if (first == second) return;
  errors_.add(unit, phrase->span,
              fmt::format("this phrase has {} but not {}", first ? "$1" : "$2", first ? "$2" : "$1"),
              "a sentence needs both events: \"$1 synchronizes with $2\"");
}

template <typename IsParameter>
bool Lowering::knows_names(const Expression& expression, IsParameter is_parameter) const {
  const auto knows = [&](const Expression& argument) { return knows_names(argument, is_parameter); };
  if (expression.op == Operator::Attempt) return std::ranges::any_of(expression.arguments, knows);
  if (!std::ranges::all_of(expression.arguments, knows)) return false;
  if (expression.op != Operator::Name && expression.op != Operator::Call) return true;
  const std::string& name = expression.name.text;
  return is_parameter(name) || is_built_in(name) || names_.contains(name);
}

/// Like herd7, takes the second expression if the first expression has an undefined name.
Denotation Lowering::lower_attempt(const Expression& expression) {
  const auto is_parameter = [&](const std::string& name) {
    return parameters_ != nullptr && parameters_->contains(name);
  };
  const auto known = attempts_.find(&expression);
  const bool takes_first =
      known != attempts_.end() ? known->second : knows_names(expression.arguments[0], is_parameter);
  attempts_.emplace(&expression, takes_first);
  return lower(expression.arguments[takes_first ? 0 : 1]);
}

void Lowering::check_names(const Expression& expression, const LetStatement& function, bool& good) {
  const auto is_parameter_name = [&](const std::string& name) {
    return std::ranges::any_of(function.parameters, [&](const Word& parameter) { return parameter.text == name; });
  };
  if (expression.op == Operator::Attempt) {
    const bool takes_first = knows_names(expression.arguments[0], is_parameter_name);
    attempts_.emplace(&expression, takes_first);
    return check_names(expression.arguments[takes_first ? 0 : 1], function, good);
  }
  for (const Expression& argument : expression.arguments) check_names(argument, function, good);
  if (expression.op != Operator::Name && expression.op != Operator::Call) return;
  const std::string& name = expression.name.text;
  const bool is_parameter = is_parameter_name(name);
  if (is_parameter && expression.op == Operator::Call) {
    error(expression.name.span, fmt::format("'{}' is not a function", name));
    good = false;
  }
  if (is_parameter || is_built_in(name) || names_.contains(name)) return;
  Parameters parameters;  // unknown_name() suggests the nearest of these names
  for (const Word& parameter : function.parameters) parameters.try_emplace(parameter.text);
  parameters_ = &parameters;
  unknown_name(expression.name,
               name == function.name.text ? "a function cannot call itself; write let rec for recursion" : "");
  parameters_ = nullptr;
  good = false;
}

bool Lowering::depends_on_open(TermId term) {
  if (!open_from_) return false;
  while (depends_.size() < rules_.terms.size()) {
    const rules::Term& next = rules_.terms[depends_.size()];
    bool depends = false;
    rules::for_each_argument(next, [&](TermId argument) { depends = depends || depends_[argument]; });
    if (const auto* variable = std::get_if<rules::FixpointTerm>(&next)) depends = variable->fixpoint >= *open_from_;
    depends_.push_back(depends);
  }
  return depends_[term];
}

void Lowering::open_group(std::size_t first_fixpoint) {
  open_from_ = first_fixpoint;
  depends_.clear();
}

bool Lowering::check_recursion(const Expression& expression, std::size_t sign, const Denotation& operand) {
  if (operand.bad) return false;
  if (!operand.kind || !depends_on_open(operand.term)) return true;
  const bool is_complement = expression.op == Operator::Complement;
  error(expression.operators[sign],
        fmt::format("a name of this 'let rec' is used {}", is_complement ? "under '~'" : "on the right of '\\'"),
        "write a monotone body: a least fixed point exists only if larger values of the names never make the body "
        "smaller");
  return false;
}

std::optional<Kind> Lowering::infer(const Expression& expression, const KindMap& unknown, std::size_t& steps) const {
  if (steps == 0) return std::nullopt;
  --steps;
  switch (expression.op) {
    case Operator::Sequence:
    case Operator::Product:
    case Operator::Closure:
    case Operator::ReflexiveClosure:
    case Operator::Optional:
    case Operator::Inverse:
    case Operator::Identity: return Kind::Relation;
    case Operator::Empty: return std::nullopt;
    case Operator::Union:
    case Operator::Difference:
    case Operator::Intersection:
    case Operator::Complement:
    case Operator::Choice:
    case Operator::Attempt:
      for (const Expression& argument : expression.arguments) {
        if (const auto kind = infer(argument, unknown, steps)) return kind;
      }
      return std::nullopt;
    case Operator::Name:
    case Operator::Call: break;
  }
  const std::string& name = expression.name.text;
  if (const auto variable = unknown.find(name); variable != unknown.end()) return variable->second;
  if (is_builtin_function(name) || base_set_from_string(name)) return Kind::Set;
  if (base_relation_from_string(name)) return Kind::Relation;
  const auto known = names_.find(name);
  if (known == names_.end()) return std::nullopt;
  if (const auto* value = std::get_if<Denotation>(&known->second.meaning)) return value->kind;
  const LetStatement& let = *std::get<Function>(known->second.meaning).let;
  KindMap parameters;
  for (std::size_t i = 0; i < std::min(let.parameters.size(), expression.arguments.size()); ++i) {
    parameters[let.parameters[i].text] = infer(expression.arguments[i], unknown, steps);
  }
  return infer(let.body, parameters, steps);
}

}  // namespace ambit::parser::cat
