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

#include "base/source.h"
#include "core/expr.h"
#include "core/program.h"
#include "core/scope.h"

/// The abstract syntax of a CUDA litmus test, with unresolved names. A kernel is lowered once for each thread.
namespace ambit::parser {

/// A name and its place. The text is a slice of the source file.
struct Word {
  std::string_view text;
  SourceSpan span;
};

struct StructNode;
struct LambdaNode;

/// The type that a pointer in memory points to: a struct, an integer, or a cuda::atomic of an integer.
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

/// A C++ type of the litmus language: an integer, a pointer in memory, a cuda::atomic or cuda::atomic_ref of an integer
/// or pointer, a struct, or a pointer or reference to one of these types. is_pointer is set for local pointers and for
/// values that are pointers. `target` is set for memory that contains pointers. Therefore, `Node*` has is_pointer or a
/// target, and `Node**` has both.
struct Type {
  ScalarType scalar = kInt;
  bool is_bool = false;
  /// Whether the type is a floating-point type with the size of `scalar`. Ambit does not compute the values of
  /// floating-point types.
  bool is_opaque = false;
  bool is_void = false;
  bool is_auto = false;
  /// Whether the memory object is volatile; for a pointer, whether its target is volatile.
  bool is_volatile = false;
  /// Whether the type is T* volatile. This `volatile` has an effect only on pointers in memory.
  bool is_volatile_pointer = false;
  /// The type that pointers in the memory point to. If `target` is set, `scalar` has 64 bits.
  std::optional<PointerTarget> target = {};
  std::optional<Scope> atomic_scope = std::nullopt;  ///< scope S of cuda::atomic<T, S>
  bool is_atomic_ref = false;                        ///< whether the type is cuda::atomic_ref<T, atomic_scope>
  bool is_pointer = false;
  bool is_reference = false;
  const StructNode* structure = nullptr;  ///< the struct; if set, `scalar` is unused
  /// For an array of arrays, or a pointer to an array: the lengths of the inner arrays. Unused lengths are 0.
  std::array<std::uint32_t, 2> inner = {};
  /// Whether the type is a cuda::barrier with block scope: an mbarrier object. `scalar` has 64 bits.
  bool is_barrier = false;
  /// Whether the type is CUtensorMap: one cell of 64 bits. Ambit does not model the contents of the cell.
  bool is_tensor_map = false;
  bool is_shared_address = false;  ///< whether code keeps the pointer as an integer (__cvta_generic_to_shared)
  /// Whether this integer is a matrix descriptor. The lowest bits of a matrix descriptor are address >> 4.
  bool is_descriptor = false;
  std::uint32_t alignment = 0;            ///< N in cuda::aligned_size_t<N>
  std::optional<BarrierKind> group = {};  ///< for a group of cooperative_groups: the kind of the group's barrier
  std::string_view variable = {};         ///< template parameter that a call determines, for example "$T"
  const LambdaNode* lambda = nullptr;     ///< set for the type of a lambda

