#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"
#include "ptx/token_stream.h"

namespace ambit::ptx {

/// Collects .file, .loc and the strings of .debug_str. Fills in Module::files, strings and places.
class LocationTable {
 public:
  explicit LocationTable(Module& module) : module_(module) {}

  /// Reads the rest of `.file`: number, path, and optionally time and size.
  void read_file(TokenStream& tokens);
  /// Reads the rest of `.loc`. Sets current().
  void read_location(TokenStream& tokens);
  /// Reads the rest of `.section`: its name and braces.
  void read_section(TokenStream& tokens);
  /// Fills in the names of functions, which are after all code.
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
  /// Returns the number of the place. Adds the place if no equal place exists.
  std::uint32_t intern(const Key& key, std::uint32_t function, std::uint32_t inlined_at);
  void read_string_bytes(TokenStream& tokens);

  Module& module_;
  std::unordered_map<std::uint64_t, std::uint32_t> files_;   ///< maps the number of a file in the text to its index
  std::unordered_map<Key, std::uint32_t, KeyHash> latest_;   ///< the latest place for each key
  std::unordered_map<std::string, std::uint32_t> interned_;  ///< maps all members of a place to its number
  std::unordered_map<std::string, std::uint32_t> string_indexes_;
  std::vector<Name> names_;                                   ///< names in Module::strings
  std::unordered_map<std::string_view, std::size_t> labels_;  ///< offsets of labels in .debug_str
  std::string debug_strings_;
  std::uint32_t current_ = kNone;
};

}  // namespace ambit::ptx
