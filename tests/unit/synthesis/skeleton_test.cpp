#include "synthesis/skeleton.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generate/shapes.h"
#include "model/verdict/verdict.h"
#include "synthesis/cycle.h"
#include "synthesis/enumeration.h"
#include "tests/support/parsed.h"

namespace ambit::synthesis {
namespace {

using testing::HasSubstr;

verdict::Verdict verdict_of(const std::shared_ptr<const Program>& program, const std::string& model) {
  verdict::Checker checker;
  Context context;
  verdict::CheckOptions options;
  options.questions.outcomes = true;
  return checker.check(program, test::shipped_model(model), options, context).value();
}

TEST(Skeleton, NamesLeadBackToPrograms) {
  for (const std::string name : {"Wx+Wy.rel.gpu_Ry.acq.gpu+Rx.if@0,1", "Lk.gpu+Wx+Nk.gpu_Lk.cta+Wx+Nk.cta@0,0",
                                 "Ux.rlx.cta+F.sc.sys+Wy.vol_B+Ry@0,0", "Wx_Rx@0,1.1"}) {
    const auto skeleton = skeleton_named(name);
    ASSERT_TRUE(skeleton) << name;
    EXPECT_EQ(name_of(*skeleton), name);
  }
  for (const std::string name : {"", "Wx", "Wx@", "Wq@0", "Wx.gpu.rlx@0", "Zx@0", "Wx_Rx@0", "Wx@a"}) {
    EXPECT_FALSE(skeleton_named(name)) << name;
  }
}

TEST(Skeleton, TheProgramIsWhatTheParserMakesOfTheText) {
  const auto alphabet = Alphabet::read("plain,relaxed,relacq,fences,updates,locks,guards", "<test>");
  ASSERT_TRUE(alphabet.ok());
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const auto skeleton = random_program({6, 2, 2, 2, 1}, alphabet.value(), seed);
    ASSERT_TRUE(skeleton);
    const std::string text = litmus_text(*skeleton, name_of(*skeleton), "", "");
    for (const char* const model : {"sc", "ptx", "hrf-indirect"}) {
      const verdict::Verdict built = verdict_of(program_of(*skeleton), model);
      const verdict::Verdict read = verdict_of(test::program_of(text), model);
      ASSERT_EQ(built.graph->size(), read.graph->size()) << text;
      for (events::EventId e = 0; e < built.graph->size(); ++e) {
        EXPECT_EQ(built.graph->describe(e), read.graph->describe(e)) << text;
      }
      EXPECT_EQ(built.answers.outcomes.size(), read.answers.outcomes.size()) << text;
      EXPECT_EQ(built.race, read.race) << text;
    }
  }
}

/// Returns the name of a skeleton with the same accesses as `shape`, all relaxed atomics without guards.
std::string skeleton_of(const generate::Shape& shape) {
  Skeleton skeleton;
  for (const auto& steps : shape.threads) {
    SkeletonThread thread;
    thread.block = static_cast<std::uint8_t>(skeleton.threads.size());
    for (const generate::Step& step : steps) {
      Act act;
      act.kind = step.kind == generate::Step::Kind::Read ? Act::Kind::Read : Act::Kind::Write;
      act.access = Act::Access::Atomic;
      act.order = Order::Relaxed;
      act.scope = Scope::Device;
      act.cell = static_cast<std::uint8_t>(step.location);
      thread.acts.push_back(act);
    }
    skeleton.threads.push_back(std::move(thread));
  }
  return name_of(canonical(skeleton));
}

TEST(Cycle, DescribesTheShapesOfTheCorpus) {
  const std::map<std::string, std::string> cycles = {
      {"MP", "PodWW Rfe PodRR Fre"},
      {"SB", "PodWR Fre PodWR Fre"},
      {"LB", "PodRW Rfe PodRW Rfe"},
      {"S", "PodWW Rfe PodRW Coe"},
      {"R", "PodWW Coe PodWR Fre"},
      {"2+2W", "PodWW Coe PodWW Coe"},
      {"WRC", "Rfe PodRW Rfe PodRR Fre"},
      {"RWC", "Rfe PodRR Fre PodWR Fre"},
      {"ISA2", "PodWW Rfe PodRW Rfe PodRR Fre"},
      {"Z6.0", "PodWW Rfe PodRW Coe PodWR Fre"},
      {"Z6.1", "PodWW Coe PodWW Rfe PodRW Coe"},
      {"Z6.2", "PodWW Rfe PodRW Rfe PodRW Coe"},
      {"Z6.3", "PodWW Coe PodWW Rfe PodRR Fre"},
      {"Z6.4", "PodWW Coe PodWR Fre PodWR Fre"},
      {"Z6.5", "PodWW Coe PodWW Coe PodWR Fre"},
      {"IRIW", "Rfe PodRR Fre Rfe PodRR Fre"},
      {"CoRR", "Rfe PosRR Fre"},
  };
  std::vector<generate::Shape> shapes = generate::two_thread_shapes();
  for (const auto& more : {generate::wide_shapes(), generate::coherence_shapes()}) {
    shapes.insert(shapes.end(), more.begin(), more.end());
  }
  std::size_t compared = 0;
  for (const generate::Shape& shape : shapes) {
    const auto cycle = cycles.find(shape.name);
    if (cycle == cycles.end()) continue;
    const auto made = read_cycle(cycle->second, "rlx.gpu", "<test>");
    ASSERT_TRUE(made.ok()) << shape.name;
    EXPECT_EQ(name_of(canonical(made.value().skeleton)), skeleton_of(shape)) << shape.name;
    // Sequential consistency forbids the outcome of each test. Coherence forbids it for tests with one location.
    const auto& test = made.value();
    const auto program = test::program_of(litmus_text(test.skeleton, test.name, "", test.condition + "\n"));
    EXPECT_EQ(verdict_of(program, "sc").frequency, Frequency::Never) << shape.name;
    const bool is_coherence = shape.locations == 1;
    EXPECT_EQ(verdict_of(program, "ptx").frequency, is_coherence ? Frequency::Never : Frequency::Sometimes)
        << shape.name;
    ++compared;
  }
  EXPECT_EQ(compared, cycles.size());
}

TEST(Cycle, PlacesFencesAccessesAndThreads) {
  const auto made = read_cycle("F.sc.gpu.dWW Rfe.cta acq.cta F.ar.cta.dRR plain Fre.sys", "rlx.gpu", "<test>");
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(name_of(made.value().skeleton), "Wx.rlx.gpu+F.sc.gpu+Wy.rlx.gpu_Ry.acq.cta+F.ar.cta+Rx@0,0");
  EXPECT_EQ(made.value().condition, "exists (P1:r0 == 1 && P1:r1 == 0)");
}

TEST(Cycle, NamesWhatIsWrong) {
  const auto error = [](const std::string& text) {
    const auto made = read_cycle(text, "rlx.gpu", "CYCLE");
    return made.ok() ? "" : render(made.errors());
  };
  EXPECT_THAT(error("PodWW Foo"), HasSubstr("CYCLE:1:7: error: unknown edge or access 'Foo'"));
  EXPECT_THAT(error("PodWW Rfe PodWR Fre"), HasSubstr("begins at a write, but the previous edge ends at a read"));
  EXPECT_THAT(error("PodWR Fre"), HasSubstr("a cycle needs two edges between threads"));
  EXPECT_THAT(error("Rfe PodRR Fre"), HasSubstr("one change of location does not lead back"));
  EXPECT_THAT(error(""), HasSubstr("at least two edges"));
}

}  // namespace
}  // namespace ambit::synthesis
