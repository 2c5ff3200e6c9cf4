#pragma once

#include "report/draw/drawing.h"
#include "report/draw/picture.h"

namespace ambit::report {

/// Computes columns and rows, and for each arrow's label a place of its own between the columns.
Layout lay_out(const Picture& picture);

}  // namespace ambit::report
