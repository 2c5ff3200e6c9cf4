#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/location_table.h"
#include "ptx/module.h"
#include "ptx/token_stream.h"

namespace ambit::ptx {

/// The entity that a name in a module denotes.
struct Symbol {
  enum class Kind : std::uint8_t { Register, Variable, Function, Label, Targets, Prototype };
  Kind kind = Kind::Variable;
  std::uint32_t index = kNone;
};

/// The registers of one range: `%r<12>` is twelve registers from number `first`.
struct NamedRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// A use of a label, which is resolved at the end of its braces.
struct PendingLabel {
  /// index of the instruction; if kNone, `operand` is an index in Function::targets
  std::uint32_t instruction = kNone;
  std::uint32_t operand = 0;
  std::uint32_t element = 0;  ///< index in the targets
  std::string_view name;
  SourceSpan place;
};

/// The names that are declared in one pair of braces.
struct BraceScope {
  std::unordered_map<std::string_view, Symbol> names;
  std::unordered_map<std::string_view, NamedRange> ranges;
  std::vector<PendingLabel> pending;
};

/// The state of read_module().
struct ReaderState {
  explicit ReaderState(SourceFilePtr file) : tokens(file), locations(module) { module.file = std::move(file); }

  TokenStream tokens;
  Module module;
  LocationTable locations;
  std::unordered_map<std::string_view, Symbol> symbols;  ///< symbols of the module; the names point into the text
  std::uint64_t registers = 0;                           ///< number of registers so far, for kMaximumRegisters
  std::uint64_t initial_bytes = 0;                       ///< number of bytes so far, for kMaximumInitial
};

}  // namespace ambit::ptx
