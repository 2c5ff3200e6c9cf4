#include "api/edit/document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "api/check/checking_options.h"
#include "api/check/ending.h"
#include "api/check/inquiry.h"
#include "api/edit/repair.h"
#include "base/overloaded.h"
#include "core/litmus_words.h"
#include "model/rules/shipped.h"
#include "model/termination/termination.h"
#include "model/verdict/bound.h"
#include "model/verdict/judgement.h"
#include "model/verdict/races.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

std::string location_text(const Program& program, const MemoryAccess& access) {
  if (!access.address.is_constant()) return "an address computed at run time";
  const auto name = program.name_at(access.address.constant);
  return name ? fmt::format("`{}`", *name) : "no location: the address is out of bounds";
}

/// Names the threads that an operation with this scope reaches: "reaches P0, P1 and 3 more".
std::string reach_text(const Program& program, const Thread& thread, Scope scope) {
  if (scope == Scope::Thread) return "reaches no other thread";
  std::vector<std::string> others;
  for (const Thread& other : program.threads) {
    if (&other != &thread && same_instance(thread.place, other.place, scope)) others.push_back(other.name);
  }
  if (others.empty()) return "reaches no other thread of this test";
  constexpr std::size_t kMost = 8;
  const std::size_t left_out = others.size() > kMost ? others.size() - kMost : 0;
  others.resize(others.size() - left_out);
  return fmt::format("reaches {}{}", fmt::join(others, ", "), left_out ? fmt::format(" and {} more", left_out) : "");
}

std::string access_text(const Program& program, const Thread& thread, const MemoryAccess& access, const char* what) {
  const std::string location = location_text(program, access);
  if (access.is_volatile) return fmt::format("volatile {} {}: strong under PTX, ordinary elsewhere", what, location);
  if (access.order == Order::Weak) return fmt::format("plain {} {}: does not synchronise", what, location);
  return fmt::format("{} {} {} at {} scope: {}", to_string(access.order), what, location, to_string(access.scope),
                     reach_text(program, thread, access.scope));
}

std::string barrier_text(const Barrier& barrier) {
  switch (barrier.kind) {
    case BarrierKind::Warp: return "barrier of the warp's lanes";
    case BarrierKind::Cluster: return "barrier of the cluster";
    case BarrierKind::Grid: return "barrier of all threads of the gpu";
    case BarrierKind::Block: break;
  }
  return fmt::format("barrier {} of the block{}", barrier.id, barrier.arrive_only ? ": arrives and does not wait" : "");
}

std::string proxy_fence_text(const ProxyFence& fence) {
  if (fence.is_mbarrier_init) return "fence that publishes the initialisation of mbarriers to the cluster";
  if (fence.direction != ProxyFence::Direction::Both) {
    const bool releases = fence.direction == ProxyFence::Direction::Release;
    return fmt::format("proxy fence from generic {}: its {} half",
                       fence.proxy == Proxy::Tensormap ? "accesses of tensor maps to tensor copies"
                                                       : "to asynchronous accesses of shared memory",
                       releases ? "releasing" : "acquiring");
  }
  return fence.is_alias ? "proxy fence between aliases" : fmt::format("proxy fence: {}", to_string(fence.proxy));
}

std::string step_text(const AsyncStep& step) {
  switch (step.kind) {
    case AsyncStep::Kind::Issue: return step.name + ": issues an asynchronous operation, which is not in program order";
    case AsyncStep::Kind::Commit: return step.name + ": closes the group of the operations issued before";
    case AsyncStep::Kind::FenceBefore: return step.name + ": orders the tcgen05 operations before it";
    case AsyncStep::Kind::FenceAfter: return step.name + ": orders the tcgen05 operations after it";
    case AsyncStep::Kind::Wait: break;
  }
  return fmt::format("{}: waits until at most {} groups of this thread are unfinished", step.name, step.pending);
}

/// Describes an instruction, with the scope that it reaches: "release write of `flag` at device scope: reaches P0, P1".
/// Returns an empty text for an instruction that uses only registers.
std::string operation_text(const Program& program, const Thread& thread, const Instruction& instruction) {
  const auto access = [&](const MemoryAccess& to, const char* what) { return access_text(program, thread, to, what); };
  return std::visit(
      Overloaded{[&](const Load& load) { return access(load.access, "read of"); },
                 [&](const Store& store) { return access(store.access, "write of"); },
                 [&](const Rmw& rmw) {
                   const std::string text = access(rmw.access, "read-modify-write of");
                   return rmw.is_reduction ? text + "; its result is not used, so under PTX it never acquires" : text;
                 },
                 [&](const Fence& fence) {
                   return fmt::format("{} fence at {} scope{}: {}", to_string(fence.order), to_string(fence.scope),
                                      fence.is_shared_only ? ", for shared memory only" : "",
                                      reach_text(program, thread, fence.scope));
                 },
                 [](const ProxyFence& fence) { return proxy_fence_text(fence); },
                 [&](const TransactionBegin& transaction) {
                   return fmt::format("transaction: {}", reach_text(program, thread, transaction.scope));
                 },
                 [](const Barrier& barrier) { return barrier_text(barrier); },
                 [](const AsyncStep& step) { return step_text(step); },
                 [](const OneOf<Assign, Branch, Jump, Assume, Assert, TransactionEnd> auto&) { return std::string(); }},
      instruction.operation);
}

