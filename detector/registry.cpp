#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "detector/boyer.h"
#include "detector/causal_order.h"
#include "detector/detector.h"
#include "detector/haccrg.h"
#include "detector/happens_before.h"
#include "detector/iguard.h"
#include "detector/predict.h"
#include "detector/scord.h"

namespace ambit::detector {
namespace {

/// Values of a detector's options: those given, and the defaults of the others.
using Options = std::map<std::string, std::string>;
using Make = std::function<std::unique_ptr<Detector>(const TraceTables&, const Options&)>;

struct Entry {
  DetectorDescription description;
  Make make;
};

DetectorOption yes_or_no(std::string name, bool by_default, std::string meaning) {
  std::vector<std::string> values{"yes", "no"};
  if (!by_default) std::swap(values[0], values[1]);
  return {std::move(name), std::move(values), std::move(meaning)};
}

bool is_yes(const Options& options, const std::string& name) { return options.at(name) == "yes"; }

const DetectorOption& overlap_option() {
  static const DetectorOption option{
      "overlap", {"mut", "either", "exact"}, "which scopes make two lock operations exclude each other"};
  return option;
}

Overlap overlap(const Options& options) {
  const std::string& value = options.at("overlap");
  if (value == "either") return Overlap::Either;
  return value == "exact" ? Overlap::Exact : Overlap::Mutual;
}

DetectorOption polling_option() {
  return yes_or_no("polling", true, "a read-modify-write that polls a flag acquires without a fence, as ScoR has it");
}

DetectorOption clocks_option() {
  return {
      "clocks",
      {"plain", "compressed"},
      "vector clocks as arrays, or compressed by block and warp: slower for few threads, for a million the only way"};
}

bool is_compressed(const Options& options) { return options.at("clocks") == "compressed"; }

Entry scord_entry() {
  return {{"scord",
           "Kamath, George, Basu, ISCA 2020",
           "one metadata entry a word: scoped fences, atomics and locks",
           {{"rules", {"paper", "source"}, "where the published source leaves the paper, which one to follow"},
            yes_or_no("strong", true, "accesses that fences order must be volatile or atomic"),
            yes_or_no("cache", false, "4096 entries, in which a word can take the entry from another")}},
          [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
            return std::make_unique<Scord>(tables, ScordOptions{options.at("rules") == "source",
                                                                is_yes(options, "strong"), is_yes(options, "cache")});
          }};
}

Entry iguard_entry() {
  return {{"iguard",
           "Kamath, Basu, SOSP 2021",
           "last writer and last accessor of a word: scoped fences, atomics and locks, and diverged lanes of a warp",
           {{"rules", {"paper", "source"}, "source: counters wrap at their field's width"}}},
          [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
            return std::make_unique<Iguard>(tables, IguardOptions{options.at("rules") == "source"});
          }};
}

/// HAccRG and its software form report the same.
Entry haccrg_entry(std::string name, std::string summary) {
  return {{std::move(name),
           "Holey 2015, chapter 6",
           std::move(summary),
           {{"granularity", {"4", "8", "16", "32", "64"}, "bytes that share an entry"},
            {"pages", {"all", "1", "4", "16", "64", "256"}, "pages of 4096 bytes that have entries, the latest used"}}},
          [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
            const std::string& pages = options.at("pages");
            const auto number = [](const std::string& text) { return static_cast<std::uint32_t>(std::stoul(text)); };
            return std::make_unique<Haccrg>(
                tables, HaccrgOptions{number(options.at("granularity")), pages == "all" ? 0 : number(pages)});
          }};
}

Entry boyer_entry() {
  return {
      {"boyer",
       "Boyer, Skadron, Weimer, STMCS 2008",
       "shared memory: counts of reads and writes since the last barrier, and bank conflicts",
       {yes_or_no("waw", false, "report a write after another thread's write too"),
        {"banks", {"16", "32"}, "banks of shared memory: 16 serve a half warp, as published; 32 a warp, as today"}}},
      [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
        return std::make_unique<Boyer>(tables,
                                       BoyerOptions{is_yes(options, "waw"), options.at("banks") == "16" ? 16U : 32U});
      }};
}

Entry barracuda_entry() {
  return {{"barracuda",
           "Eizenberg et al., PLDI 2017, as extended by PreDataR",
           "scoped happens-before with vector clocks",
           {polling_option(), clocks_option()}},
          [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
            const bool polling = is_yes(options, "polling");
            if (is_compressed(options)) return std::make_unique<HappensBefore<CompressedClocks>>(tables, polling);
            return std::make_unique<HappensBefore<PlainClocks>>(tables, polling);
          }};
}

Entry gwcp_entry() {
  return {{"gwcp",
           "PreDataR",
           "weak causal precedence with scopes and barriers: predicts races of other schedules",
           {overlap_option(),
            {"barrier", {"hard", "literal"}, "a barrier orders like program order, or as printed"},
            polling_option(),
            clocks_option()}},
          [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
            const BarrierRule barrier = options.at("barrier") == "hard" ? BarrierRule::Hard : BarrierRule::Literal;
            const CausalOptions causal{overlap(options), barrier, is_yes(options, "polling")};
            if (is_compressed(options)) return std::make_unique<CausalOrder<CompressedClocks>>(tables, causal);
            return std::make_unique<CausalOrder<PlainClocks>>(tables, causal);
          }};
}

Entry wcp_entry() {
  return {
      {"wcp", "Kini, Mathur, Viswanathan, PLDI 2017", "weak causal precedence of CPU programs: scopes are ignored", {}},
      [](const TraceTables& tables, const Options&) -> std::unique_ptr<Detector> {
        return std::make_unique<CausalOrder<PlainClocks>>(tables, CausalOptions{Overlap::All, BarrierRule::Hard, true});
      }};
}

PredictOptions predict_options(const Options& options, bool keeps_section_order) {
  PredictOptions wanted;
  wanted.model = {options.at("rf") == "value" ? ReadsKept::Value : ReadsKept::Writer, overlap(options),
                  std::stoul(options.at("limit"))};
  wanted.keeps_section_order = keeps_section_order;
  wanted.timeout = std::chrono::seconds(std::stoul(options.at("timeout")));
  return wanted;
}

std::vector<DetectorOption> reordering_options() {
  return {{"rf", {"exact", "value"}, "a read must find the same write, or any write of the same value"},
          overlap_option(),
          {"limit", {"1000", "100", "10000", "100000"}, "events of the trace that are searched, from its start"},
          {"timeout", {"10", "1", "60", "600"}, "seconds for the questions of one trace"}};
}

Entry predict_entry() {
  std::vector<DetectorOption> options = reordering_options();
  options.push_back(yes_or_no("unordered", true,
                              "add pairs that no reordering brings together, if happens-before leaves them unordered"));
  return {{"predict", "after Huang, Meredith, Rosu, PLDI 2014", "every race that some reordering of the run shows",
           std::move(options)},
          [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
            std::unique_ptr<Detector> happens_before;
            // Happens-before takes overlap for mut: beside another reading it would contradict.
            if (is_yes(options, "unordered") && options.at("overlap") == "mut") {
              happens_before = std::move(make_detector("barracuda", {}, tables).value());
            }
            return std::make_unique<Predict>(tables, predict_options(options, false), std::move(happens_before));
          }};
}

Entry syncp_entry() {
  return {{"syncp", "Mathur, Pavlogiannis, Viswanathan, POPL 2021",
           "races of reorderings that keep the order of critical sections", reordering_options()},
          [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
            return std::make_unique<Predict>(tables, predict_options(options, true), nullptr);
          }};
}

Entry ldetector_entry() {
  return {
      {"ldetector",
       "Li et al. 2014",
       "compares the values that warps leave in shared memory, run apart from each other; not for atomics or locks",
       {yes_or_no("speculative", false, "check a region beside the next one, and take that back if there is a race")},
       true},
      [](const TraceTables&, const Options&) -> std::unique_ptr<Detector> { return nullptr; }};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{boyer_entry(),
                                      haccrg_entry("haccrg", "a state machine of four states a granule, in hardware"),
                                      haccrg_entry("srg", "the software form of haccrg: the same verdicts"),
                                      scord_entry(),
                                      iguard_entry(),
                                      barracuda_entry(),
                                      gwcp_entry(),
                                      wcp_entry(),
                                      predict_entry(),
                                      syncp_entry(),
                                      ldetector_entry()};
  return all;
}

Diagnostic error(std::string message, std::string hint) { return {nullptr, {}, std::move(message), std::move(hint)}; }

std::string names_of_all() {
  std::string names;
  for (const Entry& entry : entries()) names += (names.empty() ? "" : ", ") + entry.description.name;
  return names;
}

const Entry* find(const std::string& name) {
  const auto entry = std::ranges::find(entries(), name, [](const Entry& e) { return e.description.name; });
  return entry == entries().end() ? nullptr : &*entry;
}

}  // namespace

const std::vector<DetectorDescription>& detectors() {
  static const std::vector<DetectorDescription> all = [] {
    std::vector<DetectorDescription> descriptions;
    for (const Entry& entry : entries()) descriptions.push_back(entry.description);
    return descriptions;
  }();
  return all;
}

std::optional<Diagnostic> check_options(const std::string& name, const Options& options) {
  const Entry* entry = find(name);
  if (entry == nullptr) {
    return error(fmt::format("there is no detector '{}'", name), "detectors: " + names_of_all());
  }
  for (const auto& [key, value] : options) {
    const auto known = std::ranges::find(entry->description.options, key, &DetectorOption::name);
    if (known == entry->description.options.end()) {
      return error(fmt::format("detector '{}' has no option '{}'", name, key), "see ambit detect --list");
    }
    if (std::ranges::find(known->values, value) == known->values.end()) {
      return error(fmt::format("option '{}' of detector '{}' cannot be '{}'", key, name, value),
                   fmt::format("values: {}", fmt::join(known->values, ", ")));
    }
  }
  return std::nullopt;
}

Result<std::unique_ptr<Detector>> make_detector(const std::string& name, const Options& options,
                                                const TraceTables& tables) {
  if (auto wrong = check_options(name, options)) return Diagnostics{std::move(*wrong)};
  const Entry* entry = find(name);
  if (entry->description.needs_program) {
    return Diagnostics{error(
        fmt::format("detector '{}' needs a program: it runs parts of it again, which a trace does not allow", name),
        "give the test or the CUDA source instead of a trace")};
  }
  Options values = options;
  for (const DetectorOption& option : entry->description.options) {
    values.try_emplace(option.name, option.values.front());
  }
  return entry->make(tables, values);
}

}  // namespace ambit::detector
