#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/source.h"
#include "model/rules/rules.h"

namespace ambit::parser {

/// Loads a memory model. `model` is the name of a shipped model ("ptx") or the path of a .cat file, which contains '/'
/// or ends in ".cat". `chosen` sets the model's options. Includes are searched first in the folder of the including
/// file, then among the shipped files. An error about an unknown model or option has the place `where` in `origin`, or
/// the command line if `origin` is null.
Result<std::shared_ptr<const rules::Rules>> load_model(const std::string& model,
                                                       const std::map<std::string, std::string>& chosen = {},
                                                       SourceFilePtr origin = nullptr, SourceSpan where = {});

/// Loads a model from text, for tests and editors.
Result<std::shared_ptr<const rules::Rules>> parse_model(const SourceFilePtr& source,
                                                        const std::map<std::string, std::string>& chosen = {});

/// A model's name with options, for example "ptx" or "hrf-relaxed(incl=nest,rlx=lift)".
struct ModelReference {
  std::string name;
  std::map<std::string, std::string> options;
};
Result<ModelReference> parse_model_reference(const std::string& text);

}  // namespace ambit::parser
