#include "core/litmus_words.h"

#include <algorithm>
#include <array>

namespace ambit {
namespace {

using enum WordKind;

constexpr std::array kBodyWords = {
    LitmusWord{"__threadfence", Function, "__threadfence();",
               "`fence(seq_cst, device)`: orders the thread's operations before it and after it for all threads of the "
               "device"},
    LitmusWord{"__threadfence_block", Function, "__threadfence_block();",
               "`fence(seq_cst, block)`: applies to the threads of the block only"},
    LitmusWord{"__threadfence_system", Function, "__threadfence_system();",
               "`fence(seq_cst, system)`: applies to all threads, also those of other gpus"},
    LitmusWord{"__syncthreads", Function, "__syncthreads();",
               "barrier of the block: each thread waits until all threads arrive; earlier operations happen before "
               "later ones"},
    LitmusWord{"__syncwarp", Function, "__syncwarp();", "barrier of the warp's lanes"},
    LitmusWord{"cluster_sync", Function, "cluster_sync();", "barrier of the cluster"},
    LitmusWord{"grid_sync", Function, "grid_sync();", "barrier of the whole launch on its gpu"},
    LitmusWord{"load", Function, "load(x, acquire, device)", "`load(location, ORDER, SCOPE)`: an atomic read"},
    LitmusWord{"store", Function, "store(x, 1, release, device);",
               "`store(location, value, ORDER, SCOPE)`: an atomic write"},
    LitmusWord{"exchange", Function, "exchange(x, 1, acq_rel, device)",
               "`exchange(location, value, ORDER, SCOPE)`: writes, and returns the old value"},
    LitmusWord{"fetch_add", Function, "fetch_add(x, 1, relaxed, device)",
               "`fetch_add(location, value, ORDER, SCOPE)`: adds, and returns the old value"},
    LitmusWord{
        "compare_exchange", Function, "compare_exchange(x, 0, 1, acquire, device)",
        "`compare_exchange(location, expected, desired, ORDER, SCOPE)`: writes only if the old value is `expected`; "
        "returns the old value"},
    LitmusWord{"fence", Function, "fence(acq_rel, device);",
               "`fence(ORDER, SCOPE)`: together with an atomic access, a release or an acquire"},
    LitmusWord{"atomicExch", Function, "atomicExch(&x, 1)",
               "relaxed exchange at device scope; `_block` and `_system` change the scope"},
    LitmusWord{"atomicAdd", Function, "atomicAdd(&x, 1)",
               "relaxed addition at device scope; `_block` and `_system` change the scope"},
    LitmusWord{"atomicCAS", Function, "atomicCAS(&l, 0, 1)",
               "relaxed compare-and-swap at device scope; a failed compare-and-swap only reads"},
    LitmusWord{"lock", Function, "lock(l);",
               "spins with a compare-and-swap, then fences: acquires the lock at device scope; `lock(l, SCOPE)` names "
               "another scope"},
    LitmusWord{"unlock", Function, "unlock(l);",
               "fences, then exchanges 0: releases the lock at device scope; `unlock(l, SCOPE)` names another scope"},
    LitmusWord{"relaxed", Argument, "", "atomic, without ordering"},
    LitmusWord{"acquire", Argument, "", "a read that synchronizes with the release from which it reads"},
    LitmusWord{"release", Argument, "",
               "a write that makes the thread's earlier operations visible to the acquire that reads it"},
    LitmusWord{"acq_rel", Argument, "", "acquire and release"},
    LitmusWord{"seq_cst", Argument, "", "acquire and release; all seq_cst operations are in one total order"},
    LitmusWord{"thread", Argument, "", "scope: only the thread itself"},
    LitmusWord{"block", Argument, "", "scope: the threads of the block (PTX: cta)"},
    LitmusWord{"cluster", Argument, "", "scope: the threads of the cluster"},
    LitmusWord{"device", Argument, "", "scope: the threads of the gpu"},
    LitmusWord{"system", Argument, "", "scope: all threads"},
    LitmusWord{"exists", Keyword, "exists ()", "asks whether an allowed execution ends in this state"},
    LitmusWord{"forall", Keyword, "forall ()", "asks whether every allowed execution ends in this state"},
    LitmusWord{"filter", Keyword, "filter ()", "excludes executions in which this is 0 from every answer"},
    LitmusWord{"expect", Keyword, "expect ptx : ", "the answer expected of a model; `ambit check` compares it"},
    LitmusWord{"volatile", Type, "",
               "accesses are strong (relaxed, system scope) under PTX, and non-atomic under HRF and CUDA C++"},
    LitmusWord{"assume", Keyword, "assume();", "excludes executions in which this is 0"},
    LitmusWord{"assert", Keyword, "assert();", "reports executions in which this is 0"},
};

constexpr std::array kExpectationWords = {
    LitmusWord{"Never", Answer, "", "the condition holds in no execution that the model allows"},
    LitmusWord{"Sometimes", Answer, "", "the condition holds in some executions that the model allows, but not in all"},
    LitmusWord{"Always", Answer, "", "the condition holds in every execution that the model allows"},
    LitmusWord{"race", Answer, "", "some allowed execution has a race; `race on x`: a race on x"},
    LitmusWord{"norace", Answer, "", "no allowed execution has a race"},
    LitmusWord{"executions", Answer, "executions 4", "the model allows exactly this number of executions"},
    LitmusWord{"divergence", Answer, "", "in some execution a barrier is not reached by all its threads"},
    LitmusWord{"nodivergence", Answer, "", "in every execution all threads reach their barriers"},
    LitmusWord{"Unknown", Answer, "", "the answer is not known within the bound"},
    LitmusWord{"because", Keyword, "because \"\"", "the reason, as a comment for readers"},
};

constexpr std::array kExpectationHeads = {
    LitmusWord{"under", Keyword,
               "under fair : ", "asks whether every loop and every barrier ends under the guarantee of this scheduler"},
};

// docs/termination.md
constexpr std::array kSchedulerWords = {
    LitmusWord{"fair", Argument, "", "scheduler: every thread makes progress"},
    LitmusWord{"hsa", Argument, "", "scheduler: the lowest-numbered unfinished block makes progress"},
    LitmusWord{"obe", Argument, "", "scheduler: every block that has started makes progress"},
    LitmusWord{"lobe", Argument, "", "scheduler: every block up to the highest-numbered started block makes progress"},
    LitmusWord{"lockstep", Argument, "", "scheduler: every warp makes progress; its lanes share one program counter"},
};

constexpr std::array kTerminationWords = {
    LitmusWord{"terminates", Answer, "", "every execution that the model and the scheduler allow ends"},
    LitmusWord{"stuck", Answer, "", "in some allowed execution a thread waits forever"},
    LitmusWord{"Unknown", Answer, "", "the answer is not known within the bound"},
    LitmusWord{"because", Keyword, "because \"\"", "the reason, as a comment for readers"},
};

/// Words that are highlighted and have no hover: those of C++, and those of the other formats that reports show.
template <std::size_t N>
constexpr std::array<LitmusWord, N> highlighted(WordKind kind, const std::string_view (&names)[N]) {
  std::array<LitmusWord, N> words;
  for (std::size_t i = 0; i < N; ++i) words[i] = {names[i], kind, {}, {}};
  return words;
}
constexpr auto kKeywords =
    highlighted(Keyword, {"CUDA", "PTX", "VULKAN", "suite", "label", "detect", "launch", "if", "else", "while", "do",
                          "for", "switch", "case", "default", "break", "continue", "return", "goto"});
constexpr auto kTypes =
    highlighted(Type, {"global", "shared", "__global__", "__device__", "__shared__", "const", "struct", "void", "bool",
                       "char", "short", "int", "long", "unsigned", "float", "double", "dim3", "uint32_t", "uint64_t"});
constexpr auto kArguments = highlighted(Argument, {"gpu", "cta", "sys", "warp", "lane", "weak", "sc"});
constexpr auto kFunctions =
    highlighted(Function, {"__barrier", "__barrier_arrive", "compare_exchange_strong", "compare_exchange_weak"});

constexpr auto kLists =
    std::to_array<std::span<const LitmusWord>>({kBodyWords, kExpectationWords, kExpectationHeads, kSchedulerWords,
                                                kTerminationWords, kKeywords, kTypes, kArguments, kFunctions});

}  // namespace

std::span<const LitmusWord> body_words() { return kBodyWords; }
std::span<const LitmusWord> expectation_words() { return kExpectationWords; }
std::span<const LitmusWord> expectation_heads() { return kExpectationHeads; }
std::span<const LitmusWord> scheduler_words() { return kSchedulerWords; }
std::span<const LitmusWord> termination_words() { return kTerminationWords; }

std::vector<std::string_view> words_of_kind(WordKind kind) {
  std::vector<std::string_view> words;
  for (const auto list : kLists) {
    for (const LitmusWord& word : list) {
      if (word.kind == kind && std::ranges::find(words, word.name) == words.end()) words.push_back(word.name);
    }
  }
  return words;
}

std::optional<WordKind> word_kind(std::string_view word) {
  for (const auto list : kLists) {
    const auto found = std::ranges::find(list, word, &LitmusWord::name);
    if (found != list.end()) return found->kind;
  }
  return std::nullopt;
}

}  // namespace ambit
