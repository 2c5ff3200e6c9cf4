#pragma once

namespace ambit {

/// How a memory model turns programs into events where readings of the machine differ. A model file chooses with
/// `mapping NAME` (docs/reference/rules.md).
struct Mappings {
  /// `abi`: seq_cst accesses become a fence.sc followed by an acquire load, a relaxed store or an acquire rmw. This is
  /// the current CUDA ABI (definitions 2.1), for models without SC accesses.
  bool seq_cst_as_fences = false;
  /// `cas-writes`: a compare-exchange that fails writes back the value that it read.
  bool cas_always_writes = false;
  /// `barriers-per-gpu`: block barriers with the same number meet across the blocks of one gpu.
  bool barriers_per_gpu = false;
  /// `transactions`: the model has rules for transactions. Without this mapping, a program with transactions is an
  /// error.
  bool transactions = false;
  /// `transaction-fences`: a transaction has a seq_cst fence of its scope before it and another fence after it.
  bool transaction_fences = false;
  friend bool operator==(const Mappings&, const Mappings&) = default;
};

}  // namespace ambit
