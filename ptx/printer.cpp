#include "ptx/printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "base/overloaded.h"
#include "core/asynchronous.h"
#include "core/expectation_text.h"
#include "core/opaque.h"
#include "core/proposition.h"
#include "core/ptx_mapping.h"
#include "ptx/ptx_names.h"
#include "ptx/thread_code.h"

namespace ambit::ptx {
namespace {

bool has_other_type(const Expr& expr) {
  return expr.type != kInt || std::any_of(expr.arguments.begin(), expr.arguments.end(), has_other_type);
}

/// Finds values whose type is not int. Ignores constant addresses of accesses.
struct OtherType {
  static bool access(const MemoryAccess& access) { return access.type != kInt || !access.address.is_constant(); }

  bool operator()(const Assign& op) const { return has_other_type(op.value); }
  bool operator()(const Load& op) const { return access(op.access); }
  bool operator()(const Store& op) const { return access(op.access) || has_other_type(op.value); }
  bool operator()(const Rmw& op) const {
    const bool compares = op.op == RmwOp::CompareExchange && has_other_type(op.compare);
    return access(op.access) || has_other_type(op.operand) || compares;
  }
  bool operator()(const Branch& op) const { return has_other_type(op.condition); }
  bool operator()(const Barrier& op) const {
    return (op.resource && has_other_type(*op.resource)) || (op.count && has_other_type(*op.count));
  }
  bool operator()(const OneOf<Fence, ProxyFence, Jump, Assume, Assert, AsyncStep, TransactionBegin,
                              TransactionEnd> auto& /*op*/) const {
    return false;
  }
};

/// Returns the style of a test's instructions. Error: code accesses cells of different sizes through registers. If the
/// sizes differ, the element offsets of the program cannot be converted to byte offsets.
Style find_style(const Program& program, Diagnostics& errors) {
  Style style;
  style.typed = std::any_of(program.objects.begin(), program.objects.end(),
                            [](const MemoryObject& object) { return object.type != kInt; });
  for (const Thread& thread : program.threads) {
    style.typed = style.typed || std::any_of(thread.registers.begin(), thread.registers.end(),
                                             [](const Register& reg) { return reg.type != kInt; });
    for (const ambit::Instruction& instruction : thread.code) {
      style.typed = style.typed || std::visit(OtherType{}, instruction.operation);
      const MemoryAccess* access = access_of(instruction.operation);
      if (access == nullptr || access->address.is_constant()) continue;
      const unsigned bytes = access->type.bits / 8U;
      if (style.element_bytes != 0 && style.element_bytes != bytes) {
        errors.push_back({program.source, instruction.span,
                          fmt::format("code accesses cells of {} and of {} bytes through computed addresses, which the "
                                      "PTX litmus format does not support",
                                      style.element_bytes, bytes),
                          ""});
      }
      style.element_bytes = bytes;
    }
  }
  return style;
}

bool is_ptx_model(const std::string& model) { return model == "ptx" || model.starts_with("ptx-"); }

class PtxWriter {
 public:
  explicit PtxWriter(const Program& program) : program_(program), names_(program) {}

  Result<std::string> write() {
    errors_ = transaction_objections(program_, "PTX has", "ambit check can read and check the test");
    if (!errors_.empty()) return std::move(errors_);
    check();
    style_ = ptx::find_style(program_, errors_);
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      columns_.push_back(ptx::write_thread(program_, t, names_, style_, errors_));
    }
    if (!errors_.empty()) return std::move(errors_);
    const std::string tail = condition() + expectations();  // first, because conditions may name registers
    return header() + initial() + table() + tail;
  }

 private:
  void fail(SourceSpan span, std::string message, std::string hint = {}) {
    errors_.push_back({program_.source, span, std::move(message), std::move(hint)});
  }

  void check() {
    for (const MemoryObject& object : program_.objects) {
      const bool is_named = object.home && object.name.find(':') == std::string::npos;
      if (object.space == MemorySpace::Shared && !object.alias_of && !is_named) {
        fail(object.span, fmt::format("Ambit cannot print shared memory without a named cta: '{}'", object.name),
             "declare it in global memory: all threads of a block then access the same cell");
      }
    }
    for (const Thread& thread : program_.threads) check_barriers(thread);
  }

  /// Checks for barriers that wait for threads without a column. A barrier waits for every launched thread of the
  /// block, but the format has columns only for threads with code.
  void check_barriers(const Thread& thread) {
    const auto size = std::find_if(program_.blocks.begin(), program_.blocks.end(), [&](const BlockSize& block) {
      return block.gpu == thread.place.gpu && block.block == thread.place.block;
    });
    if (size == program_.blocks.end()) return;
    const auto present = std::count_if(program_.threads.begin(), program_.threads.end(), [&](const Thread& other) {
      return same_instance(other.place, thread.place, Scope::Block);
    });
    if (static_cast<std::uint32_t>(present) >= size->threads) return;
    for (const ambit::Instruction& instruction : thread.code) {
      const auto* barrier = std::get_if<Barrier>(&instruction.operation);
      if (barrier == nullptr || barrier->kind != BarrierKind::Block || barrier->count) continue;
      return fail(instruction.span, fmt::format("{} threads of this block do nothing and are not in the test, but the "
                                                "barrier waits for them too",
                                                size->threads - present));
    }
  }

