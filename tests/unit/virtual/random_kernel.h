#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ambit::virtual_gpu {

/// The registers of a random kernel by type. The letters h, r, d, f, g and p name types, as in ReferenceInstruction.
struct RandomRegisters {
  static constexpr unsigned kOfType = 5;
  static constexpr unsigned kTypes = 6;
  static constexpr unsigned kCount = kOfType * kTypes;
  std::array<std::array<std::uint64_t, kOfType>, kTypes> values{};
};

/// A random kernel of arithmetic, branches, loops, and global, shared and local memory. The class returns the PTX of
/// the kernel, and evaluates one thread with the host's arithmetic. Each thread uses its own memory. Parameter p0
/// points to the initial registers (8 bytes each, RandomRegisters::kCount for each thread), p1 to the final ones.
class RandomKernel {
 public:
  explicit RandomKernel(std::uint64_t seed);

  /// Returns the kernel as an .entry; modules begin with header().
  std::string text(const std::string& name) const;
  static std::string header();
  /// Computes the final registers. All NaNs become one value: all bits set.
  void evaluate(RandomRegisters& registers) const;

  static constexpr unsigned kThreads = 64;  ///< threads per block
  static constexpr unsigned kSlots = 8;     ///< slots of 8 bytes per thread, in each of the three memories

  /// Returns random registers for a thread.
  static RandomRegisters random_registers(std::mt19937_64& random);

 private:
  enum class Kind : std::uint8_t { Instruction, If, Loop, Store, Load, Atomic };
  struct Statement {
    Kind kind = Kind::Instruction;
    std::size_t instruction = 0;  ///< index in reference_instructions()
    unsigned result = 0;
    std::array<unsigned, 3> sources{};
    int guard = -1;  ///< number of a predicate
    bool negates = false;
    char type = 'r';     ///< type of the value that is stored or loaded
    unsigned bytes = 4;  ///< bytes of the value in memory
    bool is_signed = false;
    unsigned memory = 0;  ///< 0 global, 1 shared, 2 local
    unsigned loop = 0;    ///< number of the loop's counter
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

/// Returns the kernel without guards on testp and on `set` of floats. The PTX compiler in the driver of CUDA 13.0 for
/// sm_90 runs testp even if its guard is false, and converts the result of a guarded `set` on floats. So comparisons
/// with such a GPU omit these guards.
std::string without_miscompiled_guards(const std::string& text);

}  // namespace ambit::virtual_gpu
