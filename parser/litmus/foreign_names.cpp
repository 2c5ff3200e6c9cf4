#include "parser/litmus/foreign_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "core/litmus_words.h"
#include "parser/litmus/cuda_atomics.h"

namespace ambit::parser::litmus {
namespace {

/// Foreign functions with the same meaning. `names` are in the form that normal_form() returns.
struct ForeignMeaning {
  std::span<const std::string_view> names;
  std::string_view instead;
};

constexpr std::array<std::string_view, 5> kForeignLoads = {"atomicload", "atomicloadn", "atomicread", "atomicget",
                                                           "atomicloadexplicit"};
constexpr std::array<std::string_view, 6> kForeignStores = {"atomicstore", "atomicstoren", "atomicwrite",
                                                            "atomicset",   "atomicput",    "atomicstoreexplicit"};
constexpr std::array<std::string_view, 5> kForeignExchanges = {"atomicexchange", "atomicexchangen", "atomicswap",
                                                               "atomicxchg", "atomicexchangeexplicit"};
constexpr std::array<std::string_view, 8> kForeignCompares = {"atomiccompareexchange",
                                                              "atomiccompareexchangestrong",
                                                              "atomiccompareexchangeweak",
                                                              "atomiccmpxchg",
                                                              "atomiccompareexchangestrongexplicit",
                                                              "atomiccompareswap",
                                                              "atomiccompareandswap",
                                                              "cas"};
constexpr std::array<std::string_view, 6> kForeignAdditions = {
    "atomicfetchadd", "atomicfetchaddexplicit", "fetchandadd", "atomicaddfetch", "atomicincrement", "syncfetchandadd"};
constexpr std::array<std::string_view, 15> kForeignFences = {
    "threadfence", "memoryfence", "memfence",      "atomicfence",       "atomicthreadfence",
    "membar",      "membargl",    "fencesc",       "memorybarrier",     "syncsynchronize",
    "sync",        "mfence",      "threadbarrier", "atomicsignalfence", "fenceacqrel"};
constexpr std::array<std::string_view, 7> kForeignBarriers = {
    "barrier", "syncthreads", "syncblock", "blocksync", "workgroupbarrier", "syncallthreads", "barsync"};
constexpr std::array<std::string_view, 2> kForeignGridBarriers = {"syncgrid", "gridbarrier"};
constexpr std::array<std::string_view, 2> kForeignGlobalIds = {"getglobalid", "globalid"};
constexpr std::array<std::string_view, 2> kForeignLocalIds = {"getlocalid", "localid"};
constexpr std::array<std::string_view, 3> kForeignLocks = {"spinlock", "mutexlock", "pthreadmutexlock"};
constexpr std::array<std::string_view, 3> kForeignUnlocks = {"spinunlock", "mutexunlock", "pthreadmutexunlock"};
constexpr std::array<std::string_view, 1> kForeignReadOnce = {"readonce"};
constexpr std::array<std::string_view, 1> kForeignWriteOnce = {"writeonce"};
constexpr std::array<std::string_view, 1> kForeignLoadAcquire = {"smploadacquire"};
constexpr std::array<std::string_view, 1> kForeignStoreRelease = {"smpstorerelease"};
constexpr std::array<std::string_view, 3> kForeignLinuxFences = {"smpmb", "smprmb", "smpwmb"};

constexpr std::array<ForeignMeaning, 17> kForeignMeanings = {{
    {kForeignLoads, "write load(x, relaxed, device), or atomicAdd(&x, 0)"},
    {kForeignStores, "write store(x, 1, relaxed, device), or atomicExch(&x, 1)"},
    {kForeignExchanges, "write exchange(x, 1, relaxed, device), or atomicExch(&x, 1)"},
    {kForeignCompares, "write compare_exchange(x, 0, 1, relaxed, device), or atomicCAS(&x, 0, 1)"},
    {kForeignAdditions, "write fetch_add(x, 1, relaxed, device), or atomicAdd(&x, 1)"},
    {kForeignFences, "write __threadfence(), or fence(acq_rel, device)"},
    {kForeignBarriers, "write __syncthreads()"},
    {kForeignGridBarriers, "write grid_sync()"},
    {kForeignGlobalIds, "in a kernel, write blockIdx.x * blockDim.x + threadIdx.x"},
    {kForeignLocalIds, "in a kernel, write threadIdx.x"},
    {kForeignLocks, "write lock(l)"},
    {kForeignUnlocks, "write unlock(l)"},
    {kForeignReadOnce, "write load(x, relaxed, system)"},
    {kForeignWriteOnce, "write store(x, 1, relaxed, system)"},
    {kForeignLoadAcquire, "write load(x, acquire, system)"},
    {kForeignStoreRelease, "write store(x, 1, release, system)"},
    {kForeignLinuxFences, "write fence(seq_cst, system), or fence(acq_rel, system)"},
}};

/// Returns the name in lower case without namespaces and underscores.
std::string normal_form(std::string_view name) {
  if (const std::size_t space = name.rfind("::"); space != std::string_view::npos) name.remove_prefix(space + 2);
  std::string text;
  for (const char c : name) {
    if (c != '_') text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

}  // namespace

std::string_view name_without_device(std::string_view name) {
  for (const std::string_view suffix : {"_device", "_gpu", "_grid", "_global"}) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

std::string_view instead_of_function(std::string_view name) {
  const std::string word = normal_form(name_without_device(name));
  for (const ForeignMeaning& meaning : kForeignMeanings) {
    if (std::ranges::find(meaning.names, word) != meaning.names.end()) return meaning.instead;
  }
  return {};
}

bool is_listed_function(std::string_view name) {
  return word_kind(name) == WordKind::Function || find_cuda_atomic(name) != nullptr;
}

std::string call_with_suffixes(std::string_view function, std::string_view text) {
  const bool is_fence = function == "fence";
  if (!is_fence && function != "load" && function != "store") return {};
  std::string arguments;
  text.remove_prefix(std::min(function.size(), text.size()));
  while (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::string_view word = text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"));
    if (word_kind(word) != WordKind::Argument) return {};
    arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", word);
    text.remove_prefix(word.size());
  }
  if (arguments.empty()) return {};
  if (is_fence) return fmt::format("write fence({})", arguments);
  const std::size_t close = text.find(')');
  const bool has_operands = text.starts_with('(') && close != std::string_view::npos && close > 1;
  const std::string operands(has_operands ? text.substr(1, close - 1) : function == "load" ? "x" : "x, 1");
  return fmt::format("write {}({}, {})", function, operands, arguments);
}

std::string call_form(std::string_view name) {
  for (const LitmusWord& word : body_words()) {
    if (word.name == name && !word.snippet.empty()) return std::string(word.snippet);
  }
  return std::string(name) + "(...)";
}

bool is_usual_register(std::string_view name) {
  return name.size() > 1 && name[0] == 'r' &&
         std::ranges::all_of(name.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace ambit::parser::litmus
