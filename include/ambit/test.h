// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/error.h>
#include <ambit/export.h>

#include <memory>
#include <string>
#include <vector>

namespace AMBIT_NAMESPACE {

/// A litmus test: threads placed in blocks, warps and GPUs, their instructions, and a condition. Immutable; a copy
/// costs nothing.
class AMBIT_API Test {
 public:
  const std::string& name() const;
  const std::string& description() const;
  /// The file as the caller named it.
  const std::string& file() const;
  /// The text of the file.
  const std::string& source() const;
  std::vector<std::string> threads() const;
  /// What an outcome records, in order: "P1:r0", "x".
  std::vector<std::string> observables() const;
  /// "exists (P1:r0 == 1 && P1:r1 == 0)"; empty: the test has none.
  std::string condition() const;
  /// What the reader remarks on: where it read something else than the text says. They are no errors.
  std::vector<Problem> remarks() const;

 private:
  friend struct Internals;
  struct Content;
  explicit Test(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  std::shared_ptr<const Content> content_;
};

/// How tests are read.
struct ReadOptions {
  unsigned max_threads = 1024;            ///< most threads with instructions
  bool uninitialized = false;             ///< memory without an initial value is undefined, not 0
  std::string launch = {};                ///< of CUDA sources: "k<<<2, 33>>>(data[1])"; empty: the file's own
  std::vector<std::string> defines = {};  ///< macros of CUDA sources: "NAME" or "NAME=VALUE"
};

/// Reads a file that holds one test, in any of the languages: a CUDA litmus test, a CUDA source (.cu), a PTX litmus
/// file, a mixed-proxy .test file. Throws Error.
AMBIT_API Test read(const std::string& file, const ReadOptions& options = {});
/// Reads the text of one test. `name` stands for the file in messages; its extension, if any, tells the language.
/// Throws Error.
AMBIT_API Test parse(const std::string& text, const std::string& name = "<text>", const ReadOptions& options = {});

/// The same of files and texts that can hold several tests, as .test files do.
AMBIT_API std::vector<Test> read_all(const std::string& file, const ReadOptions& options = {});
AMBIT_API std::vector<Test> parse_all(const std::string& text, const std::string& name = "<text>",
                                      const ReadOptions& options = {});

}  // namespace AMBIT_NAMESPACE
