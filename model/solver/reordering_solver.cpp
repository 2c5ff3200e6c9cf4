#include "model/solver/reordering_solver.h"

#include <fmt/format.h>
#include <z3.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <utility>

#include "base/assert.h"
#include "base/watchdog.h"

namespace ambit::solver {
namespace {

constexpr std::uint32_t kNone = ReorderingProblem::kNone;

}  // namespace

struct ReorderingSolver::State {
  State(const ReorderingProblem& p, const ReorderingOptions& o, Context& c) : problem(p), options(o), context(c) {
    open();
    make_variables();
    require_order();
    for (const auto& writes : problem.writes) require_distinct(writes);
    for (const auto& read : problem.reads) require_source(read);
    for (const auto& exclusion : problem.exclusions) require_apart(exclusion);
    watchdog.watch(context);
  }
  ~State() {
    watchdog.release();
    Z3_solver_dec_ref(z3, solver);
    Z3_del_context(z3);  // this call also frees the terms
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void open() {
    Z3_config config = Z3_mk_config();
    z3 = Z3_mk_context(config);  // terms live as long as the context
    Z3_del_config(config);
    Z3_set_error_handler(z3, nullptr);
    // The simple solver answers small queries a hundred times faster than the default solver. 3 means dense difference
    // logic.
    solver = Z3_mk_simple_solver(z3);
    Z3_solver_inc_ref(z3, solver);
    Z3_params params = Z3_mk_params(z3);
    Z3_params_inc_ref(z3, params);
    Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "arith.solver"), 3);
    Z3_params_set_bool(z3, params, Z3_mk_string_symbol(z3, "ctrl_c"), false);  // Z3 must not handle the user's Ctrl-C
    Z3_solver_set_params(z3, solver, params);
    Z3_params_dec_ref(z3, params);
  }

  void make_variables() {
    Z3_sort boolean = Z3_mk_bool_sort(z3);
    Z3_sort integer = Z3_mk_int_sort(z3);
    for (std::uint32_t k = 0; k < problem.events.size(); ++k) {
      in.push_back(Z3_mk_const(z3, Z3_mk_string_symbol(z3, fmt::format("in{}", k).c_str()), boolean));
      out.push_back(Z3_mk_not(z3, in.back()));
      time.push_back(Z3_mk_const(z3, Z3_mk_string_symbol(z3, fmt::format("o{}", k).c_str()), integer));
    }
  }

  Z3_ast before(std::uint32_t a, std::uint32_t b) { return Z3_mk_lt(z3, time[a], time[b]); }
  Z3_ast all_of(const std::vector<Z3_ast>& terms) {
    if (terms.size() == 1) return terms.front();
    return Z3_mk_and(z3, static_cast<unsigned>(terms.size()), terms.data());
  }
  Z3_ast any_of(const std::vector<Z3_ast>& terms) {
    if (terms.size() == 1) return terms.front();
    return Z3_mk_or(z3, static_cast<unsigned>(terms.size()), terms.data());
  }
  void require(const std::vector<Z3_ast>& clause) { Z3_solver_assert(z3, solver, any_of(clause)); }

  template <typename Visit>
  void each_need(std::uint32_t event, const Visit& visit) const {
    const ReorderingProblem::Event& e = problem.events[event];
    if (e.previous != kNone) visit(e.previous);
    for (const std::uint32_t need : e.needs) visit(need);
    if (e.gate == kNone) return;
    for (const std::uint32_t need : problem.gates[e.gate]) visit(need);
  }

  void require_order() {
    for (std::uint32_t k = 0; k < problem.events.size(); ++k) {
      each_need(k, [&](std::uint32_t need) {
        require({out[k], in[need]});
        require({out[k], before(need, k)});
      });
    }
  }

