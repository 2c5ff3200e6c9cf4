#include "parser/cat/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/rules/rules.h"

namespace ambit::parser::cat {
namespace {

using rules::Kind;
using rules::Rules;
using rules::TermId;

std::string_view word_of(rules::Test test) {
  switch (test) {
    case rules::Test::Acyclic: return "acyclic";
    case rules::Test::Irreflexive: return "irreflexive";
    case rules::Test::Empty: return "empty";
  }
  return {};
}

/// Returns a hint such as "its options: incl = mut | nest; barrier = cta | hard".
std::string list_options(const std::vector<rules::ModelOption>& options) {
  std::vector<std::string> parts;
  for (const rules::ModelOption& option : options) {
    parts.push_back(fmt::format("{} = {}", option.name, fmt::join(option.values, " | ")));
  }
  return parts.empty() ? "this model has no options" : fmt::format("its options: {}", fmt::join(parts, "; "));
}

struct MappingName {
  std::string_view name;
  bool Mappings::*field;
};
constexpr std::array<MappingName, 5> kMappings = {{{"abi", &Mappings::seq_cst_as_fences},
                                                   {"cas-writes", &Mappings::cas_always_writes},
                                                   {"barriers-per-gpu", &Mappings::barriers_per_gpu},
                                                   {"transactions", &Mappings::transactions},
                                                   {"transaction-fences", &Mappings::transaction_fences}}};

std::string hint_for_mapping(std::string_view name) {
  std::vector<std::string_view> names;
  for (const MappingName& mapping : kMappings) names.push_back(mapping.name);
  const std::string_view near = nearest_name(name, names);
  if (!near.empty()) return fmt::format("did you mean '{}'?", near);
  return fmt::format("the mappings are {}", fmt::join(names, ", "));
}

class Resolver {
 public:
  explicit Resolver(const Choice& choice) : choice_(choice), lowering_(rules_, errors_) {}

  Result<std::shared_ptr<const Rules>> resolve(const FlatModel& model) {
    const File& main = *model.files.front();
    rules_.name = model_name(main.source->path);
    rules_.title = main.title ? main.title->text : rules_.name;
    for (const Diagnostic& error : model.errors) errors_.add(error);
    for (const FlatModel::Entry& entry : model.entries) {
      unit_ = entry.unit;
      std::visit([&](const auto& statement) { add(statement); }, *entry.statement);
    }
    check_choice();
    if (rules_.axioms.empty() && rules_.flags.empty() && errors_.empty()) {
      errors_.add({main.source, main.title ? main.title->span : SourceSpan{1, 1, 1},
                   "the model has no axiom and no flag, so it allows every execution and reports nothing",
                   "add an axiom, for example: acyclic po | rf | co | fr as sc"});
    }
    if (!errors_.empty()) return errors_.take();
    return std::make_shared<const Rules>(rules::prune(rules_));
  }

 private:
  void error(SourceSpan span, const std::string& message, std::string hint = {}) {
    errors_.add(*unit_, span, message, std::move(hint));
  }

  void add(const DamagedStatement& statement) {
    for (const Word& name : statement.names) lowering_.declare_damaged(*unit_, name);
    if (statement.defines_unknown) lowering_.allow_unknown_names();
  }

  void add(const IncludeStatement&) {}  // FlatModel already contains the statements of the included file.

  void add(const MappingStatement& statement) {
    const auto known = std::find_if(kMappings.begin(), kMappings.end(),
                                    [&](const MappingName& mapping) { return mapping.name == statement.name.text; });
    if (known == kMappings.end()) {
      error(statement.name.span, fmt::format("unknown mapping '{}'", statement.name.text),
            hint_for_mapping(statement.name.text));
    }
    const bool is_wanted =
        !statement.option || lowering_.is_chosen(*unit_, *statement.option, statement.value).value_or(false);
    if (is_wanted && known != kMappings.end()) rules_.mappings.*(known->field) = true;
  }

