#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "detector/causal_order.h"
#include "detector/detector.h"
#include "detector/happens_before.h"
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

Entry scord_entry() {
  return {
      {"scord",
       "Kamath, George, Basu, ISCA 2020",
       "one metadata entry a word: scoped fences, atomics and locks",
       {{"rules", {"paper", "source"}, "where the published source leaves the paper, which one to follow"},
        yes_or_no("cache", false, "one entry for 16 neighbouring words, as the software cache keeps them")}},
      [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
        return std::make_unique<Scord>(tables, ScordOptions{options.at("rules") == "source", is_yes(options, "cache")});
      }};
}

Entry barracuda_entry() {
  return {{"barracuda",
           "Eizenberg et al., PLDI 2017, as extended by PreDataR",
           "scoped happens-before with vector clocks",
           {polling_option()}},
          [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
            return std::make_unique<HappensBefore>(tables, is_yes(options, "polling"));
          }};
}

Entry gwcp_entry() {
  return {{"gwcp",
           "PreDataR",
           "weak causal precedence with scopes and barriers: predicts races of other schedules",
           {overlap_option(),
            {"barrier", {"hard", "literal"}, "a barrier orders like program order, or as printed"},
            polling_option()}},
          [](const TraceTables& tables, const Options& options) -> std::unique_ptr<Detector> {
            return std::make_unique<CausalOrder>(
                tables, CausalOptions{overlap(options),
                                      options.at("barrier") == "hard" ? BarrierRule::Hard : BarrierRule::Literal,
                                      is_yes(options, "polling")});
          }};
}

Entry wcp_entry() {
  return {
      {"wcp", "Kini, Mathur, Viswanathan, PLDI 2017", "weak causal precedence of CPU programs: scopes are ignored", {}},
      [](const TraceTables& tables, const Options&) -> std::unique_ptr<Detector> {
        return std::make_unique<CausalOrder>(tables, CausalOptions{Overlap::All, BarrierRule::Hard, true});
      }};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{scord_entry(), barracuda_entry(), gwcp_entry(), wcp_entry()};
  return all;
}

std::string names_of_all() {
  std::string names;
  for (const Entry& entry : entries()) names += (names.empty() ? "" : ", ") + entry.description.name;
  return names;
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

Result<std::unique_ptr<Detector>> make_detector(const std::string& name, const Options& options,
                                                const TraceTables& tables) {
  const auto error = [](std::string message, std::string hint) {
    return Diagnostics{Diagnostic{nullptr, {}, std::move(message), std::move(hint)}};
  };
  const auto entry = std::ranges::find(entries(), name, [](const Entry& e) { return e.description.name; });
  if (entry == entries().end()) {
    return error(fmt::format("there is no detector '{}'", name), "detectors: " + names_of_all());
  }
  Options values;
  for (const DetectorOption& option : entry->description.options) values[option.name] = option.values.front();
  for (const auto& [key, value] : options) {
    const auto known = std::ranges::find(entry->description.options, key, &DetectorOption::name);
    if (known == entry->description.options.end()) {
      return error(fmt::format("detector '{}' has no option '{}'", name, key), "see ambit detect --list");
    }
    if (std::ranges::find(known->values, value) == known->values.end()) {
      return error(fmt::format("option '{}' of detector '{}' cannot be '{}'", key, name, value),
                   fmt::format("values: {}", fmt::join(known->values, ", ")));
    }
    values[key] = value;
  }
  return entry->make(tables, values);
}

}  // namespace ambit::detector
