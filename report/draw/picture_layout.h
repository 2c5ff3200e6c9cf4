#pragma once

#include "report/draw/drawing.h"
#include "report/draw/picture.h"

namespace ambit::report {

/// Computes columns, rows, and for each label of an arrow its own place between the columns.
Layout lay_out(const Picture& picture);

}  // namespace ambit::report
