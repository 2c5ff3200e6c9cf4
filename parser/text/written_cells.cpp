#include "parser/text/written_cells.h"

#include <optional>
#include <set>
#include <variant>

#include "base/overloaded.h"
#include "core/opaque.h"

namespace ambit::parser {
namespace {

class WrittenCells {
 public:
  explicit WrittenCells(const Program& program) : program_(program), written_(program.locations.size(), false) {}

  std::vector<bool> find() {
    if (program_.has_aliases()) return std::vector<bool>(written_.size(), true);
    for (const Thread& thread : program_.threads) {
      for (const Instruction& instruction : thread.code) add(instruction.operation);
    }
    for (LocationId id = 0; id < written_.size(); ++id) {
      if (is_anywhere_ || objects_.contains(program_.locations[id].object)) written_[id] = true;
    }
    return std::move(written_);
  }

 private:
  void add(const Operation& operation) {
    std::visit(Overloaded{[&](const OneOf<Store, Rmw> auto& writing) { add(writing.access.address); },
                          [&](const AsyncStep& step) {
                            for (const AsyncElement& element : step.elements) {
                              if (element.target) add(element.target->address);
                            }
                            for (const Rmw& completion : step.completions) add(completion.access.address);
                          },
                          [](const OneOf<Assign, Load, Fence, ProxyFence, Barrier, Branch, Jump, Assume, Assert,
                                         TransactionBegin, TransactionEnd> auto&) {}},
               operation);
  }

  void add(const Expr& address) {
    if (address.is_constant()) {
      if (const auto cell = program_.location_at(address.constant)) written_[*cell] = true;
    } else if (const std::optional<Value> part = constant_part(address)) {
      objects_.insert(static_cast<ObjectId>(object_of(*part)));
    } else {
      is_anywhere_ = true;
    }
  }

  const Program& program_;
  std::vector<bool> written_;
  std::set<ObjectId> objects_;  ///< objects into which computed addresses may point
  bool is_anywhere_ = false;    ///< whether an address may be in any object
};

}  // namespace

std::vector<bool> written_cells(const Program& program) { return WrittenCells(program).find(); }

}  // namespace ambit::parser
