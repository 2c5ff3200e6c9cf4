#include <iostream>

#include "apps/cli/commands.h"
#include "apps/lsp/language_server.h"

namespace ambit::cli {

Action declare_lsp(Command) {
  return [] { return lsp::serve(std::cin, std::cout, std::cerr); };
}

}  // namespace ambit::cli
