#include <utility>

#include "parser/litmus/call_lowering.h"
#include "parser/litmus/grid_lowering.h"
#include "parser/litmus/statement_lowering.h"
#include "parser/ptx/product_registers.h"

namespace ambit::parser::litmus {
namespace {

/// Owns the objects that lower a thread, and connects these objects.
class ThreadLowering final : NodeLowering {
 public:
  ThreadLowering(Assembly& assembly, ThreadSetting setting) : thread_{assembly, std::move(setting), *this} {}

  Thread lower(const StatementNode& body, const FunctionNode* kernel, const std::vector<Operand>& arguments,
               SourceSpan span) {
    if (thread_.assembly.has_opaque_values) thread_.code.add_register("%opaque", kLongLong, true);
    Frame frame{.body = body, .end = thread_.code.new_label(), .function = kernel};
    const auto inside = set_for_scope(thread_.frame, &frame);
    const auto scope = thread_.variables.open_function("");
    if (kernel != nullptr) add_parameters(*kernel, body, arguments);
    grids_.begin();
    statements_.statement(body);
    thread_.code.bind(frame.end);
    grids_.end(span);
    Thread thread;
    thread.name = thread_.setting.name;
    thread.place = thread_.setting.place;
    thread.grid = thread_.setting.grid.number;
    thread.code = thread_.code.finish(thread_.assembly.reporter.has_errors());
    grids_.check(thread.code);
    thread.registers = thread_.code.take_registers();
    thread.span = span;
    ptx::check_products(thread);
    return thread;
  }

 private:
  /// Adds the parameters. A parameter that `body` assigns becomes a register. A parameter that `body` does not assign
  /// becomes an alias of the argument.
  void add_parameters(const FunctionNode& kernel, const StatementNode& body, const std::vector<Operand>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Declarator& parameter = kernel.parameters[i];
      const bool assigned = thread_.functions.assigned(body).contains(parameter.name.text);
      const bool is_place = parameter.type.is_tensor_map && !parameter.type.is_pointer;
      const bool is_any = parameter.type.is_void && parameter.type.is_pointer;  // the launch determines the type
      Variable variable{.name = parameter.name.text,
                        .type = is_any ? arguments[i].type : parameter.type,
                        .kind = is_struct_value(parameter.type) ? Variable::Kind::Struct
                                : is_place                      ? Variable::Kind::Reference
                                : assigned                      ? Variable::Kind::Register
                                                                : Variable::Kind::Alias,
                        .alias = arguments[i].expr,
                        .place = {.span = parameter.name.span}};
      variable.initial = arguments[i];
      if (is_place) variable.place = {nullptr, arguments[i].expr, parameter.type, parameter.name.span};
      thread_.variables.add_parameter(std::move(variable), thread_.memory);
    }
  }

  Operand value(const ExprNode& node) override { return expressions_.value(node); }
  void discard(const ExprNode& node) override { expressions_.discard(node); }
  Operand call(const ExprNode& node, Use use) override { return calls_.call(node, use); }
  void statements(const std::vector<StatementNode>& nodes) override { statements_.statements(nodes); }

  ThreadContext thread_;
  ExpressionLowering expressions_{thread_};
  CallLowering calls_{thread_};
  StatementLowering statements_{thread_};
  GridLowering grids_{thread_};
};

}  // namespace

Thread lower_thread(Assembly& assembly, ThreadSetting setting, const ThreadNode& node) {
  return ThreadLowering(assembly, std::move(setting)).lower(node.body, nullptr, {}, node.name.span);
}

Thread lower_thread(Assembly& assembly, ThreadSetting setting, const FunctionNode& kernel,
                    const std::vector<Operand>& arguments) {
  return ThreadLowering(assembly, std::move(setting)).lower(*kernel.body, &kernel, arguments, kernel.name.span);
}

}  // namespace ambit::parser::litmus
