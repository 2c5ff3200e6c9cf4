#include "detector/clocks/access_history.h"

#include <algorithm>
#include <utility>

namespace ambit::detector {

void AccessHistory::grow(std::uint32_t location) {
  cells_.resize(std::max<std::size_t>(location + 1, tables_.locations().size()));
}

void AccessHistory::forget_updates(Cell& cell) {
  for (std::uint32_t* link = &cell.head; *link != kNoName;) {
    Node& node = nodes_[*link];
    if (!is_atomic(without_proxy(node.kind)) || !is_write(without_proxy(node.kind))) {
      link = &node.next;
      continue;
    }
    if (node.others != kNoName) {
      std::vector<Entry>& list = lists_[node.others];
      if (list.size() >= kShort) {
        for (const Entry& entry : list) positions_[key(*link, entry.mark.thread)] = 0;
      }
      list.clear();
    }
    node.first = {};
    node.cover = {};
    node.covered = 0;
    node.is_first_covered = false;
    node.is_whole = false;
    link = &node.next;
  }
}

void AccessHistory::add_node(Cell& cell, std::uint8_t kind, const Action& access, Epoch now) {
  Node node;
  node.next = cell.head;
  node.kind = kind;
  cell.head = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  record(cell.head, access, now, true);
}

std::uint32_t AccessHistory::place_of(std::uint32_t id, std::uint32_t thread) {
  Node& node = nodes_[id];
  if (node.first.mark.thread == thread || node.first.mark.epoch == 0) return kFirst;
  if (node.others == kNoName) {
    node.others = static_cast<std::uint32_t>(lists_.size());
    lists_.emplace_back();
  }
  std::vector<Entry>& list = lists_[node.others];
  if (list.size() <= kShort) {
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      if (list[i].mark.thread == thread) return i;
    }
    if (list.size() == kShort) {
      for (std::uint32_t i = 0; i < list.size(); ++i) positions_[key(id, list[i].mark.thread)] = i + 1;
    }
  }
  if (list.size() < kShort) {
    list.emplace_back();
    return static_cast<std::uint32_t>(list.size() - 1);
  }
  std::uint32_t& position = positions_[key(id, thread)];
  if (position == 0) {
    list.emplace_back();
    position = static_cast<std::uint32_t>(list.size());
  }
  return position - 1;
}

void AccessHistory::record(std::uint32_t id, const Action& access, Epoch now, bool covers) {
  Node& node = nodes_[id];
  std::uint32_t place = node.first.mark.thread == access.thread ? kFirst : place_of(id, access.thread);
  if (!covers) place = uncover(id, place, access.thread);
  Entry& entry = place == kFirst ? node.first : lists_[node.others][place];
  entry.mark = {access.thread, now};
  entry.detail = {access.event, access.site, access.lock, access.lock_scope, access.lock_is_bare};
  if (!covers) return;
  if (place != kFirst && place >= node.covered) node.is_whole = false;  // an uncovered entry may be new
  cover_all(node, entry.mark);
}

std::uint32_t AccessHistory::uncover(std::uint32_t id, std::uint32_t place, std::uint32_t thread) {
  Node& node = nodes_[id];
  const bool is_long = node.others != kNoName && lists_[node.others].size() > kShort;
  if (!is_long) node.cover = {};
  node.is_whole = false;
  if (place == kFirst) {
    node.is_first_covered = false;
    return place;
  }
  if (!is_long || place >= node.covered) return place;
  // Move the entry after all covered entries, because covered entries must remain at the front.
  std::vector<Entry>& list = lists_[node.others];
  const std::uint32_t last = --node.covered;
  if (place != last) {
    std::swap(list[place], list[last]);
    positions_[key(id, list[place].mark.thread)] = place + 1;
    positions_[key(id, thread)] = last + 1;
  }
  return last;
}

Epoch AccessHistory::last_atomic(std::uint32_t location, std::uint32_t thread) const {
  Epoch last = 0;
  const auto look = [&](const Entry& entry) {
    if (entry.mark.thread == thread) last = std::max(last, entry.mark.epoch);
  };
  for (std::uint32_t at = cells_[location].head; at != kNoName; at = nodes_[at].next) {
    const Node& node = nodes_[at];
    if (!is_atomic(node.kind) || is_async(node.kind)) continue;
    look(node.first);
    if (node.others != kNoName) std::ranges::for_each(lists_[node.others], look);
  }
  return last;
}

std::size_t AccessHistory::memory() const {
  std::size_t bytes = cells_.capacity() * sizeof(Cell) + nodes_.capacity() * sizeof(Node) + positions_.memory();
  bytes += lists_.capacity() * sizeof(std::vector<Entry>);
  for (const auto& list : lists_) bytes += list.capacity() * sizeof(Entry);
  return bytes;
}

}  // namespace ambit::detector
