// Tests critical sections (definitions.md 4.4 #12): the locks of the ScoR suite, and locks for which rules based on
// neighbouring lines fail.

#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

using Events = std::vector<EventId>;

class Locks : public ::testing::Test {
 protected:
  /// The critical sections of a test without branches, and the events in each set of lock events.
  struct Sections {
    Pairs cs;
    Events acquires;
    Events releases;
    Events block;
    Events device;
    friend bool operator==(const Sections&, const Sections&) = default;
  };
  Sections sections() {
    graph_ = graph_of(program_);
    for (const BaseSet set : {BaseSet::LockAcquire, BaseSet::LockRelease, BaseSet::LockBlock, BaseSet::LockDevice}) {
      EXPECT_TRUE(graph_.set(set).sometimes.empty()) << to_string(set);
    }
    EXPECT_TRUE(graph_.relation(BaseRelation::CriticalSection).sometimes.empty());
    return {always_pairs(graph_, BaseRelation::CriticalSection), always_members(graph_, BaseSet::LockAcquire),
            always_members(graph_, BaseSet::LockRelease), always_members(graph_, BaseSet::LockBlock),
            always_members(graph_, BaseSet::LockDevice)};
  }

  ProgramBuilder program_;
  Expr lock_ = program_.global("l");  // event 0
  Expr data_ = program_.global("d");  // event 1
  ThreadBuilder& t_ = program_.thread("P0", {});
  EventGraph graph_;
};

// CS.s: spin CAS; F; Wv d; F; X l=0. Events: R2 W3 F4 W5 F6 R7 W8.
TEST_F(Locks, SpinLock) {
  t_.spin_cas(lock_);
  t_.fence().store(data_, 1, volatile_access()).fence().exchange(lock_, 0);
  EXPECT_EQ(sections(), (Sections{{{2, 8}}, {2}, {8}, {}, {2, 8}}));
}

TEST_F(Locks, BlockLock) {
  t_.spin_cas(lock_, relaxed(Scope::Block));
  t_.fence(Order::SeqCst, Scope::Block).store(data_, 1).fence(Order::SeqCst, Scope::Block);
  t_.exchange(lock_, 0, relaxed(Scope::Block));
  EXPECT_EQ(sections(), (Sections{{{2, 8}}, {2}, {8}, {2, 8}, {}}));
}

// race_interblock_lock-blkfence_waw: CAS.dev; F.blk; Wv; F.dev; X.dev. The acquire has block scope, so the section has
// block scope, too.
TEST_F(Locks, NarrowAcquireFenceNarrowsTheSection) {
  t_.spin_cas(lock_);
  t_.fence(Order::SeqCst, Scope::Block).store(data_, 1).fence().exchange(lock_, 0);
  EXPECT_EQ(sections(), (Sections{{{2, 8}}, {2}, {8}, {2, 8}, {}}));
}

// race_interwarp_none-blklock_waw: CAS.blk; F.dev; Wv; F.dev; X.blk
TEST_F(Locks, NarrowOperationsNarrowTheSection) {
  t_.spin_cas(lock_, relaxed(Scope::Block));
  t_.fence().store(data_, 1).fence().exchange(lock_, 0, relaxed(Scope::Block));
  EXPECT_EQ(sections(), (Sections{{{2, 8}}, {2}, {8}, {2, 8}, {}}));
}

// race_interblock_lock-no-stf_waw: CAS; Wv; F; X. The fence follows the data access, so there is no acquire.
TEST_F(Locks, MissingAcquireFence) {
  t_.spin_cas(lock_);
  t_.store(data_, 1).fence().exchange(lock_, 0);
  EXPECT_EQ(sections(), (Sections{}));
}

// race_interblock_lock-no-tf_waw: CAS; F; Wv; X. There is no release, so no release matches the acquire.
TEST_F(Locks, MissingReleaseFence) {
  t_.spin_cas(lock_);
  t_.fence().store(data_, 1).exchange(lock_, 0);
  EXPECT_EQ(sections(), (Sections{{}, {2}, {}, {}, {2}}));
}

// An exchange of 0 ends the section even if no fence precedes it. Another exchange of 0 is then not a release.
TEST_F(Locks, UnfencedZeroingClosesTheSection) {
  t_.spin_cas(lock_);
  t_.fence().store(data_, 1).exchange(lock_, 0).fence().exchange(lock_, 0);
  EXPECT_EQ(sections(), (Sections{{}, {2}, {}, {}, {2}}));
}

TEST_F(Locks, TwoSectionsInARow) {
  for (int i = 0; i < 2; ++i) {
    t_.spin_cas(lock_);
    t_.fence().store(data_, 1).fence().exchange(lock_, 0);
  }
  EXPECT_EQ(sections(), (Sections{{{2, 8}, {9, 15}}, {2, 9}, {8, 15}, {}, {2, 8, 9, 15}}));
}

