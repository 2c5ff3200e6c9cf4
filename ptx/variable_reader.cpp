#include "ptx/variable_reader.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "ptx/constant_expression.h"

namespace ambit::ptx {
namespace {

constexpr std::size_t kMaximumDimensions = 16;

std::optional<Space> space_of(std::string_view directive) {
  if (directive == ".global") return Space::Global;
  if (directive == ".shared") return Space::Shared;
  if (directive == ".const") return Space::Const;
  if (directive == ".local") return Space::Local;
  if (directive == ".param") return Space::Param;
  if (directive == ".tex") return Space::Tex;
  return std::nullopt;
}

/// Reads `.attribute(.managed, .unified(1, 2))`.
void read_attributes(ReaderState& state, VariablePrefix& prefix) {
  TokenStream& tokens = state.tokens;
  tokens.expect('(', "'(' after .attribute");
  for (std::size_t depth = 1; depth > 0;) {
    if (tokens.peek().kind == Token::Kind::End) tokens.fail_expected("')'");
    const Token token = tokens.take();
    if (token.is(".managed")) prefix.is_managed = true;
    if (token.is('(')) ++depth;
    if (token.is(')')) --depth;
  }
}

void read_alignment(ReaderState& state, VariablePrefix& prefix) {
  const SourceSpan place = state.tokens.peek().place;
  const std::uint64_t alignment = state.tokens.expect_integer("an alignment in bytes");
  if (!std::has_single_bit(alignment) || alignment > (1U << 30)) {
    state.tokens.fail(place, fmt::format("alignment {} is not a power of two up to 2^30", alignment));
  }
  if (!prefix.is_pointer) prefix.alignment = alignment;
}

/// Reads the initial value of one variable. Nested braces initialize the elements of an array, as in C.
class InitialValue {
 public:
  InitialValue(ReaderState& state, Variable& variable, std::vector<std::uint64_t> dimensions)
      : state_(state), tokens_(state.tokens), variable_(variable), element_(bytes_of(variable.type)) {
    if (variable.vector_width > 1) dimensions.push_back(variable.vector_width);
    strides_.assign(dimensions.size() + 1, element_);
    for (std::size_t i = dimensions.size(); i-- > 0;) {
      strides_[i] = strides_[i + 1] * std::max<std::uint64_t>(dimensions[i], 1);
    }
    limit_ = variable.count == 0 ? kMaximumInitial : variable.size();
  }

  void read() {
    if (element_ == 0) tokens_.fail_expected("a type with a size before an initial value");
    variable_.is_initialised = true;
    if (!tokens_.peek().is('{')) {
      read_element();
    } else {
      read_list();
    }
    if (variable_.count == 0) variable_.count = (position_ + strides_[1] - 1) / strides_[1];
    state_.initial_bytes += variable_.initial.size();
    if (state_.initial_bytes > kMaximumInitial) {
      tokens_.fail(variable_.place, fmt::format("more than {} bytes of initial values", kMaximumInitial));
    }
  }

 private:
  void read_list() {
    std::vector<std::uint64_t> begins;
    for (;;) {
      if (tokens_.peek().is('{')) {
        if (begins.size() + 1 > strides_.size() - (strides_.size() > 1 ? 1 : 0)) {
          tokens_.fail(tokens_.peek().place, "more braces than dimensions");
        }
        tokens_.take();
        begins.push_back(position_);
        if (!tokens_.peek().is('}')) continue;
      } else {
        read_element();
      }
      while (!begins.empty() && tokens_.accept('}')) {
        if (begins.size() > 1) position_ = begins.back() + strides_[begins.size() - 1];
        begins.pop_back();
      }
      if (begins.empty()) return;
      tokens_.expect(',', "',' or '}' in the initial value");
    }
  }

  void put(std::uint64_t value, unsigned bytes) {
    if (position_ + bytes > limit_) {
      tokens_.fail(tokens_.peek().place, fmt::format("more initial values than '{}' has elements", variable_.name));
    }
    if (state_.initial_bytes + position_ + bytes > kMaximumInitial) {
      tokens_.fail(tokens_.peek().place, fmt::format("more than {} bytes of initial values", kMaximumInitial));
    }
    if (value != 0) {
      variable_.initial.resize(position_ + bytes);
      for (unsigned i = 0; i < std::min(bytes, 8U); ++i) {
        variable_.initial[position_ + i] = static_cast<std::uint8_t>(value >> (8 * i));
      }
    }
    position_ += bytes;
  }

