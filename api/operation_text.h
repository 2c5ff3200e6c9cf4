#pragma once

#include <string>

#include "core/program.h"

namespace ambit::api {

/// What an instruction does, for people, with the scope that it reaches: "release write of `flag` at device scope:
/// reaches P0, P1". Empty for what concerns registers alone.
std::string operation_text(const Program& program, const Thread& thread, const Instruction& instruction);

}  // namespace ambit::api
