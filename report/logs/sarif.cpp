#include "report/logs/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "report/logs/test_hash.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

/// The description of a rule for code scanning. The help is Markdown.
struct Rule {
  const char* title;
  const char* help;
};

constexpr Rule kRace = {
    "Two accesses race",
    "Two threads access the same memory, at least one of them writes, at least one access is not atomic (or not at a "
    "scope that includes both threads), and the memory model orders neither before the other.\n\n"
    "**What helps**: a barrier, a lock, or a release and an acquire whose scope includes both threads. "
    "`ambit explain FILE --race` names the link that is missing and the smallest change that adds it.\n\n"
    "If the race is intended, expect it in the test: `expect MODEL : race`."};

constexpr Rule kDetectedRace = {
    "Two accesses race",
    "Two threads access the same memory, at least one of them writes, and the race detectors that the message names "
    "saw nothing that orders the accesses, in the trace or in the runs that they processed. No memory model was "
    "involved, and the test's expectations about models have no effect.\n\n"
    "**What helps**: a barrier, a lock, or a release and an acquire whose scope includes both threads. "
    "`ambit check FILE` checks whether the test also has a race under a memory model."};

/// Returns the rule with this id. A model's flag that is not listed here gets a rule without specific help.
Rule rule_of(const std::string& id) {
  static const std::map<std::string, Rule> kRules = {
      {"failed-expectation",
       {"An expectation is not met",
        "The model's answer differs from an `expect` line of the test or from `--expect` on the command line. "
        "`ambit check FILE` shows an execution, `ambit explain FILE` says why the model allows or forbids it."}},
      {"barrier-divergence",
       {"Threads of a block can diverge at a barrier",
        "In some execution only some of the threads that a barrier waits for reach it, or the barrier is in "
        "conditional code that some threads skip. CUDA and PTX leave this undefined. Threads that have "
        "exited do not delay a barrier without a thread count.\n\n**What helps**: move the barrier out of the branch "
        "or the loop, let the other threads return, or give the barrier the number of threads that arrive. "
        "`ambit check FILE -w` shows the execution."}},
      {"assertion-failed",
       {"An assertion can fail",
        "In some execution that the model allows, the condition of an `assert` is 0. `ambit check FILE -w` shows it."}},
      {"out-of-bounds",
       {"An access can be out of bounds",
        "In some execution an address or an index lies outside of its array. `ambit check FILE -w` shows it."}},
      {"may-not-terminate",
       {"A thread may wait forever",
        "A spin loop or a barrier can wait forever under the scheduler in the message: the model allows an execution "
        "in which the value or the thread that it waits for never comes. `ambit check FILE --property termination` "
        "shows it."}},
      {"unknown",
       {"An answer is not known",
        "A bound, the time or the memory was not sufficient. This is not a pass: raise the limit that the message "
        "names."}},
      {"data-race", kRace},
      {"heterogeneous-race", kRace},
      {"scoped-race", kRace},
      {"predictive-race", kRace},
  };
  const auto known = kRules.find(id);
  if (known != kRules.end()) return known->second;
  if (id.ends_with("race")) return kRace;
  return {"A flag of the memory model",
          "The memory model flags these events. `ambit models NAME` shows the text of the model."};
}

std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// Converts "data-race" into "DataRace".
std::string pascal_case(const std::string& id) {
  std::string name;
  bool is_first = true;
  for (const char c : id) {
    const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_letter) name += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    is_first = !is_letter;
  }
  return name;
}

Json rule_json(const std::string& id, RaceSource races) {
  const bool is_detected = races == RaceSource::Detectors && id == "data-race";
  const Rule rule = is_detected ? kDetectedRace : rule_of(id);
  const bool is_error = id != "unknown";
  return {{"id", id},
          {"name", pascal_case(id)},
          {"shortDescription", {{"text", rule.title}}},
          {"fullDescription", {{"text", std::string(rule.title) + "."}}},
          {"help", {{"text", rule.help}, {"markdown", rule.help}}},
          {"defaultConfiguration", {{"level", is_error ? "error" : "warning"}}},
          {"properties",
           {{"tags", {"correctness", "concurrency", "gpu"}}, {"precision", is_detected ? "medium" : "very-high"}}}};
}

