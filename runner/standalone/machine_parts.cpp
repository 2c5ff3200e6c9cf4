#include "runner/standalone/machine_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <variant>

#include "core/asynchronous.h"
#include "runner/cuda/emit/machine_text.h"
#include "runner/standalone/values.h"

namespace ambit::standalone {
namespace {

constexpr std::string_view kWho = "the printer of programs does not support";

/// Returns an error message if the program printer does not support an instruction, or an empty text.
std::string objection_to(const Program& program, const Instruction& instruction) {
  const auto* step = std::get_if<AsyncStep>(&instruction.operation);
  if (instruction.machine == nullptr) {
    if (step == nullptr) return {};
    const bool is_tensor = step->name.find(".tensor.") != std::string::npos;
    return fmt::format("{} {}", kWho,
                       is_tensor ? "tensor copies of threads: use a kernel" : "this operation of threads");
  }
  const std::string& name = instruction.machine->name;
  if (instruction.machine->uses_tensor_map()) return fmt::format("{} tensor copies of threads: use a kernel", kWho);
  if (std::string missing = cuda::missing_machine(*instruction.machine); !missing.empty()) return missing;
  if (name == "exit") return fmt::format("{} exits of blocks", kWho);
  for (const MachineInstruction::Operand& operand : instruction.machine->operands) {
    if (operand.kind != MachineInstruction::Operand::Kind::Address) continue;
    if (!operand.value.is_constant() || !program.location_at(operand.value.constant)) {
      return fmt::format("{} asynchronous operations at addresses in registers", kWho);
    }
  }
  return {};
}

/// Returns whether the register holds the state of an mbarrier that an arrival returned.
bool holds_state(const Thread& thread, RegisterId reg) {
  return std::ranges::any_of(thread.code, [&](const Instruction& instruction) {
    const MachineInstruction* machine = instruction.machine.get();
    return machine != nullptr && machine->target == reg && !cuda::returns_number(*machine);
  });
}

std::set<ObjectId> initialised_by_code(const Program& program) {
  std::set<ObjectId> found;
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      if (instruction.machine == nullptr || !instruction.machine->name.starts_with("mbarrier.init")) continue;
      const Value address = instruction.machine->operands.front().value.constant;
      found.insert(static_cast<ObjectId>(object_of(address)));
    }
  }
  return found;
}

}  // namespace

std::string shared_address(const std::string& cell) {
  return fmt::format("(unsigned)__cvta_generic_to_shared(&{})", cell);
}

std::optional<Diagnostic> machine_objection(const Program& program) {
  if (!is_asynchronous(program)) return std::nullopt;
  constexpr const char* kHint = "ambit check --model ptx decides this test";
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      if (std::string why = objection_to(program, instruction); !why.empty()) {
        return Diagnostic{program.source, instruction.span, std::move(why), kHint};
      }
    }
  }
  for (const Observable& one : program.observables) {
    const bool is_memory = one.kind == Observable::Kind::Memory;
    const bool is_opaque = is_memory ? program.objects[program.locations[one.location].object].mbarrier.has_value()
                                     : holds_state(program.threads[one.thread], one.reg);
    if (!is_opaque) continue;
    return Diagnostic{program.source, program.threads.front().span,
                      fmt::format("{} conditions on '{}', the state of an mbarrier", kWho, one.name), kHint};
  }
  return std::nullopt;
}

std::string mbarrier_text(const Program& program, bool is_in_cluster) {
  const std::set<ObjectId> by_code = initialised_by_code(program);
  std::string text;
  // Each block has its own copy of the variable, and the code may initialise the copy of only one block.
  const auto is_also_by_code = [&](const MemoryObject& object) {
    return std::ranges::any_of(
        by_code, [&](ObjectId other) { return variable_name(program.objects[other]) == variable_name(object); });
  };
  std::set<std::string> seen;
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    if (!object.mbarrier || by_code.contains(id)) continue;
    const bool is_of_block = object.home && is_also_by_code(object);
    if (!is_of_block && !seen.insert(variable_name(object)).second) continue;
    const std::string guard = is_of_block ? fmt::format("if (blockIdx.x == {}) ", object.home->block) : "";
    for (std::uint32_t i = 0; i < object.length; ++i) {
      const std::string cell = variable_name(object) + (object.is_array ? fmt::format("[{}]", i) : "");
      text +=
          fmt::format("    {}asm volatile(\"mbarrier.init.shared::cta.b64 [%0], {};\" : : \"r\"({}) : \"memory\");\n",
                      guard, object.mbarrier->arrivals, shared_address(cell));
    }
  }
  if (text.empty()) return text;
  if (is_in_cluster) text += "    asm volatile(\"fence.mbarrier_init.release.cluster;\" : : : \"memory\");\n";
  return fmt::format("  if (threadIdx.x == 0) {{\n{}  }}\n{}", text, is_in_cluster ? "" : "  __syncthreads();\n");
}

std::string shared_in_block(const std::string& address, int rank) {
  return fmt::format("shared_in_block({}, {})", address, rank);
}

std::string_view cluster_functions() {
  return R"(// Returns the address of the same place in the shared memory of the block with this rank.
__device__ unsigned shared_in_block(unsigned place, unsigned rank) {
  unsigned found;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(found) : "r"(place), "r"(rank));
  return found;
}
)";
}

std::string_view group_functions() {
  return R"(// A thread of the test that uses wgmma becomes 128 threads; the first leads. Ambit reads it as one thread.
#ifdef __AMBIT__
#define FIND_GROUP()
#define IS_GROUP(first, thread) (threadIdx.x == thread)
#define IS_THREAD(first, thread) (threadIdx.x == thread)
#define LEADS true
#define MEET()
#define LEADER_SAYS(condition) (condition)
#else
// The shuffle shows the assembler that all threads of a warp have the same value.
#define FIND_GROUP() const unsigned group = __shfl_sync(0xffffffffu, threadIdx.x / 128, 0)
#define IS_GROUP(first, thread) (group == first / 128)
#define IS_THREAD(first, thread) (threadIdx.x == first)
#define LEADS (threadIdx.x % 128 == 0)
#define MEET() meet()
#define LEADER_SAYS(condition) leader_says(LEADS && (condition))
__device__ void meet() {
  __syncwarp();
  asm volatile("barrier.sync %0, 128;" : : "r"(15 - threadIdx.x / 128) : "memory");
}
__device__ bool leader_says(bool says) {
  unsigned all = says;
  __syncwarp();
  asm volatile(
      "{\n.reg .pred ambit_p, ambit_q;\nsetp.ne.u32 ambit_p, %0, 0;\n"
      "barrier.red.or.pred ambit_q, %1, 128, ambit_p;\nselp.b32 %0, 1, 0, ambit_q;\n}"
      : "+r"(all) : "r"(15 - threadIdx.x / 128) : "memory");
  return __shfl_sync(0xffffffffu, all, 0) != 0;
}
// The test does not use products. Without this use, a product would have no registers.
__device__ int kept;
template <class T, unsigned kLength>
__device__ void keep(const T (&product)[kLength]) {
  T sum = 0;
  for (unsigned i = 0; i < kLength; ++i) sum += product[i];
  if (sum == (T)12345) kept = 1;
}
#endif
// Returns the descriptor of a factor in shared memory: blocks of 8 rows of 16 bytes; a row of 32 bytes has two.
__device__ unsigned long long factor_descriptor(unsigned address) {
  return (unsigned long long)((address & 0x3ffff) >> 4) | 8ull << 16 | 16ull << 32;
}
)";
}

}  // namespace ambit::standalone
