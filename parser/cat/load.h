#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/source.h"
#include "model/rules/rules.h"

namespace ambit::parser {

/// A memory model. `model` is the name of a shipped model ("ptx") or a path to a .cat file (it contains '/' or ends in
/// ".cat"); `chosen` sets its options. Includes are looked up beside the including file, then among the shipped files.
/// `origin` and `where` place the error when the model does not exist or has no such option (may be null: the command
/// line).
Result<std::shared_ptr<const rules::Rules>> load_model(const std::string& model,
                                                       const std::map<std::string, std::string>& chosen = {},
                                                       SourceFilePtr origin = nullptr, SourceSpan where = {});

/// The same from text, for tests and editors.
Result<std::shared_ptr<const rules::Rules>> parse_model(SourceFilePtr source,
                                                        const std::map<std::string, std::string>& chosen = {});

/// "ptx" or "hrf-relaxed(incl=nest,rlx=lift)" taken apart. Errors: malformed.
struct ModelReference {
  std::string name;
  std::map<std::string, std::string> options;
};
Result<ModelReference> parse_model_reference(const std::string& text);

}  // namespace ambit::parser
