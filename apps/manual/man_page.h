#pragma once

#include <string>
#include <vector>

#include "apps/manual/description.h"

namespace ambit::manual {

/// A manual page of section 1, written in the macros of man(7).
struct ManPage {
  std::string file;  ///< "ambit-check.1"
  std::string text;
};

/// Returns the page of the program, followed by a page for each of its commands. `version` has the form "0.2.0".
std::vector<ManPage> man_pages(const Command& program, const std::string& version);

}  // namespace ambit::manual
