#include "runner/cuda/emit/in_gpu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "base/assert.h"
#include "detector/algorithms/registry.h"
#include "runner/sim/ldetector.h"
#include "runner/sim/trace_maker.h"

namespace ambit::cuda {
namespace {

using ambit_kernel::BarrierInfo;
using ambit_kernel::EventInfo;

template <typename A, typename B>
constexpr bool is_same_number(A a, B b) {
  return static_cast<int>(a) == static_cast<int>(b);
}

// kernels/detectors/events.h repeats these enumerators, because it cannot include the headers that declare them.
using ambit_kernel::EventKind;
static_assert(is_same_number(EventKind::Read, TraceOp::Read) && is_same_number(EventKind::Write, TraceOp::Write) &&
              is_same_number(EventKind::Rmw, TraceOp::Rmw) &&
              is_same_number(EventKind::Reduction, TraceOp::Reduction) &&
              is_same_number(EventKind::Fence, TraceOp::Fence) &&
              is_same_number(EventKind::Barrier, TraceOp::Barrier) &&
              is_same_number(EventKind::WarpBarrier, TraceOp::WarpBarrier) &&
              is_same_number(EventKind::Exit, TraceOp::Exit));
using ambit_kernel::EventRmw;
static_assert(is_same_number(EventRmw::Exchange, TraceRmw::Exchange) &&
              is_same_number(EventRmw::CompareExchange, TraceRmw::CompareExchange));
using ambit_kernel::EventOrder;
static_assert(is_same_number(EventOrder::Weak, Order::Weak) && is_same_number(EventOrder::Acquire, Order::Acquire) &&
              is_same_number(EventOrder::AcqRel, Order::AcqRel) && is_same_number(EventOrder::SeqCst, Order::SeqCst));
using ambit_kernel::EventScope;
static_assert(is_same_number(EventScope::Block, Scope::Block) && is_same_number(EventScope::Device, Scope::Device));
using ReportedKind = ambit_kernel::Kind;
static_assert(is_same_number(ReportedKind::Unsynchronized, RaceKind::Unsynchronized) &&
              is_same_number(ReportedKind::MissingFence, RaceKind::MissingFence) &&
              is_same_number(ReportedKind::FenceScopeTooNarrow, RaceKind::FenceScopeTooNarrow) &&
              is_same_number(ReportedKind::AtomicScopeTooNarrow, RaceKind::AtomicScopeTooNarrow) &&
              is_same_number(ReportedKind::NotAtomic, RaceKind::NotAtomic) &&
              is_same_number(ReportedKind::NoCommonLock, RaceKind::NoCommonLock) &&
              is_same_number(ReportedKind::MissingBarrier, RaceKind::MissingBarrier) &&
              is_same_number(ReportedKind::IntraWarp, RaceKind::IntraWarp));

void add_places(InGpuTest& test) {
  std::map<std::pair<int, int>, std::uint8_t> blocks;
  std::map<std::uint8_t, std::uint32_t> lanes;  // for each warp, its number of lanes
  std::map<std::pair<std::uint8_t, int>, std::uint8_t> warp_numbers;
  for (const TraceThread& thread : test.tables.threads()) {
    const ThreadPlace& at = thread.place;
    const std::uint8_t block =
        blocks.try_emplace({at.gpu, at.block}, static_cast<std::uint8_t>(blocks.size())).first->second;
    const std::uint8_t warp =
        warp_numbers.try_emplace({block, at.warp}, static_cast<std::uint8_t>(warp_numbers.size())).first->second;
    ++lanes[warp];
    test.places.push_back({block, warp, static_cast<std::uint8_t>(at.lane)});
  }
  test.size.threads = static_cast<std::uint32_t>(test.places.size());
  test.size.warps = static_cast<std::uint32_t>(warp_numbers.size());
  for (const auto& [warp, count] : lanes) test.size.lanes = std::max(test.size.lanes, count);
  test.size.blocks = static_cast<std::uint32_t>(blocks.size());
}

/// Adds the granules. Cells of one object in the same four bytes share a granule.
void add_granules(InGpuTest& test) {
  constexpr std::uint64_t kGranuleBytes = 4;
  using Key = std::tuple<MemorySpace, int, int, std::uint32_t, std::uint64_t>;
  std::map<Key, std::uint16_t> granules;
  for (const TraceLocation& location : test.tables.locations()) {
    const bool is_shared = location.space == MemorySpace::Shared;
    const Key key = {location.space, is_shared ? location.gpu : 0, is_shared ? location.block : 0, location.object,
                     location.offset / kGranuleBytes};
    test.granule_of.push_back(granules.try_emplace(key, static_cast<std::uint16_t>(granules.size())).first->second);
    test.is_shared.push_back(is_shared ? 1 : 0);
  }
  test.size.granules = static_cast<std::uint32_t>(granules.size());
  test.size.locations = static_cast<std::uint32_t>(test.granule_of.size());
}

/// Assigns numbers to the barriers. Barriers with the same threads and the same name share a number.
class BarrierNumbers {
 public:
  std::uint16_t of(const ThreadPlace& at, const Barrier& barrier, const TraceEvent& event, InGpuTest& test) {
    Key key{barrier.kind, at.gpu, -1, -1, barrier.id, 0};
    if (barrier.kind == BarrierKind::Cluster) std::get<2>(key) = at.cluster;
    if (barrier.kind == BarrierKind::Block || barrier.kind == BarrierKind::Warp) std::get<2>(key) = at.block;
    if (barrier.kind == BarrierKind::Warp) {
      std::get<3>(key) = at.warp;
      std::get<4>(key) = barrier.mask;
    }
    if (barrier.resource) std::get<5>(key) = barrier.resource->constant;
    const auto [found, is_new] = numbers_.try_emplace(key, static_cast<std::uint16_t>(numbers_.size()));
    if (is_new) test.barriers.push_back(barrier_info(event));
    return found->second;
  }

