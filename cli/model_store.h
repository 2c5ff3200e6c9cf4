#pragma once

#include "parser/model_store.h"

namespace ambit::cli {

using parser::ModelStore;
using parser::RulesPtr;

}  // namespace ambit::cli
