#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ambit::virtual_gpu {

/// The registers of a random kernel, by type. The types are the letters h, r, d, f, g and p of ReferenceInstruction.
struct RandomRegisters {
  static constexpr unsigned kOfType = 5;
  static constexpr unsigned kTypes = 6;
  static constexpr unsigned kCount = kOfType * kTypes;
  std::array<std::array<std::uint64_t, kOfType>, kTypes> values{};
};

/// A random kernel with arithmetic, branches, loops, and global, shared and local memory. The class gives the kernel's
/// PTX, and computes a thread's results with the host's arithmetic. Each thread has its own memory. p0 points to the
/// initial registers (for each thread, RandomRegisters::kCount of 8 bytes), p1 to the final registers.
class RandomKernel {
 public:
  explicit RandomKernel(std::uint64_t seed);

  /// Returns the kernel as an .entry. A module with such kernels begins with header().
  std::string text(const std::string& name) const;
  static std::string header();
  /// Computes the final registers of a thread. Replaces each NaN by the NaN whose bits are all 1.
  void evaluate(RandomRegisters& registers) const;

  static constexpr unsigned kThreads = 64;  ///< threads per block
  static constexpr unsigned kSlots = 8;     ///< number of 8-byte slots per thread in each of three memories

  /// Returns random registers for a thread.
  static RandomRegisters random_registers(std::mt19937_64& random);

 private:
  enum class Kind : std::uint8_t { Instruction, If, Loop, Store, Load, Atomic };
  struct Statement {
    Kind kind = Kind::Instruction;
    std::size_t instruction = 0;  ///< the instruction's index in reference_instructions()
    unsigned result = 0;
    std::array<unsigned, 3> sources{};
    int guard = -1;  ///< number of a predicate
    bool negates = false;
    char type = 'r';     ///< the type of the stored or loaded value
    unsigned bytes = 4;  ///< the number of bytes of the value in memory
    bool is_signed = false;
    unsigned memory = 0;  ///< 0 global, 1 shared, 2 local
    unsigned loop = 0;    ///< the number of the counter of the loop
    std::vector<Statement> body;
    std::vector<Statement> otherwise;
  };
  struct State;

  Statement random_statement(unsigned depth);
  std::vector<Statement> random_list(unsigned count, unsigned depth);
  std::string text_of(const std::vector<Statement>& list, unsigned& label) const;
  std::string text_of_access(const Statement& statement) const;
  static void evaluate(const std::vector<Statement>& list, State& state);
  static void evaluate_access(const Statement& statement, State& state);

  std::mt19937_64 random_;
  unsigned loops_ = 0;
  std::vector<Statement> statements_;
};

/// Returns the kernel without the guards on testp and on `set` of floats. Comparisons with a GPU need this: for sm_90,
/// the PTX compiler in the driver of CUDA 13.0 runs testp even if its guard is false, and converts the result of a
/// guarded `set` on floats.
std::string without_miscompiled_guards(const std::string& text);

}  // namespace ambit::virtual_gpu
