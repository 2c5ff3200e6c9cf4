#include "report/logs/test_hash.h"

#include <fmt/format.h>
#include <uuid/uuid.h>

#include <iterator>
#include <variant>
#include <vector>

namespace ambit::report {
namespace {

/// Writes a program in a canonical form. The form names no threads or registers, except in observables.
class Canonical {
 public:
  explicit Canonical(const Program& program) : program_(program) {}

  std::string text() && {
    for (const MemoryObject& object : program_.objects) {
      put("object {} {} {} {} {} {};", object.name, type(object.type), static_cast<int>(object.space), object.length,
          object.is_initialized, object.alias_of ? fmt::format("={}", *object.alias_of) : "");
      if (object.home && object.name.find(':') == std::string::npos)
        put("home {} {};", object.home->gpu, object.home->block);
    }
    for (const Location& cell : program_.locations) put("cell {};", cell.initial);
    for (const BlockSize& block : program_.blocks) put("block {} {} {};", block.gpu, block.block, block.threads);
    for (const Thread& thread : program_.threads) {
      const ThreadPlace& at = thread.place;
      put("thread {} {} {} {} {};", at.gpu, at.cluster, at.block, at.warp, at.lane);
      for (const Register& reg : thread.registers) put("{} ", type(reg.type));
      for (const Instruction& instruction : thread.code) {
        std::visit([this](const auto& operation) { write(operation); }, instruction.operation);
        put(";");
      }
    }
    for (const Observable& observable : program_.observables) put("see {};", observable.name);
    if (program_.condition.filter) {
      put("filter ");
      write(*program_.condition.filter);
    }
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }
  static std::string type(ScalarType type) { return fmt::format("{}{}", type.is_signed ? 's' : 'u', type.bits); }

  void write(const Expr& expr) {
    put("({}.{} ", to_string(expr.op), type(expr.type));
    if (expr.op == Op::Const) put("{}", expr.constant);
    if (expr.op == Op::Register) put("{}", expr.reg);
    for (const Expr& argument : expr.arguments) write(argument);
    put(")");
  }
  void write(const MemoryAccess& access) {
    put("{} {} {} {} {} {} ", type(access.type), to_string(access.order), to_string(access.scope), access.is_atomic,
        access.is_volatile, to_string(access.proxy));
    write(access.address);
  }
  void write(const std::optional<Expr>& expr) {
    if (expr) write(*expr);
    if (!expr) put("-");
  }

  void write(const Assign& op) {
    put("{} = ", op.target);
    write(op.value);
  }
  void write(const Load& op) {
    put("load {} ", op.target);
    write(op.access);
  }
  void write(const Store& op) {
    put("store {} ", static_cast<int>(op.lock));
    write(op.access);
    write(op.value);
  }
  void write(const Rmw& op) {
    put("rmw {} {} {} {} ", op.target ? fmt::format("{}", *op.target) : "-", to_string(op.op), op.is_reduction,
        static_cast<int>(op.lock));
    write(op.access);
    write(op.operand);
    if (op.op == RmwOp::CompareExchange) write(op.compare);
  }
  void write(const Fence& op) {
    put("fence {} {}{}", to_string(op.order), to_string(op.scope), op.is_shared_only ? " shared" : "");
  }
  void write(const ProxyFence& op) {
    put("proxy {} {}", to_string(op.proxy), op.is_alias);
    if (op.space != FenceSpace::All) put(" in {}", static_cast<int>(op.space));
    if (op.is_mbarrier_init) put(" init");
    if (op.direction != ProxyFence::Direction::Both) put(" direction {}", static_cast<int>(op.direction));
    if (op.proxy == Proxy::Tensormap) put(" {} {}", to_string(op.scope), op.address.value_or(0));
  }
  void write(const TransactionBegin& op) { put("transaction {}", to_string(op.scope)); }
  void write(const TransactionEnd& op) {
    put("end of transaction ");
    write(op.aborted);
  }
  void write(const Barrier& op) {
    put("barrier {} {} {:x} {} {} {} ", static_cast<int>(op.kind), op.id, op.mask, op.arrive_only, op.wait_only,
        op.is_relaxed);
    write(op.resource);
    write(op.count);
    if (!op.exchange) return;
    put(" exchange {} {} ", static_cast<int>(op.exchange->function), op.exchange->target);
    write(op.exchange->value);
    write(op.exchange->source);
  }
  void write(const Branch& op) {
    put("branch {} ", op.target);
    write(op.condition);
  }
  void write(const Jump& op) { put("jump {}", op.target); }
  void write(const Assume& op) {
    put("assume ");
    write(op.condition);
  }
  void write(const Assert& op) {
    put("assert ");
    write(op.condition);
  }
  void write(const AsyncStep& op) {
    put("async {} {} {} {} {} {} {} ", static_cast<int>(op.kind), op.name, static_cast<int>(op.group),
        op.tracks_earlier, op.pending, op.reads_only, op.needs_commit);
    for (const AsyncElement& element : op.elements) {
      if (element.source) write(*element.source);
      put(" to ");
      if (element.target) write(*element.target);
      if (element.reduction) put("{}", to_string(*element.reduction));
      write(element.value);
    }
    for (const Rmw& completion : op.completions) write(completion);
    for (const AsyncStep::Rule& rule : op.rules) {
      put(" rule {} ", rule.completion);
      write(rule.rule);
    }
    if (!op.form.empty()) put(" form {}", op.form);
    for (const RegisterId product : op.products) put(" product {}", product);
  }

