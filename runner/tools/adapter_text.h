#pragma once

#include <string>
#include <string_view>

namespace ambit::tools {

/// The text of a shipped adapter, "racecheck.json"; empty: there is none of this name. The build generates it.
std::string adapter_text(std::string_view name);

}  // namespace ambit::tools
