#include <utility>

#include "parser/text/tokens.h"
#include "parser/text/tree_builder.h"

namespace ambit::parser {

StatementNode TreeReader::read_block(LitmusParser::BlockContext& context) {
  StatementNode node;
  node.kind = StatementKind::Block;
  node.span = span_of(*context.start);
  for (antlr4::tree::ParseTree* child : context.children) {
    const bool is_damaged = damage_.in(*child);
    if (auto* statement = dynamic_cast<LitmusParser::StatementContext*>(child)) {
      node.children.push_back(read_statement(*statement));
    } else if (is_damaged) {
      taint_definitions(*child, reporter_);
    }
  }
  return node;
}

StatementNode TreeReader::read_for_init(LitmusParser::ForInitContext* context) {
  StatementNode node;
  if (context == nullptr) return node;
  node.span = span(*context);
  if (context->declaration() != nullptr) {
    node.kind = StatementKind::Declaration;
    node.declaration = read_declaration(*context->declaration());
  } else {
    node.kind = StatementKind::Expression;
    node.expressions = read_exprs(context->expr());
  }
  return node;
}

void TreeReader::read_for(LitmusParser::StatementContext& context, StatementNode& node) {
  node.kind = StatementKind::For;
  node.children.push_back(read_for_init(context.forInit()));
  int semicolons = 0;
  for (antlr4::tree::ParseTree* child : context.children) {
    if (auto* expr = dynamic_cast<LitmusParser::ExprContext*>(child)) {
      if (semicolons == 1) {
        node.condition = read_expr(*expr);
      } else {
        node.expressions.push_back(read_expr(*expr));
      }
    } else if (child->getText() == ";") {
      ++semicolons;
    }
  }
  node.children.push_back(read_statement(*context.statement(0)));
}

/// Reads switch, case and default. Case and default labels are separate statements in the block of the switch.
StatementNode TreeReader::read_switch(LitmusParser::StatementContext& context, StatementNode node) {
  const std::string_view keyword = text(*context.start);
  node.span = span_of(*context.start);
  node.kind = keyword == "switch" ? StatementKind::Switch
              : keyword == "case" ? StatementKind::Case
                                  : StatementKind::Default;
  if (!context.expr().empty()) node.condition = read_expr(*context.expr(0));
  if (context.block() != nullptr) node.children = read_block(*context.block()).children;
  return node;
}

StatementNode TreeReader::read_statement(LitmusParser::StatementContext& context) {
  StatementNode node;
  if (damage_.in(context) && !damage_.only_in_statements(context)) {
    taint_definitions(context, reporter_);
    return node;
  }
  if (context.children.size() == 1 && context.block() != nullptr) return read_block(*context.block());
  node.span = span(context);
  if (context.declaration() != nullptr) {
    node.kind = StatementKind::Declaration;
    node.declaration = read_declaration(*context.declaration());
    return node;
  }
  if (dynamic_cast<LitmusParser::ExprContext*>(context.children.front()) != nullptr) {
    node.kind = StatementKind::Expression;
    node.expressions = read_exprs(context.expr());
    return node;
  }
  if (context.binding() != nullptr) {
    node.kind = StatementKind::Binding;
    read_specifiers(context.binding()->specifier());
    for (LitmusParser::NameContext* name : context.binding()->name()) node.words.push_back(declared_name(*name));
    node.expressions.push_back(read_expr(*context.binding()->expr()));
    return node;
  }
  const std::string_view keyword = text(*context.start);
  if (keyword == "switch" || keyword == "case" || keyword == "default") return read_switch(context, std::move(node));
  if (keyword == "if") {
    node.kind = StatementKind::If;
  } else if (keyword == "while") {
    node.kind = StatementKind::While;
  } else if (keyword == "do") {
    node.kind = StatementKind::Do;
  } else if (keyword == "for") {
    read_for(context, node);
    return node;
  } else if (keyword == "break") {
    node.kind = StatementKind::Break;
  } else if (keyword == "continue") {
    node.kind = StatementKind::Continue;
  } else if (keyword == "return") {
    node.kind = StatementKind::Return;
    node.expressions = read_exprs(context.expr());
    if (context.braces() != nullptr) {
      ExprNode& list = node.expressions.emplace_back();
      list.kind = ExprKind::Braces;
      list.span = span(*context.braces());
      list.children = read_values(*context.braces());
    }
    return node;
  } else if (keyword == "atomic") {
    node.kind = StatementKind::Transaction;
    node.span = span_of(*context.start);
    if (context.name() != nullptr) node.word = word(*context.name());
    node.children.push_back(read_block(*context.block()));
  } else if (keyword == "abort") {
    node.kind = StatementKind::Abort;
  }
  if (!context.expr().empty()) node.condition = read_expr(*context.expr(0));
  for (LitmusParser::StatementContext* child : context.statement()) node.children.push_back(read_statement(*child));
  return node;
}

}  // namespace ambit::parser