  void require_distinct(const std::vector<std::uint32_t>& writes) {
    for (std::size_t a = 0; a < writes.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        require({out[writes[a]], out[writes[b]], before(writes[a], writes[b]), before(writes[b], writes[a])});
      }
    }
  }

  /// Encodes that `read` reads from `source`, or the initial value if `source` is kNone.
  Z3_ast reads_from(const ReorderingProblem::Read& read, std::uint32_t source) {
    std::vector<Z3_ast> parts;
    if (source != kNone) {
      parts.push_back(in[source]);
      parts.push_back(before(source, read.event));
    }
    for (const std::uint32_t other : problem.writes[read.location]) {
      if (other == source || other == read.event) continue;
      std::vector<Z3_ast> ways{out[other], before(read.event, other)};
      if (source != kNone) ways.push_back(before(other, source));
      parts.push_back(any_of(ways));
    }
    return parts.empty() ? Z3_mk_true(z3) : all_of(parts);
  }

  void require_source(const ReorderingProblem::Read& read) {
    std::vector<Z3_ast> clause{out[read.event]};
    for (const std::uint32_t source : read.sources) clause.push_back(reads_from(read, source));
    require(clause);
  }

  void require_apart(const ReorderingProblem::Exclusion& exclusion) {
    const auto& first = problem.sections[exclusion.first];
    const auto& second = problem.sections[exclusion.second];
    std::vector<Z3_ast> clause{out[first.acquire], out[second.acquire]};
    const auto add = [&](const auto& earlier, const auto& later) {
      if (earlier.release == kNone) return;
      clause.push_back(all_of({in[earlier.release], before(earlier.release, later.acquire)}));
    };
    add(first, second);
    if (!options.keeps_section_order) add(second, first);
    require(clause);
  }

  std::vector<Z3_ast> assumptions_for(std::uint32_t a, std::uint32_t b) const {
    std::vector<Z3_ast> assumptions{out[a], out[b]};
    for (const std::uint32_t event : {a, b}) {
      each_need(event, [&](std::uint32_t need) { assumptions.push_back(in[need]); });
    }
    return assumptions;
  }

  std::vector<std::uint32_t> read_order() {
    Z3_model model = Z3_solver_get_model(z3, solver);
    AMBIT_ASSERT(model != nullptr);
    Z3_model_inc_ref(z3, model);
    std::vector<std::pair<std::int64_t, std::uint32_t>> timed;
    for (std::uint32_t k = 0; k < in.size(); ++k) {
      Z3_ast value = nullptr;
      Z3_model_eval(z3, model, in[k], true, &value);
      if (Z3_get_bool_value(z3, value) != Z3_L_TRUE) continue;
      std::int64_t at = 0;
      Z3_model_eval(z3, model, time[k], true, &value);
      AMBIT_ASSERT(Z3_get_numeral_int64(z3, value, &at));
      timed.emplace_back(at, k);
    }
    Z3_model_dec_ref(z3, model);
    std::ranges::sort(timed);
    std::vector<std::uint32_t> order;
    for (const auto& [at, event] : timed) order.push_back(event);
    return order;
  }

  void dump(std::uint32_t a, std::uint32_t b, const std::vector<Z3_ast>& assumptions) {
    std::ofstream file(fmt::format("{}/meet-{}-{}.smt2", context.dump_directory, a, b));
    file << Z3_solver_to_string(z3, solver);
    for (Z3_ast term : assumptions) file << "(assert " << Z3_ast_to_string(z3, term) << ")\n";
    file << "(check-sat)\n";
  }

  const ReorderingProblem& problem;
  ReorderingOptions options;
  Context& context;
  Z3_context z3 = nullptr;
  Z3_solver solver = nullptr;
  std::vector<Z3_ast> in;  ///< for each event, whether the reordering contains it
  std::vector<Z3_ast> out;
  std::vector<Z3_ast> time;
  Watchdog watchdog;
  std::optional<UnknownReason> stopped;
};

ReorderingSolver::ReorderingSolver(const ReorderingProblem& problem, const ReorderingOptions& options, Context& context)
    : state_(std::make_unique<State>(problem, options, context)) {}
ReorderingSolver::~ReorderingSolver() = default;

ReorderingAnswer ReorderingSolver::query(std::uint32_t a, std::uint32_t b) {
  State& s = *state_;
  ReorderingAnswer answer;
  answer.unknown = s.stopped;
  if (s.stopped) return answer;
  const std::vector<Z3_ast> assumptions = s.assumptions_for(a, b);
  if (!s.context.dump_directory.empty()) s.dump(a, b, assumptions);
  const auto start = std::chrono::steady_clock::now();
  s.watchdog.begin([z3 = s.z3] { Z3_interrupt(z3); });
  const Z3_lbool result =
      Z3_solver_check_assumptions(s.z3, s.solver, static_cast<unsigned>(assumptions.size()), assumptions.data());
  s.stopped = s.watchdog.finish();
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  s.context.statistics.add("smt.queries", 1);
  s.context.statistics.add("smt.milliseconds", taken.count());
  if (result == Z3_L_TRUE) {
    answer.verdict = ReorderingAnswer::Verdict::Possible;
    answer.order = s.read_order();
  } else if (result == Z3_L_FALSE) {
    answer.verdict = ReorderingAnswer::Verdict::Impossible;
  } else {
    if (!s.stopped)
      s.stopped = UnknownReason::Memory;  // without a limit, Z3 gives up on difference logic only if memory is short
    answer.unknown = s.stopped;
  }
  return answer;
}

}  // namespace ambit::solver
