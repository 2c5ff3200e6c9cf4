/// Tests the header, memory, thread placement, launches, conditions and expectations of litmus tests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/parser/litmus/litmus_listing.h"

namespace ambit::parser {
namespace {

using testing::ElementsAre;

std::shared_ptr<const Program> parse_text(const std::string& text, const ProgramOptions& options = {}) {
  const auto source = std::make_shared<const SourceFile>(SourceFile{"t.litmus", text});
  const auto result = parse_program(source, options);
  if (result.ok()) return result.value();
  ADD_FAILURE() << render(result.errors());
  return std::make_shared<Program>();
}

std::vector<std::string> thread_names(const Program& program) {
  std::vector<std::string> names;
  for (const Thread& thread : program.threads) names.push_back(thread.name);
  return names;
}
std::vector<std::string> observable_names(const Program& program) {
  std::vector<std::string> names;
  for (const Observable& observable : program.observables) names.push_back(observable.name);
  return names;
}

constexpr const char* kMessagePassing = R"(CUDA MP+dev-fences
"Message passing between blocks; both sides fence at device scope."
Source=textbook

{ global int x = 0, flag = 0; }

P0 @ block 0 {
  x = 1;
  __threadfence();
  atomicExch(&flag, 1);
}

P1 @ block 1 {
  int r0 = atomicAdd(&flag, 0);
  __threadfence();
  int r1 = -1;
  if (r0 == 1) r1 = x;
}

exists (P1:r0 == 1 && P1:r1 == 0)

expect ptx          : Never, norace
expect hrf-indirect : Never, norace
)";

TEST(LitmusProgram, FirstExampleOfTheLanguage) {
  const auto program = parse_text(kMessagePassing);
  EXPECT_EQ(program->name, "MP+dev-fences");
  EXPECT_EQ(program->description, "Message passing between blocks; both sides fence at device scope.");
  EXPECT_EQ(program->metadata.at("Source"), "textbook");
  EXPECT_THAT(thread_names(*program), ElementsAre("P0", "P1"));
  EXPECT_EQ(listing(*program, program->threads[0]), "st x weak = 1\nfence sc.device\nrmw.exch flag rlx.device (1)\n");
  EXPECT_EQ(listing(*program, program->threads[1]),
            "r0 = rmw.add flag rlx.device (0)\nfence sc.device\nr1 = -1\nif (r0 != 1) goto 5\nr1 = ld x weak\n");
  EXPECT_EQ(program->condition.quantifier, Quantifier::Exists);
  EXPECT_EQ(expression(*program, nullptr, *program->condition.proposition), "((P1:r0 == 1) && (P1:r1 == 0))");
  EXPECT_THAT(observable_names(*program), ElementsAre("P1:r0", "P1:r1"));
  ASSERT_EQ(program->expectations.size(), 2U);
  EXPECT_EQ(program->expectations[1].model, "hrf-indirect");
  EXPECT_EQ(program->expectations[1].frequency, Frequency::Never);
  EXPECT_EQ(program->expectations[1].race, false);
}

constexpr const char* kKernel = R"(CUDA norace_interblock_lock_waw
Source=ScoR

__device__ int lock = 0;
__global__ void kmain(volatile unsigned int *data) {
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
  data[0] = blockIdx.x + 1;
  __threadfence();
  atomicExch(&lock, 0);
}
launch kmain<<<2, 1>>>(data[1]);

forall (lock == 0)
label scor           : norace
expect hrf-indirect  : Always, norace
)";

TEST(LitmusProgram, SecondExampleOfTheLanguage) {
  const auto program = parse_text(kKernel);
  EXPECT_THAT(thread_names(*program), ElementsAre("b0t0", "b1t0"));
  EXPECT_EQ(listing(*program, program->threads[1]),
            "%0 = rmw.cas lock rlx.device (0 -> 1)\n"
            "if (%0 != 0) goto 0\n"
            "fence sc.device\n"
            "st data[0] rlx.system volatile = 2\n"
            "fence sc.device\n"
            "rmw.exch lock rlx.device (0)\n");
  EXPECT_EQ(program->condition.quantifier, Quantifier::Forall);
  ASSERT_EQ(program->labels.size(), 1U);
  EXPECT_EQ(program->labels[0].suite, "scor");
  EXPECT_FALSE(program->labels[0].race);
}