  void read_element() {
    const bool is_negative = tokens_.peek().is('-');
    const Token& number = is_negative ? tokens_.peek_next() : tokens_.peek();
    if (number.kind == Token::Kind::Float32 || number.kind == Token::Kind::Float64) {
      if (is_negative) tokens_.take();
      return read_float(is_negative);
    }
    if (tokens_.peek().kind == Token::Kind::Word && !tokens_.peek().is("WARP_SZ")) {
      return read_address(static_cast<std::uint8_t>(element_), 0);
    }
    if (tokens_.peek().kind == Token::Kind::Integer && tokens_.peek_next().is('(')) return read_masked_address();
    const Constant constant = read_constant(tokens_);
    const auto as_double = constant.is_unsigned ? static_cast<double>(constant.value)
                                                : static_cast<double>(static_cast<std::int64_t>(constant.value));
    if (variable_.type == Type::F32) return put(std::bit_cast<std::uint32_t>(static_cast<float>(as_double)), 4);
    if (variable_.type == Type::F64) return put(std::bit_cast<std::uint64_t>(as_double), 8);
    put(constant.value, element_);
  }

  void read_float(bool is_negative) {
    const Token token = tokens_.take();
    const bool is_single = token.kind == Token::Kind::Float32;
    if (variable_.type == Type::F64) {
      const double value = is_single
                               ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(token.value)))
                               : std::bit_cast<double>(token.value);
      return put(std::bit_cast<std::uint64_t>(value) ^ (is_negative ? 1ULL << 63 : 0), 8);
    }
    if (variable_.type == Type::F32) {
      const std::uint32_t bits =
          is_single ? static_cast<std::uint32_t>(token.value)
                    : std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(token.value)));
      return put(bits ^ (is_negative ? 1U << 31 : 0), 4);
    }
    if (element_ < (is_single ? 4U : 8U)) {
      tokens_.fail(token.place, fmt::format("a floating-point number does not fit .{}", to_string(variable_.type)));
    }
    put(token.value ^ (is_negative ? 1ULL << (is_single ? 31 : 63) : 0), element_);
  }

  /// Reads `0xff00(symbol)`, which is one byte of the symbol's address.
  void read_masked_address() {
    const Token mask = tokens_.take();
    tokens_.take();
    const int shift = std::countr_zero(mask.value);
    if (mask.value == 0 || shift % 8 != 0 || mask.value >> shift != 0xff || element_ != 1) {
      tokens_.fail(mask.place, "the mask must select one byte of the address, in an array of bytes",
                   "write 0xff(symbol), 0xff00(symbol) and so on");
    }
    read_address(1, static_cast<std::uint8_t>(shift));
    tokens_.expect(')', "')' after the symbol");
  }

  void read_address(std::uint8_t size, std::uint8_t shift) {
    Relocation relocation;
    relocation.offset = position_;
    relocation.size = size;
    relocation.shift = shift;
    relocation.is_generic = tokens_.accept("generic");
    if (relocation.is_generic) tokens_.expect('(', "'(' after generic");
    const Token name = tokens_.expect_word("a number or a symbol");
    const auto symbol = state_.symbols.find(name.text);
    if (symbol == state_.symbols.end()) {
      tokens_.fail(name.place, fmt::format("'{}' is not declared", name.text));
    }
    relocation.symbol = symbol->second.index;
    relocation.is_function = symbol->second.kind == Symbol::Kind::Function;
    relocation.addend = read_offset(tokens_);
    if (relocation.is_generic) {
      tokens_.expect(')', "')' after the symbol");
      relocation.addend += read_offset(tokens_);
    }
    put(0, size);
    variable_.relocations.push_back(relocation);
  }

  ReaderState& state_;
  TokenStream& tokens_;
  Variable& variable_;
  unsigned element_;
  std::uint64_t limit_ = 0;
  std::uint64_t position_ = 0;
  /// The size in bytes of an element at each depth of braces. strides_[0] is the size of the whole variable.
  std::vector<std::uint64_t> strides_;
};

/// Reads the dimensions of a variable, such as `[3][4]`. The count of a variable with `[]` is 0.
std::vector<std::uint64_t> read_dimensions(ReaderState& state, Variable& variable) {
  TokenStream& tokens = state.tokens;
  std::vector<std::uint64_t> dimensions;
  const std::uint64_t most = kMaximumVariable / std::max(1U, bytes_of(variable.type) * variable.vector_width);
  std::uint64_t product = 1;
  bool is_unsized = false;
  while (tokens.accept('[')) {
    variable.is_array = true;
    std::uint64_t size = 0;
    if (!tokens.peek().is(']')) {
      size = read_constant(tokens).value;
    } else if (!dimensions.empty()) {
      tokens.fail_expected("the size of a dimension other than the first");
    }
    tokens.expect(']', "']'");
    dimensions.push_back(size);
    if (dimensions.size() > kMaximumDimensions) {
      tokens.fail(variable.place, fmt::format("more than {} dimensions", kMaximumDimensions));
    }
    if (size > most / product) {
      tokens.fail(variable.place, fmt::format("'{}' is larger than {} bytes", variable.name, kMaximumVariable));
    }
    product *= std::max<std::uint64_t>(size, 1);
    is_unsized = is_unsized || size == 0;
  }
  variable.count = is_unsized ? 0 : product;
  return dimensions;
}

