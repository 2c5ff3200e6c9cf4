#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parser/compiled/thread_maker.h"
#include "parser/text/reporter.h"
#include "ptx/module.h"

namespace ambit::parser::compiled {

/// The parts of a list between its commas; those in brackets and braces do not count.
std::vector<std::string> parts_of_list(std::string_view list);
/// A type of `bytes` bytes for numbers; one of floating point is opaque.
std::string type_of_number(unsigned bytes, bool is_floating);

/// The memory and the kernel of a module as declarations of the litmus language.
class Declarations {
 public:
  /// `arguments`: those of the launch as text, which tell numbers from memory. That of a struct lists its fields in
  /// braces, as in C++.
  Declarations(const assembly::Module& module, const assembly::Function& kernel, std::vector<std::string> arguments,
               std::string kernel_name);

  /// What is wrong with the arguments of structs: at the parameter in the module; nothing: all fits.
  std::optional<Diagnostic> objection() const;

  /// All memory as bytes: enough to record what a kernel accesses.
  std::string text_for_survey() const;
  /// Memory of the types that the recorded accesses have. Errors, reported: accesses that overlap in part, initial
  /// values that are addresses.
  std::string text(const AccessRecords& records, Reporter& reporter) const;

  /// The shared variables of the kernel as bytes, in braces.
  std::string body_for_survey() const;
  /// The shared variables in braces, with the structs that their types need. Errors: those of text().
  struct Body {
    std::string structs;
    std::string text;
  };
  Body body(const AccessRecords& records, Reporter& reporter) const;
  /// Names of the variables of the module that the kernel uses.
  std::vector<std::string> variables() const;

 private:
  struct Shape;
  Shape shape_of(const std::string& name, const AccessRecords& records, Reporter& reporter) const;
  Shape struct_shape(const std::string& name, const std::vector<RecordedAccess>& accesses, Reporter& reporter) const;
  std::string initial_values(const assembly::Variable& variable, unsigned bytes) const;
  /// By the name of memory; char where there is none.
  using MemoryTypes = std::map<std::string, std::string>;
  /// A field of a parameter that is a struct, or a parameter of one value.
  struct Field {
    std::string name;
    std::string text;    ///< of the argument
    unsigned bytes = 4;  ///< of a number
    std::uint64_t offset = 0;
    bool is_memory = false;
    bool is_floating = false;
  };
  void read_parameters();
  void read_fields(std::size_t i, const std::string& list);
  std::string parameters(const MemoryTypes& types, std::string& structs) const;
  static std::string field_type(const Field& field, const MemoryTypes& types);

  const assembly::Module& module_;
  const assembly::Function& kernel_;
  std::vector<std::string> arguments_;
  std::string kernel_name_;
  std::vector<std::vector<Field>> parameters_;  ///< one field where the parameter is no struct
  std::vector<bool> is_struct_;
  std::vector<std::uint32_t> globals_;  ///< that the module's functions name
  std::vector<std::uint32_t> shared_;
};

}  // namespace ambit::parser::compiled
