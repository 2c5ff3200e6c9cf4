#include "apps/cli/remarks.h"

#include <iostream>

namespace ambit::cli {

void print_remarks(const Program& program) {
  if (!program.remarks.empty()) std::cerr << render(program.remarks);
}

}  // namespace ambit::cli
