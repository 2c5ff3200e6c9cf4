#include "parser/text/written_cells.h"

#include <optional>
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
    const std::optional<Value> part = address.is_constant() ? address.constant : constant_part(address);
    for (LocationId id = 0; id < program_.locations.size(); ++id) {
      const Location& cell = program_.locations[id];
      const bool is_array = !part || object_of(*part) == static_cast<Value>(cell.object);
      const bool is_cell = !address.is_constant() || index_of(address.constant) == cell.index;
      if (is_array && is_cell) written_[id] = true;
    }
  }

  const Program& program_;
  std::vector<bool> written_;
};

}  // namespace

std::vector<bool> written_cells(const Program& program) { return WrittenCells(program).find(); }

}  // namespace ambit::parser
