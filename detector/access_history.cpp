#include "detector/access_history.h"

#include <algorithm>

namespace ambit::detector {

void AccessHistory::grow(std::uint32_t location) {
  cells_.resize(std::max<std::size_t>(location + 1, tables_.locations().size()));
}

void AccessHistory::make_row(Node& node) {
  node.row = clocks_.create();
  clocks_.row(node.row)[node.thread] = node.epoch;
  node.details = static_cast<std::uint32_t>(details_.size());
  details_.emplace_back(std::max<std::size_t>(node.thread + 1, tables_.threads().size()))[node.thread] = node.detail;
}

void AccessHistory::record(Cell& cell, std::uint32_t id, std::uint8_t kind, const Action& access, Epoch now) {
  const Detail detail{access.event, access.site, access.lock, access.lock_scope, access.lock_is_bare};
  if (id == kNoName) {
    Node node;
    node.next = cell.head;
    node.thread = access.thread;
    node.epoch = now;
    node.kind = kind;
    node.detail = detail;
    cell.head = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
    return;
  }
  Node& node = nodes_[id];
  if (node.row == kNoClock && node.thread == access.thread) {
    node.epoch = now;
    node.detail = detail;
    return;
  }
  if (node.row == kNoClock) make_row(node);
  clocks_.row(node.row)[access.thread] = now;
  std::vector<Detail>& details = details_[node.details];
  if (access.thread >= details.size()) {
    details.resize(std::max<std::size_t>(access.thread + 1, tables_.threads().size()));
  }
  details[access.thread] = detail;
}

std::size_t AccessHistory::memory() const {
  std::size_t bytes = cells_.capacity() * sizeof(Cell) + nodes_.capacity() * sizeof(Node);
  for (const auto& details : details_) bytes += details.capacity() * sizeof(Detail);
  return bytes;
}

}  // namespace ambit::detector
