#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "core/expr.h"
#include "core/program.h"
#include "core/source.h"
#include "parser/text/syntax_tree.h"

/// The abstract syntax of a PTX litmus file or a mixed-proxy .test file, with unresolved names.
namespace ambit::parser::ptx {

/// An operand of an instruction, or an initial value.
struct OperandNode {
  enum class Kind : std::uint8_t { Register, Location, Integer, Sink } kind = Kind::Integer;
  bool in_brackets = false;                    ///< [x], [r1]
  bool address_of = false;                     ///< &x
  Word name;                                   ///< Register, Location; a label is a Location until a branch uses it
  Value value = 0;                             ///< Integer
  ScalarType literal = kInt;                   ///< Integer: the narrowest C++ type that represents it
  std::optional<Value> index = std::nullopt;   ///< x[1]
  std::optional<Value> offset = std::nullopt;  ///< [x+4], in bytes
  std::vector<Value> coordinates = {};         ///< [t, {0,2}], of a tensor map
  SourceSpan span;
};

struct InstructionNode {
  std::vector<Word> opcode;  ///< "ld", "relaxed", "gpu": the parts between the dots, never empty
  std::vector<OperandNode> operands;
  std::optional<OperandNode> required;   ///< .test files: `ld r1, [x] == 1` excludes executions that read another value
  std::vector<OperandNode> vector = {};  ///< `{r0,r1}`; a sink represents it among the operands
  std::optional<OperandNode> guard = std::nullopt;  ///< `@r1`: only if the register is not 0
  bool is_negated = false;                          ///< `@!r1`: only if it is 0
  SourceSpan span;
};

/// A statement of a column: a label or an instruction. A cell with a label before an instruction has two statements.
struct LabelNode {
  Word name;
};
using StatementNode = std::variant<LabelNode, InstructionNode>;

struct ThreadNode {
  Word name;
  std::vector<PlaceWord> place;
  std::vector<StatementNode> code;
};

/// A declaration of memory or of the initial value of a register.
struct DeclarationNode {
  enum class Kind : std::uint8_t { Memory, Register, Alias, Mbarrier, Tensor } kind = Kind::Memory;
  Word name;
  Word thread;                                 ///< Register: "P0" or "0"
  std::optional<Word> type = std::nullopt;     ///< ".u64"
  std::optional<Value> length = std::nullopt;  ///< Memory: the bound of an array
  std::vector<OperandNode> values = {};        ///< Memory, Register: integers and addresses; Mbarrier: the count
  Word proxy = {};                             ///< Alias
  Word target = {};                            ///< Alias; Tensor: the array
  std::vector<Value> sizes = {};               ///< Tensor: elements in each dimension, the innermost first
  std::vector<Value> box = {};                 ///< Tensor: elements that one operation copies in each dimension
  bool is_virtual = false;                     ///< Alias of .test files: another view of the same virtual address
  bool is_shared = false;                      ///< .shared: one object per block
  std::optional<Value> block = std::nullopt;   ///< `s @ cta 1`: shared memory of that block
};

/// A whole test, up to its condition.
struct TestNode {
  std::vector<DeclarationNode> declarations;
  std::vector<ThreadNode> threads;
  /// The byte offset of the condition; nothing when errors prevented the reader from finding it.
  std::optional<std::size_t> end;
};

/// Returns true for a register of a PTX litmus file: r and digits. Every other name except labels is a location.
bool is_register_name(std::string_view name);
/// Returns true for a label: LC and digits.
bool is_label_name(std::string_view name);

}  // namespace ambit::parser::ptx
