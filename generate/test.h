#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/scope.h"

namespace ambit::generate {

/// The kind of an access.
enum class Mechanism { Plain, Volatile, Atomic, ReadModifyWrite };

/// One statement of a generated thread. Reads store to registers, which are numbered across the test. A write stores a
/// constant. With ReadModifyWrite, a read is atomicAdd(&x, 0) and a write is atomicExch(&x, value).
struct Step {
  enum class Kind { Read, Write, Fence } kind = Kind::Read;
  int location = 0;
  int value = 0;      ///< used only for Write
  int register_ = 0;  ///< used only for Read
  Mechanism mechanism = Mechanism::Plain;
  Order order = Order::Weak;
  Scope scope = Scope::System;
  /// The register of an earlier read by the thread. The statement is executed only if this register is 1.
  std::optional<int> guard;
};

struct GeneratedThread {
  ThreadPlace place;
  std::vector<Step> steps;
};

/// A clause: `register r == value` or `final value of location == value`.
struct Clause {
  bool is_register = true;
  int index = 0;
  int value = 0;
};

/// A straight-line litmus test. The condition of the test is the conjunction of the clauses.
struct GeneratedTest {
  std::string name;
  std::string description;
  int locations = 0;
  bool is_volatile = false;  ///< the locations are declared volatile
  std::vector<GeneratedThread> threads;
  std::vector<Clause> condition;
};

/// Returns the name of a location: "x", "y", "z", "w".
std::string location_name(int location);

/// Returns the test as a litmus file. The expectations in the file are the oracle's verdicts for all models.
std::string print(const GeneratedTest& test);

}  // namespace ambit::generate
