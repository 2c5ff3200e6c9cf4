#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/source.h"
#include "parser/compiled/flat_code.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"
#include "parser/text/token_origins.h"

namespace ambit::parser::compiled {

/// A text with the places of its words in the PTX or in an option.
struct PlacedText {
  std::string text;
  std::vector<TokenOrigin> origins;

  /// Adds words, which all get this place.
  void add(std::string_view part, const SourceSpan& place);
  /// Adds a text that begins at `place`. Each word gets its own place.
  void add_copy(std::string_view part, const SourceSpan& place);
  /// Adds a name, which may contain any characters: `sum<int, 4>`.
  void add_name(std::string_view name, const SourceSpan& place);
};

/// The launch of a module's kernel as the user wrote it: `k<<<2, 32>>>(data[4])` or `launch k<<<2, 32>>>(data[4]);`.
struct WrittenLaunch {
  std::string text;
  SourceSpan place;  ///< place of its first character, in a comment of the PTX or in the option --launch

  /// Returns the name of the kernel without blanks.
  std::string kernel() const;
  /// Returns the place of the kernel's name.
  SourceSpan kernel_place() const;
  /// Adds the launch to a text of the litmus language. `kernel` is the kernel's name there.
  void add_to(PlacedText& made, std::string_view kernel) const;
};

/// A launch in abstract syntax.
struct ParsedLaunch {
  std::shared_ptr<const SourceFile> text;  ///< the text; the words of `file` are slices of it
  FileNode file;                           ///< contains at least one launch

  const LaunchNode& node() const { return file.launches.front(); }
};

/// Reads a launch with the grammar of the litmus language. Reports what was expected, with its place.
std::optional<ParsedLaunch> parse_launch(const WrittenLaunch& launch, Reporter& reporter);

/// Returns the kernel that a launch names: by its mangled name, or by its C++ name with or without namespaces and
/// template arguments. Reports an error at the name if no kernel or several kernels have it. The error for no kernel
/// has the hint `hint`, or a list of the module's kernels if `hint` is empty.
const assembly::Function* find_kernel(const assembly::Module& module, const WrittenLaunch& launch, Reporter& reporter,
                                      const std::string& hint = {});

/// Returns the C++ names of a module's kernels: "sum", "space::scale<int, 4>".
std::vector<std::string> kernel_names(const assembly::Module& module);

}  // namespace ambit::parser::compiled
