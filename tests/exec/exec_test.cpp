// Runs `ambit exec` as a user does. Most tests run programs with stored PTX, which need no NVIDIA compiler. If nvcc is
// installed, the microbenchmarks of ScoR are tested, too.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/exec/exec_fixture.h"
#include "tests/support/files.h"
#include "tests/support/slowdown.h"

namespace ambit::test {
namespace {

/// Returns "fence scope too narrow kernels.cu:10 kernels.cu:26 barracuda" for each race.
std::set<std::string> races(const json& report) {
  std::set<std::string> all;
  for (const json& race : report.at("races")) {
    all.insert(race.at("kind").get<std::string>() + " " + race.at("first").at("site").get<std::string>() + " " +
               race.at("second").at("site").get<std::string>() + " " + race.at("detector").get<std::string>());
  }
  return all;
}

TEST_F(Exec, ReportsTheLinesOfARaceWithStatus1) {
  const Ran ran = exec("--schedule rr " + program() + " hand-over-narrow");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "first: 2080\n");
  EXPECT_NE(ran.err.find("race on handed"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("kernels.cu:10"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("handed[threadIdx.x] = threadIdx.x + 1;"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("would order them:"), std::string::npos) << ran.err;
}

TEST_F(Exec, WithoutARaceKeepsTheProgramsOutputAndStatus) {
  const Ran ran = exec("--detector all --runs 3 " + program() + " hand-over rotate");
  // The exit status is not checked, because ScoRD reports a race. ScoRD requires strong accesses around fences, but the
  // data accesses of this program are plain.
  EXPECT_EQ(ran.out, "first: 0\nfirst: 0\nfirst: 0\n");
  const Ran other = exec(program() + " hand-over clear-flag exit-7");
  EXPECT_EQ(other.status, 7) << other.err;
  const Ran quiet = exec("-q " + program() + " hand-over");
  EXPECT_EQ(quiet.status, 0);
  EXPECT_EQ(quiet.err, "");
}

TEST_F(Exec, DetectorsFindTheMissingBarrier) {
  const json found = report("--detector haccrg,barracuda,gwcp --runs 3 " + program() + " rotate-racy");
  const std::set<std::string> all = races(found);
  for (const char* detector : {"haccrg", "barracuda", "gwcp"}) {
    EXPECT_TRUE(std::ranges::any_of(all, [&](const std::string& one) { return one.ends_with(detector); })) << detector;
  }
  EXPECT_EQ(found.at("runs"), 3);
  EXPECT_EQ(found.at("races").at(0).at("memory").get<std::string>().rfind("tile[", 0), 0U);
}

TEST_F(Exec, KernelsCanBeChosen) {
  EXPECT_TRUE(report("--kernel hand " + program() + " rotate-racy").at("races").empty());
  EXPECT_FALSE(report("--kernel rot " + program() + " rotate-racy").at("races").empty());
}

TEST_F(Exec, SuppressionsNeedAReason) {
  const std::string file = (folder_ / "races").string();
  std::ofstream(file) << "kernels.cu:10 # the consumer checks the numbers\n";
  const json found = report("--suppressions " + file + " " + program() + " hand-over-narrow");
  EXPECT_TRUE(found.at("races").empty());
  EXPECT_GT(found.at("suppressed"), 0);
  EXPECT_TRUE(found.at("remarks").empty()) << found.at("remarks");
  std::ofstream(file) << "kernels.cu:10\nkernels.cu:12 no such kind # why\n";
  const Ran ran = exec("--suppressions " + file + " " + program() + " rotate");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("expected # and a reason"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("unknown kind of race 'no such kind'"), std::string::npos) << ran.err;
}

// A suppression accepts the kinds in a line of a report, such as "no synchronisation or missing fence, block level".
TEST_F(Exec, SuppressionsAcceptTheWordsOfReports) {
  const std::string run = program() + " hand-over-narrow";
  const json race = report(run).at("races").at(0);
  const std::string kind = race.at("kind");
  const std::string file = (folder_ / "races").string();
  std::ofstream(file) << "    block 1, thread 0 read  kernels.cu:10:7 not atomic or " << kind << ", block level # why\n"
                      << "kernels.cu:9999 # never\n";
  const json found = report("--suppressions " + file + " " + run);
  EXPECT_GT(found.at("suppressed"), 0);
  EXPECT_EQ(found.at("remarks"), json::array({file + ":2: this suppression matches no race"}));
}

TEST_F(Exec, UnknownKernelNameMeansNothingWasChecked) {
  const Ran ran = exec("--kernel nosuch " + program() + " hand-over-narrow");
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_NE(ran.err.find("nothing was checked: --kernel nosuch"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("none"), ran.err.find("none of the")) << ran.err;  // no detector reports a race
}

TEST_F(Exec, FaultsHaveLines) {
  const Ran ran = exec(program() + " behind-the-end");
  EXPECT_EQ(ran.out, "kernel: cudaErrorIllegalAddress\n");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("out of bounds in behind_the_end"), std::string::npos) << ran.err;
}

TEST_F(Exec, EndlessKernelIsEnded) {
  const Ran ran = exec("--timeout 0.5 " + program() + " clear-flag count");
  EXPECT_EQ(ran.out, "kernel: cudaErrorLaunchTimeout\n");
  EXPECT_NE(ran.err.find("timeout in count"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("none in the part that ran"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.status, 3);
}

// No thread sets the flag, so Ambit ends the kernel, although there is no time limit. If the program used a second
// stream, work on the second stream might set the flag.
TEST_F(Exec, KernelThatPollsUnchangedMemoryIsEnded) {
  const Ran ran = exec(program() + " clear-flag spin");
  EXPECT_EQ(ran.out, "kernel: cudaErrorLaunchTimeout\n");
  EXPECT_NE(ran.err.find("deadlock in spin"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("poll memory that no thread of the launch changes"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.status, 1);
  const Ran streams = exec(program() + " streams-event clear-flag spin");
  EXPECT_NE(streams.err.find("stalled in spin"), std::string::npos) << streams.err;
  EXPECT_NE(streams.err.find("none in the part that ran"), std::string::npos) << streams.err;
  EXPECT_EQ(streams.status, 3);
}

// The signal goes only to the process that runs the program, as with kill(1). The program handles the signal, and the
// report shows where the threads of the launch are.
TEST_F(Exec, InterruptedLaunchSaysWhereItsThreadsAre) {
  const std::string begins = std::to_string(kSlowdown);  // seconds until the launch has begun
  const Ran ran =
      shell("timeout --foreground -s INT " + begins + " " AMBIT_PROGRAM " exec " + program() + " clear-flag count");
  EXPECT_NE(ran.err.find("interrupted in count"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("1 launch of kernels"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("none in the part that ran"), std::string::npos) << ran.err;
}

// Ambit reports the races that it found before the crash. If it had found no race, its exit status would be that of a
// process that a signal ended.
TEST_F(Exec, TheReportSurvivesACrash) {
  const Ran racy = exec("--schedule rr " + program() + " hand-over-narrow crash");
  EXPECT_EQ(racy.status, 1);
  EXPECT_NE(racy.err.find("race on handed"), std::string::npos) << racy.err;
  EXPECT_NE(racy.err.find("signal 6"), std::string::npos) << racy.err;
  EXPECT_EQ(exec(program() + " crash").signal, SIGABRT);
}

TEST_F(Exec, MachineCodeAloneAndMissingFunctions) {
  const Ran code = exec(program() + " machine-code");
  EXPECT_EQ(code.out, "launch: cudaErrorNoKernelImageForDevice\n");
  EXPECT_NE(code.err.find("holds machine code only, no PTX"), std::string::npos) << code.err;
  const Ran missing = exec(program() + " graph graph");
  EXPECT_EQ(missing.out, "graph: cudaErrorNotSupported\ngraph: cudaErrorNotSupported\nfirst: 0\n");
  const std::string note = "cudaGraphCreate, which the runtime library lacks";
  const std::size_t at = missing.err.find(note);
  ASSERT_NE(at, std::string::npos) << missing.err;
  EXPECT_EQ(missing.err.find(note, at + 1), std::string::npos) << missing.err;
}

// According to NVIDIA's headers, cudaDeviceProp has 728 bytes in version 11, 1032 in 12 and 1008 in 13.
TEST_F(Exec, OlderVersionsOfTheRuntime) {
  const auto of = [&](const std::string& suffix) { return exec(program() + suffix + " hand-over-narrow version"); };
  const Ran old = of("_11");
  EXPECT_EQ(old.out, "version 11, 728 bytes, 132 processors, 1032 bytes, 132 processors\nfirst: 2080\n") << old.err;
  const Ran middle = of("_12");
  EXPECT_EQ(middle.out, "version 12, 728 bytes, 132 processors, 1032 bytes, 132 processors\nfirst: 2080\n");
  const Ran latest = of("");
  EXPECT_EQ(latest.out, "version 13, 1008 bytes, 132 processors, 1008 bytes, 132 processors\nfirst: 2080\n");
  for (const Ran* ran : {&old, &middle, &latest}) {
    EXPECT_EQ(ran->status, 1);
    EXPECT_NE(ran->err.find("race on handed"), std::string::npos) << ran->err;
  }
}

// Ambit kills a host program that exceeds the time limit, but its own exit status is not that of a killed process.
TEST_F(Exec, EndlessHostProgramIsStopped) {
  const Ran ran = exec("--timeout 0.2 /bin/sleep 1000");
  EXPECT_EQ(ran.status, 3);
  EXPECT_NE(ran.err.find("timeout: the program was ended"), std::string::npos) << ran.err;
}

TEST_F(Exec, BadInput) {
  EXPECT_EQ(exec("").status, 2);
  EXPECT_EQ(exec("./no-such-program").status, 2);
  EXPECT_EQ(exec("--no-such-option ./x").status, 2);
  EXPECT_EQ(exec("--detector nobody " + program()).status, 2);
  EXPECT_EQ(exec("kernels.ptx").status, 2);
  EXPECT_EQ(exec("--launch 'x<<<1' kernels.ptx").status, 2);
  EXPECT_EQ(exec("/bin/true").status, 3);  // no runtime was loaded: nothing was checked
}

TEST_F(Exec, APtxFileNeedsNoProgram) {
  const Ran ran = exec("--schedule rr --launch 'hand_over<<<2, 64>>>(int[1], 1)' kernels.ptx");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("race on handed"), std::string::npos) << ran.err;
  EXPECT_EQ(exec("--launch 'hand_over<<<2, 64>>>(int[1], 0)' kernels.ptx").status, 0);
}

// The result does not depend on the number of host threads that execute the blocks.
TEST_F(Exec, JobsDoNotChangeTheResult) {
  for (const char* launch : {"behind_the_end<<<40000, 64>>>(int[64])", "rotate<<<40000, 64>>>(int[64], 1)"}) {
    const std::string rest = std::string(" --schedule rr --detector none --launch '") + launch + "' kernels.ptx";
    const Ran alone = exec("--jobs 1" + rest);
    const Ran three = exec("--jobs 3" + rest);
    EXPECT_EQ(three.status, alone.status) << launch;
    EXPECT_EQ(three.out, alone.out) << launch;
    EXPECT_EQ(three.err, alone.err) << launch;
  }
  const Ran program_runs = exec("--schedule rr --detector none --jobs 2 " + program() + " hand-over rotate");
  EXPECT_EQ(program_runs.out, "first: 0\n");
  EXPECT_EQ(program_runs.status, 0) << program_runs.err;
  EXPECT_EQ(exec("--jobs 0 " + program()).status, 2);
}

// The traces that the option --record writes give the verdict of the run.
TEST_F(Exec, RecordsAreTraces) {
  const std::string file = (folder_ / "run.btrace").string();
  EXPECT_EQ(exec("--detector none --record " + file + " " + program() + " hand-over-narrow").status, 0);
  const Ran ran = shell(std::string(AMBIT_PROGRAM) + " detect --detector barracuda,gwcp " + file);
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_NE(ran.out.find("race on handed"), std::string::npos) << ran.out;
}

TEST_F(Exec, Sarif) {
  const std::string file = (folder_ / "races.sarif").string();
  EXPECT_EQ(exec("--sarif " + file + " " + program() + " hand-over-narrow").status, 1);
  const json sarif = json::parse(contents(file));
  EXPECT_EQ(sarif.at("runs").at(0).at("results").at(0).at("ruleId"), "data-race");
}

TEST_F(Exec, APageWithTheSources) {
  const std::string file = (folder_ / "races.html").string();
  EXPECT_EQ(exec("--html " + file + " " + program() + " hand-over-narrow").status, 1);
  const std::string page = contents(file);
  EXPECT_NE(page.find("href=\"#s0-L10\""), std::string::npos);
  EXPECT_NE(page.find("id=\"s0-L10\""), std::string::npos);
  EXPECT_NE(page.find("handed"), std::string::npos);
}

TEST_F(Exec, ASampleOfMemory) {
  EXPECT_FALSE(report("--sample 1 " + program() + " rotate-racy").at("races").empty());
  // The option --sample N checks one of N pieces of memory. Here, N is so large that no one of the 64 words is checked.
  EXPECT_TRUE(report("--sample 1000000000 " + program() + " rotate-racy").at("races").empty());
  EXPECT_EQ(exec("--sample 0 " + program() + " rotate").status, 2);
}

// Kernels of two streams race unless an event, the host or the default stream orders them.
TEST_F(Exec, ComparesStreams) {
  const json found = report(program() + " streams").at("races");
  ASSERT_EQ(found.size(), 2U) << found;  // a write of one kernel races with both accesses of the other kernel
  for (const json& race : found) {
    EXPECT_EQ(race.at("detector"), "streams");
    EXPECT_EQ(race.at("why"), "nothing orders rotate (launch 1) on stream 1 and rotate (launch 2) on stream 2");
  }
  for (const std::string ordered : {"streams-event", "streams-synchronize", "streams-default"}) {
    EXPECT_TRUE(report(program() + " " + ordered).at("races").empty()) << ordered;
  }
  const json set = report(program() + " streams-set").at("races");
  ASSERT_FALSE(set.empty());
  EXPECT_NE(set[0].dump().find("cudaMemsetAsync"), std::string::npos) << set;
  EXPECT_TRUE(report("--detector none " + program() + " streams").at("races").empty());
}

// docs/guide/real-programs.md names each function of the runtime library, and says how many functions it lacks.
TEST(ExecDocument, NamesEveryFunction) {
  std::ifstream list(project() / "runner/cudart/functions.txt");
  const std::string document = contents(project() / "docs/guide/real-programs.md");
  int lacking = 0;
  for (std::string line; std::getline(list, line);) {
    if (line.ends_with(" unsupported")) ++lacking;
    if (!line.starts_with("cuda") || !line.ends_with(" done")) continue;
    const std::string name = line.substr(4, line.find(' ') - 4);
    EXPECT_NE(document.find("`" + name + "`"), std::string::npos) << name;
  }
  EXPECT_NE(document.find("runtime (" + std::to_string(lacking) + ":"), std::string::npos) << lacking;
}

/// A program listed in programs.txt.
struct KeptProgram {
  struct Race {
    std::string macro;
    std::string first;  ///< "reduction.cu:49"
    std::string second;
  };
  std::string name;
  std::string arguments;
  std::vector<Race> races;
};

void PrintTo(const KeptProgram& program, std::ostream* out) { *out << program.name; }

std::vector<KeptProgram> kept_programs() {
  std::vector<KeptProgram> all;
  std::ifstream list(project() / "tests/exec/programs.txt");
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "program") {
      KeptProgram program;
      std::string folder;
      words >> folder >> program.name;
      std::getline(words, program.arguments);
      all.push_back(program);
    } else if (kind == "race") {
      KeptProgram::Race race;
      words >> race.macro >> race.first >> race.second;
      all.back().races.push_back(race);
    }
  }
  return all;
}

class KeptPrograms : public Exec, public testing::WithParamInterface<KeptProgram> {
 protected:
  /// Runs the program once with a seed. `variant` is a macro, or "none".
  json run(const std::string& variant, int seed) const {
    const KeptProgram& program = GetParam();
    const std::string folder = KEPT_PROGRAMS;
    const std::string ptx = folder + "/" + program.name + "/" + variant + ".ptx";
    const Ran ran = shell("env AMBIT_TEST_PTX=" + ptx + " " + AMBIT_PROGRAM + " exec --json --timeout " +
                          std::to_string(3 * kSlowdown) + " --runs 1 --seed " + std::to_string(seed) + " " + folder +
                          "/programs/" + program.name + program.arguments);
    json report = json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(report.is_object()) << ran.out << ran.err;
    EXPECT_TRUE(variant != "none" || ran.err.find(": ok") != std::string::npos) << ran.err;
    return report.is_object() ? report : json{{"races", json::array()}, {"status", -1}};
  }
};

/// Returns whether the report contains a race between both places. The order of the places does not matter.
bool has_race(const json& report, const KeptProgram::Race& race) {
  return std::ranges::any_of(report.at("races"), [&](const json& one) {
    const auto at = [&](const char* side, const std::string& place) {
      const std::string site = one.at(side).at("site");
      return (site + ":").find("/" + place + ":") != std::string::npos;
    };
    return (at("first", race.first) && at("second", race.second)) ||
           (at("first", race.second) && at("second", race.first));
  });
}

/// The JSON lines that a kept program printed in a run without a race.
std::vector<json> lines_of(const Ran& ran) {
  std::vector<json> lines;
  std::istringstream out(ran.out);
  for (std::string line; std::getline(out, line);) {
    if (line.starts_with('{')) lines.push_back(json::parse(line));
  }
  return lines;
}

// T0 { y = 5; a = x } and T1 { x = 1; y = 6 }. In published ISTM, a failed attempt restores the old version number of
// an entry. So T0 commits a value that it read from T1's failed attempt (docs/reference/transactions/memories.md). In
// the other forms of ISTM, no thread commits such a value.
TEST_F(Exec, OnlyThePublishedIstmCommitsAResultWithoutASerialOrder) {
  const std::string folder = KEPT_PROGRAMS;
  const Ran ran =
      shell("env AMBIT_TEST_PTX=" + folder + "/istm_versions/none.ptx " + AMBIT_PROGRAM + " exec --detector none " +
            folder + "/programs/istm_versions --launches 50 --blocks 2 --threads 32");
  std::map<std::string, int> not_serializable;
  for (const json& line : lines_of(ran)) {
    EXPECT_EQ(line.at("runs"), 3200);
    not_serializable[line.at("method")] += line.at("not_serializable").get<int>();
  }
  ASSERT_EQ(not_serializable.size(), 4U) << ran.out << ran.err;
  EXPECT_GT(not_serializable["istm-as-published"], 0);
  EXPECT_EQ(not_serializable["istm"] + not_serializable["pstm"] + not_serializable["estm"], 0);
}

// Without a race, the program has the right result, and barracuda and gwcp report no race. With a race, the report of
// one of the first five runs contains the two lines of the race.
TEST_P(KeptPrograms, ExactlyTheRacesAreFound) {
  for (int seed = 1; seed <= 2; ++seed) {
    const json fine = run("none", seed);
    EXPECT_EQ(fine.at("races").size(), 0U) << fine.dump(1);
    EXPECT_EQ(fine.at("status"), 0);
  }
  for (const KeptProgram::Race& race : GetParam().races) {
    json report;
    bool is_found = false;
    for (int seed = 1; seed <= 5 && !is_found; ++seed) {
      report = run(race.macro, seed);
      is_found = has_race(report, race);
    }
    EXPECT_TRUE(is_found) << race.macro << report.dump(1);
  }
}

// ---- with clang ----

/// Returns a clang of version 16 or later; empty if none is installed.
std::string clang() {
  for (int version = 22; version >= 16; --version) {
    std::string name = "clang++-" + std::to_string(version);
    if (std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0) return name;
  }
  return "";
}

/// Returns why a program compiled here cannot run; empty if the program can run.
std::string no_program() {
#ifdef __SANITIZE_ADDRESS__
  return "a program without g++'s address sanitizer cannot load a runtime library that has it";
#else
  return "";
#endif
}

/// Returns why sources cannot be compiled with nvcc and run; empty if this is possible.
std::string no_nvcc() {
  const bool is_found = std::system("command -v nvcc >/dev/null 2>&1 || test -x /usr/local/cuda/bin/nvcc") == 0;
  return is_found ? no_program() : "nvcc is not installed";
}

/// Like no_nvcc(), but for clang.
std::string no_clang() { return clang().empty() ? "clang 16 or later is not installed" : no_program(); }

// This test needs neither nvcc nor CUDA's headers.
TEST_F(Exec, ClangCompilesSourcesWithoutCuda) {
  if (const std::string why = no_clang(); !why.empty()) GTEST_SKIP() << why;
  const std::string command = "env AMBIT_CLANG=" + clang() + " " + AMBIT_PROGRAM + " exec --json --runs 2 ";
  const std::string source = (project() / "kernels/apps/reduction.cu").string() + " --size 8000 --blocks 4";
  const json right = json::parse(shell(command + source).out);
  EXPECT_EQ(right.at("races").size(), 0U) << right.dump(1);
  EXPECT_EQ(right.at("status"), 0);
  EXPECT_EQ(right.at("launches"), 2);  // one per run
  const Ran ran = shell(command + "-D RACE_TICKET " + source);
  EXPECT_EQ(ran.status, 1) << ran.err;
  bool is_found = false;
  const json racy = json::parse(ran.out);
  for (const json& race : racy.at("races")) {
    const auto ends = [&](const char* side, const char* line) {
      return race.at(side).at("site").get<std::string>().ends_with(line);
    };
    is_found |= ends("first", "reduction.cu:49") && ends("second", "reduction.cu:55");
  }
  EXPECT_TRUE(is_found) << ran.out;
  const std::string broken = (folder_ / "broken.cu").string();
  std::ofstream(broken) << "__global__ void k() { undeclared = 1; }\nint main() {}\n";
  const Ran refused = shell(command + broken);
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("clang refuses it"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("broken.cu:1:23"), std::string::npos) << refused.err;
  EXPECT_EQ(shell("env AMBIT_CLANG=/bin/true " + std::string(AMBIT_PROGRAM) + " exec " + broken).status, 2);
}

// By default, nvcc targets sm_75. There, cuda_pipeline.h copies with plain accesses, which do not race in this kernel.
TEST_F(Exec, SourcesAreCompiledForAnArchitectureWithAsynchronousCopies) {
  if (const std::string why = no_nvcc(); !why.empty()) GTEST_SKIP() << why;
  const std::string source = (folder_ / "copy.cu").string();
  std::ofstream(source) << R"(#include <cuda_pipeline.h>
__global__ void k(const int4* in, int* out) {
  __shared__ int4 s[32];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 16);
  __pipeline_commit();
#ifdef WAIT
  __pipeline_wait_prior(0);
#endif
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x].x;
}
int main() {
  int4* in;
  int* out;
  cudaMalloc(&in, 512);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 512);
  k<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
)";
  const auto status = [&](const std::string& options) {
    return shell(std::string(AMBIT_PROGRAM) + " exec " + options + source).status;
  };
  EXPECT_EQ(status(""), 1);
  EXPECT_EQ(status("-D WAIT "), 0);
  EXPECT_EQ(status("--arch sm_90 "), 1);
  EXPECT_EQ(status("--arch sm_75 "), 0);
  EXPECT_EQ(status("--arch hopper "), 2);
}

TEST_F(Exec, ClangCompilesCooperativeGroups) {
  if (const std::string why = no_clang(); !why.empty()) GTEST_SKIP() << why;
  const auto races_of = [this](const std::string& options) {
    const Ran ran = shell("env AMBIT_CLANG=" + clang() + " " + AMBIT_PROGRAM + " exec --json " + options +
                          (project() / "tests/exec/cooperative_groups.cu").string());
    const json report = json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(report.is_object()) << ran.out << ran.err;
    std::set<std::string> lines;
    if (!report.is_object()) return lines;
    if (options.empty()) {
      EXPECT_EQ(report.at("status"), 0) << ran.out;  // the sum is correct
    }
    for (const json& race : report.at("races")) {
      for (const char* side : {"first", "second"}) {
        const std::string site = race.at(side).at("site");
        lines.insert(site.substr(site.rfind(':') + 1));
      }
    }
    return lines;
  };
  using Lines = std::set<std::string>;
  EXPECT_EQ(races_of(""), Lines());
  EXPECT_EQ(races_of("-D RACE_BLOCK "), (Lines{"14", "18"}));  // The array of_tiles has a race.
  EXPECT_EQ(races_of("-D RACE_GRID "), (Lines{"18", "23"}));   // The array of_blocks has a race.
}

// ---- with nvcc ----

class Microbenchmarks : public Exec, public testing::WithParamInterface<std::string> {};

// A test of ScoR gets the same verdicts as a compiled program and as a litmus test. nvcc needs a second for each test,
// so only every third test is compiled, or all tests if AMBIT_COMPILE_ALL is set.
TEST_P(Microbenchmarks, VerdictsOfProgramAndTestAgree) {
  if (const std::string why = no_nvcc(); !why.empty()) GTEST_SKIP() << why;
  const std::string detectors = "--detector scord,iguard,haccrg,barracuda,gwcp ";
  const std::size_t step = std::getenv("AMBIT_COMPILE_ALL") == nullptr ? 3 : 1;
  std::size_t found_files = 0;
  for (const fs::path& file : files_in(project() / "litmus/scor", {".litmus"})) {
    if (!file.stem().string().starts_with(GetParam()) || found_files++ % step != 0) continue;
    const std::string source = (folder_ / (file.stem().string() + ".cu")).string();
    ASSERT_EQ(shell(std::string(AMBIT_PROGRAM) + " emit program " + file.string() + " -o " + source).status, 0);
    const json found =
        report(detectors + "--quantum 3 --timeout " + std::to_string(20 * kSlowdown) + " " + source + " --runs 100");
    const Ran ran =
        shell(std::string(AMBIT_PROGRAM) + " detect --json " + detectors +
              "-O barracuda.rules=ptx -O gwcp.rules=ptx -O barracuda.polling=no -O gwcp.polling=no " + file.string());
    std::set<std::string> expected;
    const json detected = json::parse(ran.out).at("results").at(0);
    for (const json& one : detected.at("detectors")) {
      const auto name = one.at("detector").get<std::string>();
      if (one.at("racy_runs") != 0) expected.insert(name.substr(0, name.find('(')));
    }
    EXPECT_EQ(reporting(found.at("races")), expected) << file;
  }
}

INSTANTIATE_TEST_SUITE_P(Scor, Microbenchmarks,
                         testing::Values("norace_interblock", "norace_interwarp", "norace_intrawarp", "race_interblock",
                                         "race_interwarp"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Programs, KeptPrograms, testing::ValuesIn(kept_programs()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ambit::test
