#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/explain/repair.h"
#include "model/repair/forms.h"
#include "model/repair/slots.h"

namespace ambit::repair {

/// The common part of strengthening and weakening: places of the program, and the texts and costs of scopes and orders.
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
  /// Returns the useful scopes in increasing order: scopes that separate threads of the program, and the narrowest
  /// scope that contains all threads.
  std::vector<Scope> useful_scopes() const;
  /// Returns a name of the site with its line: "the fence", "the access `atomicAdd(&x, 1)`".
  std::string name_of(const explain::Site& site) const;

  static Cost cost_of_scope(Scope scope);
  static Cost cost_of_fence(Scope scope);
  static Cost cost_of_order(Order order);

  /// Adds a slot if it has several levels and differs from all other slots.
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
