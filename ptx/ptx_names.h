#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::ptx {

/// The spelling of a program's names in a PTX litmus file. A thread is P and digits, a register is r and digits, and a
/// location is any other C identifier that is not a label. Keeps names that fit.
class Names {
 public:
  explicit Names(const Program& program);

  /// Returns for example "P0". Threads are numbered in their order.
  static std::string thread(std::size_t thread);
  const std::string& object(ObjectId object) const { return objects_[object]; }
  /// Returns for example "x" or "data[1]".
  std::string cell(LocationId location) const;
  /// Returns the name of the location at an address; nothing if there is no location.
  std::optional<std::string> address(Value address) const;
  /// Returns the name of a register of the program. The first call chooses a new name if the original name does not
  /// fit.
  const std::string& reg(std::size_t thread, RegisterId reg);
  /// Returns the name of a new register.
  std::string fresh(std::size_t thread);

  /// Returns one line for each changed name, for example "P1 is b1t0" or "P1:r2 is count". Call it last.
  std::vector<std::string> changes() const;

 private:
  struct ThreadRegisters {
    std::set<std::string> taken;
    std::vector<std::string> names;  ///< a name for each RegisterId; empty until it is chosen
    std::size_t next = 0;
  };

  const Program& program_;
  std::vector<std::string> objects_;
  std::vector<ThreadRegisters> registers_;
};

}  // namespace ambit::ptx