  // ---- parts ----

  /// Returns whether a barrier waits for a thread of the block whose code does not contain the barrier.
  bool waits_for_more_than_columns() const {
    const auto names = [](const Thread& thread, const Barrier& wanted) {
      return std::any_of(thread.code.begin(), thread.code.end(), [&](const ambit::Instruction& instruction) {
        const auto* barrier = std::get_if<Barrier>(&instruction.operation);
        return barrier != nullptr && barrier->kind == BarrierKind::Block && barrier->id == wanted.id;
      });
    };
    for (const Thread& thread : program_.threads) {
      for (const ambit::Instruction& instruction : thread.code) {
        const auto* barrier = std::get_if<Barrier>(&instruction.operation);
        if (barrier == nullptr || barrier->kind != BarrierKind::Block || barrier->count) continue;
        for (const Thread& other : program_.threads) {
          if (same_instance(other.place, thread.place, Scope::Block) && !names(other, *barrier)) return true;
        }
      }
    }
    return false;
  }

  std::string header() const {
    std::string text = fmt::format("PTX {}\n", program_.name);
    if (!program_.description.empty()) text += fmt::format("\"{}\"\n", program_.description);
    for (const auto& [key, value] : program_.metadata) text += fmt::format("{}={}\n", key, value);
    if (!program_.metadata.contains("barriers") && waits_for_more_than_columns()) text += "barriers=cta\n";
    const std::vector<std::string> changes = names_.changes();
    if (!changes.empty()) text += fmt::format("(* {} *)\n", fmt::join(changes, "; "));
    return text + "\n";
  }

  std::string initial_value(const Location& cell) const {
    if (cell.type.bits == 64) {
      if (const auto name = names_.address(cell.initial)) return "&" + *name;
      if (!cell.type.is_signed) return fmt::format("{}", static_cast<std::uint64_t>(cell.initial));
    }
    return fmt::format("{}", cell.initial);
  }

  std::string declaration(ObjectId id) const {
    const MemoryObject& object = program_.objects[id];
    const std::string& name = names_.object(id);
    if (object.alias_of) return fmt::format("{} @ generic aliases {};", name, names_.object(*object.alias_of));
    const std::string home = object.home ? fmt::format(" @ cta {}", object.home->block) : std::string();
    if (object.mbarrier && is_asynchronous(program_)) {
      return fmt::format("{}{}=mbarrier({});", name, home, object.mbarrier->arrivals);
    }
    std::string type;
    if (style_.typed) type = fmt::format(".{} ", ptx_type(object.type));
    if (!object.is_array) {
      return fmt::format("{}{}{}={};", type, name, home, initial_value(program_.locations[object.first]));
    }
    std::string text = fmt::format("{}{}[{}]{}", type, name, object.length, home);
    std::vector<std::string> values;
    bool all_zero = true;
    for (std::uint32_t i = 0; i < object.length; ++i) {
      values.push_back(initial_value(program_.locations[object.first + i]));
      all_zero = all_zero && program_.locations[object.first + i].initial == 0;
    }
    if (!all_zero) text += fmt::format("={{{}}}", fmt::join(values, ","));
    return text + ";";
  }

  std::string initial() const {
    std::vector<std::string> parts;
    for (ObjectId id = 0; id < program_.objects.size(); ++id) parts.push_back(declaration(id));
    for (std::size_t t = 0; t < columns_.size(); ++t) {
      for (const std::string& reg : columns_[t].zeros) parts.push_back(fmt::format("{}:{}=0;", Names::thread(t), reg));
    }
    return fmt::format("{{ {} }}\n", fmt::join(parts, " "));
  }

  /// Returns the places of the threads. The places name the cluster if a cluster has several blocks, and warp and lane
  /// if a warp has several threads.
  std::vector<std::string> places() const {
    std::map<std::pair<int, int>, std::set<int>> blocks;
    std::set<std::array<int, 3>> warps;
    bool names_lanes = false;
    for (const Thread& thread : program_.threads) {
      const ThreadPlace& at = thread.place;
      blocks[{at.gpu, at.cluster}].insert(at.block);
      names_lanes = names_lanes || !warps.insert({at.gpu, at.block, at.warp}).second || at.lane != 0;
    }
    const bool names_clusters =
        std::any_of(blocks.begin(), blocks.end(), [](const auto& cluster) { return cluster.second.size() > 1; });
    std::vector<std::string> result;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      const ThreadPlace& at = program_.threads[t].place;
      std::string text = fmt::format("{}@", Names::thread(t));
      if (names_lanes) text += fmt::format("lane {},warp {},", at.lane, at.warp);
      text += fmt::format("cta {},", at.block);
      if (names_clusters) text += fmt::format("cluster {},", at.cluster);
      result.push_back(text + fmt::format("gpu {}", at.gpu));
    }
    return result;
  }

