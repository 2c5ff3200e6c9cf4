#pragma once

#include <stdexcept>

namespace ambit {

/// A bug in Ambit. Thrown by AMBIT_ASSERT only; caught by the command line only, which exits with status 4.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace ambit
