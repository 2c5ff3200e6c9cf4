#include "parser/text/written_cells.h"

#include <optional>
#include <set>
#include <variant>

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
    if (const auto* store = std::get_if<Store>(&operation)) add(store->access.address);
    if (const auto* rmw = std::get_if<Rmw>(&operation)) add(rmw->access.address);
    const auto* step = std::get_if<AsyncStep>(&operation);
    if (step == nullptr) return;
    for (const AsyncElement& element : step->elements) {
      if (element.target) add(element.target->address);
    }
    for (const Rmw& completion : step->completions) add(completion.access.address);
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
