#include "tests/differential/random_symmetric.h"

#include <fmt/format.h>

#include <array>

#include "tests/differential/random_choices.h"

namespace ambit::differential {
namespace {

class SymmetricGenerator : RandomChoices {
 public:
  explicit SymmetricGenerator(std::uint64_t seed) : RandomChoices(seed) {}

  std::string run() {
    struct Shape {
      unsigned blocks;
      unsigned threads;
    };
    constexpr std::array<Shape, 7> kShapes = {{{1, 2}, {1, 3}, {2, 1}, {3, 1}, {2, 2}, {1, 4}, {4, 1}}};
    const Shape shape = kShapes[below(kShapes.size())];
    has_barrier_ = shape.threads > 1 && below(2) == 0;
    threads_ = shape.threads;
    budget_ = shape.blocks * shape.threads > 3 ? 2 : 3;
    std::string text =
        fmt::format("CUDA symmetric-{}\n\n{{ global int x = 0, y = 0; }}\n\n__global__ void k(int *cells) {{\n", seed_);
    if (below(3) == 0) text += "  __shared__ int s;\n";
    has_shared_ = text.find("__shared__") != std::string::npos;
    const unsigned statements = 1 + below(budget_);
    for (unsigned i = 0; i < statements; ++i) text += "  " + statement() + "\n";
    if (has_barrier_) text += "  __syncthreads();\n";
    text += below(3) == 0 ? "  " + for_one() + "\n" : "  atomicAdd(&x, 1);\n";
    return text + fmt::format("}}\nlaunch k<<<{}, {}>>>(cells[4]);\n\n{} ({})\n", shape.blocks, shape.threads,
                              one_of({"exists", "~exists", "forall"}), condition());
  }

 private:
  std::string cell() {
    switch (below(8)) {
      case 0: return "cells[blockIdx.x * blockDim.x + threadIdx.x]";
      case 1: return has_shared_ ? "s" : "x";
      case 2: return "y";
      default: return below(3) == 0 ? "y" : "x";
    }
  }
  std::string scope() { return one_of({"block", "device", "system"}); }

  std::string simple() {
    const std::string where = cell();
    switch (below(11)) {
      case 0:
      case 1:
      case 2: return fmt::format("atomicAdd{}(&{}, 1);", one_of({"", "", "_block"}), where);
      case 3:
        return fmt::format("fetch_add({}, 1, {}, {});", where, one_of({"relaxed", "acquire", "release", "acq_rel"}),
                           scope());
      case 4: return fmt::format("{} = {};", where, 1 + below(2));
      case 5: return fmt::format("store({}, 1, {}, {});", where, one_of({"relaxed", "release"}), scope());
      case 6: return fmt::format("int r{} = {};", registers_++, where);
      case 7:
        return fmt::format("int r{} = load({}, {}, {});", registers_++, where, one_of({"relaxed", "acquire"}), scope());
      case 8: return fmt::format("int r{} = atomicAdd(&{}, 1);", registers_++, where);
      case 9: return one_of({"__threadfence_block();", "__threadfence();", "fence(seq_cst, device);"});
      default: return fmt::format("atomicCAS(&{}, {}, 2);", where, below(2));
    }
  }

  /// Returns a statement that only some threads execute. The statement declares no register, because the scope of the
  /// register would end with the statement.
  std::string for_one() {
    const unsigned before = registers_;
    std::string what = simple();
    while (registers_ != before) {
      registers_ = before;
      what = simple();
    }
    return fmt::format("if ({} == 0) {{ {} }}", one_of({"threadIdx.x", "blockIdx.x"}), what);
  }

  /// Communication between all threads of the block.
  std::string exchange() {
    const std::string given = registers_ > 0 && below(4) != 0 ? fmt::format("r{}", below(registers_)) : "threadIdx.x";
    const unsigned mask = (1U << threads_) - 1;
    const std::string call =
        one_of({"__any_sync({0:#x}, {1})", "__all_sync({0:#x}, {1} == 1)", "__ballot_sync({0:#x}, {1})",
                "__shfl_xor_sync({0:#x}, {1}, 1, 2)", "__shfl_sync({0:#x}, {1}, 0)", "__reduce_add_sync({0:#x}, {1})",
                "__syncthreads_count({1})", "__syncthreads_or({1})"});
    return fmt::format("int r{} = {};", registers_++, fmt::format(fmt::runtime(call), mask, given));
  }

  std::string statement() {
    if (has_barrier_ && below(4) == 0) return "__syncthreads();";
    if (threads_ % 2 == 0 && below(4) == 0) return exchange();
    switch (below(9)) {
      case 0: return "lock(y, device);\n  x = x + 1;\n  unlock(y, device);";
      case 1: return for_one();
      case 2:
        if (registers_ == 0) return simple();
        return fmt::format("if (r{} == {}) {{ {} }}", below(registers_), below(2),
                           fmt::format("atomicAdd(&{}, 1);", cell()));
      case 3: return registers_ == 0 ? simple() : fmt::format("{} = r{};", cell(), below(registers_));
      default: return simple();
    }
  }

  std::string condition() {
    std::string text = fmt::format("x == {}", below(5));
    if (below(2) == 0) text += fmt::format(" && y == {}", below(4));
    if (below(4) == 0) text += fmt::format(" || cells[{}] == {}", below(4), below(3));
    return text;
  }

  bool has_shared_ = false;
  unsigned threads_ = 1;  ///< threads per block
};

}  // namespace

std::string random_symmetric(std::uint64_t seed) { return SymmetricGenerator(seed).run(); }

}  // namespace ambit::differential
