#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expr.h"
#include "core/program.h"
#include "core/scope.h"
#include "core/source.h"

/// The abstract syntax of a CUDA litmus test, with unresolved names. A kernel is lowered from it once for each of its
/// threads.
namespace ambit::parser {

/// A name with its place. The text is a slice of the source file.
struct Word {
  std::string_view text;
  SourceSpan span;
};

struct StructNode;
struct LambdaNode;

/// The target of pointers in memory: a struct, an integer, or cuda::atomic of an integer.
struct PointerTarget {
  const StructNode* structure = nullptr;
  ScalarType scalar = kInt;
  bool is_bool = false;
  bool is_opaque = false;
  bool is_volatile = false;
  bool is_barrier = false;
  bool is_tensor_map = false;
  std::optional<Scope> atomic_scope = std::nullopt;

  friend bool operator==(const PointerTarget&, const PointerTarget&) = default;
};

/// A C++ type of this language: an integer, a pointer in memory, cuda::atomic or cuda::atomic_ref of one of these, a
/// struct, or a pointer or reference to one of these. A local pointer and the value of a pointer have is_pointer;
/// memory that holds pointers has a target. So `Node*` is one or the other, and `Node**` is a pointer to memory with a
/// target.
struct Type {
  ScalarType scalar = kInt;
  bool is_bool = false;
  bool is_opaque = false;  ///< a floating-point type of the size of `scalar`: Ambit does not follow its values
  bool is_void = false;
  bool is_auto = false;
  bool is_volatile = false;                          ///< of the memory object, or of the pointer's target
  bool is_volatile_pointer = false;                  ///< T* volatile: matters if the pointer is in memory
  std::optional<PointerTarget> target = {};          ///< memory that holds pointers to this; `scalar` is then 64 bits
  std::optional<Scope> atomic_scope = std::nullopt;  ///< cuda::atomic<T, S>
  bool is_atomic_ref = false;                        ///< cuda::atomic_ref<T, S>; its scope is atomic_scope
  bool is_pointer = false;
  bool is_reference = false;
  const StructNode* structure = nullptr;  ///< a struct; `scalar` is then unused
  /// Array of arrays, or pointer to one: the lengths of the inner arrays, then 0.
  std::array<std::uint32_t, 2> inner = {};
  bool is_barrier = false;                ///< cuda::barrier of a block: an mbarrier object; `scalar` has 64 bits
  bool is_tensor_map = false;             ///< CUtensorMap: one cell of 64 bits, whose contents Ambit does not follow
  bool is_shared_address = false;         ///< a pointer that code keeps as a number: __cvta_generic_to_shared
  bool is_descriptor = false;             ///< of such a pointer: a matrix descriptor, which begins with address >> 4
  std::uint32_t alignment = 0;            ///< of a number: cuda::aligned_size_t<N>
  std::optional<BarrierKind> group = {};  ///< a group of cooperative_groups: the threads of this barrier
  std::string_view variable = {};         ///< a template parameter that the call determines: "$T"
  const LambdaNode* lambda = nullptr;     ///< the type of a lambda

