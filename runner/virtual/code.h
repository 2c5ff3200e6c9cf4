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
  Generic,  ///< given by the upper bits of each address
  Global,   ///< also constant memory
  Shared,
  Local,
  Parameter,  ///< the kernel's parameter buffer
  Slot,       ///< a parameter of a device function, in the frame: Instruction::value is its offset there
};

/// A memory instruction's fields beyond its Instruction, and its cached results.
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
  bool is_synchronising = false;  ///< another thread's store may end a loop around it
  std::uint8_t elements = 1;
  std::uint8_t element_bytes = 0;               ///< in memory
  bool is_signed = false;                       ///< of the type in memory: sign extension into a wider register
  std::array<std::uint32_t, 8> registers = {};  ///< offsets in the frame of the elements; kDiscarded
  std::array<std::uint32_t, 8> results = {};    ///< like `registers`, for the old values of atom
  std::uint8_t register_bytes = 0;              ///< of one lane's element in the frame
  std::uint32_t stride = 0;                     ///< Slot: from lane to lane
  std::uint8_t address_bytes = 8;               ///< of the register that holds the address
  /// The allocation of the last access; valid while `generation` equals the machine's.
  std::uint64_t generation = 0;
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::uint8_t* data = nullptr;
  std::uint8_t* stored = nullptr;  ///< bits (Allocation::stored); null: no check needed
  std::uint32_t allocation = 0;
  bool is_read_only = false;
  TouchedMemory* touched =
      nullptr;             ///< KernelCode::is_spread: where accesses to the allocation are marked; null: nowhere
  std::uint32_t site = 0;  ///< of the instruction
  std::uint64_t bank_accesses = 0;
  std::uint64_t bank_passes = 0;
};
inline constexpr std::uint32_t kDiscarded = 0xffffffff;

/// One argument or result of a call.
struct CallValue {
  bool is_register = false;
  std::uint32_t offset = 0;  ///< in the frame of the caller
  std::uint32_t bytes = 0;   ///< of one lane
};

/// Functions that the virtual GPU provides itself.
enum class BuiltinFunction : std::uint8_t { None, Vprintf, AssertFail, Malloc, Free };

struct CallOperation {
  std::int32_t function = -1;  ///< index into KernelCode::functions; -1: builtin or through a pointer
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

/// An instruction at which lanes of a warp exchange values. Offsets in the frame; kDiscarded if the operand is absent.
struct ExchangeOperation {
  ExchangeKind kind = ExchangeKind::WarpSync;
  ExchangeMode mode = ExchangeMode::None;
  bool is_signed = false;
  std::uint8_t bytes = 4;  ///< of the value of a lane
  bool negates = false;    ///< Vote: the predicate
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
  bool negates = false;  ///< the predicate of bar.red
  std::uint32_t result = kDiscarded;
  std::uint32_t predicate = kDiscarded;
  std::uint32_t number = kDiscarded;
  std::uint32_t count = kDiscarded;
};

/// A value of the frame that is not a register: equal in all frames of the function, or of the warp.
struct Constant {
  enum class Kind : std::uint8_t { Bits, Special, Local };
  Kind kind = Kind::Bits;
  std::uint8_t bytes = 4;  ///< of one lane: 2, 4, 8, 16; 0 for a predicate
  ptx::SpecialRegister special = ptx::SpecialRegister::Unknown;
  std::uint64_t value = 0;   ///< Bits: the value; Local: offset in the function's local memory
  std::uint32_t offset = 0;  ///< in the frame

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
  std::vector<Instruction> instructions;  ///< one more than the PTX has: the end
  std::vector<MemoryOperation> memory;
  std::vector<CallOperation> calls;
  std::vector<ExchangeOperation> exchanges;
  std::vector<BarrierOperation> barriers;
  std::vector<std::vector<const Instruction*>> targets;  ///< of brx.idx
  std::vector<Constant> constants;
  std::vector<CallValue> parameters;  ///< offsets in this function's frame
  std::vector<CallValue> results;
  std::vector<FrameRange> undefined;  ///< may be read before the function writes it
  std::uint32_t frame_bytes = 0;
  std::uint32_t local_bytes = 0;  ///< of one lane
};

/// A kernel with all functions that it can call, translated together: shared memory is laid out for it.
struct KernelCode {
  std::vector<std::unique_ptr<FunctionCode>> functions;  ///< the kernel first
  std::vector<std::int32_t> index_of;  ///< by number in Module::functions: index into functions; -1: not translated
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_offset = 0;  ///< where dynamic shared memory begins
  bool uses_reserved_shared = false;        ///< reads %reserved_smem_offset_0 or a similar register
  bool uses_clusters = false;               ///< has barrier.cluster
  bool invalidates_barriers = false;        ///< has mbarrier.inval
  bool is_spread = false;                   ///< runs on one of several threads: marks its accesses (spread.h)
  std::uint64_t local_bytes = 0;            ///< of one lane: the deepest chain of calls; recursion counts once
};

/// Bytes between the values of two lanes in a slot for a parameter of that size.
constexpr std::uint32_t slot_stride(std::uint64_t bytes) { return static_cast<std::uint32_t>((bytes + 15) / 16 * 16); }

}  // namespace ambit::virtual_gpu
