// A program that is repaired as `ambit exec` proposes has no race.

#include <fmt/format.h>

#include <fstream>

#include "tests/exec/exec_fixture.h"

namespace ambit::test {
namespace {

/// One thread writes data and a flag; a thread of another block waits for the flag and reads the data.
struct Passing {
  std::string name;
  std::string before;  ///< thread code before the flag's write
  std::string write = "st.relaxed.gpu.global.u32 [%rd2], 1;";
  std::string read = "ld.relaxed.gpu.global.u32 %r2, [%rd2];";
  std::string after;  ///< thread code after the flag's read
};

std::string ptx_of(const Passing& passing, bool is_flag_first = false) {
  const std::string data = "st.global.u32 [%rd1], 1;";
  return fmt::format(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry pass(.param .u64 data, .param .u64 flag, .param .u64 out)
{{
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [flag];
  ld.param.u64 %rd3, [out];
  mov.u32 %r1, %ctaid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra READER;
  {}
  {}
  {}
  {}
  ret;
READER:
  {}
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra READER;
  {}
  ld.global.u32 %r3, [%rd1];
  st.global.u32 [%rd3], %r3;
  ret;
}}
)",
                     is_flag_first ? "" : data, passing.before, passing.write, is_flag_first ? data : "", passing.read,
                     passing.after);
}

class Remedies : public Exec {
 protected:
  json races_of(const std::string& ptx) const {
    const std::string file = (folder_ / "pass.ptx").string();
    std::ofstream(file) << ptx;
    return report("--launch 'pass<<<2, 1>>>(int[1], int[1], int[1])' " + file).at("races");
  }
  /// Returns the remedies for the races on the data. Fails unless Ambit has tried every remedy.
  std::set<std::string> remedies(const std::string& ptx) const {
    std::set<std::string> found;
    for (const json& race : races_of(ptx)) {
      EXPECT_TRUE(race.at("remedy_is_tried")) << race;
      EXPECT_GE(race.at("seed"), 1);
      found.insert(race.at("remedy").get<std::string>());
    }
    return found;
  }
};

constexpr const char* kRelease =
    "__threadfence() after the first access and before the write of the flag or lock, or a release store of device "
    "scope";
constexpr const char* kAcquire =
    "__threadfence() after the read of the flag or lock, or an acquire load of device scope";

TEST_F(Remedies, TheMissingSideIsNamed) {
  Passing passing{.name = "no fence", .before = "", .after = ""};
  EXPECT_EQ(remedies(ptx_of(passing)), std::set<std::string>{std::string(kRelease) + "; and " + kAcquire});

  passing.before = "fence.acq_rel.gpu;";
  EXPECT_EQ(remedies(ptx_of(passing)), std::set<std::string>{kAcquire});

  passing.before = "";
  passing.after = "fence.acq_rel.gpu;";
  EXPECT_EQ(remedies(ptx_of(passing)), std::set<std::string>{kRelease});

  passing.before = "fence.acq_rel.gpu;";
  EXPECT_EQ(races_of(ptx_of(passing)), json::array());
}

TEST_F(Remedies, AnAtomicReadModifyWriteTakesTheMissingOrder) {
  Passing passing{.name = "release", .before = "", .after = ""};
  passing.write = "st.release.gpu.global.u32 [%rd2], 1;";
  passing.read = "atom.add.relaxed.gpu.global.u32 %r2, [%rd2], 0;";
  EXPECT_EQ(remedies(ptx_of(passing)), std::set<std::string>{kAcquire});
  passing.read = "atom.add.acquire.gpu.global.u32 %r2, [%rd2], 0;";
  EXPECT_EQ(races_of(ptx_of(passing)), json::array());
}

TEST_F(Remedies, NarrowScopesAreWidened) {
  Passing passing{.name = "fences of a block", .before = "fence.acq_rel.cta;", .after = "fence.acq_rel.cta;"};
  for (const std::string& remedy : remedies(ptx_of(passing))) {
    EXPECT_TRUE(remedy == "__threadfence()" || remedy == "atomics and fences of device scope") << remedy;
  }
  EXPECT_FALSE(races_of(ptx_of(passing)).empty());
}

/// The thread writes the flag before the data, like a hash table that stores a key before the value.
TEST_F(Remedies, NoFenceOrdersWhatFollowsTheFlag) {
  const Passing passing{.name = "flag first", .before = "", .after = ""};
  const std::set<std::string> all = remedies(ptx_of(passing, true));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NE(all.begin()->find("fences alone do not"), std::string::npos) << *all.begin();
  Passing strongest = passing;
  strongest.before = "fence.sc.sys;";
  strongest.after = "fence.sc.sys;";
  EXPECT_EQ(remedies(ptx_of(strongest, true)), all);  // adding fences that already exist changes nothing
}

TEST_F(Remedies, ReadOnceInputIsNotUsedUp) {
  const Ran ran = exec("--runs 1 --json " + program() + " hand-over-narrow");
  EXPECT_EQ(ran.out.find("\"remedy_is_tried\": false"), std::string::npos) << ran.out;
  const Ran piped = shell("sh -c \"echo 1 | " + std::string(AMBIT_PROGRAM) + " exec --runs 1 --json " + program() +
                          " hand-over-narrow\"");
  EXPECT_EQ(piped.out.find("\"remedy_is_tried\": true"), std::string::npos) << piped.out;
}

}  // namespace
}  // namespace ambit::test