  friend bool operator==(const Type&, const Type&) = default;
};

/// Returns whether objects of both types have the same kind of cells. Ignores volatile.
inline bool is_same_object_type(const Type& a, const Type& b) {
  return a.structure == b.structure &&
         (a.structure != nullptr || (a.scalar == b.scalar && a.is_opaque == b.is_opaque)) && a.target == b.target &&
         a.atomic_scope == b.atomic_scope && a.is_barrier == b.is_barrier && a.is_tensor_map == b.is_tensor_map &&
         a.inner == b.inner;
}

/// Returns the type of memory that contains pointers of type `pointer`. `pointer` must not be a pointer to pointers.
Type cell_of_pointers(const Type& pointer);
/// Returns the type of the pointers in memory of type `cell`. `cell` must have a target.
Type pointer_in(const Type& cell);
/// Returns whether memory can contain pointers of this type: pointers to integers, atomics and structs.
bool can_be_in_memory(const Type& pointer);

/// Returns the type as text for messages: "volatile unsigned *".
std::string to_string(const Type& type);

/// The storage specifiers of a declaration.
struct Storage {
  bool is_device = false;  ///< in global memory: declared __device__, __constant__ or __managed__
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
  Name,         ///< a name; in a condition, possibly with a qualifier: P1:r0
  Unary,        ///< has one child
  Increment,    ///< ++ or --, before or after its operand
  Binary,       ///< has two children
  Assign,       ///< has two children
  Conditional,  ///< has three children
  Call,         ///< a call; the children are the callee and the arguments
  Index,        ///< a[i]: the children are a and i
  Member,       ///< s.a or p->a; the child is the object, `name` is the member
  Cast,         ///< converts one child to `type`
  SizeOf,       ///< sizeof of `type` or of one child
  AlignOf,      ///< alignof of `type`
  Comma,        ///< a comma expression: its value is the last child's value
  Lambda,       ///< a lambda expression, stored in `lambda`
  Text,         ///< quoted text (`name` includes the quotes): a printf format, or the reason of an assertion
  Braces,       ///< a list in an initializer
  AtomicRef,    ///< cuda::atomic_ref<T, S>(x), with one child and `type`
  Construct,    ///< S{a, b} or S(a, b): a struct of `type` whose fields are the children
};
enum class UnaryOp : std::uint8_t { Plus, Negate, BitNot, LogicalNot, Dereference, AddressOf };

struct ExprNode {
  ExprKind kind = ExprKind::Integer;
  SourceSpan span;
  std::string_view name;       ///< the name in a Name, Member or Text; the number as written in a Floating
  std::string_view qualifier;  ///< for a Name in a condition: the thread or block before the colon
  /// For a Name with a dot in a condition: the whole text, for example `b0:nodes[1].value`.
  std::string_view path;
  Value value = 0;           ///< the value of an Integer
  ScalarType scalar = kInt;  ///< the type of an Integer
  UnaryOp unary = UnaryOp::Plus;
  bool is_prefix = false;      ///< of an Increment
  bool is_decrement = false;   ///< of an Increment
  bool is_arrow = false;       ///< of a Member
  Op op = Op::Add;             ///< of a Binary
  std::optional<Op> compound;  ///< for an Assign such as +=: the operator before the =
  Type type;                   ///< the type in a Cast, AtomicRef, Floating or Construct
  std::shared_ptr<const LambdaNode> lambda = {};
  std::vector<ExprNode> children;
};

/// One declared name with its initializer.
struct Declarator {
  enum class Initializer : std::uint8_t { None, Value, Braces, Parentheses };
  Type type;
  Word name;
  bool is_array = false;
  std::optional<ExprNode> length;            ///< length of the array; not set for [ ]
  std::vector<ExprNode> inner_lengths = {};  ///< lengths of the inner arrays
  Initializer initializer = Initializer::None;
  std::vector<ExprNode> values;
  bool repeats_last = false;  ///< whether the initializer ends with `...`, as in `{1, ...}`
};

struct StructNode {
  Word name;
  std::vector<Declarator> fields;
  std::uint64_t alignment = 1;  ///< minimum alignment in bytes, for CUDA's vector types
};

struct Declaration {
  Storage storage;
  std::vector<Declarator> declarators;
};

enum class StatementKind : std::uint8_t {
  Block,
  If,      ///< `condition`; children: the branches then and else (optional)
  While,   ///< `condition`; child: the body
  Do,      ///< `condition`; child: the body
  For,     ///< `condition` (optional); children: initialization, body; `expressions`: the step
  Switch,  ///< `condition` is the switched value; children: the statements of the block, including Case and Default
  Case,    ///< has a condition
  Default,
  Break,
  Continue,
  Return,       ///< `expressions` contains the returned value, if any
  Declaration,  ///< has a declaration
  Expression,   ///< evaluates `expressions` in order
  Binding,      ///< auto [a, b] = e: `words` are a and b, `expressions` contains e
  Empty,
  Transaction,  ///< atomic { ... }; `word` is the scope
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
  std::uint32_t cluster_blocks = 1;  ///< __cluster_dims__ of a kernel
  Type return_type;
  std::vector<Declarator> parameters;
  std::optional<StatementNode> body;
};

/// A lambda `[&](int i) { ... }`.
struct LambdaNode {
  FunctionNode function;
  bool copies_all = false;       ///< [=]
  bool refers_to_all = false;    ///< [&]
  std::vector<Word> copies;      ///< [a]
  std::vector<Word> references;  ///< [&a]
};

/// One level of a thread's place, for example `block 0`.
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
    Value,   ///< passes `value`: a number, `x` or `&x`
    Array,   ///< creates `array`: `data[4]`, `int data[4] = {1, 2}`
    Fields,  ///< gives the `fields` of a struct: `{data[4], 7}`, `S{1, 2}`
  };
  Kind kind = Kind::Value;
  SourceSpan span;
  ExprNode value;
  Declarator array;       ///< the array; without a name, the array gets the parameter's name
  std::string_view type;  ///< element type of the array, as written; empty without a type
  std::vector<LaunchArgumentNode> fields = {};
  const StructNode* structure = nullptr;  ///< the struct of `S{1, 2}`

  bool is_array() const { return kind == Kind::Array; }
};

