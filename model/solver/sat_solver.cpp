#include "model/solver/sat_solver.h"

#include <z3.h>

#include <algorithm>
#include <new>
#include <vector>

#include "core/assert.h"
#include "model/solver/watchdog.h"

namespace ambit::solver {

struct SatSolver::State {
  Z3_context z3 = nullptr;
  Z3_solver solver = nullptr;
  Z3_sort boolean = nullptr;
  std::vector<Z3_ast> positive;  ///< by variable; null where never used
  std::vector<Z3_ast> negative;
  std::vector<Z3_func_decl> declarations;
  std::vector<Z3_ast> arguments;
  bool inside = false;
  bool has_stopped = false;          ///< a limit of the context ended the last check
  bool broken = false;               ///< interrupted: Z3 stays so, and starts afresh with the next problem
  const Context* context = nullptr;  ///< of the problem
  Watchdog watchdog;
  UnknownReason reason = UnknownReason::Unsupported;

  ~State() { close(); }

  void open() {
    // Or Z3 looks for auxiliary definitions in each model, of which plain clauses have none: half the time of a model.
    Z3_global_param_set("model.compact", "false");
    Z3_config config = Z3_mk_config();
    z3 = Z3_mk_context_rc(config);
    Z3_del_config(config);
    Z3_set_error_handler(z3, nullptr);
    boolean = Z3_mk_bool_sort(z3);
    Z3_inc_ref(z3, Z3_sort_to_ast(z3, boolean));
  }

  void close() {
    if (z3 == nullptr) return;
    drop_solver();
    // Terms that are left the context would look for again and again before it frees them.
    for (std::size_t v = 0; v < positive.size(); ++v) {
      if (positive[v] == nullptr) continue;
      if (negative[v] != nullptr) Z3_dec_ref(z3, negative[v]);
      Z3_dec_ref(z3, positive[v]);
    }
    Z3_del_context(z3);
    z3 = nullptr;
    positive.clear();
    negative.clear();
    declarations.clear();
    inside = false;
    broken = false;
  }

  void drop_solver() {
    if (solver != nullptr) Z3_solver_dec_ref(z3, solver);
    solver = nullptr;
  }

  void make_solver() {
    solver = Z3_mk_solver_for_logic(z3, Z3_mk_string_symbol(z3, "QF_BV"));
    Z3_solver_inc_ref(z3, solver);
    // Z3 would take the user's Ctrl-C for itself while it solves, and crash where several threads do.
    Z3_params params = Z3_mk_params(z3);
    Z3_params_inc_ref(z3, params);
    Z3_params_set_bool(z3, params, Z3_mk_string_symbol(z3, "ctrl_c"), false);
    Z3_solver_set_params(z3, solver, params);
    Z3_params_dec_ref(z3, params);
  }

  /// The term, which is null where Z3 has no memory for it: then the context is of no use any more.
  Z3_ast made(Z3_ast term) {
    if (term != nullptr) return term;
    broken = true;
    throw std::bad_alloc();
  }

  /// Z3 gives up after so many of its steps; 0: never.
  void limit_steps(unsigned most) {
    Z3_params params = Z3_mk_params(z3);
    Z3_params_inc_ref(z3, params);
    Z3_params_set_bool(z3, params, Z3_mk_string_symbol(z3, "ctrl_c"), false);
    Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "rlimit"), most);
    Z3_solver_set_params(z3, solver, params);
    Z3_params_dec_ref(z3, params);
  }

  void make_variable(std::size_t v) {
    if (v >= positive.size()) {
      positive.resize(v + 1, nullptr);
      negative.resize(v + 1, nullptr);
      declarations.resize(v + 1, nullptr);
    }
    if (positive[v] != nullptr) return;
    positive[v] = made(Z3_mk_const(z3, Z3_mk_int_symbol(z3, static_cast<int>(v)), boolean));
    Z3_inc_ref(z3, positive[v]);
    negative[v] = made(Z3_mk_not(z3, positive[v]));
    Z3_inc_ref(z3, negative[v]);
    declarations[v] = Z3_get_app_decl(z3, Z3_to_app(z3, positive[v]));
  }

  Z3_ast term(Lit literal) {
    const auto v = static_cast<std::size_t>(literal < 0 ? -literal : literal);
    make_variable(v);
    return literal > 0 ? positive[v] : negative[v];
  }

  void collect(std::span<const Lit> literals) {
    arguments.clear();
    for (const Lit l : literals) arguments.push_back(term(l));
  }
};

SatSolver::SatSolver() : state_(std::make_unique<State>()) {}
SatSolver::~SatSolver() = default;