TEST(LitmusProgram, HeaderIsFreeText) {
  const auto program = parse_text(
      "// a comment first\n(* and another *)\nCUDA 2+2W.x-y z  // trailing\n\"two\nlines\"\nUrl=https://a/b=c\n"
      "Empty=\nP0 @ block 0 { }\n");
  EXPECT_EQ(program->name, "2+2W.x-y z");
  EXPECT_EQ(program->description, "two\nlines");
  EXPECT_EQ(program->metadata.at("Url"), "https://a/b=c");
  EXPECT_EQ(program->metadata.at("Empty"), "");
}

TEST(LitmusProgram, CommentsAndDereferencesInParentheses) {
  const auto program =
      parse("{ global int x; }\nP0 @ block 0 { int *p = &x; (*p) = 1; /* c */ (* c *) (** c **) (*p)++; // c\n }\n");
  EXPECT_EQ(program->threads[0].code.size(), 4U);  // the pointer p, the store of 1, and the load and the store of ++
}

TEST(LitmusMemory, ObjectsAndCells) {
  const auto program = parse(
      "constexpr int N = 2;\n{ global int x = -1, data[N] = {5}; volatile global unsigned u = 0xffffffff;\n"
      "  shared short s[2]; global cuda::atomic<long long> w = 3; }\n"
      "P0 @ block 0 { s[0] = 1; }\nP1 @ block 2 { s[1] = 2; }\nP2 @ gpu 1 block 0 { s[0] = 1; }\n");
  std::vector<std::string> cells;
  for (const Location& cell : program->locations) cells.push_back(cell.name + "=" + std::to_string(cell.initial));
  EXPECT_THAT(cells, ElementsAre("x=-1", "data[0]=5", "data[1]=0", "u=4294967295", "w=3", "b0:s[0]=0", "b0:s[1]=0",
                                 "b2:s[0]=0", "b2:s[1]=0", "g1b0:s[0]=0", "g1b0:s[1]=0"));
  EXPECT_EQ(program->objects[0].type, kInt);
  EXPECT_EQ(program->objects[3].type, kLongLong);
  EXPECT_EQ(program->objects[4].space, MemorySpace::Shared);
  EXPECT_EQ(program->objects[4].type, (ScalarType{16, true}));
  EXPECT_EQ(program->location_at(make_address(4, 1)), 6U);
}

TEST(LitmusMemory, UninitializedMemory) {
  const std::string text = "CUDA t\n{ global int x, y = 0; }\nP0 @ block 0 { x = 1; }\n";
  const auto plain = parse_text(text);
  EXPECT_TRUE(plain->objects[0].is_initialized);
  ProgramOptions options;
  options.uninitialized = true;
  const auto undefined = parse_text(text, options);
  EXPECT_FALSE(undefined->objects[0].is_initialized);
  EXPECT_TRUE(undefined->objects[1].is_initialized);
}

