// Shows that the published ISTM commits results that are impossible in every serial order of the transactions. The
// corrected ISTM does not commit such results. The program runs two transactions; x and y are initially 0:
//
//   T0 { y = 5; a = x }        T1 { x = 1; y = 6 }
//
// T0 finds x unlocked. T1 locks x and writes 1. T0 reads x = 1. T1 fails at y, which T0 has locked, and releases x with
// its old value and its old version number. T0 therefore finds the version unchanged and commits a = 1. T1 runs again,
// and y is 6. In a serial order, either a = 0 and y = 6, or a = 1 and y = 5. A pair of threads in two blocks performs
// each run. The program prints one JSON line for each form of ISTM, without and with pauses between the steps. The exit
// status is 1 if the corrected form committed a result that is impossible in every serial order.
#include "../apps/app.h"

namespace stm {
enum Step { after_check, after_write, before_commit };
__device__ void pause(Step step);
}  // namespace stm
#define STM_PAUSE(step) pause(step)
#include "stm.cuh"

__device__ unsigned longest_pause;

// Pauses for a random time of up to longest_pause nanoseconds.
__device__ void stm::pause(Step step) {
  if (longest_pause == 0) return;
  unsigned random =
      static_cast<unsigned>(clock64()) * 2654435761u + (blockIdx.x * blockDim.x + threadIdx.x) * 40503u + step;
  random ^= random >> 15;
  stm::sleep(random * 2246822519u % longest_pause);
}

struct Told {
  unsigned long long serial;
  unsigned long long not_serial;
};

// Blocks 2k and 2k+1 run pairs of transactions: thread i of one block is paired with thread i of the other.
template <class Algorithm>
__global__ void run_pairs(stm::Memory memory, unsigned* read) {
  const unsigned pair = blockIdx.x / 2 * blockDim.x + threadIdx.x;
  const unsigned x = 2 * pair;
  const unsigned y = x + 1;
  const bool first = blockIdx.x % 2 == 0;
  stm::Transaction<Algorithm, 2> transaction(memory, blockIdx.x * blockDim.x + threadIdx.x + 1);
  unsigned a = 0;
  do {
    transaction.begin();
    if (first) {
      transaction.write(y, 5);
      a = transaction.read(x);
    } else {
      transaction.write(x, 1);
      transaction.write(y, 6);
    }
  } while (!transaction.commit());
  if (first) read[pair] = a;
}

// Counts the results and sets the words to 0 for the next runs.
__global__ void count(stm::Memory memory, const unsigned* read, Told* told) {
  const unsigned pair = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = memory.words[2 * pair];
  const unsigned y = memory.words[2 * pair + 1];
  const bool serial = x == 1 && ((read[pair] == 0 && y == 6) || (read[pair] == 1 && y == 5));
  atomicAdd(serial ? &told->serial : &told->not_serial, 1ull);
  for (unsigned i = 2 * pair; i < 2 * pair + 2; ++i) {
    memory.words[i] = 0;
    memory.shadow[i] = 0;
  }
}

// Returns the number of runs with a result that is impossible in every serial order.
template <class Algorithm>
unsigned long long run(const char* name, int launches, int blocks, int threads, unsigned pause) {
  const int pairs = blocks * threads;
  const app::Buffer<unsigned> words(2 * pairs, 0u);
  const app::Buffer<unsigned> shadow(2 * pairs, 0u);
  const app::Buffer<unsigned> read(pairs, 0u);
  const app::Buffer<Told> told(1, Told{0, 0});
  const stm::Memory memory = {words.data(), shadow.data(), 0};
  app::check(cudaMemcpyToSymbol(longest_pause, &pause, sizeof pause), "cudaMemcpyToSymbol");
  for (int launch = 0; launch < launches; ++launch) {
    run_pairs<Algorithm><<<2 * blocks, threads>>>(memory, read.data());
    count<<<blocks, threads>>>(memory, read.data(), told.data());
    if (launch % 64 == 63) app::finish_run();
  }
  app::finish_run();
  const Told all = told.values()[0];
  std::printf(
      "{\"program\":\"istm_versions\",\"method\":\"%s\",\"longest_pause\":%u,\"runs\":%llu,"
      "\"not_serializable\":%llu}\n",
      name, pause, all.serial + all.not_serial, all.not_serial);
  std::fflush(stdout);
  return all.not_serial;
}

int main(int argc, char** argv) {
  app::Options options(argc, argv);
  const int launches = options.number("launches", 4000);
  const int blocks = options.number("blocks", 60);
  const int threads = options.number("threads", 256);
  const int pause = options.number("pause", 4000);
  options.finish();
  unsigned long long wrong = 0;
  for (const unsigned longest : {0u, static_cast<unsigned>(pause)}) {
    run<stm::IstmAsPublished>("istm-as-published", launches, blocks, threads, longest);
    wrong += run<stm::Istm>("istm", launches, blocks, threads, longest);
    wrong += run<stm::Pstm>("pstm", launches, blocks, threads, longest);
    wrong += run<stm::Estm>("estm", launches, blocks, threads, longest);
  }
  std::fprintf(stderr, "versions: %s\n", wrong == 0 ? "ok" : "wrong");
  return wrong == 0 ? 0 : 1;
}
