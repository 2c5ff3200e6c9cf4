#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/asynchronous.h"
#include "model/eval/evaluator.h"
#include "model/termination/termination.h"
#include "model/verdict/verdict.h"
#include "tests/support/parsed.h"

// litmus/async/cuda has CUDA sources with the patterns of litmus/async. litmus/async/kernels has pipelines of real
// kernels. It also has variants of these pipelines; each variant lacks one synchronisation.
namespace ambit {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = test::project() / "litmus/async";

std::vector<fs::path> files_of(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// Returns the flags that some execution raises. Omits the flags about the atomicity of accesses.
std::string flags(const std::shared_ptr<const Program>& program, const std::string& model) {
  verdict::Checker checker;
  Context context;
  const auto verdict = checker.check(program, test::shipped_model(model), {}, context);
  if (!verdict.ok()) return render(verdict.errors());
  std::string text;
  const events::Answers& answers = verdict.value().answers;
  for (std::size_t i = 0; i < answers.flags.size(); ++i) {
    if (answers.flags[i].possibility != events::Possibility::Impossible) {
      text += verdict.value().rules->flags[i].name + " ";
    }
  }
  for (const events::Witnessed& incident : answers.incidents) {
    if (incident.possibility != events::Possibility::Impossible) text += "incident ";
  }
  return text;
}

TEST(AsyncSources, AgreeWithTheirPtxTwins) {
  std::size_t twins = 0;
  for (const fs::path& file : files_of(kFolder / "cuda", ".cu")) {
    const fs::path twin = kFolder / (file.stem().string() + ".litmus");
    if (!fs::exists(twin)) continue;
    ++twins;
    for (const char* model : {"ptx", "ptx(async-fence=writer)", "ptx(async-fence=issuer)"}) {
      EXPECT_EQ(flags(test::program_in(file), model), flags(test::program_in(twin), model)) << file << " " << model;
    }
  }
  EXPECT_GE(twins, 68U);
}

/// Returns an instruction's name in a form that CUDA sources and PTX files share: without defaults, and without the
/// state space of shared memory, which follows from the operand.
std::string common_name(const std::string& name) {
  static const std::vector<std::string> kUnsaid = {"weak", "b64", "shared", "shared::cta", "shared::cluster", "tile"};
  std::string words;
  std::istringstream parts(name);
  for (std::string word; std::getline(parts, word, '.');) {
    if (std::ranges::find(kUnsaid, word) == kUnsaid.end()) words += (words.empty() ? "" : ".") + word;
  }
  for (const std::string by_default : {".release.cta", ".acquire.cta"}) {
    const std::size_t at = words.find(by_default);
    if (words.starts_with("mbarrier") && at != std::string::npos) words.erase(at, by_default.size());
  }
  return words;
}

/// Returns the machine instructions of each thread with their operands. Numbers cells by first use in the test. Omits
/// the initialisation of mbarriers, because PTX files declare mbarriers with their counts.
std::vector<std::vector<std::string>> machine_instructions(const Program& program) {
  using Kind = MachineInstruction::Operand::Kind;
  std::vector<std::vector<std::string>> threads;
  std::vector<Value> cells;
  const auto number = [&](Value cell) {
    const auto known = std::ranges::find(cells, cell);
    if (known == cells.end()) cells.push_back(cell);
    return std::to_string(std::ranges::find(cells, cell) - cells.begin());
  };
  for (const Thread& thread : program.threads) {
    std::vector<std::string>& made = threads.emplace_back();
    const MachineInstruction* last = nullptr;
    for (const Instruction& instruction : thread.code) {
      const MachineInstruction* const machine = instruction.machine.get();
      if (machine == nullptr || std::exchange(last, machine) == machine) continue;
      if (machine->name.starts_with("mbarrier.init") || machine->name == kGridStep) continue;
      std::string text = common_name(machine->name);
      for (const MachineInstruction::Operand& operand : machine->operands) {
        if (operand.kind == Kind::Address) text += " [" + number(operand.value.constant) + "]";
        const bool is_new_field = machine->name.starts_with("tensormap.replace");  // the declaration has the value
        if (operand.kind == Kind::Value && !is_new_field) text += " " + std::to_string(operand.value.constant);
        if (operand.kind == Kind::State) text += " state";
        if (operand.kind == Kind::Tensor) text += " t" + std::to_string(operand.value.constant);
        for (const Value coordinate : operand.coordinates) text += "," + std::to_string(coordinate);
      }
      made.push_back(text);
    }
  }
  return threads;
}

// A CUDA source and the PTX file of the same test must give the same instructions on a GPU.
TEST(AsyncSources, HaveTheInstructionsOfTheirPtxTwins) {
  // These sources have other instructions than their PTX files, or another order of threads, but the same verdicts.
  // Sources 31 and 51 copy structs or use arrays of tensor maps, which runners do not support.
  const std::set<std::string> others = {"14-Fuser-3438",
                                        "14-Fuser-3438+wait",
                                        "16-DeepGEMM-343",
                                        "16-DeepGEMM-343+wait",
                                        "20-cutlass-3324",
                                        "31-triton-9046+control",
                                        "31-triton-9046+too-few",
                                        "32-triton-9591",
                                        "32-triton-9591+inval",
                                        "43-ptx-9.7.13.15.14",
                                        "43-ptx-9.7.13.15.14+no-drop",
                                        "51-cudnn-frontend-898",
                                        "51-cudnn-frontend-898+each",
                                        "52-flashinfer-4845",
                                        "52-flashinfer-4845+acquire-late",
                                        "52-flashinfer-4845+release",
                                        "52-flashinfer-4845+release-cta"};
  std::size_t twins = 0;
  for (const fs::path& file : files_of(kFolder / "cuda", ".cu")) {
    const fs::path twin = kFolder / (file.stem().string() + ".litmus");
    if (!fs::exists(twin)) continue;
    auto source = machine_instructions(*test::program_in(file));
    const auto ptx = machine_instructions(*test::program_in(twin));
    while (source.size() > ptx.size() && source.back().empty())
      source.pop_back();  // a thread that only meets other
                          // threads
    const bool is_other = others.contains(file.stem().string());
    if (is_other) {
      EXPECT_NE(source, ptx) << file;
    } else {
      EXPECT_EQ(source, ptx) << file;
      ++twins;
    }
  }
  EXPECT_GE(twins, 52U);
}

/// Expected races and termination of a variant of a pipeline.
struct Expected {
  bool race = false;
  bool stuck = false;
};

Expected expected(const Program& program) {
  Expected found;
  for (const Expectation& one : program.expectations) found.race |= one.options.empty() && one.race.value_or(false);
  for (const TerminationExpectation& one : program.terminations) found.stuck |= one.terminates == false;
  return found;
}

// For each race and each endless wait of a pipeline's variants, some witness execution is allowed by the model.
TEST(AsyncKernels, RacesAndEndlessWaitsHaveWitnesses) {
  const auto rules = test::shipped_model("ptx");
  std::size_t races = 0;
  std::size_t endless = 0;
  for (const fs::path& file : files_of(kFolder / "kernels", ".litmus")) {
    if (!file.stem().string().starts_with("softmax")) continue;
    const auto program = test::program_in(file);
    verdict::Checker checker;
    Context context;
    const Expected wanted = expected(*program);
    if (wanted.race) {
      const verdict::Verdict verdict = checker.check(program, rules, {}, context).value();
      const auto racy =
          std::ranges::find_if(verdict.answers.flags, [](const auto& flag) { return !flag.pairs.empty(); });
      ASSERT_NE(racy, verdict.answers.flags.end()) << file;
      EXPECT_EQ(eval::find_flaw(*verdict.graph, *verdict.rules, *racy->pairs.front().witness), std::nullopt) << file;
      ++races;
    }
    if (!wanted.stuck) continue;
    const auto verdict = termination::check_termination(checker, program, rules, Scheduler::Fair, {}, context).value();
    ASSERT_TRUE(verdict.witness) << file;
    EXPECT_EQ(eval::find_flaw(*verdict.graph, *verdict.rules, *verdict.witness), std::nullopt) << file;
    ++endless;
  }
  EXPECT_GE(races, 5U);
  EXPECT_GE(endless, 3U);
}

TEST(AsyncKernels, EveryFileSaysWhy) {
  std::size_t mutants = 0;
  for (const fs::path& file : files_of(kFolder / "kernels", ".litmus")) {
    const auto program = test::program_in(file);
    EXPECT_FALSE(program->expectations.empty() && program->terminations.empty()) << file;
    for (const Expectation& one : program->expectations) EXPECT_FALSE(one.because.empty()) << file;
    for (const TerminationExpectation& one : program->terminations) EXPECT_FALSE(one.because.empty()) << file;
    ++mutants;
  }
  EXPECT_GE(mutants, 60U);
}

// generate/pipelines.py writes this folder.
TEST(AsyncKernels, AreWhatTheGeneratorWrites) {
  const auto shell = [](const std::string& command) {
    return std::system(command.c_str());  // NOLINT(cert-env33-c): the test needs a shell
  };
  if (shell("command -v python3 >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no python3";
  const fs::path folder = fs::temp_directory_path() / ("ambit-pipelines-" + std::to_string(getpid()));
  ASSERT_EQ(shell("python3 '" + (test::project() / "generate/pipelines.py").string() + "' '" + folder.string() + "'"),
            0);
  const std::vector<fs::path> written = files_of(folder, ".litmus");
  EXPECT_EQ(written.size(), files_of(kFolder / "kernels", ".litmus").size());
  for (const fs::path& file : written) {
    EXPECT_EQ(test::contents(file), test::contents(kFolder / "kernels" / file.filename())) << file.filename();
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ambit