TEST(LitmusPlaces, DefaultsAndClusters) {
  const auto program = parse(
      "{ global int x; }\n"
      "P0 @ block 0 { x = 1; }\nP1 @ block 0 { x = 1; }\nP2 @ block 0 warp 0 lane 3 { x = 1; }\n"
      "P3 @ gpu 1 cluster 4 block 0 { x = 1; }\nP4 @ gpu 1 block 0 { x = 1; }\nP5 @ gpu 1 block 1 { x = 1; }\n"
      "P6 @ gpu 1 block 2 { x = 1; }\n");
  const auto place = [&](std::size_t i) { return program->threads.at(i).place; };
  // P2 is declared in warp 0. P0 and P1 are declared without a warp, so they get the next free warps.
  EXPECT_EQ(place(0), (ThreadPlace{0, 0, 0, 1, 0}));
  EXPECT_EQ(place(1), (ThreadPlace{0, 0, 0, 2, 0}));
  EXPECT_EQ(place(2), (ThreadPlace{0, 0, 0, 0, 3}));
  EXPECT_EQ(place(3).cluster, 4);
  EXPECT_EQ(place(4).cluster, 4);  // same block as P3
  EXPECT_NE(place(5).cluster, 4);
  EXPECT_NE(place(5).cluster, place(6).cluster);
  ASSERT_EQ(program->blocks.size(), 4U);
  EXPECT_EQ(program->blocks[0].threads, 3U);
  EXPECT_EQ(program->blocks[1].threads, 2U);
}

TEST(LitmusLaunch, ThreadsWithoutEventsVanishButAreCounted) {
  const auto program = parse(
      "__global__ void k(int *d) {\n  int tid = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (threadIdx.x % warpSize != 0) return;\n  d[threadIdx.x / 32] = tid;\n}\nlaunch k<<<2, 33>>>(d[2]);\n");
  EXPECT_THAT(thread_names(*program), ElementsAre("b0t0", "b0t32", "b1t0", "b1t32"));
  EXPECT_EQ(listing(*program, program->threads[3]), "tid = 65\nst d[1] weak = 65\n");
  EXPECT_EQ(program->threads[3].place, (ThreadPlace{0, 1, 1, 1, 0}));
  ASSERT_EQ(program->blocks.size(), 2U);
  EXPECT_EQ(program->blocks[0].threads, 33U);
}

TEST(LitmusLaunch, ThreeDimensions) {
  const auto program = parse(
      "__global__ void k(int *d) { d[0] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.y"
      " + 10000 * gridDim.y; }\n"
      "launch k<<<dim3(1, 2), dim3(2, 2, 2)>>>(d[1]);\n");
  ASSERT_EQ(program->threads.size(), 16U);
  // The last thread of the last block is (1, 1, 1) in block (0, 1) of a grid (1, 2, 1). In the numbering of threads, x
  // changes fastest.
  EXPECT_EQ(program->threads[15].name, "b1t7");
  EXPECT_EQ(listing(*program, program->threads[15]), "st d[0] weak = 21111\n");
  EXPECT_EQ(listing(*program, program->threads[1]), "st d[0] weak = 20001\n");
}

TEST(LitmusLaunch, ArgumentsAndSeveralLaunches) {
  const auto program = parse(
      "__device__ int x, data[4];\n"
      "__global__ void put(int *p, int v) { *p = v; }\n"
      "__global__ void both(int *p) { __shared__ int s; s = 1; __syncthreads(); p[0] = s; }\n"
      "launch put<<<1, 1>>>(&x, 3);\nlaunch put<<<1, 1>>>(&data[2], -1);\nlaunch both<<<1, 2>>>(data);\n"
      "exists (b2:s == 1)\n");
  EXPECT_THAT(thread_names(*program), ElementsAre("b0t0", "b1t0", "b2t0", "b2t1"));
  EXPECT_EQ(listing(*program, program->threads[0]), "st x weak = 3\n");
  EXPECT_EQ(listing(*program, program->threads[1]), "st data[2] weak = -1\n");
  EXPECT_EQ(listing(*program, program->threads[3]),
            "st b2:s weak = 1\nbarrier.block 0\n%0 = ld b2:s weak\nst data[0] weak = %0\n");
}

