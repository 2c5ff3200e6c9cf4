#include "trace/binary_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/well_formed.h"

namespace ambit::trace {
namespace {

enum Flag : std::uint8_t {
  kVolatile = 1,
  kFailed = 2,
  kHasValue = 4,
  kHasOldValue = 8,
  kArriveOnly = 16,
  kAsync = 32,
  kReadsOnly = 64,
  kCoversAll = 128
};

template <typename Number>
void put(std::byte*& out, Number value) {
  std::memcpy(out, &value, sizeof value);
  out += sizeof value;
}

template <typename Number>
Number get(const std::byte*& in) {
  Number value = 0;
  std::memcpy(&value, in, sizeof value);
  in += sizeof value;
  return value;
}

/// Returns whether the object of the operation is a location. The object of other operations is a thread, or absent.
bool names_location(TraceOp op) {
  return op <= TraceOp::Reduction || op == TraceOp::LockAcquire || op == TraceOp::LockRelease ||
         op == TraceOp::Complete || op >= TraceOp::MbarrierInit;
}

}  // namespace

void encode(const TraceEvent& event, std::byte* out) {
  const auto flags = static_cast<std::uint8_t>(
      (event.is_volatile ? kVolatile : 0) | (event.is_failed ? kFailed : 0) | (event.has_value ? kHasValue : 0) |
      (event.has_old_value ? kHasOldValue : 0) | (event.arrive_only ? kArriveOnly : 0) | (event.is_async ? kAsync : 0) |
      (event.reads_only ? kReadsOnly : 0) | (event.covers_all ? kCoversAll : 0));
  put(out, static_cast<std::uint8_t>(event.op));
  put(out, static_cast<std::uint8_t>(event.rmw));
  put(out, static_cast<std::uint8_t>(event.order));
  put(out, static_cast<std::uint8_t>(event.scope));
  put(out, flags);
  put(out, static_cast<std::uint8_t>(event.group));
  put(out, std::uint16_t{0});
  put(out, event.thread);
  put(out, event.object);
  put(out, event.site);
  put(out, event.count);
  put(out, event.value);
  put(out, event.old_value);
}

std::optional<std::string> decode(const std::byte* record, const TraceTables& tables, TraceEvent& event) {
  const auto op = get<std::uint8_t>(record);
  const auto rmw = get<std::uint8_t>(record);
  const auto order = get<std::uint8_t>(record);
  const auto scope = get<std::uint8_t>(record);
  const auto flags = get<std::uint8_t>(record);
  const auto group = get<std::uint8_t>(record);
  const auto zero = get<std::uint16_t>(record);
  if (op >= kTraceOps) return "unknown operation number " + std::to_string(op);
  if (rmw >= kTraceRmws) return "unknown read-modify-write number " + std::to_string(rmw);
  if (order > static_cast<std::uint8_t>(Order::SeqCst)) return "unknown order number " + std::to_string(order);
  if (scope > static_cast<std::uint8_t>(Scope::System)) return "unknown scope number " + std::to_string(scope);
  if (zero != 0) return "reserved bits are set";
  if (group > static_cast<std::uint8_t>(AsyncGroup::Tensor)) return "unknown group number " + std::to_string(group);
  event.op = static_cast<TraceOp>(op);
  event.rmw = static_cast<TraceRmw>(rmw);
  event.order = static_cast<Order>(order);
  event.scope = static_cast<Scope>(scope);
  event.is_volatile = (flags & kVolatile) != 0;
  event.is_failed = (flags & kFailed) != 0;
  event.has_value = (flags & kHasValue) != 0;
  event.has_old_value = (flags & kHasOldValue) != 0;
  event.arrive_only = (flags & kArriveOnly) != 0;
  event.is_async = (flags & kAsync) != 0;
  event.reads_only = (flags & kReadsOnly) != 0;
  event.covers_all = (flags & kCoversAll) != 0;
  event.group = static_cast<AsyncGroup>(group);
  event.thread = get<std::uint32_t>(record);
  event.object = get<std::uint32_t>(record);
  event.site = get<std::uint32_t>(record);
  event.count = get<std::uint32_t>(record);
  event.value = get<std::int64_t>(record);
  event.old_value = get<std::int64_t>(record);
  if (event.thread >= tables.threads().size()) return "unknown thread number " + std::to_string(event.thread);
  if (event.site != kNoName && event.site >= tables.sites().size()) {
    return "unknown source place number " + std::to_string(event.site);
  }
  if (names_location(event.op) && event.object >= tables.locations().size()) {
    return "unknown location number " + std::to_string(event.object);
  }
  const bool names_thread = event.op == TraceOp::Fork || event.op == TraceOp::Join || event.op == TraceOp::Issue;
  if (names_thread && event.object >= tables.threads().size()) {
    return "unknown thread number " + std::to_string(event.object);
  }
  return event_flaw(event);
}

std::uint64_t Checksum::finish(std::initializer_list<std::span<const std::byte>> parts) const {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : sums_) sum = mixed(sum, each);
  for (const std::span<const std::byte> part : parts) {
    for (std::size_t at = 0; at < part.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, part.data() + at, std::min(sizeof word, part.size() - at));
      sum = mixed(sum, word);
    }
    sum = mixed(sum, part.size());
  }
  return sum;
}

void encode_launch(const LaunchGeometry& launch, ByteWriter& out) {
  for (const auto* dimensions : {&launch.grid, &launch.block}) {
    for (const std::uint32_t dimension : *dimensions) out.number(dimension);
  }
  out.number(launch.warp);
  out.number(launch.cluster);
  out.number(launch.gpus);
  out.number(static_cast<std::uint32_t>(launch.only_named_threads ? 1 : 0));
}

