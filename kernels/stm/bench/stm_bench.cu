// Benchmark of the transactional memories. The benchmark prints one JSON line for each chosen combination of
// workload, contention, size, granularity and method. The exit status is 1 if a result differs from the sequential
// result. table.py makes the tables of docs/lab/transactions.md from the lines.
#include <chrono>

// The order matters, because later files use earlier files.
#include "../../apps/app.h"
#include "../stm.cuh"
#include "works.cuh"

#include "methods.cuh"

namespace bench {

/// The options on the command line. Each value is a list of names, separated by commas. Default: all names.
class Choice {
 public:
  Choice(int argc, char** argv) : argc_(argc), argv_(argv), used_(argc, false) {
    if (argc % 2 == 0) fail("expected pairs of --name VALUE");
  }
  bool has(const char* option, const std::string& name) {
    const char* list = value(option);
    return list == nullptr || ("," + std::string(list) + ",").find("," + name + ",") != std::string::npos;
  }
  int number(const char* option, int standard) {
    const char* text = value(option);
    if (text == nullptr) return standard;
    const int number = std::atoi(text);
    if (number < 1) fail(option);
    return number;
  }
  /// Reports unused options as errors. Must be called at the end.
  void finish() const {
    for (int i = 1; i < argc_; i += 2) {
      if (!used_[i]) fail(argv_[i]);
    }
  }

 private:
  const char* value(const char* option) {
    for (int i = 1; i + 1 < argc_; i += 2) {
      if (std::string(argv_[i]) != std::string("--") + option) continue;
      used_[i] = true;
      return argv_[i + 1];
    }
    return nullptr;
  }
  [[noreturn]] void fail(const char* what) const {
    std::fprintf(stderr,
                 "error: option %s\nusage: %s [--work hash,bank,spath,equake] [--method "
                 "estm,pstm,istm,istm-as-published,locks,one-lock] [--contention low,medium,high] [--size "
                 "tiny,small,large] [--granularity 4,8,16,32,64] [--blocks N] [--threads N] [--repetitions N]\n",
                 what, argv_[0]);
    std::exit(2);
  }

