#pragma once

#include "model/repair/forms.h"

namespace ambit::repair {

/// Forms for CUDA litmus tests and CUDA sources. Only litmus tests can use functions like `load(x, relaxed, device)`.
class CudaForms : public Forms {
 public:
  CudaForms(const SourceText& text, bool is_litmus) : text_(text), is_litmus_(is_litmus) {}

  Edits with_scope(const Place& place, Scope scope) const override;
  Edits with_order(const Place& place, Order order) const override;
  Edits fence_before(const Place& place, Order order, Scope scope) const override;
  Edits without(const Place& fence) const override;
  Edits as_atomic(const Place& place, Scope scope) const override;
  bool has_atomic_loads() const override { return is_litmus_; }
  Edits as_atomic_update(const Place& place, Scope scope) const override;
  Edits in_lock(const Place& place, const LockWords& lock) const override;
  std::optional<LockWords> lock_of(const Place& place) const override;
  Edits barrier(const Place& place, const BarrierPosition& position, const std::string& words) const override;
  Edits in_block(const Thread& thread, int block) const override;
  std::optional<std::string> fence_words(Order order, Scope scope) const override;
  std::vector<Order> fence_orders() const override { return {Order::SeqCst}; }

 private:
  Edits declared_scope(const Place& place, std::string_view call, Scope scope) const;
  std::optional<Statement> statement_of(const Place& place) const;

  const SourceText& text_;
  bool is_litmus_;
};

}  // namespace ambit::repair
