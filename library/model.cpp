#include <ambit/model.h>

#include "library/internals.h"
#include "model/rules/shipped.h"
#include "model/verdict/races.h"
#include "parser/cat/load.h"

namespace AMBIT_NAMESPACE {
namespace {

parser::RulesPtr load(const std::string& reference) {
  return guarded([&] {
    const auto parsed = taken(parser::parse_model_reference(reference));
    return taken(parser::load_model(parsed.name, parsed.options));
  });
}

}  // namespace

Model::Model(const std::string& reference) : content_(std::make_shared<const Content>(Content{load(reference)})) {}
Model::Model(const char* reference) : Model(std::string(reference)) {}

Model Model::parse(const std::string& text, const std::string& name) {
  return guarded([&] {
    return Internals::model(taken(parser::parse_model(std::make_shared<const SourceFile>(SourceFile{name, text}))));
  });
}

std::string Model::name() const { return verdict::model_name(*content_->rules); }
const std::string& Model::title() const { return content_->rules->title; }
bool Model::speaks_of_races() const { return verdict::speaks_of_races(*content_->rules); }

std::vector<ModelOption> Model::options() const {
  std::vector<ModelOption> options;
  for (const rules::ModelOption& option : content_->rules->options) {
    options.push_back({option.name, option.values, option.meaning});
  }
  return options;
}

std::vector<Model> models() {
  std::vector<Model> models;
  for (const std::string_view name : rules::shipped_models()) models.emplace_back(std::string(name));
  return models;
}

}  // namespace AMBIT_NAMESPACE
