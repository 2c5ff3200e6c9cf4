#pragma once

#include <string>
#include <vector>

#include "api/check/site.h"
#include "parser/cat/model_store.h"
#include "report/html/pages.h"
#include "report/results/validation.h"

namespace ambit::api {

/// Adds a page for each test and a page for each detector to a site. `models`: the validation's models. Returns the
/// file names of the pages.
report::ValidationLinks add_pages(Site& site, const report::Validation& validation,
                                  const std::vector<parser::RulesPtr>& models);

/// Returns the site's index page. `notes`: the site's notes. Adds a note if some tests were not run.
std::string validation_index(const report::Validation& validation, const report::ValidationLinks& links,
                             std::vector<std::string> notes);

}  // namespace ambit::api
