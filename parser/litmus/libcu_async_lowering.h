#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "parser/litmus/barrier_lowering.h"
#include "parser/litmus/ptx_lowering.h"

namespace ambit::parser::litmus {

/// Lowers the library functions for asynchronous operations: cuda::barrier, cuda::memcpy_async, cuda::pipeline,
/// cuda::ptx, cuda::device, cooperative_groups::memcpy_async and the __pipeline_ functions. The lowered code has the
/// instructions of CUDA 13's headers for sm_90; docs/reference/cuda-sources/async.md lists the instructions.
class LibcuAsyncLowering {
 public:
  explicit LibcuAsyncLowering(ThreadContext& thread) : thread_(thread) {}

  /// Returns whether this class lowers calls of the function, or reports that a function of cuda::ptx is unsupported.
  static bool is_lowered_call(std::string_view name);
  static std::vector<std::string_view> names();
  Operand call(const Call& call);
  /// Lowers a member of a cuda::barrier.
  Operand barrier_member(const Place& barrier, const Call& call);

 private:
  struct Functions;

  // cuda::barrier and its functions
  Operand init(const Call& call);
  Operand native_handle(const Call& call);
  Operand arrive_tx(const Call& call);
  Operand expect_tx(const Call& call);
  std::optional<Operand> barrier_argument(const ExprNode& node);
  void initialise(const Operand& barrier, Value count, SourceSpan span);
  void expect(const Operand& barrier, Value bytes, SourceSpan span);
  Operand arrive(std::string_view opcode, const Operand& barrier, std::optional<Value> given, const Call& call);
  Operand try_wait(const Operand& barrier, Operand awaited, bool by_parity, SourceSpan span);
  Operand wait(const Operand& barrier, Operand awaited, bool by_parity, SourceSpan span);

  // Copies
  struct Group {
    Value rank = 0;
    Value size = 1;
  };
  struct Copy {
    Group group;
    Operand target;
    Operand source;
    Value bytes = 0;
    Value alignment = 1;
    SourceSpan span;
    bool is_known = true;  ///< whether the group is known; in muted code it may be unknown
  };
  std::optional<Copy> copy_arguments(const Call& call, std::size_t first, std::optional<Group> group);
  bool read_size(const ExprNode& node, Copy& copy);
  Value alignment_of(const Type& type);
  std::optional<Group> group_argument(const ExprNode& node);
  Operand memcpy_async(const Call& call);
  Operand memcpy_async_tx(const Call& call);
  bool is_pipeline(const ExprNode& node);
  bool goes_to_shared(const Copy& copy) const;
  bool bulk_copy(const Copy& copy, const Operand& barrier);
  bool copy_by_thread(const Copy& copy);
  static std::shared_ptr<const MachineInstruction> copy_instruction(const Place& to, const Place& from, Value bytes);
  bool plain_copy(const Copy& copy);
  Operand group_memcpy_async(const Call& call);
  Operand group_wait(const Call& call);
  Operand pipeline_memcpy(const Call& call);
  Operand pipeline_commit(const Call& call);
  Operand pipeline_wait_prior(const Call& call);
  Operand arrive_on(const Call& call);
  void arrive_after_copies(const Operand& barrier, SourceSpan span);
  bool wait_prior(const ExprNode& node);
  void wait_group(Value pending, SourceSpan span);

  // Functions that the members of cuda::pipeline call (parser/cuda/library/pipeline_text.h)
  Operand make_pipeline(const Call& call);
  std::optional<Value> producer_count(const ExprNode& node, const Operand& state, Value threads);
  Operand pipeline_value(const Operand& state, Value stages, SourceSpan span);
  Operand wait_parity(const Call& call);
  Operand arrive_at(const Call& call);

  // cuda::ptx (cuda_ptx_lowering.cpp)
  Operand ptx_function(const Call& call);
  Operand special_register_function(const Call& call, std::string_view name);
  Operand elect(const Call& call);
  Operand experimental_function(const Call& call);
  // Tensor copies (cuda_tensor_lowering.cpp)
  std::optional<std::vector<Operand>> coordinates(const ExprNode& node);
  Operand tensor_copy(std::string opcode, const std::vector<PtxOperand>& operands, std::size_t rank, SourceSpan span);
  Operand ptx_tensor_function(const Call& call, bool reduces, const std::vector<std::string>& spaces,
                              std::string_view op, std::string_view group, const std::vector<const ExprNode*>& values);
  std::optional<Operand> experimental_tensor_function(const Call& call, std::string_view name);

  Operand wait_for_grid(const Call& call);
  Operand launch_dependents(const Call& call);
  Operand to_shared(const Call& call);
  Operand move(const Call& call);
  Operand aligned_size(const Call& call);

  ThreadContext& thread_;
  AsyncLowering async_{thread_};
  PtxLowering ptx_{thread_};
  PlaceLowering places_{thread_};
  BarrierLowering barriers_{thread_};
};

}  // namespace ambit::parser::litmus
