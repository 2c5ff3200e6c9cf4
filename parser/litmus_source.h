#pragma once

#include <optional>

#include "core/source.h"

namespace ambit::parser::litmus {

/// The error of a text that is not one: over kMaxFileSize, a NUL byte, invalid UTF-8. Nothing when it is well-formed.
std::optional<Diagnostic> check_text(const SourceFilePtr& source);

}  // namespace ambit::parser::litmus
