#include "parser/text/damage.h"

#include <algorithm>
#include <string>
#include <vector>

#include "grammar/LitmusParser.h"

namespace ambit::parser {
namespace {

using antlr4::tree::ParseTree;
using antlr4::tree::TerminalNode;

bool is_supplied_sign(const antlr4::Token& token) {
  static const std::set<std::string> kSigns = {"';'", "')'", "']'", "'}'", "','", "':'", "'('", "'{'"};
  return token.getTokenIndex() == INVALID_INDEX &&
         kSigns.contains("'" + token.getText().substr(token.getText().find('\'') + 1, 1) + "'");
}

void collect(ParseTree& node, std::vector<const antlr4::Token*>& tokens) {
  if (auto* leaf = dynamic_cast<TerminalNode*>(&node)) {
    if (leaf->getSymbol()->getTokenIndex() != INVALID_INDEX) tokens.push_back(leaf->getSymbol());
    return;
  }
  for (ParseTree* child : node.children) collect(*child, tokens);
}

bool names_type(const antlr4::Token& token) {
  return token.getType() == LitmusParser::TYPE || token.getType() == LitmusParser::TYPE_NAME ||
         token.getText() == "*" || token.getText() == "&";
}

}  // namespace

bool Damage::mark(ParseTree& node) {
  if (auto* error = dynamic_cast<antlr4::tree::ErrorNode*>(&node)) {
    if (is_supplied_sign(*error->getSymbol())) return false;
    damaged_.insert(&node);
    return true;
  }
  const auto* rule = dynamic_cast<const antlr4::ParserRuleContext*>(&node);
  bool damaged = rule != nullptr && rule->exception != nullptr;
  for (ParseTree* child : node.children) damaged = mark(*child) || damaged;
  if (damaged) damaged_.insert(&node);
  return damaged;
}

bool Damage::only_in_statements(const antlr4::ParserRuleContext& node) const {
  if (node.exception != nullptr) return false;
  return std::all_of(node.children.begin(), node.children.end(), [&](ParseTree* child) {
    const bool is_damaged = in(*child);
    const auto* rule = dynamic_cast<const antlr4::ParserRuleContext*>(child);
    const bool is_code = rule != nullptr && (rule->getRuleIndex() == LitmusParser::RuleStatement ||
                                             rule->getRuleIndex() == LitmusParser::RuleBlock ||
                                             rule->getRuleIndex() == LitmusParser::RuleFunction);
    if (rule != nullptr && rule->getRuleIndex() == LitmusParser::RuleFunction) return only_in_statements(*rule);
    return is_code || !is_damaged;
  });
}

void taint_definitions(ParseTree& skipped, Reporter& reporter) {
  std::vector<const antlr4::Token*> tokens;
  collect(skipped, tokens);
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string text = tokens[i]->getText();
    if (text == "(" || text == "[") ++depth;
    if (text == ")" || text == "]") --depth;
    if (tokens[i]->getType() != LitmusParser::ID) continue;
    const bool is_assigned = i + 1 < tokens.size() && tokens[i + 1]->getText() == "=";
    const bool is_declared = i > 0 && (names_type(*tokens[i - 1]) || (depth == 0 && tokens[i - 1]->getText() == ","));
    if (is_assigned || is_declared) reporter.taint(text);
  }
}

void taint_names(ParseTree& skipped, Reporter& reporter) {
  std::vector<const antlr4::Token*> tokens;
  collect(skipped, tokens);
  for (const antlr4::Token* token : tokens) {
    if (token->getType() == LitmusParser::ID) reporter.taint(token->getText());
  }
}

}  // namespace ambit::parser
