#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/program_report.h"
#include "runner/shadow/copy_watch.h"
#include "runner/shadow/exchange_judge.h"
#include "runner/shadow/program_detector.h"
#include "runner/shadow/recorder.h"
#include "runner/shadow/report_file.h"
#include "runner/shadow/stream_history.h"
#include "runner/shadow/value_history.h"
#include "runner/shadow/watch_options.h"
#include "runner/virtual/device.h"

namespace ambit::shadow {

/// Passes the launches of a program to the chosen detectors. Writes the detectors' findings and the errors in kernels
/// to the report file immediately.
class Watch : public virtual_gpu::Observer, public RaceSink {
 public:
  /// `device` must outlive this object. If the options require any check or recording, this object becomes the device's
  /// observer.
  Watch(WatchOptions options, virtual_gpu::Device& device);
  ~Watch() override;

  /// Ends a launch. Writes the launch's findings and number of instructions to the report.
  void launched(const std::string& kernel, const virtual_gpu::LaunchReport& report);
  // ---- streams ----
  /// Returns the order of the program's streams. After the program creates a stream, Ambit checks unordered work for
  /// races.
  StreamOrder& order() { return order_; }
  void add_stream(std::uint64_t stream, bool is_blocking);
  /// Assigns the next launch to the stream.
  void issue(std::uint64_t stream) { issued_ = {order_.issue(stream), stream}; }
  /// A range of device memory that a copy or a memset accesses.
  struct Stretch {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool is_write = false;
  };
  /// Must be called for each copy or memset. `name` is the runtime function.
  void copied(std::uint64_t stream, const std::string& name, std::initializer_list<Stretch> stretches);

  /// Reports why a kernel could not run.
  void error(const std::string& text);
  /// Writes the counts of races that have changed. `is_end` means that the program has ended.
  void flush(bool is_end);

  /// Returns the descriptor of the report for signal handlers; -1 if there is no report.
  int report_file() const { return writer_.file(); }
  /// Returns the number of launches that have begun.
  std::uint32_t launches() const { return launch_; }

  /// Returns the races so far, for tests.
  const std::vector<ProgramRace>& races() const { return races_; }

  // ---- RaceSink ----
  void race(std::uint32_t detector, const RawRace& race, std::uint64_t count, const std::string& why) override;
  std::string memory_name(virtual_gpu::AccessSpace space, std::uint64_t address) const override;
  void remark(const std::string& text) override;
  void incomplete(const std::string& text) override;

  // ---- Observer ----
  bool wants_values() const override { return true; }
  bool wants_events() const override { return is_watching_; }
  void begin_launch(const virtual_gpu::LaunchInfo& info) override;
  void end_launch() override;
  void access(const virtual_gpu::WarpAccess& access) override;
  void fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Order order,
             Scope scope) override;
  void barrier(const virtual_gpu::BarrierArrival& arrival) override;
  void barrier_complete(std::uint32_t block, std::uint32_t barrier) override;
  void warp_barrier(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                    bool orders_memory) override;
  void block_begin(std::uint32_t block) override;
  void block_end(std::uint32_t block) override;

 private:
  /// Calls a function for each detector, except detectors that have failed in this launch.
  template <typename Call>
  void each(const Call& call);
  /// Passes an access to the detectors and to the judge, in the form that detectors see.
  void show(const virtual_gpu::WarpAccess& access);
  void add(const ProgramFinding& finding);
  static RaceLevel level_of(const RawRace& race);
  /// Adds the race to the report. If the report already has the race, adds the count, and replaces the pair of accesses
  /// if the new pair has a wider RaceLevel. Returns the number of the race, from 1.
  std::uint32_t add(ProgramRace made);
  void add(const StreamRace& race);
  /// Classifies the races of the launch that has ended.
  void classify();
  ProgramRaceClass class_of(const RawAccess& first, const RawAccess& second) const;
  /// Passes an event to the judge, if there is one.
  template <typename Call>
  void show_judge(const Call& call);
  /// Returns the places at which threads wait or spin, one per line.
  std::string unfinished_text(const virtual_gpu::LaunchReport& report) const;
  ProgramSite site(std::uint32_t number) const;
  ProgramAccess access(const RawAccess& raw) const;
  std::string thread_name(std::uint32_t block, std::uint32_t thread) const;
  /// Returns the variable at an offset of the block's shared memory, such as "tile[32]".
  std::string shared_name(std::uint64_t offset) const;

  WatchOptions options_;
  virtual_gpu::Device& device_;
  ReportWriter writer_;
  std::vector<std::unique_ptr<virtual_gpu::Observer>> detectors_;
  std::vector<bool> has_failed_;  ///< for each detector, whether it has failed in this launch
  CopyWatch copies_{*this};
  ValueHistory values_;
  bool is_watching_ = false;  ///< the detectors check this launch
  bool has_watched_ = false;  ///< the detectors have checked some launch
  StreamOrder order_;
  StreamHistory* history_ = nullptr;  ///< points to an element of detectors_; null until the program creates a stream
  struct {
    StreamWork work;
    std::uint64_t stream = 0;
  } issued_;

  std::string kernel_;
  std::uint32_t launch_ = 0;
  virtual_gpu::Extent grid_;
  virtual_gpu::Extent block_;
  std::span<const virtual_gpu::SharedVariable> shared_;

  std::vector<ProgramRace> races_;
  std::vector<std::uint64_t> written_counts_;
  /// Maps a hash of detector, kind and sites to 1 + the index of a race.
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
  /// A pair of accesses that raced in this launch.
  struct Seen {
    std::uint32_t race = 0;  ///< number of the race, from 1
    RawAccess first;
    RawAccess second;
  };
  std::vector<Seen> seen_;
  std::vector<std::optional<ProgramRaceClass>> classes_;  ///< for each race, its class in all launches so far
  /// For launches that invalidate mbarriers: finds the races that would remain if warp exchanges ordered memory.
  std::unique_ptr<ExchangeJudge> judge_;
  std::vector<ProgramFinding> findings_;
  std::vector<std::string> remarks_;
  struct Totals {
    std::uint64_t launches = 0;
    std::uint64_t warp_instructions = 0;
    double kernel_seconds = 0;
  } totals_;
  std::chrono::steady_clock::time_point next_flush_;
};

}  // namespace ambit::shadow