/// Memory limit of the whole process while Ambit computes the answer for a lens.
constexpr std::uint64_t kMemory = std::uint64_t{2} << 30;

std::string place_text(const ThreadPlace& place) {
  return fmt::format("gpu {}, block {}, warp {}, lane {}", place.gpu, place.block, place.warp, place.lane);
}

std::string short_place(const ThreadPlace& place) {
  return place.gpu == 0 ? fmt::format("block {}", place.block) : fmt::format("gpu {} block {}", place.gpu, place.block);
}

/// Returns whether a position is within the span. In a PTX test, the columns matter, because a line can hold statements
/// of several threads.
bool covers(const Program& program, const SourceSpan& span, const SourceFile& file, Position position) {
  if (span.line != position.line + 1) return false;
  if (!program.has_columns) return true;
  const Range range = range_of(file, span);
  return range.begin.character <= position.character && position.character <= range.end.character;
}

/// Describes the instructions at a place. Describes an instruction only once if several threads contain it.
std::string instructions_text(const Program& program, const SourceFile& file, Position position) {
  std::vector<std::pair<std::string, std::vector<std::string>>> said;
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      if (!covers(program, instruction.span, file, position)) continue;
      std::string text = operation_text(program, thread, instruction);
      if (text.empty()) continue;
      auto same = std::find_if(said.begin(), said.end(), [&](const auto& entry) { return entry.first == text; });
      if (same == said.end()) same = said.emplace(said.end(), std::move(text), std::vector<std::string>{});
      const std::string who = fmt::format("{} ({})", thread.name, short_place(thread.place));
      if (std::find(same->second.begin(), same->second.end(), who) == same->second.end()) same->second.push_back(who);
    }
  }
  std::string text;
  for (const auto& [what, threads] : said) text += fmt::format("- **{}**: {}\n", fmt::join(threads, ", "), what);
  return text;
}

std::optional<std::string> word_text(std::string_view word, parser::ModelStore& store) {
  for (const auto list :
       {body_words(), expectation_words(), expectation_heads(), termination_words(), scheduler_words()}) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const LitmusWord& w) { return w.name == word; });
    if (found != list.end()) return fmt::format("`{}`: {}\n", word, found->meaning);
  }
  const auto models = rules::shipped_models();
  if (std::find(models.begin(), models.end(), word) == models.end()) return std::nullopt;
  const auto rules = store.load(std::string(word), {});
  if (!rules.ok()) return std::nullopt;
  std::string text = fmt::format("model `{}`: {}\n", word, rules.value()->title);
  for (const rules::ModelOption& option : rules.value()->options) {
    text += fmt::format("- `{}={}`: {}\n", option.name, fmt::join(option.values, "|"), option.meaning);
  }
  return text;
}

std::string lens_text(const verdict::Judgement& judgement, const std::string& model,
                      const std::vector<std::string>& said, const std::optional<UnknownReason>& unknown) {
  std::string text = fmt::format("{}  {}", to_string(judgement.status), model);
  if (!said.empty()) text += fmt::format(": {}", fmt::join(said, ", "));
  if (!judgement.reasons.empty()) text += fmt::format(" ({})", fmt::join(judgement.reasons, "; "));
  if (unknown) text += fmt::format(" (not known: {})", to_string(*unknown));
  return text;
}

std::string verdict_text(const verdict::Verdict& verdict) {
  std::vector<std::string> said;
  if (verdict.graph->program->condition.proposition) {
    said.emplace_back(verdict.frequency ? to_string(*verdict.frequency) : std::string_view("?"));
  }
  if (verdict::speaks_of_races(*verdict.rules)) said.push_back(verdict::race_text(verdict));
  for (std::string& incident : verdict::incident_texts(verdict)) said.push_back(std::move(incident));
  if (verdict.answers.executions) said.push_back(fmt::format("{} executions", *verdict.answers.executions));
  return lens_text(verdict::judge(verdict), verdict.model, said, verdict.unknown);
}

std::string verdict_text(const termination::TerminationVerdict& verdict) {
  return lens_text(termination::judge(verdict), fmt::format("{} under {}", verdict.model, to_string(verdict.scheduler)),
                   {std::string(to_string(verdict.termination))}, verdict.unknown);
}

