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

/// The functions of a test, and the variables that a piece of code may assign. Variables are identified only by name:
/// an assignment counts for every variable with that name.
class FunctionTable {
 public:
  /// Stands for an element of an array, or for a field of the struct whose member function is called.
  static constexpr std::string_view kElement = "[]";

  FunctionTable(const std::vector<FunctionNode>& functions, Reporter& reporter);

  const FunctionNode* find(std::string_view name) const;
  /// Returns the overloads of a name.
  const std::vector<const FunctionNode*>& overloads(std::string_view name) const;
  /// Returns the function with its template and `auto` parameters replaced by types. An `auto` parameter is a template
  /// parameter with the name of the parameter. The table owns the function.
  const FunctionNode& instance(const FunctionNode& function, const TypesByName& types);
  std::vector<std::string_view> names(bool kernels) const;

  /// Returns the names that `node` assigns, passes by reference or takes the address of. kElement represents targets
  /// without a name. The table caches the result.
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

/// Returns whether calls determine types of the function: it has template parameters or `auto` parameters.
bool has_variable_types(const FunctionNode& function);
/// Returns `type` with its template parameters replaced.
Type substituted(const Type& type, const TypesByName& types);

}  // namespace ambit::parser::litmus
