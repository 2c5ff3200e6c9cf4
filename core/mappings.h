#pragma once

namespace ambit {

/// Options for the translation of a program into events. Models differ in these options. A model file selects an
/// option with `mapping NAME` (docs/reference/rules.md).
struct Mappings {
  /// `abi`: each seq_cst access becomes a fence.sc and then an acquire load, a relaxed store or an acquire rmw. The
  /// current CUDA ABI (definitions 2.1) defines this mapping. Models without SC accesses need this mapping.
  bool seq_cst_as_fences = false;
  /// `cas-writes`: a failed compare-exchange writes back the value that it read.
  bool cas_always_writes = false;
  /// `barriers-per-gpu`: block barriers with the same number in different blocks of one gpu are one barrier.
  bool barriers_per_gpu = false;
  /// `transactions`: the model has rules for transactions. A model without this mapping rejects programs with
  /// transactions.
  bool transactions = false;
  /// `transaction-fences`: a seq_cst fence precedes each transaction, and another follows. The fences have the
  /// transaction's scope.
  bool transaction_fences = false;
  friend bool operator==(const Mappings&, const Mappings&) = default;
};

}  // namespace ambit
