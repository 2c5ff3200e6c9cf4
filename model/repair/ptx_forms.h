#pragma once

#include "model/repair/forms.h"

namespace ambit::repair {

/// Makes the forms for PTX litmus files, which have a column for each thread and a row for each line.
class PtxForms : public Forms {
 public:
  explicit PtxForms(const SourceText& text) : text_(text) {}

  Edits with_scope(const Place& place, Scope scope) const override;
  Edits with_order(const Place& place, Order order) const override;
  Edits fence_before(const Place& place, Order order, Scope scope) const override;
  Edits without(const Place& fence) const override;
  Edits as_atomic(const Place& place, Scope scope) const override;
  bool has_atomic_loads() const override { return true; }
  Edits as_atomic_update(const Place&, Scope) const override { return std::nullopt; }
  Edits in_lock(const Place&, const LockWords&) const override { return std::nullopt; }
  std::optional<LockWords> lock_of(const Place&) const override { return std::nullopt; }
  Edits barrier(const Place&, const BarrierPosition&, const std::string&) const override { return std::nullopt; }
  Edits in_block(const Thread& thread, int block) const override;
  std::optional<std::string> fence_words(Order order, Scope scope) const override;
  std::vector<Order> fence_orders() const override { return {Order::AcqRel, Order::SeqCst}; }

 private:
  const SourceText& text_;
};

}  // namespace ambit::repair
