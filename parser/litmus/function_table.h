#pragma once

#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

using NameSet = std::set<std::string_view>;

/// Maps template parameters to types.
using TypesByName = std::map<std::string_view, Type>;

/// The functions of a test, and the names of the variables that a piece of code may assign. The table does not
/// distinguish variables that have the same name.
class FunctionTable {
 public:
  /// The name that represents all elements of arrays, and all fields that a member function may assign.
  static constexpr std::string_view kElement = "[]";

  FunctionTable(const std::vector<FunctionNode>& functions, Reporter& reporter);

  const FunctionNode* find(std::string_view name) const;
  /// Returns the overloads of a name.
  const std::vector<const FunctionNode*>& overloads(std::string_view name) const;
  /// Returns the function with its template and `auto` parameters replaced by types. For an `auto` parameter, `types`
  /// has the type under the parameter's name. The table owns the returned function.
  const FunctionNode& instance(const FunctionNode& function, const TypesByName& types);
  std::vector<std::string_view> names(bool kernels) const;

  /// Returns the names of variables that `node` may change: `node` assigns the variable, or passes its reference or
  /// address. The name kElement represents a target that has no name. The table caches the result.
  template <typename Node>
  const NameSet& assigned(const Node& node) {
    const auto [place, fresh] = assigned_.try_emplace(&node);
    if (fresh) collect(node, place->second);
    return place->second;
  }

 private:
  void collect(const StatementNode& node, NameSet& names) const;
  void collect(const ExprNode& node, NameSet& names) const;

  struct Instance {
    const FunctionNode* function;
    TypesByName types;
    FunctionNode made;
  };

  std::map<std::string_view, std::vector<const FunctionNode*>> by_name_;
  std::deque<Instance> instances_;  // a deque, because addresses must not change
  std::map<const void*, NameSet> assigned_;
};

/// Returns whether the function has template parameters or `auto` parameters, whose types a call determines.
bool has_variable_types(const FunctionNode& function);
/// Returns `type` with its template parameters replaced.
Type substituted(const Type& type, const TypesByName& types);

}  // namespace ambit::parser::litmus
