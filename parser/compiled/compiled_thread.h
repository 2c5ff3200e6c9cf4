#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parser/compiled/flat_code.h"
#include "parser/compiled/litmus_steps.h"
#include "parser/compiled/symbol.h"
#include "parser/litmus/operand.h"
#include "parser/litmus/ptx_lowering.h"
#include "parser/litmus/threads.h"
#include "parser/text/reporter.h"

namespace ambit::parser::compiled {

/// Returns the expression type that represents a PTX register of this type. Predicates have type int.
ScalarType scalar_of(assembly::Type type);

/// Interface through which a compiled thread uses the memory of the test.
class Memory {
 public:
  virtual ~Memory() = default;
  /// Returns the address of a module's variable in global, constant or shared memory. If the test has no variable of
  /// this name, returns a symbol with Base::Unknown.
  virtual Symbol variable(std::uint32_t variable, BlockId block) = 0;
  /// Returns the pointer symbol for a kernel argument whose value is the constant `address`.
  virtual Symbol pointer(Value address) = 0;
  /// Returns the address of the workspace of a cooperative launch. PTX code reads the upper half of this address from
  /// %envreg1 and the lower half from %envreg2.
  virtual Symbol grid_workspace() = 0;
  virtual LayoutTable& layouts() = 0;
  /// Returns the alignment of the variable that `pointer` points into. `pointer` must be constant.
  virtual Value alignment(const Symbol& pointer) = 0;
  /// Records an access to one value of type `meaning.type`. Returns false if is_recording() is false.
  virtual bool record(const Symbol& pointer, const assembly::MemoryMeaning& meaning, const SourceSpan& span) = 0;
  /// Returns whether accesses are only recorded, and not emitted.
  virtual bool is_recording() const = 0;
  /// Records an access of `bytes` bytes without a type. If the access is the write of a copy, `source` points to the
  /// bytes that the copy reads.
  virtual void record_bytes(const Symbol& pointer, const std::optional<Symbol>& source, Value bytes,
                            const SourceSpan& span) = 0;
  /// Maps `pointer`, an address in the shared memory of block `own`, to the corresponding address in the shared memory
  /// of block `other`. Both blocks are in one cluster.
  virtual Symbol in_block(Symbol pointer, BlockId own, BlockId other) = 0;
  virtual litmus::Assembly& assembly() = 0;
};

/// Lowers a compiled kernel for one thread. If a single instruction computes a PTX register from other registers, uses
/// of the register are replaced by the expression. If several instructions write the PTX register, or if its value
/// comes from memory, the PTX register becomes a register of the thread.
class CompiledThread {
 public:
  CompiledThread(const FlatCode& flat, const litmus::ThreadSetting& setting,
                 const std::vector<litmus::Operand>& arguments, Memory& memory, Reporter& reporter);

  Thread lower();

 private:
  /// The number of a register in the flat code, or of a slot (bytes of a local variable). Slots have higher numbers
  /// than registers.
  using Variable = std::uint32_t;
  struct Definition {
    std::uint32_t at = 0;       ///< position of the instruction in the code
    std::uint32_t element = 0;  ///< index of the register in the instruction's vector or pair
  };
  struct Kind {
    bool is_known = false;
    const Layout* layout = nullptr;  ///< for a pointer, the layout of its target; null for a number
    Value bytes = 0;                 ///< bytes from the beginning of the element (ElementPointer)
    bool has_offset = false;         ///< whether `bytes` varies; if so, a second register holds `bytes`
    /// The possible layouts of a pointer, if there are several. A third register then holds the index of the layout.
    std::vector<const Layout*> layouts = {};
    /// For a pointer: the object that it always points into. If this object is set, the register holds the index of the
    /// element as an int, so that models can analyse the index.
    std::optional<ObjectId> object = std::nullopt;
    /// For a number: whether the definitions found so far assign no value, one constant, or several values. If all
    /// definitions assign one constant, every read gets the constant: PTX does not define the value of a register
    /// before the first definition.
    enum class Values : std::uint8_t { None, One, Several };
    Values values = Values::None;
    Value only = 0;        ///< the constant, if `values` is Values::One
    Value bits = -1;       ///< bits of a number that can be 1
    unsigned changes = 0;  ///< the number of changes of `bits` so far
    /// The local variable that the register points into. The register holds only the offset.
    std::optional<FrameVariable> local = std::nullopt;
  };
  /// Bytes of a local variable or of an inlined function's parameter. A register of the thread stores the bytes.
  struct SlotKey {
    FrameVariable variable;
    std::uint64_t offset = 0;
    unsigned bytes = 0;  ///< size: 1, 2, 4 or 8
    friend auto operator<=>(const SlotKey&, const SlotKey&) = default;
  };
  /// A slot that a ld or st reaches.
  struct SlotUse {
    Variable slot = 0;
    std::uint32_t element = 0;  ///< number of the accessed element that contains the slot
    unsigned bytes = 0;         ///< size of the slot
    unsigned shift = 0;         ///< number of bits of the element that are below the slot
    /// If set, the access reaches the slot only if the access has this offset in the variable.
    std::optional<Value> offset;
    friend bool operator==(const SlotUse&, const SlotUse&) = default;
  };

