#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "parser/ptx/decoded_opcode.h"
#include "parser/ptx/decoded_step.h"
#include "parser/ptx/grids.h"
#include "parser/ptx/locations.h"
#include "parser/ptx/test_tree.h"
#include "parser/text/placement.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Lowers one column of a PTX litmus table, the code of one thread. The type of a location depends on the accesses in
/// all columns. Therefore the caller must call survey() for every column before the first call of lower().
class ColumnLowering {
 public:
  ColumnLowering(const ThreadNode& node, ThreadPlace place, Dialect dialect, Memory& memory, Reporter& reporter)
      : node_(node),
        place_(place),
        at_{place.gpu, place.block},
        dialect_(dialect),
        memory_(memory),
        reporter_(reporter) {}

  std::string_view name() const { return node_.name.text; }
  /// Sets the thread's cluster. `clusters` must contain the places of all threads.
  void set_cluster(const ClusterNumbers& clusters) { place_.cluster = clusters.cluster_of(block()); }
  const ThreadPlace& place() const { return place_; }
  /// Sets the grids of the test and the exits of its blocks. `grids` and `exits` must outlive the column.
  void set_grids(const Grids& grids, const Exits& exits) {
    grids_ = &grids;
    grid_ = grids.grid_of(block());
    exits_ = &exits;
  }
  /// Returns whether the column contains an `exit` instruction. Requires survey().
  bool exits() const;
  /// Adds the other blocks whose shared memory the column names. Requires survey().
  void add_reached_blocks(std::set<BlockId>& blocks) const;
  /// Sets the blocks of the thread's cluster, in the order of their ranks.
  void set_cluster_blocks(std::vector<BlockId> blocks) { cluster_blocks_ = std::move(blocks); }
  /// Reads an initial value: `P0:r1 = 2`, `P0:r1 = &x`.
  void set_register(const DeclarationNode& node);
  /// Decodes the instructions and records their uses of memory and registers.
  void survey();
  /// Returns whether a bar.sync of this column takes its barrier number from a register.
  bool has_dynamic_barrier() const { return has_dynamic_barrier_; }
  /// Lowers the column. `dynamic_barriers` is true if has_dynamic_barrier() is true for any column of the test. If
  /// `dynamic_barriers` is true, the number of every bar.sync is an expression.
  Thread lower(bool dynamic_barriers);

 private:
  struct RegisterUse {
    std::string_view name;
    bool is_written = false;
    bool holds_address = false;
    SourceSpan read;                 ///< place of the first read
    std::optional<ScalarType> type;  ///< type in the suffixes of the register's writers
    bool has_plain_writer = false;   ///< whether a writer has no type suffix
    RegisterId id = 0;
    bool is_product = false;  ///< whether wgmma.mma_async writes the register
    bool is_counted = false;  ///< whether mbarrier.pending_count reads the register
    SourceSpan other_writer;  ///< place of the first writer that is not an arrival with .noComplete
    /// If this register contains an mbarrier state: the register with the number of pending arrivals.
    std::optional<RegisterId> pending;
  };
  struct Jumping {
    std::size_t instruction;
    const OperandNode* label;  ///< target; null for the end of the thread
  };
  using StepOrLabel = std::variant<Step, LabelNode>;

  BlockId block() const { return at_; }
  void fail(SourceSpan where, std::string message, std::string hint = {});

  // Survey (column_survey.cpp)
  RegisterUse& use(std::string_view name);
  void survey(const InstructionNode& instruction);
  void survey(const Step& step);
  void survey_address(const Step& step);
  void survey_operand(const OperandNode& operand, const Opcode& opcode);
  void survey_mbarrier(const Step& step);
  void survey_states();
  void survey_asynchronous(const Step& step);
  void read(const OperandNode* operand);
  void write(const OperandNode* operand, const Opcode& opcode);
  void survey_registers();
  std::vector<std::string_view> written_registers() const;

  // Lowering (column_lowering.cpp)
  void make_registers();
  void emit(const Step& step);
  void emit_operations(const Step& step);
  Expr guard(const Step& step, bool holds) const;
  void emit(Operation operation, const Step& step) { code_.push_back({std::move(operation), step.node->span}); }
  Expr value(const OperandNode& operand, ScalarType type);
  Expr register_value(const OperandNode& operand) const;
  RegisterId register_id(const OperandNode& operand) const;
  RegisterId temporary(ScalarType type);
  std::optional<MemoryAccess> access(const Step& step) { return access(*step.address, step.opcode, false); }
  std::optional<MemoryAccess> access(const OperandNode& operand, const Opcode& opcode, bool at_mbarrier);
  bool check_space(const OperandNode& operand, std::size_t index, StateSpace space);
  std::optional<std::size_t> named(const OperandNode& address);
  void load(const Step& step);
  void store(const Step& step);
  void rmw(const Step& step);
  void require(const Step& step);
  void arithmetic(const Step& step);
  void add_to_address(const Step& step, const OperandNode& address, const OperandNode& offset);
  void branch(const Step& step);
  void resolve_jumps();

