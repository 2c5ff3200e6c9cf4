#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"

namespace ambit::shadow {

/// Numbers the instructions of a launch in the order in which they become sites in a trace's tables.
class SiteNumbers {
 public:
  /// Returns the number of an instruction in `tables`. Adds a new instruction to `tables`.
  std::uint32_t number(std::uint32_t instruction, TraceTables& tables) {
    if (instruction >= numbers_.size()) numbers_.resize(instruction + 1);
    std::uint32_t& number = numbers_[instruction];
    if (number == 0) {
      number = tables.append_site("@" + std::to_string(instruction)) + 1;
      instructions_.push_back(instruction);
    }
    return number - 1;
  }
  /// Returns the instruction with this number in the tables.
  std::uint32_t instruction(std::uint32_t number) const { return instructions_[number]; }
  void clear() {
    numbers_.clear();
    instructions_.clear();
  }

 private:
  std::vector<std::uint32_t> numbers_;       ///< for each instruction, 1 + its number in the tables
  std::vector<std::uint32_t> instructions_;  ///< maps each number in the tables to its instruction
};

}  // namespace ambit::shadow