  // survey.cpp: finds the reachable code and the instructions that write each register.
  void survey();
  void collect_definitions();
  void infer_kinds();
  void widen_kinds();
  std::vector<bool> find_reached(std::vector<std::vector<std::uint32_t>>& next);
  std::vector<Variable> sources(std::uint32_t at) const;
  void force_undominated(const std::vector<std::vector<std::uint32_t>>& successors);
  std::vector<std::uint32_t> successors(std::uint32_t at);
  std::vector<Variable> targets(std::uint32_t at) const;

  // slots.cpp: local variables.
  struct LocalAccess {
    std::uint32_t at = 0;
    Symbol pointer;
    unsigned bytes = 0;  ///< size of an element
    unsigned elements = 0;
    std::vector<std::uint64_t> offsets;  ///< all possible offsets in the variable
  };
  struct LocalDivision;
  std::vector<LocalAccess> local_accesses(LocalDivision& division);
  static std::vector<std::uint64_t> candidates(const LocalDivision& division, const LocalAccess& access,
                                               std::uint64_t size);
  bool find_slots();
  Variable slot(const SlotKey& key);
  Symbol reaches(std::uint32_t at, const SlotUse& use);
  Symbol evaluate_slot_store(const Definition& definition);
  Symbol evaluate_slot_load(const Definition& definition);
  Symbol joined_pieces(std::uint32_t at, const std::vector<const SlotUse*>& pieces);
  void emit_local_bounds(std::uint32_t at);

  // evaluate.cpp, arithmetic.cpp: values.
  Symbol value_of(Variable variable);
  Symbol leaf(Variable variable, Value bits, bool varies);
  Symbol leaf_of_kind(Variable variable, const Kind& kind, bool varies);
  Symbol joined_value(Variable variable);
  Kind kind_of(const Symbol& symbol) const;
  bool merge(Kind& kind, const Symbol& symbol, ScalarType type) const;
  bool merge_pointer(Kind& kind, const Symbol& symbol) const;
  static bool merge_number(Kind& kind, const Symbol& symbol, ScalarType type);
  bool is_single(Variable variable) const;
  bool is_pure(std::uint32_t at) const;
  Symbol evaluate(const Definition& definition);
  Symbol evaluate_load(const Definition& definition);
  std::optional<Symbol> shadowed_constant(const Symbol& pointer, std::uint64_t begin, assembly::Type type) const;
  Symbol operand(const FlatInstruction& flat, const assembly::Operand& operand, assembly::Type type);
  Symbol address(const FlatInstruction& flat, const assembly::Operand& operand);
  Symbol special(const FlatInstruction& flat, assembly::SpecialRegister special);
  Symbol argument(std::uint32_t variable, std::uint64_t offset, unsigned bytes);
  Symbol compute(const FlatInstruction& flat, std::uint32_t element);
  Symbol compute_integer(const assembly::Instruction& instruction, const std::vector<Symbol>& inputs, ScalarType scalar,
                         ScalarType result_type);
  Symbol compare(const FlatInstruction& flat, std::uint32_t element);
  Symbol convert(const FlatInstruction& flat);
  Symbol move(const FlatInstruction& flat, std::uint32_t element);
  Symbol add(Symbol a, Symbol b, ScalarType type, bool is_subtraction);
  Symbol choose(const Symbol& condition, const Symbol& a, const Symbol& b, ScalarType type);
  Expr condition(const FlatInstruction& flat);
  std::optional<Value> constant(const Symbol& symbol) const;

  // exchanges.cpp: instructions that exchange values between threads.
  struct Taken {
    ValueExchange exchange;
    std::optional<Expr> is_in_segment;  ///< the predicate that a shuffle returns
  };
  std::optional<Taken> taken(std::uint32_t at);
  Symbol evaluate_exchange(const Definition& definition);
  std::optional<Value> mask_of(std::uint32_t at);

  // decoded_instructions.cpp: instructions that parser/litmus lowers.
  static bool is_decoded(const assembly::Instruction& instruction);
  static Symbol decoded_result(const assembly::Instruction& instruction);
  LitmusSteps& steps();
  const litmus::Operand* tensor_map(const Symbol& symbol) const;
  std::optional<Value> constant_before(std::uint32_t at, Variable variable);
  litmus::Operand litmus_value(const FlatInstruction& flat, const assembly::Operand& operand, assembly::Type type);
  std::optional<litmus::PtxOperand> litmus_address(const FlatInstruction& flat, const Symbol& pointer);
  std::optional<litmus::PtxOperand> litmus_operand(const FlatInstruction& flat, const assembly::Operand& operand,
                                                   bool is_target);
  void emit_decoded(std::uint32_t at);
  void emit_election(std::uint32_t at);
  void emit_fragment(std::uint32_t at);
  Symbol mapped(const FlatInstruction& flat);
  std::optional<MemorySpace> space_of(const Symbol& pointer) const;
  Symbol is_in_space(const FlatInstruction& flat);
  std::optional<Symbol> low_bits(const FlatInstruction& flat);
  void begin_grid();
  void end_grid();
  void record_decoded(const FlatInstruction& flat);

