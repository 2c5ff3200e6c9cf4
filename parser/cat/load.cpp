#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <system_error>

#include "model/rules/shipped.h"
#include "parser/cat/load.h"
#include "parser/cat/resolve.h"
#include "parser/text/source_text.h"

// Finds model files: the shipped models, the user's models, and their includes.
namespace ambit::parser {
namespace {

using cat::FlatModel;
using cat::Unit;

/// A model file and its parse result.
struct ModelFile {
  SourceFilePtr source;
  Result<std::shared_ptr<const cat::File>> tree;
};

ModelFile read(SourceFilePtr source) {
  auto tree = cat::read(source);
  return {std::move(source), std::move(tree)};
}

/// Returns the shipped file of this name; null if there is no such file. Reads each file once, because most models
/// include the same files. Thread-safe.
const ModelFile* find_shipped(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string_view, ModelFile> known;  // maps the name of a shipped file to its parse result
  const std::lock_guard lock(mutex);
  const auto found = known.find(name);
  if (found != known.end()) return &found->second;
  for (const rules::ShippedFile& file : rules::shipped_files()) {
    if (file.name != name) continue;
    auto source = std::make_shared<const SourceFile>(SourceFile{fmt::format("<{}>", name), std::string(file.text)});
    return &known.emplace(file.name, read(std::move(source))).first->second;
  }
  return nullptr;
}

/// Returns a placeholder for an include whose file cannot be read.
const cat::Statement* lost_include() {
  static const cat::Statement kLost = cat::DamagedStatement{{}, true};
  return &kLost;
}

/// Reads a model and its includes, depth first. Reads each file once.
class Includer {
 public:
  /// Reads the model. Error: no part of the model file can be read.
  Result<FlatModel> run(const ModelFile& file) {
    add(file, "", nullptr);
    if (model_.files.empty()) return std::move(model_.errors);
    return std::move(model_);
  }

 private:
  void add(const ModelFile& added, const std::string& included_from, const Unit* from) {
    const auto& [source, file] = added;
    for (Diagnostic error : file ? file.value()->errors : file.errors()) {
      if (!included_from.empty()) error.message += fmt::format(" (included from {})", included_from);
      model_.errors.push_back(std::move(error));
    }
    if (!file) {
      model_.entries.push_back({lost_include(), from});
      return;
    }
    model_.files.push_back(file.value());
    model_.units.push_back(std::make_unique<Unit>(Unit{source, included_from}));
    const Unit* unit = model_.units.back().get();
    const cat::File& tree = *file.value();
    const std::string key = key_of(*source);
    seen_.insert(key);
    open_.push_back(key);
    for (const cat::Statement& statement : tree.statements) {
      if (const auto* include = std::get_if<cat::IncludeStatement>(&statement)) {
        follow(*include, *unit);
      } else {
        model_.entries.push_back({&statement, unit});
      }
    }
    open_.pop_back();
  }

  void follow(const cat::IncludeStatement& include, const Unit& unit) {
    const auto error = [&](std::string message, std::string hint = {}) {
      if (!unit.included_from.empty()) message += fmt::format(" (included from {})", unit.included_from);
      model_.errors.push_back({unit.source, include.path.span, std::move(message), std::move(hint)});
      model_.entries.push_back({lost_include(), &unit});
    };
    const SourceFilePtr beside = find_beside(*unit.source, include.path.text, error);
    if (failed_) return;
    const ModelFile* shipped = beside == nullptr ? find_shipped(include.path.text) : nullptr;
    if (beside == nullptr && shipped == nullptr) {
      std::vector<std::string_view> names;
      for (const rules::ShippedFile& file : rules::shipped_files()) names.push_back(file.name);
      const std::string_view near = nearest_name(include.path.text, names);
      std::string hint = near.empty() ? "" : fmt::format("did you mean '{}'?", near);
      if (include.path.text.ends_with("fences.cat")) {
        hint = "remove this include, or include fences.cat for fencerel: Ambit has no CPU fences";
      }
      error(fmt::format("no file '{}' in this folder or among the shipped files", include.path.text), std::move(hint));
      return;
    }
    const std::string key = key_of(beside != nullptr ? *beside : *shipped->source);
    if (std::find(open_.begin(), open_.end(), key) != open_.end()) {
      error(fmt::format("'{}' includes itself", include.path.text));
    } else if (open_.size() >= kMaxIncludes) {
      error(fmt::format("includes are nested deeper than {}", kMaxIncludes));
    } else if (!seen_.contains(key)) {
      add(beside != nullptr ? read(beside) : *shipped, fmt::format("{}:{}", unit.source->path, include.path.span.line),
          &unit);
    }
  }

