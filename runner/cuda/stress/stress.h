#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "base/source.h"
#include "kernels/parameters.h"
#include "runner/cuda/emit/layout.h"

namespace ambit::cuda {

/// The memory that holds the cells of a test on several GPUs. `InTurn` puts each cell on the next GPU.
enum class CellMemory : std::uint32_t { FirstGpu, LastGpu, Host, InTurn };

/// The parameters of a test's run (docs/lab/hardware/stress.md). The results of a run contain all parameters. The
/// default values were tuned on an H100, and suit most tests of two to four threads.
struct Stress {
  std::uint32_t block_threads = 512;  ///< threads of a block
  std::uint32_t batch = 4;            ///< instances that a thread runs one after the other in a round
  /// Number of blocks, in percent of the number that the device can run at a time.
  std::uint32_t occupancy_percent = 100;
  std::uint32_t testing_percent = 100;  ///< share of the blocks that run tests; the other blocks stress memory
  std::uint32_t stride = 8;             ///< bytes between two copies of a cell
  std::uint32_t layout = 0;   ///< 0: all copies of one cell are adjacent; 1: all cells of one instance are adjacent
  std::uint32_t permute = 0;  ///< 1: locations, threads and blocks are permuted; 0: adjacent items stay adjacent
  std::uint32_t shuffle_percent = 100;  ///< share of rounds in which the blocks of a group are chosen anew
  /// Share of rounds in which the lanes of a warp have partners in different blocks.
  std::uint32_t scatter_percent = 0;
  std::uint32_t cell_memory = 0;  ///< CellMemory of a test on several GPUs
  std::uint32_t cold = 0;         ///< 1: each round has its own launch, before which the driver clears the cells
  std::uint32_t alignment_spins = 32768;  ///< longest wait for the other blocks of a group, in polls; 0 for no wait
  std::uint32_t delay_ticks = 0;          ///< longest random delay of a warp before its test, in clock ticks
  std::uint32_t preload_percent = 25;     ///< share of rounds in which threads read their cells before the test
  std::uint32_t pre_stress_percent = 0;   ///< share of rounds in which testing threads stress memory before the test
  std::uint32_t pre_stress_iterations = 8;
  std::uint32_t pre_stress_pattern = 0;  ///< 0 store-store, 1 store-load, 2 load-store, 3 load-load
  std::uint32_t stress_percent = 100;    ///< share of rounds in which blocks that run no test stress memory
  std::uint32_t stress_iterations = 64;
  std::uint32_t stress_pattern = 0;
  std::uint32_t stress_lines = 16;  ///< number of lines of the scratchpad that the stress accesses
  std::uint32_t stress_line_bytes = 128;

  friend bool operator==(const Stress&, const Stress&) = default;
};

/// One parameter. The name is used in profiles and, with dashes instead of underscores, on the command line.
struct StressField {
  std::string_view name;
  std::uint32_t Stress::*member;
  std::uint32_t low;
  std::uint32_t high;
  bool by_powers;  ///< the useful values are powers of two
  std::string_view meaning;
};
std::span<const StressField> stress_fields();

/// Reads `{"name": value, ...}` with the names of fields. Missing fields keep their values in `base`. Errors, located
/// in the text: not a JSON object, an unknown name (with the nearest name), a value out of range.
Result<Stress> parse_profile(const SourceFilePtr& source, const Stress& base = {});
/// Returns the parameters in the format of parse_profile(), one field per line.
std::string profile_text(const Stress& stress);

/// Sets the fields that are named in `fixed`.
void set_fixed(Stress& stress, const std::map<std::string, std::uint32_t>& fixed);

/// Returns parameters with the shape and strides of `base`, all permutations, stress before the test, and a short wait
/// for the other blocks of a group. These parameters show outcomes that occur only if the locations are far apart.
/// Fields named in `fixed` keep their values.
Stress spread_out(const Stress& base, const std::map<std::string, std::uint32_t>& fixed);

/// For each set, returns one copy for each memory that can hold the cells of a test on several GPUs.
std::vector<Stress> in_every_memory(const std::vector<Stress>& sets);

/// Returns random parameters. Fields named in `fixed` keep their values. The number of stores and loads for one line
/// stays below the fields' limits: a round with 65,536 pairs on one line takes ten seconds.
Stress draw(std::mt19937_64& random, const Stress& base, const std::map<std::string, std::uint32_t>& fixed);
/// Returns the parameters with one field slightly changed, within the same limits.
Stress neighbour(std::mt19937_64& random, const Stress& base, const std::map<std::string, std::uint32_t>& fixed);

/// Returns the least number that is coprime to `modulus` and not less than `from` modulo `modulus`. Returns 1 if
/// `modulus` is at most 1.
std::uint32_t coprime_from(std::uint32_t from, std::uint32_t modulus);

/// Chooses the multipliers of a launch by `seed`. The maps i -> i*location & slot_mask, i -> i*slot mod slots and i ->
/// i*group mod groups are bijections.
void choose_permutations(ambit_kernel::Parameters& parameters, std::uint32_t slots, std::uint64_t seed, bool permute);

}  // namespace ambit::cuda