TEST_F(Locks, AcquireAndReleaseOrdersNeedNoFences) {
  t_.spin_cas(lock_, acquire(Scope::Block));                   // 2 3
  t_.store(data_, 1).store(lock_, 0, release(Scope::Device));  // 4 5
  EXPECT_EQ(sections(), (Sections{{{2, 5}}, {2}, {5}, {2, 5}, {}}));
}

TEST_F(Locks, SeqCstMappedToFences) {
  t_.spin_cas(lock_, seq_cst());                  // F2 R3 W4
  t_.store(data_, 1).store(lock_, 0, seq_cst());  // W5 F6 W7
  graph_ = graph_of(program_, {.unroll = 3, .mappings = {.seq_cst_as_fences = true}});
  EXPECT_EQ(always_pairs(graph_, BaseRelation::CriticalSection), (Pairs{{3, 7}}));
  EXPECT_EQ(always_members(graph_, BaseSet::LockDevice), (Events{3, 7}));
}

TEST_F(Locks, AcquireFenceDoesNotReleaseAndReleaseFenceDoesNotAcquire) {
  t_.spin_cas(lock_);
  t_.fence(Order::Release).store(data_, 1).fence(Order::Acquire).exchange(lock_, 0);
  EXPECT_EQ(sections(), (Sections{}));
}

TEST_F(Locks, OneFenceForTwoLocks) {
  const Expr second = program_.global("m");   // Event 2. So all later numbers are one higher.
  t_.spin_cas(lock_);                         // Events 3 and 4.
  t_.spin_cas(second);                        // Events 5 and 6.
  t_.fence().store(data_, 1).fence();         // Events 7 to 9.
  t_.exchange(second, 0).exchange(lock_, 0);  // Events 10 to 13.
  EXPECT_EQ(sections(), (Sections{{{3, 13}, {5, 11}}, {3, 5}, {11, 13}, {}, {3, 5, 11, 13}}));
}

TEST_F(Locks, PlainStoreUnlocksAtTheFencesScope) {
  t_.spin_cas(lock_);
  t_.fence().store(data_, 1).fence(Order::SeqCst, Scope::Block).store(lock_, 0);  // F4 W5 F6 W7
  EXPECT_EQ(sections(), (Sections{{{2, 7}}, {2}, {7}, {2, 7}, {}}));
}

TEST_F(Locks, ExchangeOfOneIsNotARelease) {
  t_.spin_cas(lock_);
  t_.fence().store(data_, 1).fence().exchange(lock_, 1);
  EXPECT_EQ(sections(), (Sections{{}, {2}, {}, {}, {2}}));
}

TEST_F(Locks, CompareExchangeOfOtherValuesIsNotAnAcquire) {
  t_.cas(lock_, 1, 2);
  t_.fence().store(data_, 1).fence().exchange(lock_, 0);
  EXPECT_EQ(sections(), (Sections{}));
}

TEST_F(Locks, ReleaseOfAnotherLockDoesNotReleaseThisLock) {
  const Expr other = program_.global("m");
  t_.spin_cas(lock_);  // 3 4
  t_.fence().store(data_, 1).fence().exchange(other, 0);
  EXPECT_EQ(sections(), (Sections{{}, {3}, {}, {}, {3}}));
}

// if (CAS(&l, 0, 1) == 0) { F; d = 1; F; X l=0 }: the section exists only if the CAS succeeds.
TEST_F(Locks, TryLock) {
  const RegisterId r = t_.cas(lock_, 0, 1);  // 2 3
  const Label end = t_.later();
  t_.branch(t_.value(r) != 0, end);
  t_.fence().store(data_, 1).fence().exchange(lock_, 0);  // 4 5 6 7 8
  t_.place(end);
  graph_ = graph_of(program_);
  // If the release is executed, the section exists.
  EXPECT_EQ(always_pairs(graph_, BaseRelation::CriticalSection), (Pairs{{2, 8}}));
  EXPECT_EQ(always_members(graph_, BaseSet::LockRelease), (Events{8}));
  EXPECT_TRUE(always_members(graph_, BaseSet::LockAcquire).empty());
  const auto& acquires = graph_.set(BaseSet::LockAcquire).sometimes;
  ASSERT_EQ(acquires.size(), 1U);
  EXPECT_EQ(acquires[0].event, 2U);
  expect_distinguishes(graph_, acquires[0].condition, {{2, 0}}, {{2, 1}});
}

