#include "tests/differential/random_transactional.h"

#include <fmt/format.h>

#include "tests/differential/random_choices.h"

namespace ambit::differential {
namespace {

class TransactionalGenerator : RandomChoices {
 public:
  explicit TransactionalGenerator(std::uint64_t seed) : RandomChoices(seed) {}

  std::string run() {
    const unsigned threads = thread_count();
    budget_ = threads > 2 ? 5 + below(2) : 4 + below(4);
    std::string text = fmt::format("CUDA transactional-{}\n\n{{ global int x = 0, y = 0; }}\n\n", seed_);
    for (unsigned thread = 0; thread < threads; ++thread) text += one_thread(thread);
    return text + fmt::format("{} ({})\n", one_of({"exists", "~exists", "forall"}), proposition(" && ", " || "));
  }

 private:
  std::string one_thread(unsigned thread) {
    thread_ = thread;
    registers_ = 0;
    std::string body;
    const unsigned parts = 1 + below(2);
    for (unsigned i = 0; i < parts; ++i) body += below(3) != 0 ? transaction() : "  " + access() + "\n";
    std::string declared;
    for (unsigned r = 0; r < registers_; ++r) {
      declared += fmt::format("  int r{} = 0;\n", r);
      observed_.push_back(fmt::format("P{}:r{}", thread, r));
    }
    return fmt::format("P{} @ block {} {{\n{}{}}}\n\n", thread, below(2), declared, body);
  }

  std::string transaction() {
    std::string text = fmt::format("  atomic{} {{\n", one_of({"", "", "", "(block)", "(device)", "(system)"}));
    const unsigned accesses = 1 + below(3);
    const unsigned abort_after = below(3) == 0 ? below(accesses) : accesses;
    for (unsigned i = 0; i < accesses; ++i) {
      text += "    " + access() + "\n";
      if (i == abort_after) text += "    " + abort() + "\n";
    }
    return text + "  }\n";
  }

  std::string abort() {
    if (registers_ == 0) return "abort;";
    return fmt::format("if (r{} {} {}) abort;", below(registers_), one_of({"==", "!="}), below(2));
  }

  std::string cell() { return one_of({"x", "y"}); }

  std::string access() {
    if (budget_ == 0) return fmt::format("r{} = {};", new_register(), cell());
    --budget_;
    const std::string where = cell();
    switch (below(9)) {
      case 0:
      case 1: return fmt::format("r{} = {};", new_register(), where);
      case 2:
      case 3: return fmt::format("{} = {};", where, 1 + below(2));
      case 4: return registers_ > 0 ? fmt::format("{} = r{} + 1;", where, below(registers_)) : where + " = 1;";
      case 5: return fmt::format("atomicAdd(&{}, 1);", where);
      case 6: return fmt::format("r{} = atomicCAS(&{}, {}, 2);", new_register(), where, below(2));
      case 7:
        return fmt::format("store({}, 1, {}, {});", where, one_of({"relaxed", "release"}),
                           one_of({"block", "device", "system"}));
      default:
        return fmt::format("r{} = load({}, {}, {});", new_register(), where, one_of({"relaxed", "acquire"}),
                           one_of({"block", "device", "system"}));
    }
  }

  unsigned new_register() { return registers_++; }
};

}  // namespace

std::string random_transactional(std::uint64_t seed) { return TransactionalGenerator(seed).run(); }

}  // namespace ambit::differential
