#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "detector/algorithms/warp_group.h"
#include "detector/detector.h"
#include "detector/inference/flat_map.h"
#include "detector/inference/places.h"
#include "detector/race_log.h"

namespace ambit::detector {

struct BoyerOptions {
  bool reports_write_after_write = false;
  std::uint32_t banks = 16;  ///< number of banks: 16 serve a half warp, as published; 32 serve a warp
};

/// Boyer, Skadron, Weimer (STMCS 2008): counts the reads and writes of each shared location since the block's last
/// barrier, both in total and for each thread. The detector also finds bank conflicts.
class Boyer : public Detector {
 public:
  Boyer(const TraceTables& tables, const BoyerOptions& options);
  SyncInference::Depth depth() const override { return SyncInference::Depth::Sections; }
  void on(const Observation& observation) override;
  void finish(std::span<const Action> /*rest*/, const SyncInference& /*inference*/) override { flush(); }
  std::vector<RaceReport> races() const override { return log_.reports(); }
  /// Returns the bank conflicts, one line per site.
  std::vector<std::string> own_remarks() const override;

 private:
  /// The number of reads, or of writes, by all threads. Keeps the last accesses of two different threads, so that a
  /// report can always name a thread other than the current thread.
  struct Count {
    std::uint64_t total = 0;
    RaceSide last;
    RaceSide last_of_another;
    void add(const RaceSide& side);
  };
  struct Location {
    std::uint32_t barrier = 0;
    Count reads;
    Count writes;
  };
  struct Own {
    std::uint32_t barrier = 0;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
  };
  struct BankUse {
    std::uint64_t accesses = 0;   ///< number of accesses by a warp or half warp
    std::uint64_t conflicts = 0;  ///< number of accesses with bank conflicts (degree above 1)
    std::uint32_t degree = 0;     ///< the highest degree
    std::uint32_t thread = 0;     ///< thread of the first access with the highest degree
    std::uint32_t bank = 0;
  };

  void access(const Observation& observation);
  /// Reports a race with `now` if another thread made some of the accesses in `count`. `own` is the number of accesses
  /// in `count` that the thread of `now` made.
  void check(const Count& count, std::uint64_t own, const RaceSide& now, std::uint32_t location);
  void flush();
  void count_banks(std::uint32_t half);
  bool is_shared(std::uint32_t location);

  const TraceTables& tables_;
  BoyerOptions options_;
  ThreadPlaces places_;
  RaceLog log_;
  WarpGroup group_;
  std::vector<std::uint8_t> is_shared_;  ///< for each location
  std::vector<Location> locations_;
  std::vector<std::uint32_t> barriers_;  ///< for each block
  FlatMap<Own> own_;                     ///< for each pair of location and thread
  std::vector<BankUse> banks_;           ///< for each site
  std::vector<std::vector<std::uint64_t>> words_;
};

DetectorDescription boyer();

}  // namespace ambit::detector
