#pragma once

#include <string>
#include <vector>

namespace ambit::standalone {

/// The format in which a program prints its outcomes.
struct LogStyle {
  std::string test;                  ///< the name of the test
  std::vector<std::string> columns;  ///< the names of Program::observables
};

}  // namespace ambit::standalone