 private:
  using Key = std::tuple<BarrierKind, int, int, int, std::uint32_t, Value>;
  std::map<Key, std::uint16_t> numbers_;
};

std::optional<Diagnostic> find_excess(const Program& program, const TraceTables& tables) {
  const auto error = [&](std::string_view what, std::size_t count, std::size_t most) {
    return Diagnostic{
        program.source,
        {},
        fmt::format("the test has {} {}; detectors inside a kernel support at most {}", count, what, most),
        "replay a recorded trace: ambit crossval"};
  };
  if (program.threads.size() > ambit_kernel::kMostThreads) {
    return error("threads", program.threads.size(), ambit_kernel::kMostThreads);
  }
  if (tables.sites().size() > ambit_kernel::kMostSites) {
    return error("places in its source", tables.sites().size(), ambit_kernel::kMostSites);
  }
  if (tables.locations().size() > ambit_kernel::kMostLocations) {
    return error("locations", tables.locations().size(), ambit_kernel::kMostLocations);
  }
  return std::nullopt;
}

}  // namespace

std::span<const InGpuDetector> in_gpu_detectors() {
  static const std::vector<InGpuDetector> all = [] {
    std::vector<InGpuDetector> found;
    for (const detector::DetectorDescription& one : detector::detectors()) {
      if (one.in_gpu) found.push_back({*one.in_gpu, one.name});
    }
    return found;
  }();
  return all;
}

const InGpuDetector* find_in_gpu_detector(std::string_view name) {
  const auto all = in_gpu_detectors();
  const auto found = std::ranges::find(all, name, &InGpuDetector::name);
  return found == all.end() ? nullptr : &*found;
}

ambit_kernel::TestInfo InGpuTest::info() const {
  return {size, places.data(), granule_of.data(), is_shared.data(), barriers.data()};
}

std::size_t InGpuTest::event_number(std::size_t thread, std::size_t instruction) const {
  std::size_t number = instruction;
  for (std::size_t t = 0; t < thread; ++t) number += events[t].size();
  return number;
}

InGpuTest describe_tables(const TraceTables& tables) {
  InGpuTest test;
  test.tables = tables;
  add_places(test);
  add_granules(test);
  return test;
}

EventInfo event_info(const TraceEvent& event, std::uint16_t barrier) {
  EventInfo info{};
  info.kind = static_cast<EventKind>(event.op);
  info.rmw = static_cast<EventRmw>(event.rmw);
  info.order = static_cast<EventOrder>(event.order);
  info.scope = static_cast<EventScope>(event.scope);
  info.thread = static_cast<std::uint8_t>(event.thread);
  info.is_volatile = event.is_volatile;
  info.is_arrival = event.arrive_only;
  info.site = static_cast<std::uint16_t>(event.site);
  info.barrier = event.is_barrier() ? barrier : ambit_kernel::kNone;
  return info;
}

BarrierInfo barrier_info(const TraceEvent& event) {
  const bool is_warp = event.op == TraceOp::WarpBarrier;
  return {static_cast<EventScope>(event.scope), is_warp, static_cast<std::uint16_t>(is_warp ? 0 : event.count)};
}

Result<InGpuTest> make_in_gpu_test(const Program& program) {
  const sim::TraceMaker traces(program);
  if (auto excess = find_excess(program, traces.tables())) return *excess;
  InGpuTest test = describe_tables(traces.tables());
  AMBIT_ASSERT(test.granule_of.size() == program.locations.size());
  BarrierNumbers barriers;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const Thread& thread = program.threads[t];
    std::vector<EventInfo>& infos = test.events.emplace_back();
    for (std::uint32_t i = 0; i < thread.code.size(); ++i) {
      sim::StepEvent step;
      step.thread = t;
      step.instruction = i;
      const auto* barrier = std::get_if<Barrier>(&thread.code[i].operation);
      if (barrier != nullptr && barrier->wait_only) {
        return Diagnostic{
            program.source, thread.code[i].span,
            "detectors inside a kernel support no barrier at which a thread arrives in one place and waits "
            "in another",
            ""};
      }
      if (barrier != nullptr && barrier->count && barrier->count->is_constant()) {
        step.expected = static_cast<std::uint32_t>(barrier->count->constant);
      }
      const TraceEvent event = traces.event_of(step);
      infos.push_back(event_info(
          event, barrier == nullptr ? ambit_kernel::kNone : barriers.of(thread.place, *barrier, event, test)));
    }
  }
  test.size.barriers = static_cast<std::uint32_t>(test.barriers.size());
  return test;
}

