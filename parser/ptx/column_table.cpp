#include "parser/ptx/column_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/plural.h"
#include "parser/ptx/instruction_text.h"
#include "parser/ptx/scanner.h"
#include "parser/text/keywords.h"

namespace ambit::parser::ptx {
namespace {

constexpr std::string_view kTailWords[] = {"exists", "forall", "filter", "locations",
                                           "expect", "label",  "detect", "not"};

class TableReader {
 public:
  TableReader(const SourceFile& source, std::size_t begin, Reporter& reporter)
      : scanner_(source, begin, reporter), reporter_(reporter), instructions_(scanner_, reporter, false) {}

  TestNode read() {
    if (scanner_.current().is("{")) {
      if (!read_init()) return std::move(test_);
    } else {
      scanner_.report_expected("'{' before the initial values");
    }
    if (at_tail()) {
      scanner_.report_expected("the row of threads", "for example: P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;");
    } else if (!read_threads()) {
      return std::move(test_);
    }
    while (!at_tail()) {
      if (reporter_.count() > kMaxDiagnostics || !read_row()) return std::move(test_);
    }
    test_.end = scanner_.offset();
    return std::move(test_);
  }

 private:
  bool at_tail() const {
    const Token& token = scanner_.current();
    return token.kind == Token::Kind::End || token.is("~") ||
           (token.kind == Token::Kind::Word &&
            std::find(std::begin(kTailWords), std::end(kTailWords), token.text) != std::end(kTailWords));
  }

  // ---- init ----

  bool read_init() {
    scanner_.advance();
    while (!scanner_.current().is("}")) {
      const Token& token = scanner_.current();
      const bool is_thread =
          token.kind == Token::Kind::Word && is_thread_name(token.text) && scanner_.next_character() == '@';
      if (token.kind == Token::Kind::End || is_thread) {
        scanner_.report_expected("'}' after the initial values");
        return false;
      }
      if (scanner_.current().is(";")) {
        scanner_.advance();
        continue;
      }
      const std::size_t errors = reporter_.count();
      const std::size_t begin = scanner_.offset();
      read_declaration();
      if (reporter_.count() > kMaxDiagnostics) return false;
      if (reporter_.count() > errors) {
        scanner_.skip_to(";}");
        scanner_.taint_since(begin);
      } else if (!scanner_.current().is(";") && !scanner_.current().is("}")) {
        scanner_.report_expected("';' or '}'");
        scanner_.skip_to(";}");
      }
    }
    scanner_.advance();
    return true;
  }

  /// Reads a declaration. Omits the declaration after an error.
  void read_declaration() {
    const std::size_t errors = reporter_.count();
    DeclarationNode node;
    if (scanner_.current().kind == Token::Kind::Word && scanner_.current().text.front() == '.') {
      const Token type = scanner_.current();
      const Word word{type.text.substr(1), {type.span.line, type.span.column + 1, type.span.length - 1}};
      node.is_shared = word.text == "shared";
      if (!node.is_shared) node.type = word;
      scanner_.advance();
      if (node.is_shared && scanner_.current().kind == Token::Kind::Word && scanner_.current().text.front() == '.') {
        const Token size = scanner_.current();
        node.type = Word{size.text.substr(1), {size.span.line, size.span.column + 1, size.span.length - 1}};
        scanner_.advance();
      }
    }
    const bool bracketed = scanner_.current().is("[");
    if (bracketed) scanner_.advance();
    const Token first = scanner_.current();
    if (first.kind != Token::Kind::Word && first.kind != Token::Kind::Number) {
      return scanner_.report_expected("x=1, P0:r1=2 or t @ texture aliases x");
    }
    node.name = first.word();
    scanner_.advance();
    if (bracketed && !scanner_.expect("]")) return;
    if (!bracketed && scanner_.current().is(":")) {
      if (!read_register_name(node)) return;
    } else if (first.kind == Token::Kind::Number || first.text.find_first_of(".:") != std::string_view::npos) {
      return reporter_.error(first.span, fmt::format("'{}' is not the name of a location", first.text));
    } else if (is_register_name(first.text)) {
      return reporter_.error(first.span, fmt::format("the register '{}' belongs to a thread", first.text),
                             fmt::format("write P0:{}", first.text));
    }
    if (!read_length(node)) return;
    if (!scanner_.current().is("@")) {
      read_value(node);
    } else if (scanner_.advance(); scanner_.current().is_word("cta")) {
      read_home(node);
    } else {
      read_alias(node);
    }
    if (reporter_.count() == errors && !node.name.text.empty()) test_.declarations.push_back(std::move(node));
  }

