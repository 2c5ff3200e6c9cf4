#include "apps/cli/page_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string_view>
#include <thread>

#include "api/files.h"
#include "apps/cli/question.h"
#include "apps/server/graphviz.h"
#include "model/verdict/races.h"
#include "parser/parse.h"
#include "report/draw/picture.h"

namespace ambit::cli {
namespace {

namespace fs = std::filesystem;

/// Tests whose pictures are drawn by one Graphviz process: its start takes as long as drawing several.
constexpr std::size_t kChunk = 24;
constexpr std::chrono::seconds kExplainTimeout{10};

/// The answer in words and as a picture, or why there is none.
Explained answer(const AskedQuestion& asked, verdict::Checker& checker, Context& context) {
  try {
    const auto explained = explain_question(asked, checker, {}, {}, {}, context);
    if (explained.ok()) return explained.value();
    return {std::nullopt, render(explained.errors())};
  } catch (const std::exception& error) {
    return {std::nullopt,
            fmt::format("internal error: {}\nThis is a bug in Ambit: please report it with the test.\n", error.what())};
  }
}

}  // namespace

/// Tests of one worker's turn, and the pictures to be drawn for them.
struct Site::Chunk {
  struct Place {
    std::size_t test;
    bool is_timeline;
  };
  std::string dots;
  std::vector<Place> places;  ///< by graph
};

std::string Site::add(SiteTest test) {
  std::string name = names_.add(test.page.name);
  tests_.emplace_back(name, std::move(test));
  return name;
}

bool Site::write_pages() {
  std::atomic<std::size_t> next = 0;
  {
    Progress progress(progress_, tests_.size());
    std::vector<std::jthread> threads;
    const std::size_t chunks = (tests_.size() + kChunk - 1) / kChunk;
    const std::size_t workers = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), chunks);
    std::atomic<std::size_t> running = workers;
    for (std::size_t i = 0; i < workers; ++i) {
      threads.emplace_back([&] {
        work(next);
        --running;
      });
    }
    while (running > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const std::lock_guard<std::mutex> lock(mutex_);
      if (done_ < tests_.size()) progress.show(done_, "page " + tests_[done_].first);
    }
  }
  if (error_.empty()) return true;
  std::cerr << error_;
  return false;
}

void Site::work(std::atomic<std::size_t>& next) {
  verdict::Checker checker;
  for (std::size_t begin = kChunk * next++; begin < tests_.size(); begin = kChunk * next++) {
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
      if (!write(tests_[i].first, report::test_page(tests_[i].second.page))) return;
      tests_[i].second = {};
      const std::lock_guard<std::mutex> lock(mutex_);
      ++done_;
    }
  }
}

void Site::explain(SiteTest& test, verdict::Checker& checker, Chunk& chunk) {
  if (!test.program || !test.rules) return;
  report::TestPage& page = test.page;
  if (interrupted_) {
    page.more = "The run was interrupted before this test was explained.";
    return note("The run was interrupted: some tests are not explained.");
  }
  AskedQuestion asked = own_question(test.program, test.rules);
  if (!test.outcome.empty()) {
    auto with = parser::with_outcome(*test.program, test.outcome, "--outcome");
    if (with.ok()) asked = {std::move(with).value(), test.rules, false, test.outcome};
  }
  Context context;
  context.set_timeout(kExplainTimeout);
  context.set_cancellation(&interrupted_);
  const Explained explained = answer(asked, checker, context);
  page.explanation = explained.text + (page.explanation.empty() ? "" : "\n" + page.explanation);
  const std::string which = page.file.ends_with(".test") ? " --test " + page.name : "";
  page.more = fmt::format(
      "This is what ambit explain {}{} --model '{}'{} says, and ambit graph draws. --full has all of it; --model, "
      "--outcome and "
      "--race ask other questions.",
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
  const server::Drawing drawing = server::draw(chunk.dots, "svg", server::kDrawingLimits, {.cancelled = &interrupted_});
  if (!drawing.ok()) return note("Pages have no picture: " + drawing.error);
  const std::vector<std::string> parts = server::split_drawings(drawing.bytes);
  if (parts.size() != chunk.places.size()) return note("Some pages have no picture: Graphviz left some out.");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    report::TestPage& page = tests_[chunk.places[i].test].second.page;
    (chunk.places[i].is_timeline ? page.timelines.back() : *page.picture).svg = report::inline_svg(parts[i]);
  }
}

std::vector<std::string> Site::notes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {notes_.begin(), notes_.end()};
}

void Site::note(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  notes_.insert(text);
}

bool Site::write_index(const std::string& page) {
  for (const std::string& text : notes()) std::cerr << text << "\n";
  if (write("index.html", page)) return true;
  std::cerr << error_;
  return false;
}

bool Site::write(const std::string& name, const std::string& text) {
  const fs::path path = fs::path(folder_) / name;
  fs::path part = path;
  part += ".part";
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (out) fs::rename(part, path, error);
  if (out && !error) return true;
  std::error_code ignored;
  fs::remove(part, ignored);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (error_.empty()) error_ = api::path_error(path.string(), "cannot write the file").render();
  return false;
}

}  // namespace ambit::cli
