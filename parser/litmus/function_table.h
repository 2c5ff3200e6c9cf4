#pragma once

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

using NameSet = std::set<std::string_view>;

/// The functions of a test, and which variables a stretch of code may assign: by name, so that a variable shadowed by
/// another one may be thought assigned though it is not.
class FunctionTable {
 public:
  FunctionTable(const std::vector<FunctionNode>& functions, Reporter& reporter);

  const FunctionNode* find(std::string_view name) const;
  std::vector<std::string_view> names(bool kernels) const;

  /// Names that `node` or anything in it assigns, passes by reference or takes the address of. Kept for later
  /// questions.
  template <typename Node>
  const NameSet& assigned(const Node& node) {
    const auto [place, fresh] = assigned_.try_emplace(&node);
    if (fresh) collect(node, place->second);
    return place->second;
  }

 private:
  void collect(const StatementNode& node, NameSet& names) const;
  void collect(const ExprNode& node, NameSet& names) const;

  std::map<std::string_view, const FunctionNode*> by_name_;
  std::map<const void*, NameSet> assigned_;
};

}  // namespace ambit::parser::litmus
