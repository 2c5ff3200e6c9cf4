#pragma once

#include <string>

#include "apps/manual/description.h"

namespace ambit::manual {

/// Each function returns a completion script for one shell. The script completes the program's commands, options and
/// values. Shells expect the scripts under these file names: bash "ambit", zsh "_ambit", fish "ambit.fish".
std::string bash_completion(const Command& program);
std::string zsh_completion(const Command& program);
std::string fish_completion(const Command& program);

}  // namespace ambit::manual
