#pragma once

#include <string>
#include <vector>

#include "api/check/site.h"
#include "parser/cat/model_store.h"
#include "report/html/pages.h"
#include "report/results/validation.h"

namespace ambit::api {

/// Adds a page for each test and each detector of a validation to a site. `models`: the models of the validation.
/// Returns the file names of the pages.
report::ValidationLinks add_pages(Site& site, const report::Validation& validation,
                                  const std::vector<parser::RulesPtr>& models);

/// Returns the index of the site. `notes`: the notes of the site. A further note states how many tests were not run.
std::string validation_index(const report::Validation& validation, const report::ValidationLinks& links,
                             std::vector<std::string> notes);

}  // namespace ambit::api
