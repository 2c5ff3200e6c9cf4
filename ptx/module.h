#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "core/scope.h"
#include "ptx/modifier.h"
#include "ptx/opcode.h"
#include "ptx/types.h"

namespace ambit::ptx {

/// Represents a missing index or number.
inline constexpr std::uint32_t kNone = 0xffffffff;

/// A range of bytes in the module's text.
struct TextSpan {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

// clang-format off
/// The special registers (ISA 9.0, section 10). Each component of a vector register is a separate register. %envreg1
/// and %envreg2 contain the upper and the lower half of the address of a cooperative launch's workspace. The workspace
/// has two words. The second word is the counter of the grid barrier; its initial value is 0
/// (cooperative_groups/details/sync.h).
#define AMBIT_PTX_SPECIALS(X)                                                                                      \
  X(TidX, "%tid.x") X(TidY, "%tid.y") X(TidZ, "%tid.z") X(NtidX, "%ntid.x") X(NtidY, "%ntid.y")                    \
  X(NtidZ, "%ntid.z") X(CtaidX, "%ctaid.x") X(CtaidY, "%ctaid.y") X(CtaidZ, "%ctaid.z") X(NctaidX, "%nctaid.x")    \
  X(NctaidY, "%nctaid.y") X(NctaidZ, "%nctaid.z") X(LaneId, "%laneid") X(WarpId, "%warpid") X(NwarpId, "%nwarpid") \
  X(SmId, "%smid") X(NsmId, "%nsmid") X(GridId, "%gridid") X(LanemaskEq, "%lanemask_eq")                           \
  X(LanemaskLe, "%lanemask_le") X(LanemaskLt, "%lanemask_lt") X(LanemaskGe, "%lanemask_ge")                        \
  X(LanemaskGt, "%lanemask_gt") X(Clock, "%clock") X(ClockHi, "%clock_hi") X(Clock64, "%clock64")                  \
  X(Globaltimer, "%globaltimer") X(GlobaltimerLo, "%globaltimer_lo") X(GlobaltimerHi, "%globaltimer_hi")           \
  X(DynamicSmemSize, "%dynamic_smem_size") X(TotalSmemSize, "%total_smem_size") X(AggrSmemSize, "%aggr_smem_size") \
  X(IsExplicitCluster, "%is_explicit_cluster") X(ClusteridX, "%clusterid.x") X(ClusteridY, "%clusterid.y")         \
  X(ClusteridZ, "%clusterid.z") X(NclusteridX, "%nclusterid.x") X(NclusteridY, "%nclusterid.y")                    \
  X(NclusteridZ, "%nclusterid.z") X(ClusterCtaidX, "%cluster_ctaid.x") X(ClusterCtaidY, "%cluster_ctaid.y")        \
  X(ClusterCtaidZ, "%cluster_ctaid.z") X(ClusterNctaidX, "%cluster_nctaid.x")                                      \
  X(ClusterNctaidY, "%cluster_nctaid.y") X(ClusterNctaidZ, "%cluster_nctaid.z")                                    \
  X(ClusterCtarank, "%cluster_ctarank") X(ClusterNctarank, "%cluster_nctarank")                                    \
  X(CurrentGraphExec, "%current_graph_exec") X(ReservedSmemBegin, "%reserved_smem_offset_begin")                   \
  X(ReservedSmemEnd, "%reserved_smem_offset_end") X(ReservedSmemCap, "%reserved_smem_offset_cap")                  \
  X(ReservedSmem0, "%reserved_smem_offset_0") X(ReservedSmem1, "%reserved_smem_offset_1") X(Envreg0, "%envreg0")   \
  X(Envreg1, "%envreg1") X(Envreg2, "%envreg2") X(Envreg3, "%envreg3") X(Envreg4, "%envreg4")                      \
  X(Envreg5, "%envreg5") X(Envreg6, "%envreg6") X(Envreg7, "%envreg7") X(Envreg8, "%envreg8")                      \
  X(Envreg9, "%envreg9") X(Envreg10, "%envreg10") X(Envreg11, "%envreg11") X(Envreg12, "%envreg12")                \
  X(Envreg13, "%envreg13") X(Envreg14, "%envreg14") X(Envreg15, "%envreg15") X(Envreg16, "%envreg16")              \
  X(Envreg17, "%envreg17") X(Envreg18, "%envreg18") X(Envreg19, "%envreg19") X(Envreg20, "%envreg20")              \
  X(Envreg21, "%envreg21") X(Envreg22, "%envreg22") X(Envreg23, "%envreg23") X(Envreg24, "%envreg24")              \
  X(Envreg25, "%envreg25") X(Envreg26, "%envreg26") X(Envreg27, "%envreg27") X(Envreg28, "%envreg28")              \
  X(Envreg29, "%envreg29") X(Envreg30, "%envreg30") X(Envreg31, "%envreg31")
// clang-format on

enum class SpecialRegister : std::uint8_t {
  /// A register that is not in the table, such as %pm0. An instruction with such a register has Opcode::Unknown.
  Unknown,
#define AMBIT_PTX_SPECIAL(name, spelling) name,
  AMBIT_PTX_SPECIALS(AMBIT_PTX_SPECIAL)
#undef AMBIT_PTX_SPECIAL
};
/// Returns the name of the register, for example "%tid.x".
std::string_view to_string(SpecialRegister special);

/// An operand of an instruction, with resolved names.
struct Operand {
  enum class Kind : std::uint8_t {
    Register,   ///< a register; `index` is the register's number in the function
    Special,    ///< `index` is a SpecialRegister
    Integer,    ///< `value` is the integer
    Float32,    ///< `value` contains the bits of a float
    Float64,    ///< `value` contains the bits of a double
    Variable,   ///< address of a variable (`index` in Module::variables) plus `value`, in the variable's state space
    Function,   ///< `index` in Module::functions
    Label,      ///< `index` in Function::labels
    Targets,    ///< .branchtargets or .calltargets: `index` in Function::targets
    Prototype,  ///< `index` in Function::prototypes
    Address,    ///< operand in brackets: `base` with `index`, plus `value`; elements are texture coordinates
    Vector,     ///< {a, b}; has elements
    Pair,       ///< d|p; has two elements
    List,       ///< (a, b) of a call; may be empty
    Discard,    ///< _
  };
  /// The base to which an address adds its offset. An Absolute address has no base.
  enum class Base : std::uint8_t { Absolute, Register, Variable };

