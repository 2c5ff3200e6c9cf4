// `ambit check --launch` and `ambit exec --launch` accept the same launches. Both run launch.ptx, the PTX of launch.cu.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/exec/exec_fixture.h"

namespace ambit::test {
namespace {

struct Case {
  std::string launch;
  bool has_race = false;
};

class Launch : public Exec {
 protected:
  Ran check(const std::string& launch) const {
    return shell(std::string(AMBIT_PROGRAM) + " check -m ptx --expect 'ptx: norace' --launch '" + launch +
                 "' launch.ptx");
  }
  Ran run(const std::string& launch) const {
    return exec("--schedule rr --detector barracuda --launch '" + launch + "' launch.ptx");
  }
};

// Both blocks write out[0] if both flags are above the limit.
TEST_F(Launch, CheckAndExecAgree) {
  const std::vector<Case> cases = {
      {"choose<<<2, 1>>>(flags[2], {out[1], 0}, factors[2], 1.5, scaled[2])", false},
      {"choose<<<2, 1>>>(flags[2] = 1, {out[1], 0}, factors[2], 1.5, scaled[2])", true},
      {"choose<<<2, 1>>>(int flags[2] = {1}, {out[1], 0}, factors[2], 1.5, scaled[2])", false},
      {"choose<<<2, 1>>>(int flags[2] = {1, 2}, {out[1], 1}, factors[2], 1.5, scaled[2])", false},
      {"choose<<<2, 1>>>(int flags[2] = {1, 2}, {out[1], -1}, factors[2], 1.5, scaled[2])", true},
      {"choose<<<dim3(2, 1), (1, 1, 1), 64>>>(int[2] = 9, {int[1], 8}, float[2] = -0.5, 2, float[2])", true},
      {"choose<<<(2), dim3(1)>>>(unsigned[2] = 9, {int out[1], 9}, float f[2] = {1.5, 2}, -1.5f, float[2])", false},
      {"_Z6choosePKi5RangePKffPf<<<2, 1>>>(flags[2]=-1, {out[1], (int)-2}, factors[2], 1.5, scaled[2])", true},
      {"choose<<<1, 1>>>(flags[1] = 1, {out[1], 0}, factors[1], 1.5, scaled[1])", false},
      {"choose<<<2, 1>>>(flags[2] = 1, {out[1], 0}, factors[2], 1.5, float scaled[2])", true},
      {"choose<<<2, 1>>>(flags[3] = {1, 0, 5}, {&flags[2], 0}, factors[2], 1.5, scaled[2])", false},
      {"choose<<<2, 1>>>(flags[3] = {1, 1, 5}, {&flags[2], 0}, factors[2], 1.5, scaled[2])", true},
      {"launch choose<<<2, 1>>>(flags[2] = 1, {out[1], 0}, factors[2], 1.5, factors[2]);", true},
  };
  for (const Case& one : cases) {
    const Ran checked = check(one.launch);
    const Ran ran = run(one.launch);
    EXPECT_EQ(checked.status, one.has_race ? 1 : 0) << one.launch << checked.out << checked.err;
    EXPECT_EQ(ran.status, one.has_race ? 1 : 0) << one.launch << ran.err;
  }
}

TEST_F(Launch, ReportsNameTheArray) {
  const Ran ran = run("choose<<<2, 1>>>(flags[2] = 1, {out[1], 0}, factors[2], 1.5, scaled[2])");
  EXPECT_NE(ran.err.find("race on out (allocated in argument 2)"), std::string::npos) << ran.err;
}

// `check` and `exec` report an error at the same position of the text.
TEST_F(Launch, CheckAndExecReportTheSameErrors) {
  for (const std::string launch : {
           "choose",
           "choose<<<2",
           "choose<<<2, 0>>>()",
           "choose<<<(1, 1, 1, 1), 1>>>()",
           "chose<<<2, 1>>>()",
           "choose<<<2, 1>>>(flags[2])",
           "choose<<<2, 1>>>(flags[2",
           "choose<<<2, 1>>>(foo flags[2], {out[1], 0}, factors[2], 1.5, scaled[2])",
           "choose<<<2, 1>>>(flags[2] = {1, 2, 3}, {out[1], 0}, factors[2], 1.5, scaled[2])",
           "choose<<<2, 1>>>(int[], {out[1], 0}, factors[2], 1.5, scaled[2])",
           "choose<<<2, 1>>>(flags[n], {out[1], 0}, factors[2], 1.5, scaled[2])",
           "choose<<<2, 1>>>(flags[2], {out[1], 0}, flags[2] = 1, 1.5, scaled[2])",
           "choose<<<2, 1>>>(flags[2], {out[1], 0}, flags[3], 1.5, scaled[2])",
           "choose<<<2, 1>>>(flags[2], {out[1], 0}, factors[2], 1.5, &other)",
           "choose<<<2, 1>>>(flags[2], {&flags[2], 0}, factors[2], 1.5, scaled[2])",
           "choose<<<2, 1>>>(flags = 1, {out[1], 0}, factors[2], 1.5, scaled[2])",
       }) {
    const Ran checked = check(launch);
    const Ran ran = run(launch);
    EXPECT_EQ(checked.status, 2) << launch << checked.out;
    EXPECT_EQ(ran.status, 2) << launch << ran.err;
    const std::string first = ran.err.substr(0, ran.err.find('\n'));
    EXPECT_EQ(first.substr(0, 9), "--launch:") << ran.err;
    EXPECT_EQ(checked.err.substr(0, checked.err.find('\n')), first) << launch;
  }
}

}  // namespace
}  // namespace ambit::test
