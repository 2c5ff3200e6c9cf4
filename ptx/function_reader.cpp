#include "ptx/function_reader.h"

#include <fmt/format.h>

#include "ptx/body_reader.h"
#include "ptx/variable_reader.h"

namespace ambit::ptx {
namespace {

/// Reads the numbers of a directive such as `.maxntid 128, 1, 1`. Missing numbers are 1.
Dimensions read_dimensions(TokenStream& tokens) {
  Dimensions result = {1, 1, 1};
  for (std::uint32_t& size : result) {
    const SourceSpan place = tokens.peek().place;
    const std::uint64_t value = tokens.expect_integer("a number");
    if (value > 0xffffffff) tokens.fail(place, "this number does not fit 32 bits");
    size = static_cast<std::uint32_t>(value);
    if (!tokens.accept(',')) break;
  }
  return result;
}

class FunctionReader {
 public:
  FunctionReader(ReaderState& state, Linkage linkage) : state_(state), tokens_(state.tokens) {
    function_.linkage = linkage;
    function_.file = state.module.file;
  }

  void read(std::uint32_t begin) {
    function_.is_entry = tokens_.take().is(".entry");
    state_.locations.forget_current();
    if (tokens_.accept(".attribute")) skip_parentheses();
    BodyReader body(state_, function_);
    if (tokens_.peek().is('(')) read_parameters(body, function_.returns);
    const Token name = tokens_.expect_word("the name of a function");
    function_.name = name.text;
    function_.place = name.place;
    if (tokens_.peek().is('(')) read_parameters(body, function_.parameters);
    read_directives();
    const std::uint32_t number = declare(name);
    set_owner(number);
    if (tokens_.peek().is('{')) {
      function_.has_body = true;
      body.read(number);
    } else {
      tokens_.expect(';', "'{' or ';'");
    }
    function_.text = {begin, tokens_.last_end() - begin};
    Function& known = state_.module.functions[number];
    if (function_.has_body || !known.has_body) known = std::move(function_);
  }

 private:
  void skip_parentheses() {
    tokens_.expect('(', "'('");
    for (std::size_t depth = 1; depth > 0;) {
      if (tokens_.peek().kind == Token::Kind::End) tokens_.fail_expected("')'");
      const Token token = tokens_.take();
      if (token.is('(')) ++depth;
      if (token.is(')')) --depth;
    }
  }

  void read_parameters(BodyReader& body, std::vector<Parameter>& parameters) {
    tokens_.expect('(', "'('");
    if (tokens_.accept(')')) return;
    do {
      const SourceSpan place = tokens_.peek().place;
      const VariablePrefix prefix = read_variable_prefix(state_);
      const Token name = tokens_.peek();
      Parameter parameter;
      parameter.is_register = prefix.is_register;
      if (prefix.is_register) {
        parameter.index = body.read_register(prefix);
      } else if (prefix.space != Space::Param) {
        tokens_.fail(place, "expected a parameter in .param or .reg");
      } else {
        parameter.index = read_variable_name(state_, prefix, kNone);
      }
      body.declare_parameter(name.text, parameter, name.place);
      parameters.push_back(parameter);
    } while (tokens_.accept(','));
    tokens_.expect(')', "',' or ')' behind a parameter");
  }

  void read_directives() {
    while (tokens_.peek().is_directive()) {
      const Token directive = tokens_.take();
      if (directive.is(".maxntid")) {
        function_.maximum_threads = read_dimensions(tokens_);
      } else if (directive.is(".reqntid")) {
        function_.required_threads = read_dimensions(tokens_);
      } else if (directive.is(".reqnctapercluster")) {
        function_.required_cluster = read_dimensions(tokens_);
      } else if (directive.is(".minnctapersm")) {
        function_.minimum_blocks = read_dimensions(tokens_)[0];
      } else if (directive.is(".noreturn")) {
        function_.is_noreturn = true;
      } else {
        skip_values();
        if (directive.is(".pragma")) tokens_.expect(';', "';' behind .pragma");
      }
    }
  }

  /// Skips the values of a directive that Ambit ignores.
  void skip_values() {
    while (tokens_.peek().kind == Token::Kind::Integer || tokens_.peek().kind == Token::Kind::String ||
           tokens_.peek().is(',')) {
      tokens_.take();
    }
  }

  /// Declares the function and returns its index. A function that is declared again keeps its index.
  std::uint32_t declare(const Token& name) {
    const auto next = static_cast<std::uint32_t>(state_.module.functions.size());
    const auto [entry, is_new] = state_.symbols.emplace(name.text, Symbol{Symbol::Kind::Function, next});
    const Symbol known = entry->second;
    if (!is_new && known.kind != Symbol::Kind::Function) {
      tokens_.fail(name.place, fmt::format("'{}' is already the name of a variable", name.text));
    }
    if (!is_new && state_.module.functions[known.index].has_body && tokens_.peek().is('{')) {
      tokens_.fail(name.place, fmt::format("function '{}' is defined twice", name.text),
                   fmt::format("the first definition is in line {}", state_.module.functions[known.index].place.line));
    }
    if (is_new) {
      // The function must be declared before its body is read, because the body may call the function.
      Function declaration;
      declaration.name = function_.name;
      declaration.is_entry = function_.is_entry;
      declaration.linkage = function_.linkage;
      declaration.place = function_.place;
      declaration.file = function_.file;
      state_.module.functions.push_back(std::move(declaration));
    }
    return known.index;
  }

  void set_owner(std::uint32_t number) {
    for (const auto* list : {&function_.returns, &function_.parameters}) {
      for (const Parameter& parameter : *list) {
        if (!parameter.is_register) state_.module.variables[parameter.index].function = number;
      }
    }
  }

  ReaderState& state_;
  TokenStream& tokens_;
  Function function_;
};

}  // namespace

void read_function(ReaderState& state, Linkage linkage, std::uint32_t begin) {
  FunctionReader(state, linkage).read(begin);
}

}  // namespace ambit::ptx
