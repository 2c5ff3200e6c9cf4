#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/trace.h"
#include "runner/shadow/trace_observer.h"
#include "runner/virtual/device.h"

namespace ambit::shadow {

/// Writes each launch as a trace (docs/reference/traces.md) for `ambit detect`. The first launch goes to FILE, the
/// second to FILE with ".2" before the extension, and so on.
class Recorder : public TraceObserver {
 public:
  /// If a file cannot be written, `say` receives the reason.
  Recorder(std::string file, const virtual_gpu::Device& device, std::function<void(const std::string&)> say);
  ~Recorder() override;

  void begin_launch(const virtual_gpu::LaunchInfo& info) override;
  void end_launch() override;

 private:
  void take(const TraceEvent& event) override;
  void write();
  /// Returns the number of a thread, a location or a site in the file.
  std::uint32_t named_thread(std::uint32_t thread);
  std::uint32_t named_location(std::uint32_t location);
  std::uint32_t named_site(std::uint32_t site);

  std::string file_;
  const virtual_gpu::Device& device_;
  std::function<void(const std::string&)> say_;
  TraceTables tables_;  ///< tables that contain names, for readers of the file
  std::vector<std::uint32_t> threads_;
  std::vector<std::uint32_t> locations_;
  std::vector<std::uint32_t> sites_;
  std::unique_ptr<TraceWriter> writer_;
  std::unique_ptr<std::ostream> stream_;
  std::vector<TraceEvent> waiting_;
  std::uint32_t launches_ = 0;
};

/// Returns a name such as "tickets" or "allocation 2", and the offset in bytes. Returns nothing if no allocation is
/// near.
std::optional<std::pair<std::string, std::uint64_t>> object_at(const virtual_gpu::Memory& memory,
                                                               std::uint64_t address);

}  // namespace ambit::shadow