  friend bool operator==(const Type&, const Type&) = default;
};

/// Returns whether objects of both types have the same kind of cells; ignores volatile.
inline bool is_same_object_type(const Type& a, const Type& b) {
  return a.structure == b.structure &&
         (a.structure != nullptr || (a.scalar == b.scalar && a.is_opaque == b.is_opaque)) && a.target == b.target &&
         a.atomic_scope == b.atomic_scope && a.is_barrier == b.is_barrier && a.is_tensor_map == b.is_tensor_map &&
         a.inner == b.inner;
}

/// Returns the type of memory that contains pointers of type `pointer`. Precondition: `pointer` is not a pointer to
/// pointers.
Type cell_of_pointers(const Type& pointer);
/// Returns the type of the pointers in memory of type `cell`, which has a target.
Type pointer_in(const Type& cell);
/// Returns whether memory can contain pointers of this type: pointers to integers, atomics and structs.
bool can_be_in_memory(const Type& pointer);

/// Returns the type as text for messages: "volatile unsigned *".
std::string to_string(const Type& type);

/// The storage words before a declaration.
struct Storage {
  bool is_device = false;  ///< __device__ (or __constant__, __managed__): global memory
  bool is_shared = false;
  bool is_kernel = false;           ///< __global__
  bool is_constant = false;         ///< const, constexpr
  bool is_constant_memory = false;  ///< __constant__
  bool is_extern = false;
  std::uint32_t cluster_blocks = 1;  ///< __cluster_dims__ of a kernel
};

enum class ExprKind : std::uint8_t {
  Integer,
  Floating,     ///< a floating-point literal of `type`
  Name,         ///< in a condition with an optional qualifier: P1:r0
  Unary,        ///< one child
  Increment,    ///< ++ and --, before or after: one child
  Binary,       ///< two children
  Assign,       ///< two children
  Conditional,  ///< three children
  Call,         ///< callee, arguments
  Index,        ///< two children
  Member,       ///< object; `name` is the member
  Cast,         ///< one child, `type`
  SizeOf,       ///< `type`, or one child
  AlignOf,      ///< `type`
  Comma,        ///< the value of the last child
  Lambda,       ///< `lambda`
  Text,         ///< quoted text, with the quotes in `name`: a format of printf, the reason of an assertion
  Braces,       ///< a list in an initializer
  AtomicRef,    ///< cuda::atomic_ref<T, S>(x): one child, `type`
  Construct,    ///< S{a, b}, S(a, b): a struct with the children as its fields, `type`
};
enum class UnaryOp : std::uint8_t { Plus, Negate, BitNot, LogicalNot, Dereference, AddressOf };

struct ExprNode {
  ExprKind kind = ExprKind::Integer;
  SourceSpan span;
  std::string_view name;       ///< Name, Member, Text; Floating: the number as written
  std::string_view qualifier;  ///< Name in a condition: the thread or block before the colon
  std::string_view path;       ///< Name in a condition with a dot in it: the whole text, `b0:nodes[1].value`
  Value value = 0;             ///< Integer
  ScalarType scalar = kInt;    ///< Integer
  UnaryOp unary = UnaryOp::Plus;
  bool is_prefix = false;      ///< Increment
  bool is_decrement = false;   ///< Increment
  bool is_arrow = false;       ///< Member
  Op op = Op::Add;             ///< Binary
  std::optional<Op> compound;  ///< Assign: the operator before the =
  Type type;                   ///< Cast, AtomicRef, Floating, Construct
  std::shared_ptr<const LambdaNode> lambda = {};
  std::vector<ExprNode> children;
};

/// One declared name with its initializer.
struct Declarator {
  enum class Initializer : std::uint8_t { None, Value, Braces, Parentheses };
  Type type;
  Word name;
  bool is_array = false;
  std::optional<ExprNode> length;            ///< array bound; absent for [ ]
  std::vector<ExprNode> inner_lengths = {};  ///< the bounds of inner arrays
  Initializer initializer = Initializer::None;
  std::vector<ExprNode> values;
  bool repeats_last = false;  ///< `{1, ...}`
};

struct StructNode {
  Word name;
  std::vector<Declarator> fields;
  std::uint64_t alignment = 1;  ///< minimum, in bytes: of CUDA's vector types
};

struct Declaration {
  Storage storage;
  std::vector<Declarator> declarators;
};

enum class StatementKind : std::uint8_t {
  Block,
  If,      ///< condition; children: then[, else]
  While,   ///< condition; children: body
  Do,      ///< children: body; condition
  For,     ///< children: init, body; condition may be absent; expressions: step
  Switch,  ///< condition; children: the statements of its block, including Case and Default
  Case,    ///< condition
  Default,
  Break,
  Continue,
  Return,       ///< expressions: the value, or empty
  Declaration,  ///< declaration
  Expression,   ///< expressions, evaluated in order
  Binding,      ///< auto [a, b] = e: words, expressions
  Empty,
  Transaction,  ///< atomic { ... }; word: its scope
  Abort,
};

struct StatementNode {
  StatementKind kind = StatementKind::Empty;
  SourceSpan span;
  std::optional<ExprNode> condition;
  std::vector<ExprNode> expressions;
  std::vector<StatementNode> children;
  std::optional<Word> word;
  std::vector<Word> words = {};
  Declaration declaration;
};

struct FunctionNode {
  Word name;
  bool is_kernel = false;
  std::uint32_t cluster_blocks = 1;  ///< of a kernel: __cluster_dims__
  Type return_type;
  std::vector<Declarator> parameters;
  std::optional<StatementNode> body;
};

/// `[&](int i) { ... }`.
struct LambdaNode {
  FunctionNode function;
  bool copies_all = false;       ///< [=]
  bool refers_to_all = false;    ///< [&]
  std::vector<Word> copies;      ///< [a]
  std::vector<Word> references;  ///< [&a]
};

/// `block 0`: one level of a thread's place.
struct PlaceWord {
  Word level;
  std::uint64_t number = 0;
  SourceSpan number_span;
};
struct ThreadNode {
  Word name;
  std::vector<PlaceWord> place;
  StatementNode body;
};

/// An argument of a launch.
struct LaunchArgumentNode {
  enum class Kind : std::uint8_t {
    Value,   ///< `value`: a number, `x`, `&x`
    Array,   ///< `array`: `data[4]`, `int data[4] = {1, 2}`, which the launch makes
    Fields,  ///< `fields` of a struct: `{data[4], 7}`, `S{1, 2}`
  };
  Kind kind = Kind::Value;
  SourceSpan span;
  ExprNode value;
  Declarator array;       ///< without a name: has the name of the kernel's parameter
  std::string_view type;  ///< of the array's elements, as written; empty: determined by the kernel
  std::vector<LaunchArgumentNode> fields = {};
  const StructNode* structure = nullptr;  ///< the struct of `S{1, 2}`