/// Returns a copy of the program with only the expectation of the lens.
std::shared_ptr<const Program> with_only(const Program& program, const Lens& lens) {
  auto copy = std::make_shared<Program>(program);
  copy->expectations.clear();
  copy->terminations.clear();
  if (lens.is_termination) {
    copy->terminations.push_back(program.terminations[lens.expectation]);
  } else {
    copy->expectations.push_back(program.expectations[lens.expectation]);
  }
  return copy;
}

std::string one_line(const Diagnostics& errors) { return errors.front().message; }

void add(std::vector<Completion>& list, std::span<const LitmusWord> from) {
  for (const LitmusWord& word : from) {
    list.push_back({std::string(word.name), std::string(word.snippet.empty() ? word.name : word.snippet),
                    std::string(word.meaning)});
  }
}

}  // namespace

Document::Document(std::string path, std::string text, parser::ModelStore& models)
    : models_(models), source_(std::make_shared<const SourceFile>(SourceFile{std::move(path), std::move(text)})) {
  if (source_->path.ends_with(".cat")) {
    read_model();
  } else {
    read_test();
  }
}

std::vector<std::string> Document::tests() const {
  std::vector<std::string> names;
  for (const auto& program : programs_) names.push_back(program->name);
  return names;
}

void Document::note(const Diagnostics& errors, const SourceSpan& where) {
  for (const Diagnostic& error : errors) {
    const bool is_here = !error.file || error.file->path == source_->path;
    const std::string place = is_here ? "" : fmt::format("{}:{}: ", error.file->path, error.span.line);
    findings_.push_back({range_of(*source_, is_here ? error.span : where),
                         place + error.message + (error.hint.empty() ? "" : "\nhint: " + error.hint),
                         error.severity == Severity::Note});
  }
}

void Document::read_test() {
  auto programs = parser::parse_programs(source_);
  if (!programs.ok()) return note(programs.errors());
  programs_ = std::move(programs.value());
  for (const auto& program : programs_) {
    note(program->remarks);
    for (const Expectation& one : program->expectations) check_model(one.model, one.options, one.span);
    for (const TerminationExpectation& one : program->terminations) check_model(one.model, one.options, one.span);
  }
}

void Document::check_model(const std::string& model, const std::map<std::string, std::string>& options,
                           const SourceSpan& where) {
  const auto rules = models_.load(model, options, source_, where);
  if (!rules.ok()) note(rules.errors(), where);
}

void Document::read_model() {
  const auto rules = parser::parse_model(source_);
  if (!rules.ok()) note(rules.errors());
}

