#pragma once

#include <string>

#include "apps/manual/description.h"

namespace ambit::manual {

/// Scripts that make a shell complete the program's commands, options and values. Each is named as its shell finds it
/// in the folder of completions: bash "ambit", zsh "_ambit", fish "ambit.fish".
std::string bash_completion(const Command& program);
std::string zsh_completion(const Command& program);
std::string fish_completion(const Command& program);

}  // namespace ambit::manual
