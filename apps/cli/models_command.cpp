#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>
#include <string>

#include "apps/cli/commands.h"
#include "core/vocabulary.h"
#include "model/rules/rules.h"
#include "model/rules/shipped.h"
#include "parser/parse.h"
#include "report/text/table.h"

namespace ambit::cli {
namespace {

using Align = report::Table::Align;

struct ModelsOptions {
  std::string name;
  bool vocabulary = false;
};

int list_models() {
  report::Table table({Align::Left, Align::Left});
  for (const std::string_view name : rules::shipped_models()) {
    const auto loaded = parser::load_model(std::string(name));
    if (!loaded.ok()) {
      std::cerr << render(loaded.errors());
      return kInternalError;  // if a shipped model does not load, this is a bug
    }
    table.add({std::string(name), loaded.value()->title});
    for (const rules::ModelOption& option : loaded.value()->options) {
      table.add({"", fmt::format("{}={}: {}", option.name, fmt::join(option.values, "|"), option.meaning)});
    }
  }
  std::cout << table.render() << "\nambit models NAME prints a model; --model NAME(option=value) chooses an option; "
            << "the first value is the default.\n";
  return kOk;
}

/// Describes a user's model: its name, title, axioms, flags and options.
std::string described(const rules::Rules& rules) {
  report::Table table({Align::Left, Align::Left, Align::Left});
  const auto test = [](const rules::Axiom& axiom) {
    const std::string_view word = axiom.test == rules::Test::Acyclic       ? "acyclic"
                                  : axiom.test == rules::Test::Irreflexive ? "irreflexive"
                                                                           : "empty";
    return fmt::format("{}{}", axiom.negated ? "not " : "", word);
  };
  for (const rules::Axiom& axiom : rules.axioms) table.add({"axiom", axiom.name, test(axiom)});
  for (const rules::Flag& flag : rules.flags) table.add({"flag", flag.name, flag.is_race() ? "race" : ""});
  for (const rules::ModelOption& option : rules.options) {
    table.add({"option", fmt::format("{}={}", option.name, fmt::join(option.values, "|")), option.meaning});
  }
  return fmt::format("{}: {}\n\n{}\nThe file has no errors.\n", rules.name, rules.title, table.render());
}

int print_model(const std::string& name) {
  for (const rules::ShippedFile& file : rules::shipped_files()) {
    if (file.name == name || file.name == name + ".cat") {
      std::cout << file.text;
      return kOk;
    }
  }
  const auto reference = parser::parse_model_reference(name);
  const auto loaded = reference.ok() ? parser::load_model(reference.value().name, reference.value().options)
                                     : Result<std::shared_ptr<const rules::Rules>>(reference.errors());
  if (!loaded.ok()) {
    std::cerr << render(loaded.errors());
    return kBadInput;
  }
  std::cout << described(*loaded.value());
  return kOk;
}

int print_vocabulary() {
  report::Table table({Align::Left, Align::Left});
  table.add({"set", "meaning"});
  table.add_rule();
  for (const auto& entry : kBaseSets) table.add({std::string(entry.name), std::string(entry.meaning)});
  table.add({" "});
  table.add({"relation", "meaning"});
  table.add_rule();
  for (const auto& entry : kBaseRelations) table.add({std::string(entry.name), std::string(entry.meaning)});
  std::cout << table.render();
  return kOk;
}

}  // namespace

Action declare_models(Command command) {
  const auto options = std::make_shared<ModelsOptions>();
  const Option name = command.argument(
      "MODEL", options->name, "Print this model's text; check a model file, and print its axioms, flags and options");
  command.flag("--vocabulary", options->vocabulary, "Print the sets and relations that model files can use")
      .excludes(name);
  return [options] {
    if (options->vocabulary) return print_vocabulary();
    return options->name.empty() ? list_models() : print_model(options->name);
  };
}

}  // namespace ambit::cli
