// Searches for stress parameters that show the weak outcomes of many different tests. This search produced the
// portfolios and profiles (docs/lab/hardware/stress.md).
//   ambit_portfolio_search TESTS SETS.json SECONDS END [WORD END]...    on the first GPU
// The first phase runs every test of the folder under every set in SETS.json, for SECONDS seconds each, until END
// seconds are over. Each pair WORD END adds a phase for the tests whose names contain WORD (`all`: every test). An
// added phase runs the tests whose condition's outcome was rarest, under new random sets and variants of successful
// sets. Each run takes three times as long. Prints a JSON line for each set. Prints a line for each test and set, with
// the number of outcomes and the seconds.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "parser/parse.h"
#include "runner/cuda/launch/kernel_cache.h"
#include "runner/cuda/launch/runner.h"

namespace {

using namespace ambit;
using Clock = std::chrono::steady_clock;

const Clock::time_point kBegan = Clock::now();
double elapsed() { return std::chrono::duration<double>(Clock::now() - kBegan).count(); }

std::string line(const cuda::Stress& stress) {
  std::string text = cuda::profile_text(stress);
  std::erase(text, '\n');
  return text;
}

std::vector<std::shared_ptr<const Program>> read_tests(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::shared_ptr<const Program>> tests;
  for (const auto& file : files) {
    const auto source = parser::read_source(file.string());
    if (!source.ok()) continue;
    const auto program = parser::parse_program(source.value());
    if (program.ok()) tests.push_back(program.value());
  }
  return tests;
}

std::vector<cuda::Stress> read_sets(const std::string& path) {
  std::ifstream in(path);
  std::vector<cuda::Stress> sets;
  for (const auto& one : nlohmann::json::parse(in)) {
    const auto set = cuda::parse_profile(std::make_shared<const SourceFile>(SourceFile{path, one.dump()}));
    if (!set.ok()) {
      std::cerr << render(set.errors());
      std::exit(2);
    }
    sets.push_back(set.value());
  }
  return sets;
}

class Search {
 public:
  Search(cuda::Runner& runner, std::vector<std::shared_ptr<const Program>> tests)
      : runner_(runner), tests_(std::move(tests)), counts_(tests_.size()), trials_(tests_.size()), random_(17) {}

  void try_all(const std::vector<cuda::Stress>& sets, double seconds_of_set, double end) {
    const std::size_t ahead = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16);
    for (std::size_t test = 0; test < tests_.size() && elapsed() < end; ++test) {
      for (std::size_t next = test + 1; next <= test + ahead && next < tests_.size(); ++next) {
        runner_.compile_ahead(*tests_[next], {});
      }
      attempt(test, sets, seconds_of_set);
    }
  }

  /// Tries new sets on the tests whose names contain `word`, rarest outcome first.
  void search(double seconds_of_set, double end, const std::string& word) {
    while (elapsed() < end) {
      std::vector<std::size_t> order;
      for (std::size_t test = 0; test < tests_.size(); ++test) {
        if (tests_[test]->name.find(word) != std::string::npos) order.push_back(test);
      }
      if (order.empty()) return;
      std::shuffle(order.begin(), order.end(), random_);
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
      std::vector<cuda::Stress> sets;
      for (int i = 0; i < 4; ++i) sets.push_back(next_set());
      attempt(order.front(), sets, seconds_of_set);
    }
  }

  const std::vector<cuda::Stress>& good() const { return good_; }

 private:
  /// Returns a lower rank for a test with fewer trials or a rarer outcome.
  double rank(std::size_t test) const {
    return trials_[test] * (counts_[test] == 0 ? 1.0 : counts_[test] < 1000 ? 2.0 : 1000.0);
  }

  cuda::Stress next_set() {
    const auto kind = random_() % 4;
    const cuda::Stress& base = good_.empty() ? usual_ : good_[random_() % good_.size()];
    if (kind == 0) return base;
    if (kind == 1) return cuda::neighbour(random_, cuda::neighbour(random_, base, {}), {});
    cuda::Stress set = cuda::draw(random_, {}, {});
    set.stress_iterations = std::min(set.stress_iterations, 4096U);
    set.pre_stress_iterations = std::min(set.pre_stress_iterations, 256U);
    set.delay_ticks = std::min(set.delay_ticks, 8192U);
    return set;
  }

