#include <fmt/format.h>

#include <charconv>

#include "ptx/body_reader.h"
#include "ptx/function_reader.h"
#include "ptx/reader_state.h"
#include "ptx/variable_reader.h"

namespace ambit::ptx {
namespace {

class ModuleReader {
 public:
  explicit ModuleReader(SourceFilePtr file) : state_(std::move(file)), tokens_(state_.tokens) {}

  Module read() {
    if (!tokens_.peek().is(".version")) {
      tokens_.fail_expected(".version at the beginning of the PTX");
    }
    while (tokens_.peek().kind != Token::Kind::End) {
      if (!tokens_.accept(';')) read_directive();
    }
    if (state_.module.target.empty()) tokens_.fail_expected(".target");
    state_.locations.finish();
    if (!aliases_.empty()) apply_aliases();
    return std::move(state_.module);
  }

 private:
  void read_directive() {
    const Token& token = tokens_.peek();
    if (!token.is_directive()) tokens_.fail_expected("a directive such as .visible, .entry, .func or .global");
    if (token.is(".version")) return read_version();
    if (token.is(".target")) return read_target();
    if (token.is(".address_size")) return read_address_size();
    if (token.is(".file") || token.is(".loc") || token.is(".section")) {
      const Token directive = tokens_.take();
      if (directive.is(".file")) return state_.locations.read_file(tokens_);
      if (directive.is(".loc")) return state_.locations.read_location(tokens_);
      return state_.locations.read_section(tokens_);
    }
    if (token.is(".alias")) return read_alias();
    if (token.is(".pragma")) return skip_statement(tokens_);
    if (token.is(".entry") || token.is(".func")) return read_function(state_, Linkage::Local, token.offset);
    const Token& next = tokens_.peek_next();
    if (const auto linkage = linkage_of(tokens_.peek().text); linkage && (next.is(".entry") || next.is(".func"))) {
      const std::uint32_t begin = tokens_.take().offset;
      return read_function(state_, *linkage, begin);
    }
    read_module_variables(state_);
  }

  void read_version() {
    tokens_.take();
    const Token number = tokens_.peek();
    const std::string_view text = number.text;
    const std::size_t dot = text.find('.');
    Module& module = state_.module;
    bool good = number.kind == Token::Kind::Float64 && dot != std::string_view::npos;
    const auto read = [&](std::string_view digits, unsigned& value) {
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      good = good && error == std::errc() && end == digits.data() + digits.size();
    };
    if (good) {
      read(text.substr(0, dot), module.version_major);
      read(text.substr(dot + 1), module.version_minor);
    }
    if (!good) tokens_.fail_expected("a version such as 8.3");
    tokens_.take();
    if (module.version_major < 6) {
      tokens_.fail(number.place, fmt::format("PTX {} is older than 6.0", text), "compile with CUDA 9 or later");
    }
    if (module.version_major > 9) {
      tokens_.fail(number.place, fmt::format("PTX {} is newer than 9.x, the last version that Ambit reads", text));
    }
  }

  void read_target() {
    tokens_.take();
    std::string target;
    do {
      const Token word = tokens_.expect_word("a target such as sm_80");
      if (!target.empty()) target += ", ";
      target += word.text;
    } while (tokens_.accept(','));
    state_.module.target = std::move(target);
    state_.module.address_size = 32;  // default without .address_size (ISA 11.1.3)
  }

  void read_address_size() {
    tokens_.take();
    const Token number = tokens_.peek();
    const std::uint64_t bits = tokens_.expect_integer("32 or 64");
    if (bits != 32 && bits != 64) tokens_.fail(number.place, "expected 32 or 64 bits for an address");
    state_.module.address_size = static_cast<unsigned>(bits);
  }

  /// Reads `.alias a, b;`. The directive declares that a is another name for the function b.
  void read_alias() {
    tokens_.take();
    const std::uint32_t alias = read_function_name();
    tokens_.expect(',', "','");
    aliases_[alias] = read_function_name();
    tokens_.expect(';', "';' behind .alias");
  }

  std::uint32_t read_function_name() {
    const Token name = tokens_.expect_word("the name of a function");
    const auto symbol = state_.symbols.find(name.text);
    if (symbol == state_.symbols.end() || symbol->second.kind != Symbol::Kind::Function) {
      tokens_.fail(name.place, fmt::format("function '{}' is not declared", name.text));
    }
    return symbol->second.index;
  }

  void apply_aliases() {
    const auto apply = [&](std::uint32_t& function) {
      const auto found = aliases_.find(function);
      if (found != aliases_.end()) function = found->second;
    };
    for (Function& function : state_.module.functions) {
      for (Instruction& instruction : function.instructions) {
        for (Operand& operand : instruction.operands) {
          if (operand.kind == Operand::Kind::Function) apply(operand.index);
        }
      }
      for (Targets& targets : function.targets) {
        if (!targets.is_calls) continue;
        for (std::uint32_t& index : targets.indexes) apply(index);
      }
    }
    for (Variable& variable : state_.module.variables) {
      for (Relocation& relocation : variable.relocations) {
        if (relocation.is_function) apply(relocation.symbol);
      }
    }
  }

  ReaderState state_;
  TokenStream& tokens_;
  std::unordered_map<std::uint32_t, std::uint32_t> aliases_;
};

}  // namespace

Result<Module> read_module(const SourceFilePtr& file) {
  if (file->text.size() > kMaximumText) {
    return Diagnostic{file, {}, fmt::format("this PTX has more than {} bytes", kMaximumText), {}};
  }
  try {
    return ModuleReader(file).read();
  } catch (const ReadFailure& failure) {
    return failure.diagnostic;
  }
}

Result<Module> read_assembly(std::string_view text, std::size_t operands) {
  std::string body = fmt::format("{{ .reg .b64 %<{}>;\n{}\n; }}", operands, text);
  try {
    ReaderState state(std::make_shared<const SourceFile>(SourceFile{"assembly", std::move(body)}));
    Function function;
    function.file = state.module.file;
    BodyReader(state, function, true).read(0);
    if (state.tokens.peek().kind != Token::Kind::End) state.tokens.fail_expected("the end of the assembly");
    state.module.functions.push_back(std::move(function));
    return std::move(state.module);
  } catch (const ReadFailure& failure) {
    return failure.diagnostic;
  }
}

Result<Module> read_module(std::string text, std::string name) {
  return read_module(std::make_shared<const SourceFile>(SourceFile{std::move(name), std::move(text)}));
}

}  // namespace ambit::ptx
