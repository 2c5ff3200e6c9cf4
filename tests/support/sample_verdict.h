#pragma once

#include <memory>
#include <utility>

#include "core/program.h"
#include "model/verdict/verdict.h"

/// A verdict built by hand, for tests of code that uses the engines' results. The test is
///
///   1  CUDA sample
///   2  { global int x = 0; }
///   3  P0 @ block 0 { x = 1; }
///   4  P1 @ block 1 { int r0 = x; }
///   5  exists (P1:r0 == 1)
///
/// with events 0 (initial write of x), 1 (P0 writes 1), 2 (P1 reads), and a model "toy" with the option strict = no |
/// yes and the flag data-race.
namespace ambit::test {

inline std::shared_ptr<Program> sample_program() {
  auto program = std::make_shared<Program>();
  program->name = "sample";
  program->source =
      std::make_shared<const SourceFile>(SourceFile{"dir/sample.litmus",
                                                    "CUDA sample\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nP1 @ "
                                                    "block 1 { int r0 = x; }\nexists (P1:r0 == 1)\n"});
  program->objects.push_back({"x", kInt, MemorySpace::Global, 1, false, true, 0, {2, 3, 1}});
  program->locations.push_back({"x", 0, 0, kInt, 0});
  const Expr address = Expr::make_constant(make_address(0, 0), kLongLong);
  MemoryAccess access;
  access.address = address;
  Thread writer{"P0", {.block = 0}, 0, {}, {}, {3, 1, 2}};
  writer.code.push_back({Store{access, Expr::make_constant(1), LockRole::None}, {3, 17, 5}});
  Thread reader{"P1", {.block = 1}, 0, {{"r0", kInt}}, {}, {4, 1, 2}};
  reader.code.push_back({Load{0, access}, {4, 17, 10}});
  program->threads = {writer, reader};
  Observable observable;
  observable.kind = Observable::Kind::Register;
  observable.thread = 1;
  observable.name = "P1:r0";
  program->observables = {observable};
  program->condition.quantifier = Quantifier::Exists;
  program->condition.proposition = Expr::make(Op::Equal, kInt, {Expr::make_register(0), Expr::make_constant(1)});
  program->condition.span = {5, 1, 19};
  return program;
}

inline events::EventGraph sample_graph(std::shared_ptr<const Program> program) {
  events::EventGraph graph;
  graph.program = std::move(program);
  const events::NodeId address = graph.values.constant(make_address(0, 0), kLongLong);
  const auto add = [&](events::EventKind kind, std::uint32_t thread, events::NodeId value, SourceSpan span) {
    events::Event event;
    event.kind = kind;
    event.thread = thread;
    event.type = kInt;
    event.address = address;
    event.cell = address;
    event.value = value;
    event.locations = {0};
    event.span = span;
    graph.events.push_back(event);
  };
  add(events::EventKind::InitialWrite, events::kNoThread, events::ValueGraph::kFalse, {2, 3, 1});
  add(events::EventKind::Write, 0, events::ValueGraph::kTrue, {3, 17, 5});
  add(events::EventKind::Read, 1, graph.values.read(2, kInt), {4, 17, 10});
  graph.observables = {graph.events[2].value};
  return graph;
}

/// Returns the execution in which the read returns 1, written by P0, or 0, the initial value.
inline events::Execution sample_execution(bool reads_new) {
  events::Execution execution;
  execution.executed = events::EventSet(3);
  execution.executed.fill();
  execution.values = {0, 1, reads_new ? 1 : 0};
  execution.locations = {0, 0, 0};
  execution.reads_from = {events::kNoEvent, events::kNoEvent, reads_new ? 1U : 0U};
  execution.coherence = {{0, 1}};
  return execution;
}

inline std::shared_ptr<rules::Rules> sample_rules() {
  auto rules = std::make_shared<rules::Rules>();
  rules->name = "toy";
  rules->options.push_back({"strict", {"no", "yes"}, "how strict", "no"});
  rules::Flag flag;
  flag.name = "data-race";
  rules->flags.push_back(flag);
  return rules;
}

/// Returns a complete verdict: Sometimes, exists Ok, and a race on x between the two accesses.
inline verdict::Verdict sample_verdict(const std::shared_ptr<const Program>& program = sample_program()) {
  verdict::Verdict verdict;
  verdict.model = "toy";
  verdict.graph = std::make_shared<const events::EventGraph>(sample_graph(program));
  verdict.rules = sample_rules();
  using events::Possibility;
  verdict.answers.any = {Possibility::Possible, sample_execution(true)};
  verdict.answers.holds = {Possibility::Possible, sample_execution(true)};
  verdict.answers.fails = {Possibility::Possible, sample_execution(false)};
  verdict.answers.bound = {Possibility::Impossible, {}};
  verdict.answers.flags = {{.possibility = Possibility::Possible,
                            .pairs = {{1, 2, std::make_shared<const events::Execution>(sample_execution(false))}}}};
  verdict.frequency = Frequency::Sometimes;
  verdict.condition_holds = true;
  verdict.race = Possibility::Possible;
  return verdict;
}

/// Like sample_verdict(), without a race.
inline verdict::Verdict sample_verdict_without_race(const std::shared_ptr<const Program>& program = sample_program()) {
  verdict::Verdict verdict = sample_verdict(program);
  verdict.answers.flags = {{.possibility = events::Possibility::Impossible}};
  verdict.race = events::Possibility::Impossible;
  return verdict;
}

}  // namespace ambit::test
