#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::ptx {

/// The spelling of a program's names in a PTX litmus file: threads are P and digits, registers r and digits, and
/// locations any other C identifier that is not a label. A name that fits is kept.
class Names {
 public:
  explicit Names(const Program& program);

  /// "P0": threads are numbered in their order.
  static std::string thread(std::size_t thread);
  const std::string& object(ObjectId object) const { return objects_[object]; }
  /// "x", "data[1]".
  std::string cell(LocationId location) const;
  /// Returns the name of the location at an address; nothing if there is no location.
  std::optional<std::string> address(Value address) const;
  /// Returns the name of a register of the program. The first call chooses a new name if the original does not fit.
  const std::string& reg(std::size_t thread, RegisterId reg);
  /// Returns the name of a new register.
  std::string fresh(std::size_t thread);

  /// Returns one line for each changed name: "P1 is b1t0", "P1:r2 is count". Must be called last.
  std::vector<std::string> changes() const;

 private:
  struct ThreadRegisters {
    std::set<std::string> taken;
    std::vector<std::string> names;  ///< by RegisterId; empty: none yet
    std::size_t next = 0;
  };

  const Program& program_;
  std::vector<std::string> objects_;
  std::vector<ThreadRegisters> registers_;
};

}  // namespace ambit::ptx
