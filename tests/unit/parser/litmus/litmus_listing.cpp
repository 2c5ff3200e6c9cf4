#include "tests/unit/parser/litmus/litmus_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <variant>

namespace ambit::parser {
namespace {

std::string_view short_order(Order order) {
  switch (order) {
    case Order::Weak: return "weak";
    case Order::Relaxed: return "rlx";
    case Order::Acquire: return "acq";
    case Order::Release: return "rel";
    case Order::AcqRel: return "acq_rel";
    case Order::SeqCst: return "sc";
  }
  return "?";
}

std::string tags(const MemoryAccess& access) {
  std::string text(short_order(access.order));
  if (access.order != Order::Weak) text += fmt::format(".{}", to_string(access.scope));
  if (access.is_volatile) text += " volatile";
  if (access.proxy != Proxy::Generic) text += fmt::format(" {}", to_string(access.proxy));
  if (!access.is_atomic && !access.is_volatile && access.order != Order::Weak) text += " not-atomic";
  return text;
}

class Lister {
 public:
  Lister(const Program& program, const Thread* thread) : program_(program), thread_(thread) {}

  std::string text(const Expr& expr) const {
    const auto& args = expr.arguments;
    switch (expr.op) {
      case Op::Const: return fmt::format("{}", expr.constant);
      case Op::Register:
        return thread_ != nullptr ? thread_->registers[expr.reg].name : program_.observables[expr.reg].name;
      case Op::Cast: return fmt::format("{}({})", type(expr.type), text(args[0]));
      case Op::Negate:
      case Op::BitNot:
      case Op::LogicalNot: return fmt::format("{}{}", to_string(expr.op), text(args[0]));
      case Op::Select: return fmt::format("({} ? {} : {})", text(args[0]), text(args[1]), text(args[2]));
      default: break;
    }
    const std::string type_suffix = expr.type == kInt ? "" : fmt::format(".{}", type(expr.type));
    return fmt::format("({} {}{} {})", text(args[0]), to_string(expr.op), type_suffix, text(args[1]));
  }

  std::string operator()(const Assign& op) const { return fmt::format("{} = {}", name(op.target), bare(op.value)); }
  std::string operator()(const Load& op) const {
    return fmt::format("{} = ld {} {}", name(op.target), cell(op.access), tags(op.access));
  }
  std::string operator()(const Store& op) const {
    return fmt::format("st {} {} = {}", cell(op.access), tags(op.access), bare(op.value));
  }
  std::string operator()(const Rmw& op) const {
    std::string result = op.target ? name(*op.target) + " = " : "";
    result += fmt::format("{}.{} {} {} (", op.is_reduction ? "red" : "rmw", to_string(op.op), cell(op.access),
                          tags(op.access));
    if (op.op == RmwOp::CompareExchange) result += bare(op.compare) + " -> ";
    result += bare(op.operand) + ")";
    if (op.lock == LockRole::Acquire) result += " lock";
    if (op.lock == LockRole::Release) result += " unlock";
    return result;
  }
  std::string operator()(const Fence& op) const {
    return fmt::format("fence {}.{}", short_order(op.order), to_string(op.scope));
  }
  std::string operator()(const TransactionBegin& op) const {
    return fmt::format("transaction.{}", to_string(op.scope));
  }
  std::string operator()(const TransactionEnd& op) const {
    return op.aborted ? fmt::format("end unless {}", text(*op.aborted)) : "end";
  }
  std::string operator()(const ProxyFence& op) const {
    return fmt::format("fence.proxy.{}", op.is_alias ? "alias" : to_string(op.proxy));
  }
  std::string operator()(const Barrier& op) const {
    static constexpr std::array<std::string_view, 4> kKinds = {"block", "warp", "cluster", "grid"};
    std::string result = fmt::format("barrier.{}", kKinds[static_cast<std::size_t>(op.kind)]);
    if (op.kind == BarrierKind::Block) result += fmt::format(" {}", op.id);
    if (op.resource) result += fmt::format(" resource {}", text(*op.resource));
    if (op.count) result += fmt::format(" count {}", text(*op.count));
    if (op.kind == BarrierKind::Warp) result += fmt::format(" mask {:x}", op.mask);
    if (op.arrive_only) result += " arrive";
    if (op.wait_only) result += " wait";
    if (op.is_relaxed) result += " relaxed";
    return result;
  }
  std::string operator()(const Branch& op) const {
    return fmt::format("if ({}) goto {}", bare(op.condition), op.target);
  }
  std::string operator()(const Jump& op) const { return fmt::format("goto {}", op.target); }
  std::string operator()(const Assume& op) const { return fmt::format("assume {}", text(op.condition)); }
  std::string operator()(const Assert& op) const { return fmt::format("assert {}", text(op.condition)); }
  std::string operator()(const AsyncStep& op) const { return op.name; }