  bool read_register_name(DeclarationNode& node) {
    node.kind = DeclarationNode::Kind::Register;
    node.thread = node.name;
    scanner_.advance();
    const Token name = scanner_.current();
    if (name.kind != Token::Kind::Word || !is_register_name(name.text)) {
      scanner_.report_expected("a register, r0 or r1 ...");
      return false;
    }
    node.name = name.word();
    scanner_.advance();
    return true;
  }

  bool read_length(DeclarationNode& node) {
    if (node.kind != DeclarationNode::Kind::Memory || !scanner_.current().is("[")) return true;
    scanner_.advance();
    const std::optional<OperandNode> length = instructions_.integer();
    if (!length || !scanner_.expect("]")) return false;
    node.length = length->value;
    return true;
  }

  /// Reads the block in a declaration `s @ cta 1`, which declares shared memory of one block.
  void read_home(DeclarationNode& node) {
    if (node.kind == DeclarationNode::Kind::Register || node.is_shared) {
      return reporter_.error(node.name.span, "only a location without .shared can have a cta");
    }
    scanner_.advance();
    const std::optional<OperandNode> block = instructions_.integer();
    if (!block) return;
    constexpr Value kMostBlocks = 65535;
    if (block->value < 0 || block->value > kMostBlocks) {
      return reporter_.error(block->span, fmt::format("expected the number of a cta, found {}", block->value));
    }
    node.block = block->value;
    read_value(node);
  }

  void read_alias(DeclarationNode& node) {
    if (node.kind == DeclarationNode::Kind::Register) {
      return reporter_.error(node.name.span, "a register cannot be an alias");
    }
    node.kind = DeclarationNode::Kind::Alias;
    if (scanner_.current().kind != Token::Kind::Word) {
      return scanner_.report_expected("a proxy: generic, constant, texture or surface");
    }
    node.proxy = scanner_.current().word();
    scanner_.advance();
    if (!scanner_.current().is_word("aliases")) {
      return scanner_.report_expected("'aliases'",
                                      fmt::format("write {} @ {} aliases LOCATION", node.name.text, node.proxy.text));
    }
    scanner_.advance();
    if (scanner_.current().kind != Token::Kind::Word) return scanner_.report_expected("a location");
    node.target = scanner_.current().word();
    scanner_.advance();
    node.is_virtual = node.proxy.text != "generic";
  }

  void read_value(DeclarationNode& node) {
    if (!scanner_.current().is("=")) return;
    scanner_.advance();
    if (scanner_.current().is_word("mbarrier")) return read_mbarrier(node);
    if (scanner_.current().is_word("tensormap")) return read_tensor(node);
    const bool braces = scanner_.current().is("{");
    if (braces && !node.length) {
      scanner_.report_expected("one initial value", fmt::format("give an array its length: {}[2]", node.name.text));
    }
    if (braces) scanner_.advance();
    for (;;) {
      std::optional<OperandNode> value = instructions_.operand();
      if (!value) {
        if (braces) scanner_.skip_to("};");
        if (braces && scanner_.current().is("}")) scanner_.advance();
        return;
      }
      node.values.push_back(*value);
      if (!braces || !scanner_.current().is(",")) break;
      scanner_.advance();
    }
    if (braces) scanner_.expect("}");
  }

  /// Reads a tensor map `t = tensormap(g, {4,4}, {2,2})`: the array, the sizes of the tensor, and the sizes of the box.
  void read_tensor(DeclarationNode& node) {
    if (node.kind != DeclarationNode::Kind::Memory || node.length || node.type || node.block || node.is_shared) {
      return reporter_.error(node.name.span, "a tensor map has no type, length or place",
                             "write t = tensormap(g, {4,4}, {2,2})");
    }
    node.kind = DeclarationNode::Kind::Tensor;
    scanner_.advance();
    if (!scanner_.expect("(")) return;
    if (scanner_.current().kind != Token::Kind::Word) return scanner_.report_expected("the name of an array");
    node.target = scanner_.current().word();
    scanner_.advance();
    for (std::vector<Value>* sizes : {&node.sizes, &node.box}) {
      if (!scanner_.expect(",")) return;
      std::optional<std::vector<Value>> numbers = instructions_.numbers();
      if (!numbers) return;
      *sizes = *std::move(numbers);
    }
    scanner_.expect(")");
  }

  void read_mbarrier(DeclarationNode& node) {
    if (node.kind != DeclarationNode::Kind::Memory || node.length) {
      return reporter_.error(node.name.span, "an mbarrier cannot be an array", "write b = mbarrier(2)");
    }
    node.kind = DeclarationNode::Kind::Mbarrier;
    scanner_.advance();
    if (!scanner_.expect("(")) return;
    std::optional<OperandNode> count = instructions_.integer();
    if (!count || !scanner_.expect(")")) return;
    node.values.push_back(*count);
  }

