// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/error.h>
#include <ambit/export.h>

#include <memory>
#include <string>
#include <vector>

namespace AMBIT_NAMESPACE {

/// A litmus test: threads placed in blocks, warps and GPUs, their instructions, and a condition. Immutable and cheap to
/// copy.
class AMBIT_API Test {
 public:
  const std::string& name() const;
  const std::string& description() const;
  /// Returns the file name that the caller gave.
  const std::string& file() const;
  /// Returns the text of the file.
  const std::string& source() const;
  std::vector<std::string> threads() const;
  /// Returns the names of the values in an outcome, in order: "P1:r0", "x".
  std::vector<std::string> observables() const;
  /// Returns the condition, "exists (P1:r0 == 1 && P1:r1 == 0)"; empty if the test has none.
  std::string condition() const;
  /// Returns the parser's notes on text that the parser interprets in an unexpected way. Notes are not errors.
  std::vector<Problem> remarks() const;

 private:
  friend struct Internals;
  struct Content;
  explicit Test(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  std::shared_ptr<const Content> content_;
};

/// How to read tests.
struct ReadOptions {
  unsigned max_threads = 1024;  ///< limit on the number of threads that have instructions
  bool uninitialized = false;   ///< memory without an initial value is undefined, not 0
  /// Launch for a CUDA source: "k<<<2, 33>>>(data[1])". If empty, the launch in the file is used.
  std::string launch = {};
  std::vector<std::string> defines = {};  ///< macros for a CUDA source: "NAME" or "NAME=VALUE"
};

/// Reads a file that holds one test: a CUDA litmus test, a CUDA source (.cu), a PTX litmus file or a mixed-proxy .test
/// file. Throws Error.
AMBIT_API Test read(const std::string& file, const ReadOptions& options = {});
/// Reads the text of one test. `name` is the test's name in messages; the extension of `name`, if any, selects the
/// language. Throws Error.
AMBIT_API Test parse(const std::string& text, const std::string& name = "<text>", const ReadOptions& options = {});

/// Like read() and parse(), but accepts files and texts with several tests, such as .test files.
AMBIT_API std::vector<Test> read_all(const std::string& file, const ReadOptions& options = {});
AMBIT_API std::vector<Test> parse_all(const std::string& text, const std::string& name = "<text>",
                                      const ReadOptions& options = {});

}  // namespace AMBIT_NAMESPACE
