#pragma once

#include <string>
#include <vector>

#include "api/crossval.h"
#include "api/site.h"

namespace ambit::api {

/// Adds a page for each row of a campaign. Returns their file names.
std::vector<std::string> add_pages(Site& site, const std::vector<report::CrossRow>& rows, const Crossval& campaign);

}  // namespace ambit::api