  Kind kind = Kind::Discard;
  Base base = Base::Absolute;
  bool negated = false;  ///< whether the operand is !p
  /// The component of a Register, 0 to 3: .x .y .z .w of a vector register, or a byte .b0 to .b3. The value is -1 if
  /// the operand has no component.
  std::int8_t component = -1;
  std::uint32_t index = kNone;
  std::uint64_t value = 0;  ///< in two's complement
  std::uint32_t first = 0;  ///< the elements are Instruction::operands[first, first + count)
  std::uint32_t count = 0;

  std::int64_t offset() const { return static_cast<std::int64_t>(value); }
};

/// The guard of an instruction, @p or @!p. `reg` is kNone if the instruction has no guard.
struct Guard {
  std::uint32_t reg = kNone;
  bool negated = false;
};

/// One instruction. The operands of a call are a List of results, a Function or Register, and a List of arguments. An
/// indirect call also has a Prototype or Targets. If the text of a call has no lists, the operands are empty lists.
struct Instruction {
  Opcode opcode = Opcode::Unknown;
  std::uint8_t type_count = 0;
  std::array<Type, 4> types = {};  ///< the type suffixes, in text order: U64, U32 for `cvt.u64.u32`
  Modifiers modifiers;
  /// Whether the opcode has a word that is neither a type nor in the table of modifiers, for example `tile` or
  /// `m16n8k16`. Only fences, asynchronous instructions and matrix instructions may have such unknown words. The words
  /// are only in the text `spelling`.
  bool has_other_modifier = false;
  Guard guard;
  std::uint32_t operand_count = 0;  ///< number of operands, without the elements of vectors and lists
  std::vector<Operand> operands;
  SourceSpan place;              ///< place of the opcode in the PTX
  std::uint32_t source = kNone;  ///< index in Module::places
  TextSpan spelling;             ///< the opcode, for example "mul.wide.s32"
  TextSpan text;                 ///< the whole instruction, from the guard to the semicolon