// The next fence in the text is not always the next fence that runs.
TEST_F(Locks, FenceUnderABranch) {
  // r = x; spin CAS; if (r == 1) F.blk; d = 1 ...; F; X: there is an acquire only if r == 1; its scope is block scope.
  const Expr x = program_.global("x");  // event 2
  const RegisterId r = t_.load(x);      // 3
  t_.spin_cas(lock_);                   // 4 5
  const Label skip = t_.later();
  t_.branch(t_.value(r) != 1, skip);
  t_.fence(Order::SeqCst, Scope::Block);  // 6
  t_.place(skip).store(data_, 1);         // 7
  t_.fence().exchange(lock_, 0);          // 8 9 10
  graph_ = graph_of(program_);
  EXPECT_TRUE(always_pairs(graph_, BaseRelation::CriticalSection).empty());
  const auto& sections = graph_.relation(BaseRelation::CriticalSection).sometimes;
  ASSERT_EQ(sections.size(), 1U);
  EXPECT_EQ(sections[0].from, 4U);
  EXPECT_EQ(sections[0].to, 10U);
  expect_distinguishes(graph_, sections[0].condition, {{3, 1}}, {{3, 0}});
  EXPECT_EQ(graph_.set(BaseSet::LockBlock).sometimes.size(), 2U);
  EXPECT_TRUE(graph_.set(BaseSet::LockDevice).sometimes.empty());
}

// if (r) F.blk; else F.dev; after one CAS: the scope depends on the path.
TEST_F(Locks, ScopeByPath) {
  const Expr x = program_.global("x");  // event 2
  const RegisterId r = t_.load(x);      // 3
  t_.spin_cas(lock_);                   // 4 5
  const Label otherwise = t_.later();
  const Label join = t_.later();
  t_.branch(t_.value(r) != 1, otherwise);
  t_.fence(Order::SeqCst, Scope::Block);  // 6
  t_.jump(join);
  t_.place(otherwise).fence();                                // 7
  t_.place(join).store(data_, 1).fence().exchange(lock_, 0);  // 8 9 10 11
  graph_ = graph_of(program_);
  EXPECT_EQ(always_pairs(graph_, BaseRelation::CriticalSection), (Pairs{{4, 11}}));
  EXPECT_EQ(always_members(graph_, BaseSet::LockAcquire), (Events{4}));
  for (const auto& [set, wanted] :
       {std::pair{BaseSet::LockBlock, Value{1}}, std::pair{BaseSet::LockDevice, Value{0}}}) {
    const auto& members = graph_.set(set).sometimes;
    ASSERT_EQ(members.size(), 2U);
    for (const auto& member : members) {
      EXPECT_TRUE(member.event == 4 || member.event == 11);
      EXPECT_EQ(value_of(graph_, member.condition, {{3, wanted}}), 1);
      EXPECT_EQ(value_of(graph_, member.condition, {{3, 1 - wanted}}), 0);
    }
  }
}

// The program unlocks on each of two paths. Each unlock ends a section.
TEST_F(Locks, UnlockOnBothPaths) {
  t_.spin_cas(lock_);                   // 2 3
  t_.fence();                           // 4
  const RegisterId r = t_.load(data_);  // 5
  t_.fence();                           // 6
  const Label otherwise = t_.later();
  const Label end = t_.later();
  t_.branch(t_.value(r) == 0, otherwise);
  t_.exchange(lock_, 0);  // 7 8
  t_.jump(end);
  t_.place(otherwise).exchange(lock_, 0);  // 9 10
  t_.place(end);
  graph_ = graph_of(program_);
  EXPECT_EQ(always_pairs(graph_, BaseRelation::CriticalSection), (Pairs{{2, 8}, {2, 10}}));
  EXPECT_EQ(always_members(graph_, BaseSet::LockRelease), (Events{8, 10}));
  EXPECT_EQ(always_members(graph_, BaseSet::LockAcquire), (Events{2}));
  EXPECT_EQ(always_members(graph_, BaseSet::LockDevice), (Events{2, 8, 10}));
}

// Operations marked as lock operations form a section, regardless of their values.
TEST_F(Locks, MarkedOperations) {
  t_.spin_cas(lock_, relaxed(), LockRole::Acquire);
  t_.fence().store(data_, 1).fence().exchange(lock_, 0, relaxed(), LockRole::Release);
  EXPECT_EQ(sections(), (Sections{{{2, 8}}, {2}, {8}, {}, {2, 8}}));
}

TEST_F(Locks, LockInAnArray) {
  // spin CAS on locks[r]; F; d; F; X locks[r] = 0. One value gives both addresses, so they certainly name the same
  // lock.
  const Expr locks = program_.array("locks", 2);  // events 2 3
  const Expr x = program_.global("x");            // event 4
  const RegisterId r = t_.load(x);                // 5
  const RegisterId s = t_.declare("s");
  const Expr mine = element(locks, binary(Op::BitAnd, t_.value(r), constant(1)));
  const Label top = t_.here();
  t_.cas_into(s, mine, 0, 1);  // 6 7
  t_.branch(t_.value(s) != 0, top);
  t_.fence().store(data_, 1).fence();  // 8 9 10
  t_.exchange(mine, 0);                // 11 12
  program_.thread("P1", {}).store(x, 1);
  EXPECT_EQ(sections(), (Sections{{{6, 12}}, {6}, {12}, {}, {6, 12}}));
}

}  // namespace
}  // namespace ambit::events
