#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace ambit::synthesis {

/// The one-letter names of variables and of locks.
inline constexpr std::string_view kVariables = "xyzwuv";
inline constexpr std::string_view kLocks = "klmn";

/// One statement of a small program.
struct Act {
  enum class Kind : std::uint8_t { Read, Write, Update, Fence, Lock, Unlock, Barrier } kind = Kind::Read;
  enum class Access : std::uint8_t { Plain, Volatile, Atomic } access = Access::Plain;
  Order order = Order::Weak;    ///< used only for atomics and fences
  Scope scope = Scope::System;  ///< used only for atomics, fences and locks
  bool is_guarded = false;      ///< executed only if the thread's preceding read returned a value other than 0
  std::uint8_t cell = 0;        ///< the variable; for Lock and Unlock, the lock

  bool is_access() const { return kind == Kind::Read || kind == Kind::Write || kind == Kind::Update; }
  bool is_lock() const { return kind == Kind::Lock || kind == Kind::Unlock; }
  friend auto operator<=>(const Act&, const Act&) = default;
};

struct SkeletonThread {
  std::uint8_t gpu = 0;
  std::uint8_t block = 0;  ///< the number of the block, counted across all gpus
  std::vector<Act> acts;
  friend bool operator==(const SkeletonThread&, const SkeletonThread&) = default;
};

/// A straight-line program without values. The n-th write to a variable, in the order of the threads, writes n; updates
/// add 10 to the variable; each read has its own register. Therefore, one skeleton represents all programs that differ
/// only in values.
struct Skeleton {
  std::vector<SkeletonThread> threads;

  std::size_t size() const;  ///< number of statements
  std::size_t variables() const;
  std::size_t locks() const;
  friend bool operator==(const Skeleton&, const Skeleton&) = default;
};

/// Returns "Wx+Wy.rel.gpu_Ry.acq.gpu+Rx.if@0,1": the statements of each thread, followed by the blocks.
/// skeleton_named() reads the name back. The name can be used in a file name. W R U F L N B: write, read, update,
/// fence, lock, unlock, barrier; `.if`: guarded.
std::string name_of(const Skeleton& skeleton);
/// Returns the skeleton with this name, or nothing if name_of() gives no such name.
std::optional<Skeleton> skeleton_named(std::string_view name);

/// Returns the skeleton as a test in the litmus language (docs/reference/language.md). `condition` contains the lines
/// of the test that follow the threads, such as "exists (P0:r0 == 1)"; may be empty.
std::string litmus_text(const Skeleton& skeleton, std::string_view name, std::string_view description,
                        std::string_view condition);

/// Returns the skeleton as a program. The result equals the parser's result for litmus_text(), except that it has no
/// places in a source.
std::shared_ptr<const Program> program_of(const Skeleton& skeleton);

}  // namespace ambit::synthesis
