#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/progress.h"
#include "core/program.h"
#include "model/verdict/verdict.h"
#include "parser/cat/model_store.h"
#include "report/html/pages.h"

namespace ambit::cli {

/// A test of a site: the page as far as the command knows it, and what the site adds to it.
struct SiteTest {
  report::TestPage page;
  std::shared_ptr<const Program> program;
  parser::RulesPtr rules;  ///< the model whose answer is explained; absent: nothing is
  std::string timeline;    ///< for Graphviz; empty: none
  std::string timeline_title;
  std::string outcome = {};  ///< what is explained, as for `ambit explain --outcome`; empty: the test's own question
};

/// The folder of pages that `--html` writes. Explains and draws tests on all cores; what is written does not depend on
/// their number. Each page is written beside its place and moved there when it is whole.
class Site {
 public:
  /// `interrupted` ends explaining and drawing; pages are written all the same.
  Site(std::string folder, Progress::Mode progress, const std::atomic<bool>& interrupted)
      : folder_(std::move(folder)), progress_(progress), interrupted_(interrupted) {}

  /// The file name of the test's page.
  std::string add(SiteTest test);
  /// Writes the pages of all tests. False: an error was printed.
  bool write_pages();
  /// What readers of the index must know: pictures that are missing, and why.
  std::vector<std::string> notes() const;
  /// Writes `index.html`. False: an error was printed.
  bool write_index(const std::string& page);

 private:
  struct Chunk;
  void work(std::atomic<std::size_t>& next);
  void explain(SiteTest& test, verdict::Checker& checker, Chunk& chunk);
  void draw(Chunk& chunk);
  bool write(const std::string& name, const std::string& text);
  void note(const std::string& text);

  std::string folder_;
  Progress::Mode progress_;
  const std::atomic<bool>& interrupted_;
  report::PageNames names_;
  std::vector<std::pair<std::string, SiteTest>> tests_;  ///< with file names
  mutable std::mutex mutex_;                             ///< of all below
  std::set<std::string> notes_;
  std::string error_;
  std::size_t done_ = 0;
};

}  // namespace ambit::cli
