#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "parser/compiled/thread_maker.h"
#include "parser/text/reporter.h"
#include "ptx/module.h"

namespace ambit::parser::compiled {

/// The memory and the kernel of a module as declarations of the litmus language.
class Declarations {
 public:
  /// `arguments`: those of the launch as text, which tell numbers from memory.
  Declarations(const assembly::Module& module, const assembly::Function& kernel, std::vector<std::string> arguments,
               std::string kernel_name);

  /// All memory as bytes: enough to record what a kernel accesses.
  std::string text_for_survey() const;
  /// Memory of the types that the recorded accesses have. Errors, reported: accesses that overlap in part, initial
  /// values that are addresses.
  std::string text(const AccessRecords& records, Reporter& reporter) const;

 private:
  struct Shape;
  Shape shape_of(const std::string& name, const AccessRecords& records, Reporter& reporter) const;
  Shape struct_shape(const std::string& name, const std::vector<RecordedAccess>& accesses, Reporter& reporter) const;
  std::string initial_values(const assembly::Variable& variable, unsigned bytes) const;
  std::string parameter(std::size_t i, const std::string& type) const;
  bool is_memory(std::size_t i) const;
  std::string name_of_argument(std::size_t i) const;

  const assembly::Module& module_;
  const assembly::Function& kernel_;
  std::vector<std::string> arguments_;
  std::string kernel_name_;
  std::vector<std::uint32_t> globals_;  ///< that the module's functions name
  std::vector<std::uint32_t> shared_;
};

}  // namespace ambit::parser::compiled
