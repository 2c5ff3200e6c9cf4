#pragma once

#include "report/draw/drawing.h"
#include "report/draw/picture.h"

namespace ambit::report {

/// Columns, rows, and for each label of an arrow a place between the columns that no other label has.
Layout lay_out(const Picture& picture);

}  // namespace ambit::report
