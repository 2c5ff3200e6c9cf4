// What docs/performance.md reports: growth by threads, tests on which enumeration explodes, batches of small tests, the
// ScoR suite.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/verdict/verdict.h"
#include "parser/parse.h"
#include "programs.h"

namespace ambit::bench {
namespace {

using verdict::Engine;

std::shared_ptr<const Program> parse(const std::string& text) {
  auto program = parser::parse_program(std::make_shared<SourceFile>(SourceFile{"bench", text}));
  if (!program) throw std::runtime_error(render(program.errors()));
  return program.value();
}

std::shared_ptr<const rules::Rules> model(const std::string& name) {
  auto rules = parser::load_model(name);
  if (!rules) throw std::runtime_error(render(rules.errors()));
  return rules.value();
}

/// Parsing, event graph, engine, witness check: everything that a user waits for, in a warm process.
verdict::Verdict check(verdict::Checker& checker, const std::string& text,
                       const std::shared_ptr<const rules::Rules>& rules, Engine engine, events::Questions questions) {
  Context context;
  verdict::CheckOptions options;
  options.engine = engine;
  options.questions = questions;
  auto result = checker.check(parse(text), rules, options, context);
  if (!result) throw std::runtime_error(render(result.errors()));
  return std::move(result).value();
}

/// Condition reachability only: no flags, no incidents.
events::Questions reachability() {
  events::Questions questions;
  questions.flags = false;
  questions.incidents = false;
  return questions;
}

void run(benchmark::State& state, const std::string& text, const std::string& model_name, Engine engine,
         events::Questions questions) {
  verdict::Checker checker;
  const auto rules = model(model_name);
  for (auto _ : state) benchmark::DoNotOptimize(check(checker, text, rules, engine, questions));
}

void register_growth() {
  for (const unsigned threads : {2U, 4U, 8U, 16U}) {
    for (const bool forbidden : {true, false}) {
      const std::string suffix = "/" + std::to_string(threads) + (forbidden ? "/forbidden" : "/allowed");
      const std::string chain = message_passing_chain(threads, forbidden);
      const std::string ring = store_buffering_ring(threads, forbidden);
      benchmark::RegisterBenchmark(("chain" + suffix).c_str(), run, chain, "ptx", Engine::Smt, reachability())
          ->Unit(benchmark::kMillisecond);
      benchmark::RegisterBenchmark(("ring" + suffix).c_str(), run, ring, "ptx", Engine::Smt, reachability())
          ->Unit(benchmark::kMillisecond);
    }
  }
}

void register_explosive() {
  const std::vector<std::pair<std::string, std::string>> programs = {
      {"adds/8", atomic_adds(8)},
      {"writers/12", many_writers(12)},
      {"ring-fence-sc/10", store_buffering_ring(10, true)},
      {"iriw-readers/10", independent_reads(10)},
  };
  for (const auto& [name, text] : programs) {
    benchmark::RegisterBenchmark(("explosive/" + name).c_str(), run, text, "ptx", Engine::Smt, reachability())
        ->Unit(benchmark::kMillisecond);
  }
  events::Questions outcomes = reachability();
  outcomes.outcomes = true;
  for (const Engine engine : {Engine::Smt, Engine::Explicit}) {
    const std::string name = "explosive/outcomes-ring/14/" + std::string(to_string(engine));
    benchmark::RegisterBenchmark(name.c_str(), run, store_buffering_outcomes(14), "ptx", engine, outcomes)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  }
}

std::vector<std::string> read_corpus(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(AMBIT_SOURCE_DIR "/litmus/" + folder)) {
    if (entry.path().extension() == ".litmus") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::stringstream buffer;
    buffer << std::ifstream(path).rdbuf();
    texts.push_back(buffer.str());
  }
  return texts;
}

/// One iteration checks every file of a folder under every model, parsing once a (file, model).
void run_corpus(benchmark::State& state, const std::string& folder, const std::vector<std::string>& models,
                Engine engine) {
  verdict::Checker checker;
  const std::vector<std::string> texts = read_corpus(folder);
  std::vector<std::shared_ptr<const rules::Rules>> rules;
  for (const std::string& name : models) rules.push_back(model(name));
  for (auto _ : state) {
    for (const std::string& text : texts) {
      for (const auto& one : rules) benchmark::DoNotOptimize(check(checker, text, one, engine, {}));
    }
  }
  state.counters["ms_per_check"] =
      benchmark::Counter(static_cast<double>(texts.size() * models.size()) / 1000.0,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void register_corpus() {
  const std::vector<std::string> plain = {"sc", "hrf-direct", "hrf-indirect", "hrf-relaxed", "ptx"};
  for (const Engine engine : {Engine::Auto, Engine::Smt, Engine::Explicit}) {
    const std::string name(to_string(engine));
    benchmark::RegisterBenchmark(("scor/five-models/" + name).c_str(), run_corpus, "scor", plain, engine)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("scor/gwcp/" + name).c_str(), run_corpus, "scor", std::vector<std::string>{"gwcp"},
                                 engine)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("classic/ptx/" + name).c_str(), run_corpus, "classic",
                                 std::vector<std::string>{"ptx"}, engine)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace ambit::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  ambit::bench::register_growth();
  ambit::bench::register_explosive();
  ambit::bench::register_corpus();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
