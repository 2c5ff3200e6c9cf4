#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "parser/text/reporter.h"
#include "ptx/module.h"

namespace ambit::parser::compiled {

namespace assembly = ambit::ptx;

/// A local variable of one inlined call. Each inlined call of a function has separate local variables.
struct FrameVariable {
  std::uint32_t frame = 0;
  std::uint32_t variable = assembly::kNone;  ///< index in Module::variables
  friend auto operator<=>(const FrameVariable&, const FrameVariable&) = default;
};

/// One instruction of the kernel with all calls inlined.
struct FlatInstruction {
  enum class Kind : std::uint8_t {
    Plain,       ///< executes `instruction`
    Jump,        ///< jumps to `targets[0]`: bra, or the end of an inlined function
    Choice,      ///< brx.idx: jumps to targets[operand 0]
    AssertFail,  ///< a call of __assertfail
    Refused      ///< a call that cannot be inlined; `refusal` has the reason
  } kind = Kind::Plain;
  const assembly::Function* function = nullptr;
  const assembly::Instruction* instruction = nullptr;
  std::uint32_t first_register = 0;  ///< number of the function's first register in the flat code
  /// The numbers of the function's registers, relative to `first_register`.
  const std::vector<std::uint32_t>* numbers = nullptr;
  std::uint32_t frame = 0;
  bool is_inverted = false;            ///< whether a Jump is taken if the predicate is false
  std::vector<std::uint32_t> targets;  ///< positions in the flat code; code.size() is the kernel's end
  SourceSpan span;
  bool is_of_library = false;  ///< whether an AssertFail is in a header of CUDA's libraries
  std::string refusal = {};
  std::string hint = {};

  std::uint32_t reg(std::uint32_t number) const { return first_register + (*numbers)[number]; }
};

struct FlatRegister {
  assembly::Type type = assembly::Type::None;
  std::string name;
};

/// The code of a kernel after inlining. All threads share this code.
struct FlatCode {
  const assembly::Module* module = nullptr;
  const assembly::Function* kernel = nullptr;
  std::vector<FlatInstruction> code;
  std::vector<FlatRegister> registers;
  /// For each function, the numbers of the registers that the function's instructions name.
  std::map<const assembly::Function*, std::vector<std::uint32_t>> numbers;
  std::map<FrameVariable, FrameVariable> aliases;  ///< maps a parameter of an inlined function to the caller's variable

  FrameVariable resolved(FrameVariable variable) const {
    const auto found = aliases.find(variable);
    return found == aliases.end() ? variable : found->second;
  }
};

/// Maps instructions to the places that messages show to the user.
class Places {
 public:
  virtual ~Places() = default;
  virtual SourceSpan span(const assembly::Function& function, const assembly::Instruction& instruction) const = 0;
};

/// Inlines all calls of `kernel`, except for calls of vprintf and __assertfail. Recursive calls, calls through a
/// pointer and calls of other functions without a body become Refused. Reports an error if there is too much code.
std::optional<FlatCode> flatten(const assembly::Module& module, const assembly::Function& kernel, const Places& places,
                                Reporter& reporter);

}  // namespace ambit::parser::compiled
