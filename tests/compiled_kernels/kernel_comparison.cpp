#include "tests/compiled_kernels/kernel_comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>
#include <stdexcept>

#include "parser/parse.h"
#include "tests/compiled_kernels/virtual_runs.h"

namespace ambit::compiled_kernels {
namespace {

using events::Possibility;

bool names(const std::string& line, const std::string& variable) {
  const std::size_t at = line.find(" " + variable + "[");
  return at != std::string::npos;
}

std::string text_of(const Words& words, const std::vector<std::string>& word_names) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < words.size(); ++i) parts.push_back(fmt::format("{}={}", word_names[i], words[i]));
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace

KernelModules::KernelModules(std::string text) {
  std::istringstream stream(std::move(text));
  for (std::string line; std::getline(stream, line);) lines_.push_back(line);
  while (first_kernel_ < lines_.size() && !lines_[first_kernel_].starts_with(".visible .entry")) ++first_kernel_;
  tail_ = first_kernel_;
  while (tail_ < lines_.size() && !lines_[tail_].starts_with("\t.file")) ++tail_;
}

std::string KernelModules::module_of(const std::string& kernel) const {
  std::string module;
  const std::string number = kernel.substr(1);
  for (std::size_t i = 0; i < first_kernel_; ++i) {
    const std::string& line = lines_[i];
    const bool is_variable = line.find("[") != std::string::npos && line.find(".b8") != std::string::npos;
    const bool is_own = names(line, "c" + number) || names(line, "d" + number);
    if (!is_variable || is_own) module += line + "\n";
  }
  const std::string own_entry = fmt::format(".visible .entry {}(", kernel);
  bool has_kernel = false;
  bool is_kept = true;
  for (std::size_t at = first_kernel_; at < tail_; ++at) {  // device functions may be between the kernels
    const bool is_own = lines_[at].starts_with(own_entry);
    has_kernel = has_kernel || is_own;
    if (lines_[at].starts_with(".visible .entry")) is_kept = is_own;
    if (is_kept) module += lines_[at] + "\n";
    if (lines_[at] == "}") is_kept = true;
  }
  if (!has_kernel) return {};
  for (std::size_t at = tail_; at < lines_.size(); ++at) module += lines_[at] + "\n";
  return module;
}

std::vector<PlacedKernel> random_kernels(std::uint64_t seed, std::uint64_t count) {
  std::vector<PlacedKernel> kernels;
  unsigned line = 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    kernels.push_back({random_kernel(seed + i), line});
    const std::string& text = kernels.back().kernel.text;
    line += static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
  }
  return kernels;
}

std::string source_of(const std::vector<PlacedKernel>& kernels) {
  std::string text;
  for (const PlacedKernel& placed : kernels) text += placed.kernel.text;
  return text;
}

/// The model's answers for one form of a kernel: its source, or its compiled PTX.
struct KernelComparer::Reading {
  std::string error;  ///< why Ambit refuses this form
  bool is_complete = false;
  std::set<Words> outcomes;
  bool has_race = false;
  bool has_early_reads = true;  ///< each race involves a plain read
  bool has_remarks = false;
  bool is_opaque = false;  ///< some values are unknown
  std::set<events::Incident::Kind> incidents;
};

KernelComparer::KernelComparer(Options options) : options_(options) {
  const auto rules = parser::load_model("ptx", {});
  if (!rules.ok()) throw std::runtime_error("the model ptx does not load");
  ptx_ = rules.value();
}

