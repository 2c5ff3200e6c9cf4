#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parser/cuda/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// One declaration of a translation unit, outside functions and namespaces.
struct Declaration {
  static constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);
  enum class Kind : std::uint8_t {
    Device,    ///< a function or variable of device code; constexpr functions too
    Constant,  ///< a variable of the host; device code may name it where it is a constant
    Struct,
    Enumerator,
    Alias,  ///< using T = ..., typedef
    Host,   ///< a function of the host
  } kind = Kind::Host;
  struct Parameter {
    std::string name;
    bool is_type = false;
    Tokens fallback;  ///< the default argument, if any
  };
  std::string name;
  Tokens tokens;  ///< Struct: between the braces; Enumerator: its value; Alias: the type
  SourceSpan span;
  bool is_template = false;
  bool is_kernel = false;
  bool is_function = false;
  bool is_definition = false;    ///< of a function: it has a body
  std::size_t group = kNoGroup;  ///< equal for the names that one declaration declares
  std::size_t name_index = 0;    ///< of its name among the tokens
  std::vector<Parameter> parameters;
};

/// A translation unit taken apart at its outermost level. Namespaces of the file are dissolved: what they hold is known
/// by its own name.
class Unit {
 public:
  /// Errors: brackets without a partner; too many names in one declaration.
  Unit(const Tokens& code, Reporter& reporter);

  const std::vector<Declaration>& declarations() const { return declarations_; }
  /// Indices of the declarations of a name; several where a function is declared and defined.
  std::vector<std::size_t> find(std::string_view name) const;
  bool has_namespace(const std::string& name) const { return namespaces_.contains(name); }
  /// `namespace cg = cooperative_groups;`
  const std::string* namespace_alias(const std::string& name) const;
  /// What `using` makes of a name: atomic -> cuda::atomic after `using namespace cuda` or `using cuda::atomic`.
  std::string imported(const std::string& name) const;

 private:
  void read_until(std::size_t end);
  void read_one(std::size_t end);
  void read_namespace();
  void read_using(std::size_t end);
  void read_typedef(std::size_t end);
  void read_template();
  void read_enum(std::size_t end);
  bool read_struct(std::size_t end);
  void read_declaration(std::size_t end);
  void add_enumerators(const Tokens& body, const std::string& scope, bool scoped);
  void add(Declaration declaration);
  std::size_t declaration_end(std::size_t begin, std::size_t end) const;
  std::size_t statement_end(std::size_t begin, std::size_t end) const;
  bool is_at(std::string_view text, std::size_t ahead = 0) const;

  /// Most tokens that the names which share a declaration have together: each has them all.
  static constexpr std::size_t kMaxShared = 2'000'000;

  const Tokens& tokens_;
  Reporter& reporter_;
  std::size_t shared_ = 0;
  std::vector<Declaration> declarations_;
  std::multimap<std::string, std::size_t, std::less<>> by_name_;
  std::set<std::string> namespaces_;
  std::set<std::string> opened_;  ///< using namespace
  std::map<std::string, std::string> imports_;
  std::map<std::string, std::string> aliases_;
  std::vector<Declaration::Parameter> template_parameters_;
  bool in_template_ = false;
  std::size_t at_ = 0;
};

/// The tokens behind `name_index` that give a variable its value: of `= e`, `{e}` or `(e)`; none where there is no
/// value.
Tokens initializer_of(const Tokens& tokens, std::size_t name_index);

/// Index behind what begins at `at` and says nothing about memory: __launch_bounds__(...), __align__(8), [[...]],
/// extern "C", noexcept; `at` itself when nothing of that stands there.
std::size_t skip_attribute(const Tokens& tokens, std::size_t at);

}  // namespace ambit::parser::cuda