TEST(LitmusLaunch, OnAGpu) {
  const std::string kernel = "__device__ int x;\n__global__ void k() { __shared__ int s; s = 1; x = s; }\n";
  const auto program =
      parse(kernel + "launch k<<<1, 1>>>();\nlaunch k<<<2, 1>>>() on gpu 1;\nlaunch k<<<1, 1>>>() on gpu 0;\n" +
            "exists (g1b1:s == 1)\n");
  EXPECT_THAT(thread_names(*program), ElementsAre("b0t0", "g1b0t0", "g1b1t0", "b1t0"));
  EXPECT_EQ(program->threads[2].place.gpu, 1);
  EXPECT_EQ(program->threads[2].place.block, 1);
  EXPECT_EQ(program->threads[3].place.block, 1);
  EXPECT_THAT(errors(kernel + "launch k<<<1, 1>>>() on block 1;\n"),
              testing::HasSubstr("expected only the gpu of the launch"));
  EXPECT_THAT(errors(kernel + "launch k<<<1, 1>>>() on gpu 1 gpu 2;\n"),
              testing::HasSubstr("expected only the gpu of the launch"));
  EXPECT_THAT(errors(kernel + "launch k<<<1, 1>>>() on gpu 1024;\n"), testing::HasSubstr("the highest is 1023"));
}

TEST(LitmusLaunch, Limits) {
  const std::string kernel = "__global__ void k(int *d) { if (threadIdx.x < 4) d[0] = 1; }\n";
  ProgramOptions options;
  options.max_launched_threads = 128;
  EXPECT_EQ(errors(kernel + "launch k<<<2, 64>>>(d[1]);\n", options), "");
  EXPECT_THAT(errors(kernel + "launch k<<<2, 65>>>(d[1]);\n", options),
              testing::HasSubstr("this launch has 130 threads, more than the limit of 128"));
  options.max_threads = 7;
  EXPECT_THAT(errors(kernel + "launch k<<<2, 64>>>(d[1]);\n", options), testing::HasSubstr("more than the limit of 7"));
}

std::string condition_of(const std::string& condition) {
  const auto program = parse(
      "{ global int x, data[2]; global unsigned u; shared int s[3]; }\n"
      "P0 @ block 0 { int r0 = x; int r1 = data[1]; s[2] = 1; u = 1; }\n" +
      condition + "\n");
  if (!program->condition.proposition) return "none";
  return expression(*program, nullptr, *program->condition.proposition);
}

TEST(LitmusCondition, NamesAndOperators) {
  EXPECT_EQ(condition_of("exists (P0:r0 == 1 && x != 2)"), "((P0:r0 == 1) && (x != 2))");
  EXPECT_EQ(condition_of("exists (data[1] >= 2 || b0:s[2] < 1)"), "((data[1] >= 2) || (b0:s[2] < 1))");
  EXPECT_EQ(condition_of("~exists (P0:r0=1 /\\ x=2 \\/ P0:r1=0)"), "(((P0:r0 == 1) && (x == 2)) || (P0:r1 == 0))");
  EXPECT_EQ(condition_of("forall (x + 2 * data[0] == 3)"), "((x + (2 * data[0])) == 3)");
  // The older ~ negates the whole comparison; C's ! negates only its operand.
  EXPECT_EQ(condition_of("exists (~x=1 /\\ x=2)"), "((x != 1) && (x == 2))");
  EXPECT_EQ(condition_of("exists (!x == 1)"), "((x == 0) == 1)");
  EXPECT_EQ(condition_of("exists (u == -1)"), "(u ==.u32 4294967295)");
  EXPECT_EQ(condition_of("exists (x)"), "(x != 0)");
  EXPECT_EQ(condition_of("exists (true)"), "1");
}