  /// Reads the included file from the including file's folder. Sets failed_ if the file exists but cannot be read.
  template <typename Error>
  SourceFilePtr find_beside(const SourceFile& from, const std::string& name, const Error& error) {
    failed_ = false;
    if (from.path.starts_with('<') || name.empty()) return nullptr;
    const std::filesystem::path path = std::filesystem::path(from.path).parent_path() / name;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return nullptr;
    auto source = read_source(path.string());
    if (source) return source.value();
    failed_ = true;
    error(fmt::format("cannot include '{}': {}", name, source.errors().front().message));
    return nullptr;
  }

  /// Returns a key that is equal for all spellings of a file's path.
  static std::string key_of(const SourceFile& source) {
    if (source.path.starts_with('<')) return source.path;
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::weakly_canonical(source.path, failed);
    return failed ? source.path : path.string();
  }

  static constexpr std::size_t kMaxIncludes = 32;
  FlatModel model_;
  std::set<std::string> seen_;
  std::vector<std::string> open_;
  bool failed_ = false;
};

Result<std::shared_ptr<const rules::Rules>> load(const ModelFile& file, const cat::Choice& choice) {
  auto flat = Includer().run(file);
  if (!flat) return flat.errors();
  return cat::resolve(flat.value(), choice);
}

}  // namespace

Result<std::shared_ptr<const rules::Rules>> load_model(const std::string& model,
                                                       const std::map<std::string, std::string>& chosen,
                                                       SourceFilePtr origin, SourceSpan where) {
  if (origin == nullptr) origin = cat::command_line();
  const cat::Choice choice{chosen, origin, where};
  const auto models = rules::shipped_models();
  if (cat::is_model_file(model)) {
    auto source = read_source(model);
    if (!source) {
      if (where.line == 0) return source.errors();
      return Diagnostic{origin, where, fmt::format("the model file '{}' {}", model, source.errors().front().message),
                        "the path of a model is relative to the directory in which ambit runs"};
    }
    // Reports and expectations identify a model by its name, so the name must be unique.
    const std::string name = cat::model_name(model);
    if (std::find(models.begin(), models.end(), name) != models.end()) {
      return Diagnostic{origin, where, fmt::format("'{}' has the name of the shipped model {}", model, name),
                        "rename the file: expectations in tests refer to the shipped model"};
    }
    return load(read(source.value()), choice);
  }
  if (std::find(models.begin(), models.end(), model) == models.end()) {
    const std::string_view near = nearest_name(model, {models.begin(), models.end()});
    return Diagnostic{
        origin, where, fmt::format("unknown model '{}'", model),
        near.empty() ? fmt::format("the models are {}; a path of a .cat file is also accepted", fmt::join(models, ", "))
                     : fmt::format("did you mean '{}'?", near)};
  }
  const ModelFile* file = find_shipped(model + ".cat");
  AMBIT_ASSERT(file != nullptr);
  return load(*file, choice);
}

Result<std::shared_ptr<const rules::Rules>> parse_model(const SourceFilePtr& source,
                                                        const std::map<std::string, std::string>& chosen) {
  return load(read(source), {chosen, cat::command_line(), {}});
}

Result<ModelReference> parse_model_reference(const std::string& text) {
  const auto malformed = [&](std::string message) {
    return Diagnostic{cat::command_line(),
                      {},
                      std::move(message),
                      "write a model as ptx, hrf-relaxed(incl=nest,rlx=lift) or path/to/mine.cat"};
  };
  const auto trimmed = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    return std::string(part);
  };
  const std::string_view all = text;
  const std::size_t open = all.find('(');
  ModelReference out{trimmed(all.substr(0, open)), {}};
  if (out.name.empty()) return malformed(fmt::format("'{}' does not name a model", text));
  if (open == std::string_view::npos) return out;
  const std::string rest = trimmed(all.substr(open + 1));
  if (!rest.ends_with(')')) return malformed(fmt::format("'{}': expected ')' at the end", text));
  std::string_view list = std::string_view(rest).substr(0, rest.size() - 1);
  while (!trimmed(list).empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view part = list.substr(0, comma);
    const std::size_t equals = part.find('=');
    const std::string name = trimmed(part.substr(0, equals));
    const std::string value = equals == std::string_view::npos ? "" : trimmed(part.substr(equals + 1));
    if (name.empty() || value.empty()) {
      return malformed(fmt::format("'{}': expected option=value, found '{}'", text, trimmed(part)));
    }
    if (!out.options.emplace(name, value).second) {
      return malformed(fmt::format("'{}': option '{}' is given twice", text, name));
    }
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return out;
}

}  // namespace ambit::parser
