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

/// Returns the parts of a list between its commas. Commas in brackets and braces do not separate parts.
std::vector<std::string> parts_of_list(std::string_view list);
/// Returns a number type of `bytes` bytes. A floating-point type is opaque.
std::string type_of_number(unsigned bytes, bool is_floating);

/// The memory and the kernel of a module as declarations of the litmus language.
class Declarations {
 public:
  /// `arguments`: the arguments of the launch as text. They show which parameters are numbers and which are memory. The
  /// argument of a struct lists its fields in braces, as in C++.
  Declarations(const assembly::Module& module, const assembly::Function& kernel, std::vector<std::string> arguments,
               std::string kernel_name);

  /// Returns an error, at the parameter in the module, if the fields of a struct argument do not fit; else nothing.
  std::optional<Diagnostic> objection() const;

  /// All memory as bytes: enough to record what a kernel accesses.
  std::string text_for_survey() const;
  /// Memory of the types that the recorded accesses have. Errors, reported: accesses that overlap in part, initial
  /// values that are addresses.
  std::string text(const AccessRecords& records, Reporter& reporter) const;

  /// Returns the shared variables of the kernel as bytes, in braces.
  std::string body_for_survey() const;
  /// The shared variables in braces, and the structs that their types need. Errors of body(): those of text().
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
  /// Types by the name of memory; without an entry, the type is char.
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
