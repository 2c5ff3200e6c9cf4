#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "base/source.h"

namespace ambit::repair {

/// The kinds of changes that have a cost.
enum class Cost : std::uint8_t {
  ScopeCluster,  ///< a scope was widened to cluster
  ScopeDevice,
  ScopeSystem,
  ScopeOther,   ///< a scope was narrowed, for models that require equal scopes
  OrderHalf,    ///< an order was changed from relaxed to acquire or release
  OrderBoth,    ///< an order was changed to acq_rel
  OrderSeqCst,  ///< an order was changed to seq_cst
  FenceBlock,   ///< a fence of block scope was added
  FenceDevice,
  FenceSystem,
  Lock,          ///< a lock of the program was put around a statement
  WarpBarrier,   ///< a barrier of the warp was added
  Barrier,       ///< a barrier of the block was added
  AtomicUpdate,  ///< x++ or x += e became one atomic update
  Atomic,        ///< a plain load or store became atomic
  Placement,     ///< a thread was moved into another block
};
inline constexpr std::size_t kCosts = 16;

struct CostName {
  Cost cost;
  std::string_view name;  ///< the name that cost files use
  int usual;              ///< the cost, unless a file gives another cost
};
inline constexpr std::array<CostName, kCosts> kCostNames = {{
    {Cost::ScopeCluster, "scope-cluster", 9},
    {Cost::ScopeDevice, "scope-device", 10},
    {Cost::ScopeSystem, "scope-system", 12},
    {Cost::ScopeOther, "scope-other", 14},
    {Cost::OrderHalf, "order-acquire-release", 15},
    {Cost::OrderBoth, "order-acq_rel", 17},
    {Cost::OrderSeqCst, "order-seq_cst", 25},
    {Cost::FenceBlock, "fence-block", 18},
    {Cost::FenceDevice, "fence-device", 20},
    {Cost::FenceSystem, "fence-system", 24},
    {Cost::Lock, "lock", 35},
    {Cost::WarpBarrier, "warp-barrier", 39},
    {Cost::Barrier, "barrier", 37},
    {Cost::AtomicUpdate, "atomic-update", 40},
    {Cost::Atomic, "atomic", 120},
    {Cost::Placement, "placement", 250},
}};

/// The cost of each kind of change. A change without a cost is not tried.
class CostTable {
 public:
  static constexpr int kNever = std::numeric_limits<int>::max();

  CostTable();

  int of(Cost cost) const { return costs_[static_cast<std::size_t>(cost)]; }
  bool allows(Cost cost) const { return of(cost) != kNever; }

  /// Reads lines `NAME NUMBER` or `NAME never`, with comments after '#'. Kinds that the file does not name keep their
  /// default cost. Returns an error if a name is unknown or repeated, or if a cost is not a number from 1 to 1,000,000.
  static Result<CostTable> read(const SourceFilePtr& source);

 private:
  std::array<int, kCosts> costs_;
};

}  // namespace ambit::repair
