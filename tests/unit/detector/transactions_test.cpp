#include <gtest/gtest.h>

#include <string>

#include "tests/unit/detector/replayed.h"

// Detectors treat a committed transaction in a trace as a critical section of its scope, and ignore other transactions.
namespace ambit::detector {
namespace {

const std::string kFirst = "b0t0 txn.begin.gpu\nb0t0 w.volatile x=1\nb0t0 txn.commit\n";
const std::string kSecond = "b1t0 txn.begin.gpu\nb1t0 r.volatile x=1\nb1t0 txn.commit\n";

TEST(TransactionSections, TwoTransactionsDoNotRace) {
  for (const char* detector : {"haccrg", "scord", "barracuda", "gwcp"}) {
    EXPECT_TRUE(replayed(detector, kFirst + kSecond).races.empty()) << detector;
  }
}

TEST(TransactionSections, OneBesideAPlainAccessDoes) {
  for (const char* detector : {"scord", "barracuda", "gwcp"}) {
    EXPECT_EQ(replayed(detector, kFirst + "b1t0 r x=1\n").races.size(), 1U) << detector;
  }
}

TEST(TransactionSections, AScopeThatDoesNotReachTheOther) {
  const std::string narrow =
      "b0t0 txn.begin.cta\nb0t0 w.volatile x=1\nb0t0 txn.commit\n"
      "b1t0 txn.begin.cta\nb1t0 r.volatile x=1\nb1t0 txn.commit\n";
  for (const char* detector : {"scord", "barracuda"})
    EXPECT_EQ(replayed(detector, narrow).races.size(), 1U) << detector;
}

TEST(TransactionSections, AbortedTransactionsAreNotSeen) {
  const std::string aborted = "b0t0 txn.begin.gpu\nb0t0 w x=1\nb0t0 txn.abort\nb1t0 w x=2\n";
  for (const char* detector : {"haccrg", "scord", "barracuda", "gwcp"}) {
    EXPECT_TRUE(replayed(detector, aborted).races.empty()) << detector;
  }
}

// A transaction takes effect at its commit, so events of other threads may be between the events of the transaction.
TEST(TransactionSections, OpenTransactionsMayOverlap) {
  const std::string overlap =
      "b0t0 txn.begin.gpu\nb1t0 txn.begin.gpu\nb0t0 w x=1\nb0t0 txn.commit\n"
      "b1t0 r x=1\nb1t0 txn.commit\n";
  EXPECT_TRUE(replayed("barracuda", overlap).races.empty());
}

}  // namespace
}  // namespace ambit::detector
