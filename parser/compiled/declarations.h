#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parser/compiled/thread_maker.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"
#include "ptx/module.h"

namespace ambit::parser::compiled {

/// A parameter of a kernel, or a field of a struct parameter.
struct ParameterField {
  std::string name;    ///< name of the memory that the argument points to
  std::string type;    ///< type of the elements in that memory, if the launch gives the type
  unsigned bytes = 4;  ///< size of a number
  std::uint64_t offset = 0;
  bool is_memory = false;
  bool is_floating = false;
};
/// Returns the name of a number type that has `bytes` bytes. Ambit does not compute the values of floating-point types.
std::string type_of_number(unsigned bytes, bool is_floating);

/// The memory and the kernel of a module, as declarations of the litmus language.
class Declarations {
 public:
  /// `arguments` are the arguments of the launch. The arguments show which parameters are numbers and which parameters
  /// are memory. The argument for a struct parameter lists the struct's fields.
  Declarations(const assembly::Module& module, const assembly::Function& kernel,
               const std::vector<LaunchArgumentNode>& arguments, std::string kernel_name);

  /// Returns the fields of parameter `i`. A parameter that is not a struct has one field.
  const std::vector<ParameterField>& fields(std::size_t i) const { return parameters_[i]; }
  /// Returns whether all struct arguments match the parameters' sizes and the kernel's reads. Reports errors at the
  /// arguments.
  bool check(const std::vector<LaunchArgumentNode>& arguments, Reporter& reporter) const;

  /// Returns declarations that give all memory the type char. The type char suffices to record accesses.
  std::string text_for_survey() const;
  /// Returns declarations that give memory the types of the recorded accesses. Reports an error if accesses overlap
  /// partially, or if an initial value is an address.
  std::string text(const AccessRecords& records, Reporter& reporter) const;

  /// Returns declarations of the kernel's shared variables with the type char, in braces.
  std::string body_for_survey() const;
  /// The declarations of the shared variables, in braces, and the declarations of their structs. body() reports the
  /// same errors as text().
  struct Body {
    std::string structs;
    std::string text;
  };
  Body body(const AccessRecords& records, Reporter& reporter) const;
  /// Returns the names of the module's variables that the kernel uses.
  std::vector<std::string> variables() const;

 private:
  struct Shape;
  Shape shape_of(const std::string& name, const AccessRecords& records, Reporter& reporter) const;
  Shape struct_shape(const std::string& name, const std::vector<RecordedAccess>& accesses, Reporter& reporter) const;
  std::string initial_values(const assembly::Variable& variable, unsigned bytes) const;
  /// Maps names of memory to types. Memory without an entry has the type char.
  using MemoryTypes = std::map<std::string, std::string>;
  void read_parameters(const std::vector<LaunchArgumentNode>& arguments);
  void read_fields(std::size_t i, const std::vector<LaunchArgumentNode>& arguments);
  std::string parameters(const MemoryTypes& types, std::string& structs) const;
  static std::string field_type(const ParameterField& field, const MemoryTypes& types);

  const assembly::Module& module_;
  const assembly::Function& kernel_;
  std::string kernel_name_;
  std::vector<std::vector<ParameterField>> parameters_;  ///< the fields of each parameter
  std::vector<bool> is_struct_;
  std::vector<std::uint32_t> globals_;  ///< indices of the global variables that the kernel uses
  std::vector<std::uint32_t> shared_;
};

}  // namespace ambit::parser::compiled
