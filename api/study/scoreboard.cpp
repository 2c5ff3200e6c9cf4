#include "api/study/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "api/check/site.h"
#include "api/files.h"
#include "api/study/validation_pages.h"
#include "base/plural.h"
#include "parser/cat/model_store.h"
#include "report/html/scoreboard_page.h"
#include "report/logs/tool_log.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

/// The log of one tool's campaign.
struct LoggedCampaign {
  std::string file;
  std::string tool;
  std::string about;
  std::vector<report::ToolRow> rows;
  std::set<std::uint64_t> used;  ///< numbers of the rows that belong to a suite
};

class ScoreboardMaker {
 public:
  ScoreboardMaker(const ScoreboardRequest& request, const std::atomic<bool>& interrupted)
      : request_(request), interrupted_(interrupted) {}

  Result<ScoreboardResult> make() {
    if (const Diagnostics errors = read(); !errors.empty()) return errors;
    for (const std::string& suite : request_.suites) {
      if (const Diagnostics errors = add_suite(suite); !errors.empty()) return errors;
    }
    for (const LoggedCampaign& tool : tools_) {
      const std::size_t unused = tool.rows.size() - tool.used.size();
      if (unused > 0) {
        result_.notes.push_back(
            fmt::format("{}: {} belong to no labelled test of the suites", tool.file, plural(unused, "answer")));
      }
    }
    const std::string index = (fs::path(request_.folder) / "index.html").string();
    if (const auto error = write_file(index, report::scoreboard_page(result_.board, result_.notes))) {
      return Diagnostics{*error};
    }
    return std::move(result_);
  }

 private:
  Diagnostics read() {
    const auto detectors = chosen_detectors(request_.selection);
    if (!detectors) return detectors.errors();
    detectors_ = detectors.value();
    parser::ModelStore store;
    // Two models are enough for the explanations on the pages of the tests. `validate` compares all models.
    const auto models = store.load_all({"ptx", "cuda-cpp"});
    if (!models) return models.errors();
    models_ = models.value();
    for (const std::string& file : request_.tool_logs) {
      const auto source = read_results(file, &interrupted_);
      if (!source) return source.errors();
      const auto log = report::read_tool_log(source.value());
      if (!log) return log.errors();
      if (const Diagnostics errors = add_campaign(file, log.value()); !errors.empty()) return errors;
    }
    name_campaigns();
    return {};
  }

  /// If a tool has several logs (for example, from several devices), appends the log's name to the tool's name.
  void name_campaigns() {
    std::map<std::string, std::size_t> logs;
    for (const LoggedCampaign& campaign : tools_) ++logs[campaign.tool];
    for (LoggedCampaign& campaign : tools_) {
      if (logs[campaign.tool] > 1) campaign.tool += fmt::format(" ({})", campaign.file);
    }
  }

  Diagnostics add_campaign(const std::string& file, const report::ToolLog& log) {
    LoggedCampaign campaign{.file = file, .tool = {}, .about = {}, .rows = log.rows, .used = {}};
    if (!report::is_tool_campaign(log.header)) {
      return {
          Diagnostic{log.source, {1, 1, 1}, "this is not the log of a tool", "ambit validate --tool --log writes it"}};
    }
    for (const auto& [name, value] : log.header.settings) {
      if (name == "tool") campaign.tool = value;
      if (name == "runs") campaign.about = fmt::format("{} of each program; answers from {}", plural_runs(value), file);
    }
    tools_.push_back(std::move(campaign));
    return {};
  }

  static std::string plural_runs(const std::string& count) { return count + (count == "1" ? " run" : " runs"); }

  Diagnostics add_suite(const std::string& path) {
    const auto files = collect_files({path});
    if (!files) return files.errors();
    const auto suites = Suites::read({path}, files.value(), interrupted_);
    if (!suites) return suites.errors();
    ValidationOptions options = request_.validation;
    options.suites = suites.value();
    options.keeps_timelines = true;
    options.waiting = [&](std::size_t file, std::size_t done) {
      wait(done, files.value().size(), files.value()[file]);
    };
    report::Validation validation = validate(files.value(), detectors_, models_, options, interrupted_);
    validation.suite = path;
    for (const report::ValidationTest& test : validation.tests) {
      if (!test.error.empty()) result_.errors.push_back(test.error);
      result_.is_complete = result_.is_complete && test.was_run;
    }
    return add_figures(path, validation);
  }

