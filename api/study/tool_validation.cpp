#include "api/study/tool_validation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>

#include "api/files.h"
#include "api/hardware/campaign_file.h"
#include "api/hardware/emit.h"
#include "api/study/suites.h"
#include "base/parallel_for.h"
#include "parser/parse.h"
#include "report/logs/campaign_log.h"
#include "report/logs/test_hash.h"
#include "report/logs/tool_log.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

using ToolAnswer = report::ToolRow::Answer;

Result<tools::Adapter> adapter_of(const std::string& tool, const std::atomic<bool>& interrupted) {
  if (!tool.ends_with(".json")) return tools::shipped_adapter(tool);
  const auto source = read_input(tool, interrupted);
  if (!source) return source.errors();
  return tools::read_adapter(source.value());
}

/// A folder for programs. The destructor removes the folder.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code error;
    path_ = fs::temp_directory_path(error) / fmt::format("ambit-tool-{}", getpid());
    fs::create_directories(path_, error);
    is_there_ = !error;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  bool is_there() const { return is_there_; }
  std::string stem(std::uint64_t number) const { return (path_ / fmt::format("test{}", number)).string(); }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
  bool is_there_ = false;
};

/// A campaign that runs one tool on a suite.
class ToolCampaign {
 public:
  ToolCampaign(const ToolRequest& request, const std::atomic<bool>& interrupted)
      : request_(request), interrupted_(interrupted) {}

  Result<report::ToolTable> run() {
    const auto adapter = adapter_of(request_.tool, interrupted_);
    if (!adapter) return adapter.errors();
    adapter_ = adapter.value();
    if (auto errors = read_tests(); !errors.empty()) return errors;
    if (auto errors = open_log(); !errors.empty()) return errors;
    const ScratchFolder folder;
    if (!folder.is_there()) return path_error(folder.path(), "cannot make a folder for the programs");
    for (std::uint64_t number = request_.shard - 1; number < tests_.size(); number += request_.shards) {
      if (!rows_.contains(number)) left_.push_back(number);
    }
    if (const std::string missing = left_.empty() ? "" : tools::missing_program(adapter_); !missing.empty()) {
      Diagnostic error = path_error("--tool", fmt::format("'{}' is not installed", missing));
      error.hint = fmt::format("the tool '{}' needs this program on the PATH", adapter_.tool);
      return error;
    }
    run_tests(folder);
    if (!log_error_.empty()) return path_error(request_.log, log_error_);
    report::ToolTable table{.tool = adapter_.tool,
                            .about = adapter_.about,
                            .suite = request_.paths.front(),
                            .suites = suites_.about(),
                            .runs = request_.options.runs,
                            .rows = {},
                            .not_run = unanswered()};
    for (auto& [number, row] : rows_) table.rows.push_back(std::move(row));
    return table;
  }

 private:
  struct Test {
    std::string file;
    SourceFilePtr source;
    std::shared_ptr<const Program> program;
  };

  /// Returns how many tests of this shard have no answer.
  std::size_t unanswered() const {
    return static_cast<std::size_t>(
        std::count_if(left_.begin(), left_.end(), [&](std::uint64_t number) { return !rows_.contains(number); }));
  }

  Diagnostics read_tests() {
    const auto files = collect_files(request_.paths);
    if (!files) return files.errors();
    auto suites = Suites::read(request_.paths, files.value(), interrupted_);
    if (!suites) return suites.errors();
    suites_ = std::move(suites).value();
    for (const std::string& file : files.value()) {
      const auto source = read_input(file, interrupted_);
      if (!source) return source.errors();
      const auto programs = parser::parse_programs(source.value());
      if (!programs) return programs.errors();
      for (const auto& program : programs.value()) tests_.push_back({file, source.value(), program});
    }
    return {};
  }