  Type type() const { return types[0]; }
  std::span<const Operand> top_operands() const { return {operands.data(), operand_count}; }
  std::span<const Operand> elements(const Operand& operand) const {
    return std::span<const Operand>(operands).subspan(operand.first, operand.count);
  }
};

/// Return the type of the result and the type of source operand `number` (counted from 0), for an instruction without
/// memory operands. The opcode's row in the table, the type suffixes and .wide determine the types.
Type result_type(const Instruction& instruction);
Type source_type(const Instruction& instruction, std::size_t number);

/// The memory semantics of a read, write, read-modify-write or fence. Follows the modifiers and the defaults of the ISA
/// (section 8): a plain access is weak; .volatile is relaxed.sys and `is_volatile`; atom and red are relaxed.gpu;
/// membar.gl is fence.sc.gpu.
struct MemoryMeaning {
  Effect effect = Effect::None;
  Space space = Space::None;  ///< state space; None for the generic space
  Order order = Order::Weak;
  Scope scope = Scope::System;
  bool is_volatile = false;
  bool is_read_only = false;     ///< whether the access is ld.nc, ldu, ld.const, or a read of a kernel parameter
  RmwOp operation = RmwOp::Add;  ///< for ReadModifyWrite: the operation; `type` may be floating-point
  Type type = Type::None;        ///< type of one element
  std::uint8_t elements = 1;     ///< number of elements: 2, 4 or 8 for .v2, .v4, .v8
  unsigned bytes() const { return bytes_of(type) * elements; }
};
MemoryMeaning memory_meaning(const Instruction& instruction);

/// A place in a source of the program (.loc).
struct SourcePlace {
  std::uint32_t file = kNone;  ///< index in Module::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t function = kNone;    ///< name of the inlined function: index in Module::strings
  std::uint32_t inlined_at = kNone;  ///< index of the place of the call; less than the index of this place
};

enum class Linkage : std::uint8_t { Local, Visible, Extern, Weak, Common };
std::string_view to_string(Linkage linkage);

/// An address in the initial bytes of a variable. The `size` bytes at `offset` contain (address of the symbol +
/// `addend`) >> `shift`. For `0xff00(symbol)`, `size` is 1 and `shift` is 8.
struct Relocation {
  std::uint64_t offset = 0;
  bool is_function = false;
  bool is_generic = false;       ///< whether the address is generic(symbol)
  std::uint32_t symbol = kNone;  ///< index in Module::variables or Module::functions
  std::int64_t addend = 0;
  std::uint8_t size = 8;
  std::uint8_t shift = 0;
};

/// A variable, or a parameter in the .param space.
struct Variable {
  std::string name;
  Space space = Space::Global;
  Type type = Type::None;
  std::uint8_t vector_width = 1;
  bool is_array = false;
  bool is_managed = false;  ///< whether the variable has .attribute(.managed)
  Linkage linkage = Linkage::Local;
  std::uint64_t alignment = 1;  ///< alignment in bytes; the default is the natural alignment
  std::uint64_t count = 1;      ///< number of elements in all dimensions; 0 for an array without a size
  /// The first bytes of the initial value; the remaining bytes, up to size(), are 0. Empty if not initialised.
  std::vector<std::uint8_t> initial;
  bool is_initialised = false;
  std::vector<Relocation> relocations;  ///< sorted by offset
  Space pointee = Space::None;          ///< for a parameter: the space in .ptr.global and similar attributes
  std::uint32_t function = kNone;       ///< the function that declares the variable; kNone outside of functions
  SourceSpan place;                     ///< place of the variable's name in the PTX
  SourceFilePtr file;

  std::uint64_t size() const { return count * bytes_of(type) * vector_width; }
};

/// A parameter or a returned value: a variable in the .param space. In older code, a parameter may be a register.
struct Parameter {
  bool is_register = false;
  std::uint32_t index = kNone;  ///< index in Module::variables, or number of the register
};

/// The registers of a declaration. `%r<12>` declares twelve registers, whose numbers begin at `first`. `%SP` declares
/// one register.
struct RegisterRange {
  std::string name;
  Type type = Type::None;
  std::uint32_t first = 0;
  std::uint32_t count = 1;
  bool is_numbered = false;
  std::uint8_t vector_width = 1;
};

struct Label {
  std::string name;
  /// Index of the instruction after the label. If the label is at the end of the body, the index is the number of
  /// instructions.
  std::uint32_t instruction = 0;
  SourceSpan place;
};

/// A list of branch targets (.branchtargets, labels) or call targets (.calltargets, functions).
struct Targets {
  std::string name;
  bool is_calls = false;
  std::vector<std::uint32_t> indexes;
  SourceSpan place;
};

/// A parameter of a .callprototype.
struct PrototypeParameter {
  Type type = Type::None;
  std::uint64_t alignment = 1;
  std::uint64_t count = 1;
};
struct Prototype {
  std::string name;
  std::vector<PrototypeParameter> returns;
  std::vector<PrototypeParameter> parameters;
  SourceSpan place;
};

using Dimensions = std::array<std::uint32_t, 3>;

/// A kernel (.entry) or a function (.func). A function has no body if the module only declares the function.
struct Function {
  std::string name;
  bool is_entry = false;
  bool has_body = false;
  bool is_noreturn = false;
  Linkage linkage = Linkage::Local;
  std::vector<Parameter> returns;
  std::vector<Parameter> parameters;
  std::vector<RegisterRange> ranges;  ///< sorted by `first`
  std::vector<Type> registers;        ///< maps register numbers to types
  /// The variables that are declared in the body, including inner braces: .local, .shared, and .param for calls.
  std::vector<std::uint32_t> variables;
  std::vector<Instruction> instructions;  ///< all instructions of the body
  std::vector<Label> labels;
  std::vector<Targets> targets;
  std::vector<Prototype> prototypes;
  std::optional<Dimensions> maximum_threads;   ///< .maxntid
  std::optional<Dimensions> required_threads;  ///< .reqntid
  std::optional<Dimensions> required_cluster;  ///< .reqnctapercluster
  std::uint32_t minimum_blocks = 0;            ///< .minnctapersm; 0 without this directive
  SourceSpan place;                            ///< place of the function's name in the PTX
  TextSpan text;                               ///< the text from the first directive to the closing brace or semicolon
  TextSpan body;                               ///< the text between the braces
  SourceFilePtr file;

