#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/scope.h"
#include "ptx/module.h"
#include "runner/virtual/instruction.h"
#include "runner/virtual/observer.h"

namespace ambit::virtual_gpu {

class TouchedMemory;

/// The memory that an instruction accesses.
enum class Place : std::uint8_t {
  Generic,  ///< the upper bits of each address select the memory
  Global,   ///< global memory, including constant memory
  Shared,
  Local,
  Parameter,  ///< the kernel's parameter buffer
  Slot,       ///< a parameter of a device function; its offset in the frame is Instruction::value
};

/// Data of a memory instruction that does not fit into Instruction, and cached results of the last access.
struct MemoryOperation {
  Place place = Place::Generic;
  AccessKind kind = AccessKind::Read;
  AtomicOperation operation = AtomicOperation::None;
  Order order = Order::Weak;
  Scope scope = Scope::Thread;
  bool is_volatile = false;
  bool is_constant = false;
  bool may_leave_block = false;  ///< Shared: the address may be in another block of the cluster
  CopyStep copy = CopyStep::None;
  bool is_synchronising = false;  ///< a loop around the instruction may wait for a store of another thread
  std::uint8_t elements = 1;
  std::uint8_t element_bytes = 0;               ///< bytes of an element in memory
  bool is_signed = false;                       ///< the type in memory is signed: wider registers are sign-extended
  std::array<std::uint32_t, 8> registers = {};  ///< frame offsets of the elements; kDiscarded
  std::array<std::uint32_t, 8> results = {};    ///< like `registers`, for the old values of `atom`
  std::uint8_t register_bytes = 0;              ///< bytes of an element of one lane in the frame
  std::uint32_t stride = 0;                     ///< Slot: distance in bytes between adjacent lanes' values
  std::uint8_t address_bytes = 8;               ///< width of the register that holds the address
  /// The allocation of the last access. Valid while `generation` equals the machine's generation.
  std::uint64_t generation = 0;
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::uint8_t* data = nullptr;
  std::uint8_t* stored = nullptr;  ///< the bits of Allocation::stored; null if no check is needed
  std::uint32_t allocation = 0;
  bool is_read_only = false;
  /// If KernelCode::is_spread, the record that marks accesses to the allocation. Null if accesses are not
  /// marked.
  TouchedMemory* touched = nullptr;
  std::uint32_t site = 0;  ///< number of the instruction
  std::uint64_t bank_accesses = 0;
  std::uint64_t bank_passes = 0;
};
inline constexpr std::uint32_t kDiscarded = 0xffffffff;

/// One argument or result of a call.
struct CallValue {
  bool is_register = false;
  std::uint32_t offset = 0;  ///< offset in the caller's frame
  std::uint32_t bytes = 0;   ///< bytes of the value of one lane
};

/// Functions that the virtual GPU provides itself.
enum class BuiltinFunction : std::uint8_t { None, Vprintf, AssertFail, Malloc, Free };

struct CallOperation {
  std::int32_t function = -1;  ///< index into KernelCode::functions; -1 for a builtin or a call through a pointer
  BuiltinFunction builtin = BuiltinFunction::None;
  std::vector<CallValue> arguments;
  std::vector<CallValue> results;
};

enum class ExchangeKind : std::uint8_t { WarpSync, Shuffle, Vote, Match, Reduce, Elect };
enum class ExchangeMode : std::uint8_t {
  None,
  Up,
  Down,
  Butterfly,
  Index,
  All,
  Any,
  Uniform,
  Ballot,
  Add,
  And,
  Or,
  Xor,
  Minimum,
  Maximum
};

/// An instruction at which lanes of a warp exchange values. Operands are offsets in the frame, or kDiscarded if absent.
struct ExchangeOperation {
  ExchangeKind kind = ExchangeKind::WarpSync;
  ExchangeMode mode = ExchangeMode::None;
  bool is_signed = false;
  std::uint8_t bytes = 4;  ///< bytes of one lane's value
  bool negates = false;    ///< Vote: the predicate is negated
  std::uint32_t result = kDiscarded;
  std::uint32_t predicate = kDiscarded;  ///< second result
  std::uint32_t source = kDiscarded;
  std::uint32_t lane = kDiscarded;   ///< Shuffle: the second operand
  std::uint32_t clamp = kDiscarded;  ///< Shuffle: the third operand
  std::uint32_t members = kDiscarded;