 private:
  static std::string type(ScalarType type) { return fmt::format("{}{}", type.is_signed ? "i" : "u", type.bits); }
  const std::string& name(RegisterId reg) const { return thread_->registers[reg].name; }

  std::string bare(const Expr& expr) const {
    const std::string full = text(expr);
    return full.size() > 1 && full.front() == '(' && !expr.is_constant() && expr.op != Op::Register
               ? full.substr(1, full.size() - 2)
               : full;
  }

  std::string cell(const MemoryAccess& access) const {
    if (!access.address.is_constant()) return fmt::format("[{}]", bare(access.address));
    const std::optional<LocationId> id = program_.location_at(access.address.constant);
    return id ? program_.locations[*id].name : "NOWHERE";
  }

  const Program& program_;
  const Thread* thread_;
};

std::shared_ptr<const SourceFile> source_of(const std::string& body) {
  auto file = std::make_shared<SourceFile>();
  file->path = "test.litmus";
  file->text = "CUDA test\n" + body;
  return file;
}

}  // namespace

std::string expression(const Program& program, const Thread* thread, const Expr& expr) {
  return Lister(program, thread).text(expr);
}

std::string listing(const Program& program, const Thread& original) {
  // Temporaries get numbers in order of appearance, whatever their names are.
  Thread thread = original;
  std::map<std::string, std::string> numbers;
  for (const Instruction& instruction : thread.code) {
    const std::string line = std::visit(Lister(program, &original), instruction.operation);
    for (std::size_t at = line.find('%'); at != std::string::npos; at = line.find('%', at + 1)) {
      const std::size_t end = std::min(line.find_first_not_of("0123456789", at + 1), line.size());
      if (end > at + 1) numbers.emplace(line.substr(at, end - at), fmt::format("%{}", numbers.size()));
    }
  }
  for (Register& reg : thread.registers) {
    if (const auto found = numbers.find(reg.name); found != numbers.end()) reg.name = found->second;
  }
  std::string result;
  for (const Instruction& instruction : thread.code) {
    result += std::visit(Lister(program, &thread), instruction.operation) + "\n";
  }
  return result;
}

std::shared_ptr<const Program> parse(const std::string& body, const ProgramOptions& options) {
  const Result<std::shared_ptr<const Program>> result = parse_program(source_of(body), options);
  if (result.ok()) return result.value();
  ADD_FAILURE() << render(result.errors());
  return std::make_shared<Program>();
}

std::string errors(const std::string& body, const ProgramOptions& options) {
  const Result<std::shared_ptr<const Program>> result = parse_program(source_of(body), options);
  return result.ok() ? "" : render(result.errors());
}

std::string lowered(const std::string& code) {
  const std::shared_ptr<const Program> program = parse(
      "{ global int x, y, data[4]; volatile global int v; global unsigned u; global long long w; global char c;\n"
      "  global short h; global cuda::atomic<int, cuda::thread_scope_device> a; shared int s; }\n"
      "P0 @ block 0 {\n" +
      code + "\n}\n");
  return program->threads.size() == 1 ? listing(*program, program->threads.front()) : "";
}

}  // namespace ambit::parser
