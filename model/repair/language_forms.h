#pragma once

#include <memory>

#include "core/program.h"
#include "model/repair/forms.h"
#include "model/repair/statement_text.h"

namespace ambit::repair {

/// Returns the Forms object for the program's language. `text` must outlive the result.
std::unique_ptr<Forms> forms_of(const Program& program, const SourceText& text);

}  // namespace ambit::repair
