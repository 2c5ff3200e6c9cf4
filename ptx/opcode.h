#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ambit::ptx {

/// The effect of an instruction on memory, synchronisation and control.
enum class Effect : std::uint8_t {
  None,             ///< accesses only registers
  Read,             ///< reads memory
  Write,            ///< writes memory
  ReadModifyWrite,  ///< atom and red
  Fence,            ///< fence and membar
  Barrier,          ///< barriers of a block, a warp or a cluster, and mbarrier objects
  WarpExchange,     ///< lanes of a warp exchange values: shfl, vote, match, redux
  Asynchronous,     ///< cp.async and its groups
  Control,          ///< may change the control flow: branches, calls, exit, trap
};
std::string_view to_string(Effect effect);

/// One row for each opcode: enumerator, name without types and modifiers, operands, effect. In the operands, `d` is
/// written (a register, a vector or `_`, also `d|p`). `a` is read (a register or a constant, also `!p`). `m` is an
/// address in brackets, `e` is an address in brackets or is read, `l` is a label, `t` is a table of targets. `?` makes
/// the operand after it optional, `-` means no operands, and Instruction describes `call`. Operands that are read have
/// the first type of the instruction; `s` has the second type, `u` is a .u32, `p` is a predicate and `w` has the type
/// of the result (source_type). A longer name has precedence over its prefix.
#define AMBIT_PTX_OPCODES(X)                                                        \
  X(Abs, "abs", "d a", None)                                                        \
  X(Activemask, "activemask", "d", WarpExchange)                                    \
  X(Add, "add", "d a a", None)                                                      \
  X(Addc, "addc", "d a a", None)                                                    \
  X(Alloca, "alloca", "d a ?a", None)                                               \
  X(And, "and", "d a a", None)                                                      \
  X(Applypriority, "applypriority", "m a", None)                                    \
  X(Atom, "atom", "d m a ?a ?a", ReadModifyWrite)                                   \
  X(BarrierSync, "bar.sync", "a ?a", Barrier)                                       \
  X(BarrierArrive, "bar.arrive", "a a", Barrier)                                    \
  X(BarrierReduce, "bar.red", "d a a ?a", Barrier)                                  \
  X(BarrierWarpSync, "bar.warp.sync", "a", Barrier)                                 \
  X(BarrierClusterArrive, "barrier.cluster.arrive", "-", Barrier)                   \
  X(BarrierClusterWait, "barrier.cluster.wait", "-", Barrier)                       \
  X(Bfe, "bfe", "d a u u", None)                                                    \
  X(Bfi, "bfi", "d a a u u", None)                                                  \
  X(Bfind, "bfind", "d a", None)                                                    \
  X(Bmsk, "bmsk", "d a a", None)                                                    \
  X(Bra, "bra", "l", Control)                                                       \
  X(Brev, "brev", "d a", None)                                                      \
  X(Brkpt, "brkpt", "-", Control)                                                   \
  X(BrxIndex, "brx.idx", "a t", Control)                                            \
  X(Call, "call", "call", Control)                                                  \
  X(ClusterLaunchTryCancel, "clusterlaunchcontrol.try_cancel", "m m", Asynchronous) \
  X(Clz, "clz", "d a", None)                                                        \
  X(Cnot, "cnot", "d a", None)                                                      \
  X(Copysign, "copysign", "d a a", None)                                            \
  X(Cos, "cos", "d a", None)                                                        \
  X(CpAsync, "cp.async", "m m a ?a ?a", Asynchronous)                               \
  X(CpAsyncCommitGroup, "cp.async.commit_group", "-", Asynchronous)                 \
  X(CpAsyncWaitGroup, "cp.async.wait_group", "a", Asynchronous)                     \
  X(CpAsyncWaitAll, "cp.async.wait_all", "-", Asynchronous)                         \
  X(CpAsyncMbarrierArrive, "cp.async.mbarrier.arrive", "m", Asynchronous)           \
  X(CpAsyncBulk, "cp.async.bulk", "m m a ?e ?a ?a", Asynchronous)                   \
  X(CpAsyncBulkCommitGroup, "cp.async.bulk.commit_group", "-", Asynchronous)        \
  X(CpAsyncBulkWaitGroup, "cp.async.bulk.wait_group", "a", Asynchronous)            \
  X(CpAsyncBulkPrefetch, "cp.async.bulk.prefetch", "m ?a ?a", Asynchronous)         \
  X(CpAsyncBulkTensor, "cp.async.bulk.tensor", "m m ?e ?a ?a ?a", Asynchronous)     \
  X(CpReduceAsyncBulk, "cp.reduce.async.bulk", "m m ?a ?e ?a", Asynchronous)        \
  X(Createpolicy, "createpolicy", "d ?a ?a ?a ?a", None)                            \
  X(Cvt, "cvt", "d s ?s ?a", None)                                                  \
  X(CvtPack, "cvt.pack", "d a a ?a", None)                                          \
  X(Cvta, "cvta", "d a", None)                                                      \
  X(Discard, "discard", "m a", None)                                                \
  X(Div, "div", "d a a", None)                                                      \
  X(Dp2a, "dp2a", "d a a a", None)                                                  \
  X(Dp4a, "dp4a", "d a a a", None)                                                  \
  X(ElectSync, "elect.sync", "d a", WarpExchange)                                   \
  X(Ex2, "ex2", "d a", None)                                                        \
  X(Exit, "exit", "-", Control)                                                     \
  X(Fence, "fence", "-", Fence)                                                     \
  X(FenceProxy, "fence.proxy", "?m ?a", Fence)                                      \
  X(FenceMbarrierInit, "fence.mbarrier_init", "-", Fence)                           \
  X(Fma, "fma", "d a a a", None)                                                    \
  X(Fns, "fns", "d a a a", None)                                                    \
  X(Getctarank, "getctarank", "d a", None)                                          \
  X(Griddepcontrol, "griddepcontrol", "-", Control)                                 \
  X(Isspacep, "isspacep", "d a", None)                                              \
  X(Istypep, "istypep", "d a", None)                                                \
  X(Ld, "ld", "d m ?a", Read)                                                       \
  X(Ldmatrix, "ldmatrix", "d m", WarpExchange)                                      \
  X(Ldu, "ldu", "d m", Read)                                                        \
  X(Lg2, "lg2", "d a", None)                                                        \
  X(Lop3, "lop3", "d a a a a ?a", None)                                             \
  X(Mad, "mad", "d a a w", None)                                                    \
  X(Mad24, "mad24", "d a a a", None)                                                \
  X(Madc, "madc", "d a a w", None)                                                  \
  X(Mapa, "mapa", "d a u", None)                                                    \
  X(Match, "match", "d a a", WarpExchange)                                          \
  X(Max, "max", "d a a ?a", None)                                                   \
  X(MbarrierArrive, "mbarrier.arrive", "d m ?a", Barrier)                           \
  X(MbarrierArriveDrop, "mbarrier.arrive_drop", "d m ?a", Barrier)                  \
  X(MbarrierCompleteTx, "mbarrier.complete_tx", "m a", Barrier)                     \
  X(MbarrierExpectTx, "mbarrier.expect_tx", "m a", Barrier)                         \
  X(MbarrierInit, "mbarrier.init", "m a", Barrier)                                  \
  X(MbarrierInvalidate, "mbarrier.inval", "m", Barrier)                             \
  X(MbarrierPendingCount, "mbarrier.pending_count", "d a", None)                    \
  X(MbarrierTestWait, "mbarrier.test_wait", "d m a", Barrier)                       \
  X(MbarrierTryWait, "mbarrier.try_wait", "d m a ?a", Barrier)                      \
  X(Membar, "membar", "-", Fence)                                                   \
  X(Min, "min", "d a a ?a", None)                                                   \
  X(Mma, "mma", "d a a a ?a ?a ?a ?a", None)                                        \
  X(Mov, "mov", "d a", None)                                                        \
  X(Movmatrix, "movmatrix", "d a", WarpExchange)                                    \
  X(Mul, "mul", "d a a", None)                                                      \
  X(Mul24, "mul24", "d a a", None)                                                  \
  X(Nanosleep, "nanosleep", "a", Control)                                           \
  X(Neg, "neg", "d a", None)                                                        \
  X(Not, "not", "d a", None)                                                        \
  X(Or, "or", "d a a", None)                                                        \
  X(Pmevent, "pmevent", "a", None)                                                  \
  X(Popc, "popc", "d a", None)                                                      \
  X(Prefetch, "prefetch", "m", None)                                                \
  X(Prefetchu, "prefetchu", "m", None)                                              \
  X(Prmt, "prmt", "d a a a", None)                                                  \
  X(Rcp, "rcp", "d a", None)                                                        \
  X(Red, "red", "m a ?a", ReadModifyWrite)                                          \
  X(ReduxSync, "redux.sync", "d a a", WarpExchange)                                 \
  X(RedAsync, "red.async", "m a m", Asynchronous)                                   \
  X(Rem, "rem", "d a a", None)                                                      \
  X(Ret, "ret", "-", Control)                                                       \
  X(Rsqrt, "rsqrt", "d a", None)                                                    \
  X(Sad, "sad", "d a a a", None)                                                    \
  X(Selp, "selp", "d a a p", None)                                                  \
  X(Set, "set", "d s s ?p", None)                                                   \
  X(Setmaxnreg, "setmaxnreg", "a", None)                                            \
  X(Setp, "setp", "d a a ?p", None)                                                 \
  X(Shf, "shf", "d a a a", None)                                                    \
  X(Shfl, "shfl", "d a a a ?a", WarpExchange)                                       \
  X(Shl, "shl", "d a u", None)                                                      \
  X(Shr, "shr", "d a u", None)                                                      \
  X(Sin, "sin", "d a", None)                                                        \
  X(Slct, "slct", "d a a s", None)                                                  \
  X(Sqrt, "sqrt", "d a", None)                                                      \
  X(St, "st", "m a ?a", Write)                                                      \
  X(StAsync, "st.async", "m a m", Asynchronous)                                     \
  X(Stmatrix, "stmatrix", "m a", WarpExchange)                                      \
  X(StackRestore, "stackrestore", "a", None)                                        \
  X(StackSave, "stacksave", "d", None)                                              \
  X(Sub, "sub", "d a a", None)                                                      \
  X(Subc, "subc", "d a a", None)                                                    \
  X(Suld, "suld", "d m", Read)                                                      \
  X(Suq, "suq", "d m", None)                                                        \
  X(Sured, "sured", "m a", ReadModifyWrite)                                         \
  X(Sust, "sust", "m a", Write)                                                     \
  X(Szext, "szext", "d a u", None)                                                  \
  X(Tanh, "tanh", "d a", None)                                                      \
  X(TensormapCopy, "tensormap.cp_fenceproxy", "m m a", Asynchronous)                \
  X(TensormapReplace, "tensormap.replace", "m a ?a", Asynchronous)                  \
  X(Testp, "testp", "d a", None)                                                    \
  X(Tex, "tex", "d m ?a ?a ?a ?a", Read)                                            \
  X(Tld4, "tld4", "d m ?a ?a ?a", Read)                                             \
  X(Trap, "trap", "-", Control)                                                     \
  X(Txq, "txq", "d m ?a", None)                                                     \
  X(Vote, "vote", "d a ?a", WarpExchange)                                           \
  X(WgmmaCommitGroup, "wgmma.commit_group", "-", Asynchronous)                      \
  X(WgmmaFence, "wgmma.fence", "-", Asynchronous)                                   \
  X(WgmmaWaitGroup, "wgmma.wait_group", "a", Asynchronous)                          \
  X(WmmaMma, "wmma.mma", "d a a a", None)                                           \
  X(Xor, "xor", "d a a", None)