struct LaunchNode {
  Word kernel;
  std::vector<ExprNode> dimensions;
  std::vector<LaunchArgumentNode> arguments;
  bool follows = false;  ///< whether the launch starts only after all previous launches
  /// Whether this is a dependent launch, which may start when the previous launch allows the start (griddepcontrol).
  bool is_dependent = false;
  SourceSpan span;
  std::vector<PlaceWord> place;  ///< for example `on gpu 1`
};

/// The declaration of a tensor map's contents: `t = tensormap(g, {4, 4}, {2, 2});`. The map may be an element of an
/// array.
struct TensorMapNode {
  Word name;
  std::optional<ExprNode> index = std::nullopt;  ///< the index in t[1]
  Word array;
  std::vector<ExprNode> sizes;  ///< number of elements in each dimension; the innermost dimension is first
  std::vector<ExprNode> box;
};

struct ConditionNode {
  Quantifier quantifier = Quantifier::None;
  ExprNode proposition;
  SourceSpan span;
  SourceSpan last;  ///< place of the last word, if the words are on several lines
};

struct ExpectItemNode {
  Word word;
  std::optional<std::uint64_t> number;
  std::optional<ExprNode> location;
};
struct ExpectationNode {
  Word model;
  std::vector<std::pair<Word, Word>> options;
  std::vector<Word> schedulers;  ///< the words after `under`; empty for an expectation of outcomes
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

/// A command `assert (P) as name;` of a mixed-proxy .test file.
struct CommandNode {
  Word verb;
  ExprNode proposition;
  Word as;
  Word name;
};

/// The contents of a test file.
struct FileNode {
  /// Whether the types of variables may be unknown, because the definition of a struct has a syntax error.
  bool has_damaged_struct = false;
  /// Whether the test has opaque values: floating-point types or literals, or functions with opaque results.
  bool has_opaque_values = false;
  bool is_damaged = false;         ///< whether parts with syntax errors have been omitted
  std::deque<StructNode> structs;  ///< a deque, because types point to its elements
  /// The declarations in the { } block, and the __device__, __shared__ and constexpr variables of the file.
  std::vector<Declaration> memory;
  std::vector<FunctionNode> functions;
  std::vector<ThreadNode> threads;
  std::vector<LaunchNode> launches;
  std::vector<TensorMapNode> tensor_maps;
  std::vector<ConditionNode> filters;
  std::vector<ExprNode> observed;     ///< the locations in [x; P0:r1;] of a PTX litmus file
  std::vector<CommandNode> commands;  ///< the commands of a .test file
  std::vector<ConditionNode> conditions;
  std::vector<ExpectationNode> expectations;
  std::vector<LabelNode> labels;
  std::vector<DetectionNode> detections;
};

}  // namespace ambit::parser
