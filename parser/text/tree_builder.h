#pragma once

#include <string_view>
#include <vector>

#include "grammar/LitmusParser.h"
#include "parser/text/damage.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser {

/// Turns ANTLR's parse tree into abstract syntax. Omits the parts that have syntax errors. Reports errors that the
/// grammar cannot find: numbers out of range, impossible types, names with `::`.
class TreeReader {
 public:
  TreeReader(const SourceFile& source, const Damage& damage, Reporter& reporter)
      : source_(source), damage_(damage), reporter_(reporter) {}

  FileNode read(LitmusParser::ProgramContext& program);
  FileNode read(LitmusParser::TailContext& tail);
  FileNode read(LitmusParser::CommandsContext& commands);
  /// Reads a proposition. Returns a file whose only content is a condition with this proposition.
  FileNode read(LitmusParser::PropContext& proposition);

 private:
  // Items
  void read_item(antlr4::ParserRuleContext& item);
  bool skip_damaged(antlr4::ParserRuleContext& item);
  void read_observed(LitmusParser::ObservedContext& observed);
  void read_memory_block(LitmusParser::MemoryBlockContext& block);
  void read_structure(LitmusParser::StructureContext& context);
  PlaceWord read_place_word(LitmusParser::PlaceWordContext& context);
  void read_thread(LitmusParser::ThreadContext& thread);
  void read_file_declaration(LitmusParser::FileDeclarationContext& context);
  std::vector<Declarator> read_parameters(const std::vector<LitmusParser::ParameterContext*>& parameters);
  FunctionNode read_function(LitmusParser::FileDeclarationContext& context, const Storage& storage, const Type& type);
  void read_launch(LitmusParser::LaunchContext& launch);
  std::vector<LaunchArgumentNode> read_launch_arguments(LitmusParser::LaunchArgumentsContext* context);
  LaunchArgumentNode read_launch_argument(LitmusParser::LaunchArgumentContext& context);
  LaunchArgumentNode read_launch_array(LitmusParser::LaunchArgumentContext& context);
  void read_contents(LitmusParser::LaunchArgumentContext& context, Declarator& array);
  void read_tensor_map(LitmusParser::TensorMapContext& context);
  void read_condition(LitmusParser::ConditionContext& condition);
  void read_expectation(LitmusParser::ExpectationContext& context);
  void read_label(LitmusParser::SuiteLabelContext& context);
  void read_detection(LitmusParser::DetectionContext& context);
  std::string because(LitmusParser::BecauseContext* context) const;

  // Types and declarations
  struct Specifiers {
    Type type;
    Storage storage;
  };
  Specifiers read_specifiers(const std::vector<LitmusParser::SpecifierContext*>& contexts);
  void read_type_words(const std::vector<Word>& words, Type& type);
  void read_atomic_type(LitmusParser::AtomicTypeContext& context, Type& type);
  void read_barrier_type(LitmusParser::BarrierTypeContext& context, Type& type);
  std::uint32_t read_cluster_size(LitmusParser::ClusterSizeContext& context);
  void apply_pointers(const std::vector<LitmusParser::PointerContext*>& pointers, Type& type);
  void read_bounds(const std::vector<LitmusParser::ArrayBoundContext*>& bounds, Declarator& declarator);
  Declarator read_declarator(LitmusParser::DeclaratorContext& context, const Type& base);
  void read_braces(LitmusParser::BracesContext& braces, Declarator& declarator);
  ExprNode read_value(LitmusParser::BracedValueContext& context);
  std::vector<ExprNode> read_values(LitmusParser::BracesContext& braces);
  void read_struct_type(const Word& name, Type& type);
  const StructNode* add_vector_type(const Word& name);
  Declaration read_declaration(LitmusParser::DeclarationContext& context);
  Word declared_name(antlr4::ParserRuleContext& context);

  // Statements
  StatementNode read_block(LitmusParser::BlockContext& context);
  StatementNode read_switch(LitmusParser::StatementContext& context, StatementNode node);
  StatementNode read_statement(LitmusParser::StatementContext& context);
  void read_for(LitmusParser::StatementContext& context, StatementNode& node);
  StatementNode read_for_init(LitmusParser::ForInitContext* context);

  // Expressions
  ExprNode read_expr(LitmusParser::ExprContext& context);
  ExprNode read_operator(LitmusParser::ExprContext& context);
  ExprNode read_prefix(LitmusParser::ExprContext& context, ExprNode node);
  ExprNode read_cast(LitmusParser::PrimaryContext& context, ExprNode node);
  ExprNode read_primary(LitmusParser::PrimaryContext& context);
  ExprNode read_lambda(LitmusParser::LambdaContext& context);
  ExprNode read_prop(LitmusParser::PropContext& context);
  ExprNode read_prop_atom(LitmusParser::PropAtomContext& context);
  ExprNode read_location(LitmusParser::LocationContext& context);
  ExprNode read_integer(const antlr4::Token& token);
  ExprNode read_floating(const antlr4::Token& token);
  std::vector<ExprNode> read_exprs(const std::vector<LitmusParser::ExprContext*>& contexts, std::size_t first = 0);

  std::string_view text(const antlr4::Token& token) const;
  std::string_view text(const antlr4::ParserRuleContext& context) const;
  SourceSpan span(const antlr4::ParserRuleContext& context) const;
  Word word(const antlr4::Token& token) const;
  Word word(const antlr4::ParserRuleContext& context) const;

  const SourceFile& source_;
  const Damage& damage_;
  Reporter& reporter_;
  FileNode file_;
};

}  // namespace ambit::parser
