#include "runner/shadow/recorder.h"

#include <fmt/format.h>

#include <fstream>

#include "trace/binary_trace.h"

namespace ambit::shadow {
namespace {

constexpr std::size_t kEventsAtOnce = 4096;

/// Returns "run.2.btrace" for "run.btrace" and launch 2.
std::string name_of(const std::string& file, std::uint32_t launch) {
  if (launch == 1) return file;
  const std::size_t dot = file.rfind('.');
  if (dot == std::string::npos || file.find('/', dot) != std::string::npos) return fmt::format("{}.{}", file, launch);
  return fmt::format("{}.{}{}", file.substr(0, dot), launch, file.substr(dot));
}

template <typename Make>
std::uint32_t named(std::vector<std::uint32_t>& numbers, std::uint32_t number, const Make& make) {
  if (number >= numbers.size()) numbers.resize(number + 1, kNoName);
  if (numbers[number] == kNoName) numbers[number] = make();
  return numbers[number];
}

}  // namespace

std::optional<std::pair<std::string, std::uint64_t>> object_at(const virtual_gpu::Memory& memory,
                                                               std::uint64_t address) {
  const virtual_gpu::Allocation* allocation = memory.nearest(address);
  if (allocation == nullptr || address < allocation->address) return std::nullopt;
  const std::string name =
      allocation->name.empty() ? fmt::format("allocation {}", allocation->number) : allocation->name;
  return std::pair(name, address - allocation->address);
}

Recorder::Recorder(std::string file, const virtual_gpu::Device& device, std::function<void(const std::string&)> say)
    : file_(std::move(file)), device_(device), say_(std::move(say)) {}
Recorder::~Recorder() = default;

void Recorder::begin_launch(const virtual_gpu::LaunchInfo& info) {
  events_.begin_launch(info);
  tables_ = TraceTables();
  tables_.launch = events_.tables().launch;
  threads_.clear();
  locations_.clear();
  sites_.clear();
  const std::string name = name_of(file_, ++launches_);
  stream_ = std::make_unique<std::ofstream>(name, std::ios::binary);
  if (!*stream_) say_(name + ": cannot be written");
  writer_ = std::make_unique<trace::BinaryTraceWriter>(*stream_, false);
}

void Recorder::end_launch() {
  if (writer_ == nullptr) return;
  write();
  if (!writer_->finish(tables_).ok()) say_(file_ + ": could not be written completely");
  writer_.reset();
  stream_.reset();
}

void Recorder::write() {
  if (!writer_->write(tables_, waiting_).ok()) say_(file_ + ": could not be written completely");
  waiting_.clear();
}

std::uint32_t Recorder::named_thread(std::uint32_t thread) {
  return named(threads_, thread, [&] {
    const auto [block, index] = events_.place_of(thread);
    return tables_.thread(0, block, index);
  });
}

std::uint32_t Recorder::named_site(std::uint32_t site) {
  return named(sites_, site, [&] { return tables_.site(device_.site(events_.site_of(site)).text()); });
}

std::uint32_t Recorder::named_location(std::uint32_t location) {
  return named(locations_, location, [&] {
    const auto [space, address] = events_.address_of(location);
    if (space == virtual_gpu::AccessSpace::Shared) {
      const int block = events_.tables().locations()[location].block;
      return tables_.location(fmt::format("b{}:shared[{}]", block, address / 4));
    }
    const auto object = object_at(device_.memory(), address);
    if (!object || object->second % 4 != 0) return tables_.location(fmt::format("{:#x}", address));
    std::string name = object->first;
    const std::size_t blank = name.find(' ');
    if (blank != std::string::npos) name.erase(blank, 1);
    return tables_.location(fmt::format("{}[{}]", name, object->second / 4));
  });
}

void Recorder::take(const TraceEvent& event) {
  TraceEvent made = event;
  made.thread = named_thread(event.thread);
  if (event.site != kNoName) made.site = named_site(event.site);
  if (event.is_access()) {
    const bool is_new = event.object >= locations_.size() || locations_[event.object] == kNoName;
    made.object = named_location(event.object);
    if (is_new && event.op == TraceOp::Read) tables_.set_initial_value(made.object, event.value);
    if (is_new && event.is_update()) tables_.set_initial_value(made.object, event.old_value);
  }
  waiting_.push_back(made);
  if (waiting_.size() == kEventsAtOnce) write();
}

}  // namespace ambit::shadow