  Diagnostics add_figures(const std::string& path, const report::Validation& validation) {
    report::ScoreboardSuite suite = report::scoreboard_suite(validation);
    std::string name = names_.add(fs::path(path).lexically_normal().string());
    suite.folder = name.substr(0, name.rfind(".html"));
    suite.command = command(path, validation);
    if (suite.racy + suite.race_free == 0) {
      result_.notes.push_back(fmt::format("{} has no labelled test: docs/reference/suites.md describes labels", path));
    }
    Site site((fs::path(request_.folder) / suite.folder).string(), interrupted_);
    const report::ValidationLinks links = add_pages(site, validation, models_);
    std::size_t row = 0;
    for (std::size_t i = 0; i < validation.detectors.size(); ++i) {
      report::ScoreboardFigure figure = report::figure_of(validation, i);
      figure.page = suite.folder + "/" + links.detectors[i];
      add(row++, {.name = validation.detectors[i], .is_tool = false, .about = {}, .figures = {}}, std::move(figure));
    }
    for (LoggedCampaign& tool : tools_) {
      report::ToolTable table = report::rows_about(validation, tool.rows);
      table.tool = tool.tool;
      for (const report::ToolRow& of_suite : table.rows) tool.used.insert(of_suite.number);
      report::ScoreboardFigure figure = report::figure_of(table);
      if (!table.rows.empty()) {
        figure.page = suite.folder + "/" + site.add("tool-" + tool.tool, report::tool_page(table, tool.about));
      }
      add(row++, {.name = tool.tool, .is_tool = true, .about = tool.about, .figures = {}}, std::move(figure));
    }
    result_.board.suites.push_back(std::move(suite));
    return write(site, validation, links);
  }

  /// Adds a figure to a row. For the first suite, also creates the row.
  void add(std::size_t row, report::ScoreboardRow made, report::ScoreboardFigure figure) {
    std::vector<report::ScoreboardRow>& rows = result_.board.rows;
    if (row == rows.size()) rows.push_back(std::move(made));
    rows[row].figures.push_back(std::move(figure));
  }

  Diagnostics write(Site& site, const report::Validation& validation, const report::ValidationLinks& links) {
    std::error_code ignored;  // if the folder cannot be made, write_pages() reports the error
    fs::create_directories(fs::path(request_.folder) / result_.board.suites.back().folder, ignored);
    auto error =
        site.write_pages([&](std::size_t done, const std::string& page) { wait(done, site.tests(), "page " + page); });
    if (!error) error = site.write_index(validation_index(validation, links, site.notes()));
    for (const std::string& note : site.notes()) {
      if (std::ranges::find(result_.notes, note) == result_.notes.end()) result_.notes.push_back(note);
    }
    return error ? Diagnostics{*error} : Diagnostics{};
  }

  /// Returns the command that repeats the runs of a suite.
  std::string command(const std::string& path, const report::Validation& validation) const {
    std::string text = "ambit validate " + path;
    if (request_.selection.names != kAllDetectors) text += " --detector " + request_.selection.names;
    for (const std::string& options : validation.detector_options) text += options;
    return text + validation.replay_options;
  }

  void wait(std::size_t done, std::size_t all, const std::string& what) const {
    if (request_.waiting) request_.waiting(done, all, what);
  }

  const ScoreboardRequest& request_;
  const std::atomic<bool>& interrupted_;
  std::vector<ChosenDetector> detectors_;
  std::vector<parser::RulesPtr> models_;
  std::vector<LoggedCampaign> tools_;
  report::PageNames names_;
  ScoreboardResult result_;
};

}  // namespace

Result<ScoreboardResult> make_scoreboard(const ScoreboardRequest& request, const std::atomic<bool>& interrupted) {
  return ScoreboardMaker(request, interrupted).make();
}

}  // namespace ambit::api
