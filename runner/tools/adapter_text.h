#pragma once

#include <string>
#include <string_view>

namespace ambit::tools {

/// Returns the text of a shipped adapter, such as "racecheck.json", or an empty text. The build generates this
/// function.
std::string adapter_text(std::string_view name);

}  // namespace ambit::tools
