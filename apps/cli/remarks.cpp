#include "apps/cli/remarks.h"

#include <iostream>

namespace ambit::cli {

void print_remarks(const Diagnostics& remarks) {
  if (!remarks.empty()) std::cerr << render(remarks);
}

void print_remarks(const Program& program) { print_remarks(program.remarks); }

}  // namespace ambit::cli
