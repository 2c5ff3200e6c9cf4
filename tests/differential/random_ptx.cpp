#include "tests/differential/random_ptx.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "tests/differential/random_choices.h"

namespace ambit::differential {
namespace {

class PtxGenerator : RandomChoices {
 public:
  explicit PtxGenerator(std::uint64_t seed) : RandomChoices(seed) {}

  std::string run() {
    const unsigned threads = thread_count();
    locations_ = 1 + below(3);
    has_proxies_ = below(3) == 0;
    has_aliases_ = below(3) == 0;
    has_barrier_ = below(5) == 0;
    quorum_ = 1 + below(3);
    has_clusters_ = below(8) == 0;
    budget_ = 8;
    std::vector<std::string> places;
    const unsigned blocks = 1 + below(threads);
    for (unsigned t = 0; t < threads; ++t) {
      const std::string cluster = has_clusters_ ? fmt::format("cluster {},", (t % blocks) / 2) : "";
      places.push_back(fmt::format("P{}@cta {},{}gpu {}", t, t % blocks, cluster, below(8) == 0 ? 1 : 0));
    }
    std::vector<std::vector<std::string>> columns;
    for (unsigned t = 0; t < threads; ++t) columns.push_back(thread(t));
    const std::string reading = has_barrier_ && below(3) == 0 ? "barriers=cta\n" : "";
    return fmt::format("PTX random-{}\n{}{{{}}}\n {} ;\n{}{}", seed_, reading, initial(), fmt::join(places, " | "),
                       rows(columns), condition());
  }

 private:
  std::string initial() const {
    std::string text = "x=0; y=0; z=1;";
    if (has_aliases_) text += " a @ generic aliases x;";
    if (has_proxies_) text += " t @ texture aliases x; s @ surface aliases y; c @ constant aliases x;";
    return text;
  }
  static std::string rows(const std::vector<std::vector<std::string>>& columns) {
    std::size_t height = 0;
    for (const auto& column : columns) height = std::max(height, column.size());
    std::string text;
    for (std::size_t row = 0; row < height; ++row) {
      std::vector<std::string> cells;
      cells.reserve(columns.size());
      for (const auto& column : columns) cells.push_back(row < column.size() ? column[row] : "");
      text += fmt::format(" {} ;\n", fmt::join(cells, " | "));
    }
    return text;
  }

  std::string scope() {
    return has_clusters_ ? one_of({"cta", "cluster", "gpu", "sys"}) : one_of({"cta", "gpu", "sys"});
  }
  /// Returns a generic address.
  std::string location() {
    if (has_aliases_ && below(4) == 0) return "a";
    constexpr std::array<std::string_view, 3> kNames = {"x", "y", "z"};
    return std::string(kNames[below(locations_)]);
  }
  std::string value() {
    if (!written_.empty() && below(4) == 0) return some_register();
    return fmt::format("{}", 1 + below(2));
  }
  std::string some_register() { return written_[below(static_cast<unsigned>(written_.size()))]; }
  std::string fresh() {
    fresh_.push_back(fmt::format("r{}", registers_));
    observed_.push_back(fmt::format("P{}:r{}", thread_, registers_));
    return fmt::format("r{}", registers_++);
  }

  std::string load() {
    if (has_proxies_ && below(3) == 0) {
      switch (below(3)) {
        case 0: return fmt::format("tld.weak {}, t", fresh());
        case 1: return fmt::format("cold.weak {}, c", fresh());
        default: return fmt::format("suld.weak {}, s", fresh());
      }
    }
    switch (below(8)) {
      case 0:
      case 1:
      case 2: return fmt::format("ld.weak {}, {}", fresh(), location());
      case 3: return fmt::format("ld.volatile {}, {}", fresh(), location());
      default: return fmt::format("ld.{}.{} {}, {}", one_of({"relaxed", "acquire"}), scope(), fresh(), location());
    }
  }
  std::string store() {
    if (has_proxies_ && below(5) == 0) return fmt::format("sust.weak s, {}", value());
    switch (below(8)) {
      case 0:
      case 1:
      case 2: return fmt::format("st.weak {}, {}", location(), value());
      case 3: return fmt::format("st.volatile {}, {}", location(), value());
      default: return fmt::format("st.{}.{} {}, {}", one_of({"relaxed", "release"}), scope(), location(), value());
    }
  }
  std::string read_modify_write() {
    const std::string order = one_of({"relaxed", "acquire", "release", "acq_rel"});
    const std::string s = scope();
    const std::string where = location();
    switch (below(5)) {
      case 0: return fmt::format("atom.{}.{}.add {}, {}, 1", order, s, fresh(), where);
      case 1: return fmt::format("atom.{}.{}.exch {}, {}, {}", order, s, fresh(), where, value());
      case 2: return fmt::format("atom.{}.{}.cas {}, {}, {}, {}", order, s, fresh(), where, below(2), 1 + below(2));
      case 3: return fmt::format("red.{}.{}.{} {}, 1", one_of({"relaxed", "release"}), s, one_of({"add", "or"}), where);
      default: return fmt::format("atom.{}.{}.{} {}, {}, 1", order, s, one_of({"max", "xor"}), fresh(), where);
    }
  }
  std::string fence() {
    if (has_proxies_ && below(2) == 0) return "fence.proxy." + one_of({"texture", "surface", "constant"});
    if (has_aliases_ && below(2) == 0) return "fence.proxy.alias";
    if (below(4) == 0) return "membar." + one_of({"cta", "gl", "sys"});
    return fmt::format("fence.{}.{}", one_of({"sc", "sc", "acq_rel", "acquire", "release"}), scope());
  }
  /// Returns a barrier instruction. The thread count in the instruction may be below, equal to or above the number of
  /// threads that use the barrier. A thread may use the two barriers in any order.
  std::string barrier() {
    const unsigned quorum = below(6) == 0 ? 1 + below(4) : quorum_;
    switch (below(8)) {
      case 0: return fmt::format("bar.cta.arrive 1, 0, {}", quorum);
      case 1:
      case 2: return fmt::format("bar.cta.sync 1, 0, {}", quorum);
      case 3: return fmt::format("bar.cta.sync 3, 0, {}", quorum);
      case 4: return written_.empty() ? "bar.cta.sync 0" : fmt::format("bar.cta.sync 2, {}", some_register());
      case 5: return "bar.cta.sync 4";
      default: return "bar.cta.sync 0";
    }
  }