void SatSolver::begin(Context& context) {
  State& s = *state_;
  if (s.inside) end();
  if (s.broken) s.close();
  if (s.z3 == nullptr) s.open();
  s.drop_solver();
  s.make_solver();
  s.context = &context;
  Z3_solver_push(s.z3, s.solver);  // outside of any scope Z3 takes up to a third longer
  s.inside = true;
  s.watchdog.watch(context);
}

void SatSolver::end() {
  State& s = *state_;
  s.watchdog.release();
  // Z3 needs seconds to free a large problem. Where the user wants an end, that waits for the next problem, if there is
  // one.
  if (s.inside && !s.context->is_cancelled()) s.drop_solver();
  s.context = nullptr;
  s.inside = false;
}

void SatSolver::add_clause(std::span<const Lit> clause) {
  State& s = *state_;
  AMBIT_ASSERT(s.inside);
  if (clause.size() == 1) {
    Z3_solver_assert(s.z3, s.solver, s.term(clause.front()));
    return;
  }
  s.collect(clause);
  Z3_ast term = clause.empty() ? Z3_mk_false(s.z3)
                               : Z3_mk_or(s.z3, static_cast<unsigned>(s.arguments.size()), s.arguments.data());
  Z3_inc_ref(s.z3, s.made(term));
  Z3_solver_assert(s.z3, s.solver, term);
  Z3_dec_ref(s.z3, term);
}

SatSolver::Answer SatSolver::glance(std::span<const Lit> assumptions, unsigned most_steps) {
  State& s = *state_;
  s.limit_steps(most_steps);
  const bool was_broken = s.broken;
  const Answer result = check(assumptions);
  if (result == Answer::Unknown && !s.has_stopped) s.broken = was_broken;  // of the steps' end Z3 recovers
  s.limit_steps(0);
  return result;
}

SatSolver::Answer SatSolver::check(std::span<const Lit> assumptions) {
  State& s = *state_;
  AMBIT_ASSERT(s.inside);
  if (s.broken) return Answer::Unknown;
  s.collect(assumptions);
  s.watchdog.begin([z3 = s.z3] { Z3_interrupt(z3); });
  const Z3_lbool result =
      Z3_solver_check_assumptions(s.z3, s.solver, static_cast<unsigned>(s.arguments.size()), s.arguments.data());
  const std::optional<UnknownReason> stopped = s.watchdog.finish();
  s.has_stopped = stopped.has_value();
  if (stopped) {
    s.broken = true;
    s.reason = *stopped;
  }
  if (result == Z3_L_TRUE) return Answer::Satisfiable;
  if (result == Z3_L_FALSE) return Answer::Unsatisfiable;
  if (!stopped) s.reason = UnknownReason::Memory;  // without a stop Z3 gives up on plain clauses only there
  s.broken = true;
  return Answer::Unknown;
}

std::vector<Lit> SatSolver::used_assumptions(std::span<const Lit> assumptions) {
  State& s = *state_;
  Z3_ast_vector core = Z3_solver_get_unsat_core(s.z3, s.solver);
  Z3_ast_vector_inc_ref(s.z3, core);
  std::vector<Z3_ast> used;
  for (unsigned i = 0; i < Z3_ast_vector_size(s.z3, core); ++i) used.push_back(Z3_ast_vector_get(s.z3, core, i));
  std::vector<Lit> result;
  for (const Lit l : assumptions) {
    if (std::ranges::find(used, s.term(l)) != used.end()) result.push_back(l);
  }
  Z3_ast_vector_dec_ref(s.z3, core);
  return result;
}

UnknownReason SatSolver::unknown_reason() const { return state_->reason; }

void SatSolver::read_model(std::span<const Lit> variables, std::vector<bool>& values) {
  State& s = *state_;
  Z3_model model = Z3_solver_get_model(s.z3, s.solver);
  AMBIT_ASSERT(model != nullptr);
  Z3_model_inc_ref(s.z3, model);
  for (const Lit variable : variables) {
    const auto v = static_cast<std::size_t>(variable);
    if (v >= s.declarations.size() || s.declarations[v] == nullptr) continue;
    Z3_ast value = Z3_model_get_const_interp(s.z3, model, s.declarations[v]);
    values[v] = value != nullptr && Z3_get_bool_value(s.z3, value) == Z3_L_TRUE;
  }
  Z3_model_dec_ref(s.z3, model);
}

std::string SatSolver::to_smt2(std::span<const Lit> assumptions) {
  State& s = *state_;
  std::string text = Z3_solver_to_string(s.z3, s.solver);
  for (const Lit l : assumptions) {
    Z3_ast term = s.term(l);
    text += "(assert ";
    text += Z3_ast_to_string(s.z3, term);
    text += ")\n";
  }
  return text + "(check-sat)\n";
}

}  // namespace ambit::solver
