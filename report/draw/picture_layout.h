#pragma once

#include "report/draw/drawing.h"
#include "report/draw/picture.h"

namespace ambit::report {

/// Computes the columns and rows. For the label of each arrow, finds a free place between the columns.
Layout lay_out(const Picture& picture);

}  // namespace ambit::report
