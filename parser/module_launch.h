#pragma once

#include <string>

#include "base/source.h"
#include "parser/compiled/module_launch.h"

namespace ambit::parser {

using compiled::LaunchedArray;
using compiled::LaunchedValue;
using compiled::ModuleLaunch;
using compiled::read_module_launch;

}  // namespace ambit::parser
