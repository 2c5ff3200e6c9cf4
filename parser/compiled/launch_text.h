#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "parser/compiled/flat_code.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"
#include "parser/text/token_origins.h"

namespace ambit::parser::compiled {

/// A generated text. Each word of the text has a place in the PTX or in an option, for error messages.
struct PlacedText {
  std::string text;
  std::vector<TokenOrigin> origins;

  /// Adds a text whose words all get the place `place`.
  void add(std::string_view part, const SourceSpan& place);
  /// Adds a copy of the text at `place`. Each word gets its own place.
  void add_copy(std::string_view part, const SourceSpan& place);
  /// Adds a name as one word. The name may contain any characters, for example `sum<int, 4>`.
  void add_name(std::string_view name, const SourceSpan& place);
};

/// The launch of a module's kernel as the user wrote it: `k<<<2, 32>>>(data[4])` or `launch k<<<2, 32>>>(data[4]);`.
struct WrittenLaunch {
  std::string text;
  SourceSpan place;  ///< place of the first character, in a comment of the PTX or in the option --launch

  /// Returns the name of the kernel without blanks.
  std::string kernel() const;
  /// Returns the place of the kernel's name.
  SourceSpan kernel_place() const;
  /// Adds the launch to a text of the litmus language. `kernel` is the name of the kernel in this text.
  void add_to(PlacedText& made, std::string_view kernel) const;
};

/// A launch in abstract syntax.
struct ParsedLaunch {
  std::shared_ptr<const SourceFile> text;  ///< text of the launch; the words of `file` point into this text
  FileNode file;                           ///< contains at least one launch

  const LaunchNode& node() const { return file.launches.front(); }
};

/// Parses a launch with the grammar of the litmus language. Reports syntax errors.
std::optional<ParsedLaunch> parse_launch(const WrittenLaunch& launch, Reporter& reporter);

/// Returns the kernel that a launch names. The launch may write the mangled name, or the C++ name with or without
/// namespaces and template arguments. Reports an error if no kernel or several kernels have this name. If no kernel has
/// the name, the error has the hint `hint`, or a list of the module's kernels if `hint` is empty.
const assembly::Function* find_kernel(const assembly::Module& module, const WrittenLaunch& launch, Reporter& reporter,
                                      const std::string& hint = {});

/// Returns the C++ names of a module's kernels: "sum", "space::scale<int, 4>".
std::vector<std::string> kernel_names(const assembly::Module& module);

}  // namespace ambit::parser::compiled