std::optional<std::string> Document::hover(Position position) const {
  std::string text;
  const std::string_view word = word_at(*source_, position);
  if (const auto meaning = word_text(word, models_)) text = *meaning;
  for (const auto& program : programs_) {
    std::string instructions = instructions_text(*program, *source_, position);
    if (instructions.empty()) continue;
    if (!text.empty()) text += "\n";
    text += instructions;
    break;
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

std::vector<Lens> Document::lenses() const {
  std::vector<Lens> lenses;
  for (std::size_t p = 0; p < programs_.size(); ++p) {
    const Program& program = *programs_[p];
    for (std::size_t e = 0; e < program.expectations.size(); ++e) {
      lenses.push_back({range_of(*source_, program.expectations[e].span), p, e, false});
    }
    for (std::size_t e = 0; e < program.terminations.size(); ++e) {
      lenses.push_back({range_of(*source_, program.terminations[e].span), p, e, true});
    }
  }
  std::ranges::stable_sort(lenses, {}, [](const Lens& lens) { return lens.range.begin.line; });
  return lenses;
}

std::string Document::answer(const Lens& lens, std::chrono::milliseconds limit) const {
  const bool is_there = lens.program < programs_.size() &&
                        lens.expectation < (lens.is_termination ? programs_[lens.program]->terminations.size()
                                                                : programs_[lens.program]->expectations.size());
  if (!is_there) return "not known: the text has changed";
  const auto program = with_only(*programs_[lens.program], lens);
  Context context;
  context.set_timeout(limit);
  context.set_memory_limit(kMemory);
  return lens.is_termination ? answer(program, program->terminations.front(), context)
                             : answer(program, program->expectations.front(), context);
}

std::string Document::answer(const std::shared_ptr<const Program>& program, const Expectation& expectation,
                             Context& context) const {
  const auto rules = models_.load(expectation.model, expectation.options, source_, expectation.span);
  if (!rules.ok()) return one_line(rules.errors());
  const verdict::CheckOptions options = questions_of(*program, *rules.value(), OutcomesQuestion::Never);
  verdict::Checker checker;
  const auto verdict = checker.check(program, rules.value(), options, context);
  return verdict.ok() ? verdict_text(verdict.value()) : one_line(verdict.errors());
}

std::string Document::answer(const std::shared_ptr<const Program>& program, const TerminationExpectation& expectation,
                             Context& context) const {
  const auto rules = models_.load(expectation.model, expectation.options, source_, expectation.span);
  if (!rules.ok()) return one_line(rules.errors());
  verdict::Checker checker;
  const auto verdict = check_ending(checker, program, rules.value(), expectation.scheduler, {}, context);
  return verdict.ok() ? verdict_text(verdict.value()) : one_line(verdict.errors());
}

namespace {

/// Returns one edit that replaces the lines of `before` that differ from `after`.
QuickFix changed_lines(std::string_view before, std::string_view after) {
  std::size_t begin = 0;
  std::uint32_t line = 0;
  while (begin < std::min(before.size(), after.size())) {
    const std::size_t end = before.find('\n', begin);
    if (end == before.npos || before.substr(begin, end + 1 - begin) != after.substr(begin, end + 1 - begin)) break;
    begin = end + 1;
    ++line;
  }
  std::size_t tail = 0;  // number of equal lines at the end of both texts
  while (tail < std::min(before.size(), after.size()) - begin) {
    const std::size_t end = before.size() - tail;
    const std::size_t start = end < 2 ? 0 : before.rfind('\n', end - 2) + 1;
    const std::size_t length = before.size() - std::max(start, begin);
    if (start < begin || length > after.size() - begin || before.substr(start) != after.substr(after.size() - length)) {
      break;
    }
    tail = length;
  }
  const auto lines = std::ranges::count(before.substr(begin, before.size() - tail - begin), '\n');
  QuickFix fix;
  fix.range = {{line, 0}, {line + static_cast<std::uint32_t>(lines), 0}};
  if (tail == 0) {  // the text may end without a line break, so the range ends after the last character
    const std::size_t last = before.rfind('\n') + 1;
    fix.range.end.character = static_cast<std::uint32_t>(before.size() - last);
  }
  fix.text = after.substr(begin, after.size() - tail - begin);
  return fix;
}

}  // namespace

Result<parser::RulesPtr> Document::rules_of(const Program& program, const Lens& lens) const {
  if (!lens.is_termination) {
    const Expectation& one = program.expectations[lens.expectation];
    return models_.load(one.model, one.options, source_, one.span);
  }
  const TerminationExpectation& one = program.terminations[lens.expectation];
  return models_.load(one.model, one.options, source_, one.span);
}

std::vector<QuickFix> Document::fixes(const Range& range, std::chrono::milliseconds limit) const {
  std::vector<QuickFix> fixes;
  for (const Lens& lens : lenses()) {
    if (lens.range.end.line < range.begin.line || lens.range.begin.line > range.end.line) continue;
    const auto& program = programs_[lens.program];
    CheckingOptions checking;
    checking.timeout_seconds = std::chrono::duration<double>(limit).count();
    checking.memory_bytes = kMemory;
    checking.only_termination = lens.is_termination;
    if (lens.is_termination) checking.schedulers = {program->terminations[lens.expectation].scheduler};
    const auto rules = rules_of(*program, lens);
    if (!rules.ok()) continue;
    const std::atomic<bool> interrupted{false};
    const auto report = fix_program(program, rules.value(), checking, interrupted);
    if (!report.ok() || report.value().proposals.empty()) continue;
    const repair::Proposal& proposal = report.value().proposals.front();
    QuickFix fix = changed_lines(source_->text, proposal.text);
    fix.title =
        fmt::format("{} under {}: {}", report.value().goal, report.value().model, fmt::join(proposal.changes, "; "));
    fixes.push_back(std::move(fix));
  }
  return fixes;
}

std::vector<Symbol> Document::symbols() const {
  std::vector<Symbol> symbols;
  if (programs_.empty()) return symbols;
  for (const Thread& thread : programs_.front()->threads) {
    symbols.push_back({thread.name, place_text(thread.place), range_of(*source_, thread.span)});
  }
  return symbols;
}

std::vector<Completion> Document::completions(Position position) const {
  std::vector<Completion> list;
  if (source_->path.ends_with(".cat")) return list;
  std::string_view line = text_before(*source_, position);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const bool is_of_termination = line.substr(0, line.find(':')).find(" under ") != std::string_view::npos;
  if (!line.starts_with("expect")) {
    add(list, body_words());
  } else if (line.find(':') != std::string_view::npos) {
    add(list, is_of_termination ? termination_words() : expectation_words());
  } else if (is_of_termination) {
    add(list, scheduler_words());
  } else {
    for (const std::string_view model : rules::shipped_models()) {
      list.push_back({std::string(model), std::string(model), "model"});
    }
    add(list, expectation_heads());
  }
  return list;
}

}  // namespace ambit::api
