#include "generate/oracle.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "generate/variants.h"

namespace ambit::generate {
namespace {

GeneratedTest find(const std::string& name) {
  for (const GeneratedTest& test : all_tests()) {
    if (test.name == name) return test;
  }
  ADD_FAILURE() << "no test named " << name;
  return {};
}

/// Returns a verdict as the text of an expectation, such as "Never norace".
std::string verdict(const std::string& name, Model model) {
  const Judgement judgement = judge(find(name), model);
  const std::string frequency = judgement.witnesses == 0                      ? "Never"
                                : judgement.witnesses == judgement.executions ? "Always"
                                                                              : "Sometimes";
  return frequency + (judgement.race ? " race" : " norace");
}

TEST(Generator, NamesAreUnique) {
  std::set<std::string> names;
  for (const GeneratedTest& test : all_tests()) EXPECT_TRUE(names.insert(test.name).second) << test.name;
  EXPECT_GE(names.size(), 150U);
}

TEST(Generator, SequentialConsistencyForbidsEveryShape) {
  for (const GeneratedTest& test : all_tests()) {
    const Judgement judgement = judge(test, Model::Sc);
    EXPECT_EQ(judgement.witnesses, 0U) << test.name;
    EXPECT_GT(judgement.executions, 0U) << test.name;
  }
}

// The numbers of executions were counted by hand. Each test has one forbidden execution. MP has 4 - 1 allowed
// combinations of values read, IRIW has 16 - 1, and CoRR has 4 - 1. 2+2W has 4 - 1 allowed pairs of coherence orders.
TEST(Oracle, CountsExecutions) {
  EXPECT_EQ(judge(find("MP+plain+xblock"), Model::Sc).executions, 3U);
  EXPECT_EQ(judge(find("IRIW+plain+xblock"), Model::Sc).executions, 15U);
  EXPECT_EQ(judge(find("2+2W+plain+xblock"), Model::Sc).executions, 3U);
  EXPECT_EQ(judge(find("CoRR+plain+xblock"), Model::Sc).executions, 3U);
  EXPECT_EQ(judge(find("MP+if+plain+xblock"), Model::Sc).executions, 2U);
  EXPECT_EQ(judge(find("IRIW+rlx.gpu+xblock"), Model::HrfRelaxed).executions, 16U);
}

// The rows of this test are L1, L2, L6, L7, L8 and L4 of definitions.md section 8, as variants of MP+if and ISA2+if.
TEST(Oracle, AgreesWithTheSeparatingTable) {
  struct Row {
    const char* test;
    const char* direct;
    const char* indirect;
    const char* lift;
    const char* relaxed;
    const char* ptx;
  };
  const Row rows[] = {
      {"MP+if+relacq.cta+iblock", "Never norace", "Never norace", "Never norace", "Never norace", "Never norace"},
      {"MP+if+relacq.cta+xblock", "Never race", "Never race", "Never race", "Sometimes race", "Sometimes race"},
      {"MP+if+rlx.gpu+xblock", "Never norace", "Never norace", "Never race", "Sometimes race", "Sometimes race"},
      {"MP+if+rlx.gpu+fence.sc.gpu+xblock", "Never norace", "Never norace", "Never norace", "Never norace",
       "Never norace"},
      {"MP+if+rlx.gpu+fence.sc.gpu.P0+xblock", "Never norace", "Never norace", "Never race", "Sometimes race",
       "Sometimes race"},
      {"MP+if+rlx.gpu+fence.sc.cta+xblock", "Never norace", "Never norace", "Never race", "Sometimes race",
       "Sometimes race"},
      {"ISA2+if+relacq.gpu+y.cta+split", "Never race", "Never norace", "Never norace", "Never norace", "Never norace"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(verdict(row.test, Model::HrfDirect), row.direct) << row.test;
    EXPECT_EQ(verdict(row.test, Model::HrfIndirect), row.indirect) << row.test;
    EXPECT_EQ(verdict(row.test, Model::HrfIndirectLift), row.lift) << row.test;
    EXPECT_EQ(verdict(row.test, Model::HrfRelaxed), row.relaxed) << row.test;
    EXPECT_EQ(verdict(row.test, Model::Ptx), row.ptx) << row.test;
  }
}

// These facts come from the PTX document and its formal analysis (ASPLOS 2019). If its scope includes both sides,
// fence.sc forbids SB and IRIW, but an acq_rel fence does not. Volatile accesses are strong. Coherence does not order
// two weak reads. Atomicity requires morally strong accesses.
TEST(Oracle, ImplementsPtx) {
  EXPECT_EQ(verdict("SB+rlx.gpu+fence.sc.gpu+xblock", Model::Ptx), "Never norace");
  EXPECT_EQ(verdict("SB+rlx.gpu+fence.ar.gpu+xblock", Model::Ptx), "Sometimes norace");
  EXPECT_EQ(verdict("SB+rlx.gpu+fence.sc.cta+xblock", Model::Ptx), "Sometimes norace");
  EXPECT_EQ(verdict("SB+rlx.gpu+fence.sc.cta+iblock", Model::Ptx), "Never norace");
  EXPECT_EQ(verdict("SB+sc.gpu+xblock", Model::Ptx), "Never norace");
  EXPECT_EQ(verdict("SB+sc.cta+xblock", Model::Ptx), "Sometimes race");
  EXPECT_EQ(verdict("IRIW+relacq.gpu+xblock", Model::Ptx), "Sometimes norace");
  EXPECT_EQ(verdict("IRIW+rlx.gpu+fence.sc.gpu+xblock", Model::Ptx), "Never norace");
  EXPECT_EQ(verdict("LB+rlx.gpu+xblock", Model::Ptx), "Sometimes norace");
  EXPECT_EQ(verdict("CoRR+plain+xblock", Model::Ptx), "Sometimes race");
  EXPECT_EQ(verdict("CoRR+rlx.gpu+xblock", Model::Ptx), "Never norace");
  EXPECT_EQ(verdict("MP+vol+xblock", Model::Ptx), "Sometimes norace");
  EXPECT_EQ(verdict("WRC+relacq.gpu+xblock", Model::Ptx), "Never norace");
  EXPECT_EQ(verdict("MP+relacq.gpu+xgpu", Model::Ptx), "Sometimes race");
}

// HRF-relaxed puts all seq_cst atomics into one total order, whatever their scopes. It has no rule for fence.sc
// (definitions 1.5, choice 9).
TEST(Oracle, ImplementsHrfRelaxed) {
  EXPECT_EQ(verdict("SB+rlx.gpu+fence.sc.gpu+xblock", Model::HrfRelaxed), "Sometimes norace");
  EXPECT_EQ(verdict("SB+sc.cta+xblock", Model::HrfRelaxed), "Never race");
  EXPECT_EQ(verdict("MP+vol+fence.sc.gpu+xblock", Model::HrfRelaxed), "Sometimes race");
}

}  // namespace
}  // namespace ambit::generate
