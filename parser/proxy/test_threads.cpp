#include "parser/proxy/test_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "parser/ptx/instruction_text.h"
#include "parser/ptx/scanner.h"
#include "parser/text/keywords.h"

namespace ambit::parser::proxy {

using ptx::DeclarationNode;
using ptx::InstructionNode;
using ptx::InstructionReader;
using ptx::Scanner;
using ptx::TestNode;
using ptx::ThreadNode;
using ptx::Token;

namespace {

constexpr std::array<std::string_view, 3> kCommands = {"assert", "permit", "check"};
/// The first words of declarations, and the proxies of the declared names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSpaces = {{{".global", "generic"},
                                                                                   {".shared", "generic"},
                                                                                   {".texref", "texture"},
                                                                                   {".surfref", "surface"},
                                                                                   {".conref", "constant"}}};

class TestReader {
 public:
  TestReader(const SourceFile& source, Reporter& reporter)
      : scanner_(source, 0, reporter), reporter_(reporter), instructions_(scanner_, reporter, true) {}

  TestNode read() {
    while (!at_command() && reporter_.count() <= kMaxDiagnostics) {
      const Token token = scanner_.current();
      if (token.kind != Token::Kind::Word) {
        scanner_.report_expected("a declaration, a thread or a command");
        scanner_.skip_to(";}");
        scanner_.advance();
      } else if (token.text.front() == '.') {
        read_declaration();
      } else {
        read_thread();
      }
    }
    test_.end = scanner_.offset();
    return std::move(test_);
  }

 private:
  bool at_command() const {
    const Token& token = scanner_.current();
    return token.kind == Token::Kind::End ||
           (token.kind == Token::Kind::Word &&
            std::find(kCommands.begin(), kCommands.end(), token.text) != kCommands.end());
  }

  bool skip_statement() {
    scanner_.skip_to(";}");
    if (scanner_.current().is(";")) scanner_.advance();
    return false;
  }

  // ---- declarations ----

  bool read_declaration() {
    DeclarationNode node;
    const Token space = scanner_.current();
    const auto* found =
        std::find_if(kSpaces.begin(), kSpaces.end(), [&](const auto& entry) { return entry.first == space.text; });
    if (found == kSpaces.end()) {
      std::vector<std::string_view> names;
      for (const auto& [name, proxy] : kSpaces) names.push_back(name);
      reporter_.error(
          space.span, fmt::format("unknown declaration '{}'", space.text),
          did_you_mean(space.text, names, "the declarations are .global, .shared, .texref, .surfref and .conref"));
      return skip_statement();
    }
    node.is_shared = space.text == ".shared";
    scanner_.advance();
    if (!read_name(node.name)) return skip_statement();
    if (scanner_.current().is_word("physically") || scanner_.current().is_word("virtually")) {
      if (!read_alias(node, found->second)) return skip_statement();
    } else if (found->second != "generic") {
      reporter_.error(node.name.span, fmt::format("'{}' has no target memory", node.name.text),
                      fmt::format("write {} {} virtually aliases x", space.text, node.name.text));
    }
    if (!scanner_.expect(";", "'physically aliases', 'virtually aliases' or ';'")) return skip_statement();
    test_.declarations.push_back(std::move(node));
    return true;
  }

  bool read_name(Word& name) {
    const Token token = scanner_.current();
    if (token.kind != Token::Kind::Word || token.text.find_first_of(".:") != std::string_view::npos) {
      scanner_.report_expected("a name");
      return false;
    }
    name = token.word();
    scanner_.advance();
    return true;
  }

  bool read_alias(DeclarationNode& node, std::string_view proxy) {
    node.kind = DeclarationNode::Kind::Alias;
    node.proxy = {proxy, node.name.span};
    node.is_virtual = scanner_.current().is_word("virtually");
    scanner_.advance();
    if (!scanner_.current().is_word("aliases")) {
      scanner_.report_expected("'aliases'");
      return false;
    }
    scanner_.advance();
    return read_name(node.target);
  }

  // ---- threads ----

  /// Reads the place of a thread, d0.b0.t0: device, block, thread. Each thread is in a separate warp.
  bool read_thread() {
    ThreadNode thread;
    const Token name = scanner_.current();
    thread.name = name.word();
    const std::vector<Word> parts = ptx::split_at_dots(name.word());
    constexpr std::array<std::pair<char, std::string_view>, 3> kLevels = {
        {{'d', "gpu"}, {'b', "cta"}, {'t', "thread"}}};
    bool good = parts.size() == kLevels.size();
    for (std::size_t i = 0; good && i < kLevels.size(); ++i) {
      std::uint64_t number = 0;
      const std::string_view text = parts[i].text;
      good = text.size() > 1 && text.front() == kLevels[i].first;
      if (!good) break;
      const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
      good = error == std::errc{} && end == text.data() + text.size();
      if (i < 2) thread.place.push_back({{kLevels[i].second, parts[i].span}, number, parts[i].span});
    }
    if (!good) {
      const std::string near = did_you_mean(name.text, {kCommands.begin(), kCommands.end()});
      reporter_.error(name.span,
                      fmt::format("expected a thread (d0.b0.t0) or a command, found '{}'", name.text.substr(0, 40)),
                      near);
      scanner_.skip_to(";}");
      scanner_.advance();
      return false;
    }
    scanner_.advance();
    if (!scanner_.expect("{")) return skip_statement();
    while (!scanner_.current().is("}")) {
      if (scanner_.current().kind == Token::Kind::End) {
        scanner_.report_expected("'}'", fmt::format("the '{{' in line {} is not closed", name.span.line));
        return false;
      }
      read_instruction(thread);
      if (reporter_.count() > kMaxDiagnostics) return false;
    }
    scanner_.advance();
    test_.threads.push_back(std::move(thread));
    return true;
  }

  bool read_instruction(ThreadNode& thread) {
    if (scanner_.current().is(";")) {
      scanner_.advance();
      return true;
    }
    const std::size_t begin = scanner_.offset();
    std::optional<InstructionNode> instruction = instructions_.read();
    if (!instruction) return skip_instruction(begin);
    thread.code.emplace_back(*std::move(instruction));
    return scanner_.expect(";", "',' or ';'") || skip_instruction(begin);
  }

  bool skip_instruction(std::size_t begin) {
    skip_statement();
    scanner_.taint_since(begin);
    return false;
  }

  Scanner scanner_;
  Reporter& reporter_;
  InstructionReader instructions_;
  TestNode test_;
};

}  // namespace

TestNode read_test_threads(const SourceFile& source, Reporter& reporter) { return TestReader(source, reporter).read(); }

}  // namespace ambit::parser::proxy
