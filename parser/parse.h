#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "model/rules/rules.h"

namespace ambit::parser {

struct ProgramOptions {
  std::uint32_t max_threads = 64;             ///< after threads without events have vanished
  std::uint32_t max_launched_threads = 4096;  ///< before
  bool uninitialized = false;                 ///< memory without an initialiser is undefined (--uninit)
  std::optional<std::string> launch;          ///< CUDA sources: the launch to check, instead of the file's (--launch)
  std::vector<std::string> defines;           ///< CUDA sources: macros, "NAME" or "NAME=VALUE" (-D)
};

/// Largest file read (language.md).
inline constexpr std::size_t kMaxFileSize = std::size_t{1} << 20;
/// Deepest nesting of statements and expressions.
inline constexpr std::size_t kMaxNesting = 256;

/// Reads a file, pipe or device whole. Errors: it cannot be read, is over kMaxFileSize, is not text (a NUL byte or
/// invalid UTF-8), or `cancelled` became true while nothing came.
Result<SourceFilePtr> read_source(const std::string& path, const std::atomic<bool>* cancelled = nullptr);

/// The tests of a file, whatever it is written in: a CUDA source (docs/cuda-sources.md), the CUDA litmus language
/// (docs/language.md), a PTX litmus file or a mixed-proxy .test file (docs/ptx-files.md). Never empty: one test, except
/// that a .test file holds one for each of its commands and table rows. All errors found, at most kMaxDiagnostics
/// shown; options about CUDA sources for a text that is none.
Result<std::vector<std::shared_ptr<const Program>>> parse_programs(SourceFilePtr source,
                                                                   const ProgramOptions& options = {});

/// The only test of a file. Errors: those of parse_programs; the file holds several.
Result<std::shared_ptr<const Program>> parse_program(SourceFilePtr source, const ProgramOptions& options = {});

/// The program with another question: `text` is a proposition as in a condition (docs/language.md), "P1:r0 == 1 && x ==
/// 2"; a quantifier before it is passed over. Its condition is then `exists` of it, its observables those that the text
/// names. Errors, in a file called `origin`: what does not parse, names that the program does not have.
Result<std::shared_ptr<const Program>> with_outcome(const Program& program, const std::string& text,
                                                    const std::string& origin);

/// A memory model. `model` is the name of a shipped model ("ptx") or a path to a .cat file (it contains '/' or ends in
/// ".cat"); `chosen` sets its options. Includes are looked up beside the including file, then among the shipped files.
/// `origin` and `where` place the error when the model does not exist or has no such option (may be null: the command
/// line).
Result<std::shared_ptr<const rules::Rules>> load_model(const std::string& model,
                                                       const std::map<std::string, std::string>& chosen = {},
                                                       SourceFilePtr origin = nullptr, SourceSpan where = {});

/// The same from text, for tests and editors.
Result<std::shared_ptr<const rules::Rules>> parse_model(SourceFilePtr source,
                                                        const std::map<std::string, std::string>& chosen = {});

/// "ptx" or "hrf-relaxed(incl=nest,rlx=lift)" taken apart. Errors: malformed.
struct ModelReference {
  std::string name;
  std::map<std::string, std::string> options;
};
Result<ModelReference> parse_model_reference(const std::string& text);

}  // namespace ambit::parser