  std::string simple() {
    if (has_barrier_ && below(3) == 0) return barrier();
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
      case 3: return load();
      case 4:
      case 5:
      case 6: return store();
      case 7: return read_modify_write();
      default: return fence();
    }
  }

  /// Appends the cells of one statement.
  void statement(std::vector<std::string>& cells) {
    const unsigned kind = below(16);
    if (kind == 0) {  // spin loop
      const std::string label = fmt::format("LC{:02}", labels_++);
      cells.push_back(label + ":");
      const std::string r = fresh();
      cells.push_back(fmt::format("ld.{}.{} {}, {}", one_of({"relaxed", "acquire"}), scope(), r, location()));
      cells.push_back(fmt::format("bne {}, 1, {}", r, label));
    } else if (kind <= 2 && !written_.empty()) {  // forward branch
      const std::string label = fmt::format("LC{:02}", labels_++);
      const std::string condition = one_of({"beq", "bne", "blt", "bge"});
      const std::size_t before = written_.size();
      cells.push_back(fmt::format("{} {}, {}, {}", condition, some_register(), 1 + below(2), label));
      cells.push_back(guarded());
      cells.push_back(label + ":");
      written_.resize(before);
    } else if (kind == 3 && budget_ > 3) {  // two rounds
      const std::string label = fmt::format("LC{:02}", labels_++);
      const std::string counter = fresh();
      cells.push_back(fmt::format("ld {}, 0", counter));
      cells.push_back(label + ":");
      cells.push_back(store());
      cells.push_back(fmt::format("add {0}, {0}, 1", counter));
      cells.push_back(fmt::format("blt {}, 2, {}", counter, label));
      --budget_;
    } else {
      cells.push_back(simple());
    }
    settle();
  }
  /// Returns an instruction with a branch that may skip it. Code at the start of the thread sets the registers of the
  /// instruction.
  std::string guarded() {
    const std::size_t before = fresh_.size();
    std::string cell = simple();
    for (std::size_t i = before; i < fresh_.size(); ++i) prologue_.push_back(fmt::format("ld {}, 7", fresh_[i]));
    return cell;
  }
  void settle() {
    written_.insert(written_.end(), fresh_.begin(), fresh_.end());
    fresh_.clear();
  }

  std::vector<std::string> thread(unsigned index) {
    thread_ = index;
    registers_ = 0;
    labels_ = 0;
    written_.clear();
    prologue_.clear();
    std::vector<std::string> cells;
    const unsigned statements = 1 + below(4);
    for (unsigned i = 0; i < statements && budget_ > 0; ++i, --budget_) statement(cells);
    cells.insert(cells.begin(), prologue_.begin(), prologue_.end());
    return cells;
  }

  std::string condition() {
    const std::string text = proposition(" /\\ ", " \\/ ");
    return fmt::format("{} ({})\n", one_of({"exists", "~exists", "forall"}), text);
  }

  unsigned labels_ = 0;
  unsigned quorum_ = 2;
  bool has_proxies_ = false;
  bool has_aliases_ = false;
  bool has_clusters_ = false;
  std::vector<std::string> fresh_;    ///< registers of the current statement
  std::vector<std::string> written_;  ///< registers that have a value on every path
  std::vector<std::string> prologue_;
};

}  // namespace

std::string random_ptx(std::uint64_t seed) { return PtxGenerator(seed).run(); }

}  // namespace ambit::differential
