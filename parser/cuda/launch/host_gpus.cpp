#include "parser/cuda/launch/host_gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace ambit::parser::cuda {
namespace {

constexpr std::int64_t kMaxGpus = 1024;

class PlaceFinder {
 public:
  PlaceFinder(const HostFunction& function, const std::vector<std::size_t>& launches, HostValues& values,
              DeviceCode& device, Reporter& reporter)
      : function_(function), launches_(launches), values_(values), device_(device), reporter_(reporter) {}

  std::optional<std::vector<LaunchPlace>> find() {
    std::vector<LaunchPlace> places(launches_.size());
    for (std::size_t i = 1; i < places.size(); ++i) places[i].follows = true;
    if (!changes_gpu()) return places;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::optional<int> gpu = gpu_at(launches_[i]);
      if (!gpu) return std::nullopt;
      places[i].gpu = *gpu;
    }
    std::size_t stage = 0;  // index of the first launch of the current stage
    for (std::size_t i = 1; i < places.size(); ++i) {
      std::vector<bool> ordered;
      for (std::size_t before = 0; before < i; ++before) {
        const std::optional<bool> one = is_ordered(places, before, i);
        if (!one) return std::nullopt;
        ordered.push_back(*one);
      }
      const auto first = ordered.begin() + static_cast<std::ptrdiff_t>(stage);
      const bool follows_stage = std::all_of(first, ordered.end(), [](bool one) { return one; });
      const bool follows_others = std::all_of(ordered.begin(), first, [](bool one) { return one; });
      const bool is_in_stage = std::none_of(first, ordered.end(), [](bool one) { return one; });
      if (!follows_others || (!follows_stage && !is_in_stage)) return refuse_order(i, ordered);
      places[i].follows = follows_stage;
      if (follows_stage) stage = i;
    }
    return places;
  }

 private:
  /// Returns whether cudaSetDevice is called between the first launch and the last.
  bool changes_gpu() const {
    return std::ranges::any_of(function_.places("cudaSetDevice"),
                               [&](std::size_t call) { return call > launches_.front() && call < launches_.back(); });
  }

  /// Returns the current gpu at `index`.
  std::optional<int> gpu_at(std::size_t index) {
    int gpu = 0;
    for (const std::size_t call : function_.places("cudaSetDevice")) {
      if (call > index) break;
      if (!function_.at(call + 1).is("(")) continue;
      if (!function_.runs_before(call, index, false)) {
        return fail(call, "this call might not run exactly once before the launch: the launch's GPU is not known");
      }
      const std::size_t close = function_.partner(call + 1);
      const Tokens argument = values_.substitute(slice(function_.code(), call + 2, close), call);
      const std::optional<std::int64_t> number = device_.known_constant(argument);
      if (!number || *number < 0 || *number >= kMaxGpus) {
        return fail(call, "the number of the GPU must be a constant: the function launches on several GPUs");
      }
      gpu = static_cast<int>(*number);
    }
    return gpu;
  }

  /// Returns whether the launch `before` has ended when the launch `later` starts; nothing after an error.
  std::optional<bool> is_ordered(const std::vector<LaunchPlace>& places, std::size_t before, std::size_t later) {
    if (places[before].gpu == places[later].gpu) return true;
    for (const std::size_t wait : function_.places("cudaDeviceSynchronize")) {
      if (wait < launches_[before] || wait > launches_[later]) continue;
      if (!function_.runs_before(wait, launches_[later], false)) continue;
      const std::optional<int> gpu = gpu_at(wait);
      if (!gpu) return std::nullopt;
      if (*gpu == places[before].gpu) return true;
    }
    for (const char* other : {"cudaMemcpy", "cudaMemcpyPeer", "cudaStreamSynchronize", "cudaEventSynchronize",
                              "cudaStreamWaitEvent", "cudaMemcpyFromSymbol", "cudaMemcpyToSymbol"}) {
      for (const std::size_t call : function_.places(other)) {
        if (call < launches_[before] || call > launches_[later]) continue;
        fail(call, "Ambit does not know which launches on several GPUs this call waits for");
        return std::nullopt;
      }
    }
    return false;
  }

  std::nullopt_t refuse_order(std::size_t launch, const std::vector<bool>& ordered) {
    const auto apart = std::ranges::find(ordered, false) - ordered.begin();
    const std::uint32_t line = function_.at(launches_[static_cast<std::size_t>(apart)]).span.line;
    return fail(
        launches_[launch],
        fmt::format("this launch follows some earlier launches, but is concurrent with the launch in line {} on "
                    "another GPU: in Ambit, a group of concurrent launches must follow all launches of the earlier "
                    "groups",
                    line));
  }

  std::nullopt_t fail(std::size_t index, std::string message) {
    reporter_.error(function_.at(index).span, std::move(message),
                    "declare the launches: // ambit: launch k<<<1, 32>>>(data[32]) on gpu 1;");
    return std::nullopt;
  }

  const HostFunction& function_;
  const std::vector<std::size_t>& launches_;
  HostValues& values_;
  DeviceCode& device_;
  Reporter& reporter_;
};

}  // namespace

std::optional<std::vector<LaunchPlace>> launch_places(const HostFunction& function,
                                                      const std::vector<std::size_t>& launches, HostValues& values,
                                                      DeviceCode& device, Reporter& reporter) {
  return PlaceFinder(function, launches, values, device, reporter).find();
}

}  // namespace ambit::parser::cuda