  bool meets(const ExchangeOperation& other) const { return kind == other.kind && mode == other.mode; }
};

enum class BarrierKind : std::uint8_t { Sync, Arrive, CountTrue, All, Any };

struct BarrierOperation {
  BarrierKind kind = BarrierKind::Sync;
  bool is_aligned = false;
  bool negates = false;  ///< bar.red: the predicate is negated
  std::uint32_t result = kDiscarded;
  std::uint32_t predicate = kDiscarded;
  std::uint32_t number = kDiscarded;
  std::uint32_t count = kDiscarded;
};

/// A value in the frame that is not a register. The value is the same in all frames of the function, or in all frames
/// that one warp has for the function.
struct Constant {
  enum class Kind : std::uint8_t { Bits, Special, Local };
  Kind kind = Kind::Bits;
  std::uint8_t bytes = 4;  ///< bytes of one lane's value: 2, 4, 8 or 16; 0 for a predicate
  ptx::SpecialRegister special = ptx::SpecialRegister::Unknown;
  std::uint64_t value = 0;   ///< the value (Bits), or the offset in the function's local memory (Local)
  std::uint32_t offset = 0;  ///< offset in the frame

  bool is_same(const Constant& other) const {
    return kind == other.kind && bytes == other.bytes && special == other.special && value == other.value;
  }
};

/// A piece of a frame.
struct FrameRange {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// A translated function.
struct FunctionCode {
  std::string name;
  std::uint32_t number = 0;  ///< in Module::functions
  std::uint32_t index = 0;   ///< in KernelCode::functions
  std::uint32_t first_site = 0;
  std::vector<Instruction> instructions;  ///< the function's instructions, then an instruction that marks the end
  std::vector<MemoryOperation> memory;
  std::vector<CallOperation> calls;
  std::vector<ExchangeOperation> exchanges;
  std::vector<BarrierOperation> barriers;
  std::vector<std::vector<const Instruction*>> targets;  ///< the target lists of brx.idx
  std::vector<Constant> constants;
  std::vector<CallValue> parameters;  ///< offsets in this function's frame
  std::vector<CallValue> results;
  std::vector<FrameRange> undefined;  ///< registers that may be read before the function writes them
  std::uint32_t frame_bytes = 0;
  std::uint32_t local_bytes = 0;  ///< bytes of one lane's local memory
};

/// A kernel and all functions that it can call. The functions are translated separately for each kernel, because the
/// kernel determines the layout of shared memory.
struct KernelCode {
  std::vector<std::unique_ptr<FunctionCode>> functions;  ///< the kernel first
  /// Maps a function's number in Module::functions to its index in `functions`; -1 if it is not translated.
  std::vector<std::int32_t> index_of;
  std::vector<SharedVariable> shared;  ///< ordered by offset
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_offset = 0;  ///< offset of dynamic shared memory
  bool uses_reserved_shared = false;        ///< reads %reserved_smem_offset_0 or a similar register
  bool uses_clusters = false;               ///< has barrier.cluster
  bool invalidates_barriers = false;        ///< has mbarrier.inval
  bool is_spread = false;                   ///< runs on several threads of the host, and marks its accesses (spread.h)
  std::uint64_t local_bytes = 0;  ///< local memory of one lane for the deepest chain of calls; recursion counts once
};

/// Returns the distance in bytes between the values of adjacent lanes, if the slot holds a parameter of `bytes` bytes.
constexpr std::uint32_t slot_stride(std::uint64_t bytes) { return static_cast<std::uint32_t>((bytes + 15) / 16 * 16); }

}  // namespace ambit::virtual_gpu
