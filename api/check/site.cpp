#include "api/check/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>

#include "api/check/explanation.h"
#include "api/files.h"
#include "api/graphviz.h"
#include "base/parallel_for.h"
#include "parser/parse.h"
#include "report/draw/picture.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

/// Number of tests that one Graphviz process draws. Starting Graphviz takes as long as drawing several tests.
constexpr std::size_t kChunk = 24;
constexpr std::chrono::seconds kExplainTimeout{10};

/// The explanation of a test, with a picture. If there is no explanation, `text` gives the reason.
struct SiteAnswer {
  std::optional<report::Picture> picture = {};
  std::string text = {};
};

SiteAnswer answer(const ExplainQuestion& question, verdict::Checker& checker, Context& context) {
  try {
    const auto explained = explain_question(question, checker, {}, {}, context);
    if (!explained.ok()) return {.text = render(explained.errors())};
    return {explained.value().picture(), explained.value().text({}, {})};
  } catch (const std::exception& error) {
    return {.text = fmt::format("internal error: {}\nThis is a bug in Ambit: please report it with the test.\n",
                                error.what())};
  }
}

}  // namespace

/// Tests that one worker processes together, and the pictures to draw for them.
struct Site::Chunk {
  struct Place {
    std::size_t test;
    bool is_timeline;
  };
  std::string dots;
  std::vector<Place> places;  ///< for each graph, its test and its kind
};

std::string Site::add(SiteTest test) {
  std::string name = names_.add(test.page.name);
  tests_.emplace_back(name, std::move(test));
  return name;
}

std::string Site::add(const std::string& name, std::string page) {
  std::string file = names_.add(name);
  pages_.emplace_back(file, std::move(page));
  return file;
}

std::optional<Diagnostic> Site::write_pages(
    const std::function<void(std::size_t done, const std::string& page)>& waiting) {
  for (const auto& [name, page] : pages_) {
    if (auto error = write(name, page)) return error;
  }
  const auto make_worker = [&] {
    return [&, checker = std::make_shared<verdict::Checker>()](std::size_t i) { write_chunk(i * kChunk, *checker); };
  };
  const auto show = [&](std::size_t, std::size_t) {
    std::unique_lock<std::mutex> lock(mutex_);
    const std::size_t done = done_;
    lock.unlock();
    if (done < tests_.size()) waiting(done, tests_[done].first);
  };
  parallel_for((tests_.size() + kChunk - 1) / kChunk, make_worker, {.waiting = show});
  return error_;
}

void Site::write_chunk(std::size_t begin, verdict::Checker& checker) {
  const std::size_t end = std::min(begin + kChunk, tests_.size());
  Chunk chunk;
  for (std::size_t i = begin; i < end; ++i) {
    SiteTest& test = tests_[i].second;
    const std::size_t before = chunk.dots.size();
    explain(test, checker, chunk);
    if (chunk.dots.size() > before) chunk.places.push_back({i, false});
    if (test.timeline.empty()) continue;
    chunk.dots += test.timeline;
    chunk.places.push_back({i, true});
  }
  draw(chunk);
  for (std::size_t i = begin; i < end; ++i) {
    auto error = write(tests_[i].first, report::test_page(tests_[i].second.page));
    tests_[i].second = {};
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!error_) error_ = std::move(error);
    if (error_) return;
    ++done_;
  }
}

void Site::explain(SiteTest& test, verdict::Checker& checker, Chunk& chunk) {
  if (!test.program || !test.rules) return;
  report::TestPage& page = test.page;
  if (interrupted_) {
    page.more = "The run was interrupted before this test was explained.";
    return note("The run was interrupted: some tests are not explained.");
  }
  ExplainQuestion requested = own_question(test.program, test.rules);
  if (!test.outcome.empty()) {
    auto with = parser::with_outcome(*test.program, test.outcome, "--outcome");
    if (with.ok()) requested = {std::move(with).value(), test.rules, false, test.outcome};
  }
  Context context;
  context.set_timeout(kExplainTimeout);
  context.set_cancellation(&interrupted_);
  const SiteAnswer explained = answer(requested, checker, context);
  page.explanation = explained.text + (page.explanation.empty() ? "" : "\n" + page.explanation);
  const std::string which = page.file.ends_with(".test") ? " --test " + page.name : "";
  page.more = fmt::format(
      "ambit explain {}{} --model '{}'{} prints this, and ambit graph draws it. --full prints all of it; --model, "
      "--outcome and --race ask other questions.",
      page.file, which, verdict::model_name(*test.rules),
      test.outcome.empty() ? "" : fmt::format(" --outcome '{}'", test.outcome));
  if (!explained.picture) return;
  page.picture.emplace();
  chunk.dots += report::picture_dot(*explained.picture);
}

void Site::draw(Chunk& chunk) {
  if (chunk.places.empty()) return;
  for (const Chunk::Place& place : chunk.places) {
    if (!place.is_timeline) continue;
    SiteTest& test = tests_[place.test].second;
    test.page.timelines.push_back({test.timeline_title, {}, {}});
  }
  if (interrupted_) return note("The run was interrupted: some pages have no picture.");
  const Drawing drawing = api::draw(chunk.dots, "svg", kDrawingLimits, {.cancelled = &interrupted_});
  if (!drawing.ok()) return note("Pages have no picture: " + drawing.error);
  const std::vector<std::string> parts = split_drawings(drawing.bytes);
  if (parts.size() != chunk.places.size())
    return note("Some pages have no picture: Graphviz did not draw all of them.");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    report::TestPage& page = tests_[chunk.places[i].test].second.page;
    (chunk.places[i].is_timeline ? page.timelines.back() : *page.picture).svg = report::inline_svg(parts[i]);
  }
}

void Site::note(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  notes_.insert(text);
}

std::optional<Diagnostic> Site::write_index(const std::string& page) const { return write("index.html", page); }

std::optional<Diagnostic> Site::write(const std::string& name, const std::string& text) const {
  const fs::path path = fs::path(folder_) / name;
  fs::path part = path;
  part += ".part";
  auto failed = write_file(part.string(), text);
  std::error_code error;
  if (!failed) fs::rename(part, path, error);
  if (!failed && !error) return std::nullopt;
  std::error_code ignored;
  fs::remove(part, ignored);
  return path_error(path.string(), "cannot write the file");
}

}  // namespace ambit::api
