#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::ptx {

/// How the names of a program are spelt in a PTX litmus file: threads are P and digits, registers r and digits, and
/// locations any other C identifier that is not a label. A name that fits stays.
class Names {
 public:
  explicit Names(const Program& program);

  /// "P0": threads are numbered in their order.
  static std::string thread(std::size_t thread);
  const std::string& object(ObjectId object) const { return objects_[object]; }
  /// "x", "data[1]".
  std::string cell(LocationId location) const;
  /// The name of the location that an address value points at; nothing if it points at no location.
  std::optional<std::string> address(Value address) const;
  /// The name of a register of the program; its first use chooses a name if its own does not fit.
  const std::string& reg(std::size_t thread, RegisterId reg);
  /// A register that the program does not have.
  std::string fresh(std::size_t thread);

  /// One line for each changed name: "P1 is b1t0", "P1:r2 is count". Call it after everything else is written.
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
