#include "runner/sim/state.h"

#include <algorithm>

namespace ambit::sim {
namespace {

/// Computes two independent hashes with the finaliser of MurmurHash3 (Appleby, public domain). The result depends on
/// the order of the words.
class Mixer {
 public:
  [[gnu::always_inline]] void add(std::uint64_t word) {
    low_ = mix(low_ ^ (word + 0x9e3779b97f4a7c15U));
    high_ = mix((high_ + word) * 0xd6e8feb86659fd93U + 1);
  }
  Fingerprint result() const { return {low_, high_}; }

 private:
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 33U)) * 0xff51afd7ed558ccdU;
    x = (x ^ (x >> 33U)) * 0xc4ceb9fe1a85ec53U;
    return x ^ (x >> 33U);
  }
  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
};

std::uint64_t bits(Value value) { return static_cast<std::uint64_t>(value); }

void add_memory(Mixer& mixer, const MemoryState& memory) {
  for (const Value value : memory.values) mixer.add(bits(value));
  for (const CacheLine& line : memory.lines) {
    mixer.add(static_cast<std::uint64_t>(line.kind));
    if (line.kind != CacheLine::Kind::Absent) mixer.add(bits(line.value));
  }
  const std::size_t capacity = memory.buffered.empty() ? 0 : memory.buffers.size() / memory.buffered.size();
  for (std::size_t t = 0; t < memory.buffered.size(); ++t) {
    mixer.add(memory.buffered[t]);
    for (std::size_t i = 0; i < memory.buffered[t]; ++i) {
      const BufferedStore& store = memory.buffers[t * capacity + i];
      mixer.add((std::uint64_t{store.location} << 8U) | store.level);
      mixer.add(bits(store.value));
    }
  }
}

void add_operations(Mixer& mixer, const State& state) {
  for (const PendingOperation& one : state.operations) {
    mixer.add((std::uint64_t{one.thread} << 32U) | one.instruction);
    mixer.add((std::uint64_t{one.group} << 32U) | one.reported_mask);
    for (const PendingElement& element : one.elements) {
      mixer.add((element.has_read ? 2U : 0U) | (element.is_done ? 1U : 0U));
      mixer.add(bits(element.value));
    }
  }
  for (const std::uint32_t committed : state.commits) mixer.add(committed);
  for (const Value value : state.async_values) mixer.add(bits(value));
}

/// Adds the progress of the current iteration of each loop. Consider the state just before Ambit recognises a wait.
/// Without the progress, this state would have the same hash as the state one iteration earlier, and the search would
/// never reach the deadlock. The loops of exited threads are ignored.
void add_loops(Mixer& mixer, const State& state) {
  for (std::size_t loop = 0; loop < state.loops.size(); ++loop) {
    const LoopState& round = state.loops[loop];
    if (state.threads[round.thread].has_exited) continue;
    mixer.add((std::uint64_t{round.watches} << 2U) | (round.has_registers ? 2U : 0U) | (round.has_effect ? 1U : 0U));
    const std::size_t read = std::min<std::size_t>(round.watches, kMaxWatches);
    for (std::size_t i = 0; i < read && !round.has_effect; ++i) {
      const Watch& watch = state.watches[loop * kMaxWatches + i];
      mixer.add((std::uint64_t{watch.location} << 8U) | watch.level);
      mixer.add(bits(watch.value));
    }
  }
  for (const Value value : state.loop_registers) mixer.add(bits(value));
}

}  // namespace

Fingerprint fingerprint(const State& state) {
  Mixer mixer;
  for (const ThreadState& thread : state.threads) {
    mixer.add(thread.spin);
    mixer.add((std::uint64_t{thread.pc} << 2U) | (thread.is_waiting ? 2U : 0U) | (thread.has_exited ? 1U : 0U));
  }
  for (const Value value : state.registers) mixer.add(bits(value));
  for (const std::uint32_t phase : state.arrivals) mixer.add(phase);
  for (const std::uint32_t word : state.phases) mixer.add(word);
  for (const WarpState& warp : state.warps) {
    mixer.add((std::uint64_t{warp.active} << 32U) | warp.pending);
    mixer.add(warp.undecided);
    for (const WarpEntry& entry : warp.stack) {
      mixer.add((std::uint64_t{entry.lanes} << 2U) | static_cast<std::uint64_t>(entry.kind));
      mixer.add(bits(entry.reconvergence));
    }
  }
  for (const TransactionState& transaction : state.transactions) {
    mixer.add((transaction.has_failed ? 2U : 0U) | (transaction.is_open ? 1U : 0U));
  }
  for (const Value value : state.transaction_registers) mixer.add(bits(value));
  for (const TransactionCell& cell : state.transaction_cells) {
    mixer.add(static_cast<std::uint64_t>(cell.kind));
    mixer.add(bits(cell.value));
  }
  add_operations(mixer, state);
  add_loops(mixer, state);
  add_memory(mixer, state.memory);
  mixer.add((state.is_dropped ? 1U : 0U) | (state.has_failed ? 2U : 0U) | (state.is_out_of_bounds ? 4U : 0U));
  return mixer.result();
}

}  // namespace ambit::sim