  int argc_;
  char** argv_;
  std::vector<bool> used_;
};

struct Cell {
  const char* work;
  const char* contention;
  const char* size;
  Shape shape;
  int blocks;
  int threads;
  int repetitions;
};

constexpr double long_run = 0.2;  // in seconds; a longer run is not repeated

/// The time of the fastest run, with the rounds and failures of this run.
struct Measured {
  double seconds = 0;
  long long rounds = 0;
  unsigned long long failed = 0;
  bool right = true;
};

template <class Device>
using Kernel = void (*)(Task<Device>);

template <class Work>
Measured measure(const Work& work, const Cell& cell, int shift, Kernel<typename Work::Device> kernel) {
  using Clock = std::chrono::steady_clock;
  const Words first = work.first();
  app::Buffer<unsigned> words(first);
  const app::Buffer<unsigned> shadow((first.size() >> shift) + 1, 0u);
  app::Buffer<Told> told(1, Told{0, 0});
  Measured best;
  for (int repetition = 0; repetition < cell.repetitions && best.seconds < long_run; ++repetition) {
    words.set(first);
    Measured one;
    for (bool changed = true; changed;) {
      told.set({Told{0, 0}});
      const Task<typename Work::Device> task = {work.device(), {words.data(), shadow.data(), shift}, told.data()};
      const auto start = Clock::now();
      kernel<<<cell.blocks, cell.threads>>>(task);
      app::finish_run();
      one.seconds += std::chrono::duration<double>(Clock::now() - start).count();
      const Told said = told.values()[0];
      one.failed += said.failed;
      ++one.rounds;
      changed = Work::repeats && said.changed != 0;
    }
    one.right = best.right && work.is_right(words.values());
    if (repetition != 0 && best.seconds < one.seconds) {
      best.right = one.right;
    } else {
      best = one;
    }
  }
  return best;
}

bool report(const Cell& cell, const char* method, int granularity, const Measured& measured) {
  const double transactions = static_cast<double>(cell.shape.jobs) * static_cast<double>(measured.rounds);
  std::printf(
      "{\"work\":\"%s\",\"method\":\"%s\",\"contention\":\"%s\",\"size\":\"%s\",\"granularity\":%d,"
      "\"places\":%d,\"threads\":%d,\"transactions\":%.0f,\"seconds\":%.6f,\"rate\":%.0f,\"failed\":%llu,"
      "\"correct\":%s}\n",
      cell.work, method, cell.contention, cell.size, granularity, cell.shape.places, cell.blocks * cell.threads,
      transactions, measured.seconds, transactions / measured.seconds, measured.failed,
      measured.right ? "true" : "false");
  std::fflush(stdout);
  return measured.right;
}

template <class Work>
bool run_cell(Choice& choice, const Cell& cell, const std::vector<int>& granularities) {
  using Device = typename Work::Device;
  const std::vector<std::pair<const char*, Kernel<Device>>> methods = {
      {"locks", run_under_locks<Device>},
      {"pstm", run_transactions<stm::Pstm, Device>},
      {"istm", run_transactions<stm::Istm, Device>},
      {"estm", run_transactions<stm::Estm, Device>},
      {"istm-as-published", run_transactions<stm::IstmAsPublished, Device>},
      {"one-lock", run_under_one_lock<Device>}};
  const Work work(cell.shape);
  bool right = true;
  for (const auto& method : methods) {
    if (!choice.has("method", method.first)) continue;
    const bool one_lock = std::string(method.first) == "one-lock";
    for (const int granularity : granularities) {
      int shift = 0;
      while (4 << shift < granularity) ++shift;
      Cell here = cell;
      if (one_lock) here.repetitions = 1;
      right =
          report(here, method.first, one_lock ? 0 : granularity, measure(work, here, shift, method.second)) && right;
      if (one_lock) break;
    }
  }
  return right;
}

bool run(Choice& choice, const Cell& cell, const std::vector<int>& granularities) {
  const std::string name = cell.work;
  if (name == "hash") return run_cell<Hash>(choice, cell, granularities);
  if (name == "bank") return run_cell<Bank>(choice, cell, granularities);
  if (name == "spath") return run_cell<ShortestPaths>(choice, cell, granularities);
  return run_cell<Equake>(choice, cell, granularities);
}

int main_of(Choice& choice) {
  const int blocks = choice.number("blocks", 126);
  const int threads = choice.number("threads", 256);
  const int repetitions = choice.number("repetitions", 3);
  const int all = blocks * threads;
  if (all > static_cast<int>(stm::Estm::most_threads)) {
    std::fprintf(stderr, "error: %d threads; ESTM has numbers for %u\n", all, stm::Estm::most_threads);
    return 2;
  }
  std::vector<int> granularities;
  for (const int bytes : {4, 8, 16, 32, 64}) {
    if (choice.has("granularity", std::to_string(bytes))) granularities.push_back(bytes);
  }
  const std::vector<std::pair<const char*, int>> sizes = {{"tiny", 256}, {"small", 1 << 15}, {"large", 1 << 18}};
  const std::vector<std::pair<const char*, int>> contentions = {
      {"low", all * 64}, {"medium", all}, {"high", std::max(8, all / 64)}};
  std::vector<Cell> cells;
  for (const char* work : {"hash", "bank", "spath", "equake"}) {
    for (const auto& size : sizes) {
      for (const auto& contention : contentions) {
        if (!choice.has("work", work) || !choice.has("size", size.first) ||
            !choice.has("contention", contention.first)) {
          continue;
        }
        cells.push_back(
            {work, contention.first, size.first, {size.second, contention.second}, blocks, threads, repetitions});
      }
    }
  }
  choice.has("method", "");
  choice.finish();
  bool right = true;
  for (const Cell& cell : cells) right = run(choice, cell, granularities) && right;
  std::fprintf(stderr, "transactional memories: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}

}  // namespace bench

int main(int argc, char** argv) {
  bench::Choice choice(argc, argv);
  return bench::main_of(choice);
}
