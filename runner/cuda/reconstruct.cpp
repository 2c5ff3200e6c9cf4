#include "runner/cuda/reconstruct.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

namespace ambit::cuda {
namespace {

/// Steps tried for one recording.
constexpr std::uint64_t kMostSteps = 20000;

}  // namespace

Reconstructor::Reconstructor(std::shared_ptr<const Program> program, std::unique_ptr<sim::Engine> engine)
    : program_(std::move(program)), engine_(std::move(engine)), traces_(*program_) {}

Result<std::unique_ptr<Reconstructor>> Reconstructor::create(std::shared_ptr<const Program> program) {
  sim::Options options;
  options.memory = sim::MemoryKind::Sc;
  auto engine = sim::Engine::create(program, options);
  if (!engine.ok()) return engine.errors();
  return std::unique_ptr<Reconstructor>(new Reconstructor(std::move(program), std::move(engine).value()));
}

Reconstruction Reconstructor::trace_of(const Recording& recording) {
  recording_ = &recording;
  const std::size_t threads = program_->threads.size();
  turns_.assign(threads, {});
  for (std::size_t i = 0; i < recording.order.size(); ++i) turns_[recording.order[i]].push_back(i);
  steps_.clear();
  end_.reset();
  visited_ = 0;
  sim::State state;
  engine_->reset(state);
  if (!search(state, {std::vector<std::size_t>(threads, 0)})) return {};
  const auto& filter = program_->condition.filter;
  const bool is_left_out = filter && evaluate(*filter, engine_->machine().outcome(*end_)) == 0;
  Trace trace = traces_.make(steps_, *end_);
  if (auto contradiction = traces_.contradiction(trace)) return {std::nullopt, false, std::move(contradiction)};
  return {std::move(trace), is_left_out, std::nullopt};
}

/// Threads that can go on, the one with the oldest ticket first.
std::vector<std::uint32_t> Reconstructor::candidates(const sim::State& state, const Position& position) const {
  std::vector<std::uint32_t> threads;
  for (std::uint32_t t = 0; t < program_->threads.size(); ++t) {
    if (engine_->machine().can_step(state, t)) threads.push_back(t);
  }
  const auto turn = [&](std::uint32_t t) {
    const std::size_t next = position.next[t];
    return next < turns_[t].size() ? turns_[t][next] : std::numeric_limits<std::size_t>::max();
  };
  std::stable_sort(threads.begin(), threads.end(), [&](auto a, auto b) { return turn(a) < turn(b); });
  return threads;
}

/// The step is the thread's next recorded access, or the last one once more (the kernel keeps a spin's first access
/// only), or none.
bool Reconstructor::accept(const sim::StepEvent& event, Position& position) const {
  if (!event.is_access()) return true;
  const auto& accesses = recording_->threads[event.thread];
  std::size_t& next = position.next[event.thread];
  const Operation& operation = program_->threads[event.thread].code[event.instruction].operation;
  const auto* rmw = std::get_if<Rmw>(&operation);
  Value seen = 0;
  if (event.kind == sim::StepEvent::Kind::Load) seen = event.value;
  if (rmw != nullptr && !rmw->is_reduction) seen = event.old_value;
  const RecordedAccess access{event.instruction, seen};
  if (next < accesses.size() && accesses[next] == access) {
    ++next;
    return true;
  }
  return next > 0 && accesses[next - 1] == access;
}

bool Reconstructor::search(const sim::State& state, const Position& position) {
  if (++visited_ > kMostSteps) return false;
  const std::vector<std::uint32_t> threads = candidates(state, position);
  if (threads.empty()) {
    bool is_all = engine_->all_exited(state);
    for (std::size_t t = 0; t < position.next.size(); ++t) {
      is_all = is_all && position.next[t] == recording_->threads[t].size();
    }
    if (is_all) end_ = state;
    return is_all;
  }
  for (const std::uint32_t thread : threads) {
    sim::State next = state;
    Position at = position;
    const sim::StepEvent event = engine_->machine().step(next, thread, 0);
    if (!accept(event, at)) continue;
    steps_.push_back(event);
    if (search(next, at)) {
      out_of_turn_ += thread != threads.front() ? 1 : 0;
      return true;
    }
    steps_.pop_back();
  }
  return false;
}

}  // namespace ambit::cuda
