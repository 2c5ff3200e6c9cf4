#include "core/trace.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/number_text.h"

namespace ambit {
namespace {

/// The parts of a location's name: the block of shared memory, the object, the element.
struct LocationParts {
  bool is_shared = false;
  int gpu = 0;
  int block = 0;
  std::string_view object;
  std::uint64_t index = 0;
  bool is_address = false;
};

/// Reads "b0:" or "g1b0:".
bool take_block(std::string_view& text, LocationParts& name) {
  constexpr auto kMost = static_cast<std::uint32_t>(std::numeric_limits<int>::max());
  std::string_view rest = text;
  std::uint32_t gpu = 0;
  std::uint32_t block = 0;
  if (rest.starts_with('g')) {
    rest.remove_prefix(1);
    if (!take_number(rest, gpu)) return false;
  }
  if (!rest.starts_with('b')) return false;
  rest.remove_prefix(1);
  if (!take_number(rest, block) || !rest.starts_with(':') || gpu > kMost || block > kMost) return false;
  name.gpu = static_cast<int>(gpu);
  name.block = static_cast<int>(block);
  text = rest.substr(1);
  return true;
}

/// Returns the canonical spelling of a location's name, which omits "g0" and leading zeros. Addresses are hexadecimal,
/// other numbers decimal.
std::string canonical(std::string_view text) {
  LocationParts name;
  std::string result;
  if (take_block(text, name)) {
    result = name.gpu == 0 ? fmt::format("b{}:", name.block) : fmt::format("g{}b{}:", name.gpu, name.block);
  }
  if (const auto address = text.starts_with("0x") ? number_from_text(text) : std::nullopt) {
    return fmt::format("{}{:#x}", result, *address);
  }
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('['), text.size());
    const std::size_t close = std::min(text.find(']', open), text.size());
    const auto index = close < text.size() ? number_from_text(text.substr(open + 1, close - open - 1)) : std::nullopt;
    if (index) {
      result += fmt::format("{}[{}]", text.substr(0, open), *index);
    } else {
      result += text.substr(0, close + 1);
    }
    text.remove_prefix(std::min(close + 1, text.size()));
  }
  return result;
}

/// Returns the other spelling of a cell's canonical name: "x" for "x[0]", and "x[0]" for "x".
std::string other_name(const std::string& canonical) {
  constexpr std::string_view kFirst = "[0]";
  return canonical.ends_with(kFirst) ? canonical.substr(0, canonical.size() - kFirst.size())
                                     : fmt::format("{}{}", canonical, kFirst);
}

/// Splits a canonical name into its parts.
LocationParts take_apart(std::string_view text) {
  constexpr std::uint64_t kMaxIndex = std::uint64_t{1} << 53U;  // the index in bytes fits into 64 bits
  LocationParts name;
  name.is_shared = take_block(text, name);
  name.object = text;
  if (const auto address = text.starts_with("0x") ? number_from_text(text) : std::nullopt) {
    name.index = *address;
    name.is_address = true;
    name.object = {};
    return name;
  }
  const std::size_t bracket = text.rfind('[');
  if (bracket == std::string_view::npos || !text.ends_with(']')) return name;
  const auto index = number_from_text(text.substr(bracket + 1, text.size() - bracket - 2));
  if (index && *index < kMaxIndex) {
    name.object = text.substr(0, bracket);
    name.index = *index;
  }
  return name;
}

template <typename Names>
std::optional<std::uint32_t> find(const Names& names, std::string_view name) {
  const auto found = names.find(name);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

}  // namespace

TraceRmw to_trace_rmw(RmwOp op) { return static_cast<TraceRmw>(static_cast<int>(op) + 1); }

std::string_view to_string(TraceRmw op) {
  return op == TraceRmw::Generic ? std::string_view{} : to_string(static_cast<RmwOp>(static_cast<int>(op) - 1));
}

ThreadPlace TraceTables::place(int gpu, std::uint32_t block, std::uint32_t index_in_block) const {
  const std::uint32_t warp = std::max(launch.warp, 1U);
  const std::uint32_t cluster = std::max(launch.cluster, 1U);
  return {gpu, static_cast<int>(block / cluster), static_cast<int>(block), static_cast<int>(index_in_block / warp),
          static_cast<int>(index_in_block % warp)};
}

std::string TraceTables::default_name(int gpu, std::uint32_t block, std::uint32_t index_in_block) const {
  if (launch.gpus > 1) return fmt::format(FMT_COMPILE("g{}b{}t{}"), gpu, block, index_in_block);
  return fmt::format(FMT_COMPILE("b{}t{}"), block, index_in_block);
}

std::uint64_t TraceTables::thread_key(int gpu, std::uint32_t block, std::uint32_t index_in_block) const {
  // The thread number has 21 bits, which is enough for the 1024 threads of a block in CUDA.
  return (static_cast<std::uint64_t>(gpu) << 53U) ^ (std::uint64_t{block} << 21U) ^ index_in_block;
}

std::optional<std::uint32_t> TraceTables::find_thread(std::string_view name) const { return find(thread_names_, name); }

std::optional<std::uint32_t> TraceTables::thread_at(int gpu, std::uint32_t block, std::uint32_t index_in_block) const {
  const auto found = thread_places_.find(thread_key(gpu, block, index_in_block));
  if (found == thread_places_.end()) return std::nullopt;
  return found->second;
}

