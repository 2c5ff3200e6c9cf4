#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"
#include "ptx/token_stream.h"

namespace ambit::ptx {

/// Reads .file and .loc directives and the strings of .debug_str. Fills in Module::files, strings and places.
class LocationTable {
 public:
  explicit LocationTable(Module& module) : module_(module) {}

  /// Reads the operands of `.file`: number, path, and optionally time and size.
  void read_file(TokenStream& tokens);
  /// Reads the operands of `.loc`. Sets current().
  void read_location(TokenStream& tokens);
  /// Reads the name and the contents of a `.section`.
  void read_section(TokenStream& tokens);
  /// Fills in Module::strings, the names of inlined functions. In the text, the names follow all code.
  void finish();

  /// Returns the place of the next instruction; kNone at the beginning of a function.
  std::uint32_t current() const { return current_; }
  void forget_current() { current_ = kNone; }

 private:
  struct Key {
    std::uint32_t file = kNone;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Name {
    std::string_view label;
    std::uint64_t offset = 0;
  };

  Key read_key(TokenStream& tokens);
  std::uint32_t file_index(std::uint64_t number);
  std::uint32_t string_index(std::string_view label, std::uint64_t offset);
  /// Returns the number of a place. Adds the place if Module::places has no equal place.
  std::uint32_t intern(const Key& key, std::uint32_t function, std::uint32_t inlined_at);
  void read_string_bytes(TokenStream& tokens);

  Module& module_;
  std::unordered_map<std::uint64_t, std::uint32_t> files_;   ///< maps file numbers to indices in Module::files
  std::unordered_map<Key, std::uint32_t, KeyHash> latest_;   ///< the latest place that has the key
  std::unordered_map<std::string, std::uint32_t> interned_;  ///< maps the contents of a place to the place's number
  std::unordered_map<std::string, std::uint32_t> string_indexes_;
  std::vector<Name> names_;                                   ///< the names of Module::strings
  std::unordered_map<std::string_view, std::size_t> labels_;  ///< maps labels to offsets in .debug_str
  std::string debug_strings_;
  std::uint32_t current_ = kNone;
};

}  // namespace ambit::ptx