  report::CampaignHeader header() const {
    std::vector<report::CorpusTest> corpus;
    for (const Test& test : tests_) corpus.push_back({test.file, test.program});
    report::CampaignHeader header;
    header.corpus = report::corpus_hash(corpus);
    header.tests = tests_.size();
    header.shard = request_.shard;
    header.shards = request_.shards;
    header.settings = {{"tool", adapter_.tool},
                       {"adapter", report::text_hash(adapter_.text)},
                       {"runs", fmt::format("{}", request_.options.runs)}};
    return header;
  }

  /// Opens the log and reads its answers. A test on which the tool failed counts as unanswered and runs again.
  Diagnostics open_log() {
    if (request_.log.empty()) return {};
    const auto text = log_.open(request_.log);
    if (!text) return text.errors();
    const report::CampaignHeader mine = header();
    if (text.value()->text.empty()) {
      if (!log_.append(report::campaign_json(mine))) return {path_error(request_.log, "cannot be written")};
      return {};
    }
    const auto log = report::read_tool_log(text.value());
    if (!log) return log.errors();
    if (log.value().header.corpus != mine.corpus || log.value().header.settings != mine.settings) {
      return {Diagnostic{text.value(),
                         {1, 1, 1},
                         "this is the log of another campaign",
                         "tests, tool, adapter and --runs must be the same; choose another file"}};
    }
    if (log.value().is_cut) log_.cut(text.value()->text.rfind('\n') + 1);
    for (const report::ToolRow& row : log.value().rows) {
      if (row.answer != ToolAnswer::Failed) rows_.emplace(row.number, row);
    }
    return {};
  }

  void run_tests(const ScratchFolder& folder) {
    const ParallelOptions options{.threads = request_.threads, .waiting = [&](std::size_t item, std::size_t done) {
                                    if (request_.waiting)
                                      request_.waiting(done, left_.size(), tests_[left_[item]].program->name);
                                  }};
    parallel_for(
        left_.size(), [&] { return [&](std::size_t item) { run_test(left_[item], folder); }; }, options);
  }

  void run_test(std::uint64_t number, const ScratchFolder& folder) {
    if (interrupted_) return;
    const Test& test = tests_[number];
    report::ToolRow row{.number = number, .file = test.file, .test = test.program->name};
    if (const auto label = suites_.label_of(test.file, *test.program)) row.label = label->race;
    const Result<std::string> program = standalone_program(test.source, *test.program);
    if (!program) {
      row.answer = ToolAnswer::NoProgram;
      row.why = program.errors().front().message;
    } else {
      const tools::ToolAnswer answer =
          tools::run_tool(adapter_, program.value(), folder.stem(number), request_.options, interrupted_);
      using Kind = tools::ToolAnswer::Kind;
      if (answer.kind == Kind::Interrupted) return;
      row.answer = answer.kind == Kind::Race     ? ToolAnswer::Race
                   : answer.kind == Kind::NoRace ? ToolAnswer::NoRace
                                                 : ToolAnswer::Failed;
      row.why = answer.kind == Kind::NotCompiled ? "the program did not compile: " + answer.why : answer.why;
      row.reports = answer.reports;
    }
    const std::scoped_lock lock(mutex_);
    if (!request_.log.empty() && !log_.append(report::tool_row_json(row))) log_error_ = "cannot be written";
    rows_.emplace(number, std::move(row));
  }

  const ToolRequest& request_;
  const std::atomic<bool>& interrupted_;
  tools::Adapter adapter_;
  Suites suites_;
  std::vector<Test> tests_;
  std::vector<std::uint64_t> left_;  ///< numbers of the tests without an answer
  CampaignFile log_;
  std::mutex mutex_;  ///< guards the members below and log_
  std::map<std::uint64_t, report::ToolRow> rows_;
  std::string log_error_;
};

}  // namespace

Result<report::ToolTable> validate_with_tool(const ToolRequest& request, const std::atomic<bool>& interrupted) {
  return ToolCampaign(request, interrupted).run();
}

}  // namespace ambit::api