  std::string register_name(std::uint32_t number) const;
};

/// A change to the text of a module: `text` replaces the `length` bytes at `offset`. If `length` is 0, `text` is
/// inserted.
struct Edit {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::string text;
};

/// A PTX module. The numbers of variables, functions, places, registers and labels never change.
struct Module {
  SourceFilePtr file;  ///< the original text; empty after link(), because the functions come from different texts
  unsigned version_major = 0;
  unsigned version_minor = 0;
  std::string target;  ///< the target, for example "sm_90a" or "sm_90, debug"
  unsigned address_size = 64;
  std::vector<std::string> files;    ///< the paths in .file
  std::vector<std::string> strings;  ///< mangled names of inlined functions
  std::vector<SourcePlace> places;   ///< the places in .loc, in the order of the text, without duplicates
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Edit> edits;  ///< changes since the module was read, in any order; they must not overlap

  std::string_view text_of(TextSpan span) const {
    return std::string_view(file->text).substr(span.offset, span.length);
  }
  /// Returns the text of a span in the function's file. In a linked module, functions have different files.
  static std::string_view text_of(const Function& function, TextSpan span) {
    return std::string_view(function.file->text).substr(span.offset, span.length);
  }
};

/// The limits of read_module(). Exceeding a limit is an error.
inline constexpr std::uint64_t kMaximumText = 1ULL << 30;       ///< bytes of PTX
inline constexpr std::uint64_t kMaximumRegisters = 1ULL << 24;  ///< declared registers of all functions
inline constexpr std::uint64_t kMaximumInitial = 1ULL << 30;    ///< initial bytes of all variables
inline constexpr std::uint64_t kMaximumVariable = 1ULL << 40;   ///< bytes of one variable
inline constexpr std::size_t kMaximumDepth = 256;               ///< depth of nested { }

/// Reads a PTX module of version 6.0 or later. Keeps unknown parts: unknown instructions become Opcode::Unknown;
/// unknown directives remain in the text. Errors, with their places: malformed text; undeclared registers, labels and
/// symbols; duplicate declarations; exceeded limits. Takes linear time.
Result<Module> read_module(const SourceFilePtr& file);
Result<Module> read_module(std::string text, std::string name);

/// Reads the text of inline assembly as the body of the only function of a module. The first `operands` registers of
/// the function are %0, %1 and so on, of type .b64. The last statement needs no `;`. Instructions that become
/// Opcode::Unknown keep their operands. Errors: like read_module(), but `@%0` and undeclared special registers are
/// errors, too.
Result<Module> read_assembly(std::string_view text, std::size_t operands);

/// Returns the module as text: the original bytes, to which the edits are applied. The module must not come from
/// link().
std::string print(const Module& module);

/// Links several modules into one. An .extern symbol resolves to the .visible, .weak or .common symbol of the same
/// name. A .visible symbol has precedence over .weak symbols, and the first .weak symbol over the remaining symbols.
/// Local symbols with equal names remain distinct. Errors: two .visible symbols have the same name; a name has two
/// sizes or kinds. An .extern symbol that no module defines, such as vprintf or malloc, remains .extern.
Result<Module> link(std::span<const Module> modules);

/// Returns the place in user code that belongs to `place`. While the place is in an include folder of the CUDA toolkit
/// or of the system, continues with the place of the inlined call (`inlined_at`). If all places are in these folders,
/// returns the outermost place. Maps kNone to kNone.
std::uint32_t user_place(const Module& module, std::uint32_t place);
/// Returns a place as text: "file.cu:12", or "file.cu:12:5" if the column is known; an empty string for kNone.
std::string to_string(const Module& module, std::uint32_t place);

/// Returns the text of a resolved operand.
std::string operand_text(const Module& module, const Function& function, const Instruction& instruction,
                         const Operand& operand);

}  // namespace ambit::ptx