  // ---- rows ----

  bool read_threads() {
    for (;;) {
      ThreadNode thread;
      const Token name = scanner_.current();
      if (name.kind != Token::Kind::Word || !is_thread_name(name.text)) {
        scanner_.report_expected("a thread: P0@cta 0,gpu 0");
        return false;
      }
      thread.name = name.word();
      scanner_.advance();
      if (scanner_.current().is("@") && !read_place(thread)) return false;
      test_.threads.push_back(std::move(thread));
      if (scanner_.current().is(";")) break;
      if (!scanner_.current().is("|")) {
        scanner_.report_expected("'|' before the next thread, or ';'");
        return false;
      }
      scanner_.advance();
    }
    scanner_.advance();
    return true;
  }

  static bool is_thread_name(std::string_view name) {
    return name.size() > 1 && name.front() == 'P' &&
           std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
  }

  bool read_place(ThreadNode& thread) {
    do {
      scanner_.advance();
      const Token level = scanner_.current();
      if (level.kind != Token::Kind::Word) {
        scanner_.report_expected("a place: cta 0, gpu 0, cluster 0, warp 0 or lane 0");
        return false;
      }
      scanner_.advance();
      const Token number = scanner_.current();
      if (number.kind != Token::Kind::Number) {
        scanner_.report_expected(fmt::format("the number of the {}", level.text));
        return false;
      }
      thread.place.push_back({level.word(), static_cast<std::uint64_t>(number.value), number.span});
      scanner_.advance();
    } while (scanner_.current().is(","));
    return true;
  }

  /// Reads one row. If the text is not a row, reports an error and returns false.
  bool read_row() {
    const Token first = scanner_.current();
    if (first.kind == Token::Kind::Word && scanner_.next_character() == '(') {
      reporter_.error(first.span, fmt::format("unexpected '{}'", first.text.substr(0, 40)),
                      did_you_mean(first.text, {std::begin(kTailWords), std::end(kTailWords)}));
      return false;
    }
    const SourceSpan begin = scanner_.current().span;
    const std::size_t begin_offset = scanner_.offset();
    std::size_t column = 0;
    bool good = true;
    for (;; ++column) {
      good = read_cell(column) && good;
      if (!scanner_.current().is("|")) break;
      scanner_.advance();
    }
    if (!scanner_.current().is(";")) {
      if (good) scanner_.report_expected("'|' or ';'");
      scanner_.skip_to(";");
      scanner_.taint_since(begin_offset);
      good = false;
    }
    if (scanner_.current().is(";")) scanner_.advance();
    const std::size_t cells = column + 1;
    if (!good || cells == test_.threads.size()) return true;
    reporter_.error(begin,
                    fmt::format("this row has {}, but the test has {}", plural(cells, "cell"),
                                plural(test_.threads.size(), "thread")),
                    cells < test_.threads.size() ? "write an empty cell where a thread does nothing: | |" : "");
    return true;
  }

  /// Reads one cell. After an error, returns false and leaves the scanner at the end of the cell.
  bool read_cell(std::size_t column) {
    const auto at_end = [&] {
      const Token& token = scanner_.current();
      return token.is("|") || token.is(";") || token.kind == Token::Kind::End;
    };
    const std::size_t begin = scanner_.offset();
    std::vector<StatementNode> unused;
    std::vector<StatementNode>& code = column < test_.threads.size() ? test_.threads[column].code : unused;
    while (!at_end()) {
      std::optional<InstructionNode> instruction = instructions_.read();
      if (!instruction) return skip_cell(begin);
      if (scanner_.current().is(":") && instruction->opcode.size() == 1 && instruction->operands.empty() &&
          !instruction->guard) {
        code.emplace_back(LabelNode{instruction->opcode.front()});
        scanner_.advance();
        continue;
      }
      code.emplace_back(*std::move(instruction));
      if (at_end()) break;
      scanner_.report_expected("',', '|' or ';'");
      return skip_cell(begin);
    }
    return true;
  }

  bool skip_cell(std::size_t begin) {
    scanner_.skip_to("|;");
    scanner_.taint_since(begin);
    return false;
  }

  Scanner scanner_;
  Reporter& reporter_;
  InstructionReader instructions_;
  TestNode test_;
};

}  // namespace

TestNode read_table(const SourceFile& source, std::size_t begin, Reporter& reporter) {
  return TableReader(source, begin, reporter).read();
}

}  // namespace ambit::parser::ptx
