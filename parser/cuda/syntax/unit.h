#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parser/cuda/syntax/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// One declaration of a translation unit, outside of functions and namespaces.
struct Declaration {
  static constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);
  enum class Kind : std::uint8_t {
    Device,    ///< a function or variable of device code, or a constexpr function
    Constant,  ///< a host variable; device code may use the value of a constant
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
  std::string space = {};  ///< the enclosing namespace: "a::b"
  /// For a Struct, the contents of its braces; for an Enumerator, its value; for an Alias, its type; for other kinds,
  /// the whole declaration.
  Tokens tokens;
  SourceSpan span;
  bool is_template = false;
  bool is_kernel = false;
  bool is_function = false;
  bool is_definition = false;    ///< whether the declaration is a function with a body
  std::size_t group = kNoGroup;  ///< number that all names of one declaration share
  std::size_t name_index = 0;    ///< index of the name in `tokens`
  std::vector<Parameter> parameters;
};

/// A translation unit, split into its outermost declarations. Names in the file's namespaces become unqualified names.
/// A name that several namespaces declare remains qualified.
class Unit {
 public:
  /// Precondition: the brackets of `code` match. Error: a declaration has too many names.
  Unit(const Tokens& code, Reporter& reporter);

  const std::vector<Declaration>& declarations() const { return declarations_; }
  /// Returns the indices of the declarations of a name. A function may have several declarations.
  std::vector<std::size_t> find(std::string_view name) const;
  /// Resolves the name a::f or f in the namespace `space`, if several namespaces declare f. Returns nothing if at most
  /// one namespace declares f.
  std::optional<std::string> in_namespaces(const std::string& name, const std::string& space) const;
  bool has_namespace(const std::string& name) const { return namespaces_.contains(name); }
  /// Returns whether the file has `using namespace SPACE;`.
  bool has_opened(const std::string& space) const { return opened_.contains(space); }
  /// Returns the target of `namespace NAME = ...;`; null if there is no such alias.
  const std::string* namespace_alias(const std::string& name) const;
  /// Resolves a name by the file's using-declarations: `atomic` means cuda::atomic after `using namespace cuda` or
  /// `using cuda::atomic`.
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
  void qualify_shared_names();
  std::size_t declaration_end(std::size_t begin, std::size_t end) const;
  std::size_t statement_end(std::size_t begin, std::size_t end) const;
  bool is_at(std::string_view text, std::size_t ahead = 0) const;

  /// The largest total number of tokens in declarations of several names. Each name gets a copy of the declaration's
  /// tokens.
  static constexpr std::size_t kMaxShared = 2'000'000;

  const Tokens& tokens_;
  Reporter& reporter_;
  std::size_t shared_ = 0;
  std::vector<Declaration> declarations_;
  std::multimap<std::string, std::size_t, std::less<>> by_name_;
  std::set<std::string> namespaces_;
  std::set<std::string> opened_;  ///< namespaces that `using namespace` names
  std::map<std::string, std::string> imports_;
  std::map<std::string, std::string> aliases_;
  std::vector<Declaration::Parameter> template_parameters_;
  bool in_template_ = false;
  std::string space_;                   ///< the namespace that is being read
  std::set<std::string> shared_names_;  ///< names that several namespaces declare
  std::size_t at_ = 0;
};

/// Returns the tokens of a variable's initial value: e in `= e`, `{e}` or `(e)` after the name at `name_index`. Returns
/// an empty list if the variable has no initial value.
Tokens initializer_of(const Tokens& tokens, std::size_t name_index);

/// Skips an attribute at `at` that has no effect on memory: __launch_bounds__(...), __align__(8), [[...]], extern "C",
/// noexcept. Returns the index after the attribute; `at` if the token at `at` does not begin one of these attributes.
std::size_t skip_attribute(const Tokens& tokens, std::size_t at);

}  // namespace ambit::parser::cuda
