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

/// The registers of a range such as `%r<12>`. The numbers of the registers begin at `first`.
struct NamedRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// A use of a label. The label is resolved at the end of the braces that contain the use.
struct PendingLabel {
  /// Index of the instruction. If `instruction` is kNone, `operand` is an index in Function::targets.
  std::uint32_t instruction = kNone;
  std::uint32_t operand = 0;
  std::uint32_t element = 0;  ///< index in Targets::indexes
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
  std::unordered_map<std::string_view, Symbol> symbols;  ///< the module's symbols; the keys point into the text
  std::uint64_t registers = 0;                           ///< number of registers read so far (kMaximumRegisters)
  std::uint64_t initial_bytes = 0;                       ///< number of initial bytes read so far (kMaximumInitial)
};

}  // namespace ambit::ptx
