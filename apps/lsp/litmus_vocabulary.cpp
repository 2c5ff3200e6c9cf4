#include "apps/lsp/litmus_vocabulary.h"

#include <array>

namespace ambit::lsp {
namespace {

constexpr std::array kWords = {
    Word{"__threadfence", "__threadfence();",
         "`fence(seq_cst, device)`: orders what stands before and behind it for all threads of the device"},
    Word{"__threadfence_block", "__threadfence_block();",
         "`fence(seq_cst, block)`: reaches the threads of the block only"},
    Word{"__threadfence_system", "__threadfence_system();",
         "`fence(seq_cst, system)`: reaches all threads, of other gpus too"},
    Word{"__syncthreads", "__syncthreads();",
         "barrier of the block: nobody goes on before all have arrived, and all see what was done before"},
    Word{"__syncwarp", "__syncwarp();", "barrier of the warp's lanes"},
    Word{"cluster_sync", "cluster_sync();", "barrier of the cluster"},
    Word{"grid_sync", "grid_sync();", "barrier of the launch's gpu"},
    Word{"load", "load(x, acquire, device)", "`load(location, ORDER, SCOPE)`: an atomic read"},
    Word{"store", "store(x, 1, release, device);", "`store(location, value, ORDER, SCOPE)`: an atomic write"},
    Word{"exchange", "exchange(x, 1, acq_rel, device)",
         "`exchange(location, value, ORDER, SCOPE)`: writes, and gives the old value"},
    Word{"fetch_add", "fetch_add(x, 1, relaxed, device)",
         "`fetch_add(location, value, ORDER, SCOPE)`: adds, and gives the old value"},
    Word{"compare_exchange", "compare_exchange(x, 0, 1, acquire, device)",
         "`compare_exchange(location, expected, desired, ORDER, SCOPE)`: writes only if the old value is `expected`; "
         "gives the old value"},
    Word{"fence", "fence(acq_rel, device);",
         "`fence(ORDER, SCOPE)`: with an atomic access beside it a release or an acquire"},
    Word{"atomicExch", "atomicExch(&x, 1)",
         "relaxed exchange at device scope; `_block` and `_system` change the scope"},
    Word{"atomicAdd", "atomicAdd(&x, 1)", "relaxed addition at device scope; `_block` and `_system` change the scope"},
    Word{"atomicCAS", "atomicCAS(&l, 0, 1)", "relaxed compare-and-swap at device scope; a failed one only reads"},
    Word{"lock", "lock(l);",
         "spins with a compare-and-swap, then fences: acquires the lock at device scope, or `lock(l, SCOPE)`"},
    Word{"unlock", "unlock(l);", "fences, then exchanges 0: releases the lock at device scope, or `unlock(l, SCOPE)`"},
    Word{"relaxed", "", "atomic, and orders nothing"},
    Word{"acquire", "", "a read that receives what the release that it reads from has published"},
    Word{"release", "", "a write that publishes all that its thread has done and received"},
    Word{"acq_rel", "", "acquire and release"},
    Word{"seq_cst", "", "acquire and release, and in one order with the other seq_cst operations"},
    Word{"thread", "", "scope: the thread alone"},
    Word{"block", "", "scope: the threads of the block (PTX: cta)"},
    Word{"cluster", "", "scope: the threads of the cluster"},
    Word{"device", "", "scope: the threads of the gpu"},
    Word{"system", "", "scope: all threads"},
    Word{"exists", "exists ()", "asks whether some allowed execution ends so"},
    Word{"forall", "forall ()", "asks whether every allowed execution ends so"},
    Word{"filter", "filter ()", "leaves executions in which this is 0 out of every answer"},
    Word{"expect", "expect ptx : ", "what a model must answer; `ambit check` compares"},
    Word{"volatile", "",
         "accesses are strong (relaxed, system scope) under PTX, and ordinary ones under HRF and CUDA C++"},
    Word{"assume", "assume();", "executions in which this is 0 are left out"},
    Word{"assert", "assert();", "an execution in which this is 0 is reported"},
};

constexpr std::array kExpectationWords = {
    Word{"Never", "", "the condition holds in no execution that the model allows"},
    Word{"Sometimes", "", "the condition holds in some executions that the model allows, not in all"},
    Word{"Always", "", "the condition holds in every execution that the model allows"},
    Word{"race", "", "some allowed execution has a race; `race on x`: at that location"},
    Word{"norace", "", "no allowed execution has a race"},
    Word{"executions", "executions 4", "so many executions are allowed"},
    Word{"divergence", "", "some execution has a barrier that not all reach"},
    Word{"nodivergence", "", "no execution has a barrier that not all reach"},
    Word{"Unknown", "", "the answer is not known within the bound"},
    Word{"because", "because \"\"", "the reason, for readers"},
};

constexpr std::array kExpectationHeads = {
    Word{"under", "under fair : ",
         "asks whether every loop and barrier comes to its end, where the scheduler named keeps its promise"},
};

// docs/termination.md
constexpr std::array kSchedulers = {
    Word{"fair", "", "scheduler: every thread goes on"},
    Word{"hsa", "", "scheduler: the lowest-numbered block that has not finished goes on"},
    Word{"obe", "", "scheduler: every block that has started goes on"},
    Word{"lobe", "", "scheduler: every block up to the highest-numbered one that has started goes on"},
    Word{"lockstep", "", "scheduler: every warp goes on; its lanes share one program counter"},
};

constexpr std::array kTerminationWords = {
    Word{"terminates", "", "every execution that the model and the scheduler allow ends"},
    Word{"stuck", "", "in some allowed execution a thread waits for ever"},
    Word{"Unknown", "", "the answer is not known within the bound"},
    Word{"because", "because \"\"", "the reason, for readers"},
};

}  // namespace

std::span<const Word> words() { return kWords; }
std::span<const Word> expectation_words() { return kExpectationWords; }
std::span<const Word> expectation_heads() { return kExpectationHeads; }
std::span<const Word> schedulers() { return kSchedulers; }
std::span<const Word> termination_words() { return kTerminationWords; }

}  // namespace ambit::lsp
