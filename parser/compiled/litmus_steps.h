#pragma once

#include <utility>

#include "core/program.h"
#include "parser/litmus/thread_context.h"

namespace ambit::parser::compiled {

/// Lowers single instructions of a compiled thread. Uses the classes of parser/litmus that lower these instructions in
/// CUDA sources.
class LitmusSteps {
 public:
  /// The object appends code and registers to `thread`.
  LitmusSteps(litmus::Assembly& assembly, const litmus::ThreadSetting& setting, Thread& thread)
      : thread_(thread), context_{assembly, setting, nodes_} {}

  /// Calls `lower` with a context that has the thread's registers, and appends the emitted code.
  template <typename Lower>
  auto run(Lower lower) {
    begin();
    auto result = lower(context_);
    finish();
    return result;
  }

 private:
  /// Rejects syntax nodes, because PTX instructions have no syntax nodes.
  class NoNodes final : public litmus::NodeLowering {
   public:
    litmus::Operand value(const ExprNode& /*node*/) override { return std::nullopt; }
    void discard(const ExprNode& /*node*/) override {}
    litmus::Operand call(const ExprNode& /*node*/, litmus::Use /*use*/) override { return std::nullopt; }
    void statements(const std::vector<StatementNode>& /*nodes*/) override {}
  };

  void begin();
  void finish();

  Thread& thread_;
  NoNodes nodes_;
  litmus::ThreadContext context_;
};

}  // namespace ambit::parser::compiled
