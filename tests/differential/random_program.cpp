#include "tests/differential/random_program.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "tests/differential/random_choices.h"

namespace ambit::differential {
namespace {

class ProgramGenerator : RandomChoices {
 public:
  explicit ProgramGenerator(std::uint64_t seed) : RandomChoices(seed) {}

  std::string run() {
    const unsigned threads = thread_count();
    locations_ = 1 + below(3);
    has_array_ = below(12) == 0;
    has_lock_ = below(6) == 0;
    has_barrier_ = below(7) == 0;
    budget_ = 8;
    std::string text = fmt::format("CUDA random-{}\n\n{{ global int x = 0, y = 0; volatile global int v = 0;", seed_);
    if (below(4) == 0)
      text += " global int z = 1;";
    else
      text += " global int z;";
    if (has_array_) text += " global int data[2];";
    text += has_lock_ ? " global int l = 0; }\n" : " }\n";
    const unsigned blocks = 1 + below(threads);
    for (unsigned t = 0; t < threads; ++t) text += thread(t, t % blocks);
    return text + condition();
  }

 private:
  std::string scope() { return one_of({"block", "device", "system"}); }
  std::string location() {
    if (has_array_ && below(4) == 0) return dynamic_index();
    constexpr std::array<std::string_view, 3> kNames = {"x", "y", "z"};
    return std::string(kNames[below(locations_)]);
  }
  std::string dynamic_index() {
    if (registers_ == 0 || below(2) == 0) return fmt::format("data[{}]", below(2));
    return fmt::format("data[r{} & 1]", below(registers_));
  }
  std::string value() {
    if (registers_ > 0 && below(4) == 0) return fmt::format("r{}", below(registers_));
    if (registers_ > 0 && below(10) == 0) return fmt::format("r{} + 1", below(registers_));
    return fmt::format("{}", 1 + below(2));
  }
  std::string fresh() {
    const unsigned r = registers_++;
    observed_.push_back(fmt::format("P{}:r{}", thread_, r));
    return fmt::format("r{}", r);
  }
  std::string declared(const std::string& expression, bool nested) {
    // A register that is assigned in a branch is declared before the branch, so that every path has a value.
    const std::string name = nested ? pending_ : "int " + fresh();
    return fmt::format("{} = {};", name, expression);
  }

  std::string load(bool nested) {
    switch (below(8)) {
      case 0:
      case 1:
      case 2: return declared(location(), nested);
      case 3: return declared("v", nested);
      default:
        return declared(fmt::format("load({}, {}, {})", location(), one_of({"relaxed", "acquire", "seq_cst"}), scope()),
                        nested);
    }
  }
  std::string store() {
    switch (below(8)) {
      case 0:
      case 1:
      case 2: return fmt::format("{} = {};", location(), value());
      case 3: return fmt::format("v = {};", value());
      default:
        return fmt::format("store({}, {}, {}, {});", location(), value(), one_of({"relaxed", "release", "seq_cst"}),
                           scope());
    }
  }
  std::string read_modify_write(bool nested) {
    constexpr std::array<std::string_view, 4> kOrders = {"relaxed", "acquire", "release", "acq_rel"};
    constexpr std::array<std::string_view, 3> kSuffixes = {"_block", "", "_system"};
    const std::string where = location();
    switch (below(6)) {
      case 0: return declared(fmt::format("atomicAdd{}(&{}, 1)", kSuffixes[below(3)], where), nested);
      case 1: return declared(fmt::format("atomicExch{}(&{}, {})", kSuffixes[below(3)], where, value()), nested);
      case 2:
        return declared(fmt::format("atomicCAS{}(&{}, {}, {})", kSuffixes[below(3)], where, below(2), 1 + below(2)),
                        nested);
      case 3: return fmt::format("atomicAdd{}(&{}, 1);", kSuffixes[below(3)], where);
      case 4:
        return declared(fmt::format("exchange({}, {}, {}, {})", where, value(), kOrders[below(4)], scope()), nested);
      default: return declared(fmt::format("fetch_add({}, 1, {}, {})", where, kOrders[below(4)], scope()), nested);
    }
  }
  std::string fence() {
    if (below(2) == 0) return one_of({"__threadfence_block();", "__threadfence();", "__threadfence_system();"});
    return fmt::format("fence({}, {});", one_of({"acquire", "release", "acq_rel", "seq_cst"}), scope());
  }

  std::string simple(bool nested) {
    if (nested && has_barrier_ && below(4) == 0) return "__syncthreads();";
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
      case 3: return load(nested);
      case 4:
      case 5:
      case 6: return store();
      case 7: return read_modify_write(nested);
      default: return fence();
    }
  }
  std::string branch() {
    const unsigned condition = below(registers_);
    const unsigned compared = below(2);
    const std::string name = fresh();
    pending_ = name;
    std::string text = fmt::format("int {} = 7;\n  if (r{} == {}) {{ {} }}", name, condition, compared, simple(true));
    if (below(3) == 0) text += fmt::format(" else {{ {} }}", simple(true));
    return text;
  }
  std::string statement() {
    if (has_lock_ && below(3) == 0) {
      const std::string s = scope();
      if (budget_ > 3) budget_ -= 2;
      return fmt::format("lock(l, {0});\n  {1}\n  unlock(l, {0});", s, below(2) == 0 ? store() : load(false));
    }
    if (has_barrier_ && below(3) == 0) return "__syncthreads();";
    switch (below(16)) {
      case 0:
        return fmt::format("while (load({}, {}, {}) != 1) {{}}", location(), below(2) ? "relaxed" : "acquire", scope());
      case 1:
      case 2: return registers_ > 0 ? branch() : simple(false);
      case 3:
        return registers_ > 0 && below(4) == 0 ? fmt::format("assert(r{} != 2);", below(registers_)) : simple(false);
      case 4:
        return registers_ > 0 && below(4) == 0 ? fmt::format("assume(r{} != 2);", below(registers_)) : simple(false);
      default: return simple(false);
    }
  }
  std::string thread(unsigned index, unsigned block) {
    thread_ = index;
    registers_ = 0;
    std::string text = fmt::format("\nP{} @ {}block {} {{\n", index, below(8) == 0 ? "gpu 1 " : "", block);
    const unsigned statements = 1 + below(4);
    for (unsigned i = 0; i < statements && budget_ > 0; ++i, --budget_) text += "  " + statement() + "\n";
    return text + "}\n";
  }
  std::string condition() {
    const std::string text = proposition(" && ", " || ");
    return fmt::format("\n{} ({})\n", one_of({"exists", "~exists", "forall"}), text);
  }

  bool has_array_ = false;
  bool has_lock_ = false;
  std::string pending_;
};

}  // namespace

std::string random_program(std::uint64_t seed) { return ProgramGenerator(seed).run(); }

}  // namespace ambit::differential