  void add(const OptionStatement& statement) {
    rules::ModelOption option;
    option.name = statement.name.text;
    option.meaning = statement.meaning;
    for (const Word& value : statement.values) {
      if (std::find(option.values.begin(), option.values.end(), value.text) != option.values.end()) {
        error(value.span, fmt::format("option '{}' declares the value '{}' twice", option.name, value.text));
        continue;
      }
      option.values.push_back(value.text);
    }
    for (const rules::ModelOption& other : rules_.options) {
      if (other.name == option.name) {
        error(statement.name.span, fmt::format("option '{}' is declared twice", option.name));
        return;
      }
    }
    option.chosen = option.values.front();
    const auto chosen = choice_.options.find(option.name);
    if (chosen != choice_.options.end()) {
      if (std::find(option.values.begin(), option.values.end(), chosen->second) != option.values.end()) {
        option.chosen = chosen->second;
      } else {
        errors_.add(
            {choice_.origin, choice_.where,
             fmt::format("option '{}' of model '{}' has no value '{}'", option.name, rules_.name, chosen->second),
             fmt::format("its values are {}", fmt::join(option.values, ", "))});
      }
    }
    rules_.options.push_back(std::move(option));
  }

  void add(const OrderStatement& statement) {
    const std::optional<TermId> set = lowering_.lower_as(Kind::Set, *unit_, statement.set, "an order");
    Denotation order{Kind::Relation, 0, true};
    if (set && rules::static_terms(rules_)[*set]) {
      const auto index = static_cast<std::uint32_t>(rules_.orders.size());
      rules_.orders.push_back({statement.name.text, *set, statement.name.span});
      order = {Kind::Relation, rules_.intern(rules::OrderTerm{index}, Kind::Relation)};
    } else if (set) {
      error(statement.set.span, "the set of an order cannot depend on rf, co, fr or another order");
    }
    lowering_.declare(*unit_, statement.name, order);
  }

  void add(const LetStatement& statement) {
    lowering_.check_phrase(*unit_, statement.phrase);
    if (!statement.parameters.empty()) {
      const bool good = lowering_.check_function(*unit_, statement);
      lowering_.declare(*unit_, statement.name, Function{&statement, unit_, !good});
      return;
    }
    const Denotation value = lowering_.lower(*unit_, statement.body);
    if (lowering_.declare(*unit_, statement.name, value)) define(statement.name, value, statement.phrase);
  }

  void define(const Word& name, const Denotation& value, const std::optional<Word>& phrase) {
    if (!value.kind || value.bad) return;
    rules_.definitions.push_back({name.text, value.term, phrase ? phrase->text : std::string()});
  }

  void add(const LetRecStatement& statement) {
    const std::size_t first = rules_.fixpoints.size();
    const std::uint32_t group = rules_.fixpoints.empty() ? 0 : rules_.fixpoints.back().group + 1;
    const Lowering::KindMap kinds = infer_kinds(statement);
    std::vector<const LetRecStatement::Binding*> bindings;
    for (const LetRecStatement::Binding& binding : statement.bindings) {
      const auto index = static_cast<std::uint32_t>(rules_.fixpoints.size());
      const std::optional<Kind> inferred = kinds.at(binding.name.text);
      if (!inferred && lowering_.has_damage()) {
        lowering_.declare_damaged(*unit_, binding.name);
        continue;
      }
      const Kind kind = inferred.value_or(Kind::Relation);
      const TermId variable = rules_.intern(rules::FixpointTerm{index}, kind);
      if (!lowering_.declare(*unit_, binding.name, Denotation{kind, variable})) continue;
      rules_.fixpoints.push_back({binding.name.text, group, variable, variable});
      bindings.push_back(&binding);
    }
    lowering_.open_group(first);
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      rules::Fixpoint& fixpoint = rules_.fixpoints[first + i];
      const Kind kind = rules_.kinds[fixpoint.variable];
      const std::optional<TermId> body =
          lowering_.lower_as(kind, *unit_, bindings[i]->body, fmt::format("'{}'", fixpoint.name));
      if (body) fixpoint.body = *body;
    }
    lowering_.close_group();
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      lowering_.check_phrase(*unit_, bindings[i]->phrase);
      const TermId variable = rules_.fixpoints[first + i].variable;
      define(bindings[i]->name, {rules_.kinds[variable], variable}, bindings[i]->phrase);
    }
  }

