#include "runner/shadow/watch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <exception>

#include "base/demangled.h"
#include "base/hash.h"
#include "detector/algorithms/registry.h"
#include "runner/shadow/clock_detectors.h"
#include "runner/shadow/remedy.h"
#include "runner/shadow/trace_detectors.h"

namespace ambit::shadow {
namespace {

constexpr std::chrono::milliseconds kFlushEvery{500};
constexpr std::uint64_t kBytesOfSample = 64;
constexpr const char* kWaitForCopy =
    "cp.async.wait_group (__pipeline_wait_prior) by the thread that copies, and a barrier before other threads' "
    "accesses";

/// Returns a verb phrase such as "is at", "are at", or "waits at barrier 0, where ...".
std::string verb_phrase(const virtual_gpu::UnfinishedThreads& unfinished) {
  const std::string& what = unfinished.what;  // a verb phrase in the plural
  const bool is_one = unfinished.threads == 1;
  if (what.empty()) return is_one ? "is at" : "are at";
  if (is_one && what.starts_with("wait ")) return "waits" + what.substr(4);
  return is_one && what.starts_with("have ") ? "has" + what.substr(4) : what;
}

/// Returns the coordinates of a number in `extent`: "(1,0,2)", or "1" if there is only one dimension.
std::string coordinates(std::uint32_t number, const virtual_gpu::Extent& extent) {
  if (extent.y == 1 && extent.z == 1) return std::to_string(number);
  return fmt::format("({},{},{})", number % extent.x, number / extent.x % extent.y, number / extent.x / extent.y);
}

}  // namespace

Watch::Watch(WatchOptions options, virtual_gpu::Device& device)
    : options_(std::move(options)), device_(device), writer_(options_.report_file) {
  writer_.begin();
  std::vector<TraceDetectors::Choice> of_traces;
  std::vector<ClockDetectors::Choice> of_clocks;
  for (std::uint32_t i = 0; i < options_.detectors.size(); ++i) {
    const WatchOptions::DetectorChoice& choice = options_.detectors[i];
    // Only TraceDetectors supports options.
    auto rules = choice.options.empty() ? make_rule_detector(choice.name, i, *this) : nullptr;
    if (rules != nullptr) {
      detectors_.push_back(std::move(rules));
    } else if (choice.options.empty() && ClockDetectors::has(choice.name)) {
      of_clocks.push_back({choice.name, i});
    } else if (const auto wrong = detector::check_options(choice.name, choice.options)) {
      error(wrong->message);
    } else {
      of_traces.push_back({choice.name, choice.options, i});
    }
  }
  if (!of_clocks.empty()) detectors_.push_back(std::make_unique<ClockDetectors>(of_clocks, *this));
  if (!of_traces.empty()) detectors_.push_back(std::make_unique<TraceDetectors>(std::move(of_traces), *this));
  if (!options_.record_file.empty()) {
    detectors_.push_back(
        std::make_unique<Recorder>(options_.record_file, device, [this](const std::string& text) { error(text); }));
  }
  if (!detectors_.empty()) device_.set_observer(this);
}

Watch::~Watch() {
  if (!detectors_.empty()) device_.set_observer(nullptr);
}

// ---- races ----

ProgramSite Watch::site(std::uint32_t number) const {
  ProgramSite made;
  if (number >= device_.site_count()) return made;
  const virtual_gpu::Site from = device_.site(number);
  for (const virtual_gpu::SitePlace& place : from.places) {
    made.places.push_back({place.file, place.line, place.column, demangled(place.function)});
  }
  made.user_place = from.user_place;
  made.function = demangled(from.function);
  made.instruction = from.instruction;
  made.ptx_line = from.ptx_line;
  return made;
}

std::string Watch::thread_name(std::uint32_t block, std::uint32_t thread) const {
  return fmt::format("block {}, thread {}", coordinates(block, grid_), coordinates(thread, block_));
}

ProgramAccess Watch::access(const RawAccess& raw) const {
  const bool is_known = raw.thread != RawAccess::kNoThread;
  return {site(raw.site), is_known ? thread_name(raw.block, raw.thread) : "", raw.is_write, raw.is_atomic};
}

RaceLevel Watch::level_of(const RawRace& race) {
  const bool has_places = race.first.thread != RawAccess::kNoThread && race.second.thread != RawAccess::kNoThread;
  if (!has_places || race.first.block != race.second.block) return RaceLevel::Device;
  return race.first.thread / 32 == race.second.thread / 32 ? RaceLevel::Warp : RaceLevel::Block;
}

void Watch::race(std::uint32_t detector, const RawRace& raw, std::uint64_t count, const std::string& why) {
  const std::uint64_t flags = (raw.first.is_write ? 1U : 0U) | (raw.second.is_write ? 2U : 0U) |
                              (raw.first.is_atomic ? 4U : 0U) | (raw.second.is_atomic ? 8U : 0U);
  const std::uint64_t key = combine_hash(combine_hash(std::uint64_t{raw.first.site} << 32U | raw.second.site, detector),
                                         flags << 8U | static_cast<std::uint64_t>(raw.kind));
  std::uint32_t& number = known_[key];
  if (number != 0 && level_of(raw) <= races_[number - 1].level) {
    races_[number - 1].count += count;
    return;
  }
  ProgramRace made;
  const bool is_copy = detector == CopyWatch::kNumber;
  made.detector = is_copy ? CopyWatch::kName : options_.detectors[detector].name;
  made.kernel = kernel_;
  made.launch = launch_;
  made.kind = raw.kind;
  made.first = access(raw.first);
  made.second = access(raw.second);
  made.level = level_of(raw);
  made.memory = memory_name(raw.space, raw.address);
  made.why = why.empty() ? reason_for(raw.kind) : why;
  if (is_copy) {
    made.remedy = kWaitForCopy;
  } else {
    made.remedy = remedy_for(raw, made.level);
    made.needs_trial = depends_on_synchronization(raw.kind, made.level);
  }
  made.count = count;
  number = add(std::move(made));
  seen_.push_back({number, raw.first, raw.second});
}

std::uint32_t Watch::add(ProgramRace made) {
  // Different instructions may be on the same source lines.
  const auto same =
      std::ranges::find_if(races_, [&](const ProgramRace& one) { return is_same_program_race(one, made); });
  const auto number = static_cast<std::uint32_t>(same - races_.begin()) + 1;
  if (same != races_.end()) {
    same->count += made.count;
    if (made.level > same->level) {
      same->take_pair_of(made);
      writer_.race(number, *same);
    }
    return number;
  }
  written_counts_.push_back(made.count);
  classes_.emplace_back();
  races_.push_back(std::move(made));
  writer_.race(number, races_.back());
  return number;
}

// ---- classes of races ----

ProgramRaceClass Watch::class_of(const RawAccess& first, const RawAccess& second) const {
  if (first.is_write && second.is_write && values_.writes_one_value(first.site) &&
      values_.writes_one_value(second.site)) {
    return ProgramRaceClass::SameValue;
  }
  if (judge_ == nullptr || judge_->has_race(first.site, second.site)) return ProgramRaceClass::Ordinary;
  const bool invalidates = device_.site(second.site).instruction.starts_with("mbarrier.inval");
  return invalidates ? ProgramRaceClass::Invalidation : ProgramRaceClass::Ordinary;
}

template <typename Call>
void Watch::show_judge(const Call& call) {
  if (judge_ == nullptr) return;
  try {
    call(judge_->observer());
  } catch (const std::exception&) {
    judge_.reset();  // without the judge, races are classified as ordinary
  }
}

void Watch::classify() {
  for (const Seen& one : seen_) {
    const ProgramRaceClass now = class_of(one.first, one.second);
    auto& known = classes_[one.race - 1];
    known = known && *known != now ? ProgramRaceClass::Ordinary : now;
    if (races_[one.race - 1].race_class == *known) continue;
    races_[one.race - 1].race_class = *known;
    writer_.race_class(one.race, *known);
  }
  seen_.clear();
}

// ---- streams ----

void Watch::add_stream(std::uint64_t stream, bool is_blocking) {
  order_.add_stream(stream, is_blocking);
  if (history_ != nullptr || options_.detectors.empty()) return;
  auto history = std::make_unique<StreamHistory>(order_, [this](const StreamRace& race) { add(race); });
  history_ = history.get();
  detectors_.push_back(std::move(history));
}

void Watch::copied(std::uint64_t stream, const std::string& name, std::initializer_list<Stretch> stretches) {
  const StreamWork work = order_.issue(stream);
  if (history_ == nullptr) return;
  history_->begin(work, stream, name, name);
  for (const Stretch& one : stretches) history_->touch(one.address, one.bytes, one.is_write);
  history_->end();
}

void Watch::add(const StreamRace& race) {
  const auto stream_name = [](std::uint64_t stream) {
    if (stream == StreamOrder::kDefault) return std::string("the default stream");
    if (stream == StreamOrder::kThreadDefault) return std::string("the thread's default stream");
    return fmt::format("stream {}", stream - StreamOrder::kThreadDefault);
  };
  const auto access = [&](const StreamRace::Side& side) {
    ProgramAccess made{{}, "", side.is_write, side.is_atomic};
    if (side.site == StreamRace::kCopy) {
      made.site.function = side.name;
    } else {
      made.site = site(side.site);
    }
    return made;
  };
  ProgramRace made;
  made.detector = "streams";
  made.kernel = race.second.name;
  made.launch = launch_;
  made.first = access(race.first);
  made.second = access(race.second);
  made.memory = memory_name(virtual_gpu::AccessSpace::Global, race.address);
  made.why = fmt::format("nothing orders {} on {} and {} on {}", race.first.work, stream_name(race.first.stream),
                         race.second.work, stream_name(race.second.stream));
  made.remedy = "cudaStreamWaitEvent on an event of the first stream, cudaStreamSynchronize, or one stream for both";
  made.count = race.count;
  add(std::move(made));
}

std::string Watch::shared_name(std::uint64_t offset) const {
  const auto holds = [&](const virtual_gpu::SharedVariable& one) {
    return offset >= one.offset && (one.bytes == 0 || offset < one.offset + one.bytes);
  };
  const auto found = std::ranges::find_if(shared_, holds);
  // Several dynamic arrays begin at one address.
  const bool is_known =
      found != shared_.end() && std::ranges::find_if(found + 1, shared_.end(), holds) == shared_.end();
  if (!is_known) return fmt::format("shared memory + {} bytes", offset);
  std::string name = demangled(found->name);
  if (const std::size_t scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
  std::uint64_t rest = offset - found->offset;
  if (found->element_bytes != 0 && found->element_bytes != found->bytes) {
    name += fmt::format("[{}]", rest / found->element_bytes);
    rest %= found->element_bytes;
  }
  return rest == 0 ? name : fmt::format("{} + {} bytes", name, rest);
}

std::string Watch::memory_name(virtual_gpu::AccessSpace space, std::uint64_t address) const {
  if (space == virtual_gpu::AccessSpace::Shared) return shared_name(address);
  const auto object = object_at(device_.memory(), address);
  if (!object) return fmt::format("address {:#x}", address);
  std::string text = object->first;
  if (object->second != 0) text += fmt::format(" + {} bytes", object->second);
  const virtual_gpu::Allocation* allocation = device_.memory().nearest(address);
  if (!allocation->place.empty()) text += fmt::format(" (allocated in {})", allocation->place);
  return text;
}

void Watch::remark(const std::string& text) {
  if (std::ranges::find(remarks_, text) != remarks_.end()) return;
  remarks_.push_back(text);
  writer_.remark(text);
}

void Watch::incomplete(const std::string& text) { error(fmt::format("{}, launch {}: {}", kernel_, launch_, text)); }

void Watch::error(const std::string& text) { writer_.error(text); }

std::string Watch::unfinished_text(const virtual_gpu::LaunchReport& report) const {
  std::string text;
  for (const virtual_gpu::UnfinishedThreads& one : report.unfinished) {
    const std::string more = one.threads > 1 ? fmt::format(" and {} more", one.threads - 1) : "";
    const std::string place = one.site == virtual_gpu::kNoSite ? "" : "  " + site(one.site).text();
    text += fmt::format("{}{} {}{}\n", thread_name(static_cast<std::uint32_t>(one.block), one.thread), more,
                        verb_phrase(one), place);
  }
  return text;
}

void Watch::launched(const std::string& kernel, const virtual_gpu::LaunchReport& report) {
  ++totals_.launches;
  totals_.warp_instructions += report.statistics.warp_instructions;
  totals_.kernel_seconds += report.statistics.seconds;
  using End = virtual_gpu::LaunchEnd;
  const bool was_cut = report.end == End::StepBudget || report.end == End::Timeout || report.end == End::Interrupted ||
                       report.end == End::Stalled;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const virtual_gpu::Finding& one = report.findings[i];
    const bool is_error = !was_cut && report.end != End::Completed && i + 1 == report.findings.size();
    ProgramFinding made;
    made.kind = to_string(one.kind);
    made.kernel = demangled(kernel);
    if (one.site != virtual_gpu::kNoSite) made.site = site(one.site);
    if (one.site != virtual_gpu::kNoSite) made.thread = thread_name(static_cast<std::uint32_t>(one.block), one.thread);
    made.message = one.message;
    made.where = is_error ? unfinished_text(report) : "";
    made.count = one.count;
    made.is_error = is_error;
    add(made);
  }
  if (was_cut || (report.end != End::Completed && report.findings.empty())) {
    ProgramFinding made;
    made.is_cut = was_cut;
    made.kind = to_string(report.end);
    made.kernel = demangled(kernel);
    made.where = unfinished_text(report);
    if (report.end == End::Stalled) {
      made.message =
          "the threads poll memory that no thread of the launch changes. On a GPU, the host or another kernel may "
          "change the memory at the same time. In Ambit, a launch ends before the host continues. To check the "
          "kernel, store the expected value before the launch, or launch the other kernel first";
    }
    add(made);
  }
  if (std::chrono::steady_clock::now() >= next_flush_) flush(false);
}

void Watch::add(const ProgramFinding& finding) {
  const bool is_known = std::ranges::any_of(findings_, [&](const ProgramFinding& one) {
    return one.kind == finding.kind && one.kernel == finding.kernel && one.site.key() == finding.site.key();
  });
  if (is_known) return;
  findings_.push_back(finding);
  writer_.finding(finding);
}

void Watch::flush(bool is_end) {
  for (std::size_t i = 0; i < races_.size(); ++i) {
    if (races_[i].count != written_counts_[i]) writer_.count(i + 1, races_[i].count);
    written_counts_[i] = races_[i].count;
  }
  writer_.statistics(totals_.launches, totals_.warp_instructions, totals_.kernel_seconds);
  if (is_end && launch_ > 0 && !has_watched_) {
    writer_.error(fmt::format("nothing was checked: --kernel {} matches none of the {} launched kernels",
                              fmt::join(options_.kernels, ", "), launch_));
  }
  if (is_end) writer_.end();
  next_flush_ = std::chrono::steady_clock::now() + kFlushEvery;
}

// ---- events ----

template <typename Call>
void Watch::each(const Call& call) {
  if (!is_watching_) return;
  for (std::size_t i = 0; i < detectors_.size(); ++i) {
    if (has_failed_[i]) continue;
    try {
      call(*detectors_[i]);
    } catch (const std::exception& failure) {
      has_failed_[i] = true;
      incomplete(fmt::format("a detector gave up: {}", failure.what()));
    }
  }
}

void Watch::begin_launch(const virtual_gpu::LaunchInfo& info) {
  kernel_ = demangled(std::string(info.kernel));
  ++launch_;
  grid_ = info.grid;
  block_ = info.block;
  shared_ = info.shared;
  known_.clear();  // a new module may have new sites; races_ still keeps each race once
  has_failed_.assign(detectors_.size(), false);
  is_watching_ = options_.kernels.empty() || std::ranges::any_of(options_.kernels, [&](const std::string& part) {
                   return kernel_.find(part) != std::string::npos;
                 });
  has_watched_ |= is_watching_;
  if (history_ != nullptr) {
    history_->begin(issued_.work, issued_.stream, kernel_, fmt::format("{} (launch {})", kernel_, launch_));
  }
  each([&](Observer& one) { one.begin_launch(info); });
  seen_.clear();
  const bool needs_judge = info.invalidates_barriers && is_watching_ && !options_.detectors.empty();
  judge_ = needs_judge ? std::make_unique<ExchangeJudge>() : nullptr;
  show_judge([&](Observer& one) { one.begin_launch(info); });
  copies_.begin_launch(info);
  values_.begin_launch(info);
}
void Watch::end_launch() {
  each([](Observer& one) { one.end_launch(); });
  show_judge([](Observer& one) { one.end_launch(); });
  classify();
}
void Watch::access(const virtual_gpu::WarpAccess& access) {
  if (options_.strengthening == Strengthening::None) return show(access);
  show(strengthened(access, options_.strengthening));
}
void Watch::show(const virtual_gpu::WarpAccess& access) {
  if (is_watching_ && !options_.detectors.empty()) {
    copies_.access(access);
    values_.access(access);
  }
  if (access.copy == virtual_gpu::CopyStep::Over) return;
  show_judge([&](Observer& one) { one.access(access); });
  if (options_.sample <= 1 || access.order != Order::Weak || access.kind > virtual_gpu::AccessKind::Write) {
    return each([&](Observer& one) { one.access(access); });
  }
  virtual_gpu::WarpAccess sampled = access;
  for (std::uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    const std::uint64_t piece = combine_hash(access.addresses[lane] / kBytesOfSample, options_.schedule.seed);
    if (piece % options_.sample != 0) sampled.lanes &= ~(1U << lane);
  }
  if (sampled.lanes != 0) each([&](Observer& one) { one.access(sampled); });
}
void Watch::fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Order order,
                  Scope scope) {
  const StrengthenedFence made = strengthened_fence(order, scope, options_.strengthening);
  show_judge([&](Observer& one) { one.fence(site, block, warp, lanes, made.order, made.scope); });
  each([&](Observer& one) { one.fence(site, block, warp, lanes, made.order, made.scope); });
}
void Watch::barrier(const virtual_gpu::BarrierArrival& arrival) {
  show_judge([&](Observer& one) { one.barrier(arrival); });
  each([&](Observer& one) { one.barrier(arrival); });
}
void Watch::barrier_complete(std::uint32_t block, std::uint32_t barrier) {
  show_judge([&](Observer& one) { one.barrier_complete(block, barrier); });
  each([&](Observer& one) { one.barrier_complete(block, barrier); });
}
void Watch::warp_barrier(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                         bool orders_memory) {
  show_judge([&](Observer& one) { one.warp_barrier(site, block, warp, lanes, true); });
  each([&](Observer& one) { one.warp_barrier(site, block, warp, lanes, orders_memory); });
}
void Watch::block_begin(std::uint32_t block) {
  show_judge([&](Observer& one) { one.block_begin(block); });
  each([&](Observer& one) { one.block_begin(block); });
}
void Watch::block_end(std::uint32_t block) {
  values_.block_end(block);
  show_judge([&](Observer& one) { one.block_end(block); });
  each([&](Observer& one) { one.block_end(block); });
}

}  // namespace ambit::shadow