KernelComparer::Reading KernelComparer::read(const PlacedKernel& placed, const std::string& module) {
  Reading reading;
  const std::string text = std::string(placed.line - 1, '\n') + placed.kernel.text;
  parser::ProgramOptions options;
  options.launch = placed.kernel.launch;
  if (!module.empty()) options.compiled = std::make_shared<const SourceFile>(SourceFile{"kernels.ptx", module});
  const auto program =
      parser::parse_program(std::make_shared<const SourceFile>(SourceFile{"kernels.cu", text}), options);
  if (!program.ok()) {
    reading.error = render(program.errors());
    return reading;
  }
  for (const MemoryObject& object : program.value()->objects) reading.is_opaque = reading.is_opaque || object.is_opaque;
  reading.has_remarks = !program.value()->remarks.empty();
  verdict::CheckOptions check;
  check.unroll = 5;
  check.questions.outcomes = true;
  Context context;
  context.set_timeout(std::chrono::milliseconds(options_.timeout));
  const auto verdict = checker_.check(program.value(), ptx_, check, context);
  if (!verdict.ok()) {
    reading.error = render(verdict.errors());
    return reading;
  }
  const verdict::Verdict& found = verdict.value();
  reading.is_complete = !found.unknown && found.race != Possibility::Unknown;
  reading.has_race = found.race == Possibility::Possible;
  for (const events::FlagAnswer& flag : found.answers.flags) {
    const auto is_plain_read = [&](events::EventId e) {
      const events::Event& event = found.graph->events[e];
      return event.kind == events::EventKind::Read && event.order == Order::Weak;
    };
    const bool has_reads = std::ranges::all_of(
        flag.pairs, [&](const auto& pair) { return is_plain_read(pair.first) || is_plain_read(pair.second); });
    reading.has_early_reads = reading.has_early_reads && has_reads;
  }
  for (std::size_t i = 0; i < found.answers.incidents.size(); ++i) {
    if (found.answers.incidents[i].possibility == Possibility::Possible) {
      reading.incidents.insert(found.graph->incidents[i].kind);
    }
  }
  // Words are matched by name, because the compiled form lists only variables that it accesses.
  const std::vector<Observable>& observables = found.graph->program->observables;
  for (const events::Outcome& outcome : found.answers.outcomes) {
    Words values;
    for (const Buffer& buffer : placed.kernel.buffers) {
      const std::vector<std::string> words = buffer.words();
      for (std::size_t i = 0; i < words.size(); ++i) {
        const auto at = std::ranges::find(observables, words[i], &Observable::name);
        const Value value = at == observables.end() ? (i < buffer.initial.size() ? buffer.initial[i] : 0)
                                                    : outcome[static_cast<std::size_t>(at - observables.begin())];
        values.push_back(static_cast<std::int32_t>(value));
      }
    }
    reading.outcomes.insert(std::move(values));
  }
  return reading;
}

Comparison KernelComparer::compare(const PlacedKernel& placed, const std::string& module) {
  using Kind = Comparison::Kind;
  if (module.empty()) return {Kind::Disagreed, "the PTX lacks the kernel"};
  const Reading compiled = read(placed, module);
  if (!compiled.error.empty()) return {Kind::Refused, compiled.error};
  if (compiled.is_opaque) return {Kind::Skipped, "a value of the compiled form is opaque"};
  if (!compiled.is_complete) return {Kind::Skipped, "the compiled form takes too long"};
  std::vector<std::string> words;
  for (const Buffer& buffer : placed.kernel.buffers) {
    for (std::string& name : buffer.words()) words.push_back(std::move(name));
  }
  const Runs runs = run(placed.kernel, module, options_.runs);
  if (!runs.error.empty()) return {Kind::Disagreed, "virtual GPU: " + runs.error};
  for (const Words& outcome : runs.outcomes) {
    if (!compiled.outcomes.contains(outcome)) {
      return {Kind::Disagreed, "a run has an outcome that the compiled form lacks: " + text_of(outcome, words)};
    }
  }
  const Reading source = read(placed, "");
  if (!source.error.empty()) return {Kind::Skipped, "source: " + source.error};
  if (!source.is_complete) return {Kind::Skipped, "the source takes too long"};
  for (const events::Incident::Kind kind : compiled.incidents) {
    if (!source.incidents.contains(kind))
      return {Kind::Disagreed, "the compiled form has an incident, but the source does not"};
  }
  if (compiled.has_race && !source.has_race) {
    if (compiled.has_early_reads)
      return {Kind::Explained, "the compiler moves a conditional read before its condition"};
    return {Kind::Disagreed, "the compiled form races, but the source does not"};
  }
  if (!std::ranges::includes(source.outcomes, compiled.outcomes)) {
    if (source.has_race)
      return {Kind::Explained,
              "the kernel races: the compiler has reordered its plain accesses or dropped a dependency (0 & x)"};
    std::vector<Words> others;
    std::ranges::set_difference(compiled.outcomes, source.outcomes, std::back_inserter(others));
    return {Kind::Disagreed, "the source lacks an outcome of the compiled form: " + text_of(others[0], words)};
  }
  if (source.has_race && !compiled.has_race) {
    if (compiled.has_remarks) return {Kind::Explained, "the compiler changed the accesses of the race"};
    return {Kind::Disagreed, "the source races, but the compiled form does not"};
  }
  // The detector orders less than PTX: it does not order volatile accesses, or reads of a cell after an atomic on the
  // cell.
  if (runs.has_race && !compiled.has_race) return {Kind::Explained, "barracuda reports a race that PTX does not have"};
  return {};
}

}  // namespace ambit::compiled_kernels