  // Dependent grids (column_grids.cpp)
  void wait_for_grid(MemoryAccess counter, Value least, SourceSpan where, std::string_view instruction);
  void count_in_grid(MemoryAccess counter, Value number, SourceSpan where, std::string_view instruction);
  void begin_in_grid();
  void end_in_grid();
  void grid_control(const Step& step);
  void exit_block();
  std::set<BlockId> reached_blocks(const Step& step) const;
  void check_exits(const Step& step);

  // Barriers (column_barriers.cpp)
  void block_barrier(const Step& step);
  void warp_barrier(const Step& step);
  void cluster_barrier(const Step& step);
  std::optional<Value> constant(const OperandNode* operand, Value least, Value most, std::string_view what);

  // Mbarrier objects (column_mbarriers.cpp)
  std::optional<std::size_t> mbarrier(const OperandNode& operand);
  std::optional<MemoryAccess> mbarrier_access(const OperandNode& operand, std::size_t index, const Opcode& opcode);
  void check_misuse(std::vector<Assert> rules, const Step& step);
  std::optional<Value> transaction_bytes(const OperandNode* operand);
  void mbarrier_init(const Step& step);
  void update_mbarrier(const Step& step, MemoryAccess access, const MbarrierLayout& layout, Value arrivals,
                       Value bytes);
  void mbarrier_arrive(const Step& step);
  void mbarrier_wait(const Step& step);
  void mbarrier_pending(const Step& step);

  // Instructions for hardware (machine_instruction.cpp)
  std::optional<MachineInstruction::Operand> machine_operand(const Step& step, const OperandNode& operand);
  std::shared_ptr<const MachineInstruction> machine_instruction(const Step& step);

  // Asynchronous operations (column_async.cpp)
  std::optional<Value> async_bytes(const Step& step);
  bool is_aligned(const OperandNode& operand, const Opcode& opcode, Value bytes, Value offset);
  std::vector<MemoryAccess> async_accesses(const OperandNode& operand, const Opcode& opcode, std::optional<Value> bytes,
                                           BlockId block);
  // Tensor copies (column_tensors.cpp)
  const TensorMap* tensor_map(const Step& step);
  std::vector<MemoryAccess> tensor_accesses(const Step& step, const Opcode& opcode);
  void survey_tensor(const Step& step);
  void read_map(const Step& step, AsyncStep& operation);
  void replace_map(const Step& step);
  void copy_map(const Step& step);
  void fence_map(const Step& step);

  void check_remote(const Step& step);
  bool complete(AsyncStep& operation, const OperandNode& operand, Value arrivals, Value bytes, BlockId block);
  std::vector<BlockId> async_blocks(const Step& step);
  void add_elements(const Step& step, const std::optional<Value>& bytes, BlockId block, AsyncStep& issue);
  void issue(const Step& step);
  void arrive_when_complete(const Step& step);
  void asynchronous(const Step& step);

  const ThreadNode& node_;
  ThreadPlace place_;
  BlockId at_;  ///< block of a shared name without a block: the thread's block, or a target of a multicast
  std::vector<BlockId> cluster_blocks_;
  const Grids* grids_ = nullptr;
  const Exits* exits_ = nullptr;
  int grid_ = 0;
  std::optional<std::size_t> launched_;  ///< position of griddepcontrol.launch_dependents
  Dialect dialect_;
  Memory& memory_;
  Reporter& reporter_;

  std::vector<StepOrLabel> steps_;
  std::deque<InstructionNode> scalars_;  ///< scalar instructions into which vector accesses are split
  std::vector<RegisterUse> registers_;
  std::vector<const DeclarationNode*> initial_;
  bool has_dynamic_barrier_ = false;
  bool dynamic_barriers_ = false;

  std::vector<Register> made_;
  std::vector<Instruction> code_;
  std::size_t temporaries_ = 0;
  std::map<std::string_view, std::size_t> labels_;
  std::vector<Jumping> jumps_;
};

/// Applies the option `barriers = columns`: a block barrier without a thread count waits only for the threads whose
/// columns contain the barrier. If only some threads of the block have the barrier, the number of these threads becomes
/// the barrier's thread count.
void let_columns_take_part(Program& program);

}  // namespace ambit::parser::ptx
