#pragma once

#include <antlr4-runtime.h>

#include <set>

#include "parser/text/reporter.h"

namespace ambit::parser {

/// The parts of a parse tree that have syntax errors. The reader omits the damaged parts and reads the rest, so that
/// one run also reports errors in the rest.
class Damage {
 public:
  /// Creates an object for a tree without syntax errors.
  Damage() = default;
  explicit Damage(antlr4::tree::ParseTree& root) { mark(root); }

  bool any() const { return !damaged_.empty(); }
  /// Returns whether a token of `node` is missing, superfluous or wrong. A bracket or semicolon that ANTLR inserted is
  /// not damage, because the tree is complete with the inserted token.
  bool in(const antlr4::tree::ParseTree& node) const { return damaged_.contains(&node); }
  /// Returns whether every syntax error in `node` is inside a statement or block of `node`.
  bool only_in_statements(const antlr4::ParserRuleContext& node) const;

 private:
  bool mark(antlr4::tree::ParseTree& node);

  std::set<const antlr4::tree::ParseTree*> damaged_;
};

/// Taints the names that a skipped part of a statement may have defined, as in `int r0 = ...` or `r0 = ...`.
void taint_definitions(antlr4::tree::ParseTree& skipped, Reporter& reporter);
/// Taints all names of a skipped declaration or launch.
void taint_names(antlr4::tree::ParseTree& skipped, Reporter& reporter);

}  // namespace ambit::parser