Result<std::vector<std::string>> examine(const Program& program, const InGpuDetector& detector) {
  std::vector<std::string> remarks;
  if (detector.runs_the_test) {
    Context context;
    auto reference = sim::ldetector(program, {}, context);
    if (!reference) return reference.errors();
    remarks = std::move(reference).value().remarks;
  }
  if (auto test = make_in_gpu_test(program); !test) return test.errors();
  return remarks;
}

std::string in_gpu_tables(const InGpuTest& test, const InGpuDetector& detector) {
  std::string text = fmt::format(
      "using Detector = {};\n\n__device__ constexpr TestSize kTestSize = {{{}, {}, {}, {}, {}, {}}};\n", detector.type,
      test.size.threads, test.size.warps, test.size.lanes, test.size.blocks, test.size.granules, test.size.barriers);
  const auto table = [&](std::string_view type, std::string_view name, const std::vector<std::string>& rows) {
    text += fmt::format("__constant__ {} {}[] = {{\n    {}}};\n", type, name, fmt::join(rows, ",\n    "));
  };
  std::vector<std::string> rows;
  for (const ambit_kernel::Place& at : test.places) {
    rows.push_back(fmt::format("{{{}, {}, {}}}", at.block, at.warp, at.lane));
  }
  table("Place", "kPlaces", rows);
  table("unsigned short", "kGranuleOf", {fmt::format("{}", fmt::join(test.granule_of, ", "))});
  table("unsigned char", "kIsShared", {fmt::format("{}", fmt::join(test.is_shared, ", "))});
  rows.clear();
  for (const BarrierInfo& barrier : test.barriers) {
    rows.push_back(
        fmt::format("{{EventScope({}), {}, {}}}", static_cast<int>(barrier.level), barrier.is_warp, barrier.count));
  }
  if (rows.empty()) rows.emplace_back("{}");
  table("BarrierInfo", "kBarriers", rows);
  rows.clear();
  const auto row = [&](const EventInfo& info) {
    rows.push_back(fmt::format("{{EventKind({}), EventRmw({}), EventOrder({}), EventScope({}), {}, {}, {}, 0, {}, {}}}",
                               static_cast<int>(info.kind), static_cast<int>(info.rmw), static_cast<int>(info.order),
                               static_cast<int>(info.scope), info.thread, info.is_volatile, info.is_arrival, info.site,
                               info.barrier));
  };
  for (const std::vector<EventInfo>& infos : test.events) std::ranges::for_each(infos, row);
  for (std::size_t t = 0; t < test.events.size(); ++t) {
    TraceEvent exit;
    exit.op = TraceOp::Exit;
    exit.thread = static_cast<std::uint32_t>(t);
    exit.site = 0;
    row(event_info(exit, ambit_kernel::kNone));
  }
  table("EventInfo", "kEvents", rows);
  return text + "\n";
}

std::string in_gpu_locations(const Program& program) {
  std::string text =
      "__device__ __forceinline__ unsigned location_of(long long address) {\n"
      "  const unsigned element = static_cast<unsigned>(address);\n  switch (address >> 32) {\n";
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    text += fmt::format("    case {}: return element < {}u ? {} + element : kNone;  // {}\n", id + 1, object.length,
                        object.first, object.name);
  }
  return text + "    default: return kNone;\n  }\n}\n\n";
}

RaceReport unpack_race(ambit_kernel::Race race, const TraceTables& tables) {
  const auto bits = [&](unsigned from, unsigned count) {
    return static_cast<std::uint32_t>((race >> from) & ((1ULL << count) - 1));
  };
  RaceReport report;
  report.first = {bits(24, 6), bits(0, 12), RaceAccess::kNoEvent, bits(36, 1) != 0, bits(37, 1) != 0};
  report.second = {bits(30, 6), bits(12, 12), RaceAccess::kNoEvent, bits(38, 1) != 0, bits(39, 1) != 0};
  report.location = bits(44, 12);
  report.kind = static_cast<RaceKind>(bits(40, 4));
  report.level = race_level(tables.threads()[report.first.thread].place, tables.threads()[report.second.thread].place);
  return report;
}

}  // namespace ambit::cuda