  bool is_array() const { return kind == Kind::Array; }
};

struct LaunchNode {
  Word kernel;
  std::vector<ExprNode> dimensions;
  std::vector<LaunchArgumentNode> arguments;
  bool follows = false;       ///< starts when all launches before it have ended
  bool is_dependent = false;  ///< starts when all threads of the previous launch allow it (griddepcontrol)
  SourceSpan span;
  std::vector<PlaceWord> place;  ///< on gpu 1
};

/// `t = tensormap(g, {4, 4}, {2, 2});`: the contents of the tensor map t, or of an element of an array of maps.
struct TensorMapNode {
  Word name;
  std::optional<ExprNode> index = std::nullopt;  ///< t[1]
  Word array;
  std::vector<ExprNode> sizes;  ///< elements in each dimension, the innermost first
  std::vector<ExprNode> box;
};

struct ConditionNode {
  Quantifier quantifier = Quantifier::None;
  ExprNode proposition;
  SourceSpan span;
  SourceSpan last;  ///< of its last word if it is on a later line
};

struct ExpectItemNode {
  Word word;
  std::optional<std::uint64_t> number;
  std::optional<ExprNode> location;
};
struct ExpectationNode {
  Word model;
  std::vector<std::pair<Word, Word>> options;
  std::vector<Word> schedulers;  ///< after `under`; empty: an expectation of outcomes
  std::vector<ExpectItemNode> items;
  std::string because;
  SourceSpan span;
};
struct LabelNode {
  Word suite;
  Word verdict;
  std::optional<Word> predictable;
  std::string because;
  SourceSpan span;
};
struct DetectionNode {
  Word detector;
  Word verdict;
  SourceSpan span;
};

/// `assert (P) as name;` of a mixed-proxy .test file.
struct CommandNode {
  Word verb;
  ExprNode proposition;
  Word as;
  Word name;
};

/// A whole test.
struct FileNode {
  bool has_damaged_struct = false;  ///< the types of variables are not known
  bool has_opaque_values = false;   ///< floating-point types, literals or functions whose results are opaque
  bool is_damaged = false;          ///< syntax errors have been reported; the damaged parts are left out
  std::deque<StructNode> structs;   ///< types point into it
  std::vector<Declaration> memory;  ///< the { } block and the __device__, __shared__, constexpr variables of the file
  std::vector<FunctionNode> functions;
  std::vector<ThreadNode> threads;
  std::vector<LaunchNode> launches;
  std::vector<TensorMapNode> tensor_maps;
  std::vector<ConditionNode> filters;
  std::vector<ExprNode> observed;     ///< locations [x; P0:r1;] of a PTX litmus file
  std::vector<CommandNode> commands;  ///< of a .test file
  std::vector<ConditionNode> conditions;
  std::vector<ExpectationNode> expectations;
  std::vector<LabelNode> labels;
  std::vector<DetectionNode> detections;
};

}  // namespace ambit::parser