TEST(LitmusCondition, ObservablesInOrderOfFirstAppearance) {
  const std::string threads =
      "{ global int x, y; }\nP0 @ block 0 { int r0 = x; int r1 = y; int r2 = 3; r2 = r0 + 1; }\n";
  EXPECT_THAT(observable_names(*parse(threads + "exists (P0:r1 == 1 && x == 0 && P0:r1 == 2)")),
              ElementsAre("P0:r1", "x"));
  EXPECT_THAT(observable_names(*parse(threads + "filter (y == 1) exists (x == 0)")), ElementsAre("y", "x"));
  // If the test has no condition, the observables are registers that get values from memory, then cells of global
  // memory that some thread may write.
  const auto all = parse(threads + "P1 @ block 1 { y = 1; x = 1; }\n");
  EXPECT_THAT(observable_names(*all), ElementsAre("P0:r0", "P0:r1", "P0:r2", "x", "y"));
  EXPECT_THAT(observable_names(*parse(threads)), ElementsAre("P0:r0", "P0:r1", "P0:r2"));
  EXPECT_THAT(observable_names(*parse("{ global int i, a[3], b[2]; }\nP0 @ block 0 { a[i] = 1; b[1] = 1; }\n")),
              ElementsAre("a[0]", "a[1]", "a[2]", "b[1]"));
  EXPECT_EQ(all->condition.quantifier, Quantifier::None);
  EXPECT_FALSE(all->condition.proposition.has_value());
}

TEST(LitmusCondition, WithoutConditionOnlyRegistersFedByMemory) {
  const auto program =
      parse("{ global int x; }\nP0 @ block 0 { int a = 1; int b = x; int c = b; int d = a; x = d; }\n");
  EXPECT_THAT(observable_names(*program), ElementsAre("P0:b", "P0:c", "x"));
}

TEST(LitmusExpectations, EverythingThatCanBeExpected) {
  const auto program = parse(
      "{ global int x, data[2]; }\nP0 @ block 0 { x = 1; }\nexists (x == 1)\n"
      "expect hrf-relaxed(incl=nest, rlx=lift) : Sometimes, race on data[1], executions 12 because \"D1\"\n"
      "expect \"models/mine.cat\" : Always, divergence\n"
      "expect sc : Unknown, nodivergence\n"
      "label scor : race predictable because \"a\\b\"\n"
      "detect scord : either\ndetect iguard : norace\n");
  ASSERT_EQ(program->expectations.size(), 3U);
  const Expectation& first = program->expectations[0];
  EXPECT_EQ(first.model, "hrf-relaxed");
  EXPECT_EQ(first.options, (std::map<std::string, std::string>{{"incl", "nest"}, {"rlx", "lift"}}));
  EXPECT_EQ(first.frequency, Frequency::Sometimes);
  EXPECT_EQ(first.race, true);
  EXPECT_EQ(first.race_location, 2U);
  EXPECT_EQ(first.executions, 12U);
  EXPECT_EQ(first.because, "D1");
  EXPECT_EQ(first.span.line, 5U);
  EXPECT_EQ(program->expectations[1].model, "models/mine.cat");
  EXPECT_EQ(program->expectations[1].barrier_divergence, true);
  EXPECT_TRUE(program->expectations[2].unknown);
  EXPECT_EQ(program->expectations[2].barrier_divergence, false);
  EXPECT_FALSE(program->expectations[2].race.has_value());
  ASSERT_EQ(program->labels.size(), 1U);
  EXPECT_TRUE(program->labels[0].race && program->labels[0].predictable);
  ASSERT_EQ(program->detections.size(), 2U);
  EXPECT_EQ(program->detections[0].verdict, DetectExpectation::Verdict::Either);
  EXPECT_EQ(program->detections[1].verdict, DetectExpectation::Verdict::NoRace);
}

TEST(LitmusExpectations, RepetitionIsNotAContradiction) {
  EXPECT_EQ(errors("{ global int x; }\nP0 @ block 0 { x = 1; }\nexists (x == 1)\nexpect sc : Always\nexpect sc : "
                   "Always, norace\n"),
            "");
}

TEST(LitmusNames, WordsOfTheLanguageMayNameVariables) {
  const auto program = parse(
      "{ global int block, race, lock, label, expect, load, shared_x, x; }\n"
      "P0 @ block 0 { int exists = block; int on = load; race = exists + on; label = 1; expect = load(x, relaxed, "
      "block); }\n"
      "exists (P0:exists == 0 && label == 1)\n");
  EXPECT_EQ(program->threads[0].code.size(), 6U);
}

}  // namespace
}  // namespace ambit::parser
