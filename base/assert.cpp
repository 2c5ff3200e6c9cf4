#include "base/assert.h"

#include <string>

namespace ambit {

void assertion_failed(const char* expression, const char* file, int line) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": broken invariant: " + expression);
}

}  // namespace ambit
