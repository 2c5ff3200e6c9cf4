#include <iostream>

#include "apps/cli/commands.h"
#include "apps/mcp/server.h"

namespace ambit::cli {

Action declare_mcp(Command) {
  return [] { return mcp::serve(std::cin, std::cout); };
}

}  // namespace ambit::cli
