#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ambit {

/// A level of the scope tree that a synchronising operation can name, from narrow to wide. PTX writes Block as "cta",
/// Device as "gpu" and System as "sys". An operation of Thread scope synchronises with no other thread. Warps and lanes
/// are places, not scopes (PTX ISA 9.1, 8.5).
enum class Scope : std::uint8_t { Thread, Block, Cluster, Device, System };

/// Memory order of an access or fence. Weak is a plain access, which does not synchronise.
enum class Order : std::uint8_t { Weak, Relaxed, Acquire, Release, AcqRel, SeqCst };

/// Returns the narrower of two scopes.
constexpr Scope narrower(Scope a, Scope b) { return a < b ? a : b; }

/// Returns the name in the litmus language: thread, block, cluster, device, system.
std::string_view to_string(Scope scope);
/// Returns the name in the litmus language: weak, relaxed, acquire, release, acq_rel, seq_cst.
std::string_view to_string(Order order);
std::optional<Scope> scope_from_string(std::string_view name);
std::optional<Order> order_from_string(std::string_view name);

/// The place of a thread in the scope tree. Blocks and clusters are numbered within their gpu, warps within their
/// block, lanes within their warp. A block without a declared cluster is a cluster of one block: `cluster` is the
/// block's number plus an offset. The parser ensures that no other block has the same cluster number.
struct ThreadPlace {
  int gpu = 0;
  int cluster = 0;
  int block = 0;
  int warp = 0;
  int lane = 0;

  friend bool operator==(const ThreadPlace&, const ThreadPlace&) = default;
};

/// Returns whether both threads are in one instance of `scope` (definitions: same-cta, same-cluster, same-gpu; always
/// true for System). For Thread scope, returns whether the places are equal.
bool same_instance(const ThreadPlace& a, const ThreadPlace& b, Scope scope);

}  // namespace ambit
