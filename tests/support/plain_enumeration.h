#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "synthesis/enumeration.h"

namespace ambit::test {

/// A second, independent enumeration of all sequences of statements over all cells, threads and blocks. Two names
/// belong to one class if a permutation of the threads and a renaming of the cells and blocks turn one name into the
/// other. The two enumerations share only the words for statements.
class Plainly {
 public:
  Plainly(const synthesis::Bounds& bounds, const synthesis::Alphabet& alphabet) : bounds_(bounds) {
    for (const synthesis::Act& act : alphabet.acts()) {
      const unsigned cells = act.is_access() ? bounds.variables : act.is_lock() ? bounds.locks : 1;
      for (unsigned cell = 0; cell < cells; ++cell) {
        acts_.push_back(act);
        acts_.back().cell = static_cast<std::uint8_t>(cell);
      }
    }
  }

  std::set<std::string> classes() {
    for (unsigned threads = 1; threads <= bounds_.threads; ++threads) {
      skeleton_.threads.assign(threads, {});
      place(0);
    }
    return classes_;
  }

 private:
  void place(std::size_t thread) {
    if (thread == skeleton_.threads.size()) return write(0, bounds_.events);
    for (unsigned block = 0; block < bounds_.blocks; ++block) {
      skeleton_.threads[thread].block = static_cast<std::uint8_t>(block);
      place(thread + 1);
    }
  }

  void write(std::size_t thread, unsigned left) {
    if (thread == skeleton_.threads.size()) return take();
    if (!skeleton_.threads[thread].acts.empty()) write(thread + 1, left);
    if (left == 0) return;
    for (const synthesis::Act& act : acts_) {
      skeleton_.threads[thread].acts.push_back(act);
      write(thread, left - 1);
      skeleton_.threads[thread].acts.pop_back();
    }
  }

  static bool is_well_formed(const synthesis::SkeletonThread& thread) {
    std::set<int> held;
    bool has_read = false;
    for (const synthesis::Act& act : thread.acts) {
      if (act.is_guarded && !has_read) return false;
      if (act.kind == synthesis::Act::Kind::Lock && !held.insert(act.cell).second) return false;
      if (act.kind == synthesis::Act::Kind::Unlock && held.erase(act.cell) == 0) return false;
      has_read = has_read || act.kind == synthesis::Act::Kind::Read || act.kind == synthesis::Act::Kind::Update;
    }
    return held.empty();
  }

  bool matters() const {
    std::map<int, std::set<std::size_t>> users, takers;
    std::set<int> written;
    for (std::size_t t = 0; t < skeleton_.threads.size(); ++t) {
      const auto& acts = skeleton_.threads[t].acts;
      if (acts.front().kind == synthesis::Act::Kind::Fence || acts.back().kind == synthesis::Act::Kind::Fence)
        return false;
      for (std::size_t i = 0; i + 1 < acts.size(); ++i) {
        if (acts[i].kind == synthesis::Act::Kind::Fence && acts[i + 1].kind == synthesis::Act::Kind::Fence)
          return false;
      }
      for (const synthesis::Act& act : acts) {
        if (act.is_lock()) takers[act.cell].insert(t);
        if (!act.is_access()) continue;
        users[act.cell].insert(t);
        if (act.kind != synthesis::Act::Kind::Read) written.insert(act.cell);
      }
    }
    for (const auto& [cell, threads] : users) {
      if (threads.size() < 2 || !written.contains(cell)) return false;
    }
    return std::all_of(takers.begin(), takers.end(), [](const auto& entry) { return entry.second.size() > 1; });
  }

  bool barriers_fit() const {
    std::map<int, std::set<std::ptrdiff_t>> counts;
    std::map<int, int> threads;
    for (const synthesis::SkeletonThread& thread : skeleton_.threads) {
      ++threads[thread.block];
      counts[thread.block].insert(std::count_if(thread.acts.begin(), thread.acts.end(), [](const synthesis::Act& act) {
        return act.kind == synthesis::Act::Kind::Barrier;
      }));
    }
    return std::all_of(counts.begin(), counts.end(), [&](const auto& entry) {
      const bool alone = !bounds_.all && threads[entry.first] < 2 && *entry.second.rbegin() > 0;
      return entry.second.size() == 1 && !alone;
    });
  }

  void take() {
    if (!std::all_of(skeleton_.threads.begin(), skeleton_.threads.end(), is_well_formed)) return;
    if (!barriers_fit() || (!bounds_.all && !matters())) return;
    classes_.insert(representative());
  }

  /// Returns the least name in the program's class.
  std::string representative() const {
    std::string least;
    std::vector<std::size_t> order(skeleton_.threads.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    do {
      std::map<int, std::uint8_t> blocks, variables, locks;
      const auto renamed = [](std::map<int, std::uint8_t>& names, int name) {
        return names.emplace(name, static_cast<std::uint8_t>(names.size())).first->second;
      };
      synthesis::Skeleton copy;
      for (const std::size_t t : order) {
        synthesis::SkeletonThread thread = skeleton_.threads[t];
        thread.block = renamed(blocks, thread.block);
        for (synthesis::Act& act : thread.acts) {
          if (act.is_access()) act.cell = renamed(variables, act.cell);
          if (act.is_lock()) act.cell = renamed(locks, act.cell);
        }
        copy.threads.push_back(std::move(thread));
      }
      const std::string name = synthesis::name_of(copy);
      if (least.empty() || name < least) least = name;
    } while (std::next_permutation(order.begin(), order.end()));
    return least;
  }

  synthesis::Bounds bounds_;
  std::vector<synthesis::Act> acts_;
  synthesis::Skeleton skeleton_;
  std::set<std::string> classes_;
};

}  // namespace ambit::test
