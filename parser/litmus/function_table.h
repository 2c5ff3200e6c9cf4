#pragma once

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

using NameSet = std::set<std::string_view>;

/// The functions of a test, and the variables that a piece of code may assign. Variables are told apart by name only:
/// an assignment counts for every variable of that name.
class FunctionTable {
 public:
  /// An element of an array, or a field of the struct whose member function is called.
  static constexpr std::string_view kElement = "[]";

  FunctionTable(const std::vector<FunctionNode>& functions, Reporter& reporter);

  const FunctionNode* find(std::string_view name) const;
  std::vector<std::string_view> names(bool kernels) const;

  /// Names that `node` or a part of it assigns, passes by reference or takes the address of; kElement stands for what
  /// has no name. The table keeps the answer.
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