  // emit.cpp: code.
  void emit_all();
  void emit_instruction(std::uint32_t at);
  void emit_definitions(std::uint32_t at);
  void emit_memory(std::uint32_t at);
  void emit_load(std::uint32_t at, const assembly::MemoryMeaning& meaning);
  void emit_store(std::uint32_t at, const assembly::MemoryMeaning& meaning);
  void emit_atomic(std::uint32_t at, const assembly::MemoryMeaning& meaning);
  void emit_fence(const FlatInstruction& flat);
  void emit_barrier(std::uint32_t at);
  void emit_warp_exchange(std::uint32_t at);
  void emit_exchange(std::uint32_t at, Barrier barrier);
  void emit_jump(std::uint32_t at);
  void emit_choice(std::uint32_t at);
  void emit(Operation operation);
  void assign(const FlatInstruction& flat, Variable variable, const Symbol& symbol, const std::optional<Expr>& guard);
  void assign_register(RegisterId target, Expr value, const std::optional<Expr>& guard);
  RegisterId temporary(ScalarType type);
  struct Piece {
    MemoryAccess access;
    Type cell;
  };
  std::vector<Piece> accesses(const FlatInstruction& flat, const Symbol& pointer,
                              const assembly::MemoryMeaning& meaning);
  std::optional<Piece> access(const FlatInstruction& flat, const Symbol& pointer,
                              const assembly::MemoryMeaning& meaning);
  Symbol load(const std::vector<Piece>& pieces, assembly::Type type);
  std::optional<RegisterId> direct_target(Variable variable, const Piece& piece);
  Expr stored(const Symbol& symbol, const Type& cell);
  RegisterId core_register(Variable variable);
  RegisterId offset_register(Variable variable);
  RegisterId layout_register(Variable variable);
  RegisterId local_register(Variable variable);
  std::optional<Expr> thread_count(const FlatInstruction& flat, std::size_t operand);

  void fail(const FlatInstruction& flat, std::string message, std::string hint = {});
  void refuse(const FlatInstruction& flat);
  const assembly::Instruction& instruction(std::uint32_t at) const { return *flat_.code[at].instruction; }
  ScalarType type_of(Variable variable) const;

  const FlatCode& flat_;
  const litmus::ThreadSetting& setting_;
  const std::vector<litmus::Operand>& arguments_;
  Memory& memory_;
  Reporter& reporter_;

  std::vector<bool> reached_;
  std::map<SlotKey, Variable> slots_;
  /// The keys of the slots. The numbers of slots follow the numbers of registers.
  std::vector<SlotKey> slot_keys_;
  /// For each ld or st (by position), the slots that the instruction reaches.
  std::map<std::uint32_t, std::vector<SlotUse>> slot_uses_;
  std::vector<std::vector<Definition>> definitions_;
  /// For each position, the value of the instruction's predicate if known; 1 if the instruction has no predicate.
  std::vector<std::optional<Value>> guards_;
  std::vector<bool> is_conditional_;  ///< for each variable, whether a predicate guards a write of the variable
  /// For each variable, whether the variable must be a register of the thread, because a use may see an earlier value.
  std::vector<bool> is_forced_;
  std::vector<Kind> kinds_;
  std::vector<std::optional<Symbol>> memo_;
  std::vector<bool> in_progress_;
  std::vector<bool> is_materialised_;
  bool is_surveying_ = true;
  bool is_widening_ = false;  ///< whether widen_kinds() is still searching for the values of numbers
  bool restart_ = false;
  std::size_t depth_ = 0;

  Thread thread_;
  std::unique_ptr<LitmusSteps> steps_;
  std::vector<std::vector<std::uint32_t>> predecessors_;  ///< empty until the first use
  std::vector<std::optional<RegisterId>> core_registers_;
  std::map<Variable, RegisterId> offset_registers_;  ///< registers that hold byte offsets (Kind::has_offset)
  std::map<Variable, RegisterId> layout_registers_;  ///< registers that hold layout indices (Kind::layouts)
  std::vector<std::size_t> positions_;               ///< maps positions in the flat code to the thread's code
  struct Pending {
    std::size_t instruction = 0;
    std::uint32_t target = 0;  ///< flat position
  };
  std::vector<Pending> pending_;
  SourceSpan span_;
};

}  // namespace ambit::parser::compiled