  const Program& program_;
  std::string text_;
};

/// Writes a model in a canonical form. The hash of a term is computed from the hashes of its parts. Therefore, unused
/// terms and the positions of terms in the file have no effect.
class CanonicalRules {
 public:
  explicit CanonicalRules(const rules::Rules& rules) : rules_(rules) {}

  std::string text() && {
    for (std::size_t i = 0; i < rules_.terms.size(); ++i) {
      text_ = fmt::format("{} {}", static_cast<int>(rules_.kinds[i]), rules_.terms[i].index());
      std::visit([this](const auto& term) { write(term); }, rules_.terms[i]);
      hashes_.push_back(text_hash(text_));  // a term comes after the terms that are its arguments
    }
    const Mappings& mappings = rules_.mappings;
    text_ = fmt::format("mappings {} {} {};", mappings.seq_cst_as_fences, mappings.cas_always_writes,
                        mappings.barriers_per_gpu);
    for (const rules::OrderDeclaration& order : rules_.orders) put("order {} {};", order.name, hashes_[order.set]);
    for (const rules::Fixpoint& one : rules_.fixpoints) put("rec {} {};", one.group, hashes_[one.body]);
    for (const rules::Axiom& one : rules_.axioms) write("axiom", one);
    for (const rules::Flag& one : rules_.flags) write("flag", one);
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  template <typename Rule>
  void write(const char* kind, const Rule& rule) {
    put("{} {} {} {} {};", kind, rule.name, static_cast<int>(rule.test), rule.negated, hashes_[rule.term]);
  }

  void write(const rules::BaseSetTerm& term) { put(" {}", static_cast<int>(term.set)); }
  void write(const rules::BaseRelationTerm& term) { put(" {}", static_cast<int>(term.relation)); }
  void write(const rules::OrderTerm& term) { put(" {}", term.order); }
  void write(const rules::FixpointTerm& term) { put(" {}", term.fixpoint); }
  void write(const rules::SetIdentity& term) { put(" {}", hashes_[term.set]); }
  template <typename Term>
  void write(const Term& term) {
    if constexpr (requires { term.left; }) put(" {} {}", hashes_[term.left], hashes_[term.right]);
    if constexpr (requires { term.argument; }) put(" {}", hashes_[term.argument]);
  }

  const rules::Rules& rules_;
  std::vector<std::string> hashes_;  ///< indexed by TermId
  std::string text_;
};

}  // namespace

std::string text_hash(std::string_view text) {
  // A name-based UUID (RFC 4122, version 3) is the MD5 hash of a name space and a name. If the name space is empty, the
  // UUID is the MD5 hash of the text.
  uuid_t space = {};
  uuid_t hash = {};
  uuid_generate_md5(hash, space, text.data(), text.size());
  std::string digits;
  for (const unsigned char byte : hash) digits += fmt::format("{:02x}", byte);
  return digits;
}

std::string test_hash(const Program& program) { return text_hash(Canonical(program).text()); }

std::string rules_hash(const rules::Rules& rules) { return text_hash(CanonicalRules(rules).text()); }

}  // namespace ambit::report