  std::string table() const {
    std::vector<std::vector<std::string>> rows = {places()};
    std::size_t height = 0;
    for (const Column& column : columns_) height = std::max(height, column.cells.size());
    for (std::size_t row = 0; row < height; ++row) {
      rows.emplace_back();
      for (const Column& column : columns_) {
        rows.back().push_back(row < column.cells.size() ? column.cells[row] : std::string());
      }
    }
    std::vector<std::size_t> widths(columns_.size(), 0);
    for (const auto& row : rows) {
      for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    }
    std::string text;
    for (const auto& row : rows) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        text += fmt::format("{} {:<{}} ", c == 0 ? "" : "|", row[c], widths[c]);
      }
      text += ";\n";
    }
    return text + "\n";
  }

  std::vector<std::string> observables() {
    std::vector<std::string> names;
    for (const Observable& observable : program_.observables) {
      const bool is_register = observable.kind == Observable::Kind::Register;
      names.push_back(is_register ? fmt::format("{}:{}", Names::thread(observable.thread),
                                                names_.reg(observable.thread, observable.reg))
                                  : names_.cell(observable.location));
    }
    return names;
  }

  /// Returns the condition of the PTX test. If the test has no condition, returns a condition that always holds. The
  /// added condition limits the outcomes to the observables of the test, without the new registers.
  std::string condition() {
    const std::vector<std::string> names = observables();
    const Condition& condition = program_.condition;
    std::string filter;
    if (condition.filter) {
      filter = fmt::format("filter ({})\n", proposition_text(*condition.filter, names, PropositionSyntax::C));
    }
    std::string text = "forall (true)\n";
    if (condition.proposition) {
      const std::string_view quantifier =
          condition.quantifier == Quantifier::None ? "forall" : to_string(condition.quantifier);
      text =
          fmt::format("{} ({})\n", quantifier, proposition_text(*condition.proposition, names, PropositionSyntax::C));
    }
    text = is_observed_first(condition.proposition) ? text + filter : filter + text;
    std::set<RegisterId> mentioned;
    for (const std::optional<Expr>* expr : {&condition.proposition, &condition.filter}) {
      if (*expr) add_leaves(**expr, mentioned);
    }
    std::vector<std::string> others;
    for (RegisterId i = 0; i < names.size(); ++i) {
      if (!mentioned.contains(i)) others.push_back(names[i]);
    }
    return others.empty() ? text : fmt::format("locations [{};]\n", fmt::join(others, "; ")) + text;
  }

  static void add_leaves(const Expr& expr, std::set<RegisterId>& leaves) {
    if (expr.op == Op::Register) leaves.insert(expr.reg);
    for (const Expr& argument : expr.arguments) add_leaves(argument, leaves);
  }

  /// Returns whether the first observable of the proposition is also the first observable of the test. If the order is
  /// the same, the outcomes can be compared with the outcomes of the original test.
  static bool is_observed_first(const std::optional<Expr>& proposition) {
    const Expr* leaf = proposition ? &*proposition : nullptr;
    while (leaf != nullptr && !leaf->arguments.empty()) leaf = &leaf->arguments.front();
    return leaf != nullptr && leaf->op == Op::Register && leaf->reg == 0;
  }

  std::string expectations() const {
    std::string text;
    const auto add = [&](const std::string& line) { text += line.empty() ? line : line + "\n"; };
    const auto cell_name = [this](LocationId location) { return names_.cell(location); };
    for (const Expectation& expectation : program_.expectations) {
      if (is_ptx_model(expectation.model)) add(expectation_text(expectation, cell_name));
    }
    for (const TerminationExpectation& expectation : program_.terminations) {
      if (is_ptx_model(expectation.model)) add(expectation_text(expectation));
    }
    return text.empty() ? text : "\n" + text;
  }

  const Program& program_;
  Names names_;
  Diagnostics errors_;
  Style style_;
  std::vector<Column> columns_;
};

}  // namespace

Result<std::string> ptx_text(const Program& program) {
  if (has_opaque_values(program)) {
    return Diagnostic{program.source, program.threads.empty() ? SourceSpan{} : program.threads.front().span,
                      "the test has values that Ambit does not follow, such as floats: a PTX test cannot have them",
                      "compile the kernel with nvcc -ptx"};
  }
  if (auto error = grid_objection(program, "the printer of PTX")) return *std::move(error);
  return PtxWriter(program).write();
}

}  // namespace ambit::ptx
