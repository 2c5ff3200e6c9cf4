#include "ptx/location_table.h"

#include <fmt/format.h>

#include "ptx/constant_expression.h"

namespace ambit::ptx {
namespace {

constexpr std::uint64_t kMaximumLine = 0xffffffff;

}  // namespace

std::size_t LocationTable::KeyHash::operator()(const Key& key) const {
  const std::uint64_t mixed = (std::uint64_t{key.file} << 48) ^ (std::uint64_t{key.line} << 16) ^ key.column;
  return std::hash<std::uint64_t>()(mixed * 0x9e3779b97f4a7c15ULL);
}

std::uint32_t LocationTable::file_index(std::uint64_t number) {
  const auto [entry, is_new] = files_.emplace(number, static_cast<std::uint32_t>(module_.files.size()));
  if (is_new) module_.files.emplace_back();
  return entry->second;
}

void LocationTable::read_file(TokenStream& tokens) {
  const std::uint32_t index = file_index(tokens.expect_integer("the number of the file"));
  if (tokens.peek().kind != Token::Kind::String) tokens.fail_expected("the path of the file in quotes");
  std::string path(tokens.take().text);
  if (tokens.peek().kind == Token::Kind::String) path += "/" + std::string(tokens.take().text);
  module_.files[index] = std::move(path);
  while (tokens.accept(',')) tokens.expect_integer("the time or the size of the file");
}

LocationTable::Key LocationTable::read_key(TokenStream& tokens) {
  Key key;
  key.file = file_index(tokens.expect_integer("the number of a file"));
  const SourceSpan place = tokens.peek().place;
  const std::uint64_t line = tokens.expect_integer("a line");
  const std::uint64_t column = tokens.expect_integer("a column");
  if (line > kMaximumLine || column > kMaximumLine) tokens.fail(place, "this line or column is too large");
  key.line = static_cast<std::uint32_t>(line);
  key.column = static_cast<std::uint32_t>(column);
  return key;
}

std::uint32_t LocationTable::string_index(std::string_view label, std::uint64_t offset) {
  const auto [entry, is_new] =
      string_indexes_.emplace(fmt::format("{}+{}", label, offset), static_cast<std::uint32_t>(module_.strings.size()));
  if (is_new) {
    module_.strings.emplace_back();
    names_.push_back({label, offset});
  }
  return entry->second;
}

std::uint32_t LocationTable::intern(const Key& key, std::uint32_t function, std::uint32_t inlined_at) {
  const auto [entry, is_new] =
      interned_.emplace(fmt::format("{},{},{},{},{}", key.file, key.line, key.column, function, inlined_at),
                        static_cast<std::uint32_t>(module_.places.size()));
  if (is_new) module_.places.push_back({key.file, key.line, key.column, function, inlined_at});
  latest_[key] = entry->second;
  return entry->second;
}

void LocationTable::read_location(TokenStream& tokens) {
  const Key key = read_key(tokens);
  std::uint32_t function = kNone;
  std::uint32_t inlined_at = kNone;
  while (tokens.accept(',')) {
    const Token word = tokens.expect_word("function_name or inlined_at");
    if (word.is("function_name")) {
      const Token label = tokens.expect_word("the label of a function's name");
      function = string_index(label.text, static_cast<std::uint64_t>(read_offset(tokens)));
    } else if (word.is("inlined_at")) {
      const Key call = read_key(tokens);
      const auto known = latest_.find(call);
      inlined_at = known != latest_.end() ? known->second : intern(call, kNone, kNone);
    } else {
      tokens.fail(word.place, fmt::format("expected function_name or inlined_at, found '{}'", word.text));
    }
  }
  tokens.accept(';');
  current_ = intern(key, function, inlined_at);
}

void LocationTable::read_section(TokenStream& tokens) {
  const Token name = tokens.expect_word("the name of the section");
  if (!name.is(".debug_str")) return skip_braces(tokens);
  tokens.expect('{', "'{'");
  while (!tokens.accept('}')) {
    if (tokens.peek().is_directive()) {
      read_string_bytes(tokens);
    } else if (tokens.peek().kind == Token::Kind::Word && tokens.peek_next().is(':')) {
      labels_.emplace(tokens.take().text, debug_strings_.size());
      tokens.take();
    } else if (tokens.peek().kind == Token::Kind::End) {
      tokens.fail_expected("'}' at the end of the section");
    } else {
      tokens.take();
    }
  }
}

void LocationTable::read_string_bytes(TokenStream& tokens) {
  const Token directive = tokens.take();
  const auto type = type_from_string(directive.text.substr(1));
  if (!type || bytes_of(*type) == 0) tokens.fail(directive.place, fmt::format("unknown type '{}'", directive.text));
  do {
    if (tokens.peek().kind != Token::Kind::Integer) {
      tokens.take();  // an address in another section, not a string
      read_offset(tokens);
      continue;
    }
    const std::uint64_t value = tokens.take().value;
    for (unsigned i = 0; i < bytes_of(*type); ++i) {
      debug_strings_.push_back(i < 8 ? static_cast<char>(value >> (8 * i)) : '\0');
    }
  } while (tokens.accept(','));
}

void LocationTable::finish() {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto label = labels_.find(names_[i].label);
    if (label == labels_.end() || names_[i].offset > debug_strings_.size() - label->second) continue;
    module_.strings[i] = debug_strings_.c_str() + label->second + names_[i].offset;
  }
}

}  // namespace ambit::ptx
