#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/explain/repair.h"
#include "model/repair/forms.h"
#include "model/repair/slots.h"

namespace ambit::repair {

/// Common parts of strengthening and weakening: places of the program, and texts and costs of scopes and orders.
class SlotMaker {
 public:
  SlotMaker(const events::EventGraph& graph, const SourceText& text, const SlotOptions& options);

 protected:
  const Operation& operation(const explain::Site& site) const;
  const MemoryAccess* access(const explain::Site& site) const { return access_of(operation(site)); }
  bool is_atomic(const explain::Site& site) const { return access(site) != nullptr && access(site)->is_atomic; }
  bool is_fence(const explain::Site& site) const { return std::holds_alternative<Fence>(operation(site)); }
  bool writes(const explain::Site& site) const;
  bool reads(const explain::Site& site) const;
  Place place_of(const explain::Site& site) const { return {site.span, &operation(site)}; }
  /// Returns the scope of a fence or atomic access; nothing for other operations.
  std::optional<Scope> scope_of(const explain::Site& site) const;
  std::optional<Order> order_of(const explain::Site& site) const;
  /// Returns the useful scopes in increasing order: each scope that separates threads of the program, and the narrowest
  /// scope that contains all threads.
  std::vector<Scope> useful_scopes() const;
  /// Returns the name of a site, such as "the fence" or "the access `atomicAdd(&x, 1)`", followed by its line.
  std::string name_of(const explain::Site& site) const;

  static Cost cost_of_scope(Scope scope);
  static Cost cost_of_fence(Scope scope);
  static Cost cost_of_order(Order order);

  /// Adds a slot, unless the slot has only one level or equals another slot.
  void add(Slot slot);

  const events::EventGraph& graph_;
  const Program& program_;
  const SourceText& text_;
  const SlotOptions& options_;
  std::unique_ptr<Forms> forms_;
  std::vector<explain::Site> sites_;
  std::vector<Slot> slots_;
};

}  // namespace ambit::repair
