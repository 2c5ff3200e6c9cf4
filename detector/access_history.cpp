#include "detector/access_history.h"

#include <algorithm>

namespace ambit::detector {

void AccessHistory::grow(std::uint32_t location) {
  cells_.resize(std::max<std::size_t>(location + 1, tables_.locations().size()));
}

void AccessHistory::add_node(Cell& cell, std::uint8_t kind, const Action& access, Epoch now) {
  Node node;
  node.next = cell.head;
  node.kind = kind;
  node.cover = {access.thread, now};
  cell.head = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  record(cell.head, access, now);
}

AccessHistory::Entry& AccessHistory::entry_of(std::uint32_t id, std::uint32_t thread) {
  constexpr std::size_t kShort = 8;
  Node& node = nodes_[id];
  if (node.first.mark.thread == thread || node.first.mark.epoch == 0) return node.first;
  if (node.others == kNoName) {
    node.others = static_cast<std::uint32_t>(lists_.size());
    lists_.emplace_back();
  }
  std::vector<Entry>& list = lists_[node.others];
  const auto key = [&](std::uint32_t of) { return (std::uint64_t{id} << 32U) | of; };
  if (list.size() <= kShort) {
    for (Entry& entry : list) {
      if (entry.mark.thread == thread) return entry;
    }
    if (list.size() == kShort) {
      for (std::uint32_t i = 0; i < list.size(); ++i) positions_[key(list[i].mark.thread)] = i + 1;
    }
  }
  if (list.size() < kShort) return list.emplace_back();
  std::uint32_t& position = positions_[key(thread)];
  if (position == 0) {
    list.emplace_back();
    position = static_cast<std::uint32_t>(list.size());
  }
  return list[position - 1];
}

void AccessHistory::record(std::uint32_t node, const Action& access, Epoch now) {
  entry_of(node, access.thread) = {{access.thread, now},
                                   {access.event, access.site, access.lock, access.lock_scope, access.lock_is_bare}};
}

std::size_t AccessHistory::memory() const {
  std::size_t bytes = cells_.capacity() * sizeof(Cell) + nodes_.capacity() * sizeof(Node) + positions_.memory();
  bytes += lists_.capacity() * sizeof(std::vector<Entry>);
  for (const auto& list : lists_) bytes += list.capacity() * sizeof(Entry);
  return bytes;
}

}  // namespace ambit::detector
