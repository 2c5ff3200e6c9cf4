#pragma once

#include <memory>

#include "core/program.h"
#include "model/repair/forms.h"
#include "model/repair/statement_text.h"

namespace ambit::repair {

/// The forms of the language that the program was written in. `text` must outlive them.
std::unique_ptr<Forms> forms_of(const Program& program, const SourceText& text);

}  // namespace ambit::repair