/// Declares the name of a variable outside of functions.
void declare(ReaderState& state, std::string_view name, std::uint32_t number) {
  Variable& variable = state.module.variables[number];
  const auto [entry, is_new] = state.symbols.emplace(name, Symbol{Symbol::Kind::Variable, number});
  if (is_new) return;
  const Symbol known = entry->second;
  if (known.kind != Symbol::Kind::Variable) {
    state.tokens.fail(variable.place, fmt::format("'{}' is already the name of a function", name));
  }
  Variable& before = state.module.variables[known.index];
  if (before.linkage != Linkage::Extern && variable.linkage != Linkage::Extern) {
    state.tokens.fail(variable.place, fmt::format("'{}' is declared twice", name),
                      fmt::format("the first declaration is in line {}", before.place.line));
  }
  if (before.linkage == Linkage::Extern) std::swap(before, variable);
  state.module.variables.pop_back();
}

}  // namespace

std::optional<Linkage> linkage_of(std::string_view directive) {
  if (directive == ".extern") return Linkage::Extern;
  if (directive == ".visible") return Linkage::Visible;
  if (directive == ".weak") return Linkage::Weak;
  if (directive == ".common") return Linkage::Common;
  return std::nullopt;
}

VariablePrefix read_variable_prefix(ReaderState& state) {
  TokenStream& tokens = state.tokens;
  VariablePrefix prefix;
  while (tokens.peek().is_directive()) {
    const std::string_view word = tokens.peek().text;
    if (word == ".align") {
      tokens.take();
      read_alignment(state, prefix);
      continue;
    }
    if (word == ".attribute") {
      tokens.take();
      read_attributes(state, prefix);
      continue;
    }
    if (word == ".hidden") {  // a hidden parameter, which the driver does not list
      tokens.take();
      continue;
    }
    if (const auto linkage = linkage_of(word)) {
      prefix.linkage = *linkage;
    } else if (word == ".reg") {
      prefix.is_register = true;
    } else if (word == ".ptr") {
      prefix.is_pointer = true;
    } else if (const auto space = space_of(word)) {
      if (prefix.is_pointer) {
        prefix.pointee = *space;
      } else if (prefix.space != Space::None) {
        tokens.fail(tokens.peek().place, fmt::format("a second state space, '{}'", word));
      } else {
        prefix.space = *space;
      }
    } else if (word == ".v2" || word == ".v4" || word == ".v8") {
      prefix.vector_width = static_cast<std::uint8_t>(word[2] - '0');
    } else if (const auto type = type_from_string(word.substr(1))) {
      prefix.type = *type;
    } else {
      tokens.fail(tokens.peek().place, fmt::format("unknown directive '{}' in a declaration", word));
    }
    tokens.take();
  }
  if (prefix.type == Type::None) tokens.fail_expected("the type of the declaration, such as .b32");
  return prefix;
}

std::uint32_t read_variable_name(ReaderState& state, const VariablePrefix& prefix, std::uint32_t function) {
  const Token name = state.tokens.expect_word("the name of a variable");
  Variable variable;
  variable.name = name.text;
  variable.place = name.place;
  variable.file = state.module.file;
  variable.space = prefix.space;
  variable.pointee = prefix.pointee;
  variable.type = prefix.type;
  variable.vector_width = prefix.vector_width;
  variable.linkage = prefix.linkage;
  variable.is_managed = prefix.is_managed;
  variable.function = function;
  const std::uint64_t natural = std::max(1U, bytes_of(prefix.type) * prefix.vector_width);
  variable.alignment = prefix.alignment != 0 ? prefix.alignment : natural;
  std::vector<std::uint64_t> dimensions = read_dimensions(state, variable);
  if (state.tokens.accept('=')) InitialValue(state, variable, std::move(dimensions)).read();
  state.module.variables.push_back(std::move(variable));
  return static_cast<std::uint32_t>(state.module.variables.size() - 1);
}

void read_module_variables(ReaderState& state) {
  const SourceSpan place = state.tokens.peek().place;
  const VariablePrefix prefix = read_variable_prefix(state);
  if (prefix.is_register || prefix.space == Space::None || prefix.space == Space::Param) {
    state.tokens.fail(place, "expected a variable in .global, .const or .shared outside of functions");
  }
  do {
    const std::string_view name = state.tokens.peek().text;
    declare(state, name, read_variable_name(state, prefix, kNone));
  } while (state.tokens.accept(','));
  state.tokens.expect(';', "';' after the declaration");
}

}  // namespace ambit::ptx
