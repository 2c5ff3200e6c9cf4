#pragma once

#include "report/draw/drawing.h"
#include "report/draw/picture.h"

namespace ambit::report {

/// Computes the columns and rows, and a free place between the columns for the label of each arrow.
Layout lay_out(const Picture& picture);

}  // namespace ambit::report
