#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>
#include <string>

#include "apps/cli/commands.h"
#include "core/vocabulary.h"
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
      return kInternalError;  // a shipped model that does not load is a bug
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

int print_model(const std::string& name) {
  for (const rules::ShippedFile& file : rules::shipped_files()) {
    if (file.name == name || file.name == name + ".cat") {
      std::cout << file.text;
      return kOk;
    }
  }
  const auto missing = parser::load_model(name);
  std::cerr << (missing.ok() ? fmt::format("command line: error: {} is not a shipped model\n", name)
                             : render(missing.errors()));
  return kBadInput;
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
  const Option name = command.argument("MODEL", options->name, "Print this model's text");
  command.flag("--vocabulary", options->vocabulary, "Print the sets and relations that model files can use")
      .excludes(name);
  return [options] {
    if (options->vocabulary) return print_vocabulary();
    return options->name.empty() ? list_models() : print_model(options->name);
  };
}

}  // namespace ambit::cli
