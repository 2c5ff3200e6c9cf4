#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/check/site.h"
#include "apps/cli/progress.h"

namespace ambit::cli {

/// Writes the pages of the tests, and then the index page. `index` makes the index page from the site's notes. Prints
/// progress, notes and errors on standard error. Returns false if any page could not be written.
bool write_site(api::Site& site, Progress::Mode mode,
                const std::function<std::string(std::vector<std::string> notes)>& index);

}  // namespace ambit::cli