std::uint32_t TraceTables::add_thread(std::string name, int gpu, std::uint32_t block, std::uint32_t index_in_block) {
  const auto id = static_cast<std::uint32_t>(threads_.size());
  const bool is_new_name = thread_names_.emplace(name, id).second;
  const bool is_new_place = thread_places_.emplace(thread_key(gpu, block, index_in_block), id).second;
  AMBIT_ASSERT(is_new_name && is_new_place);
  threads_.push_back({std::move(name), place(gpu, block, index_in_block), index_in_block});
  return id;
}

std::uint32_t TraceTables::thread(int gpu, std::uint32_t block, std::uint32_t index_in_block) {
  if (const auto known = thread_at(gpu, block, index_in_block)) return *known;
  return add_thread(default_name(gpu, block, index_in_block), gpu, block, index_in_block);
}

std::uint32_t TraceTables::operation(std::uint32_t issuer, std::uint32_t number) {
  std::string name = fmt::format("{}.{}", threads_[issuer].name, number);
  if (const auto known = find_thread(name)) return *known;
  const auto id = static_cast<std::uint32_t>(threads_.size());
  thread_names_.emplace(name, id);
  threads_.push_back({std::move(name), threads_[issuer].place, threads_[issuer].index_in_block, issuer});
  return id;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> TraceTables::operation_of_name(std::string_view name) const {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto issuer = find_thread(name.substr(0, dot));
  std::string_view text = name.substr(dot + 1);
  std::uint32_t number = 0;
  const bool is_plain = !text.starts_with('0') && take_number(text, number) && text.empty();
  if (!issuer || !is_plain || threads_[*issuer].is_operation()) return std::nullopt;
  return std::pair{*issuer, number};
}

std::uint32_t TraceTables::append_thread(int gpu, std::uint32_t block, std::uint32_t index_in_block) {
  threads_.push_back({default_name(gpu, block, index_in_block), place(gpu, block, index_in_block), index_in_block});
  return static_cast<std::uint32_t>(threads_.size() - 1);
}

std::uint32_t TraceTables::append_object(std::uint32_t element_size) {
  objects_.push_back({{}, element_size});
  return static_cast<std::uint32_t>(objects_.size() - 1);
}

std::uint32_t TraceTables::append_location(std::optional<std::uint32_t> block, std::uint32_t object,
                                           std::uint64_t offset) {
  TraceLocation location;
  location.name = location_name(static_cast<std::uint32_t>(locations_.size()));
  location.space = block ? MemorySpace::Shared : MemorySpace::Global;
  location.block = static_cast<int>(block.value_or(0));
  location.object = object;
  location.offset = offset;
  locations_.push_back(std::move(location));
  return static_cast<std::uint32_t>(locations_.size() - 1);
}

std::string TraceTables::location_name(std::uint32_t location) const {
  return location < locations_.size() ? locations_[location].name : "#" + std::to_string(location);
}

std::uint32_t TraceTables::append_site(std::string name) {
  sites_.push_back(std::move(name));
  return static_cast<std::uint32_t>(sites_.size() - 1);
}

std::uint32_t TraceTables::object(std::string_view name) {
  if (const auto known = find(object_names_, name)) return *known;
  const auto id = static_cast<std::uint32_t>(objects_.size());
  objects_.push_back({std::string(name), name.empty() ? 1U : 4U});
  object_names_.emplace(std::string(name), id);
  return id;
}

std::uint32_t TraceTables::location(std::string_view name) {
  if (const auto known = find(location_names_, name)) return *known;
  std::string spelling = canonical(name);
  if (const auto known = find(location_names_, spelling)) return *known;
  if (const auto known = find(location_names_, other_name(spelling))) return *known;
  const LocationParts parts = take_apart(spelling);
  TraceLocation location;
  location.space = parts.is_shared ? MemorySpace::Shared : MemorySpace::Global;
  location.gpu = parts.gpu;
  location.block = parts.block;
  location.object = object(parts.object);
  location.offset = parts.is_address ? parts.index : parts.index * objects_[location.object].element_size;
  location.name = spelling;
  const auto id = static_cast<std::uint32_t>(locations_.size());
  locations_.push_back(std::move(location));
  location_names_.emplace(std::move(spelling), id);
  return id;
}

std::optional<std::uint32_t> TraceTables::find_location(std::string_view name) const {
  return find(location_names_, name);
}

std::uint32_t TraceTables::site(std::string_view name) {
  if (const auto known = find(site_names_, name)) return *known;
  const auto id = static_cast<std::uint32_t>(sites_.size());
  sites_.emplace_back(name);
  site_names_.emplace(std::string(name), id);
  return id;
}

void TraceTables::set_element_size(std::string_view name, std::uint32_t bytes) {
  const std::uint32_t id = object(name);
  objects_[id].element_size = bytes;
}

Result<std::size_t> MemoryTraceReader::read(std::span<TraceEvent> events) {
  const std::size_t count = std::min(events.size(), trace_.events.size() - next_);
  std::copy_n(trace_.events.begin() + static_cast<std::ptrdiff_t>(next_), count, events.begin());
  next_ += count;
  return count;
}

}  // namespace ambit