Json location_json(const FindingPlace& place, const std::string& folder) {
  Json region = {{"startLine", std::max(place.span.line, 1U)}};
  if (place.span.line > 0 && place.span.column > 0) {
    region["startColumn"] = place.span.column;
    if (place.span.length > 0) region["endColumn"] = place.span.column + place.span.length;
  }
  const std::string uri = path_uri(place.file, folder);
  Json artifact = {{"uri", uri}};
  if (!uri.starts_with("file:")) artifact["uriBaseId"] = "%SRCROOT%";
  Json physical = {{"artifactLocation", std::move(artifact)}, {"region", std::move(region)}};
  if (!place.text.empty()) {
    physical["contextRegion"] = {{"startLine", std::max(place.span.line, 1U)}, {"snippet", {{"text", place.text}}}};
  }
  Json location = {{"physicalLocation", std::move(physical)}};
  if (!place.message.empty()) location["message"] = {{"text", place.message}};
  return location;
}

/// Returns the fingerprint of a finding. It identifies the finding in later versions of the source, as long as the text
/// of the lines that the finding names stays the same.
std::string fingerprint(const Finding& finding, const std::string& folder) {
  std::string text = finding.rule + "\n" + finding.subject;
  for (const FindingPlace& place : finding.places) text += "\n" + path_uri(place.file, folder) + "\n" + place.text;
  return text_hash(text);
}

Json result_json(const Finding& finding, const std::vector<std::string>& rules, const std::string& folder) {
  const auto rule = std::ranges::lower_bound(rules, finding.rule);
  Json message = {{"text", capitalized(finding.message)}};
  if (!finding.details.empty()) {
    message["text"] = fmt::format("{}\n\n{}", capitalized(finding.message), finding.details);
    // The closing code fence must be at the beginning of a line.
    const std::string_view line_end = finding.details.ends_with('\n') ? "" : "\n";
    message["markdown"] = fmt::format("{}\n\n```\n{}{}```\n", capitalized(finding.message), finding.details, line_end);
  }
  Json result = {{"ruleId", finding.rule},
                 {"ruleIndex", rule - rules.begin()},
                 {"level", finding.level == Finding::Level::Error ? "error" : "warning"},
                 {"message", std::move(message)},
                 {"locations", Json::array({location_json(finding.places.front(), folder)})}};
  Json related = Json::array();
  for (std::size_t i = 1; i < finding.places.size(); ++i) {
    Json location = location_json(finding.places[i], folder);
    location["id"] = i;
    related.push_back(std::move(location));
  }
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  return result;
}

Json notifications_json(const std::vector<std::string>& errors) {
  Json list = Json::array();
  for (const std::string& error : errors) list.push_back({{"level", "error"}, {"message", {{"text", error}}}});
  return list;
}

}  // namespace

std::string path_uri(const std::string& path, const std::string& folder) {
  std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  bool is_absolute = normal.is_absolute();
  if (is_absolute && !folder.empty()) {
    const std::filesystem::path relative = normal.lexically_relative(folder);
    if (!relative.empty() && *relative.begin() != "..") {
      normal = relative;
      is_absolute = false;
    }
  }
  std::string uri = is_absolute ? "file://" : "";
  for (const char c : normal.generic_string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        byte < 0x80 && (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos);
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

Sarif::Sarif(std::string version, RaceSource races) : version_(std::move(version)), races_(races) {
  std::error_code ignored;
  folder_ = std::filesystem::current_path(ignored).string();
}

void Sarif::add(const std::vector<Finding>& findings) {
  findings_.insert(findings_.end(), findings.begin(), findings.end());
}

void Sarif::add_error(const std::string& text) { errors_.push_back(text); }

std::string Sarif::document() const {
  std::set<std::string> used;
  for (const Finding& finding : findings_) used.insert(finding.rule);
  const std::vector<std::string> ids(used.begin(), used.end());
  Json rules = Json::array();
  for (const std::string& id : ids) rules.push_back(rule_json(id, races_));
  std::map<std::string, std::size_t> seen;  // for each fingerprint, the number of findings so far
  Json results = Json::array();
  for (const Finding& finding : findings_) {
    Json result = result_json(finding, ids, folder_);
    const std::string hash = fingerprint(finding, folder_);
    result["partialFingerprints"] = {{"ambit/v1", fmt::format("{}:{}", hash, ++seen[hash])}};
    results.push_back(std::move(result));
  }
  Json invocation = {{"executionSuccessful", errors_.empty()}};
  if (!errors_.empty()) invocation["toolExecutionNotifications"] = notifications_json(errors_);
  const Json driver = {{"name", "Ambit"}, {"semanticVersion", version_}, {"rules", std::move(rules)}};
  const Json run = {
      {"tool", {{"driver", driver}}},
      {"invocations", Json::array({std::move(invocation)})},
      {"originalUriBaseIds", {{"%SRCROOT%", {{"description", {{"text", "The directory in which Ambit ran."}}}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"results", std::move(results)}};
  const Json document = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ambit::report