enum class Opcode : std::uint8_t {
  /// An instruction that the table does not contain, or that has an unknown modifier, special register or number of
  /// operands. Only the text of the instruction is kept. Code that executes or checks instructions must reject Unknown.
  Unknown,
#define AMBIT_PTX_OPCODE(name, spelling, operands, effect) name,
  AMBIT_PTX_OPCODES(AMBIT_PTX_OPCODE)
#undef AMBIT_PTX_OPCODE
};

/// A row of the table of opcodes.
struct OpcodeRow {
  Opcode opcode = Opcode::Unknown;
  std::string_view name;
  std::string_view operands;
  Effect effect = Effect::None;
};
inline constexpr std::array kOpcodeRows = {OpcodeRow{Opcode::Unknown, "", "", Effect::None},
#define AMBIT_PTX_OPCODE(name, spelling, operands, effect) OpcodeRow{Opcode::name, spelling, operands, Effect::effect},
                                           AMBIT_PTX_OPCODES(AMBIT_PTX_OPCODE)
#undef AMBIT_PTX_OPCODE
};
constexpr const OpcodeRow& row_of(Opcode opcode) { return kOpcodeRows[static_cast<std::size_t>(opcode)]; }
/// Returns the first component of an opcode's name, for example "bar" for `bar.sync`.
constexpr std::string_view first_word(Opcode opcode) {
  const std::string_view name = row_of(opcode).name;
  return name.substr(0, name.find('.'));
}
std::string_view to_string(Opcode opcode);
/// Returns whether an instruction with this opcode may have `count` operands. A call may have any number of operands.
bool takes_operands(const OpcodeRow& row, std::size_t count);

/// The result of match_opcode(). `row` is the opcode with the longest name that is a prefix of a text such as
/// "mul.wide.s32"; `length` is the length of this name. Like `bar.sync`, `bar.cta.sync`, `barrier.sync` and
/// `barrier.cta.sync` match BarrierSync; arrive and red have similar variants.
struct OpcodeMatch {
  const OpcodeRow* row = nullptr;
  std::size_t length = 0;
};
std::optional<OpcodeMatch> match_opcode(std::string_view spelling);

}  // namespace ambit::ptx