bool decode_launch(ByteReader& in, LaunchGeometry& launch) {
  for (auto* dimensions : {&launch.grid, &launch.block}) {
    for (std::uint32_t& dimension : *dimensions) dimension = in.number<std::uint32_t>();
  }
  launch.warp = in.number<std::uint32_t>();
  launch.cluster = in.number<std::uint32_t>();
  launch.gpus = in.number<std::uint32_t>();
  const auto only_named_threads = in.number<std::uint32_t>();
  launch.only_named_threads = only_named_threads != 0;
  return only_named_threads <= 1;
}

void encode_tables(const TraceTables& tables, ByteWriter& out, const KnownNames& known) {
  const auto begin = [&](std::size_t count, std::size_t first) {
    out.number(static_cast<std::uint32_t>(count - first));
    return first;
  };
  for (std::size_t i = begin(tables.threads().size(), known.threads); i < tables.threads().size(); ++i) {
    const TraceThread& thread = tables.threads()[i];
    out.text(thread.name);
    out.number(static_cast<std::uint32_t>(thread.place.gpu));
    out.number(static_cast<std::uint32_t>(thread.place.block));
    out.number(thread.index_in_block);
  }
  for (std::size_t i = begin(tables.objects().size(), known.objects); i < tables.objects().size(); ++i) {
    out.text(tables.objects()[i].name);
    out.number(tables.objects()[i].element_size);
  }
  for (std::size_t i = begin(tables.locations().size(), known.locations); i < tables.locations().size(); ++i) {
    out.text(tables.locations()[i].name);
    const auto initial = tables.initial_values().find(static_cast<std::uint32_t>(i));
    const bool is_given = initial != tables.initial_values().end();
    out.number(static_cast<std::uint8_t>(!is_given ? 0 : initial->second ? 1 : 2));
    out.number(is_given ? initial->second.value_or(0) : Value{0});
  }
  for (std::size_t i = begin(tables.sites().size(), known.sites); i < tables.sites().size(); ++i) {
    out.text(tables.sites()[i]);
  }
}

namespace {

constexpr std::string_view kCorrupt = "the table of names is corrupt";

std::string decode_threads(ByteReader& in, TraceTables& tables) {
  const LaunchGeometry& launch = tables.launch;
  const auto count = in.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && in.ok; ++i) {
    std::string name = in.text();
    const auto gpu = in.number<std::uint32_t>();
    const auto block = in.number<std::uint32_t>();
    const auto index = in.number<std::uint32_t>();
    if (!in.ok || name.empty() || tables.find_thread(name)) return std::string(kCorrupt);
    if (!is_inside(launch, gpu, block, index)) return fmt::format("thread {} is outside the launch", name);
    const auto number = static_cast<int>(gpu);
    // The place of an asynchronous operation is the issuing thread's place. The issuer precedes the operation in the
    // table.
    const auto operation = tables.operation_of_name(name);
    if (operation && tables.thread_at(number, block, index) == operation->first) {
      tables.operation(operation->first, operation->second);
      continue;
    }
    const bool has_own_name = launch.only_named_threads || name == tables.default_name(number, block, index);
    if (!has_own_name || tables.thread_at(number, block, index)) return std::string(kCorrupt);
    tables.add_thread(std::move(name), number, block, index);
  }
  return {};
}

std::string decode_objects(ByteReader& in, TraceTables& tables) {
  const std::size_t end = tables.objects().size() + in.number<std::uint32_t>();
  for (std::size_t i = tables.objects().size(); i < end && in.ok; ++i) {
    const std::string name = in.text();
    const auto size = in.number<std::uint32_t>();
    if (!in.ok || size == 0 || size > kMaxElementSize) return std::string(kCorrupt);
    // If the element size is not the default, the text format has a line with the object's name, so the name must be
    // valid in the text format. Objects with the default size may have other names: the object of s[0][1] is s[0].
    if (size != (name.empty() ? 1U : 4U) && !is_object_name(name)) return fmt::format("unknown object {}", name);
    tables.set_element_size(name, size);
    if (tables.objects().size() != i + 1) return std::string(kCorrupt);
  }
  return {};
}

std::string decode_locations(ByteReader& in, TraceTables& tables) {
  const std::size_t end = tables.locations().size() + in.number<std::uint32_t>();
  for (std::size_t i = tables.locations().size(); i < end && in.ok; ++i) {
    const std::string name = in.text();
    const auto kind = in.number<std::uint8_t>();
    const auto value = in.number<std::int64_t>();
    if (!in.ok || name.empty() || kind > 2) return std::string(kCorrupt);
    if (const std::uint32_t location = tables.location(name); location != i) {
      return fmt::format("{} and {} are the same location", tables.locations()[location].name, name);
    }
    const auto number = static_cast<std::uint32_t>(i);
    if (auto flaw = location_flaw(tables, number)) return std::move(*flaw);
    if (kind != 0) tables.set_initial_value(number, kind == 1 ? std::optional<Value>(value) : std::nullopt);
  }
  return {};
}

std::string decode_sites(ByteReader& in, TraceTables& tables) {
  const std::size_t end = tables.sites().size() + in.number<std::uint32_t>();
  for (std::size_t i = tables.sites().size(); i < end && in.ok; ++i) {
    const std::string name = in.text();
    if (!in.ok || name.empty() || tables.site(name) != i) return std::string(kCorrupt);
  }
  return {};
}

}  // namespace

std::string decode_tables(ByteReader& in, TraceTables& tables) {
  for (const auto decode_part : {decode_threads, decode_objects, decode_locations, decode_sites}) {
    if (std::string flaw = decode_part(in, tables); !flaw.empty()) return flaw;
    if (!in.ok) return std::string(kCorrupt);
  }
  return {};
}

}  // namespace ambit::trace
