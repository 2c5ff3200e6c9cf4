#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/source.h"
#include "core/expr.h"
#include "core/program.h"
#include "parser/text/syntax_tree.h"

/// The abstract syntax of a PTX litmus file or a mixed-proxy .test file, with unresolved names.
namespace ambit::parser::ptx {

/// An operand of an instruction, or an initial value.
struct OperandNode {
  enum class Kind : std::uint8_t { Register, Location, Integer, Sink } kind = Kind::Integer;
  bool in_brackets = false;  ///< whether the operand is [x] or [r1]
  bool address_of = false;   ///< whether the operand is &x
  /// The name of a Register or Location. A label is a Location until a branch uses it.
  Word name;
  Value value = 0;                             ///< of an Integer
  ScalarType literal = kInt;                   ///< narrowest C++ type that represents an Integer
  std::optional<Value> index = std::nullopt;   ///< the index in x[1]
  std::optional<Value> offset = std::nullopt;  ///< the offset in [x+4], in bytes
  std::vector<Value> coordinates = {};         ///< for a tensor map, the coordinates in [t, {0,2}]
  SourceSpan span;
};

struct InstructionNode {
  std::vector<Word> opcode;  ///< the parts between the dots: "ld", "relaxed", "gpu"; never empty
  std::vector<OperandNode> operands;
  /// In .test files, the value in `ld r1, [x] == 1`. Executions that read another value are excluded.
  std::optional<OperandNode> required;
  std::vector<OperandNode> vector = {};             ///< the elements of `{r0,r1}`; a sink in `operands` represents them
  std::optional<OperandNode> guard = std::nullopt;  ///< r1 in `@r1`: the instruction executes only if r1 is not 0
  /// Whether the guard is `@!r1`: the instruction executes only if r1 is 0.
  bool is_negated = false;
  SourceSpan span;
};

/// A statement of a column: a label or an instruction. A table cell with a label and an instruction has two statements.
struct LabelNode {
  Word name;
};
using StatementNode = std::variant<LabelNode, InstructionNode>;

struct ThreadNode {
  Word name;
  std::vector<PlaceWord> place;
  std::vector<StatementNode> code;
};

/// A declaration of memory, or the initial value of a register.
struct DeclarationNode {
  enum class Kind : std::uint8_t { Memory, Register, Alias, Mbarrier, Tensor } kind = Kind::Memory;
  Word name;
  Word thread;                                 ///< thread of a Register, "P0" or "0"
  std::optional<Word> type = std::nullopt;     ///< type suffix, for example ".u64"
  std::optional<Value> length = std::nullopt;  ///< for Memory: the length of an array
  std::vector<OperandNode> values = {};        ///< initial integers and addresses; for an Mbarrier, the count
  Word proxy = {};                             ///< proxy of an Alias
  Word target = {};                            ///< name that an Alias aliases, or array of a Tensor
  /// For a Tensor: the number of elements in each dimension; the innermost dimension is first.
  std::vector<Value> sizes = {};
  /// For a Tensor: the number of elements of a box in each dimension.
  std::vector<Value> box = {};
  /// For an Alias in .test files: whether it has its target's virtual address, but a different proxy.
  bool is_virtual = false;
  bool is_shared = false;                     ///< whether the memory is .shared and has one object for each block
  std::optional<Value> block = std::nullopt;  ///< the block whose shared memory contains s in `s @ cta 1`
};

/// A test without its condition.
struct TestNode {
  std::vector<DeclarationNode> declarations;
  std::vector<ThreadNode> threads;
  /// The byte offset of the condition; not set if errors prevented the reader from finding it.
  std::optional<std::size_t> end;
};

/// Returns whether the name is a register of a PTX litmus file: r and digits. A name that is not a register is a label
/// or a location.
bool is_register_name(std::string_view name);
/// Returns whether the name is a label: LC and digits.
bool is_label_name(std::string_view name);

}  // namespace ambit::parser::ptx
