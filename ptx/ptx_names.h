#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::ptx {

/// Chooses the names of threads, registers and locations in a PTX litmus file. The name of a thread is P and digits,
/// and the name of a register is r and digits. The name of a location is any C identifier that is not a thread,
/// register or label. Names that already have this form are kept.
class Names {
 public:
  explicit Names(const Program& program);

  /// Returns the name of a thread, for example "P0".
  static std::string thread(std::size_t thread);
  const std::string& object(ObjectId object) const { return objects_[object]; }
  /// Returns the name of a location, for example "x" or "data[1]".
  std::string cell(LocationId location) const;
  /// Returns the name of the location at an address; nothing if the address has no location.
  std::optional<std::string> address(Value address) const;
  /// Returns the name of a register of the program. If the original name is not possible, the first call chooses a new
  /// name.
  const std::string& reg(std::size_t thread, RegisterId reg);
  /// Returns the name of a new register.
  std::string fresh(std::size_t thread);

  /// Returns one line for each changed name, for example "P1 is b1t0" or "P1:r2 is count". Must be called after all
  /// names have been chosen.
  std::vector<std::string> changes() const;

 private:
  struct ThreadRegisters {
    std::set<std::string> taken;
    std::vector<std::string> names;  ///< the name of each register; empty until it is chosen
    std::size_t next = 0;
  };

  const Program& program_;
  std::vector<std::string> objects_;
  std::vector<ThreadRegisters> registers_;
};

}  // namespace ambit::ptx