  /// Returns the number of a set of parameters. Prints the set when it is first used.
  std::size_t number_of(const cuda::Stress& set) {
    const auto [entry, is_new] = numbers_.emplace(line(set), numbers_.size());
    if (is_new) fmt::print("{{\"number\": {}, \"parameters\": {}}}\n", entry->second, entry->first);
    return entry->second;
  }

  void attempt(std::size_t test, const std::vector<cuda::Stress>& sets, double seconds_of_set) {
    const Program& program = *tests_[test];
    cuda::RunOptions options;
    options.sets = sets;
    options.seconds = seconds_of_set * static_cast<double>(sets.size());
    options.seed = ++seed_;
    const auto count_of = [&](const cuda::RunReport& report) {
      std::uint64_t count = 0;
      for (const auto& [outcome, runs] : report.histogram.outcomes) {
        if (evaluate(*program.condition.proposition, outcome) != 0) count += runs;
      }
      return count;
    };
    cuda::RunReport before;
    std::uint64_t count_before = 0;
    const auto tell = [&](const cuda::RunReport& now) {
      const std::uint64_t count = count_of(now);
      if (now.launches > 0) {
        const std::size_t set = number_of(before.current);
        fmt::print(
            "{{\"test\": \"{}\", \"set\": {}, \"count\": {}, \"runs\": {}, \"seconds\": {:.6f}, \"at\": {:.3f}}}\n",
            program.name, set, count - count_before, now.instances - before.instances,
            now.kernel_seconds - before.kernel_seconds, elapsed());
        if (count > count_before && counts_[test] + count_before < 1000) good_.push_back(before.current);
      }
      count_before = count;
      before = now;
    };
    const auto report = runner_.run(program, options, [&](const cuda::RunReport& so_far) {
      if (so_far.launches == 0 || !(so_far.current == before.current)) tell(so_far);
      return true;
    });
    ++trials_[test];
    if (!report.ok()) {
      fmt::print("{{\"test\": \"{}\", \"error\": \"failed\"}}\n", program.name);
      std::cerr << render(report.errors());
      return;
    }
    tell(report.value());
    counts_[test] += count_of(report.value());
  }

  cuda::Runner& runner_;
  std::vector<std::shared_ptr<const Program>> tests_;
  std::vector<std::uint64_t> counts_;
  std::vector<double> trials_;
  std::mt19937_64 random_;
  std::vector<cuda::Stress> good_;
  cuda::Stress usual_;
  std::uint64_t seed_ = 0;
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::cerr << "usage: ambit_portfolio_search TESTS SETS.json SECONDS_OF_SET END [WORD END]...\n";
    return 2;
  }
  const auto tests = read_tests(argv[1]);
  const auto sets = read_sets(argv[2]);
  auto runner = cuda::Runner::open({0}, cuda::KernelCache::default_folder(), false);
  if (!runner.ok()) {
    std::cerr << render(runner.errors());
    return 2;
  }
  std::cerr << fmt::format("{} tests, {} sets, {}\n", tests.size(), sets.size(), runner.value()->device().name);
  runner.value()->keep_kernels();
  Search search(*runner.value(), tests);
  const double seconds_of_set = std::stod(argv[3]);
  search.try_all(sets, seconds_of_set, std::stod(argv[4]));
  std::cerr << fmt::format("first pass ended at {:.1f} s\n", elapsed());
  for (int i = 5; i + 1 < argc; i += 2) {
    search.search(3 * seconds_of_set, std::stod(argv[i + 1]), std::string(argv[i]) == "all" ? "" : argv[i]);
    std::cerr << fmt::format("{} ended at {:.1f} s\n", argv[i], elapsed());
  }
  return 0;
}
