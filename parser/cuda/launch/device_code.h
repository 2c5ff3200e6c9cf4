#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parser/cuda/launch/kernel_stubs.h"
#include "parser/cuda/syntax/token.h"
#include "parser/cuda/syntax/unit.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// A piece of text for the parser of the litmus language.
struct Piece {
  std::string text;
  SourceSpan span;
  enum class Kind : std::uint8_t {
    Plain,
    Name,      ///< a name with any characters, for example `f<int, 4>` for an instance
    TypeName,  ///< the name of a struct
  } kind = Kind::Plain;
  bool spaced = true;
};
using Pieces = std::vector<Piece>;

/// Hint for errors about C++ that nvcc supports but Ambit's own reader does not.
inline constexpr std::string_view kCompilerHint = "--compiled reads the file through nvcc";

constexpr int kMaxAliasDepth = 50;  // maximum nesting depth of aliases and templates

/// Returns a number token that has the place of the token `use`.
Token number_token(std::int64_t value, const Token& use);

/// Rewrites the declarations that a launch needs, directly or indirectly, into the litmus language. Resolves aliases
/// and namespaces, instantiates templates, turns enumerators into constants, and drops attributes. Ignores unneeded
/// declarations.
class DeviceCode {
 public:
  DeviceCode(const Unit& unit, Reporter& reporter, const KernelStubs* stubs = nullptr)
      : unit_(unit), reporter_(reporter), stubs_(stubs) {}

  /// Rewrites a launch, a condition or other tokens outside of declarations, and records the names in these tokens.
  Pieces rewrite(const Tokens& tokens) { return rewrite(tokens, {}, {}); }
  /// Like rewrite(), but does not resolve names. copy() is for names that are not code, such as names of models and
  /// suites.
  static Pieces copy(const Tokens& tokens);
  /// Returns the value of a constant expression of the file. Error: the expression is not constant.
  std::optional<std::int64_t> constant(const Tokens& tokens, std::string_view what);
  /// Like constant(), but computes with C++'s types and reports no errors.
  std::optional<std::int64_t> known_constant(const Tokens& tokens);
  /// Returns whether the name occurs in the code that has been rewritten so far.
  bool mentions(const std::string& name) const { return mentioned_.contains(name); }
  /// Returns the declaration of parameter number `index` of a kernel. Template parameters are replaced by their
  /// arguments. Returns nothing if the kernel has fewer parameters.
  std::optional<Pieces> kernel_parameter(const std::string& kernel, std::size_t index);

  /// Returns all recorded declarations and, directly or indirectly, the declarations that these declarations need, in
  /// the order of the file.
  Pieces finish();

 private:
  using Substitution = std::map<std::string, Tokens>;
  struct Needed {
    std::size_t declaration = 0;
    std::string name;  ///< name with template arguments
    Substitution arguments;
  };
  struct StructNote {
    std::string name;
    Substitution arguments;
    std::unique_ptr<Tokens> body;
    std::unique_ptr<Unit> members;
    std::size_t declaration = 0;
    std::set<std::size_t> emitted;  ///< the members that have been emitted
  };
  struct Context {
    const Substitution* arguments = nullptr;
    std::string structure;  ///< the struct whose members are being rewritten
    int depth = 0;
    const Substitution* locals = nullptr;  ///< constants of the function, which template arguments may use
    std::string space = {};                ///< the namespace of the code
  };

  Pieces rewrite(const Tokens& tokens, const Substitution& arguments, const std::string& structure);
  void rewrite(const Tokens& tokens, const Context& context, Pieces& pieces);
  std::size_t name(const Tokens& tokens, std::size_t at, const Context& context, Pieces& pieces);
  std::size_t cluster_size(const Tokens& tokens, std::size_t at, const Context& context, Pieces& pieces);
  std::string resolve(const Tokens& tokens, std::size_t& at, const Context& context) const;
  void alias(const Declaration& declaration, const std::string& name, SourceSpan span, const Context& context,
             Pieces& pieces);
  std::size_t instance(const Tokens& tokens, std::size_t at, const std::string& name, const Declaration& declaration,
                       const Context& context, Pieces& pieces);
  std::optional<Substitution> bind(const Declaration& declaration, const std::vector<Tokens>& arguments,
                                   const Token& use, const Context& context, std::string& suffix);
  Tokens put_in(const Tokens& tokens, const Context& context) const;
  std::optional<std::int64_t> value_of_name(const Token& token, int depth);
  bool is_floating_constant(const Declaration& declaration);
  bool has_variable_named(std::string_view name) const;
  std::optional<std::size_t> template_use(const Tokens& tokens, std::size_t past, const std::string& name,
                                          const Context& context, Pieces& pieces);
  std::size_t deduced_use(const Token& use, std::size_t past, const std::string& name,
                          const std::vector<const Declaration*>& templates, const Context& context, Pieces& pieces);
  bool need(const std::string& name, const std::string& base, const Substitution& arguments,
            const Declaration* only = nullptr);
  void need_others(const std::string& name);
  void emit(const Needed& needed, Pieces& pieces);
  void emit_struct(const Needed& needed, const Declaration& declaration, Pieces& pieces);
  void emit_constant(const Declaration& declaration, Pieces& pieces);
  void emit_function(const Declaration& declaration, const std::string& name, const Substitution& arguments,
                     const std::string& structure, Pieces& pieces);
  void check_tensor_maps(const Tokens& parameters, const Context& context);
  bool emit_members(std::map<std::size_t, Pieces>& by_place);
  void add_member_names(const Unit& members, Substitution& names);
  Tokens typed_constant(std::int64_t value, const Declaration& member, const Token& place,
                        const Context& context) const;
  std::optional<Tokens> member_of_struct(const std::string& name, SourceSpan span);
  Tokens without_local_names(const Tokens& body, const Context& outer, Substitution& names, Substitution& locals);
  std::size_t constant_branch(const Tokens& tokens, std::size_t at, const Context& context, Pieces& pieces);
  std::optional<std::int64_t> silent_constant(const Tokens& tokens);
  void rewrite(const Tokens& tokens, Pieces& pieces);

  const Unit& unit_;
  Reporter& reporter_;
  const KernelStubs* stubs_;
  std::deque<Needed> needed_;  // A deque, because references to elements must stay valid while elements are added.
  std::set<std::string> noted_;
  std::set<const Declaration*> types_in_question_;  ///< declarations that is_floating_constant() is checking
  std::set<std::string> mentioned_;                 ///< all names in the code read so far
  std::deque<StructNote> structs_;
  std::size_t aliases_used_ = 0;
  std::vector<const Declaration*> open_aliases_;  ///< aliases that are being rewritten
};

}  // namespace ambit::parser::cuda
