#include "runner/cuda/launch/reconstruct.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "kernels/recording.h"

namespace ambit::cuda {
namespace {

/// Limit on the steps of the search for one recording.
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
  using Kind = Reconstruction::Kind;
  recording_ = &recording;
  turns_.assign(program_->threads.size(), {});
  for (std::size_t i = 0; i < recording.order.size(); ++i) turns_[recording.order[i]].push_back(i);
  const Kind kind = search();
  if (kind != Kind::Trace) return {kind};
  const sim::State& end = path_.back().state;
  const auto& filter = program_->condition.filter;
  if (filter && evaluate(*filter, engine_->machine().outcome(end)) == 0) return {Kind::LeftOut};
  Trace trace = traces_.make(events_, end);
  if (auto error = traces_.contradiction(trace)) return {Kind::Error, std::nullopt, std::move(error)};
  return {Kind::Trace, std::move(trace)};
}

/// Searches the reachable states depth first. Visits each state once.
Reconstruction::Kind Reconstructor::search() {
  using Kind = Reconstruction::Kind;
  path_.clear();
  events_.clear();
  reached_.clear();
  Step& first = path_.emplace_back();
  first.position.resize(program_->threads.size());
  engine_->reset(first.state);
  if (first.state.is_dropped) return Kind::LeftOut;
  find_threads(first);
  for (std::uint64_t steps = 0; !path_.empty();) {
    Step& from = path_.back();
    if (from.threads.empty() && is_whole(from)) return Kind::Trace;
    if (from.tried == from.threads.size()) {
      path_.pop_back();
      if (!events_.empty()) events_.pop_back();
      continue;
    }
    if (++steps > kMostSteps) return Kind::GivenUp;
    const std::uint32_t thread = from.threads[from.tried++];
    Step to{from.state, from.position, {}, 0};
    const sim::StepEvent event = engine_->machine().step(to.state, thread, 0);
    if (!accept(event, to.position[thread])) continue;
    if (event.writes()) end_waits(to.position, thread);
    // The recorded reads of a thread determine whether its assume() is met, so another order has the same result.
    if (to.state.is_dropped) return Kind::LeftOut;
    if (!reached_.insert({sim::fingerprint(to.state), to.position}).second) continue;
    find_threads(to);
    events_.push_back(event);
    path_.push_back(std::move(to));
  }
  return Kind::Weak;
}

bool Reconstructor::is_whole(const Step& step) const {
  for (std::size_t t = 0; t < step.position.size(); ++t) {
    if (step.position[t].next != recording_->threads[t].size()) return false;
  }
  return engine_->all_exited(step.state);
}

/// Finds the threads that can take a step. The thread with the oldest ticket is first.
void Reconstructor::find_threads(Step& step) const {
  for (std::uint32_t t = 0; t < program_->threads.size(); ++t) {
    if (engine_->machine().can_step(step.state, t)) step.threads.push_back(t);
  }
  const auto turn = [&](std::uint32_t t) {
    const Place& place = step.position[t];
    const bool has_turn = !place.is_in_vain && place.next < turns_[t].size();
    return has_turn ? turns_[t][place.next] : std::numeric_limits<std::size_t>::max();
  };
  std::stable_sort(step.threads.begin(), step.threads.end(), [&](auto a, auto b) { return turn(a) < turn(b); });
}

void Reconstructor::end_waits(Position& position, std::uint32_t writer) {
  for (std::uint32_t t = 0; t < position.size(); ++t) {
    if (t != writer) position[t].is_in_vain = false;
  }
}

/// Returns whether the recording permits the step. The recording permits the thread's next entry, a repetition of the
/// recorded iteration of a spin loop (recording.h), and every step of a kind that is not recorded.
bool Reconstructor::accept(const sim::StepEvent& event, Place& place) const {
  if (!event.is_access() && event.kind != sim::StepEvent::Kind::Fence) return true;
  const auto& entries = recording_->threads[event.thread];
  const Operation& operation = program_->threads[event.thread].code[event.instruction].operation;
  const auto* rmw = std::get_if<Rmw>(&operation);
  Value seen = 0;
  if (event.kind == sim::StepEvent::Kind::Load) seen = event.value;
  if (rmw != nullptr && !rmw->is_reduction) seen = event.old_value;
  const RecordedEntry entry{event.instruction, seen};
  if (place.next < entries.size() && entries[place.next] == entry) {
    ++place.next;
    place.is_in_vain = place.is_in_vain && place.next <= place.furthest;
    place.furthest = std::max(place.furthest, place.next);
    return true;
  }
  for (std::size_t round = 1; round <= std::min<std::size_t>(place.next, ambit_kernel::kLongestRound); ++round) {
    if (entries[place.next - round] != entry) continue;
    place.next -= round - 1;
    place.is_in_vain = true;
    return true;
  }
  return false;
}

}  // namespace ambit::cuda
