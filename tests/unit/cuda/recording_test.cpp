#include "kernels/recording.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

namespace ambit_kernel {
namespace {

constexpr unsigned kEntries = 12;

/// A log with the entries that a kernel would write. The ticket of entry n is n.
class Filled {
 public:
  void add(unsigned instruction, long long value, bool is_quiet) {
    add_to(log_, kEntries, {ticket_++, instruction, value}, is_quiet,
           [&](unsigned n) -> LogEntry& { return entries_.at(n); });
  }
  void load(unsigned instruction, long long value) { add(instruction, value, true); }
  void store(unsigned instruction) { add(instruction, 0, false); }

  unsigned length() const { return log_.length; }
  /// Returns, for each entry of the log, the instruction and the value.
  std::vector<std::pair<unsigned, long long>> kept() const {
    std::vector<std::pair<unsigned, long long>> entries;
    for (unsigned n = 0; n < log_.length; ++n) entries.emplace_back(entries_[n].instruction, entries_[n].value);
    return entries;
  }
  unsigned ticket(unsigned n) const { return entries_.at(n).ticket; }

 private:
  std::array<LogEntry, kEntries> entries_{};
  Log log_;
  unsigned ticket_ = 0;
};

using Entries = std::vector<std::pair<unsigned, long long>>;

TEST(Recording, ASpinIsOneWaitHoweverLong) {
  Filled log;
  log.store(0);
  for (int i = 0; i < 1000; ++i) log.load(1, 0);
  log.load(1, 7);
  log.load(1, 7);
  EXPECT_EQ(log.kept(), (Entries{{0, 0}, {1, 0}, {1, 7}}));
  EXPECT_EQ(log.ticket(1), 1U);  // the ticket of the first round
  EXPECT_EQ(log.ticket(2), 1001U);
}

TEST(Recording, ARoundMayHaveSeveralAccesses) {
  for (unsigned round = 2; round <= kLongestRound; ++round) {
    Filled log;
    for (unsigned i = 0; i < 100 * round; ++i) log.load(i % round, 5);
    EXPECT_EQ(log.length(), round);
    log.load(0, 6);
    EXPECT_EQ(log.length(), round + 1);
  }
}

// The cell changes, and then changes back. One round of the loop reads the changed value.
TEST(Recording, RoundsThatDifferAreKept) {
  Filled log;
  log.load(0, 0);
  log.load(1, 0);
  log.load(0, 0);
  log.load(1, 1);
  log.load(0, 0);
  log.load(1, 0);
  EXPECT_EQ(log.length(), 6U);
}

TEST(Recording, RoundsThatChangeMemoryAreAllKept) {
  Filled log;
  for (int i = 0; i < 3; ++i) {
    log.load(0, 0);
    log.store(1);
  }
  EXPECT_EQ(log.kept(), (Entries{{0, 0}, {1, 0}, {0, 0}, {1, 0}, {0, 0}, {1, 0}}));
  Filled stores;
  stores.store(1);
  stores.store(1);
  EXPECT_EQ(stores.length(), 2U);
}

TEST(Recording, ALogThatIsFullSaysSoForGood) {
  Filled log;
  for (unsigned i = 0; i < kEntries; ++i) log.store(i);
  EXPECT_EQ(log.length(), kEntries);
  log.store(0);
  EXPECT_EQ(log.length(), kNoLog);
  log.load(1, 0);
  log.load(1, 0);
  EXPECT_EQ(log.length(), kNoLog);
}

}  // namespace
}  // namespace ambit_kernel
