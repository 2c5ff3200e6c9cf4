#include "apps/cli/commands.h"

#include <iostream>

namespace ambit::cli {

int bad_input(const Diagnostics& errors) {
  std::cerr << render(errors);
  return kBadInput;
}

}  // namespace ambit::cli
