#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "report/html/pages.h"

namespace ambit::api {

/// A test on a site. The caller provides the page, and Site adds an explanation and pictures.
struct SiteTest {
  report::TestPage page;
  std::shared_ptr<const Program> program;
  parser::RulesPtr rules = nullptr;  ///< the model whose answer is explained; null for no explanation
  std::string timeline = {};         ///< text for Graphviz; may be empty
  std::string timeline_title = {};
  std::string outcome = {};  ///< outcome to explain; if empty, explains the answer to the test's own question
};

/// The folder of pages that `--html` writes. Explains and draws tests on all cores; the pages do not depend on the
/// number of cores. Writes each page to a temporary file and renames it when it is complete.
class Site {
 public:
  /// `interrupted` stops the explanations and drawings, but the pages are still written.
  Site(std::string folder, const std::atomic<bool>& interrupted)
      : folder_(std::move(folder)), interrupted_(interrupted) {}

  /// Adds a test. Returns the file name of the test's page.
  std::string add(SiteTest test);
  /// Adds a complete page. Returns the file name of the page.
  std::string add(const std::string& name, std::string page);
  std::size_t tests() const { return tests_.size(); }
  /// Writes the pages of all tests. Calls `waiting` about twenty times a second with the number of finished pages and
  /// the name of the next page. Returns the first error.
  std::optional<Diagnostic> write_pages(const std::function<void(std::size_t done, const std::string& page)>& waiting);
  /// Returns notes for readers of the index: which pictures are missing, and why.
  std::vector<std::string> notes() const { return {notes_.begin(), notes_.end()}; }
  /// Writes `index.html`. Returns an error if the file cannot be written.
  std::optional<Diagnostic> write_index(const std::string& page) const;

 private:
  struct Chunk;
  void write_chunk(std::size_t begin, verdict::Checker& checker);
  void explain(SiteTest& test, verdict::Checker& checker, Chunk& chunk);
  void draw(Chunk& chunk);
  std::optional<Diagnostic> write(const std::string& name, const std::string& text) const;
  void note(const std::string& text);

  std::string folder_;
  const std::atomic<bool>& interrupted_;
  report::PageNames names_;
  std::vector<std::pair<std::string, SiteTest>> tests_;     ///< each test with the file name of its page
  std::vector<std::pair<std::string, std::string>> pages_;  ///< each complete page with its file name
  std::mutex mutex_;                                        ///< guards all members below
  std::set<std::string> notes_;
  std::optional<Diagnostic> error_;
  std::size_t done_ = 0;
};

}  // namespace ambit::api