  /// Infers whether each name of a `let rec` is a set or a relation. If the body does not determine the kind, the name
  /// is a relation.
  Lowering::KindMap infer_kinds(const LetRecStatement& statement) {
    Lowering::KindMap kinds;
    for (const auto& binding : statement.bindings) kinds[binding.name.text] = std::nullopt;
    std::size_t steps = Lowering::kMaxSteps;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& binding : statement.bindings) {
        std::optional<Kind>& kind = kinds[binding.name.text];
        if (kind) continue;
        kind = lowering_.infer(binding.body, kinds, steps);
        changed = changed || kind.has_value();
      }
    }
    return kinds;
  }

  void add(const TestStatement& statement) {
    const std::size_t number = (statement.is_flag ? rules_.flags.size() : rules_.axioms.size()) + 1;
    const std::string name = statement.name ? statement.name->text : fmt::format("axiom {}", number);
    for (const rules::Axiom& other : rules_.axioms) check_unique(statement, name, other.name);
    for (const rules::Flag& other : rules_.flags) check_unique(statement, name, other.name);
    TermId term = 0;
    if (statement.test == rules::Test::Empty) {
      const Denotation value = lowering_.lower(*unit_, statement.expression);
      if (value.bad) return;
      term = lowering_.term_of(value, Kind::Relation);
    } else {
      const std::optional<TermId> relation = lowering_.lower_as(Kind::Relation, *unit_, statement.expression,
                                                                fmt::format("'{}'", word_of(statement.test)));
      if (!relation) return;
      term = *relation;
    }
    if (statement.is_flag) {
      rules_.flags.push_back({name, statement.test, statement.negated, term, statement.span});
    } else {
      rules_.axioms.push_back({name, statement.test, statement.negated, term, statement.span,
                               statement.phrase ? statement.phrase->text : std::string()});
    }
  }

  void check_unique(const TestStatement& statement, const std::string& name, const std::string& other) {
    if (name == other && statement.name) {
      error(statement.name->span, fmt::format("another axiom or flag has the name '{}'", name));
    }
  }

  void check_choice() {
    std::vector<std::string_view> known;
    for (const rules::ModelOption& option : rules_.options) known.push_back(option.name);
    for (const auto& [name, value] : choice_.options) {
      if (std::find(known.begin(), known.end(), name) != known.end() || lowering_.may_be_damaged(name)) continue;
      const std::string_view near = nearest_name(name, known);
      errors_.add({choice_.origin, choice_.where, fmt::format("model '{}' has no option '{}'", rules_.name, name),
                   near.empty() ? list_options(rules_.options) : fmt::format("did you mean '{}'?", near)});
    }
  }

  const Choice& choice_;
  Rules rules_;
  ErrorList errors_;
  Lowering lowering_;
  const Unit* unit_ = nullptr;
};

}  // namespace

Result<std::shared_ptr<const rules::Rules>> resolve(const FlatModel& model, const Choice& choice) {
  return Resolver(choice).resolve(model);
}

std::string model_name(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (name.size() > 1 && name.front() == '<' && name.back() == '>') name = name.substr(1, name.size() - 2);
  if (name.ends_with(".cat")) name.resize(name.size() - 4);
  return name;
}

bool is_model_file(std::string_view model) {
  return model.find('/') != std::string_view::npos || model.ends_with(".cat");
}

SourceFilePtr command_line() { return std::make_shared<const SourceFile>(SourceFile{"command line", ""}); }

}  // namespace ambit::parser::cat
